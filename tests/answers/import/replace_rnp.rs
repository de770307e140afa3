//! --replace-rnp and --forget-before: whole registries, and the history that they leave.

use super::*;
use crate::source::Source;

/// The numbers of the entries in force on a day.
fn in_force(folder: &Folder, day: &str, inn: &str) -> Vec<String> {
    let source = Source::new(&folder.database());
    Answers::on(day, Some(source)).entries(inn)
}

#[test]
fn a_whole_registry_ends_what_it_does_not_have_and_keeps_earlier_days() {
    let (folder, inns) = registry();
    let before = folder.version();
    folder.write(
        "new.jsonl",
        entry(inns[0], "4", "44") + &entry(INN, "5", "44"),
    );
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(2));
    for (day, inn, expected) in [
        ("2026-11-19", inns[0], &["4", "1"][..]),
        ("2026-11-20", inns[0], &["4"]),
        ("2026-11-19", inns[1], &["2"]),
        ("2026-11-20", inns[1], &[]),
        ("2026-11-20", inns[2], &["3"]),
        ("2026-11-20", INN, &["5"]),
    ] {
        assert_eq!(in_force(&folder, day, inn), expected, "{day} {inn}");
    }
    assert_ne!(folder.version(), before);
    let version = folder.version();
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(0), "the same day again");
    assert_eq!(folder.version(), version);
}

#[test]
fn an_ended_entry_stands_among_the_previous_ones_with_the_day_it_was_gone() {
    let (folder, inns) = registry();
    folder.write("new.jsonl", entry(INN, "5", "44"));
    folder.import_files(&["new.jsonl"], true);
    let source = Source::new(&folder.database());
    let mut answers = Answers::on("2026-11-20", Some(source));
    let parameters = [
        ("format", "json"),
        ("supplierINN", inns[0]),
        ("history", "1"),
    ];
    let json = answers.ask(Endpoint::RNP_CHECK_MANY, &parameters);
    assert!(json.contains(r#""removedBy":"2026-11-20""#), "{json}");
    let csv = [
        ("format", "csv"),
        ("supplierINN", inns[0]),
        ("history", "1"),
    ];
    let csv = answers.ask(Endpoint::RNP_CHECK_MANY, &csv);
    assert!(
        csv.contains(",true,2026-11-20,complete:2026-11-20,partial,none,"),
        "{csv}"
    );
}

#[test]
fn nothing_is_ended_where_something_was_skipped_or_no_entry_came() {
    for bad in ["nonsense\n", &supplier("1", "x"), &entry(INN, "", "44")] {
        let (folder, inns) = registry();
        folder.write("new.jsonl", entry(INN, "5", "44") + bad);
        let (summary, problems) = folder.import_files(&["new.jsonl"], true);
        assert_eq!((summary.rnp_entries_gone, problems.len()), (None, 1));
        assert_eq!(in_force(&folder, "2026-11-20", inns[0]), ["1"]);
        assert_eq!(in_force(&folder, "2026-11-20", INN), ["5"], "it goes in");
    }
    let (folder, inns) = registry();
    folder.write("new.jsonl", contract(INN, "1", ""));
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(0));
    assert_eq!(in_force(&folder, "2026-11-20", inns[0]), ["1"]);
}

#[test]
fn without_the_option_nothing_is_ended() {
    let (folder, inns) = registry();
    let summary = folder.take(entry(INN, "5", "44"));
    assert_eq!(summary.rnp_entries_gone, None);
    assert_eq!(in_force(&folder, "2026-11-20", inns[0]), ["1"]);
}

#[test]
fn a_whole_registry_of_a_day_in_two_imports_takes_back_an_end() {
    let (folder, inns) = registry();
    let whole = |lines: String, text: &str| {
        folder.write("new.jsonl", lines);
        folder.import_replacing(&["new.jsonl"], Some(ReplacedAsOf::Given(day(text))));
    };
    whole(entry(INN, "5", "44"), "2026-05-10");
    whole(entry(INN, "5", "44"), "2026-11-20");
    assert_eq!(in_force(&folder, "2026-11-20", inns[0]), [""; 0]);
    whole(entry(inns[0], "1", "44"), "2026-11-20");
    assert_eq!(in_force(&folder, "2026-11-20", inns[0]), ["1"]);
    whole(entry(INN, "5", "44"), "2026-08-10");
}

#[test]
fn forgetting_deletes_what_was_in_force_on_no_day_from_then_on() {
    let (folder, inns) = registry();
    folder.write("new.jsonl", entry(INN, "5", "44"));
    folder.import_replacing(&["new.jsonl"], Some(ReplacedAsOf::Given(day("2026-01-10"))));
    folder.import_replacing(&["new.jsonl"], Some(ReplacedAsOf::Given(day("2026-05-10"))));
    let forget = |text: &str| {
        let options = Options {
            forget_before: Some(day(text)),
            ..Options::default()
        };
        let writer = Writer::open(&folder.database()).expect("the database opens");
        let summary = import(&[], writer, &options, &mut |_| ()).expect("an import");
        store::check(&folder.database()).expect("the database is as it must be");
        summary.rnp_entries_forgotten
    };
    assert_eq!(
        forget("2026-01-09"),
        Some(0),
        "they were in force on that day"
    );
    assert_eq!(forget("2026-01-10"), Some(2));
    assert_eq!(in_force(&folder, "2026-01-09", inns[0]), [""; 0]);
    assert_eq!(in_force(&folder, "2026-01-10", INN), ["5"]);
    let known = |folder: &Folder| {
        let database = Database::open(&folder.database()).expect("the database opens");
        let complete = database.registries().all[0].complete;
        complete.map(|days| (days.since, days.as_of))
    };
    assert_eq!(known(&folder), Some((day("2026-01-10"), day("2026-05-10"))));
    assert_eq!(forget("2026-05-10"), Some(0));
    assert_eq!(known(&folder), Some((day("2026-05-10"), day("2026-05-10"))));
    assert_eq!(forget("2026-06-01"), Some(0));
    assert_eq!(known(&folder), None, "its last day is forgotten");
}

#[test]
fn forgetting_deletes_an_entry_that_ends_before_it_begins() {
    let folder = Folder::new();
    folder.take(entry(INN, "1", "44").replace(
        r#""federalLaw""#,
        r#""excludeDate":"2024-12-31","federalLaw""#,
    ));
    let options = Options {
        forget_before: Some(day("2020-01-01")),
        ..Options::default()
    };
    let writer = Writer::open(&folder.database()).expect("the database opens");
    let summary = import(&[], writer, &options, &mut |_| ()).expect("an import");
    assert_eq!(summary.rnp_entries_forgotten, Some(1));
}
