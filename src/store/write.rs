//! Writing the data: all that one import takes in is one transaction, written in
//! batches that memory bounds. An import that is killed leaves the state before it;
//! a reader sees that state until the import is done.
//!
//! What official documents say outranks what lines say about the same contract
//! or RNP entry, in whatever order they come; so taking the same in again changes
//! nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::Connection;

use super::batch::{Batch, Document, DocumentContent, DocumentKind, Tally};
use super::error::{Error, Result};
use super::file::DATA;
use super::writing::Writing;
use crate::model::{Contract, Purchase, RnpEntry, Supplier};

/// How much is taken in, in bytes of memory, before it is written.
const BATCH_BYTES: usize = 64 << 20;

/// Takes records and documents in.
#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    path: PathBuf,
    batch: Batch,
    tallies: BTreeMap<&'static str, Tally>,
    /// Has anything that was written changed the data?
    changed: bool,
    /// What RNP entries were taken in: laws and registration numbers.
    laws: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

impl Writer {
    /// Opens the file to write, making it if there is none.
    ///
    /// # Errors
    /// Foreign, of another format, damaged, locked, or not to be written.
    pub fn open(path: &Path) -> Result<Self> {
        let connection = DATA.open_to_write(path)?;
        // The lock is taken now: that another process has it is better known before
        // the reading begins. What is not committed goes with the connection.
        connection
            .execute_batch("PRAGMA cache_size = -65536; BEGIN IMMEDIATE;")
            .map_err(|error| Error::sqlite(path, error))?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            batch: Batch::default(),
            tallies: BTreeMap::new(),
            changed: false,
            laws: BTreeSet::new(),
            numbers: BTreeSet::new(),
        })
    }

    /// Takes in a line about a supplier's contract.
    ///
    /// # Errors
    /// The file cannot be written; so for all of these.
    pub fn contract(
        &mut self,
        kind: &'static str,
        supplier: &Supplier,
        contract: &Contract,
    ) -> Result<()> {
        self.batch.contract(&self.path, kind, supplier, contract)?;
        self.write_if_large()
    }

    /// Takes in a line about a purchase.
    ///
    /// # Errors
    /// As [`Writer::contract`].
    pub fn purchase(&mut self, kind: &'static str, purchase: &Purchase) -> Result<()> {
        self.batch.purchase(&self.path, kind, purchase)?;
        self.write_if_large()
    }

    /// Takes in a line about an RNP entry.
    ///
    /// # Errors
    /// As [`Writer::contract`].
    pub fn rnp_entry(
        &mut self,
        kind: &'static str,
        supplier: &Supplier,
        entry: &RnpEntry,
    ) -> Result<()> {
        self.laws.insert(entry.federal_law.clone());
        self.numbers.insert(entry.registration_number.clone());
        self.batch.entry(&self.path, kind, supplier, entry)?;
        self.write_if_large()
    }

    /// Takes in a line about a supplier itself.
    ///
    /// # Errors
    /// As [`Writer::contract`].
    pub fn supplier(&mut self, kind: &'static str, supplier: &Supplier) -> Result<()> {
        self.batch.supplier(kind, supplier);
        self.write_if_large()
    }

    /// Takes in an official document.
    ///
    /// # Errors
    /// As [`Writer::contract`].
    pub fn document(&mut self, document: Document) -> Result<()> {
        if document.kind == DocumentKind::RnpEntry {
            self.numbers.insert(document.key.clone());
            if let DocumentContent::RnpEntry(Some((_, entry))) = &document.content {
                self.laws.insert(entry.federal_law.clone());
            }
        }
        self.batch.document(&self.path, document)?;
        self.write_if_large()
    }

    /// Ends the transaction: from now on what was taken in is the data.
    ///
    /// # Errors
    /// The file cannot be written; it is then as it was before.
    pub fn finish(self) -> Result<BTreeMap<&'static str, Tally>> {
        self.finish_with(false).map(|(tallies, _)| tallies)
    }

    /// Like [`Writer::finish`], and takes what RNP entries came in for the whole
    /// registry of each law among them: earlier entries of these laws go. How
    /// many did?
    ///
    /// # Errors
    /// As [`Writer::finish`].
    pub fn finish_replacing_rnp(self) -> Result<(BTreeMap<&'static str, Tally>, u64)> {
        self.finish_with(true)
    }

    fn finish_with(mut self, replace: bool) -> Result<(BTreeMap<&'static str, Tally>, u64)> {
        let gone = self.write(replace)?;
        let sqlite = |error| Error::sqlite(&self.path, error);
        if self.changed {
            let sql = "UPDATE meta SET revision = revision + 1, updated = ?1";
            self.connection
                .execute(sql, [seconds_now()])
                .map_err(sqlite)?;
        }
        self.connection.execute_batch("COMMIT").map_err(sqlite)?;
        // Best effort: a reader may hold the log back; the next import tries again.
        let _ = self
            .connection
            .execute_batch("PRAGMA optimize; PRAGMA wal_checkpoint(TRUNCATE);");
        Ok((self.tallies, gone))
    }

    fn write_if_large(&mut self) -> Result<()> {
        if self.batch.size() >= BATCH_BYTES {
            self.write(false)?;
        }
        Ok(())
    }

    /// Writes the batch; how many RNP entries went?
    fn write(&mut self, replace_rnp: bool) -> Result<u64> {
        let batch = std::mem::take(&mut self.batch);
        let mut writing = Writing::new(&self.connection, &self.path);
        writing.batch(batch)?;
        let gone = if replace_rnp {
            writing.remove_entries_not_in(&self.laws, &self.numbers)?
        } else {
            0
        };
        let (tallies, changed) = writing.finish()?;
        self.changed |= changed;
        for (kind, written) in tallies {
            let tally = self.tallies.entry(kind).or_default();
            tally.new += written.new;
            tally.newer += written.newer;
            tally.unchanged += written.unchanged;
        }
        Ok(gone)
    }
}

fn seconds_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}
