//! Writing the data: an import works in a copy of the file (`building.rs`), which takes
//! the file's place when all is in it. What is taken in is written in batches that memory
//! bounds; where it is much it is committed on the way, so that an import that is killed
//! goes on from there. A reader sees none of that.
//!
//! What official documents say outranks what lines say about the same contract,
//! purchase or RNP entry, in whatever order they come; so taking the same in again
//! changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use rusqlite::{Connection, MAIN_DB, params};

use super::batch::{Batch, Tally};
use super::building::Building;
use super::changes::{ChangeCount, Changed, Changes};
use super::connection::Connected;
use super::document::{Document, DocumentKind};
use super::error::{Error, Result};
use super::file::DATA;
use super::format::bring_up_to_date;
use super::lines::{
    About, CONTRACT_KIND, Packed, PackedLine, REGISTRY_KIND, SortedLines, Staging, SupplierIds,
    merging,
};
use super::read::{DataVersion, version};
use super::registries::{self, Declarations, ReplacedAsOf};
use super::row_sum;
use super::writing::{Writing, Written};
use crate::model::Supplier;

/// How much is taken in, in bytes of memory, before it is to be written.
const BATCH_BYTES: usize = 16 << 20;

/// How much documents come to, in bytes of memory, before there is a commit point. It
/// bounds the journal, and what a killed import loses; for lines, `lines/staging.rs` does.
const COMMIT_BYTES: usize = 512 << 20;

/// The page cache of the connection, in KiB.
const CACHE_KIB: usize = 40 << 10;

/// What an import that was killed left in the file that it was building: what it was to
/// do, which data it began from, and whether it had changed any.
const LEFT_OFF: &str = "CREATE TABLE IF NOT EXISTS left_off \
                        (task TEXT NOT NULL, origin TEXT NOT NULL, changed INTEGER NOT NULL)";

/// Takes records and documents in.
#[derive(Debug)]
pub struct Writer {
    // Before what it works in, which goes with it.
    connection: Connection,
    /// None in memory.
    building: Option<Building>,
    path: PathBuf,
    /// What the import is to do, and which data it began from, for one that is killed.
    task: String,
    origin: String,
    batch: Batch,
    staging: Staging,
    supplier_ids: SupplierIds,
    tallies: BTreeMap<String, Tally>,
    /// SQLite's count of rows written when it began.
    changes_before: u64,
    /// Is any data other than it was in the file whose place this one takes?
    changed: bool,
    /// Does the table of changes have those of this import?
    lists_changes: bool,
    /// What documents came to since the last commit, in bytes of memory.
    uncommitted: usize,
    /// What RNP entries were taken in: laws and registration numbers.
    laws: BTreeSet<String>,
    numbers: BTreeSet<String>,
    /// Which registries lines declare complete.
    declarations: Declarations,
}

/// The SHA-256 of an archive.
pub type ArchiveDigest = [u8; 32];

impl Writer {
    /// Begins to change the file at `path`, or to make it if there is none.
    ///
    /// # Errors
    /// Foreign, of a format that cannot be taken over, damaged, being changed by another
    /// process, or its folder cannot be written or has no room for a copy of it.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_for(path, "")
    }

    /// The same for a `task` that can be gone on from: where one of the same words was
    /// stopped over the same data, it goes on from there. None goes on from an empty one.
    ///
    /// # Errors
    /// As [`Writer::open`].
    pub fn open_for(path: &Path, task: &str) -> Result<Self> {
        let mut building = Building::begin(&DATA, path, Duration::ZERO)?;
        let origin = origin_of(&building)?;
        let left_off = Some(task).filter(|task| !task.is_empty());
        let left_off = left_off
            .and_then(|_| building.left_off())
            .and_then(|connection| gone_on_from(connection, task, &origin));
        let (connection, changed) = match left_off {
            Some((connection, changed)) => {
                building.keep(&connection)?;
                log::info!("going on from where the import before was stopped");
                (connection, Some(changed))
            }
            None => (building.start()?, None),
        };
        if changed.is_none()
            && let Some(format) = building.older_format()
        {
            bring_up_to_date(building.target(), &connection, format)?;
        }
        let mut writer = Self::with_connection(connection, building.target())?;
        (writer.task, writer.origin) = (task.to_owned(), origin);
        writer.changed = changed.unwrap_or(false);
        writer.lists_changes = writer.changed;
        writer.building = Some(building);
        Ok(writer)
    }

    /// One that writes in memory.
    ///
    /// # Errors
    /// Out of memory.
    #[doc(hidden)]
    pub fn in_memory() -> Result<Self> {
        let path = Path::new(":memory:");
        let sqlite = |error| Error::sqlite(path, error);
        let connection = Connection::open_in_memory().map_err(sqlite)?;
        row_sum::register(&connection).map_err(sqlite)?;
        DATA.create(path, &connection)?;
        Self::with_connection(connection, path)
    }

    fn with_connection(connection: Connection, path: &Path) -> Result<Self> {
        let statements = format!("PRAGMA cache_size = -{CACHE_KIB}; BEGIN IMMEDIATE;");
        connection
            .execute_batch(&statements)
            .map_err(|error| Error::sqlite(path, error))?;
        Ok(Self {
            changes_before: connection.total_changes(),
            connection,
            building: None,
            path: path.to_owned(),
            task: String::new(),
            origin: String::new(),
            batch: Batch::default(),
            staging: Staging::new(path),
            supplier_ids: SupplierIds::default(),
            tallies: BTreeMap::new(),
            changed: false,
            lists_changes: false,
            uncommitted: 0,
            laws: BTreeSet::new(),
            numbers: BTreeSet::new(),
            declarations: Declarations::default(),
        })
    }

    /// The format that the file had, where it was an older one.
    pub fn older_format(&self) -> Option<i64> {
        self.building.as_ref()?.older_format()
    }

    /// Is there no such file yet?
    pub fn is_first(&self) -> bool {
        self.building.as_ref().is_some_and(Building::is_first)
    }

    /// Has anything changed so far?
    pub fn has_changed(&self) -> bool {
        self.changed
    }

    /// Takes a line in.
    ///
    /// # Errors
    /// It cannot be kept: the file, or the temporary one beside it, cannot be written.
    pub fn line(&mut self, line: PackedLine) -> Result<()> {
        match line.0 {
            Packed::Contract(supplier, contract) => {
                let id = self.named(&supplier)?;
                self.staging.add(id, &contract)?;
            }
            Packed::Purchase(_, number, record) => {
                self.staging.add_other(&About::Purchase(number), &record)?;
            }
            Packed::RnpEntry(supplier, number, entry) => {
                self.laws.insert(entry.federal_law.clone());
                self.numbers.insert(number.clone());
                self.named(&supplier)?;
                self.staging.add_entry(number, &entry)?;
            }
            Packed::Supplier(supplier) => {
                self.named(&supplier)?;
                let about = About::Supplier(supplier.inn);
                self.staging.add_other(&about, &[])?;
            }
            Packed::Registry(law, complete_as_of) => self.declarations.line(law, complete_as_of),
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
            let about = About::Name(supplier.inn.clone());
            self.staging.add_other(&about, supplier.name.as_bytes())?;
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
        self.batch.size() >= BATCH_BYTES || self.staging.is_full()
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
        self.uncommitted += batch.size();
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

    /// Merges what lines gave into the file, after [`Writer::write`]: what
    /// documents say is then in it, and outranks them.
    ///
    /// # Errors
    /// The file, or the temporary one beside it, cannot be written.
    pub fn merge_lines(&mut self) -> Result<()> {
        let mut staging = std::mem::replace(&mut self.staging, Staging::new(&self.path));
        let others = std::mem::replace(&mut staging.others, Staging::new(&self.path).others);
        let mut others = SortedLines::new(&self.path, others)?;
        let mut more = true;
        while more {
            let mut writing = Writing::new(self.connected());
            more = writing.lines(&mut others)?;
            let written = writing.finish()?;
            self.take_written(written)?;
        }
        if staging.lines == 0 {
            return Ok(());
        }
        let (lines, started) = (staging.lines, Instant::now());
        let merged = merging::merge(self.connected(), staging, self.lists_changes)?;
        let took = started.elapsed().as_millis();
        log::debug!("merged {lines} lines about contracts in {took} ms");
        self.changed |= merged.changed;
        self.lists_changes |= merged.changed;
        let tally = self.tallies.entry(CONTRACT_KIND.to_owned()).or_default();
        tally.add(merged.tally);
        Ok(())
    }

    /// What was written stays, for the same import to go on from if it is killed.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
    pub fn commit(&mut self) -> Result<()> {
        // Lines that wait are read again where it is killed, so that those about one thing
        // meet all the same.
        if self.staging.is_full() {
            self.merge_lines()?;
        }
        self.uncommitted = 0;
        if !self.is_written() {
            return Ok(());
        }
        self.run("COMMIT")?;
        if let Some(building) = &mut self.building
            && !self.task.is_empty()
        {
            building.keep(&self.connection)?;
            self.run("BEGIN IMMEDIATE")?;
            let db = self.connected();
            db.execute(LEFT_OFF, ())?;
            db.execute("DELETE FROM left_off", ())?;
            let sql = "INSERT INTO left_off (task, origin, changed) VALUES (?1, ?2, ?3)";
            db.execute(sql, params![self.task, self.origin, self.changed])?;
            self.run("COMMIT")?;
        }
        self.run("BEGIN IMMEDIATE")
    }

    /// Ends an import that was stopped: the file is as it was, and the same import goes on
    /// from here. What became of the lines and documents, by kind?
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn stop(mut self) -> Result<BTreeMap<String, Tally>> {
        self.commit()?;
        Ok(self.tallies)
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

    /// Declares complete the registries of which lines say so, and, with `replaced`, those
    /// whose entries were taken in. Only at the end of an import that has read all.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn declare_registries(&mut self, replaced: Option<ReplacedAsOf>) -> Result<()> {
        let mut declarations = std::mem::take(&mut self.declarations);
        if let Some(as_of) = replaced {
            declarations.replaced(&self.laws, as_of);
        }
        let declared = declarations.write(self.connected())?;
        self.changed |= declared.changed;
        if declared.lines != Tally::default() {
            let tally = self.tallies.entry(REGISTRY_KIND.to_owned()).or_default();
            tally.add(declared.lines);
        }
        Ok(())
    }

    /// Whose answers were changed, given to `each`.
    ///
    /// # Errors
    /// The file cannot be read, or what `each` returned.
    #[doc(hidden)]
    pub fn changes(&self, each: impl FnMut(Changed) -> Result<()>) -> Result<()> {
        Changes::new(&self.connection, &self.path).each(each)
    }

    /// How many suppliers' and purchases' answers were changed?
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn change_count(&self) -> Result<ChangeCount> {
        match self.lists_changes {
            true => Changes::new(&self.connection, &self.path).count(),
            false => Ok(ChangeCount::default()),
        }
    }

    /// The archives that earlier imports took in whole, reading them with the same
    /// (`read_with` is the importer's), and what was counted in them.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn archives(&self, read_with: i64) -> Result<BTreeMap<ArchiveDigest, Vec<u8>>> {
        let sql = "SELECT digest, counted FROM archive WHERE read_with = ?1";
        let archives = self
            .connected()
            .all(sql, [read_with], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(archives.into_iter().collect())
    }

    /// An archive has been taken in whole, and `counted` was in it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn archive_done(
        &self,
        digest: &ArchiveDigest,
        read_with: i64,
        counted: &[u8],
    ) -> Result<()> {
        let sql = "INSERT OR REPLACE INTO archive (digest, read_with, counted, sum) \
                   VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3))";
        self.connected()
            .execute(sql, params![digest, read_with, counted])
    }

    /// Forgets that archives were taken in, as what was in them may be gone.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn forget_archives(&self) -> Result<()> {
        self.connected().execute("DELETE FROM archive", ())
    }

    /// Ends the import: what was written takes the file's place, unless it is the same.
    /// What became of the lines and documents, by kind?
    ///
    /// # Errors
    /// The file cannot be written; it is then as it was.
    pub fn finish(mut self) -> Result<BTreeMap<String, Tally>> {
        self.merge_lines()?;
        let Some(building) = self.building.take() else {
            return Ok(self.tallies);
        };
        self.run("DROP TABLE IF EXISTS left_off")?;
        if self.changed {
            self.begin_changes()?;
            registries::count_entries(self.connected())?;
            self.connection
                .execute(
                    "UPDATE meta SET identity = new.identity, revision = revision + 1, \
                     updated = ?1, sum = row_sum(new.identity, revision + 1, ?1) \
                     FROM (SELECT random() AS identity) AS new",
                    [seconds_now()],
                )
                .map_err(|error| Error::sqlite(&self.path, error))?;
        }
        let is_same = !self.changed
            && !building.is_first()
            && building.older_format().is_none()
            && !self.is_written();
        self.run("COMMIT")?;
        if is_same {
            drop(self.connection);
        } else {
            building.publish(self.connection)?;
        }
        Ok(self.tallies)
    }

    /// Was any row written, also one that no answer depends on, such as that an archive
    /// was taken in?
    fn is_written(&self) -> bool {
        self.connection.total_changes() > self.changes_before
    }

    /// Forgets what an import before this one changed, once this one changes anything.
    fn begin_changes(&mut self) -> Result<()> {
        if !std::mem::replace(&mut self.lists_changes, true) {
            Changes::new(&self.connection, &self.path).clear()?;
        }
        Ok(())
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
        (self.changed, self.lists_changes, self.uncommitted) = (false, false, 0);
        self.laws.clear();
        self.numbers.clear();
        self.declarations = Declarations::default();
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
        if written.changed {
            self.begin_changes()?;
        }
        for (kind, written) in written.tallies {
            let tally = self.tallies.entry(kind).or_default();
            tally.add(written);
        }
        Changes::new(&self.connection, &self.path).add(written.answers.iter())
    }

    fn run(&self, statement: &str) -> Result<()> {
        self.connection
            .execute_batch(statement)
            .map_err(|error| Error::sqlite(&self.path, error))
    }
}

/// Which data is in the file whose place `building` takes, in one word.
fn origin_of(building: &Building) -> Result<String> {
    if building.is_first() {
        return Ok(String::new());
    }
    let path = building.target();
    let connection = DATA.open_any_format(path)?;
    let version = match building.older_format() {
        None => version(path, &connection)?,
        // Before there were checksums.
        Some(_) => connection
            .query_row("SELECT identity, revision, updated FROM meta", (), |row| {
                Ok(DataVersion {
                    identity: row.get(0)?,
                    revision: row.get(1)?,
                    updated: row.get(2)?,
                })
            })
            .map_err(|error| Error::sqlite(path, error))?,
    };
    Ok(format!("{}-{}", version.identity, version.revision))
}

/// The connection to what an import left, and whether that had changed any data, if it
/// was of the same task over the same data, and is whole.
fn gone_on_from(connection: Connection, task: &str, origin: &str) -> Option<(Connection, bool)> {
    let sql = "SELECT changed FROM left_off WHERE task = ?1 AND origin = ?2";
    let changed = connection.query_row(sql, [task, origin], |row| row.get(0));
    let changed = changed.ok()?;
    let check = connection.query_row("PRAGMA quick_check(1)", (), |row| row.get::<_, String>(0));
    check
        .is_ok_and(|answer| answer == "ok")
        .then_some((connection, changed))
}

fn seconds_now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}
