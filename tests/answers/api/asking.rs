//! `Accept`, `errors=http`, ignored parameters, and responses for the demonstration data.

use std::sync::Arc;

use procurement_lookup::api::{Api, DataSource, Endpoint, Request, Response};
use procurement_lookup::store::KeyRing;

use super::{
    BAD_FORMAT, BAD_KEY, BAD_NUMBER, CONTRACTS, P44, PAGE, RNP, UNKNOWN_PATH, check_lines,
    check_with, every_endpoint, service,
};
use crate::service::{TODAY, body, calendar, header};

const BROWSER: &str =
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

#[test]
fn without_format_the_accept_header_decides() {
    let mut service = service();
    for target in &every_endpoint() {
        for (accept, format) in [
            ("application/json", "json"),
            ("application/json;charset=utf-8, */*;q=0", "json"),
            ("text/csv", "csv"),
            ("*/*", "xml"),
            ("application/json, text/plain, */*", "xml"),
            ("application/xml;q=0.5, application/json", "xml"),
            (BROWSER, "xml"),
        ] {
            let headers = [("Accept", accept)];
            check_with(&mut service, target, &headers, &format!("200 {format}"));
            let chosen = service.ask("GET", target, &headers);
            let given = service.get(&format!("{target}&format={format}"));
            assert_eq!(chosen.body, given.body, "{target} {accept}");
            assert_eq!(
                header(&chosen, "ETag"),
                header(&given, "ETag"),
                "{target} {accept}"
            );
            // `Vary` lists `Accept` only if it decides the format.
            assert_eq!(header(&chosen, "Vary"), Some("Accept-Encoding, Accept"));
            assert_eq!(header(&given, "Vary"), Some("Accept-Encoding"));
        }
        let json = [("Accept", "application/json")];
        for (format, expected) in [("xml", "200 xml"), ("", "200 json")] {
            let target = format!("{target}&format={format}");
            check_with(&mut service, &target, &json, expected);
        }
    }
}

#[test]
fn a_workbook_is_chosen_with_its_language() {
    let mut service = service();
    let xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    let headers = [("Accept", xlsx), ("Accept-Language", "en")];
    let chosen = service.ask("GET", PAGE, &headers);
    let given = service.get(&format!("{PAGE}&format=xlsx&lang=en"));
    assert_eq!(header(&chosen, "Content-Type"), Some(xlsx));
    assert_eq!(chosen.body, given.body);
    let vary = header(&chosen, "Vary");
    assert_eq!(vary, Some("Accept-Encoding, Accept, Accept-Language"));
}

#[test]
fn errors_are_in_the_format_of_the_accept_header() {
    let mut service = service();
    let json = [("Accept", "application/json")];
    for (target, expected) in [
        (CONTRACTS, format!("200 {BAD_KEY}")),
        (RNP, format!("401 {BAD_KEY}")),
        (&format!("{P44}?apikey=KEY"), format!("200 {BAD_NUMBER}")),
        ("/nowhere", format!("404 {UNKNOWN_PATH}")),
        // The response is XML whatever the header says, because the format is unknown.
        (&format!("{PAGE}&format=yaml"), format!("200 {BAD_FORMAT}")),
    ] {
        check_with(&mut service, target, &json, &expected);
    }
}

#[test]
fn contracts_and_purchases_use_statuses_on_request() {
    let mut service = service();
    let not_found = r#"{"error":"purchase not found"}"#;
    for (target, status, error) in [
        (
            "/contract/monitor-supplier44?supplierINN=9600000002",
            401,
            "bad key",
        ),
        (
            "/contract/monitor-supplier44?supplierINN=1&apikey=KEY",
            400,
            "bad INN",
        ),
        (&format!("{PAGE}&skip=x"), 400, "bad skip"),
        ("/purchase/demo44?apikey=KEY", 400, "bad number"),
        (
            "/purchase/demo44?purchaseNumber=0960000000025000009&apikey=KEY",
            404,
            not_found,
        ),
        (
            "/purchase/demo223?purchaseNumber=39600000009&apikey=KEY",
            404,
            not_found,
        ),
        (
            "/purchase/demo615?purchaseNumber=096000000000000009&apikey=KEY",
            404,
            not_found,
        ),
    ] {
        let target = format!("{target}&format=json");
        let lines = format!("-> 200 {error}\n&errors=http -> {status} {error}");
        check_lines(&mut service, &target, &lines);
    }
    let target = format!("{PAGE}&format=json");
    let asked = service.get(&format!("{target}&errors=http"));
    assert_eq!(asked, service.get(&target), "data is the same");
    for wrong in ["1", "HTTP", "http,x", "http&errors=x"] {
        let line = format!("&errors={wrong} -> 200 bad errors");
        check_lines(&mut service, &target, &line);
    }
    // RNP checks always use error statuses, so they ignore `errors`.
    let response = service.get(&format!("{RNP}?supplierINN=1&apikey=KEY&errors=http"));
    assert_eq!(response.status, 400);
    assert_eq!(header(&response, "X-Ignored-Parameters"), Some("errors"));
}

#[test]
fn unknown_parameters_are_named_without_values() {
    let mut service = service();
    let mut check = |target: &str, expected: Option<&str>| {
        let response = service.get(target);
        assert_eq!(
            header(&response, "X-Ignored-Parameters"),
            expected,
            "{target}"
        );
    };
    for good in &every_endpoint() {
        check(good, None);
        let path = good.split('?').next().expect("a path");
        let endpoint = Endpoint::at(path).expect("an endpoint");
        let has_pages = endpoint.parameters().any(|one| one.name == "skip");
        let expected = Some("skip").filter(|_| !has_pages);
        check(&format!("{good}&format=&receipt=0&skip="), expected);
    }
    let good = PAGE;
    for (more, expected) in [
        ("&supplierInn=9600000002&api_key=KEY", None),
        ("&page=secret", Some("page")),
        ("&Limit=1&FORMAT=json&Limit=2", Some("Limit, FORMAT")),
        ("&asOf=2025-01-01", Some("asOf")),
        ("&lone&=x", Some("lone")),
        ("&a%0d%0aX-Evil:%201,b=1", Some("a%0D%0AX-Evil%3A%201%2Cb")),
        ("&%D0%B6=1", Some("%D0%B6")),
        // A parameter whose name cannot be decoded is not listed.
        ("&%FF=1", None),
    ] {
        check(&format!("{good}{more}"), expected);
    }
    let many: String = (0..100).map(|number| format!("&p{number}=1")).collect();
    check(
        &format!("{good}{many}"),
        Some("p0, p1, p2, p3, p4, p5, p6, p7, p8, p9"),
    );
    let long = "x".repeat(1000);
    check(&format!("{good}&{long}=1"), None);
    let key = "k".repeat(43);
    check(&format!("{good}&{key}=1&x=1"), Some("x"));
    // Error responses list ignored parameters too, except for an unknown path.
    check(&format!("{CONTRACTS}?x=1"), Some("x"));
    check(
        &format!("{CONTRACTS}?supplierINN=1&x=1&apikey=KEY"),
        Some("x"),
    );
    check("/nowhere?x=1", None);
    check("/?x=1", None);
}

#[test]
fn answers_from_demonstration_data_say_so() {
    let api = Api::new(DataSource::Bundled, KeyRing::empty(), calendar(TODAY));
    let mut answerer = Arc::new(api).answerer().expect("it opens");
    let mut ask = |target: &str, tag: &str| -> Response {
        answerer.answer(&Request {
            method: "GET",
            target,
            headers: vec![("If-None-Match", tag.into())],
            ..Request::default()
        })
    };
    let good = "/contract/monitor-supplier44?supplierINN=9602003012&apikey=demo";
    for (target, tag, status) in [
        (good, "", 200),
        (good, "*", 304),
        (CONTRACTS, "", 200),
        (RNP, "", 401),
        ("/nowhere", "", 404),
        ("/", "", 200),
        ("/", "*", 304),
        ("/about.json", "", 200),
        ("/docs/", "", 200),
        ("/openapi.json", "", 200),
    ] {
        let response = ask(target, tag);
        assert_eq!(response.status, status, "{target}");
        assert_eq!(
            header(&response, "X-Data"),
            Some("demonstration"),
            "{target}"
        );
    }
    let other = service().get(PAGE);
    assert_eq!(header(&other, "X-Data"), None);
    assert!(body(&other).contains("9600000002"));
}
