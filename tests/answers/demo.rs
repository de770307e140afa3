//! The bundled demonstration data: imported from the lines of the package `generate`, and with
//! every case that it must show.
//!
//! After a change of these lines, write `data/demo.sqlite` again, and build:
//!
//! ```text
//! GOLDEN=bless cargo test --test answers demo
//! ```

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use generate::demonstration;
use procurement_lookup::api::{Answerer, Api, DataSource, Endpoint};
use procurement_lookup::import;
use procurement_lookup::model::{Date, Inn};
use procurement_lookup::store::{KeyRing, Writer};
use serde_json::Value;

use crate::released::is_golden;

fn answerer(source: DataSource) -> Answerer {
    let day = Date::parse_iso("2026-11-21").expect("a date");
    Arc::new(Api::new(source, KeyRing::empty(), Box::new(move || day)))
        .answerer()
        .expect("data")
}

fn records() -> Vec<Value> {
    let record = |line| serde_json::from_str(line).expect("JSON");
    let records: Vec<Value> = demonstration().lines().map(record).collect();
    assert!(records.len() > 600, "{}", records.len());
    records
}

fn text<'a>(value: &'a Value, path: &str) -> &'a str {
    value
        .pointer(path)
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// The INNs of suppliers, and purchase numbers, in the sources.
fn questions() -> (BTreeSet<String>, BTreeSet<String>) {
    let records = records();
    let all = |path: &str| -> BTreeSet<String> {
        let texts = records.iter().map(|record| text(record, path).to_owned());
        texts.filter(|text| !text.is_empty()).collect()
    };
    (all("/supplier/inn"), all("/purchase/purchaseNumber"))
}

/// Every answer about the demonstration data that does not say how complete it is: the bundled
/// data is complete for every day.
fn answers(answerer: &mut Answerer) -> BTreeMap<String, Result<Vec<u8>, Vec<u8>>> {
    let (inns, numbers) = questions();
    let mut answers = BTreeMap::new();
    for format in ["xml", "json"] {
        for inn in &inns {
            for skip in ["0", "200"] {
                let parameters = [
                    ("format", format),
                    ("supplierINN", inn),
                    ("skip", skip),
                    ("limit", "200"),
                ];
                let answer = answerer.look_up_offline(Endpoint::CONTRACTS, &parameters);
                answers.insert(format!("contracts {inn} {skip} {format}"), answer);
            }
            let parameters = [("format", format), ("supplierINN", inn.as_str())];
            let answer = answerer.look_up_offline(Endpoint::RNP_CHECK, &parameters);
            answers.insert(format!("rnp {inn} {format}"), answer);
        }
        for number in &numbers {
            let endpoint = if number.len() == 19 {
                Endpoint::PURCHASE_44
            } else {
                Endpoint::PURCHASE_223
            };
            let parameters = [("format", format), ("purchaseNumber", number.as_str())];
            let answer = answerer.look_up_offline(endpoint, &parameters);
            answers.insert(format!("purchase {number} {format}"), answer);
        }
    }
    answers
}

#[test]
fn the_bundled_data_is_what_import_makes_of_its_sources() {
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("demo.sqlite");
    let source = folder.path().join("demo.jsonl");
    fs::write(&source, demonstration()).expect("written");
    let writer = Writer::open(&database).expect("a database");
    let summary = import::import(&[source], writer, &import::Options::default(), &mut |_| {})
        .expect("an import");
    assert_eq!(summary.skipped, 0, "{summary:?}");
    if is_golden("bless") {
        let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo.sqlite");
        fs::copy(&database, bundled).expect("the bundled data is written");
        return;
    }
    let fresh = answers(&mut answerer(DataSource::File(database)));
    let bundled = answers(&mut answerer(DataSource::Bundled));
    assert!(fresh.values().all(Result::is_ok));
    for (question, answer) in fresh {
        assert!(
            bundled.get(&question) == Some(&answer),
            "{question} differs from what its sources make"
        );
    }
}

#[test]
fn the_control_digits_of_every_inn_are_valid() {
    fn inns(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(members) => {
                for (name, value) in members {
                    match value {
                        Value::String(inn) if name.to_ascii_lowercase().ends_with("inn") => {
                            found.insert(inn.clone());
                        }
                        _ => inns(value, found),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| inns(item, found)),
            _ => {}
        }
    }
    let mut found = BTreeSet::new();
    records().iter().for_each(|record| inns(record, &mut found));
    found.remove("");
    assert!(found.len() > 30, "{}", found.len());
    let wrong: Vec<_> = found
        .iter()
        .filter(|inn| !Inn::parse(inn).is_some_and(|inn| inn.has_control_digits()))
        .collect();
    assert!(wrong.is_empty(), "{wrong:?}");
}

#[test]
fn a_case_stands_by_hand_once_and_has_a_number_of_its_own() {
    let mut keys = BTreeSet::new();
    for record in records() {
        let key = [
            "/contract/regNum",
            "/purchase/purchaseNumber",
            "/entry/registrationNumber",
        ]
        .map(|path| text(&record, path).to_owned());
        if key.iter().any(|key| !key.is_empty()) {
            let line = record.to_string();
            assert!(
                keys.insert(key),
                "twice: {}",
                line.get(..200).unwrap_or(&line)
            );
        }
    }
    let mut names = BTreeMap::new();
    for record in records() {
        let (inn, name) = (
            text(&record, "/supplier/inn"),
            text(&record, "/supplier/name"),
        );
        let known = names
            .entry(inn.to_owned())
            .or_insert_with(|| name.to_owned());
        assert_eq!(*known, name, "{inn} has two names");
    }
}

#[test]
fn every_case_of_contracts_is_there() {
    let records = records();
    let of = |kind: &'static str| {
        records
            .iter()
            .filter(move |record| text(record, "/type") == kind)
    };
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for contract in of("contract") {
        *counts.entry(text(contract, "/supplier/inn")).or_default() += 1;
    }
    assert!(counts.values().any(|count| *count > 200));
    assert!(counts.values().any(|count| *count == 1));
    for stage in ["EC", "ET", "E", "IN"] {
        assert!(
            of("contract").any(|contract| text(contract, "/contract/contractStage") == stage),
            "{stage}"
        );
    }
    for flag in ["Both", "Supplier", "Costomer", "Judge", "Court"] {
        let path = format!("/contract/termination{flag}");
        assert!(
            of("contract").any(|contract| contract.pointer(&path) == Some(&Value::Bool(true))),
            "{flag}"
        );
    }
    let (with_entries, all): (BTreeSet<&str>, BTreeSet<&str>) = (
        of("rnpEntry")
            .map(|entry| text(entry, "/supplier/inn"))
            .collect(),
        records
            .iter()
            .map(|record| text(record, "/supplier/inn"))
            .collect(),
    );
    assert!(
        with_entries.iter().any(|inn| !counts.contains_key(inn)),
        "none but in the RNP"
    );
    assert!(
        all.iter()
            .any(|inn| !inn.is_empty() && !with_entries.contains(inn)),
        "clean"
    );
}

#[test]
fn every_case_of_rnp_entries_is_there() {
    let records = records();
    // Entries last two years; those that the examples are about are of the last months.
    let mut listed: BTreeMap<&str, usize> = BTreeMap::new();
    let mut past = 0;
    for entry in records
        .iter()
        .filter(|record| text(record, "/type") == "rnpEntry")
    {
        let until = text(entry, "/entry/excludeDate");
        if until.is_empty() || until > "2028-09-01" {
            *listed.entry(text(entry, "/supplier/inn")).or_default() += 1;
        }
        past += usize::from(!until.is_empty() && until < "2026");
    }
    assert!(past > 0);
    assert_eq!(listed.get("9602006662"), Some(&1));
    assert_eq!(listed.get("9602003485"), Some(&2), "several at once");
}

#[test]
fn every_case_of_purchases_is_there() {
    let records = records();
    let of = |kind: &str| -> Vec<&Value> {
        let cards = records
            .iter()
            .filter(|record| text(record, "/type") == kind);
        cards.filter_map(|record| record.get("purchase")).collect()
    };
    let lots = |card: &Value| match card.pointer("/lots/lot") {
        Some(Value::Array(lots)) => lots.len(),
        Some(Value::Object(_)) => 1,
        _ => 0,
    };
    for kind in ["purchase44", "purchase223"] {
        let cards = of(kind);
        assert!(
            cards.iter().any(|card| lots(card) == 1),
            "{kind} with one lot"
        );
        assert!(
            cards.iter().any(|card| lots(card) > 1),
            "{kind} with several lots"
        );
    }
    let won44 = |card: &&Value| {
        let lots = card.pointer("/lots/lot").and_then(Value::as_array);
        lots.is_some_and(|lots| lots.iter().any(|lot| !text(lot, "/winner/inn").is_empty()))
    };
    let cards = of("purchase44");
    assert!(
        cards.iter().any(won44) && !cards.iter().all(won44),
        "44 with and without winner"
    );
    let won615 = |card: &&Value| !text(card, "/winner/inn").is_empty();
    let cards = of("purchase615");
    assert!(
        cards.iter().any(won615) && !cards.iter().all(won615),
        "615 with and without winner"
    );
}
