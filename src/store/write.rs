//! Writing the data: what an import takes in is written in batches that memory
//! bounds, and committed at its end, or at commit points that the importer sets. An
//! import that is killed leaves the state of its last commit; a reader sees that
//! state until the next one.
//!
//! What official documents say outranks what lines say about the same contract,
//! purchase or RNP entry, in whatever order they come; so taking the same in again
//! changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, MAIN_DB, params};

use super::batch::{Batch, Tally};
use super::building::Building;
use super::changes::{ChangeCount, Changed, Changes};
use super::connection::Connected;
use super::document::{Document, DocumentKind};
use super::error::{Error, Result};
use super::file::DATA;
use super::lines::{CONTRACT_KIND, Packed, PackedLine, Staging, SupplierIds, merging};
use super::wal_files;
use super::writing::{Writing, Written};
use crate::model::Supplier;

/// How much is taken in, in bytes of memory, before it is to be written.
const BATCH_BYTES: usize = 16 << 20;

/// How much documents come to, in bytes of memory, before there is a commit point. It
/// bounds the log beside the database, and what a killed import loses; for lines,
/// `lines/staging.rs` does.
const COMMIT_BYTES: usize = 512 << 20;

/// The page cache of the connection, in KiB.
const CACHE_KIB: usize = 40 << 10;

/// Takes records and documents in.
#[derive(Debug)]
pub struct Writer {
    connection: Connection,
    /// The file is not in its place yet.
    building: Option<Building>,
    path: PathBuf,
    batch: Batch,
    staging: Staging,
    supplier_ids: SupplierIds,
    tallies: BTreeMap<String, Tally>,
    /// Has anything changed since the last commit?
    changed: bool,
    /// SQLite's count of changed rows, also such as change no answer, at the last commit.
    changes_committed: u64,
    /// What documents came to since the last commit, in bytes of memory.
    uncommitted: usize,
    /// What RNP entries were taken in: laws and registration numbers.
    laws: BTreeSet<String>,
    numbers: BTreeSet<String>,
}

/// The SHA-256 of an archive.
pub type ArchiveDigest = [u8; 32];

impl Writer {
    /// Opens the file to write, making it if there is none.
    ///
    /// # Errors
    /// Foreign, of another format, damaged, locked, or not to be written.
    pub fn open(path: &Path) -> Result<Self> {
        if fs::metadata(path).is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0) {
            wal_files::settle(path)?;
        }
        let (building, connection) = match Building::begin(path)? {
            Some((building, connection)) => (Some(building), connection),
            None => (None, DATA.open_to_write(path)?),
        };
        // The lock is taken now: that another process has it is better known before
        // the reading begins. What is not committed goes with the connection.
        let statements = format!("PRAGMA cache_size = -{CACHE_KIB}; BEGIN IMMEDIATE;");
        connection
            .execute_batch(&statements)
            .map_err(|error| Error::sqlite(path, error))?;
        let changes_committed = connection.total_changes();
        Ok(Self {
            connection,
            building,
            path: path.to_owned(),
            batch: Batch::default(),
            staging: Staging::new(path),
            supplier_ids: SupplierIds::default(),
            tallies: BTreeMap::new(),
            changed: false,
            changes_committed,
            uncommitted: 0,
            laws: BTreeSet::new(),
            numbers: BTreeSet::new(),
        })
    }

    /// Takes a line in.
    ///
    /// # Errors
    /// It cannot be kept: the file, or the temporary one beside it, cannot be written.
    pub fn line(&mut self, line: PackedLine) -> Result<()> {
        let kind = line.kind();
        match line.0 {
            Packed::Contract(supplier, contract) => {
                let id = self.named(&supplier)?;
                self.staging.add(id, &contract)?;
            }
            Packed::Purchase(_, number, record) => self.batch.purchase(kind, number, record),
            Packed::RnpEntry(supplier, entry) => {
                self.laws.insert(entry.federal_law.clone());
                self.numbers.insert(entry.number.clone());
                self.named(&supplier)?;
                self.batch.entry(kind, supplier.inn, entry);
            }
            Packed::Supplier(supplier) => {
                self.named(&supplier)?;
                self.batch.supplier(kind, supplier.inn);
            }
        }
        Ok(())
    }

    /// The id of a supplier, whose name is to be as a line gives it.
    fn named(&mut self, supplier: &Supplier) -> Result<i64> {
        let db = Connected {
            connection: &self.connection,
            path: &self.path,
        };
        let (id, is_renamed) = self.supplier_ids.find(db, supplier)?;
        if is_renamed {
            self.batch.name(&supplier.inn, &supplier.name);
        }
        Ok(id)
    }

    /// Takes in what an official document says; `kind` is what it is counted as, if
    /// it is: of several things that one document says only the first.
    pub fn document(&mut self, kind: Option<&str>, document: Document) {
        if document.kind == DocumentKind::RnpEntry {
            self.numbers.insert(document.number.clone());
        }
        self.batch.document(kind, document);
    }

    /// The RNP entries of this law are among what is taken in.
    pub fn rnp_law(&mut self, law: &str) {
        if !self.laws.contains(law) {
            self.laws.insert(law.to_owned());
        }
    }

    /// Is so much taken in that it is to be written?
    pub fn is_full(&self) -> bool {
        self.batch.size() >= BATCH_BYTES
    }

    /// Writes what was taken in; `derive` is to set the records that documents in it
    /// touch.
    ///
    /// # Errors
    /// The file cannot be written, or what `derive` returned.
    pub fn write<E: From<Error>>(
        &mut self,
        derive: impl FnOnce(&mut Writing<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let batch = std::mem::take(&mut self.batch);
        self.uncommitted += batch.documents_size();
        let mut writing = Writing::new(self.connected());
        writing.batch(batch)?;
        derive(&mut writing)?;
        let written = writing.finish()?;
        self.take_written(written)?;
        Ok(())
    }

    /// Is so much written or staged since the last commit that there is to be one?
    pub fn is_commit_due(&self) -> bool {
        self.uncommitted >= COMMIT_BYTES || self.staging.is_full()
    }

    /// Are so many contracts staged that they are to be merged?
    pub fn is_staging_full(&self) -> bool {
        self.staging.is_full()
    }

    /// Merges the contracts that lines gave into the file, after [`Writer::write`]: what
    /// documents say is then in it, and outranks them.
    ///
    /// # Errors
    /// The file, or the temporary one beside it, cannot be written.
    pub fn merge_contracts(&mut self) -> Result<()> {
        let staging = std::mem::replace(&mut self.staging, Staging::new(&self.path));
        if staging.lines == 0 {
            return Ok(());
        }
        let (lines, started) = (staging.lines, Instant::now());
        let merged = merging::merge(self.connected(), staging)?;
        let took = started.elapsed().as_millis();
        log::debug!("merged {lines} lines about contracts in {took} ms");
        self.changed |= merged.changed;
        let tally = self.tallies.entry(CONTRACT_KIND.to_owned()).or_default();
        tally.add(merged.tally);
        Ok(())
    }

    /// What was written becomes the data, and the import can go on.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn commit(&mut self) -> Result<()> {
        self.merge_contracts()?;
        self.end_transaction()?;
        self.connection
            .execute_batch("BEGIN IMMEDIATE")
            .map_err(|error| Error::sqlite(&self.path, error))
    }

    /// Removes the RNP entries that were not taken in, of each law of which any was;
    /// how many were removed? `derive` is as in [`Writer::write`], which is to be
    /// called before.
    ///
    /// # Errors
    /// As [`Writer::write`].
    pub fn remove_other_rnp_entries<E: From<Error>>(
        &mut self,
        derive: impl FnOnce(&mut Writing<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<u64, E> {
        let mut writing = Writing::new(self.connected());
        let gone = writing.remove_entries_not_in(&self.laws, &self.numbers)?;
        derive(&mut writing)?;
        let written = writing.finish()?;
        self.take_written(written)?;
        Ok(gone)
    }

    /// Whose answers were changed, given to `each`, and how many.
    ///
    /// # Errors
    /// The file cannot be read, or what `each` returned.
    pub fn changes(&self, each: impl FnMut(Changed) -> Result<()>) -> Result<ChangeCount> {
        let changes = Changes::new(&self.connection, &self.path);
        changes.each(each)?;
        changes.count()
    }

    /// How many suppliers' and purchases' answers were changed?
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn change_count(&self) -> Result<ChangeCount> {
        Changes::new(&self.connection, &self.path).count()
    }

    /// The archives that earlier imports took in whole, and what was counted in them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn archives(&self) -> Result<BTreeMap<ArchiveDigest, Vec<u8>>> {
        let sql = "SELECT digest, counted FROM archive";
        let archives = self
            .connected()
            .all(sql, (), |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(archives.into_iter().collect())
    }

    /// An archive has been taken in whole, and `counted` was in it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn archive_done(&self, digest: &ArchiveDigest, counted: &[u8]) -> Result<()> {
        let sql = "INSERT OR REPLACE INTO archive (digest, counted) VALUES (?1, ?2)";
        self.connected().execute(sql, params![digest, counted])
    }

    /// Forgets that archives were taken in, as what was in them may be gone.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn forget_archives(&self) -> Result<()> {
        self.connected().execute("DELETE FROM archive", ())
    }

    /// Ends the import: what was written becomes the data. What became of the lines
    /// and documents, by kind?
    ///
    /// # Errors
    /// The file cannot be written; it is then as at the last commit.
    pub fn finish(mut self) -> Result<BTreeMap<String, Tally>> {
        self.merge_contracts()?;
        Changes::new(&self.connection, &self.path).clear()?;
        self.end_transaction()?;
        // Best effort: a reader may hold the log back; the next import tries again.
        let _ = self.connection.execute_batch("PRAGMA optimize;");
        if !self.is_all_in_the_file() {
            log::warn!(
                "{}: a part of the data is still in the log beside it, as another process reads it; it is read all the same, but do not move or copy the file without its -wal until the next import",
                self.path.display()
            );
        }
        Ok(self.tallies)
    }

    /// Writes the log into the file and empties it, so that the file alone holds all
    /// data; could that be done? It waits for readers, as long as for another lock.
    fn is_all_in_the_file(&self) -> bool {
        let sql = "PRAGMA wal_checkpoint(TRUNCATE)";
        let busy = self
            .connection
            .query_row(sql, (), |row| row.get::<_, i64>(0));
        busy.is_ok_and(|busy| busy == 0)
    }

    /// Undoes what was written since the last commit; what had become of it, by kind?
    /// For fuzzing, which takes many inputs in on one connection.
    ///
    /// # Errors
    /// The file cannot be written.
    #[doc(hidden)]
    pub fn discard(&mut self) -> Result<BTreeMap<String, Tally>> {
        self.batch = Batch::default();
        self.staging = Staging::new(&self.path);
        self.supplier_ids = SupplierIds::default();
        (self.changed, self.uncommitted) = (false, 0);
        self.laws.clear();
        self.numbers.clear();
        self.connection
            .execute_batch("ROLLBACK; BEGIN IMMEDIATE")
            .map_err(|error| Error::sqlite(&self.path, error))?;
        Ok(std::mem::take(&mut self.tallies))
    }

    /// The file as it would be if what was written were committed. For fuzzing, which
    /// writes in memory.
    ///
    /// # Errors
    /// The file cannot be read.
    #[doc(hidden)]
    pub fn image(&mut self) -> Result<Vec<u8>> {
        let image = self.connection.serialize(MAIN_DB);
        let image = image.map_err(|error| Error::sqlite(&self.path, error))?;
        Ok(image.to_vec())
    }

    fn connected(&self) -> Connected<'_> {
        Connected {
            connection: &self.connection,
            path: &self.path,
        }
    }

    fn take_written(&mut self, written: Written) -> Result<()> {
        self.changed |= written.changed;
        for (kind, written) in written.tallies {
            let tally = self.tallies.entry(kind).or_default();
            tally.add(written);
        }
        Changes::new(&self.connection, &self.path).add(written.answers.iter())
    }

    fn end_transaction(&mut self) -> Result<()> {
        let sqlite = |error| Error::sqlite(&self.path, error);
        if std::mem::take(&mut self.changed) {
            let sql = "UPDATE meta SET revision = revision + 1, updated = ?1";
            self.connection
                .execute(sql, [seconds_now()])
                .map_err(sqlite)?;
        } else if self.connection.total_changes() != self.changes_committed {
            // Raised and set back, so that the page is written all the same: every log
            // tells by the identity on it which file it is of (`wal_files.rs`).
            let sql = "UPDATE meta SET revision = revision + 1; \
                       UPDATE meta SET revision = revision - 1;";
            self.connection.execute_batch(sql).map_err(sqlite)?;
        }
        self.uncommitted = 0;
        self.connection.execute_batch("COMMIT").map_err(sqlite)?;
        self.publish()?;
        self.changes_committed = self.connection.total_changes();
        Ok(())
    }

    /// Moves the file into its place, if it is not there yet, and opens it there.
    fn publish(&mut self) -> Result<()> {
        let Some(building) = self.building.take() else {
            return Ok(());
        };
        let sqlite = |error| Error::sqlite(&self.path, error);
        let nothing = Connection::open_in_memory().map_err(sqlite)?;
        let connection = std::mem::replace(&mut self.connection, nothing);
        building.publish(&self.path, connection)?;
        self.connection = DATA.open_to_write(&self.path)?;
        let statements = format!("PRAGMA cache_size = -{CACHE_KIB}");
        self.connection.execute_batch(&statements).map_err(sqlite)
    }
}

fn seconds_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}
