//! `/changes`: what imports changed since a revision.

use super::*;

const TOO_OLD: &str = r#"{"code":410,"error":"Слишком давняя ревизия."}"#;

/// A line that changes the first contract of [`LINES`].
const CHANGED: &str = r#"{"type":"contract","supplier":{"inn":"9600000002","name":"ООО \"А\""},"contract":{"regNum":"1","signDate":"2025-01-05"}}"#;

/// What the changes after a revision are: `revision kind key what`.
fn changes(service: &mut Service, query: &str) -> Vec<String> {
    let response = service.get(&format!("/changes?format=json&apikey=KEY&{query}"));
    assert_eq!(response.status, 200, "{response:?}");
    let page: serde_json::Value = serde_json::from_str(body(&response)).expect("JSON");
    let changes = page["changes"].as_array().expect("changes").iter();
    changes
        .map(|change| {
            let text = |name: &str| change[name].as_str().expect("a text").to_owned();
            format!(
                "{} {} {} {}",
                change["revision"],
                text("kind"),
                text("key"),
                text("what")
            )
        })
        .collect()
}

#[test]
fn each_change_stands_once_with_its_last_revision_and_the_oldest_first() {
    let mut service = service();
    let first = changes(&mut service, "after=0");
    let expected = [
        "1 supplier 9600000002 contracts",
        "1 supplier 9600000021 rnp",
        "1 supplier 9600000002 rnp",
        "1 purchase44 0960000000025000001 card",
        "1 purchase223 39600000001 card",
        "1 purchase615 096000000000000001 card",
        "1 supplier 9600000002 name",
        "1 supplier 9600000021 name",
    ];
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    let expected = sorted(expected.map(str::to_owned).into());
    assert_eq!(sorted(first.clone()), expected);
    service.import(CHANGED);
    assert_eq!(
        changes(&mut service, "after=1"),
        ["2 supplier 9600000002 contracts"]
    );
    let all = changes(&mut service, "after=0");
    assert_eq!(all.len(), first.len(), "each once");
    assert_eq!(
        all.last().map(String::as_str),
        Some("2 supplier 9600000002 contracts")
    );
}

#[test]
fn pages_have_each_change_once() {
    let mut service = service();
    let all = changes(&mut service, "after=0");
    let pages = (0..4)
        .flat_map(|page| changes(&mut service, &format!("after=0&limit=3&skip={}", page * 3)));
    assert_eq!(pages.collect::<Vec<_>>(), all);
}

#[test]
fn a_revision_before_the_oldest_is_gone_and_the_oldest_is_not() {
    let mut service = service();
    service.import(CHANGED);
    let oldest = "DELETE FROM revision WHERE number < 1";
    assert_eq!(service.alter(oldest, oldest), 1);
    check(
        &mut service,
        "/changes?after=0&format=json&apikey=KEY",
        &format!("410 {TOO_OLD}"),
    );
    check(
        &mut service,
        "/changes?after=1&format=json&apikey=KEY",
        "200 json",
    );
}

#[test]
fn errors_have_their_http_status() {
    let mut service = service();
    for (target, expected) in [
        ("/changes?format=json&after=0", format!("401 {BAD_KEY}")),
        (
            "/changes?format=json&apikey=KEY",
            format!("400 {}", bad("after")),
        ),
        (
            "/changes?format=json&apikey=KEY&after=1.0",
            format!("400 {}", bad("after")),
        ),
        (
            "/changes?format=json&apikey=KEY&after=0&limit=10001",
            format!("400 {}", bad("limit")),
        ),
        (
            "/changes?format=json&apikey=KEY&after=0&limit=10000",
            "200 json".to_owned(),
        ),
    ] {
        check(&mut service, target, &expected);
    }
}
