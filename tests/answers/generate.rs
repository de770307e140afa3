//! Synthetic data: the same for the same seed, as large as requested, and with every field of
//! the demonstration data. As its bytes are pinned, nothing else of it is tested.

use std::collections::BTreeSet;

use generate::{CASES, Plan, generate};
use procurement_lookup::import::{Event, Options, import};
use procurement_lookup::store::{Writer, check};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn plan(suppliers: u64, contracts: u64, purchases: u64, seed: u64) -> Plan {
    Plan {
        suppliers,
        contracts,
        purchases,
        seed,
    }
}

fn text(plan: Plan) -> String {
    let mut out = Vec::new();
    generate(plan, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("UTF-8")
}

fn lines(text: &str) -> Vec<Value> {
    let line = |line| serde_json::from_str(line).expect("a line is JSON");
    text.lines().map(line).collect()
}

fn of_type<'a>(lines: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> + Clone {
    lines.iter().filter(move |line| line["type"] == kind)
}

fn string<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_ever() {
    let hash = Sha256::digest(text(plan(300, 2_000, 200, 7)));
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    // A change of what is generated changes this, and every measurement made with it.
    assert_eq!(
        hash,
        "5b851ba139aa512e44c7272b39304a495657797ca8cf007678d053aeb3226bbe"
    );
}

#[test]
fn another_seed_gives_other_bytes() {
    assert_ne!(text(plan(30, 50, 5, 1)), text(plan(30, 50, 5, 2)));
}

#[test]
fn the_import_takes_every_line_and_the_check_finds_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, database) = (
        folder.path().join("a.jsonl"),
        folder.path().join("a.sqlite"),
    );
    std::fs::write(&path, text(plan(400, 3_000, 400, 23))).expect("written");
    let mut problems = Vec::new();
    let writer = Writer::open(&database).expect("a database");
    let summary = import(&[path], writer, &Options::default(), &mut |event| {
        if let Event::Problem(what) = event {
            problems.push(what.to_owned());
        }
    });
    assert!(summary.is_ok() && problems.is_empty(), "{problems:#?}");
    let contents = check(&database).expect("a sound database");
    assert_eq!(
        (contents.suppliers, contents.contracts, contents.purchases),
        (400, 3_000, 400)
    );
}

/// Every path of fields under `value` that has a value.
fn filled(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                filled(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| filled(item, path, found)),
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        _ => {
            found.insert(path.to_owned());
        }
    }
}

#[test]
fn every_field_that_the_demonstration_data_has_occurs_with_a_value() {
    let lines = lines(&text(plan(4_000, 20_000, 2_000, 29)));
    let (mut here, mut there) = (BTreeSet::new(), BTreeSet::new());
    for line in &lines {
        filled(line, string(line, "type"), &mut here);
    }
    for line in self::lines(CASES) {
        filled(&line, string(&line, "type"), &mut there);
    }
    let missing: Vec<_> = there.difference(&here).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(there.len() > 200);
    for flag in [
        "terminationBoth",
        "terminationSupplier",
        "terminationCostomer",
        "terminationJudge",
        "terminationCourt",
    ] {
        assert!(
            of_type(&lines, "contract").any(|line| line["contract"][flag] == true),
            "{flag}"
        );
    }
    let values = |kind: &'static str, field: &'static str, name: &'static str| -> BTreeSet<&str> {
        of_type(&lines, kind)
            .map(|line| string(&line[field], name))
            .collect()
    };
    assert_eq!(values("contract", "contract", "contractStage").len(), 4);
    assert_eq!(values("rnpEntry", "entry", "federalLaw").len(), 3);
}
