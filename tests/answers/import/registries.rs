//! Which registries are declared complete: by lines, and by --replace-rnp.

use super::*;

const KIND: &str = "registry (JSON line)";

fn tally(new: u64, newer: u64, unchanged: u64) -> Tally {
    Tally {
        new,
        newer,
        unchanged,
    }
}

#[test]
fn the_first_and_the_last_day_count_in_whatever_order_lines_come() {
    let folder = Folder::new();
    folder.write(
        "a.jsonl",
        complete("44", "2026-11-20") + &entry(INN, "1", "223"),
    );
    folder.write(
        "b.jsonl",
        complete("44", "2026-11-21") + &complete("44", "2026-11-01"),
    );
    let (summary, _) = folder.import_files(&["b.jsonl", "a.jsonl"], false);
    assert_eq!(
        folder.registries(),
        "44=complete:2026-11-21 223=partial 615=none"
    );
    assert_eq!(summary.kinds[KIND], (tally(1, 2, 0), 0));
    let version = folder.version();
    let (summary, _) = folder.import_files(&["a.jsonl", "b.jsonl"], false);
    assert_eq!(summary.kinds[KIND], (tally(0, 0, 3), 0));
    assert_eq!(folder.version(), version, "the same again changes nothing");
}

#[test]
fn a_declaration_stays_when_entries_come_and_go() {
    let folder = Folder::new();
    folder.take(complete("44", "2026-11-20"));
    assert_eq!(
        folder.registries(),
        "44=complete:2026-11-20 223=none 615=none"
    );
    folder.take(entry(INN, "1", "44"));
    folder.take(entry(INN, "1", "223"));
    assert_eq!(
        folder.registries(),
        "44=complete:2026-11-20 223=partial 615=none"
    );
}

#[test]
fn a_bad_line_elsewhere_does_not_hold_a_declaration_back() {
    let folder = Folder::new();
    let (summary, _) = folder.import(complete("44", "2026-11-20") + "nonsense\n");
    assert_eq!(summary.skipped, 1);
    assert!(folder.registries().starts_with("44=complete:2026-11-20 "));
}

#[test]
fn replacing_declares_the_laws_of_the_entries_given_as_of_that_day() {
    let (folder, _) = registry();
    folder.write("new.jsonl", entry(INN, "5", "44") + &entry(INN, "6", "94"));
    folder.import_files(&["new.jsonl"], true);
    assert_eq!(
        folder.registries(),
        "44=complete:2026-11-20 223=partial 615=none"
    );
    let given = Some(ReplacedAsOf::Given(day("2026-11-22")));
    folder.import_replacing(&["new.jsonl"], given);
    assert_eq!(
        folder.registries(),
        "44=complete:2026-11-22 223=partial 615=none"
    );
}

#[test]
fn a_line_says_better_than_the_calendar_of_which_day_a_registry_is_and_the_option_best() {
    let folder = Folder::new();
    folder.write(
        "new.jsonl",
        complete("44", "2026-11-01") + &entry(INN, "5", "44"),
    );
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert!(folder.registries().starts_with("44=complete:2026-11-01 "));
    assert_eq!(summary.kinds[KIND], (tally(1, 0, 0), 0));
    let given = Some(ReplacedAsOf::Given(day("2026-11-18")));
    let (summary, _) = folder.import_replacing(&["new.jsonl"], given);
    assert!(folder.registries().starts_with("44=complete:2026-11-18 "));
    assert_eq!(summary.kinds[KIND], (tally(0, 0, 1), 0));
}

#[test]
fn replacing_declares_nothing_where_something_was_skipped_or_no_entry_came() {
    for lines in [entry(INN, "5", "44") + "nonsense\n", contract(INN, "1", "")] {
        let (folder, _) = registry();
        folder.write("new.jsonl", lines);
        folder.import_files(&["new.jsonl"], true);
        assert_eq!(folder.registries(), "44=partial 223=partial 615=none");
    }
}

#[test]
fn an_import_that_is_stopped_declares_nothing() {
    let folder = Folder::new();
    folder.take(entry(OTHER, "1", "223"));
    folder.stop_amid(complete("44", "2026-11-20") + &entry(INN, "1", "44"));
    assert_eq!(
        folder.registries(),
        "44=none 223=partial 615=none",
        "the data is as it was"
    );
}

#[test]
fn a_registry_that_does_not_count_its_entries_is_damage() {
    for statement in [
        "UPDATE registry SET entries = 2 WHERE federal_law = '44'",
        "UPDATE registry SET complete_as_of = 'soon' WHERE federal_law = '223'",
        "DELETE FROM registry WHERE federal_law = '615'",
    ] {
        let folder = Folder::new();
        folder.take(entry(INN, "1", "44"));
        rusqlite::Connection::open(folder.database())
            .and_then(|connection| connection.execute(statement, ()))
            .expect("the statement is executed");
        let error = store::check(&folder.database()).expect_err(statement);
        assert!(error.to_string().contains("registry of law"), "{error}");
    }
}
