//! Lines between two merges: they wait in temporary tables, so that SQLite puts them in
//! order: contracts once by registry number, for their keys, and once by supplier and
//! place, for their rows. So each page of the file is written once a merge, in order, and
//! not once for each contract that happens to be on it; and a first import fills pages to
//! their end.

use rusqlite::params;

use super::super::building::folder_of;
use super::super::contract_rows::Place;
use super::super::error::Result;
use super::super::open_file::OpenFile;
use super::super::record;
use super::line::{ENTRY_KIND, Packed, PackedContract, SUPPLIER_KIND, purchase_kind};
use super::supplier_ids::SupplierIds;
use crate::model::{Inn, PurchaseNumber, Supplier};

/// How much is staged, in bytes, before it is to be merged: some 12 million contracts.
/// It bounds the temporary files, the log beside the database, and what a killed import
/// loses.
pub(in crate::store) const STAGED_BYTES: u64 = 8 << 30;

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
pub(in crate::store) fn make_tables(db: &OpenFile) -> Result<()> {
    // Beside the file, as there is room for another: the system's folder may be memory.
    if let Some(folder) = folder_of(&db.path).to_str() {
        let folder = folder.replace('\'', "''");
        db.batch(&format!("PRAGMA temp_store_directory = '{folder}'"))?;
    }
    db.batch(TABLES)
}

/// What waits to be merged.
#[derive(Debug, Default)]
pub(in crate::store) struct Staging {
    /// How many lines about contracts.
    pub contracts: u64,
    bytes: u64,
    supplier_ids: SupplierIds,
}

/// What lines other than contracts are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::store) enum About {
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
