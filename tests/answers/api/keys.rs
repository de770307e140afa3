//! Keys: where they may stand, which are valid, what is noted of them.

use std::sync::Arc;

use procurement_lookup::api::{Api, DataSource, Request};
use procurement_lookup::store::KeyRing;

use super::{
    BAD_KEY, CONTRACTS, GOOD, P44, P223, RNP, check, check_with, has_statuses, outcome, service,
};
use crate::service::{TODAY, calendar};

#[test]
fn a_key_may_come_in_a_header() {
    let mut service = service();
    let target = "/rnp/check-supplier?supplierINN=9600000021&format=json";
    let mut check = |query: &str, headers: &[(&str, &str)], expected: &str| {
        check_with(&mut service, &format!("{target}{query}"), headers, expected);
    };
    let refused = format!("401 {BAD_KEY}");
    let good: [&[(&str, &str)]; 8] = [
        &[("X-API-Key", "KEY")],
        &[("x-api-key", "KEY")],
        &[("X-API-Key", "OTHERKEY")],
        &[("Authorization", "Bearer KEY")],
        &[("authorization", "bearer KEY")],
        &[("X-API-Key", "KEY"), ("Authorization", "Bearer KEY")],
        &[("X-API-Key", "KEY"), ("X-API-Key", "KEY")],
        &[("X-API-Key", "KEY"), ("Authorization", "Basic dTpw")],
    ];
    for headers in good {
        check("", headers, "200 json");
    }
    let bad: [&[(&str, &str)]; 10] = [
        &[],
        &[("X-API-Key", "")],
        &[("X-API-Key", "nobody's")],
        &[("X-API-Key", "REVOKEDKEY")],
        &[("Authorization", "Bearer REVOKEDKEY")],
        &[("Authorization", "KEY")],
        &[("Authorization", "Bearer")],
        &[("Authorization", "Basic KEY")],
        &[("X-API-Key", "KEY"), ("Authorization", "Bearer OTHERKEY")],
        &[("X-API-Key", "KEY"), ("X-API-Key", "OTHERKEY")],
    ];
    for headers in bad {
        check("", headers, &refused);
    }
    check("&apikey=KEY", &[("X-API-Key", "KEY")], "200 json");
    check("&apikey=", &[("X-API-Key", "KEY")], "200 json");
    check("&apikey=KEY", &[("X-API-Key", "")], "200 json");
    check("&apikey=OTHERKEY", &[("X-API-Key", "KEY")], &refused);
    check(
        "&apikey=KEY",
        &[("Authorization", "Bearer OTHERKEY")],
        &refused,
    );
    check("&apikey=wrong", &[("X-API-Key", "KEY")], &refused);
    check("&apikey=%FF", &[("X-API-Key", "KEY")], &refused);
}

#[test]
fn a_user_whom_a_trusted_proxy_names_counts_as_the_holder_of_a_key() {
    let service = service();
    let mut answerer = service.api.answerer().expect("the data");
    let target = "/rnp/check-supplier?supplierINN=9600000021&format=json";
    let mut ask = |headers: &[(&str, &str)], user_header| {
        let key = service.key("KEY").to_owned();
        let headers = headers
            .iter()
            .map(|(name, value)| (*name, value.replace("KEY", &key).into()));
        let response = answerer.answer(&Request {
            method: "GET",
            target,
            headers: headers.collect(),
            user_header,
            ..Request::default()
        });
        let name = response.note.key_name.as_deref().map(str::to_owned);
        (response.status.number(), name)
    };
    let mut check = |headers: &[(&str, &str)], name: Option<&str>| {
        let status = if name.is_some() { 200 } else { 401 };
        let answered = ask(headers, Some("X-Remote-User"));
        assert_eq!(answered, (status, name.map(str::to_owned)), "{headers:?}");
        // From anyone else the header is one like any other.
        let has_key = headers.iter().any(|(name, _)| *name == "X-API-Key");
        assert_eq!(
            ask(headers, None).0,
            if has_key { 200 } else { 401 },
            "{headers:?}"
        );
    };
    let long = "я".repeat(100);
    for name in ["ivanov", "Иванов И. И.", "CN=Ivanov,O=Example", &long] {
        check(&[("x-remote-user", name)], Some(name));
    }
    let [too_long, key] = ["x".repeat(101), "KEY".to_owned()];
    for bad in [
        &[][..],
        &[("X-Remote-User", "")],
        &[("X-Remote-User", "  ")],
        &[("X-Remote-User", "ivanov"), ("X-Remote-User", "ivanov")],
        &[("X-Remote-User", ""), ("X-Remote-User", "ivanov")],
        &[("X-Remote-User", "ivanov"), ("x-remote-user", "")],
        &[("X-Remote-User", &too_long)],
        &[("X-Remote-User", "iva\u{1b}nov")],
        &[("X-Remote-User", "iva\nnov")],
        &[("X-Remote-User", "iva\u{fffd}nov")],
        &[("X_Remote_User", "ivanov")],
        // A key, of another name.
        &[("X-Remote-User", "ivanov"), ("X-API-Key", &key)],
    ] {
        check(bad, None);
    }
    check(&[("X-Remote-User", ""), ("X-API-Key", &key)], Some("first"));
    check(
        &[("X-Remote-User", "first"), ("X-API-Key", &key)],
        Some("first"),
    );
}

#[test]
fn keys_in_the_query_must_be_valid_and_the_same() {
    let mut service = service();
    let target = "/contract/monitor-supplier44?supplierINN=9600000002&format=json";
    let mut check = |query: &str, expected: &str| {
        check(&mut service, &format!("{target}{query}"), expected);
    };
    let refused = format!("200 {BAD_KEY}");
    for query in [
        "&apikey=KEY",
        "&apikey=OTHERKEY",
        "&apikey=KEY&apikey=KEY",
        "&apikey=KEY&api_key=KEY",
        "&apikey=&api_key=KEY",
    ] {
        check(query, "200 json");
    }
    for query in [
        "",
        "&apikey",
        "&apikey=",
        "&apikey=%20",
        "&apikey=REVOKEDKEY",
        "&apikey=demo",
        "&apikey=first",
        "&apikey=KEY&apikey=OTHERKEY",
        "&apikey=KEY&api_key=OTHERKEY",
        "&apikey=KEY&apikey=REVOKEDKEY",
        "&apikey=KEY&api_key=%D0",
        "&apikey=%zz",
    ] {
        check(query, &refused);
    }
}

#[test]
fn the_key_demo_is_valid_with_the_bundled_data_alone() {
    let api = Api::new(DataSource::Bundled, KeyRing::empty(), calendar(TODAY));
    let mut bundled = Arc::new(api).answerer().expect("the bundled data");
    let mut ask = |key: &str| {
        bundled.answer(&Request {
            method: "GET",
            target: &format!("{CONTRACTS}?supplierINN=9600000002&format=json&apikey={key}"),
            ..Request::default()
        })
    };
    assert_eq!(outcome(&ask("demo")), "200 json");
    assert_eq!(ask("demo").note.key_name.as_deref(), Some("demo"));
    for key in ["", "DEMO", "demo1"] {
        assert_eq!(outcome(&ask(key)), format!("200 {BAD_KEY}"), "{key}");
    }
    let mut service = service();
    for target in GOOD {
        let target = format!("{}&format=json", target.replace("=KEY", "=demo"));
        let status = if has_statuses(&target) { 401 } else { 200 };
        check(&mut service, &target, &format!("{status} {BAD_KEY}"));
    }
}

#[test]
fn a_note_names_endpoint_key_and_error_and_never_the_key() {
    let mut service = service();
    let mut check =
        |target: &str, endpoint: Option<&str>, key: Option<&str>, error: Option<&str>| {
            let response = service.get(target);
            assert_eq!(response.note.endpoint, endpoint, "{target}");
            assert_eq!(response.note.key_name.as_deref(), key, "{target}");
            assert_eq!(response.note.error.as_deref(), error, "{target}");
            let secret = service.key("KEY");
            assert!(!format!("{response:?}").contains(secret), "{target}");
        };
    check(GOOD[0], Some(CONTRACTS), Some("first"), None);
    check(
        &GOOD[1].replace("=KEY", "=OTHERKEY"),
        Some(RNP),
        Some("second"),
        None,
    );
    check(
        &format!("{P44}?purchaseNumber=1&apikey=KEY"),
        Some(P44),
        Some("first"),
        Some("400"),
    );
    check(
        &format!("{P44}?purchaseNumber=0960000000025000009&apikey=KEY"),
        Some(P44),
        Some("first"),
        Some("error"),
    );
    check(P223, Some(P223), None, Some("401"));
    check("/nowhere?apikey=KEY", None, None, Some("404"));
}
