//! Imports of official documents: every field in the form of each schema version; which versions,
//! suppliers and lines outrank others; malformed files and archives; and real documents, if they
//! are available.
//!
//! The documents in `tests/answers/documents` are invented, but modelled on real ones.

mod again;
pub mod archives;
mod contracts;
pub mod derived;
mod family;
mod fields;
mod folders;
mod given_out;
mod interrupted;
mod labels;
mod linked;
mod malformed;
mod many_contracts;
mod names;
mod real;
mod real_alone;
mod real_since_2021;
mod refused;
mod registry;
mod replacing;
mod schemas;
mod sources;
mod unread;
mod winners;
mod winners44;

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
use procurement_lookup::store::{self, Database, PackedLine, Writer};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

pub use derived::records;

use crate::import::folder::{self, Answers, Folder};
use crate::source::Source;

fn sample(name: &str) -> String {
    let path = format!("{}/data/documents/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

impl Folder {
    fn import_file(&self, name: &str, content: impl AsRef<[u8]>) -> (Summary, Vec<String>) {
        let path = self.write(name, content);
        self.import_paths(&[path], false)
    }

    /// Imports a document that must be valid.
    fn take_xml(&self, xml: impl AsRef<[u8]>) -> Summary {
        let (summary, problems) = self.import_file("x.xml", xml);
        assert_eq!(problems, [""; 0]);
        summary
    }

    fn answers_on(&self, day: &str) -> Answers {
        Answers::on(day, Source::new(&self.database()))
    }
}

/// A JSON object whose values are not parsed.
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
    fn json(&mut self, endpoint: &'static Endpoint, inn: &str) -> String {
        self.ask(endpoint, &[("format", "json"), ("supplierINN", inn)])
    }

    fn contract_page(&mut self, inn: &str) -> Page {
        self.page_of(inn, 100)
    }

    fn page_of(&mut self, inn: &str, limit: u32) -> Page {
        let limit = limit.to_string();
        let parameters = [("format", "json"), ("supplierINN", inn), ("limit", &limit)];
        let json = self.ask(Endpoint::CONTRACTS, &parameters);
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
    }

    fn registry(&mut self, inn: &str) -> Registry {
        let json = self.json(Endpoint::RNP_CHECK, inn);
        serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"))
    }

    /// Returns the entries of a supplier, or an empty vector if the supplier is unknown.
    fn registry_if_any(&mut self, inn: &str) -> Vec<Fields> {
        let json = self.json(Endpoint::RNP_CHECK, inn);
        serde_json::from_str(&json).map_or_else(|_| Vec::new(), |found: Registry| found.entries)
    }

    fn of_contracts(&mut self, inn: &str, field: &str) -> Vec<String> {
        let contracts = self.contract_page(inn).contracts;
        contracts
            .iter()
            .map(|contract| contract[field].get().to_owned())
            .collect()
    }

    /// Returns the value of a field in the only contract of a supplier.
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

/// Returns what the last import with changes has changed, as `kind key what`.
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
