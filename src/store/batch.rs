//! What has been taken in and not yet written: of several lines about one thing
//! the last counts, of several versions of a document the newest.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::contract_rows::Place;
use super::error::Result;
use super::record;
use crate::model::{Contract, Inn, Purchase, RnpEntry, Supplier};

/// What an official document is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DocumentKind {
    /// A contract under 44-FZ.
    Contract = 1,
    /// A change to its execution.
    Procedure = 2,
    /// Its annulment.
    ContractCancel = 3,
    /// The cancellation of such a change.
    ProcedureCancel = 4,
    /// A notice under 44-FZ.
    Notice44 = 16,
    /// When its first version was published.
    FirstNotice44 = 17,
    /// Its cancellation.
    NoticeCancel44 = 18,
    /// New dates in it.
    NoticeChange44 = 19,
    /// A protocol under 44-FZ.
    Protocol44 = 20,
    /// Its cancellation.
    ProtocolCancel44 = 21,
    /// A notice under 223-FZ.
    Notice223 = 32,
    /// The rejection of a purchase under 223-FZ.
    Rejection223 = 33,
    /// A protocol under 223-FZ.
    Protocol223 = 34,
    /// A contract under 223-FZ.
    Contract223 = 35,
    /// The cancellation of a lot of a purchase under 223-FZ.
    LotCancel223 = 36,
    /// A notice under PP-615.
    Notice615 = 48,
    /// A protocol under PP-615.
    Protocol615 = 49,
    /// Its cancellation.
    ProtocolCancel615 = 50,
    /// A contract under PP-615.
    Contract615 = 51,
    /// An entry of the registry of unfair suppliers.
    RnpEntry = 64,
    /// Its exclusion.
    RnpExclusion = 65,
}

impl DocumentKind {
    /// The name of its element.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contract => "contract",
            _ => "unfairSupplier",
        }
    }
}

/// An official document: what it is about, which version it is, what it says.
///
/// Of one (kind, key) the greatest (version, published, content) counts, in
/// whatever order they come.
#[derive(Clone, Debug)]
pub struct Document {
    /// What it is about.
    pub kind: DocumentKind,
    /// Which one of that kind.
    pub key: String,
    /// The version it says it is; 0 where the kind has none.
    pub version: i64,
    /// When it was published, in milliseconds since 1970.
    pub published: i64,
    /// What it says.
    pub content: DocumentContent,
}

/// What a document says, as the records it gives.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum DocumentContent {
    /// A contract, and those it was concluded with: it is listed under each.
    Contract {
        /// The contract.
        contract: Box<Contract>,
        /// The suppliers that have an INN.
        suppliers: Vec<Supplier>,
    },
    /// An RNP entry; none where there is none to serve (an inclusion refused, a
    /// supplier without an INN).
    RnpEntry(Option<(Supplier, RnpEntry)>),
}

/// What became of the lines or documents of one kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// About something that was not there.
    pub new: u64,
    /// Replaced what was there.
    pub newer: u64,
    /// Said what was there already, or less than what outranks it.
    pub unchanged: u64,
}

/// One thing that lines were about, as the last of them has it.
#[derive(Debug)]
pub(super) struct Pending<T> {
    /// The kind of line, for the summary.
    pub kind: &'static str,
    /// How many lines there were.
    pub lines: u64,
    pub value: T,
}

#[derive(Debug)]
pub(super) struct ContractLine {
    pub place: Place,
    pub record: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct EntryLine {
    pub inn: Inn,
    pub federal_law: String,
    pub record: Vec<u8>,
}

#[derive(Debug)]
pub(super) struct DocumentVersion {
    pub version: i64,
    pub published: i64,
    /// The bytes of the content.
    pub facts: Vec<u8>,
    pub content: DocumentContent,
}

/// Everything taken in since the last batch was written.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// By registry number and INN.
    pub contracts: BTreeMap<(String, Inn), Pending<ContractLine>>,
    /// By number.
    pub purchases: BTreeMap<String, Pending<Vec<u8>>>,
    /// By registration number.
    pub entries: BTreeMap<String, Pending<EntryLine>>,
    /// Suppliers given as records of their own.
    pub stated: BTreeMap<Inn, Pending<()>>,
    /// The last name that is not empty.
    pub names: BTreeMap<Inn, String>,
    /// By kind and key.
    pub documents: BTreeMap<(DocumentKind, String), Pending<DocumentVersion>>,
    bytes: usize,
}

/// What a record is reckoned to need in memory beside its bytes.
const OVERHEAD: usize = 300;

/// Replaces what an earlier line said.
fn put<K: Ord, T>(map: &mut BTreeMap<K, Pending<T>>, key: K, kind: &'static str, value: T) {
    let earlier = map.get(&key).map_or(0, |pending| pending.lines);
    map.insert(
        key,
        Pending {
            kind,
            lines: earlier + 1,
            value,
        },
    );
}

impl Batch {
    /// About how much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        self.bytes
    }

    fn name(&mut self, supplier: &Supplier) {
        if !supplier.name.is_empty() {
            self.names
                .insert(supplier.inn.clone(), supplier.name.clone());
        }
    }

    pub fn contract(
        &mut self,
        file: &Path,
        kind: &'static str,
        supplier: &Supplier,
        contract: &Contract,
    ) -> Result<()> {
        let record = record::encode(file, contract)?;
        self.bytes += record.len() + OVERHEAD;
        self.name(supplier);
        let key = (contract.reg_num.clone(), supplier.inn.clone());
        put(
            &mut self.contracts,
            key,
            kind,
            ContractLine {
                place: Place::of(contract),
                record,
            },
        );
        Ok(())
    }

    pub fn purchase(&mut self, file: &Path, kind: &'static str, purchase: &Purchase) -> Result<()> {
        let record = record::encode(file, purchase)?;
        self.bytes += record.len() + OVERHEAD;
        put(
            &mut self.purchases,
            purchase.number().to_string(),
            kind,
            record,
        );
        Ok(())
    }

    pub fn entry(
        &mut self,
        file: &Path,
        kind: &'static str,
        supplier: &Supplier,
        entry: &RnpEntry,
    ) -> Result<()> {
        let line = EntryLine {
            inn: supplier.inn.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode(file, entry)?,
        };
        self.bytes += line.record.len() + OVERHEAD;
        self.name(supplier);
        put(
            &mut self.entries,
            entry.registration_number.clone(),
            kind,
            line,
        );
        Ok(())
    }

    pub fn supplier(&mut self, kind: &'static str, supplier: &Supplier) {
        self.bytes += supplier.name.len() + OVERHEAD;
        self.name(supplier);
        put(&mut self.stated, supplier.inn.clone(), kind, ());
    }

    pub fn document(&mut self, file: &Path, document: Document) -> Result<()> {
        let Document {
            kind,
            key,
            version,
            published,
            content,
        } = document;
        let facts = record::encode(file, &content)?;
        self.bytes += 3 * facts.len() + OVERHEAD;
        let key = (kind, key);
        let version = DocumentVersion {
            version,
            published,
            facts,
            content,
        };
        match self.documents.get_mut(&key) {
            Some(earlier) => {
                earlier.lines += 1;
                if earlier.value.rank() < version.rank() {
                    earlier.value = version;
                }
            }
            None => put(&mut self.documents, key, kind.name(), version),
        }
        Ok(())
    }
}

impl DocumentVersion {
    /// The greatest one counts.
    pub fn rank(&self) -> (i64, i64, &[u8]) {
        (self.version, self.published, &self.facts)
    }
}

impl DocumentContent {
    /// The suppliers with an INN in it, under which it can be found.
    pub fn suppliers(&self) -> &[Supplier] {
        match self {
            Self::Contract { suppliers, .. } => suppliers,
            Self::RnpEntry(None) => &[],
            Self::RnpEntry(Some((supplier, _))) => std::slice::from_ref(supplier),
        }
    }
}
