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
use procurement_lookup::model::Date;
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
    let mut add = |endpoint: &'static Endpoint, name, value: &str, skip| {
        let parameters = [(name, value), ("skip", skip), ("limit", "200")];
        let answer = answerer.look_up_offline(endpoint, &parameters);
        answers.insert(format!("{} {value} {skip}", endpoint.path), answer);
    };
    for inn in &inns {
        add(Endpoint::CONTRACTS, "supplierINN", inn, "0");
        add(Endpoint::CONTRACTS, "supplierINN", inn, "200");
        add(Endpoint::RNP_CHECK, "supplierINN", inn, "");
    }
    for number in &numbers {
        let endpoint = match number.len() {
            19 => Endpoint::PURCHASE_44,
            _ => Endpoint::PURCHASE_223,
        };
        add(endpoint, "purchaseNumber", number, "");
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
