//! For random imports, the log of changes names exactly the answers that have changed.

use std::collections::BTreeMap;

use crate::properties::few_cases;
use procurement_lookup::model::PurchaseNumber;
use serde_json::Value;

use super::*;

const SUPPLIERS: [&str; 3] = [INN, OTHER, "960000000004"];
const PURCHASES: [&str; 3] = [N44, N223, N615];
/// Customers' INNs. As an integer, the second would lose its leading zero, and the third would not
/// fit into 64 bits. No request can name the last one.
const CUSTOMERS: [&str; 4] = ["9600000900", "0960000901", "12345678901234567890", "№ 7"];

/// Lines drawn from a few distinct values, so that they often change nothing or undo a change.
pub fn any_line() -> impl Strategy<Value = String> {
    let supplier = || 0..SUPPLIERS.len();
    let name = || prop_oneof![Just(""), Just("ООО А"), Just("ООО Б")];
    let number = || 0..3_u8;
    prop_oneof![
        (supplier(), name(), number(), number(), 0..CUSTOMERS.len()).prop_map(
            |(supplier, name, number, day, customer)| {
                let (inn, customer) = (SUPPLIERS[supplier], CUSTOMERS[customer]);
                let fields = format!(
                    r#","signDate":"2025-01-0{}","customerInn":"{customer}""#,
                    day + 1
                );
                contract(inn, &number.to_string(), &fields).replacen(
                    r#""}"#,
                    &format!(r#"","name":"{name}"}}"#),
                    1,
                )
            }
        ),
        number().prop_map(|day| complete("223", &format!("2025-01-0{}", day + 1))),
        (supplier(), name()).prop_map(|(one, name)| super::supplier(SUPPLIERS[one], name)),
        (supplier(), number(), number()).prop_map(|(supplier, number, day)| {
            let day = format!("2025-01-0{}", day + 1);
            let inn = SUPPLIERS[supplier];
            entry(inn, &number.to_string(), "44").replace("2025-01-01", &day)
        }),
        (0..PURCHASES.len(), number()).prop_map(|(purchase, price)| {
            let kind = ["44", "223", "615"][purchase];
            super::purchase(
                kind,
                PURCHASES[purchase],
                &format!(r#","fullNMCK":{price}"#),
            )
        }),
    ]
}

/// A sequence of imports, some of which replace the registry.
fn imports() -> impl Strategy<Value = Vec<(bool, Vec<String>)>> {
    let import = (
        proptest::bool::weighted(0.2),
        proptest::collection::vec(any_line(), 0..4),
    );
    proptest::collection::vec(import, 1..7)
}

/// The comparable parts of all answers, keyed by what the log of changes calls them: the record
/// (kind and key), and the part.
pub type Parts = BTreeMap<(String, String), String>;

/// Returns the parts of the answers about these suppliers, purchases and customers, and about the
/// registries.
pub fn parts(answers: &mut Answers, about: [&[&str]; 3]) -> Parts {
    let [suppliers, purchases, customers] = about;
    let mut parts = Parts::new();
    let mut put = |kind: &str, key: &str, what: &str, value: &Value| {
        parts.insert(
            (format!("{kind} {key}"), what.to_owned()),
            value.to_string(),
        );
    };
    for inn in suppliers {
        let page = answers.page(inn);
        let mut page: Value = serde_json::from_str(&page).expect("JSON");
        let mut check = checked(answers, inn);
        put("supplier", inn, "name", &page["supplierIName"].take());
        check["suppliers"][0]["supplierName"].take();
        // Verdicts depend on the state of the registries, which is logged separately.
        for of_registries in ["verdict", "inRNP"] {
            check["suppliers"][0][of_registries].take();
        }
        put("supplier", inn, "contracts", &page);
        let one = [
            ("format", "json"),
            ("supplierINN", inn),
            ("asOf", "2030-01-01"),
        ];
        let is_unknown = answers.ask(Endpoint::RNP_CHECK, &one).contains("404");
        check["suppliers"][0]["isUnknown"] = is_unknown.into();
        put("supplier", inn, "rnp", &check["suppliers"]);
        for registry in check["registries"].as_array_mut().expect("registries") {
            registry["entries"].take();
            let law = registry["federalLaw"].as_str().expect("a law").to_owned();
            put("registry", &law, "state", registry);
        }
    }
    for number in purchases {
        let regime = PurchaseNumber::parse(number).expect("a number").regime();
        let card = answers.card(number, "xml") + &answers.card(number, "json");
        put(regime.purchase_kind(), number, "card", &card.into());
    }
    for inn in customers {
        let parameters = [("format", "json"), ("customerINN", inn)];
        let page = answers.ask(Endpoint::CUSTOMER_CONTRACTS, &parameters);
        let mut page: Value = serde_json::from_str(&page).expect("JSON");
        for contract in page["contracts"].as_array_mut().into_iter().flatten() {
            contract["supplierName"].take();
        }
        put("customer", inn, "contracts", &page);
    }
    parts
}

fn checked(answers: &mut Answers, inn: &str) -> Value {
    let parameters = [
        ("format", "json"),
        ("supplierINN", inn),
        ("history", "1"),
        ("asOf", "2030-01-01"),
    ];
    let check = answers.ask(Endpoint::RNP_CHECK_MANY, &parameters);
    serde_json::from_str(&check).expect("JSON")
}

/// The changes on a page: kind and key, part, and revision.
type LoggedPage = Vec<((String, String), u64)>;

/// Returns the next cursor and the changes of a page.
fn page(answers: &mut Answers, after: &str, limit: &str) -> (String, LoggedPage) {
    let parameters = [("format", "json"), ("after", after), ("limit", limit)];
    let page = answers.ask(Endpoint::CHANGES, &parameters);
    let page: Value = serde_json::from_str(&page).expect("JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let changes = page["changes"]
        .as_array()
        .unwrap_or_else(|| panic!("{page}"));
    let changes = changes.iter().map(|change| {
        let [kind, key, what] = ["kind", "key", "what"].map(|name| text(&change[name]));
        let revision = change["revision"].as_u64().expect("a number");
        ((format!("{kind} {key}"), what), revision)
    });
    (text(&page["next"]), changes.collect())
}

/// Returns the cursor of the current state.
pub fn now(answers: &mut Answers) -> String {
    let (next, changes) = page(answers, "now", "10");
    assert_eq!(changes, []);
    next
}

/// Returns the logged changes after a cursor, with the revision of each, fetched in pages of two.
pub fn logged(answers: &mut Answers, after: &str) -> BTreeMap<(String, String), u64> {
    let (mut after, mut logged) = (after.to_owned(), BTreeMap::new());
    loop {
        let (next, changes) = page(answers, &after, "2");
        if changes.is_empty() {
            assert_eq!(page(answers, &next, "2").1, []);
            return logged;
        }
        for (part, revision) in changes {
            let before = logged.insert(part.clone(), revision);
            assert_eq!(before, None, "{part:?} stands twice");
        }
        after = next;
    }
}

/// Returns the last revision after `after` that changed each part, found by comparing the states.
pub fn differing(states: &[Parts], after: usize) -> BTreeMap<(String, String), u64> {
    let mut found = BTreeMap::new();
    for (number, pair) in states.windows(2).enumerate().skip(after) {
        let changed = pair[1]
            .iter()
            .filter(|(key, value)| pair[0][key] != **value);
        found.extend(changed.map(|(key, _)| (key.clone(), number as u64 + 1)));
    }
    found
}

const ALL: [&[&str]; 3] = [&SUPPLIERS, &PURCHASES, CUSTOMERS.split_at(3).0];

proptest! {
    #![proptest_config(few_cases(6))]

    #[test]
    fn the_log_names_exactly_the_answers_that_differ(imports in imports()) {
        let folder = Folder::new();
        folder.take(complete("615", "2025-01-01"));
        // The state of the data after each revision, and the corresponding cursor. Revision 0 has
        // an empty cursor.
        let parts = |folder: &Folder| parts(&mut folder.answers(), ALL);
        let cursor = |folder: &Folder| now(&mut folder.answers());
        let mut states = vec![parts(&folder); 2];
        let mut cursors = vec![String::new(), cursor(&folder)];
        for (replaces, lines) in imports {
            folder.write("x.jsonl", lines.concat());
            folder.import_files(&["x.jsonl"], replaces);
            let revision = folder.version().revision as usize;
            prop_assert!(revision + 1 - states.len() <= 1);
            if revision == states.len() {
                states.push(parts(&folder));
                cursors.push(cursor(&folder));
            }
        }
        let mut answers = folder.answers();
        for (after, cursor) in cursors.iter().enumerate().skip(1) {
            prop_assert_eq!(logged(&mut answers, cursor), differing(&states, after));
        }
        let mut all = logged(&mut answers, "");
        all.retain(|_, revision| *revision > 1);
        prop_assert_eq!(all, differing(&states, 1));
    }

    #[test]
    fn a_client_that_pages_during_imports_misses_nothing(
        imports in imports(),
        pages in proptest::collection::vec(0..4_u8, 6),
        limit in 1..4_u8,
    ) {
        let folder = Folder::new();
        folder.take(supplier(INN, "ООО А") + &complete("615", "2025-01-01"));
        let (mut answers, mut after) = (folder.answers(), String::new());
        // A client's copies of all answers. Only those that the log names are fetched again.
        let mut copies = parts(&mut answers, ALL);
        let mut take_page = |answers: &mut Answers| {
            let (next, changes) = page(answers, &after, &limit.to_string());
            let current = parts(answers, ALL);
            for (part, _) in &changes {
                copies.insert(part.clone(), current[part].clone());
            }
            after = next;
            (changes.is_empty(), copies == current)
        };
        for ((replaces, lines), pages) in imports.into_iter().zip(pages) {
            folder.write("x.jsonl", lines.concat());
            folder.import_files(&["x.jsonl"], replaces);
            for _ in 0..pages {
                take_page(&mut answers);
            }
        }
        let is_same = (0..100).map(|_| take_page(&mut answers)).find(|(is_last, _)| *is_last);
        prop_assert_eq!(is_same, Some((true, true)));
    }
}
