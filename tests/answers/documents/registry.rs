//! The registry of unfair suppliers.

use super::*;

/// Checks that the document gives the supplier this entry on this day, or one that is not
/// listed then.
fn check_entry(document: &str, inn: &str, day: &str, fields: Option<&[(&str, &str)]>) {
    let folder = Folder::new();
    folder.take(document);
    let registry = folder.answers_on(day).registry(inn);
    let Some(fields) = fields else {
        assert!(!registry.listed && registry.entries.is_empty());
        return;
    };
    assert!(registry.listed);
    assert_eq!(registry.entries.len(), 1);
    for (name, value) in &registry.entries[0] {
        let expected = fields
            .iter()
            .find(|(field, _)| field == name)
            .map_or("null", |(_, value)| value);
        assert_eq!(value.get(), expected, "{name}");
    }
}

const UNFAIR_5_0: &[(&str, &str)] = &[
    ("registrationNumber", r#""РНП.96001-15""#),
    ("registrationDate", r#""2015-01-13""#),
    ("reason", r#""WINNER_DEVIATION""#),
    ("excludeDate", r#""2017-01-13""#),
    ("federalLaw", r#""44""#),
];

const UNFAIR_11: &[(&str, &str)] = &[
    ("registrationNumber", r#""РНП.96002-21""#),
    ("registrationDate", r#""2021-03-01""#),
    ("reason", r#""CANCEL_CONTRACT""#),
    ("contractNumber", r#""2960000001620000009""#),
    ("excludeDate", r#""2023-03-01""#),
    ("federalLaw", r#""44""#),
    ("customerName", r#""УЧРЕЖДЕНИЕ \"ЗАКАЗЧИК\"""#),
    ("customerINN", r#""9600000016""#),
];

#[test]
fn an_entry_of_schema_5_0() {
    let document = sample("unfairSupplier-5.0.xml");
    let check = |day, fields| check_entry(&document, "9600000030", day, fields);
    check("2015-01-12", None);
    check("2015-01-13", Some(UNFAIR_5_0));
    check("2017-01-13", Some(UNFAIR_5_0));
    check("2017-01-14", None);
    let folder = Folder::new();
    folder.take(&document);
    let registry = folder.answers().registry("9600000030");
    assert_eq!(
        registry.name.as_deref(),
        Some("Общество с ограниченной ответственностью \"Обет\"")
    );
}

#[test]
fn an_entry_of_schema_11() {
    let document = sample("unfairSupplier-11.xml");
    let check = |day, fields| check_entry(&document, "9600000062", day, fields);
    check("2021-02-28", None);
    check("2021-03-01", Some(UNFAIR_11));
    check("2023-03-01", Some(UNFAIR_11));
    check("2023-03-02", None);
    // Founders are natural persons: they are not imported.
    let folder = Folder::new();
    folder.take(&document);
    let founder = folder.answers().json(Endpoint::RNP_CHECK, "960000000162");
    assert!(founder.contains(r#""code":404"#), "{founder}");
    let bytes = fs::read(folder.database()).expect("the database");
    let name = "Тайный".as_bytes();
    assert!(!bytes.windows(name.len()).any(|window| window == name));
}

#[test]
fn an_exclusion_ends_an_entry() {
    let document = sample("unfairSupplier-11.xml").replace(
        "<autoExDateInfo>",
        "<exclude><excludeDate>2022-05-05</excludeDate></exclude><autoExDateInfo>",
    );
    let mut fields = UNFAIR_11.to_vec();
    fields.retain(|(name, _)| *name != "excludeDate");
    fields.push(("excludeDate", r#""2022-05-05""#));
    check_entry(&document, "9600000062", "2022-05-05", Some(&fields));
    check_entry(&document, "9600000062", "2022-05-06", None);
}

#[test]
fn the_state_of_an_entry_counts() {
    for (state, listed) in [
        ("PUBLISHED", true),
        ("ON_EXCLUSION", true),
        ("ARCHIVED", false),
        ("TEMP_EXCLUDED", false),
        ("REVIEW_CANCELED", false),
    ] {
        let document = sample("unfairSupplier-11.xml").replace("PUBLISHED", state);
        let folder = Folder::new();
        folder.take(document);
        let mut answers = folder.answers_on("2022-01-01");
        let json = answers.json(Endpoint::RNP_CHECK, "9600000062");
        if state == "REVIEW_CANCELED" {
            assert!(json.contains(r#""code":404"#), "it never was in: {json}");
        } else {
            assert_eq!(answers.registry("9600000062").listed, listed, "{state}");
        }
    }
}

#[test]
fn an_entry_about_nobody_with_an_inn_is_an_error_of_its_document() {
    let document = sample("unfairSupplier-11.xml");
    let nobody = document.replace("<inn>9600000062</inn>", "<inn>77</inn>");
    let folder = Folder::new();
    let (summary, problems) = folder.import("x.xml", &nobody);
    assert_eq!(problems.len(), 1, "{problems:?}");
    let expected = "unfairSupplier РНП.96002-21: unfairSupplierInfo/…/INN: not an INN of 10 or 12 digits: \"77\"";
    assert!(problems[0].starts_with("x.xml:"), "{problems:?}");
    assert!(problems[0].ends_with(expected), "{problems:?}");
    assert_eq!((summary.skipped, summary.kinds["unfairSupplier"].1), (1, 1));
    assert_eq!(summary.counted.without_supplier, 0);
    assert!(!folder.database().exists(), "there is nothing to keep");
    // A registry with a skipped entry is not complete: stored entries stay.
    folder.take(sample("unfairSupplier-5.0.xml"));
    let other = document.replace("<registryNum>РНП.96002-21", "<registryNum>РНП.96009-21");
    let paths = [0, 1].map(|index| {
        let path = folder.0.path().join(format!("{index}.xml"));
        fs::write(&path, [&nobody, &other][index]).expect("the file is written");
        path
    });
    let (summary, _) = folder.import_paths(&paths, true);
    assert_eq!((summary.skipped, summary.rnp_entries_gone), (1, None));
    let contents = store::check(&folder.database()).expect("a database");
    assert_eq!(contents.rnp_entries, 2);
}

#[test]
fn a_later_edition_of_an_entry_replaces_an_earlier_one_in_either_order() {
    let first = sample("unfairSupplier-11.xml");
    let second = first
        .replace("2021-03-02T10", "2021-06-02T10")
        .replace("CANCEL_CONTRACT", "WINNER_DEVIATION")
        .replace("9600000062", "9600000070");
    for order in [[&first, &second], [&second, &first]] {
        let folder = Folder::new();
        for document in order {
            folder.take(document);
        }
        let mut answers = folder.answers_on("2022-01-01");
        let entries = answers.registry("9600000070").entries;
        assert_eq!(entries[0]["reason"].get(), "\"WINNER_DEVIATION\"");
        let json = answers.json(Endpoint::RNP_CHECK, "9600000062");
        assert!(json.contains(r#""code":404"#), "no longer about it: {json}");
    }
}

#[test]
fn a_whole_registry_ends_entries_of_documents_that_were_published_before() {
    let folder = Folder::new();
    folder.take(sample("unfairSupplier-5.0.xml"));
    folder.take(sample("unfairSupplier-11.xml"));
    let path = folder.0.path().join("x.xml");
    let (summary, _) = folder.import_paths(std::slice::from_ref(&path), true);
    assert_eq!(summary.rnp_entries_gone, Some(0), "it was over by then");
    let mut answers = folder.answers_on("2016-01-01");
    assert!(answers.registry("9600000030").listed);
}
