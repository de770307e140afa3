//! The registry of unfair suppliers.

use super::*;

#[test]
fn founders_are_natural_persons_and_not_imported() {
    let folder = Folder::new();
    folder.take(sample("unfairSupplier-11.xml"));
    let founder = folder.answers().json(Endpoint::RNP_CHECK, "960000000162");
    assert!(founder.contains(r#""code":404"#), "{founder}");
    let bytes = fs::read(folder.database()).expect("the database");
    let name = "Тайный".as_bytes();
    assert!(!bytes.windows(name.len()).any(|window| window == name));
}

#[test]
fn an_exclusion_ends_an_entry() {
    let folder = Folder::new();
    folder.take(sample("unfairSupplier-11.xml").replace(
        "<autoExDateInfo>",
        "<exclude><excludeDate>2022-05-05</excludeDate></exclude><autoExDateInfo>",
    ));
    let listed = folder.answers_on("2022-05-05").registry("9600000062");
    assert_eq!(listed.entries[0]["excludeDate"].get(), r#""2022-05-05""#);
    let over = folder.answers_on("2022-05-06").registry("9600000062");
    assert!(listed.listed && !over.listed);
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
