//! The token goes nowhere but to the service: links and redirects to elsewhere.

use eis_service::AnswerFault as A;
use eis_service::{DeliveryFault, Service, Times, Tls};

use super::*;

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
}

#[test]
fn a_link_to_elsewhere_is_not_followed() {
    let elsewhere = Service::start(Config::default()).expect("a service");
    let by_name = elsewhere.url().replace("127.0.0.1", "localhost");
    for base in [elsewhere.url(), by_name] {
        let fetching = Fetching::start();
        fetching
            .service
            .answer_fault(CELL, A::LinksTo(base), Times::Always);
        check(&fetching, &elsewhere, "leads elsewhere");
        assert_eq!(fetching.service.count(CELL), 1);
    }
}

#[test]
fn a_link_to_plain_http_or_with_a_password_is_not_followed() {
    let elsewhere = Service::start(Config::default()).expect("a service");
    let tls = Config {
        tls: Some(Tls::default()),
        ..Config::default()
    };
    let fetching = Fetching::with(tls);
    fetching
        .service
        .answer_fault(CELL, A::PlainLinks, Times::Always);
    check(&fetching, &elsewhere, "http://");

    let fetching = Fetching::start();
    fetching
        .service
        .answer_fault(CELL, A::LinksWithUserinfo, Times::Always);
    check(&fetching, &elsewhere, "user");
    assert_eq!(fetching.service.count("*/*/*/contract#*"), 0);
}

#[test]
fn a_redirect_within_the_host_is_followed() {
    for pattern in ["*", "*#*"] {
        let fetching = Fetching::start();
        let fault = DeliveryFault::RedirectWithin;
        fetching
            .service
            .delivery_fault(pattern, fault, Times::Always);
        fetching.run_day().succeeds();
        assert_eq!(fetching.archives().len(), 4);
    }
}

#[test]
fn a_redirect_to_elsewhere_is_not_followed() {
    let elsewhere = Service::start(Config::default()).expect("a service");
    let by_name = elsewhere.endpoint().replace("127.0.0.1", "localhost");
    for pattern in [CELL, "2025-03-03/77/RGK/contract#0"] {
        for (to, words) in [
            (elsewhere.endpoint(), "where the token must not go"),
            (by_name.clone(), "redirect to another host"),
        ] {
            let fetching = Fetching::start();
            let fault = DeliveryFault::RedirectTo(to);
            fetching
                .service
                .delivery_fault(pattern, fault, Times::Always);
            check(&fetching, &elsewhere, words);
        }
    }
}

#[test]
fn a_redirect_to_itself_ends() {
    let elsewhere = Service::start(Config::default()).expect("a service");
    for pattern in [CELL, "2025-03-03/77/RGK/contract#0"] {
        let fetching = Fetching::start();
        let fault = DeliveryFault::RedirectLoop;
        fetching
            .service
            .delivery_fault(pattern, fault, Times::Always);
        check(&fetching, &elsewhere, "redirects");
        assert!(fetching.service.requests().len() < 40);
    }
}
