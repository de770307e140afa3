//! Reading the documents of a file that is being built, on any thread, while the writer writes the
//! records that are derived from them.
//!
//! Each reader has a connection of its own with one transaction, which sees the last commit before
//! it. The tables of documents are not written until the readers are gone, and a page of one table
//! never moves to another. So a reader needs no lock, and finds each of its pages as it was. Only the
//! first page changes, which the open transaction holds.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::params;

use super::documents::Documents;
use super::error::{Error, Result};
use super::file::{OpenFile, open_immutable};
use super::purchases_left::PurchasesLeft;
use crate::model::DocumentSubject;

/// The page cache of a reader, in KiB.
const CACHE_KIB: usize = 4 << 10;

/// The numbers with new documents, and the purchases of contracts whose card must be derived. They
/// are in temporary tables, as their number has no bound.
const LISTS: &str = "\
    CREATE TEMP TABLE new_number (number TEXT PRIMARY KEY) WITHOUT ROWID; \
    CREATE TEMP TABLE other_card (number TEXT PRIMARY KEY) WITHOUT ROWID;";

/// The documents in a file that is being built.
#[derive(Debug)]
pub struct StoredDocuments {
    /// The numbers of those that are new.
    pub new: NewNumbers,
    /// The readers of their facts.
    pub readers: DocumentReaders,
}

/// Readers of documents, for one thread each.
#[derive(Debug)]
pub struct DocumentReaders {
    first: Mutex<OpenFile>,
    others: Vec<Mutex<OpenFile>>,
}

/// The numbers of new documents.
#[derive(Debug)]
pub struct NewNumbers {
    file: OpenFile,
    /// Documents with a greater id are new.
    pub after: i64,
}

impl StoredDocuments {
    /// Opens the file at `building`, all of whose changes are committed, for so many threads.
    /// Documents with a greater id than `after` are new. Messages name the file at `target`.
    pub(super) fn open(building: &Path, target: &Path, threads: usize, after: i64) -> Result<Self> {
        let open = || {
            let connection = open_immutable(building);
            let connection = connection.map_err(|error| Error::sqlite(target, error))?;
            let file = OpenFile::new(connection, target);
            file.batch(&format!("PRAGMA cache_size = -{CACHE_KIB}; BEGIN"))?;
            Documents(&file).is_empty()?;
            Ok(file)
        };
        let others = (1..threads).map(|_| open().map(Mutex::new));
        let readers = DocumentReaders {
            first: Mutex::new(open()?),
            others: others.collect::<Result<_>>()?,
        };
        let new = NewNumbers {
            file: open()?,
            after,
        };
        new.file.batch(LISTS)?;
        Ok(Self { new, readers })
    }
}

impl DocumentReaders {
    /// Passes the documents to `read`, by the reader of the thread with this number.
    ///
    /// # Errors
    /// The error of `read`.
    pub fn on<T>(&self, thread: usize, read: impl FnOnce(Documents<'_>) -> Result<T>) -> Result<T> {
        let other = thread.checked_sub(1).and_then(|at| self.others.get(at));
        let reader = other.unwrap_or(&self.first).lock();
        // A panic in the middle of a query leaves nothing behind in a connection.
        let reader = reader.unwrap_or_else(PoisonError::into_inner);
        read(Documents(&reader))
    }
}

impl NewNumbers {
    /// Lists the numbers of this subject that have new documents, for [`NewNumbers::listed`].
    ///
    /// # Errors
    /// The file cannot be read, or there is no room for a temporary file.
    pub fn list(&self, subject: DocumentSubject) -> Result<()> {
        self.file.execute("DELETE FROM new_number", ())?;
        if self.after == 0 {
            return Ok(());
        }
        let [from, to] = subject.kinds();
        let sql = "INSERT INTO new_number SELECT DISTINCT number FROM document \
                   WHERE id > ?1 AND kind >= ?2 AND kind < ?3 ORDER BY number";
        self.file.execute(sql, params![self.after, from, to])
    }

    /// Returns up to `count` of the listed numbers that come after `last`, in order.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn listed(&self, subject: DocumentSubject, last: &str, count: u32) -> Result<Vec<String>> {
        if self.after == 0 {
            let numbers = Documents(&self.file).numbers_after(subject, last, count)?;
            return Ok(numbers);
        }
        let sql = "SELECT number FROM new_number WHERE number > ?1 ORDER BY number LIMIT ?2";
        self.file.all(sql, params![last, count], |row| row.get(0))
    }

    /// Returns up to `count` contracts concluded after a purchase, from the document after `after`
    /// on: the ids of their documents and their registry numbers.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn contracts_after(
        &self,
        purchase: &str,
        after: i64,
        count: u32,
    ) -> Result<Vec<(i64, String)>> {
        Documents(&self.file).contracts_after(purchase, after, count)
    }

    /// Adds purchases to those whose cards must be derived besides.
    ///
    /// # Errors
    /// There is no room for a temporary file.
    pub fn add_cards(&self, purchases: &[String]) -> Result<()> {
        let sql = "INSERT OR IGNORE INTO other_card VALUES (?1)";
        let mut purchases = purchases.iter();
        purchases.try_for_each(|purchase| self.file.execute(sql, [purchase]))
    }

    /// Adds the purchases that contracts have left.
    ///
    /// # Errors
    /// As [`NewNumbers::add_cards`].
    pub fn add_cards_left(&self, count: usize) -> Result<()> {
        let mut last = String::new();
        loop {
            let left = PurchasesLeft(&self.file).after(&last, count)?;
            let Some(greatest) = left.last() else {
                return Ok(());
            };
            last.clone_from(greatest);
            self.add_cards(&left)?;
        }
    }

    /// Returns up to `count` of the added purchases that come after `last`, in order.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn cards(&self, last: &str, count: u32) -> Result<Vec<String>> {
        let sql = "SELECT number FROM other_card WHERE number > ?1 ORDER BY number LIMIT ?2";
        self.file.all(sql, params![last, count], |row| row.get(0))
    }
}
