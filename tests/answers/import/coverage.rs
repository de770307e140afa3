//! Coverage of official documents: lines add days in any order, and `check` verifies what is
//! stored.

use std::collections::BTreeSet;

use procurement_lookup::store::{Database, MAX_RUNS};

use super::*;
use crate::properties::few_cases;
use crate::service::{Service, body, header};

const KIND: &str = "coverage (JSON line)";

/// A coverage line about one document type of the subsystem RGK.
fn line(documents: &str, region: &str, from: &str, to: &str) -> String {
    format!(
        r#"{{"type":"coverage","subsystem":"RGK","documents":"{documents}","region":"{region}","from":"{from}","to":"{to}"}}"#
    ) + "\n"
}

fn contracts(from: &str, to: &str) -> String {
    line("contract", "77", from, to)
}

fn tally(new: u64, newer: u64, unchanged: u64) -> Tally {
    Tally {
        new,
        newer,
        unchanged,
    }
}

/// Returns the stored runs, in the form `contract 77 2026-11-01..2026-11-20`.
fn runs(folder: &Folder) -> Vec<String> {
    let database = Database::open(&folder.database()).expect("the database opens");
    let runs = database.coverage().expect("coverage");
    let told = runs
        .iter()
        .map(|run| format!("{} {} {}..{}", run.documents, run.region, run.from, run.to));
    told.collect()
}

#[test]
fn later_lines_extend_coverage_and_keep_gaps() {
    let folder = Folder::new();
    let first = contracts("2026-11-01", "2026-11-03") + &contracts("2026-11-08", "2026-11-09");
    let summary = folder.take(first);
    assert_eq!(summary.kinds[KIND], (tally(2, 0, 0), 0));
    let more = contracts("2026-11-04", "2026-11-05") + &contracts("2026-11-02", "2026-11-03");
    let summary = folder.take(more + &line("contract", "50", "2026-11-04", "2026-11-05"));
    assert_eq!(summary.kinds[KIND], (tally(1, 1, 1), 0));
    let expected = [
        "contract 50 2026-11-04..2026-11-05",
        "contract 77 2026-11-01..2026-11-05",
        "contract 77 2026-11-08..2026-11-09",
    ];
    assert_eq!(runs(&folder), expected);
}

#[test]
fn lines_without_news_leave_the_file_unchanged() {
    let folder = Folder::new();
    folder.take(contracts("2026-11-01", "2026-11-20"));
    let before = store::FileState::at(&folder.database()).expect("a state");
    let version = folder.version();
    let again = contracts("2026-11-01", "2026-11-20") + &contracts("2026-11-07", "2026-11-07");
    let summary = folder.take(again);
    assert_eq!(summary.kinds[KIND], (tally(0, 0, 2), 0));
    assert_eq!(
        store::FileState::at(&folder.database()).expect("a state"),
        before
    );
    assert_eq!(folder.version(), version);
    folder.take(contracts("2026-11-21", "2026-11-21"));
    assert_ne!(folder.version(), version);
}

#[test]
fn the_number_of_runs_is_bounded() {
    let folder = Folder::new();
    folder.take(contracts("2026-11-01", "2026-11-01"));
    let mut day = day("1700-01-01");
    let mut lines = String::from(
        "{\"type\":\"supplier\",\"supplier\":{\"inn\":\"9602003012\",\"name\":\"ООО\"}}\n",
    );
    for _ in 0..MAX_RUNS {
        let text = day.to_string();
        lines += &contracts(&text, &text);
        day = day.plus_days(2);
    }
    folder.write("x.jsonl", lines);
    let (summary, problems) = folder.import_files(&["x.jsonl"], false);
    assert_eq!(summary.skipped, 1);
    assert_eq!(
        problems,
        ["coverage: not recorded: there would be more than 50000 runs of days"]
    );
    assert_eq!(runs(&folder), ["contract 77 2026-11-01..2026-11-01"]);
    assert_eq!(summary.kinds["supplier (JSON line)"].0, tally(1, 0, 0));
}

#[test]
fn about_lists_the_covered_days() {
    let line = |region, from, to| line("contract", region, from, to);
    let mut service = Service::over(
        &(line("77", "2026-11-02", "2026-11-20") + &line("50", "2026-11-01", "2026-11-01")),
    );
    let first = service.get("/about.json");
    let run = |region: &str, from: &str, to: &str| {
        format!(
            r#"{{"subsystem":"RGK","documents":"contract","region":"{region}","from":"{from}","to":"{to}"}}"#
        )
    };
    let expected = [
        run("50", "2026-11-01", "2026-11-01"),
        run("77", "2026-11-02", "2026-11-20"),
    ];
    assert!(body(&first).contains(&format!(r#""coverage":[{}]"#, expected.join(","))));
    assert_eq!(service.get("/about.json"), first, "the same again");
    service.import(&line("77", "2026-11-01", "2026-11-01"));
    let later = service.get("/about.json");
    assert!(body(&later).contains(&run("77", "2026-11-01", "2026-11-20")));
    assert_ne!(header(&later, "ETag"), header(&first, "ETag"));
}

fn days(folder: &Folder) -> BTreeSet<i64> {
    let database = Database::open(&folder.database()).expect("the database opens");
    let runs = database.coverage().expect("coverage");
    let days = runs
        .iter()
        .flat_map(|run| run.from.days_since_1970()..=run.to.days_since_1970());
    days.collect()
}

proptest! {
    #![proptest_config(few_cases(8))]

    #[test]
    fn coverage_does_not_depend_on_order_and_split(
        spans in prop::collection::vec((0_u64..40, 0_u64..6, 0_usize..3), 1..14),
        order in any::<prop::sample::Index>(),
    ) {
        let start = day("2026-02-20");
        let texts: Vec<(String, usize)> = spans
            .iter()
            .map(|(from, length, part)| {
                let from = start.plus_days(*from);
                let to = from.plus_days(*length);
                (contracts(&from.to_string(), &to.to_string()), *part)
            })
            .collect();
        let expected: BTreeSet<i64> = spans
            .iter()
            .flat_map(|(from, length, _)| *from..=from + length)
            .map(|after| start.plus_days(after).days_since_1970())
            .collect();
        let whole = Folder::new();
        whole.take(texts.iter().map(|(text, _)| text.as_str()).collect::<String>());
        let mut turned = texts.clone();
        turned.rotate_left(order.index(texts.len()));
        turned.reverse();
        let split = Folder::new();
        for number in 0..3 {
            let part = turned.iter().filter(|(_, part)| *part == number);
            split.take(part.map(|(text, _)| text.as_str()).collect::<String>());
        }
        prop_assert_eq!(days(&whole), expected);
        prop_assert_eq!(runs(&whole), runs(&split));
    }
}
