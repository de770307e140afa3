//! The registry of unfair suppliers.

use super::*;

#[test]
fn founders_are_not_imported() {
    let folder = Folder::new();
    folder.take_xml(sample("unfairSupplier-11.xml"));
    let founder = folder.answers().json(Endpoint::RNP_CHECK, "960000000162");
    assert!(founder.contains(r#""code":404"#), "{founder}");
    let bytes = fs::read(folder.database()).expect("the database");
    let name = "Тайный".as_bytes();
    assert!(!bytes.windows(name.len()).any(|window| window == name));
}

#[test]
fn an_entry_without_supplier_inn_is_an_error() {
    let document = sample("unfairSupplier-11.xml");
    let nobody = document.replace("<inn>9600000062</inn>", "<inn>77</inn>");
    let folder = Folder::new();
    let (summary, problems) = folder.import_file("x.xml", &nobody);
    assert_eq!(problems.len(), 1, "{problems:?}");
    let expected = "unfairSupplier РНП.96002-21: INN: not 10 or 12 digits: \"77\"";
    assert!(problems[0].starts_with("x.xml:"), "{problems:?}");
    assert!(problems[0].ends_with(expected), "{problems:?}");
    assert_eq!((summary.skipped, summary.kinds["unfairSupplier"].1), (1, 1));
    assert_eq!(summary.counted.without_supplier, 0);
    // If an entry had to be skipped, the imported registry is incomplete, so stored entries are
    // kept.
    folder.take_xml(sample("unfairSupplier-5.0.xml"));
    let other = document.replace("<registryNum>РНП.96002-21", "<registryNum>РНП.96009-21");
    let paths = [0, 1].map(|index| {
        let path = folder.path().join(format!("{index}.xml"));
        fs::write(&path, [&nobody, &other][index]).expect("the file is written");
        path
    });
    let (summary, _) = folder.import_paths(&paths, true);
    assert_eq!((summary.skipped, summary.rnp_entries_gone), (1, None));
    let contents = store::check(&folder.database()).expect("a database");
    assert_eq!(contents.rnp_entries, 2);
}

#[test]
fn the_list_leaves_out_an_entry_while_it_is_suspended() {
    let folder = Folder::new();
    for (day, state) in [
        ("2026-01-10", "PUBLISHED"),
        ("2026-02-10", "TEMP_EXCLUDED"),
        ("2026-03-10", "PUBLISHED"),
    ] {
        folder.take_xml(format!(
            "<unfairSupplier><publishDate>{day}T12:00:00+03:00</publishDate><registryNum>1</registryNum>\
             <state>{state}</state><unfairSupplier><fullName>А</fullName><inn>{A}</inn></unfairSupplier></unfairSupplier>"
        ));
    }
    let mut answers = folder.answers_on("2026-11-21");
    let mut is_listed = |day| {
        let parameters = [("format", "json"), ("inForce", "true"), ("asOf", day)];
        let json = answers.ask(Endpoint::RNP_ENTRIES, &parameters);
        json.contains(r#""registrationNumber":"1""#)
    };
    let days = ["2026-02-09", "2026-02-10", "2026-03-09", "2026-03-10"];
    assert_eq!(days.map(&mut is_listed), [true, false, false, true]);
}
