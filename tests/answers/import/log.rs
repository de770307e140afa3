//! The log of changes names exactly what answers differ in, whatever is imported.

use std::collections::BTreeMap;

use serde_json::Value;

use super::*;

const SUPPLIERS: [&str; 3] = [INN, OTHER, "960000000004"];
const PURCHASES: [&str; 3] = [N44, N223, N615];

/// Lines that tell apart little, so that they often change nothing, or change it back.
pub fn any_line() -> impl Strategy<Value = String> {
    let supplier = || 0..SUPPLIERS.len();
    let name = || prop_oneof![Just(""), Just("ООО А"), Just("ООО Б")];
    let number = || 0..3_u8;
    prop_oneof![
        (supplier(), name(), number(), number()).prop_map(|(supplier, name, number, day)| {
            let inn = SUPPLIERS[supplier];
            contract(
                inn,
                &number.to_string(),
                &format!(r#","signDate":"2025-01-0{}""#, day + 1),
            )
            .replacen(r#""}"#, &format!(r#"","name":"{name}"}}"#), 1)
        }),
        (supplier(), name()).prop_map(|(one, name)| super::supplier(SUPPLIERS[one], name)),
        (supplier(), number(), number()).prop_map(|(supplier, number, day)| {
            let day = format!("2025-01-0{}", day + 1);
            let inn = SUPPLIERS[supplier];
            entry(inn, &number.to_string(), "44").replace("2025-01-01", &day)
        }),
        (0..PURCHASES.len(), number()).prop_map(|(purchase, price)| {
            let kind = ["44", "223", "615"][purchase];
            let field = ["fullNMCK", "maxPrice", "maxPrice"][purchase];
            super::purchase(kind, PURCHASES[purchase], &format!(r#","{field}":{price}"#))
        }),
    ]
}

/// Imports, some of which replace the registry.
fn imports() -> impl Strategy<Value = Vec<(bool, Vec<String>)>> {
    let import = (
        proptest::bool::weighted(0.2),
        proptest::collection::vec(any_line(), 0..4),
    );
    proptest::collection::vec(import, 1..7)
}

/// The parts of the answers about each key, as the log names them.
pub type Parts = BTreeMap<(String, String), String>;

pub fn parts(mut answers: Answers, suppliers: &[&str], purchases: &[&str]) -> Parts {
    let mut parts = Parts::new();
    for inn in suppliers {
        let page = answers.page(inn, 0);
        let many = [
            ("format", "json"),
            ("supplierINN", inn),
            ("history", "1"),
            ("asOf", "2030-01-01"),
        ];
        let check = answers.ask(Endpoint::RNP_CHECK_MANY, &many);
        let [mut page, mut check]: [Value; 2] =
            [page, check].map(|json| serde_json::from_str(&json).expect("JSON"));
        let name = page["supplierIName"].take();
        check["suppliers"][0]["supplierName"].take();
        // How many entries there are of all suppliers is no supplier's.
        check["registries"].take();
        let mut put = |what: &str, value: String| {
            parts.insert(((*inn).to_owned(), what.to_owned()), value);
        };
        put("name", name.to_string());
        put("contracts", page.to_string());
        put("rnp", check.to_string());
    }
    for number in purchases {
        let card = answers.card(number, "xml") + &answers.card(number, "json");
        parts.insert(((*number).to_owned(), "card".to_owned()), card);
    }
    parts
}

/// What the log names after a revision, with the revision of each, by pages of two.
pub fn logged(mut answers: Answers, after: usize) -> BTreeMap<(String, String), u64> {
    let (after, mut logged) = (after.to_string(), BTreeMap::new());
    for page in 0.. {
        let skip = (2 * page).to_string();
        let parameters = [
            ("format", "json"),
            ("after", &after),
            ("limit", "2"),
            ("skip", &skip),
        ];
        let answer = answers.ask(Endpoint::CHANGES, &parameters);
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let changes = answer["changes"].as_array().expect("changes");
        for change in changes {
            let text = |name: &str| change[name].as_str().expect("a text").to_owned();
            let revision = change["revision"].as_u64().expect("a number");
            let before = logged.insert((text("key"), text("what")), revision);
            assert_eq!(before, None, "{change} stands twice");
        }
        if changes.len() < 2 {
            break;
        }
    }
    logged
}

/// The last revision after `after` in which each part differs from the one before.
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

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_log_names_exactly_the_answers_that_differ(imports in imports()) {
        let folder = Folder::new();
        // Some registry is there, as the verdicts about all suppliers depend on that.
        folder.take(complete("223", "2025-01-01"));
        // The states of the data after each revision; before the first nothing was there.
        let nothing = Folder::new();
        nothing.take(complete("223", "2025-01-01"));
        let parts = |folder: &Folder| parts(folder.answers(), &SUPPLIERS, &PURCHASES);
        let mut states = vec![parts(&nothing), parts(&folder)];
        for (replaces, lines) in imports {
            folder.write("x.jsonl", lines.concat());
            folder.import_files(&["x.jsonl"], replaces);
            let revision = folder.version().revision as usize;
            prop_assert!(revision + 1 - states.len() <= 1);
            if revision == states.len() {
                states.push(parts(&folder));
            }
        }
        for after in 0..states.len() {
            prop_assert_eq!(logged(folder.answers(), after), differing(&states, after));
        }
    }
}
