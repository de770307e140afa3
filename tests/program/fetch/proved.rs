//! Downloaded documents prove that a registry of unfair suppliers is complete. For most of the
//! 1,131 days, coverage lines like those of `fetch` stand in for the documents, which would take
//! 407,160 requests.

use eis_service::{Archive, Document};
use procurement_lookup::import::registry_documents;
use procurement_lookup::model::{Date, PROOF_DAYS, Region};
use serde_json::Value;

use super::super::{Server, succeed};
use super::*;

/// First day that is actually fetched. Coverage lines stand in for the days before.
const BEFORE: &str = "2025-11-19";
const LAST: &str = "2025-11-20";

/// Returns an archive with an invented document.
fn archive(kind: &str) -> Vec<Archive> {
    let name = format!("{kind}.xml");
    let path = format!("{}/data/documents/{name}", env!("CARGO_MANIFEST_DIR"));
    let xml = fs::read(path).expect("an invented document");
    vec![Archive(vec![Document { name, xml }])]
}

/// Returns coverage lines for all registries and regions, for the days before [`BEFORE`].
fn earlier_days() -> String {
    let day = |text| Date::parse_iso(text).expect("a day");
    let from = day(LAST).minus_days(PROOF_DAYS);
    let to = day(BEFORE).minus_days(1);
    let mut lines = String::new();
    for documents in registry_documents().iter().flat_map(|(_, types)| types) {
        for region in Region::all() {
            lines += &format!(
                r#"{{"type":"coverage","subsystem":"{}","documents":"{}","region":"{}","from":"{from}","to":"{to}"}}"#,
                documents.subsystem, documents.name, region.code
            );
            lines.push('\n');
        }
    }
    lines
}

/// Fetches and imports the registries' documents for all regions.
fn update(fetching: &Fetching) -> Outcome {
    let days = format!("--from {BEFORE} --to {LAST}");
    fetching.update(&format!("--what rnp --regions all {days}"))
}

/// Returns the state of the registries according to `check`, and the missing documents according to
/// `/about.json`.
fn registry_state(fetching: &Fetching) -> (Vec<String>, Value) {
    let folder = fetching.folder.path();
    let output = succeed(folder, "check --database data.sqlite");
    let lines = output.lines().map(str::trim);
    let lines = lines.filter(|line| line.starts_with("registry ") || line.contains("are missing"));
    let server = Server::start(folder, "--database data.sqlite");
    let answer = server.get("/about.json");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    let about: Value = serde_json::from_str(body).expect("JSON");
    (lines.map(str::to_owned).collect(), about["missing"].clone())
}

#[test]
fn documents_prove_a_registry_once_no_cell_is_missing() {
    let fetching = Fetching::with_contents(Contents::table(vec![
        (
            "2025-11-20/77/RNP/unfairSupplier2022",
            archive("unfairSupplier2022"),
        ),
        (
            "2025-11-20/77/RNP223/dishonestSupplier",
            archive("dishonestSupplier"),
        ),
    ]));
    super::super::import(fetching.folder.path(), &earlier_days());
    let missing = "2025-11-19/50/RNP/unfairSupplier2022";
    fetching.service.fault(missing, Fault::Echo, Times::Always);
    update(&fetching).fails("2025-11-19");
    let (registries, missing) = registry_state(&fetching);
    assert_eq!(
        registries,
        [
            "registry 44   partial, entries: 1",
            "for completeness as of 2025-11-20, documents are missing: days 1, cells 1; the first is \
             RNP/unfairSupplier2022 of 2025-11-19, region 50, Moscow Oblast",
            "registry 223  complete as of 2025-11-20 (documents), entries: 1",
            "registry 615  none, entries: 0",
        ]
    );
    let expected = serde_json::json!([{
        "federalLaw": "44", "asOf": "2025-11-20", "days": 1, "cells": 1,
        "first": {
            "subsystem": "RNP", "documents": "unfairSupplier2022", "region": "50",
            "day": "2025-11-19",
        },
    }]);
    assert_eq!(missing, expected);

    // Only the missing cell is requested again.
    fetching.service.clear_faults();
    fetching.service.forget_requests();
    update(&fetching).succeeds();
    assert_eq!(fetching.service.requests().len(), 1);
    let (registries, missing) = registry_state(&fetching);
    let complete = "registry 44   complete as of 2025-11-20 (documents), entries: 1";
    assert_eq!(registries[0], complete);
    assert_eq!(missing, serde_json::json!([]));
}
