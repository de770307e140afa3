//! JSON Lines on their way into the file. They are packed by the threads that parse, and wait
//! in temporary tables, so that lines about one thing meet, however far apart they came, and
//! SQLite puts them in order: contracts once by registry number, for their keys, and once by
//! supplier and place, for their rows (`line_merge`). So each page of the file is written
//! once a merge, in order, a large supplier whose lines come in any order costs no more than
//! another, and a first import fills pages to their end.

use std::path::Path;

use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::building::folder_of;
use super::contracts::Place;
use super::error::Result;
use super::file::OpenFile;
use super::record;
use super::suppliers::SupplierIds;
use crate::model::{Contract, Date, Inn, Purchase, PurchaseNumber, Regime, RnpEntry, Supplier};

/// What messages call what a record that cannot be kept was in.
const SOURCE: &str = "a line";

/// A line, ready to be kept.
#[derive(Debug)]
pub struct PackedLine(pub(super) Packed);

#[derive(Debug)]
pub(super) enum Packed {
    Contract(Supplier, PackedContract),
    Purchase(Regime, String, Vec<u8>),
    RnpEntry(Supplier, String, EntryLine),
    Supplier(Supplier),
    /// The registry of a law is complete as of a day.
    Registry(Regime, Date),
}

#[derive(Debug)]
pub(super) struct PackedContract {
    pub place: Place,
    pub digest: i64,
    pub record: Vec<u8>,
}

/// An RNP entry, and whom it is about.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryLine {
    pub inn: Inn,
    pub federal_law: String,
    pub record: Vec<u8>,
}

impl PackedLine {
    /// A supplier's contract.
    pub fn contract(supplier: Supplier, contract: &Contract) -> Self {
        let record = record::encode_contract(contract);
        let contract = PackedContract {
            place: Place::of(contract),
            digest: record::digest(&record),
            record,
        };
        Self(Packed::Contract(supplier, contract))
    }

    /// A purchase.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn purchase(purchase: &Purchase) -> Result<Self> {
        let number = purchase.number();
        let record = record::encode_purchase(Path::new(SOURCE), purchase)?;
        let packed = Packed::Purchase(number.regime(), number.to_string(), record);
        Ok(Self(packed))
    }

    /// An RNP entry about a supplier.
    ///
    /// # Errors
    /// It cannot be kept.
    pub fn rnp_entry(supplier: Supplier, entry: &RnpEntry) -> Result<Self> {
        let line = EntryLine {
            inn: supplier.inn.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode_entry(Path::new(SOURCE), &supplier.inn, entry)?,
        };
        let number = entry.registration_number.clone();
        Ok(Self(Packed::RnpEntry(supplier, number, line)))
    }

    /// A supplier itself.
    pub fn supplier(supplier: Supplier) -> Self {
        Self(Packed::Supplier(supplier))
    }

    /// That the registry of unfair suppliers of a law is complete as of a day.
    pub fn registry(law: Regime, complete_as_of: Date) -> Self {
        Self(Packed::Registry(law, complete_as_of))
    }

    /// What it is counted as.
    pub fn kind(&self) -> &'static str {
        match &self.0 {
            Packed::Contract(..) => CONTRACT_KIND,
            Packed::Purchase(regime, ..) => purchase_kind(*regime),
            Packed::RnpEntry(..) => ENTRY_KIND,
            Packed::Supplier(_) => SUPPLIER_KIND,
            Packed::Registry(..) => REGISTRY_KIND,
        }
    }

    /// About how many bytes of memory it takes.
    pub fn weight(&self) -> usize {
        const OVERHEAD: usize = 400;
        let bytes = match &self.0 {
            Packed::Contract(_, contract) => contract.record.capacity(),
            Packed::Purchase(_, _, record) => record.capacity(),
            Packed::RnpEntry(_, _, entry) => entry.record.capacity(),
            Packed::Supplier(_) | Packed::Registry(..) => 0,
        };
        bytes + OVERHEAD
    }
}

/// What contracts' lines are counted as.
pub(super) const CONTRACT_KIND: &str = "contract (JSON line)";
/// What those of RNP entries are.
pub(super) const ENTRY_KIND: &str = "rnpEntry (JSON line)";
/// What those of suppliers are.
pub(super) const SUPPLIER_KIND: &str = "supplier (JSON line)";
/// What those of registries are.
pub(super) const REGISTRY_KIND: &str = "registry (JSON line)";

/// What those of purchases are.
pub(super) fn purchase_kind(regime: Regime) -> &'static str {
    match regime {
        Regime::Fz44 => "purchase44 (JSON line)",
        Regime::Fz223 => "purchase223 (JSON line)",
        Regime::Pp615 => "purchase615 (JSON line)",
    }
}

/// How much is staged, in bytes, before it is to be merged: some 12 million contracts.
/// It bounds the temporary files, the journal, and what a killed import loses.
pub(super) const STAGED_BYTES: u64 = 8 << 30;

/// The tables; a contract without a record is a row that is to go.
const TABLES: &str = "
    CREATE TEMP TABLE contract_line (
        line      INTEGER PRIMARY KEY,
        supplier  INTEGER NOT NULL,
        sign_date INTEGER NOT NULL,
        reg_num   TEXT    NOT NULL,
        digest    INTEGER,
        record    BLOB
    ) STRICT;
    CREATE TEMP TABLE other_line (
        line  INTEGER PRIMARY KEY,
        kind  INTEGER NOT NULL,
        about TEXT    NOT NULL,
        value BLOB    NOT NULL
    ) STRICT;";

/// Makes the tables that lines wait in.
pub(super) fn make_tables(db: &OpenFile) -> Result<()> {
    // Beside the file, as there is room for another: the system's folder may be memory.
    if let Some(folder) = folder_of(&db.path).to_str() {
        let folder = folder.replace('\'', "''");
        db.batch(&format!("PRAGMA temp_store_directory = '{folder}'"))?;
    }
    db.batch(TABLES)
}

/// What waits to be merged.
#[derive(Debug, Default)]
pub(super) struct Staging {
    /// How many lines about contracts.
    pub contracts: u64,
    bytes: u64,
    supplier_ids: SupplierIds,
}

/// What lines other than contracts are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum About {
    /// The name of a supplier, which lines of all kinds give.
    Name(Inn),
    /// A supplier itself.
    Supplier(Inn),
    /// An RNP entry, by its registration number.
    RnpEntry(String),
    /// A purchase, by its number.
    Purchase(String),
}

impl About {
    /// What the lines are counted as; none where they are counted otherwise.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Name(_) => None,
            Self::Supplier(_) => Some(SUPPLIER_KIND),
            Self::RnpEntry(_) => Some(ENTRY_KIND),
            Self::Purchase(number) => {
                PurchaseNumber::parse(number).map(|number| purchase_kind(number.regime()))
            }
        }
    }

    fn to_key(&self) -> (u8, &str) {
        match self {
            Self::Name(inn) => (0, inn.as_str()),
            Self::Supplier(inn) => (1, inn.as_str()),
            Self::RnpEntry(number) => (2, number),
            Self::Purchase(number) => (3, number),
        }
    }

    /// That of a row of `other_line`.
    pub fn from_key(kind: u8, text: String) -> Option<Self> {
        match kind {
            0 => Inn::parse(&text).map(Self::Name),
            1 => Inn::parse(&text).map(Self::Supplier),
            2 => Some(Self::RnpEntry(text)),
            3 => Some(Self::Purchase(text)),
            _ => None,
        }
    }
}

impl Staging {
    /// Is so much staged that it is to be merged?
    pub fn is_full(&self) -> bool {
        self.bytes >= STAGED_BYTES
    }

    /// Nothing waits any more.
    pub fn clear(&mut self) {
        (self.contracts, self.bytes) = (0, 0);
    }

    /// Takes a line in.
    pub fn add(&mut self, db: &OpenFile, line: Packed) -> Result<()> {
        match line {
            Packed::Contract(supplier, contract) => {
                let id = self.named(db, &supplier)?;
                self.add_contract(db, id, &contract)
            }
            Packed::Purchase(_, number, record) => {
                self.add_other(db, &About::Purchase(number), &record)
            }
            Packed::RnpEntry(supplier, number, entry) => {
                self.named(db, &supplier)?;
                let value = record::encode(&db.path, &entry)?;
                self.add_other(db, &About::RnpEntry(number), &value)
            }
            Packed::Supplier(supplier) => {
                self.named(db, &supplier)?;
                self.add_other(db, &About::Supplier(supplier.inn), &[])
            }
            // Waits elsewhere.
            Packed::Registry(..) => Ok(()),
        }
    }

    /// The id of a supplier, whose name is to be as a line gives it.
    fn named(&mut self, db: &OpenFile, supplier: &Supplier) -> Result<i64> {
        let (id, is_renamed) = self.supplier_ids.find(db, supplier)?;
        if is_renamed {
            let about = About::Name(supplier.inn.clone());
            self.add_other(db, &about, supplier.name.as_bytes())?;
        }
        Ok(id)
    }

    /// Takes a line about a contract of the supplier with this id in.
    pub fn add_contract(
        &mut self,
        db: &OpenFile,
        supplier: i64,
        contract: &PackedContract,
    ) -> Result<()> {
        let sql = "INSERT INTO contract_line (supplier, sign_date, reg_num, digest, record) \
                   VALUES (?1, ?2, ?3, ?4, ?5)";
        let Place { sign_date, reg_num } = &contract.place;
        let (digest, record) = (contract.digest, &contract.record);
        self.contracts += 1;
        self.bytes += (record.len() + reg_num.len()) as u64;
        db.execute(sql, params![supplier, sign_date, reg_num, digest, record])
    }

    fn add_other(&mut self, db: &OpenFile, about: &About, value: &[u8]) -> Result<()> {
        let sql = "INSERT INTO other_line (kind, about, value) VALUES (?1, ?2, ?3)";
        let (kind, text) = about.to_key();
        self.bytes += (text.len() + value.len()) as u64;
        db.execute(sql, params![kind, text, value])
    }
}
