//! API keys: where a request may carry a key, which keys are valid, and what is logged about them.

use procurement_lookup::api::Request;

use super::{BAD_KEY, check_lines, check_with, service};

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
    // Both the header and the query contain a key.
    for (query, header, is_good) in [
        ("&apikey=KEY", "KEY", true),
        ("&apikey=", "KEY", true),
        ("&apikey=KEY", "", true),
        ("&apikey=OTHERKEY", "KEY", false),
        ("&apikey=wrong", "KEY", false),
        ("&apikey=%FF", "KEY", false),
    ] {
        let expected = if is_good { "200 json" } else { &refused };
        check(query, &[("X-API-Key", header)], expected);
    }
}

#[test]
fn the_page_is_told_whether_a_proxy_names_users() {
    let service = service();
    let mut answerer = service.api.answerer().expect("the data");
    let mut page = |name: &str, user_header| {
        let response = answerer.answer(&Request {
            method: "GET",
            target: "/",
            headers: vec![("X-Remote-User", name.into())],
            user_header,
            ..Request::default()
        });
        let page = String::from_utf8(response.body).expect("a page");
        let has_user = page.contains("&quot;hasUser&quot;:true");
        assert_eq!(page.contains("id=\"key-button\""), !has_user);
        has_user
    };
    assert!(page("ivanov", Some("X-Remote-User")));
    assert!(!page("", Some("X-Remote-User")));
    assert!(!page("ivanov", None));
}

#[test]
fn a_user_named_by_a_trusted_proxy_needs_no_key() {
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
        // The header has no effect if the request does not come from the proxy.
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
        // The key was issued under another name.
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
fn keys_in_the_query_must_be_valid_and_equal() {
    check_lines(
        &mut service(),
        "/contract/monitor-supplier44?supplierINN=9600000002&format=json",
        "&apikey=KEY -> 200 json
         &apikey=OTHERKEY -> 200 json
         &apikey=KEY&apikey=KEY -> 200 json
         &apikey=KEY&api_key=KEY -> 200 json
         &apikey=&api_key=KEY -> 200 json
         -> 200 bad key
         &apikey -> 200 bad key
         &apikey=%20 -> 200 bad key
         &apikey=REVOKEDKEY -> 200 bad key
         &apikey=demo -> 200 bad key
         &apikey=first -> 200 bad key
         &apikey=KEY&apikey=OTHERKEY -> 200 bad key
         &apikey=KEY&api_key=OTHERKEY -> 200 bad key
         &apikey=KEY&apikey=REVOKEDKEY -> 200 bad key
         &apikey=KEY&api_key=%D0 -> 200 bad key
         &apikey=%zz -> 200 bad key",
    );
}
