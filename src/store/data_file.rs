//! Reading the data. A file never changes once it has its name, so a connection sees one state of
//! the data for as long as it is open. The statements that read a table are in the source file
//! about that table.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Arc;

use rusqlite::{Connection, MAIN_DB};

use super::contract_items::ItemTable;
use super::error::{Error, Result};
use super::file::{DATA, OpenFile, check_tables, prepared};
use super::page_starts::PageStarts;
use super::registries::registries;
use super::rnp_index::RnpIndex;
use super::unread_entries::unread_entries;
use crate::model::{Registries, UnreadEntries};

/// The demonstration data, made by `tests/answers/demo.rs`.
static BUNDLED: &[u8] = include_bytes!("../../data/demo.sqlite");

/// The name of the bundled data in messages.
const BUNDLED_NAME: &str = "(bundled demonstration data)";

/// A read-only connection to the data.
#[derive(Debug)]
pub(super) struct DataFile {
    pub file: OpenFile,
    pub version: DataVersion,
    /// The state of the registries of unfair suppliers.
    pub registries: Registries,
    pub unread: UnreadEntries,
    /// The number of contracts of whose items nothing but codes and sums is known.
    pub contracts_without_items: u64,
    pub rnp: Arc<RnpIndex>,
    pub page_starts: RefCell<PageStarts>,
    /// Whether this is the demonstration data.
    pub is_bundled: bool,
}

/// The version of the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataVersion {
    /// A random number. Each import that changes the data draws a new one.
    pub identity: i64,
    /// The number of imports that have changed the data.
    pub revision: i64,
    /// The time of the last change, in seconds since 1970.
    pub updated: i64,
}

/// The numbers of records in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordCounts {
    /// Suppliers.
    pub suppliers: u64,
    /// Contracts, each counted once for each of its suppliers.
    pub contracts: u64,
    /// Purchases.
    pub purchases: u64,
    /// RNP entries, of any date.
    pub rnp_entries: u64,
}

impl DataFile {
    /// Opens an existing file. Checks its kind and format, the length of the file, its tables,
    /// columns and indexes, and the beginning of each table; this costs the same for a file of any
    /// size. Reads and proves the registry of unfair suppliers, which takes some 0.1 s for 300,000
    /// entries. If `other` has the same data, both share the proved registry. [`super::check()`] reads
    /// the whole file.
    ///
    /// # Errors
    /// Missing, foreign, of another format, or damaged: a sentence with the remedy.
    pub fn open(path: &Path, other: Option<&Self>) -> Result<Self> {
        let file = DATA.open_to_read(path)?;
        check_tables(&file)?;
        Self::with_file(file, other)
    }

    /// The demonstration data that is part of the program, in memory.
    ///
    /// # Errors
    /// Only if the program was built with a damaged file.
    pub fn bundled() -> Result<Self> {
        let path = Path::new(BUNDLED_NAME);
        let image = Connection::open_in_memory()
            .and_then(prepared)
            .and_then(|mut connection| {
                connection.deserialize_read_exact(MAIN_DB, BUNDLED, BUNDLED.len(), true)?;
                Ok(connection)
            });
        let connection = image.map_err(|error| Error::sqlite(path, error))?;
        let file = OpenFile::new(connection, path);
        DATA.check(&file)?;
        let mut data = Self::with_file(file, None)?;
        data.is_bundled = true;
        data.registries.of_every_day = true;
        Ok(data)
    }

    fn with_file(file: OpenFile, other: Option<&Self>) -> Result<Self> {
        // One transaction while the file is open, so that no statement has to begin one.
        file.batch("BEGIN")?;
        let version = version(&file)?;
        let rnp = match other.filter(|other| other.version == version) {
            Some(other) => Arc::clone(&other.rnp),
            None => Arc::new(RnpIndex::load(&file)?),
        };
        Ok(Self {
            version,
            registries: registries(&file)?,
            unread: unread_entries(&file)?,
            contracts_without_items: ItemTable(&file).total()?.without_items.unsigned_abs(),
            rnp,
            page_starts: RefCell::default(),
            is_bundled: false,
            file,
        })
    }
}

/// The version of the data in a file.
pub(super) fn version(file: &OpenFile) -> Result<DataVersion> {
    let sql = "SELECT identity, revision, updated FROM meta \
               WHERE sum = row_sum(identity, revision, updated)";
    let version = file.one(sql, (), |row| {
        Ok(DataVersion {
            identity: row.get(0)?,
            revision: row.get(1)?,
            updated: row.get(2)?,
        })
    })?;
    let what = "the row that says which data this is cannot be read";
    version.ok_or_else(|| file.damaged(what))
}

/// Gives the data a new version; `now` is in seconds since 1970.
pub(super) fn set_new_version(file: &OpenFile, now: i64) -> Result<()> {
    // A new random identity: two states of the data never share an entity tag, even if the clock is
    // wrong or files were copied.
    let sql = "UPDATE meta SET identity = new.identity, revision = revision + 1, \
               updated = ?1, sum = row_sum(new.identity, revision + 1, ?1) \
               FROM (SELECT random() AS identity) AS new";
    file.execute(sql, [now])
}
