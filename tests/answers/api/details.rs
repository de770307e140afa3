//! What the header `X-Error-Detail` says of an error: the parameter, what came, what is
//! allowed; never a key.

use super::{CONTRACTS, MANY, P44, RNP, service};
use crate::service::{Service, header};

/// The detail of an error, and its status.
fn detail(service: &mut Service, method: &str, target: &str) -> (u16, String) {
    let response = service.ask(method, target, &[]);
    let detail = header(&response, "X-Error-Detail").unwrap_or_default();
    (response.status.number(), detail.to_owned())
}

#[test]
fn an_error_of_a_request_names_parameter_value_and_what_is_allowed() {
    let mut service = service();
    let mut check = |target: &str, status: u16, expected: &str| {
        let found = detail(&mut service, "GET", &format!("{target}&apikey=KEY"));
        assert_eq!(found, (status, expected.to_owned()), "{target}");
    };
    let many = vec!["9600000021"; 201].join(",");
    let inn = "supplierINN=9600000002";
    for (target, status, expected) in [
        (
            format!("{RNP}?supplierINN=123"),
            400,
            "supplierINN: 123, allowed is 10 or 12 digits",
        ),
        (
            format!("{RNP}?x=1"),
            400,
            "supplierINN: missing; give 10 or 12 digits",
        ),
        (
            format!("{MANY}?supplierINN={many}"),
            400,
            "supplierINN: 201 numbers, at most 200",
        ),
        (
            format!("{RNP}?{inn}&supplierInn=9600000021"),
            400,
            "supplierINN: given twice, with two values",
        ),
        (
            "/find?q=a&limit=51".to_owned(),
            400,
            "limit: 51, allowed is a whole number, at most 50",
        ),
        (
            "/find?q=%FF".to_owned(),
            400,
            "q: not percent-encoded UTF-8",
        ),
        // These two are answered with 200, as the specification has it.
        (
            format!("{CONTRACTS}?{inn}&limit=500"),
            200,
            "limit: 500, allowed is a whole number, at most 200 on a page and 100000 in CSV and XLSX",
        ),
        (
            format!("{P44}?purchaseNumber=0960000000025000002"),
            200,
            "the data has nothing of that number",
        ),
        (
            format!("{CONTRACTS}?{inn}&signedFrom=2025-02-30&errors=http"),
            400,
            "signedFrom: 2025-02-30, allowed is a day, YYYY-MM-DD",
        ),
        (
            format!("{CONTRACTS}?{inn}&priceFrom=1e3&errors=http"),
            400,
            "priceFrom: 1e3, allowed is a number with at most 20 digits before the point and 8 behind it",
        ),
        (
            format!("{RNP}?{inn}&laws=45"),
            400,
            "laws: 45, allowed is any of 44, 223, 615 with commas between",
        ),
        (
            format!("{RNP}?{inn}&format=yaml"),
            400,
            "format: yaml, allowed is one of xml, json, csv, xlsx",
        ),
        (
            format!("{RNP}?{inn}&strict=1&inn=1"),
            400,
            "inn: there is no such parameter here",
        ),
        (
            format!("{RNP}?supplierINN=9600000099"),
            404,
            "the data has nothing of that number",
        ),
        (
            "/nowhere?a=1".to_owned(),
            404,
            "there is nothing at that path; /docs has the paths",
        ),
    ] {
        check(&target, status, expected);
    }
}

#[test]
fn what_came_is_cut_short_and_is_fit_for_a_header() {
    let mut service = service();
    let long = "1".repeat(41);
    let target = format!("{RNP}?supplierINN={long}&apikey=KEY");
    let (_, found) = detail(&mut service, "GET", &target);
    let shown = format!(
        "supplierINN: {}..., allowed is 10 or 12 digits",
        "1".repeat(40)
    );
    assert_eq!(found, shown);
    let target = format!("{RNP}?supplierINN=1%0D%0AX%3A%20%D0%B6&apikey=KEY");
    let (_, found) = detail(&mut service, "GET", &target);
    let shown = "supplierINN: 1%0D%0AX: %D0%B6, allowed is 10 or 12 digits";
    assert_eq!(found, shown);
}

#[test]
fn a_key_is_never_repeated_and_its_absence_is_a_challenge() {
    let mut service = service();
    let response = service.ask("GET", &format!("{RNP}?supplierINN=1&apikey=secret-1"), &[]);
    let expected = "a valid key is missing: send one in the header X-API-Key";
    assert_eq!(response.status, 401);
    assert_eq!(header(&response, "X-Error-Detail"), Some(expected));
    let challenge = "ApiKey realm=\"procurement-lookup\"";
    assert_eq!(header(&response, "WWW-Authenticate"), Some(challenge));
    assert!(!format!("{:?}", response.headers).contains("secret-1"));
    // With 200 there is nothing to challenge.
    let response = service.get(CONTRACTS);
    assert_eq!(response.status, 200);
    assert_eq!(header(&response, "WWW-Authenticate"), None);
    assert_eq!(header(&response, "X-Error-Detail"), Some(expected));
}

#[test]
fn data_has_no_detail() {
    let mut service = service();
    let target = format!("{RNP}?supplierINN=9600000021&apikey=KEY");
    assert_eq!(detail(&mut service, "GET", &target), (200, String::new()));
    assert_eq!(
        detail(&mut service, "POST", &target),
        (405, "the method is neither GET nor HEAD".to_owned())
    );
}
