//! `/changes`: what imports have changed since a cursor.

use std::fs;
use std::path::Path;

use super::*;

const GONE: &str = r#"410 {"code":410,"error":"Слишком давняя или чужая отметка."}"#;

/// A line that changes the first contract of [`LINES`].
const CHANGED: &str = r#"{"type":"contract","supplier":{"inn":"9600000002","name":"ООО \"А\""},"contract":{"regNum":"1","signDate":"2025-01-05","customerInn":"0960000901"}}"#;

const CHANGED_CARD: &str =
    r#"{"type":"purchase223","purchase":{"purchaseNumber":"39600000001","href":"x"}}"#;

fn target(query: &str) -> String {
    format!("/changes?format=json&apikey=KEY&{query}")
}

/// Returns the changes on a page as `revision kind key what`, and the next cursor.
fn page(service: &mut Service, query: &str) -> (Vec<String>, String) {
    let response = service.get(&target(query));
    assert_eq!(response.status, 200, "{response:?}");
    let page: serde_json::Value = serde_json::from_str(body(&response)).expect("JSON");
    let changes = page["changes"].as_array().expect("changes").iter();
    let changes = changes.map(|change| {
        let text = |name: &str| change[name].as_str().expect("a text").to_owned();
        let [kind, key, what] = ["kind", "key", "what"].map(text);
        format!("{} {kind} {key} {what}", change["revision"])
    });
    let next = page["next"].as_str().expect("a cursor").to_owned();
    (changes.collect(), next)
}

fn now(service: &mut Service) -> String {
    let (changes, next) = page(service, "after=now");
    assert_eq!(changes, [""; 0]);
    next
}

/// Checks the page after a cursor; `None` means that the cursor must be rejected.
#[track_caller]
fn check_after(service: &mut Service, cursor: &str, expected: Option<&[&str]>) {
    let query = format!("after={cursor}");
    match expected {
        Some(expected) => assert_eq!(page(service, &query).0, expected),
        None => check(service, &target(&query), GONE),
    }
}

#[test]
fn each_change_is_listed_once_by_last_revision() {
    let mut service = service();
    let (first, next) = page(&mut service, "");
    assert!(first.iter().all(|change| change.starts_with("1 ")));
    assert_eq!(now(&mut service), next);
    service.import(CHANGED);
    let changed = [
        "2 supplier 9600000002 contracts",
        "2 customer 0960000901 contracts",
    ];
    check_after(&mut service, &next, Some(&changed));
    let (all, next) = page(&mut service, "");
    assert_eq!(all.len(), first.len() + 1, "each once");
    assert_eq!(all[first.len() - 1..], changed);
    // The change is also logged for the contract's previous customer.
    service.import(&CHANGED.replace("0960000901", "9600000902"));
    let changed = [
        "3 supplier 9600000002 contracts",
        "3 customer 9600000902 contracts",
        "3 customer 0960000901 contracts",
    ];
    check_after(&mut service, &next, Some(&changed));
}

#[test]
fn tables_have_the_next_cursor_in_a_header() {
    let mut service = service();
    for query in ["limit=0", "limit=3", "after=now"] {
        let (_, next) = page(&mut service, query);
        for format in ["csv", "xlsx"] {
            // The second response comes from the cache.
            for _ in 0..2 {
                let response = service.get(&format!("/changes?apikey=KEY&{query}&format={format}"));
                assert_eq!(header(&response, "X-Next"), Some(next.as_str()));
            }
        }
    }
    assert_eq!(header(&service.get(&target("")), "X-Next"), None);
}

fn replace(service: &Service, file: &Path) {
    let copy = service.database().with_extension("copy");
    fs::copy(file, &copy).expect("a copy");
    fs::rename(copy, service.database()).expect("it is moved");
}

#[test]
fn a_restored_backup_accepts_only_earlier_cursors() {
    let mut service = service();
    let before = now(&mut service);
    let backup = service.database().with_extension("backup");
    fs::copy(service.database(), &backup).expect("a copy");
    service.import(CHANGED_CARD);
    let after = now(&mut service);
    // The last change on this page is older than the backup, but the page was read after a later
    // import, so its cursor must be rejected too.
    let (changes, middle) = page(&mut service, "limit=2");
    assert!(changes.iter().all(|change| change.starts_with("1 ")));
    replace(&service, &backup);
    for cursor in [&after, &middle] {
        check_after(&mut service, cursor, None);
    }
    check_after(&mut service, &before, Some(&[]));
    // This import brings the restored file to the same revision number as the replaced one, with
    // different changes.
    service.import(CHANGED);
    for cursor in [&after, &middle] {
        check_after(&mut service, cursor, None);
    }
    let changed = [
        "2 supplier 9600000002 contracts",
        "2 customer 0960000901 contracts",
    ];
    check_after(&mut service, &before, Some(&changed));
}

#[test]
fn other_data_accepts_no_cursors() {
    let mut service = service();
    let (_, middle) = page(&mut service, "limit=2");
    let last = now(&mut service);
    let mut other = super::service();
    for cursor in [&middle, &last] {
        check_after(&mut other, cursor, None);
    }
    replace(&service, &other.database());
    for cursor in [&middle, &last] {
        check_after(&mut service, cursor, None);
    }
    let theirs = now(&mut other);
    check_after(&mut service, &theirs, Some(&[]));
}

#[test]
fn copies_accept_each_others_cursors_unless_behind() {
    let mut first = service();
    let mut second = Service::over(CHANGED_CARD);
    replace(&second, &first.database());
    let mut after = String::new();
    let (mut changes, mut found) = (vec![String::new()], Vec::new());
    for turn in 0.. {
        if changes.is_empty() {
            break;
        }
        let from = if turn % 2 == 0 {
            &mut first
        } else {
            &mut second
        };
        (changes, after) = page(from, &format!("limit=2&after={after}"));
        found.extend(changes.clone());
    }
    assert_eq!(found, page(&mut first, "").0);
    // Only the first file gets a second revision.
    first.import(CHANGED_CARD);
    let (_, middle) = page(&mut first, "limit=2");
    let last = now(&mut first);
    check_after(
        &mut first,
        &after,
        Some(&["2 purchase223 39600000001 card"]),
    );
    check_after(&mut second, &after, Some(&[]));
    for cursor in [&middle, &last] {
        check_after(&mut second, cursor, None);
    }
    replace(&second, &first.database());
    check_after(&mut second, &last, Some(&[]));
}

#[test]
fn a_cursor_before_the_kept_changes_is_gone() {
    let mut service = service();
    let (_, in_first) = page(&mut service, "limit=2");
    let first = now(&mut service);
    service.import(CHANGED);
    let (_, in_second) = page(&mut service, &format!("limit=1&after={first}"));
    let second = now(&mut service);
    service.import(CHANGED_CARD);
    let drop = |service: &mut Service, before: u64| {
        for sql in [
            format!("DELETE FROM change WHERE revision <= {before}"),
            format!("DELETE FROM revision WHERE number < {before}"),
        ] {
            assert!(service.alter(&sql, &sql) > 0);
        }
    };
    let card = ["3 purchase223 39600000001 card"];
    drop(&mut service, 1);
    check_after(&mut service, &in_first, None);
    let (all, _) = page(&mut service, "");
    assert_eq!(all.len(), 3);
    let all: Vec<_> = all.iter().map(String::as_str).collect();
    // Responses are cached by the identity of the file, and the file keeps its identity when `drop`
    // alters it. With `limit=9`, these requests differ from the ones after the second `drop`, which
    // would otherwise get the cached responses.
    for (cursor, expected) in [(&first, &all[..]), (&in_second, &all[1..])] {
        let (changes, _) = page(&mut service, &format!("limit=9&after={cursor}"));
        assert_eq!(changes, expected);
    }
    drop(&mut service, 2);
    for cursor in [&in_first, &first, &in_second] {
        check_after(&mut service, cursor, None);
    }
    check_after(&mut service, &second, Some(&card));
    assert_eq!(page(&mut service, "limit=9").0, card);
}
