//! A registry of unfair suppliers that its documents prove complete. Days of long ago are lines
//! of coverage, as `fetch` writes them: all 1,131 days would be 407,160 requests.

use eis_service::{Archive, Document, Selection};
use procurement_lookup::import::registry_documents;
use procurement_lookup::model::{Date, PROOF_DAYS, Region};
use serde_json::Value;

use super::super::{Server, succeed};
use super::*;

/// The days of the first update, and the next one.
const BEFORE: &str = "2025-11-19";
const LAST: &str = "2025-11-20";
const NEXT: &str = "2025-11-21";

/// The supplier of the invented entry of 44-FZ, and one that no document names.
const LISTED: &str = "9602008620";
const UNKNOWN: &str = "9602003012";

/// A service that gives out entries of 44-FZ and of 223-FZ: in Moscow, on [`LAST`].
fn start() -> Fetching {
    Fetching::with_contents(Contents::new(|selection| {
        let Selection::Cell { day, region, .. } = selection else {
            return Vec::new();
        };
        let key = selection.to_string();
        let kind = key.rsplit('/').next().expect("a type");
        if (day.as_str(), region.as_str()) != (LAST, "77") || kind.ends_with("Exclude") {
            return Vec::new();
        }
        let path = format!("{}/data/documents/{kind}.xml", env!("CARGO_MANIFEST_DIR"));
        vec![Archive(vec![Document {
            name: format!("{kind}.xml"),
            xml: fs::read(path).expect("an invented document"),
        }])]
    }))
}

fn day(text: &str) -> Date {
    Date::parse_iso(text).expect("a day")
}

/// Imports lines by which the documents of all registries and regions are here from a day to
/// the one before [`BEFORE`].
fn import_coverage(fetching: &Fetching, from: Date) {
    let to = day(BEFORE).minus_days(1);
    let mut lines = String::new();
    for (_, types) in registry_documents() {
        for (documents, region) in types
            .iter()
            .flat_map(|documents| Region::all().iter().map(move |region| (documents, region)))
        {
            lines += &format!(
                r#"{{"type":"coverage","subsystem":"{}","documents":"{}","region":"{}","from":"{from}","to":"{to}"}}"#,
                documents.subsystem, documents.name, region.code
            );
            lines.push('\n');
        }
    }
    super::super::import(fetching.folder.path(), &lines);
}

/// Fetches the registries' documents of these days of all regions, and imports them.
fn update(fetching: &Fetching, from: &str, to: &str) -> Outcome {
    fetching.update(&format!("--what rnp --regions all --from {from} --to {to}"))
}

/// The cell of the service that this pattern matches is not answered.
fn fail(fetching: &Fetching, pattern: &str) {
    let echo = AnswerFault::Echo;
    fetching.service.answer_fault(pattern, echo, Times::Always);
}

/// What `check` says of the registries.
fn checked(fetching: &Fetching) -> Vec<String> {
    let folder = fetching.folder.path();
    let said = succeed(folder, "check --database data.sqlite");
    let lines = said.lines().map(str::trim);
    let lines = lines.filter(|line| line.starts_with("registry ") || line.contains("lacks"));
    lines.map(ToOwned::to_owned).collect()
}

/// The verdicts on the listed supplier and on the unknown one, as of a day, and the state,
/// basis and last day of each registry.
fn verdicts(fetching: &Fetching, as_of: &str) -> (Vec<String>, Vec<String>) {
    let lookup = format!(
        "lookup suppliers {LISTED},{UNKNOWN} --as-of {as_of} --database data.sqlite --format json"
    );
    let body = succeed(fetching.folder.path(), &lookup);
    let answer: Value = serde_json::from_str(&body).expect("JSON");
    let all = |name: &str, fields: &[&str]| {
        let items = answer[name].as_array().expect("a list").iter();
        let texts = items.map(|item| {
            let values = fields.iter().map(|field| item[field].as_str());
            let values: Vec<_> = values.map(Option::unwrap_or_default).collect();
            values.join(" ").trim_end().to_owned()
        });
        texts.collect()
    };
    (
        all("suppliers", &["verdict"]),
        all("registries", &["state", "basis", "completeAsOf"]),
    )
}

/// What `/about.json` says is missing.
fn missing(fetching: &Fetching) -> Value {
    let server = Server::start(fetching.folder.path(), "--database data.sqlite");
    let answer = server.get("/about.json");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    let about: Value = serde_json::from_str(body).expect("JSON");
    about["missing"].clone()
}

#[test]
fn documents_prove_a_registry_once_no_cell_is_missing() {
    let fetching = start();
    import_coverage(&fetching, day(LAST).minus_days(PROOF_DAYS));
    fail(&fetching, "2025-11-19/50/RNP/unfairSupplier2022");
    update(&fetching, BEFORE, LAST).fails("2025-11-19");
    assert_eq!(
        checked(&fetching),
        [
            "registry 44   partial, entries: 2",
            "to be complete as of 2025-11-20 it lacks documents: days 1, cells 1; the first is \
             RNP/unfairSupplier2022 of 2025-11-19, region 50, Moscow Oblast",
            "registry 223  complete as of 2025-11-20 (documents), entries: 1",
            "registry 615  complete as of 2025-11-20 (documents), entries: 0",
        ]
    );
    let expected = serde_json::json!([{
        "federalLaw": "44", "asOf": "2025-11-20", "days": 1, "cells": 1,
        "first": {
            "subsystem": "RNP", "documents": "unfairSupplier2022", "region": "50",
            "day": "2025-11-19",
        },
    }]);
    assert_eq!(missing(&fetching), expected);
    let (said, registries) = verdicts(&fetching, LAST);
    assert_eq!(said, ["listed", "undetermined"]);
    let proved = "complete documents 2025-11-20";
    assert_eq!(registries, ["partial", proved, proved]);

    // The missing cell is the only one that is asked for again.
    fetching.service.clear_faults();
    fetching.service.forget_requests();
    update(&fetching, BEFORE, LAST).succeeds();
    assert_eq!(fetching.service.requests().len(), 1);
    let (said, registries) = verdicts(&fetching, LAST);
    assert_eq!(said, ["listed", "not-listed"]);
    assert_eq!(registries, [proved; 3]);
    assert_eq!(missing(&fetching), serde_json::json!([]));

    // The last night of one law is missing.
    fail(&fetching, "2025-11-21/77/RNP/unfairSupplierIKZ");
    update(&fetching, NEXT, NEXT).fails("2025-11-21");
    let (said, registries) = verdicts(&fetching, NEXT);
    assert_eq!(said, ["listed", "not-listed"]);
    let moved = "complete documents 2025-11-21";
    assert_eq!(registries, [moved, moved, proved]);
    assert_eq!(
        checked(&fetching)[2..],
        [
            "registry 615  complete as of 2025-11-20 (documents), entries: 0",
            "to be complete as of 2025-11-21 it lacks documents: days 1, cells 1; the first is \
             RNP/unfairSupplierIKZ of 2025-11-21, region 77, Moscow",
        ]
    );
}
