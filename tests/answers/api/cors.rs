//! CORS: which browser programs may send a key and read responses.

use std::collections::BTreeSet;

use procurement_lookup::api::{Cors, Rate, Rates, Response};

use super::{CONTRACTS, LINES, PAGE, every_endpoint, service};
use crate::service::{Service, header};

const HERE: &str = "https://example.org";
const PREFLIGHT: [(&str, &str); 2] = [
    ("Access-Control-Request-Method", "GET"),
    ("Access-Control-Request-Headers", "x-api-key"),
];

fn listed() -> Cors {
    Cors::Origins(vec![HERE.to_owned(), "http://localhost:3000".to_owned()])
}

fn allowed(cors: Cors) -> Service {
    Service::over_with(LINES, |api| api.set_cors(cors))
}

fn get<'a>(service: &mut Service, target: &str, origin: &'a str) -> (Response, &'a str) {
    (service.ask("GET", target, &[("Origin", origin)]), origin)
}

fn preflight(service: &mut Service, target: &str, origin: &str) -> Response {
    let headers = [&[("Origin", origin)][..], &PREFLIGHT].concat();
    service.ask("OPTIONS", target, &headers)
}

#[test]
fn without_the_option_there_are_no_cors_headers() {
    let mut service = service();
    let (response, _) = get(&mut service, PAGE, HERE);
    assert_eq!(header(&response, "Access-Control-Allow-Origin"), None);
    assert_eq!(header(&response, "Vary"), Some("Accept-Encoding, Accept"));
    let response = preflight(&mut service, CONTRACTS, HERE);
    assert_eq!(
        (response.status.number(), header(&response, "Allow")),
        (405, Some("GET, HEAD"))
    );
    assert_eq!(header(&response, "Access-Control-Allow-Origin"), None);
}

#[test]
fn only_listed_origins_may_read_responses() {
    let mut service = allowed(listed());
    let unknown = "/nowhere?apikey=KEY";
    for target in [PAGE, "/about.json", CONTRACTS, unknown] {
        for (origin, expected) in [
            (HERE, Some(HERE)),
            ("http://localhost:3000", Some("http://localhost:3000")),
            ("http://localhost:3001", None),
            ("https://example.org.evil.example", None),
            ("null", None),
        ] {
            let (response, _) = get(&mut service, target, origin);
            let told = header(&response, "Access-Control-Allow-Origin");
            assert_eq!(told, expected, "{origin} {target}");
            let exposed = header(&response, "Access-Control-Expose-Headers");
            let is_exposed = exposed.is_some_and(|names| names.contains("X-Data-Updated"));
            assert_eq!(is_exposed, expected.is_some(), "{origin} {target}");
            let vary = header(&response, "Vary").expect("what it depends on");
            assert!(vary.ends_with("Origin"), "{vary}");
        }
        let response = service.get(target);
        assert_eq!(header(&response, "Access-Control-Allow-Origin"), None);
        assert!(header(&response, "Vary").is_some_and(|vary| vary.ends_with("Origin")));
    }
}

/// Headers that browsers handle themselves or always expose to scripts.
const FOR_BROWSERS: [&str; 6] = [
    "Content-Type",
    "Cache-Control",
    "Vary",
    "WWW-Authenticate",
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
];

#[test]
fn a_program_of_a_listed_origin_may_read_each_header() {
    let mut service = allowed(listed());
    let key = Rate {
        per_second: 1,
        burst: 40,
    };
    service.api.set_limits(Rates { key, ..Rates::OFF });
    let mut names = BTreeSet::new();
    let bad = format!("{CONTRACTS}?limit=201");
    let mut targets = vec![bad, "/nowhere".to_owned()];
    for _ in 0..3 {
        targets.extend(every_endpoint().iter().flat_map(|target| {
            ["xml", "csv"].map(|format| format!("{target}&format={format}&unknown=1"))
        }));
    }
    for target in targets {
        let (response, _) = get(&mut service, &target, HERE);
        let exposed = header(&response, "Access-Control-Expose-Headers").expect("names");
        for (name, _) in &response.headers {
            let is_read =
                FOR_BROWSERS.contains(name) || exposed.split(", ").any(|one| one == *name);
            assert!(is_read, "{target}: {name}");
            names.insert(*name);
        }
    }
    for name in [
        "ETag",
        "Retry-After",
        "X-RNP-Verdict",
        "X-Next",
        "X-Row-Count",
    ] {
        assert!(names.contains(name), "{name} was in no response");
    }
}

#[test]
fn a_star_allows_every_origin_without_vary() {
    let mut service = allowed(Cors::Any);
    let (response, _) = get(&mut service, PAGE, "https://anywhere.example");
    assert_eq!(header(&response, "Access-Control-Allow-Origin"), Some("*"));
    assert_eq!(header(&response, "Vary"), Some("Accept-Encoding, Accept"));
    let response = service.get(PAGE);
    assert_eq!(header(&response, "Access-Control-Allow-Origin"), None);
}

#[test]
fn a_preflight_needs_no_key_and_allows_get_with_one() {
    let mut service = allowed(listed());
    for target in [CONTRACTS, "/about.json", "/"] {
        let response = preflight(&mut service, target, HERE);
        assert_eq!(
            (response.status.number(), response.body.len()),
            (204, 0),
            "{target}"
        );
        let told = |name| header(&response, name);
        assert_eq!(told("Access-Control-Allow-Origin"), Some(HERE));
        assert_eq!(told("Access-Control-Allow-Methods"), Some("GET, HEAD"));
        let headers = told("Access-Control-Allow-Headers").expect("headers");
        assert!(headers.contains("X-API-Key"), "{headers}");
        assert_eq!(told("Vary"), Some("Origin"));
    }
    assert_eq!(preflight(&mut service, "/nowhere", HERE).status, 404);
    assert_eq!(
        preflight(&mut service, CONTRACTS, "http://x.example").status,
        405
    );
    let plain = service.ask("OPTIONS", CONTRACTS, &[("Origin", HERE)]);
    assert_eq!(plain.status, 405, "no preflight: it names no method");
    let post = service.ask("POST", CONTRACTS, &[("Origin", HERE)]);
    assert_eq!(post.status, 405);
}
