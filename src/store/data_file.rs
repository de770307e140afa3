//! Opens data files for reading. The statements that read a table are in the source file about that
//! table.

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

const BUNDLED_NAME: &str = "(bundled demonstration data)";

/// An open data file, with the data that is read once when it is opened.
#[derive(Debug)]
pub(super) struct DataFile {
    pub file: OpenFile,
    pub version: DataVersion,
    pub registries: Registries,
    pub unread: UnreadEntries,
    /// Number of contracts whose items are known only by code and sum.
    pub contracts_without_items: u64,
    pub rnp: Arc<RnpIndex>,
    pub page_starts: RefCell<PageStarts>,
    pub is_bundled: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataVersion {
    /// A random number, replaced by each import that changes the data.
    pub identity: i64,
    /// Number of imports that have changed the data.
    pub revision: i64,
    /// Time of the last change, in seconds since 1970.
    pub updated: i64,
}

/// Number of records in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordCounts {
    pub suppliers: u64,
    /// A contract counts once for each of its suppliers.
    pub contracts: u64,
    pub purchases: u64,
    /// All RNP entries, including those no longer in force.
    pub rnp_entries: u64,
}

impl DataFile {
    /// Opens an existing file. Checks what can be checked in constant time: kind and format, the
    /// length of the file, the tables and indexes, and the first row of each table. Also reads the
    /// registry of unfair suppliers and verifies that it is complete, which takes about 0.1 s for
    /// 300,000 entries. If `other` has the same data, this connection shares its verified registry.
    /// [`super::check()`] reads the whole file.
    ///
    /// # Errors
    /// Returns a sentence that says what to do if the file is missing, not a data file, in another
    /// format, or damaged.
    pub fn open(path: &Path, other: Option<&Self>) -> Result<Self> {
        let file = DATA.open_to_read(path)?;
        check_tables(&file)?;
        Self::with_file(file, other)
    }

    /// Opens a file as [`DataFile::open`] does, without mapping it into memory.
    ///
    /// # Errors
    /// See [`DataFile::open`].
    pub fn open_unmapped(path: &Path) -> Result<Self> {
        let file = DATA.open_to_read(path)?;
        file.unmap()?;
        check_tables(&file)?;
        Self::with_file(file, None)
    }

    /// Opens the demonstration data that is built into the program.
    ///
    /// # Errors
    /// Fails only if the program was built with a damaged file.
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
        // The transaction stays open, so that no statement has to start one.
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
    let what = "the row with the version of the data cannot be read";
    version.ok_or_else(|| file.damaged(what))
}

/// Gives the data a new version; `now` is in seconds since 1970.
pub(super) fn set_new_version(file: &OpenFile, now: i64) -> Result<()> {
    // Because the identity is random, two states of the data never have the same entity tags, even
    // if the clock is wrong or files were copied.
    let sql = "UPDATE meta SET identity = new.identity, revision = revision + 1, \
               updated = ?1, sum = row_sum(new.identity, revision + 1, ?1) \
               FROM (SELECT random() AS identity) AS new";
    file.execute(sql, [now])
}
