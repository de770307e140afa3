//! The items of contracts in lines: exporting and replacing them.

use std::collections::BTreeMap;

use crate::properties::few_cases;
use procurement_lookup::model::{ChangedPart, LogPosition};
use procurement_lookup::render;
use procurement_lookup::store::Database;

use super::*;

/// Returns the exported lines of all contracts, by supplier and number.
fn exported(folder: &Folder) -> BTreeMap<(String, String), String> {
    let mut lines = BTreeMap::new();
    if !folder.database().exists() {
        return lines;
    }
    let database = Database::open(&folder.database()).expect("the database opens");
    let outcome = database.suppliers(|inn, supplier| -> store::Result<()> {
        let inn = inn.as_str();
        database.contracts_with_items(supplier, &mut |contract, items| {
            let mut line = Vec::new();
            render::contract_line(&mut line, inn, supplier.name(), contract, items);
            let key = (inn.to_owned(), contract.reg_num.text().into_owned());
            lines.insert(key, String::from_utf8(line).expect("UTF-8"));
        })
    });
    outcome.expect("the contracts are read");
    lines
}

/// Members of an item in a line, except its code and its sum.
const DETAILS: [&str; 6] = ["name", "okpd2", "okei", "okeiName", "quantity", "price"];

fn products(line: &str) -> serde_json::Value {
    let mut line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    line["contract"]["products"].take()
}

#[test]
fn items_round_trip_and_pages_show_code_and_sum() {
    let folder = Folder::new();
    let item = concat!(
        r#"{"code":"17.23.13.130","sum":1500,"name":"Журнал «А4»","okpd2":"17.23.13.199","#,
        r#""okei":"796","okeiName":"Штука","quantity":"100","price":15e0}"#
    );
    folder.take(contract(
        INN,
        "1",
        &format!(r#","products":[{item},{{"code":"2"}}]"#),
    ));
    let page = folder.answers().page(INN);
    let shown = r#""products":[{"code":"17.23.13.130","sum":1500},{"code":"2","sum":null}]"#;
    assert!(page.contains(shown), "{page}");
    let lines = exported(&folder);
    let line = lines.values().next().expect("a line");
    let mut expected: serde_json::Value = serde_json::from_str(item).expect("JSON");
    expected["quantity"] = 100.into();
    expected["price"] = 15.into();
    let found = products(line);
    assert_eq!(found[0], expected);
    for name in DETAILS {
        assert!(found[1][name].is_null(), "{line}");
    }
    let again = Folder::new();
    again.take(line);
    assert_eq!(exported(&again), lines);
}

#[test]
fn items_with_only_codes_and_sums_count_as_unknown() {
    let folder = Folder::new();
    let unknown = || {
        let database = Database::open(&folder.database()).expect("the database opens");
        database.contracts_without_items()
    };
    let short = r#","products":[{"code":"1","sum":1}]"#;
    let long = r#","products":[{"code":"1","sum":1,"name":"x"}]"#;
    folder.take(contract(INN, "1", short) + &contract(INN, "2", "") + &contract(INN, "3", long));
    assert_eq!(unknown(), 2);
    let line = exported(&folder)[&(INN.to_owned(), "1".to_owned())].clone();
    assert_eq!(
        products(&line),
        serde_json::json!([{ "code": "1", "sum": 1 }])
    );
    folder.take(contract(INN, "1", long) + &contract(INN, "3", short));
    assert_eq!(unknown(), 2);
    folder.take(contract(INN, "2", long));
    assert_eq!(unknown(), 1);
}

#[test]
fn a_change_of_items_is_a_change_of_the_contract() {
    let folder = Folder::new();
    let line = |price: &str| {
        let items = format!(r#","products":[{{"code":"1","name":"x","price":{price}}}]"#);
        contract(INN, "1", &items)
    };
    folder.take(line("1"));
    let (before, page) = (folder.version(), folder.answers().page(INN));
    let summary = folder.take(line("2"));
    let (tally, _) = summary.kinds["contract (JSON line)"];
    assert_eq!((tally.new, tally.newer, tally.unchanged), (0, 1, 0));
    assert_ne!(folder.version().identity, before.identity);
    assert_eq!(folder.answers().page(INN), page);
    let database = Database::open(&folder.database()).expect("the database opens");
    let position = LogPosition::after_revision(before.revision.unsigned_abs());
    let changes = database.changes_after(&position, 10).expect("the log");
    let parts: Vec<ChangedPart> = changes.iter().map(|change| change.part).collect();
    assert_eq!(parts, [ChangedPart::Contracts]);
    // A contract that is changed and changed back within an import counts as unchanged.
    let before = folder.version();
    let summary = folder.take(line("1") + &line("2"));
    let (tally, _) = summary.kinds["contract (JSON line)"];
    assert_eq!((tally.new, tally.newer, tally.unchanged), (0, 0, 2));
    assert_eq!(folder.version(), before);
}

/// A line about one of a few contracts, with random items.
fn any_line() -> impl Strategy<Value = ((&'static str, u8), String)> {
    let text = prop_oneof![
        3 => Just(String::new()),
        2 => "[аАё1 <&\"\\\\]{1,12}",
        1 => any::<String>(),
    ];
    let amount = prop_oneof![
        Just("null".to_owned()),
        "(0|[1-9][0-9]{0,8})(\\.[0-9]{1,13})?",
    ];
    let texts = prop::collection::vec(text, 4);
    let item = (texts, amount.clone(), amount.clone(), amount).prop_map(
        |(texts, sum, quantity, price)| {
            let texts = texts.iter();
            let texts: Vec<String> = texts
                .map(|text| serde_json::to_string(text).expect("a text"))
                .collect();
            let [name, okpd2, okei, okei_name] = &texts[..] else {
                panic!("{texts:?}")
            };
            format!(
                "{{\"code\":\"1\",\"sum\":{sum},\"name\":{name},\"okpd2\":{okpd2},\"okei\":{okei},\
                 \"okeiName\":{okei_name},\"quantity\":{quantity},\"price\":{price}}}"
            )
        },
    );
    // Many equal items in a contract compress well.
    let items = prop_oneof![
        3 => prop::collection::vec(item.clone(), 0..3),
        1 => (item, 20..60_usize).prop_map(|(item, count)| vec![item; count]),
    ];
    let about = (prop::sample::select(vec![INN, OTHER]), 1..3_u8, 1..3_u8);
    (about, items).prop_map(|((inn, number, month), items)| {
        let items = items.join(",");
        let fields = format!(r#","signDate":"2025-0{month}-01","products":[{items}]"#);
        ((inn, number), contract(inn, &number.to_string(), &fields))
    })
}

proptest! {
    #![proptest_config(few_cases(6))]

    #[test]
    fn the_last_line_about_a_contract_determines_its_items(
        imports in prop::collection::vec(prop::collection::vec(any_line(), 1..6), 1..4)
    ) {
        let folder = Folder::new();
        let mut left = BTreeMap::new();
        for lines in imports {
            let text: String = lines.iter().map(|(_, line)| line.as_str()).collect();
            left.extend(lines);
            // `take` also runs `check` on the file.
            folder.take(text);
            let lines = exported(&folder);
            let alone = Folder::new();
            alone.take(left.values().map(String::as_str).collect::<String>());
            prop_assert_eq!(&lines, &exported(&alone));
            let again = Folder::new();
            again.take(lines.values().map(String::as_str).collect::<String>());
            prop_assert_eq!(&exported(&again), &lines);
            let version = again.version();
            let summary = again.take(lines.values().map(String::as_str).collect::<String>());
            prop_assert_eq!(summary.kinds["contract (JSON line)"].0.unchanged as usize, lines.len());
            prop_assert_eq!(again.version(), version);
        }
    }
}
