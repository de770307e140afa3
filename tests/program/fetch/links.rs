//! The token goes nowhere but to the service: links and redirects to elsewhere.

use eis_service::AnswerFault as A;
use eis_service::DeliveryFault as D;
use eis_service::Tls;

use super::*;

const LINK: &str = "2025-03-03/77/RGK/contract#0";

/// This cell is an error that says these words, and `elsewhere` was never asked.
#[track_caller]
fn check(fetching: &Fetching, elsewhere: &Service, words: &str) {
    let ca = fetching.ca_file();
    let mut command = fetching.day_command();
    let outcome = Outcome::of(command.args(ca.iter().flat_map(|file| ["--ca-file", file])));
    let outcome = outcome.fails("2025-03-03 77 RGK/contract: ");
    assert!(outcome.err.contains(words), "{words}: {}", outcome.err);
    assert_eq!(elsewhere.requests().len(), 0, "{words}");
    assert_eq!(fetching.archives().len(), 3, "{words}");
    assert!(fetching.service.requests().len() < 40, "{words}");
}

#[test]
fn a_link_or_a_redirect_to_elsewhere_is_not_followed() {
    let elsewhere = Service::start(Config::default()).expect("a service");
    let by_name = elsewhere.url().replace("127.0.0.1", "localhost");
    for (fault, words) in [
        (A::LinksTo(elsewhere.url()), "leads elsewhere"),
        (A::LinksTo(by_name), "leads elsewhere"),
        (A::LinksWithUserinfo, "user"),
    ] {
        let fetching = Fetching::answering(CELL, fault, Times::Always);
        check(&fetching, &elsewhere, words);
        assert_eq!(fetching.service.count("*/*/*/contract#*"), 0);
    }
    let fetching = Fetching::with(Config {
        tls: Some(Tls::default()),
        ..Config::default()
    });
    fetching
        .service
        .answer_fault(CELL, A::PlainLinks, Times::Always);
    check(&fetching, &elsewhere, "http://");

    let by_name = elsewhere.endpoint().replace("127.0.0.1", "localhost");
    for pattern in [CELL, LINK] {
        for (fault, words) in [
            (
                D::RedirectTo(elsewhere.endpoint()),
                "where the token must not go",
            ),
            (D::RedirectTo(by_name.clone()), "redirect to another host"),
            (D::RedirectLoop, "redirects"),
        ] {
            let fetching = Fetching::delivering(pattern, fault, Times::Always);
            check(&fetching, &elsewhere, words);
        }
    }
}

#[test]
fn a_redirect_within_the_host_is_followed() {
    for pattern in ["*", "*#*"] {
        let fetching = Fetching::delivering(pattern, D::RedirectWithin, Times::Always);
        fetching.run_day().succeeds();
        assert_eq!(fetching.archives().len(), 4);
    }
}
