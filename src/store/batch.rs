//! What has been taken in and not yet written: of several lines about one thing
//! the last counts, of several versions of a document the newest. Contracts that lines
//! give wait elsewhere ([`super::staging`]).

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use super::contract_rows::Place;
use super::document::{Document, DocumentKind};
use super::lines::PackedEntry;
use crate::model::Inn;

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

impl Tally {
    /// Counts what another counts, too.
    pub(super) fn add(&mut self, other: Self) {
        self.new += other.new;
        self.newer += other.newer;
        self.unchanged += other.unchanged;
    }
}

/// One thing that lines were about, as the last of them has it.
#[derive(Debug)]
pub(super) struct Pending<T> {
    /// The kind of line or document it is counted as; none if it is not counted.
    pub kind: Option<String>,
    pub value: T,
}

/// A contract that is to be listed under a supplier.
#[derive(Debug, PartialEq)]
pub(super) struct ListedContract {
    pub place: Place,
    /// Shared by all suppliers of a contract.
    pub record: Arc<[u8]>,
}

#[derive(Debug, PartialEq)]
pub(super) struct EntryLine {
    pub inn: Inn,
    pub federal_law: String,
    pub record: Vec<u8>,
}

/// Everything taken in since the last batch was written.
#[derive(Debug, Default)]
pub(super) struct Batch {
    /// By number.
    pub purchases: BTreeMap<String, Pending<Vec<u8>>>,
    /// By registration number.
    pub entries: BTreeMap<String, Pending<EntryLine>>,
    /// Suppliers given as records of their own.
    pub stated: BTreeMap<Inn, Pending<()>>,
    /// The last name that is not empty.
    pub names: BTreeMap<Inn, String>,
    /// By number, kind and key.
    pub documents: BTreeMap<(String, DocumentKind, String), Pending<Document>>,
    /// What became of those that others of the batch replaced or outranked.
    pub tallies: BTreeMap<String, Tally>,
    bytes: usize,
    document_bytes: usize,
}

/// What a record is reckoned to need in memory beside its bytes.
const OVERHEAD: usize = 300;

impl<T> Pending<T> {
    fn new(kind: Option<&str>, value: T) -> Self {
        Self {
            kind: kind.map(str::to_owned),
            value,
        }
    }
}

/// Replaces what an earlier line said; what became of that is counted.
fn put<K: Ord, T: PartialEq>(
    map: &mut BTreeMap<K, Pending<T>>,
    tallies: &mut BTreeMap<String, Tally>,
    key: K,
    kind: &str,
    value: T,
) {
    match map.entry(key) {
        Entry::Vacant(place) => {
            place.insert(Pending::new(Some(kind), value));
        }
        Entry::Occupied(mut place) => {
            let pending = place.get_mut();
            let tally = tally_of(tallies, kind);
            if pending.value == value {
                tally.unchanged += 1;
            } else {
                tally.newer += 1;
            }
            pending.value = value;
        }
    }
}

/// The tally of a kind.
pub(super) fn tally_of<'a>(tallies: &'a mut BTreeMap<String, Tally>, kind: &str) -> &'a mut Tally {
    tallies.entry(kind.to_owned()).or_default()
}

impl Batch {
    /// About how much memory it takes, in bytes.
    pub fn size(&self) -> usize {
        self.bytes
    }

    /// The last name that is not empty counts.
    pub fn name(&mut self, inn: &Inn, name: &str) {
        let previous = self.names.insert(inn.clone(), name.to_owned());
        if previous.is_none() {
            self.bytes += name.len() + OVERHEAD;
        }
    }

    pub fn purchase(&mut self, kind: &str, number: String, record: Vec<u8>) {
        self.bytes += record.len() + OVERHEAD;
        put(&mut self.purchases, &mut self.tallies, number, kind, record);
    }

    pub fn entry(&mut self, kind: &str, inn: Inn, entry: PackedEntry) {
        let line = EntryLine {
            inn,
            federal_law: entry.federal_law,
            record: entry.record,
        };
        self.bytes += line.record.len() + OVERHEAD;
        put(
            &mut self.entries,
            &mut self.tallies,
            entry.number,
            kind,
            line,
        );
    }

    pub fn supplier(&mut self, kind: &str, inn: Inn) {
        self.bytes += OVERHEAD;
        put(&mut self.stated, &mut self.tallies, inn, kind, ());
    }

    /// About how much of it documents are, in bytes.
    pub fn documents_size(&self) -> usize {
        self.document_bytes
    }

    /// Takes a document in; `kind` is what it is counted as, if it is.
    pub fn document(&mut self, kind: Option<&str>, document: Document) {
        self.bytes += document.facts.len() + OVERHEAD;
        self.document_bytes += document.facts.len() + OVERHEAD;
        match self.documents.entry(document.identity()) {
            Entry::Vacant(place) => {
                place.insert(Pending::new(kind, document));
            }
            Entry::Occupied(mut place) => {
                let pending = place.get_mut();
                let mut beside = Tally::default();
                let tally = match kind {
                    Some(kind) => tally_of(&mut self.tallies, kind),
                    None => &mut beside,
                };
                if pending.value.rank() < document.rank() {
                    tally.newer += 1;
                    pending.value = document;
                } else {
                    tally.unchanged += 1;
                }
            }
        }
    }
}
