//! Reads the documents of a file that is being built, on any thread, while the writer writes the
//! records derived from them.
//!
//! Each reader has its own connection with one open transaction, which sees the last commit before
//! its start. The tables of documents are not written as long as there are readers, and no page
//! ever moves from one table to another. So readers need no locks, and their pages do not change.
//! Only the first page changes, and the open transaction keeps its own copy of that.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

use rusqlite::params;

use super::documents::Documents;
use super::error::{Error, Result};
use super::file::{OpenFile, open_immutable};
use super::unlinked_purchases::UnlinkedPurchases;
use crate::model::DocumentSubject;

/// Page cache of a reader, in KiB.
const CACHE_KIB: usize = 4 << 10;

/// Temporary tables of the numbers with new documents, and of other purchases whose cards must be
/// derived. Either may be too large to hold in memory.
const LISTS: &str = "\
    CREATE TEMP TABLE new_number (\
        subject INTEGER, number TEXT, PRIMARY KEY (subject, number)) WITHOUT ROWID; \
    CREATE TEMP TABLE other_card (number TEXT PRIMARY KEY) WITHOUT ROWID;";

#[derive(Debug)]
pub struct StoredDocuments {
    pub new: NewNumbers,
    pub readers: DocumentReaders,
}

/// Readers of documents, one per thread.
#[derive(Debug)]
pub struct DocumentReaders {
    first: Mutex<OpenFile>,
    others: Vec<Mutex<OpenFile>>,
}

/// Lists the numbers that have new documents.
#[derive(Debug)]
pub struct NewNumbers {
    file: OpenFile,
    /// Documents with an id greater than this are new.
    pub after: i64,
}

impl StoredDocuments {
    /// Opens the file at `building` for this many threads. All changes must have been committed.
    /// Documents with an id greater than `after` count as new. Messages name the file at `target`.
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
    /// Passes the documents to `read`, using the reader of the thread with this number.
    ///
    /// # Errors
    /// Returns the error of `read`.
    pub fn on<T>(&self, thread: usize, read: impl FnOnce(Documents<'_>) -> Result<T>) -> Result<T> {
        let other = thread.checked_sub(1).and_then(|at| self.others.get(at));
        let reader = other.unwrap_or(&self.first).lock();
        // A panic during a query does not damage the connection.
        let reader = reader.unwrap_or_else(PoisonError::into_inner);
        read(Documents(&reader))
    }
}

impl NewNumbers {
    /// Collects the numbers that have new documents, for [`NewNumbers::listed`]. Returns how many
    /// there are.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or there is no room for a temporary file.
    pub fn list(&self) -> Result<u64> {
        let mut count = 0;
        for subject in DocumentSubject::ALL {
            if self.after == 0 {
                count += Documents(&self.file).count_numbers(subject)?;
                continue;
            }
            let [from, to] = subject.kinds();
            let sql = "INSERT INTO new_number SELECT DISTINCT ?1, number FROM document \
                       WHERE id > ?2 AND kind >= ?3 AND kind < ?4 ORDER BY number";
            let params = params![subject as u8, self.after, from, to];
            count += self.file.change(sql, params)? as u64;
        }
        Ok(count)
    }

    /// Returns up to `count` of the collected numbers that come after `last`, in ascending order.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn listed(&self, subject: DocumentSubject, last: &str, count: u32) -> Result<Vec<String>> {
        if self.after == 0 {
            let numbers = Documents(&self.file).numbers_after(subject, last, count)?;
            return Ok(numbers);
        }
        let sql = "SELECT number FROM new_number WHERE subject = ?1 AND number > ?2 \
                   ORDER BY number LIMIT ?3";
        let params = params![subject as u8, last, count];
        self.file.all(sql, params, |row| row.get(0))
    }

    /// Returns up to `count` of the contracts to which a purchase led, each with the id of its
    /// document and its registry number. The ids are greater than `after` and ascend.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn contracts_after(
        &self,
        purchase: &str,
        after: i64,
        count: u32,
    ) -> Result<Vec<(i64, String)>> {
        Documents(&self.file).contracts_after(purchase, after, count)
    }

    /// Adds purchases whose cards must also be derived. Returns how many of them are new.
    ///
    /// # Errors
    /// Returns an error if there is no room for a temporary file.
    pub fn add_cards(&self, purchases: &[String]) -> Result<u64> {
        let sql = "INSERT OR IGNORE INTO other_card VALUES (?1)";
        let mut added = 0;
        for purchase in purchases {
            added += self.file.change(sql, [purchase])? as u64;
        }
        Ok(added)
    }

    /// Adds the purchases that contracts no longer name, reading `count` at a time. Returns how
    /// many of them are new.
    ///
    /// # Errors
    /// See [`NewNumbers::add_cards`].
    pub fn add_unlinked_cards(&self, count: usize) -> Result<u64> {
        let (mut last, mut added) = (String::new(), 0);
        loop {
            let left = UnlinkedPurchases(&self.file).after(&last, count)?;
            let Some(greatest) = left.last() else {
                return Ok(added);
            };
            last.clone_from(greatest);
            added += self.add_cards(&left)?;
        }
    }

    /// Returns up to `count` of the added purchases that come after `last`, in ascending order.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn cards(&self, last: &str, count: u32) -> Result<Vec<String>> {
        let sql = "SELECT number FROM other_card WHERE number > ?1 ORDER BY number LIMIT ?2";
        self.file.all(sql, params![last, count], |row| row.get(0))
    }
}
