//! Which registries are declared complete, and the counts that `--replace-rnp` and
//! `--forget-before` report. `tests/answers/verdicts` tests the resulting verdicts.

use super::*;
use crate::source::Source;

const KIND: &str = "registry (JSON line)";

fn tally(new: u64, newer: u64, unchanged: u64) -> Tally {
    Tally {
        new,
        newer,
        unchanged,
    }
}

#[test]
fn declarations_may_come_in_any_order() {
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
fn the_day_of_a_registry_comes_from_option_line_or_calendar() {
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

/// Returns the numbers of the entries in force on a day.
fn in_force(folder: &Folder, day: &str, inn: &str) -> Vec<String> {
    let source = Source::new(&folder.database());
    Answers::on(day, source).entries(inn)
}

#[test]
fn a_complete_registry_ends_missing_entries() {
    let (folder, inns) = registry();
    let before = folder.version();
    folder.write(
        "new.jsonl",
        entry(inns[0], "4", "44") + &entry(INN, "5", "44"),
    );
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(2));
    assert_eq!(in_force(&folder, "2026-11-19", inns[0]), ["4", "1"]);
    assert_eq!(in_force(&folder, "2026-11-20", inns[0]), ["4"]);
    assert_ne!(folder.version(), before);
    let version = folder.version();
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(0), "the same day again");
    assert_eq!(folder.version(), version);
}

#[test]
fn skipped_or_empty_registries_end_and_declare_nothing() {
    for bad in ["nonsense\n", &supplier("1", "x"), &entry(INN, "", "44")] {
        let (folder, inns) = registry();
        folder.write("new.jsonl", entry(INN, "5", "44") + bad);
        let (summary, problems) = folder.import_files(&["new.jsonl"], true);
        assert_eq!((summary.rnp_entries_gone, problems.len()), (None, 1));
        assert_eq!(in_force(&folder, "2026-11-20", inns[0]), ["1"]);
        assert_eq!(in_force(&folder, "2026-11-20", INN), ["5"], "it goes in");
        assert_eq!(folder.registries(), "44=partial 223=partial 615=none");
    }
    let (folder, inns) = registry();
    folder.write("new.jsonl", contract(INN, "1", ""));
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(0));
    assert_eq!(in_force(&folder, "2026-11-20", inns[0]), ["1"]);
    assert_eq!(folder.registries(), "44=partial 223=partial 615=none");
}

#[test]
fn forgetting_counts_deleted_entries() {
    let (folder, inns) = registry();
    folder.write("new.jsonl", entry(INN, "5", "44"));
    folder.import_replacing(&["new.jsonl"], Some(ReplacedAsOf::Given(day("2026-01-10"))));
    for (day, count) in [
        // The entries were still in force on the first of these days.
        ("2026-01-09", 0),
        ("2026-01-10", 2),
        ("2026-05-10", 0),
    ] {
        let options = Options {
            forget_before: Some(folder::day(day)),
            ..Options::default()
        };
        let (summary, _) = folder.import_with(&[], &options);
        assert_eq!(summary.rnp_entries_forgotten, Some(count), "{day}");
    }
    assert_eq!(in_force(&folder, "2026-01-09", inns[0]), [""; 0]);
}
