//! Rate limits: which requests are refused and for how long, and the headers of refused and of
//! successful responses.

use std::net::IpAddr;
use std::time::Duration;

use procurement_lookup::api::{Rate, Rates, RefusedCounts, Response};
use procurement_lookup::web;

use super::{BAD_INN, BAD_KEY, CARD, CONTRACTS, P44, P615, PAGE, RNP, outcome, service};
use crate::service::{Service, header};

const TOO_MANY: &str = r#"{"code":429,"error":"Превышен лимит запросов."}"#;

fn rate(per_second: u32, burst: u32) -> Rate {
    Rate { per_second, burst }
}

fn of_rnp(rnp: Rate) -> Rates {
    Rates { rnp, ..Rates::OFF }
}

fn of_keys(key: Rate) -> Rates {
    Rates { key, ..Rates::OFF }
}

fn limited(rates: Rates) -> Service {
    let service = service();
    service.api.set_limits(rates);
    service
}

fn from(address: &str) -> Option<IpAddr> {
    Some(address.parse().expect("an address"))
}

fn rnp(key: &str) -> String {
    format!("{RNP}?supplierINN=9600000021&format=json&apikey={key}")
}

/// Returns the values of `RateLimit-Limit`, `RateLimit-Remaining`, `RateLimit-Reset` and
/// `Retry-After`.
fn quota(response: &Response) -> [Option<&str>; 4] {
    [
        "RateLimit-Limit",
        "RateLimit-Remaining",
        "RateLimit-Reset",
        "Retry-After",
    ]
    .map(|name| header(response, name))
}

fn is_open(service: &mut Service, target: &str) -> bool {
    is_open_from(service, None, target)
}

fn is_open_from(service: &mut Service, client: Option<IpAddr>, target: &str) -> bool {
    service.ask_from(client, "GET", target, &[]).status != 429
}

#[test]
fn by_default_only_rnp_is_limited() {
    let mut service = limited(Rates::default());
    for left in (0..100).rev() {
        let response = service.get(&rnp("KEY"));
        assert_eq!(outcome(&response), "200 json");
        let left = left.to_string();
        assert_eq!(quota(&response)[..2], [Some("100"), Some(left.as_str())]);
    }
    let response = service.get(&rnp("KEY"));
    assert_eq!(outcome(&response), format!("429 {TOO_MANY}"));
    let full_again_in = Some("10");
    let expected = [Some("100"), Some("0"), full_again_in, Some("1")];
    assert_eq!(quota(&response), expected);
    assert_eq!(header(&response, "Cache-Control"), Some("no-store"));
    assert_eq!(response.note.error.as_deref(), Some("429"));
    assert_eq!(response.note.key_name.as_deref(), Some("first"));
    for _ in 0..200 {
        let response = service.get(PAGE);
        assert_eq!(
            (response.status.number(), quota(&response)),
            (200, [None; 4])
        );
    }
    service.clock.advance(Duration::from_secs(1));
    let open = (0..20).filter(|_| is_open(&mut service, &rnp("KEY")));
    assert_eq!(open.count(), 10);
}

#[test]
fn a_retry_after_the_stated_seconds_succeeds() {
    let rates = Rates {
        rnp: rate(10, 1),
        key: rate(1, 1),
        ..Rates::OFF
    };
    let mut service = limited(rates);
    for _ in 0..3 {
        assert!(is_open(&mut service, &rnp("KEY")));
        service.clock.advance(Duration::from_millis(1));
        let response = service.get(&rnp("KEY"));
        assert_eq!(response.status, 429);
        let seconds = header(&response, "Retry-After").expect("when to come again");
        let seconds = seconds.parse().expect("whole seconds");
        service.clock.advance(Duration::from_secs(seconds));
    }
    let expected = RefusedCounts {
        key: 3,
        ..RefusedCounts::default()
    };
    assert_eq!(service.api.refused(), expected);
}

#[test]
fn of_several_limits_the_tightest_is_reported() {
    let rates = Rates {
        rnp: rate(1, 5),
        key: rate(1, 7),
        ..Rates::OFF
    };
    let mut service = limited(rates);
    let mut told = |target: &str| {
        let response = service.get(target);
        let [limit, remaining, ..] = quota(&response).map(|value| value.map(str::to_owned));
        (limit.expect("a limit"), remaining.expect("what remains"))
    };
    let pair = |limit: &str, remaining: &str| (limit.to_owned(), remaining.to_owned());
    assert_eq!(told(PAGE), pair("7", "6"));
    assert_eq!(told(&rnp("KEY")), pair("5", "4"));
    for remaining in ["4", "3", "2"] {
        assert_eq!(told(PAGE), pair("7", remaining));
    }
    assert_eq!(told(&rnp("KEY")), pair("7", "1"));
}

#[test]
fn invalid_keys_are_limited_and_valid_keys_are_not() {
    let rates = Rates {
        wrong_key: 60,
        ..Rates::OFF
    };
    let mut service = limited(rates);
    let (here, elsewhere) = (from("192.0.2.1"), from("192.0.2.2"));
    let wrong = [rnp("guess"), rnp(""), rnp("REVOKEDKEY")];
    let mut ask = |client, target: &str| {
        let response = service.ask_from(client, "GET", target, &[]);
        (
            outcome(&response),
            quota(&response).map(|value| value.map(str::to_owned)),
        )
    };
    let unauthorized = (format!("401 {BAD_KEY}"), [const { None }; 4]);
    for target in wrong.iter().cycle().take(60) {
        assert_eq!(ask(here, target), unauthorized);
        assert_eq!(ask(here, &rnp("KEY")).0, "200 json");
    }
    // Each refusal tells the client to wait one second longer, so that clients do not return at
    // the same time.
    for (target, wait) in wrong.iter().zip(["1", "2", "3"]) {
        let told = ["60", "0", "60", wait].map(|value| Some(value.to_owned()));
        assert_eq!(ask(here, target), (format!("429 {TOO_MANY}"), told));
    }
    let contracts = format!("{CONTRACTS}?format=json");
    assert_eq!(ask(here, &contracts).0, format!("429 {TOO_MANY}"));
    assert_eq!(ask(here, &rnp("KEY")).0, "200 json");
    assert_eq!(ask(elsewhere, &contracts).0, format!("200 {BAD_KEY}"));
    service.clock.advance(Duration::from_secs(1));
    let response = service.ask_from(here, "GET", &wrong[0], &[]);
    assert_eq!(
        (response.status.number(), response.note.key_name),
        (401, None)
    );
    assert_eq!(service.api.refused().wrong_key, 4);
}

#[test]
fn by_default_requests_without_a_key_are_limited_by_address() {
    let mut service = limited(Rates::default());
    let (here, neighbour, elsewhere) = (
        from("2001:db8:1:2::1"),
        from("2001:db8:1:2::2"),
        from("192.0.2.1"),
    );
    // All of these requests count against the same limit, even if the client has a cached copy.
    let cached = [("If-None-Match", "*")];
    let script = web::path("page.js");
    for number in 0..1_000 {
        let (target, headers) = match number % 4 {
            0 => ("/", &[][..]),
            1 => ("/about.json", &[][..]),
            2 => ("/openapi.json", &cached[..]),
            _ => (&*script, &cached[..]),
        };
        let response = service.ask_from(here, "GET", target, headers);
        assert!(
            matches!(response.status.number(), 200 | 304),
            "{number} {target}"
        );
        assert_eq!(quota(&response), [None; 4]);
    }
    let response = service.ask_from(neighbour, "GET", "/docs?format=json", &[]);
    assert_eq!(outcome(&response), format!("429 {TOO_MANY}"));
    assert_eq!(quota(&response), ["1000", "0", "10", "1"].map(Some));
    assert_eq!(header(&response, "Cache-Control"), Some("no-store"));
    let response = service.ask_from(here, "HEAD", "/schemas/error.xsd", &[]);
    let xml = "429 <data><code>429</code><error>Превышен лимит запросов.</error></data>";
    assert_eq!(outcome(&response), xml);
    let expected = RefusedCounts {
        open: 2,
        ..RefusedCounts::default()
    };
    assert_eq!(service.api.refused(), expected);
    // The limit affects neither other addresses nor endpoints that require a key.
    assert_eq!(service.ask_from(elsewhere, "GET", "/", &[]).status, 200);
    assert_eq!(service.ask_from(here, "GET", PAGE, &[]).status, 200);
    service.clock.advance(Duration::from_secs(1));
    let open = (0..200).filter(|_| is_open_from(&mut service, here, "/about.json"));
    assert_eq!(open.count(), 100);
    // All processes that connect to a Unix socket without naming a client count as one client.
    let open = (0..1_200).filter(|_| is_open_from(&mut service, None, "/about.json"));
    assert_eq!(open.count(), 1_000);
}

#[test]
fn unknown_paths_and_wrong_methods_count_as_open_requests_unless_the_key_is_valid() {
    let open = rate(1, 3);
    let here = from("192.0.2.1");
    let keyless = [
        ("GET", "/nowhere", 404),
        ("POST", "/", 405),
        ("DELETE", RNP, 405),
        ("GET", "/nowhere?apikey=guess", 404),
        ("BREW", "*", 404),
    ];
    for (method, target, status) in keyless {
        let mut service = limited(Rates { open, ..Rates::OFF });
        for _ in 0..3 {
            let response = service.ask_from(here, method, target, &[]);
            assert_eq!(
                (response.status.number(), quota(&response)),
                (status, [None; 4])
            );
        }
        let response = service.ask_from(here, method, target, &[]);
        assert_eq!(response.status, 429, "{method} {target}");
        assert_eq!(quota(&response)[0], Some("3"));
        assert_eq!(service.api.refused().open, 1);
        for (target, status) in [("/nowhere", 404), (RNP, 405)] {
            let method = if status == 404 { "GET" } else { "POST" };
            let target = format!("{target}?apikey=KEY");
            let response = service.ask_from(here, method, &target, &[]);
            assert_eq!(response.status, status, "a valid key is not held up");
            assert_eq!(response.note.key_name.as_deref(), Some("first"));
        }
        assert_eq!(
            service
                .ask_from(from("192.0.2.2"), method, target, &[])
                .status,
            status
        );
    }
}

#[test]
fn limits_apply_after_path_method_and_key_but_before_parameters() {
    let mut service = limited(of_keys(rate(1, 1)));
    let post = service.ask("POST", &rnp("KEY"), &[]);
    assert_eq!((post.status.number(), quota(&post)), (405, [None; 4]));
    let nowhere = service.get("/nowhere?apikey=KEY");
    assert_eq!((nowhere.status.number(), quota(&nowhere)), (404, [None; 4]));
    let wrong = service.get(&rnp("guess"));
    assert_eq!((wrong.status.number(), quota(&wrong)), (401, [None; 4]));
    let bad = service.get(&format!("{RNP}?format=json&apikey=KEY"));
    assert_eq!(outcome(&bad), format!("400 {BAD_INN}"));
    let told = [Some("1"), Some("0"), Some("1"), None];
    assert_eq!(quota(&bad), told, "an error after the key counts");
    let response = service.get(&format!("{P615}?apikey=KEY&format=yaml"));
    let xml =
        "429 <Purchase615><code>429</code><error>Превышен лимит запросов.</error></Purchase615>";
    assert_eq!(outcome(&response), xml);
    assert_eq!(service.ask("POST", &rnp("KEY"), &[]).status, 405);
    assert_eq!(service.get("/nowhere?apikey=KEY").status, 404);
    assert_eq!(service.get(&rnp("guess")).status, 401);
}

#[test]
fn other_responses_state_the_remaining_quota_too() {
    let mut service = limited(of_keys(rate(1, 4)));
    service.alter(
        "UPDATE purchase SET record = x'ff' WHERE number = '39600000001'",
        "UPDATE purchase SET record = '\\xff' WHERE number = '39600000001'",
    );
    let cached = [("If-None-Match", "*")];
    let missing = format!("{P44}?purchaseNumber=0960000000025000009&apikey=KEY");
    for (method, target, headers, status, left) in [
        ("GET", PAGE, &cached[..], 304, "3"),
        ("HEAD", PAGE, &[], 200, "2"),
        ("GET", &missing, &[], 200, "1"),
        ("GET", CARD, &[], 500, "0"),
        ("HEAD", PAGE, &[], 429, "0"),
    ] {
        let response = service.ask(method, target, headers);
        assert_eq!(response.status, status, "{target}");
        assert_eq!(quota(&response)[1], Some(left), "{target}");
    }
}

#[test]
fn workers_share_rate_limits() {
    let service = limited(of_rnp(rate(1, 10)));
    let target = rnp(service.key("KEY"));
    let workers: Vec<_> = (0..4)
        .map(|_| {
            let mut answerer = service.api.answerer().expect("another worker");
            let target = target.clone();
            std::thread::spawn(move || {
                let request = procurement_lookup::api::Request {
                    method: "GET",
                    target: &target,
                    ..Default::default()
                };
                let open = (0..25).filter(|_| answerer.answer(&request).status == 200);
                open.count()
            })
        })
        .collect();
    let open: usize = workers
        .into_iter()
        .map(|worker| worker.join().expect("it ends"))
        .sum();
    assert_eq!((open, service.api.refused().rnp), (10, 90));
}
