//! Importing official documents: every field that is mapped, in the form of each schema
//! version; versions, suppliers and lines that outrank each other; malformed files and
//! archives; and real documents, if available.
//!
//! The documents in `tests/answers/documents` are invented, modelled on real ones.

mod again;
mod archives;
mod derived;
mod family;
mod fields;
mod folders;
mod interrupted;
mod linked;
mod malformed;
mod names;
mod real;
mod refused;
mod registry;
mod replacing;
mod schemas;
mod sources;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use procurement_lookup::api::Endpoint;
use procurement_lookup::import::{
    Event, MAX_DEPTH, MAX_DOCUMENT_FILE, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_FACTS, MAX_NESTED,
    MAX_NUMBER, MAX_RATIO, MAX_SUPPLIERS, Options, Summary, import, read_only,
};
use procurement_lookup::model::{Inn, LogPosition, Purchase, Supplier};
use procurement_lookup::store::{self, DataVersion, Database, PackedLine, ReplacedAsOf, Writer};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::import::folder;
use crate::source::Source;

/// A document of `data/documents`.
fn sample(name: &str) -> String {
    let path = format!("{}/data/documents/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// A folder with documents to import and a database.
struct Folder(folder::Folder);

impl Folder {
    fn new() -> Self {
        Self(folder::Folder::new())
    }

    fn database(&self) -> PathBuf {
        self.0.database()
    }

    fn import_paths(&self, paths: &[PathBuf], replace_rnp: bool) -> (Summary, Vec<String>) {
        let today = ReplacedAsOf::Today(folder::day("2026-11-20"));
        self.0.import_paths(paths, replace_rnp.then_some(today))
    }

    /// Imports a file with this name and content. Returns the summary and the reported
    /// problems, without the folder's path.
    fn import(&self, name: &str, content: impl AsRef<[u8]>) -> (Summary, Vec<String>) {
        let path = self.0.write(name, content);
        self.import_paths(&[path], false)
    }

    /// Imports a valid document.
    fn take(&self, xml: impl AsRef<[u8]>) -> Summary {
        let (summary, problems) = self.import("x.xml", xml);
        assert_eq!(problems, [""; 0]);
        summary
    }

    /// Imports valid lines.
    fn take_lines(&self, lines: &str) -> Summary {
        let (summary, problems) = self.import("x.jsonl", lines);
        assert_eq!(problems, [""; 0]);
        summary
    }

    fn answers(&self) -> Answers {
        self.answers_on("2025-06-15")
    }

    fn answers_on(&self, day: &str) -> Answers {
        Answers(folder::Answers::on(
            day,
            Some(Source::new(&self.database())),
        ))
    }

    fn version(&self) -> DataVersion {
        self.0.version()
    }
}

struct Answers(folder::Answers);

/// A JSON object, its values as they are written.
type Fields = BTreeMap<String, Box<RawValue>>;

#[derive(Deserialize)]
struct Page {
    #[serde(rename = "supplierIName")]
    name: Option<String>,
    #[serde(rename = "totalcount")]
    total: u64,
    contracts: Vec<Fields>,
}

#[derive(Deserialize)]
struct Registry {
    #[serde(rename = "supplierName")]
    name: Option<String>,
    #[serde(rename = "inRNP")]
    listed: bool,
    entries: Vec<Fields>,
}

impl Answers {
    fn body(&mut self, endpoint: &'static Endpoint, parameters: &[(&str, &str)]) -> String {
        self.0.ask(endpoint, parameters)
    }

    fn json(&mut self, endpoint: &'static Endpoint, inn: &str) -> String {
        self.body(endpoint, &[("format", "json"), ("supplierINN", inn)])
    }

    fn page(&mut self, inn: &str) -> Page {
        self.page_of(inn, 100)
    }

    fn page_of(&mut self, inn: &str, limit: u32) -> Page {
        let limit = limit.to_string();
        let parameters = [("format", "json"), ("supplierINN", inn), ("limit", &limit)];
        let json = self.body(Endpoint::CONTRACTS, &parameters);
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
    }

    fn registry(&mut self, inn: &str) -> Registry {
        let json = self.json(Endpoint::RNP_CHECK, inn);
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
    }

    /// The entries of a supplier, of which there need not be anything.
    fn registry_if_any(&mut self, inn: &str) -> Vec<Fields> {
        let json = self.json(Endpoint::RNP_CHECK, inn);
        serde_json::from_str(&json).map_or_else(|_| Vec::new(), |found: Registry| found.entries)
    }

    fn name(&mut self, inn: &str) -> String {
        self.page(inn).name.unwrap_or_default()
    }

    /// A field of each of a supplier's contracts.
    fn of_contracts(&mut self, inn: &str, field: &str) -> Vec<String> {
        let contracts = self.page(inn).contracts;
        contracts
            .iter()
            .map(|contract| contract[field].get().to_owned())
            .collect()
    }

    /// A field of the only contract of a supplier.
    fn of_contract(&mut self, inn: &str, field: &str) -> String {
        let mut values = self.of_contracts(inn, field);
        assert_eq!(values.len(), 1, "{inn} has one contract");
        values.remove(0)
    }
}

fn line(inn: &str, number: &str) -> String {
    format!(
        r#"{{"type":"contract","supplier":{{"inn":"{inn}"}},"contract":{{"regNum":"{number}","updateDate":"1999-09-09"}}}}"#
    )
}

/// The answers that the last import that changed anything changed, as `kind key what`.
fn changes_of(folder: &Folder) -> Vec<String> {
    let database = Database::open(&folder.database()).expect("the database opens");
    let last = database.version().revision.unsigned_abs();
    let before = LogPosition::after_revision(last - 1);
    let changes = database.changes_after(&before, u64::MAX).expect("the log");
    let named = changes.iter().map(|change| {
        let (kind, key) = (change.subject.kind(), change.subject.key());
        format!("{kind} {key} {}", change.part.code())
    });
    named.collect()
}

const A: &str = "9600000016";

const GOOD: &str = "<contract><regNum>1</regNum><suppliers><supplier><inn>9600000016</inn></supplier></suppliers></contract>";
