//! ETags, `If-None-Match`, and the time of the last update.

use super::pages::page;
use super::{LINES, PAGE, check_with, etag, every_endpoint, outcome, service};
use crate::service::{body, header};

#[test]
fn if_none_match_with_the_current_tag_gives_304() {
    let mut service = service();
    for target in &every_endpoint() {
        let tag = etag(&mut service, target);
        let json_tag = etag(&mut service, &format!("{target}&format=json"));
        let mut check = |headers: &[&str], expected: &str| {
            let headers: Vec<(&str, &str)> = headers
                .iter()
                .map(|value| ("If-None-Match", *value))
                .collect();
            check_with(&mut service, target, &headers, expected);
        };
        let weak = format!("W/{tag}");
        for value in [
            tag.clone(),
            weak.clone(),
            "*".to_owned(),
            format!("\"a\", {tag}"),
            format!("\"a\",{weak},\"b\""),
            format!("W/\"a, b\" , {tag}"),
        ] {
            check(&[&value], "304");
        }
        check(&["\"a\"", &tag], "304");
        let (cut, lower) = (&tag[..tag.len() - 1], format!("w/{tag}"));
        for value in [
            "\"a\"",
            "W/\"a\"",
            "",
            "\"a\", \"b\"",
            "\"*\"",
            "\"a, *, b\"",
            cut,
            &cut[1..],
            &lower,
            &json_tag,
        ] {
            check(&[value], "200 xml");
        }
        check(&[], "200 xml");
        let headers = [("if-none-match", tag.as_str())];
        for method in ["GET", "HEAD"] {
            let response = service.ask(method, target, &headers);
            assert_eq!(outcome(&response), "304");
            assert_eq!(header(&response, "ETag"), Some(tag.as_str()));
            assert_eq!(header(&response, "Content-Type"), None);
            let cache = header(&response, "Cache-Control");
            assert_eq!(cache, Some("private, no-cache"));
            assert!(header(&response, "X-Data-Updated").is_some());
            assert!(response.body.is_empty());
        }
    }
}

#[test]
fn errors_have_no_tag_and_ignore_conditions_and_encodings() {
    let mut service = service();
    let headers = [
        ("If-None-Match", "*"),
        ("Accept-Encoding", "gzip, identity;q=0"),
    ];
    for target in [
        "/nowhere?format=json",
        "/contract/monitor-supplier44?supplierINN=9600000002&format=json",
        "/contract/monitor-supplier44?apikey=KEY&format=json",
        "/rnp/check-supplier?supplierINN=9600000009&apikey=KEY&format=json",
        "/purchase/demo44?purchaseNumber=0960000000025000009&apikey=KEY&format=json",
        "/purchase/demo223?purchaseNumber=1&apikey=KEY&format=json",
    ] {
        let response = service.ask("GET", target, &headers);
        assert_eq!(response, service.get(target), "{target}");
        assert!(body(&response).contains("\"error\":"), "{target}");
        for name in ["ETag", "X-Data-Updated", "Content-Encoding", "Vary"] {
            assert_eq!(header(&response, name), None, "{target}");
        }
    }
}

#[test]
fn etag_and_time_change_only_if_an_import_changes_something() {
    let mut service = service();
    service.alter(
        "UPDATE meta SET updated = 1700000000, sum = row_sum(identity, revision, 1700000000)",
        "UPDATE procurement_lookup.publication SET number = number + 1, updated = 1700000000",
    );
    let targets = every_endpoint();
    let mut before = Vec::new();
    for target in &targets {
        let response = service.get(target);
        let updated = header(&response, "X-Data-Updated");
        assert_eq!(updated, Some("2023-11-14T22:13:20Z"), "{target}");
        before.push((target, response));
    }
    let again = service.import(LINES);
    assert!(
        again
            .kinds
            .values()
            .all(|(tally, _)| tally.new + tally.newer == 0)
    );
    for (target, response) in &before {
        assert_eq!(service.get(target), *response, "{target}");
    }
    service.import(&LINES.replace(
        r#""regNum":"3","signDate":"2025-01-03""#,
        r#""regNum":"3","signDate":"2024-01-03""#,
    ));
    for (target, old) in &before {
        let new = service.get(target);
        let updated = header(&new, "X-Data-Updated").expect("the time");
        assert_ne!(Some(updated), header(old, "X-Data-Updated"));
        assert_eq!(updated.len(), 20, "{updated}");
        if new.body != old.body {
            assert_ne!(header(&new, "ETag"), header(old, "ETag"), "{target}");
        }
    }
    assert_eq!(page(&mut service, ""), "2 1 3 of 3 skip 0 limit 100");
    let tag = header(&before[0].1, "ETag").expect("an ETag");
    check_with(&mut service, PAGE, &[("If-None-Match", tag)], "200 xml");
}
