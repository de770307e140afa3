//! Writes the data. An import works in a copy of the file (`building.rs`), which replaces the file
//! at the end. It writes batches of limited size, and a long import commits in between, so that it
//! can be resumed after a kill. Readers see only the result.
//!
//! Official documents outrank lines about the same contract, purchase or RNP entry, whatever the
//! order of arrival. So importing the same files again changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rusqlite::params;

use super::archives::{ArchiveDigest, ArchiveFile, Archives, EarlierArchives};
use super::batch::{Batch, BatchWriter, Dirty, ImportOutcome};
use super::building::Building;
use super::changes::{ChangeCount, ChangeLog};
use super::content_rebuild;
use super::coverage::{CoverageLines, MAX_RUNS, UnreadFiles, coverage};
use super::data_file::{DataFile, set_new_version};
use super::derivation;
use super::derived_records::DerivedRecord;
use super::documents::{Document, Documents};
use super::error::{Error, Result};
use super::facets::{drop_index_of_customers, index_customers};
use super::file::DATA;
use super::file::{OpenFile, model};
use super::keys::seconds;
use super::lines::{COVERAGE_KIND, LineContent, LineSubject, PackedLine, REGISTRY_KIND};
use super::record;
use super::registries::{self, Declarations, ReplacedAsOf};
use super::replaced_lines::ReplacedLines;
use super::rnp_index::{self, StoredEntry};
use super::rnp_seen;
use super::search_rules::RebuildProgress;
use super::searched_names::SearchedNames;
use super::stored_documents::StoredDocuments;
use super::suppliers::SupplierIds;
use super::tally::Tally;
use super::unlinked_purchases::UnlinkedPurchases;
use super::unread_entries;
use crate::model::{
    Date, Regime, Registries, RegistryDocuments, Supplier, UnreadEntries, UnreadEntry,
};

/// Size at which a batch is written, in bytes of memory.
const BATCH_BYTES: usize = 32 << 20;

/// Size of the documents and records written between two commits, in bytes of memory. It limits the
/// journal, and how much work is lost if an import is killed.
pub const COMMIT_BYTES: usize = 512 << 20;

/// [`COMMIT_BYTES`]; less in tests, so that a few records are enough for several commits.
const COMMIT_AFTER: usize = if cfg!(test) {
    2 * BATCH_BYTES
} else {
    COMMIT_BYTES
};

/// Number of derived records written in one batch.
const RECORDS_AT_ONCE: usize = if cfg!(test) { 20 } else { 20_000 };

/// Number of RNP entries loaded and edited per batch.
const ENTRIES_AT_ONCE: u32 = if cfg!(test) { 2 } else { 2_000 };

/// Temporary table of the registration numbers of this import's RNP entries, with the laws that the
/// lines and documents state. There may be too many to hold in memory.
const IMPORTED_ENTRIES: &str = "CREATE TEMP TABLE imported_entry \
                                (federal_law TEXT, number TEXT, \
                                PRIMARY KEY (federal_law, number)) WITHOUT ROWID";

/// Page cache of the connection, in KiB. In tests, it is small enough to overflow within a
/// transaction, so that uncommitted pages reach the file.
const CACHE_KIB: usize = if cfg!(test) { 64 } else { 40 << 10 };

/// State of an unfinished import, stored in the file being built: its task, the version of the data
/// that it started from, and whether it has changed any data.
const RESUME_STATE: &str = "CREATE TABLE IF NOT EXISTS resume_state \
                            (task TEXT NOT NULL, origin TEXT NOT NULL, changed INTEGER NOT NULL)";

#[derive(Debug)]
pub struct Writer {
    // Declared before `building`, because fields are dropped in the order of declaration.
    file: OpenFile,
    building: Building,
    /// Identifies the import, so that the same import can be resumed after a kill; empty if it
    /// cannot be resumed.
    task: String,
    /// Version of the data from which the import started.
    origin: String,
    batch: Batch,
    supplier_ids: SupplierIds,
    outcome: ImportOutcome,
    /// Estimated size of everything written since the last commit, in bytes of memory.
    uncommitted: usize,
    rederives_all: bool,
    /// Greatest id of a document before the import.
    last_document: i64,
    laws: BTreeSet<Regime>,
    declarations: Declarations,
    /// State of the registries before the import.
    registries: Registries,
    /// Unsettled inclusions before the import.
    unread: UnreadEntries,
    /// Whether the file has any unparsed inclusions, settled or not.
    has_unread: bool,
    coverage: CoverageLines,
}

/// The documents whose records must be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewDocuments {
    All,
    /// Documents stored by this import.
    OfThisImport,
}

/// What an import does after it has stored all documents and derived all records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishProgress {
    /// The derived data that searches need is being written.
    Rebuilding(RebuildProgress),
    /// The file is being rewritten with full pages. How much is left is unknown.
    RewritingPages,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RederiveOutcome {
    /// Number of contracts, purchases and RNP entries with documents.
    pub records: u64,
    pub changed: u64,
    /// Whether all records were derived; `false` if the import was stopped first.
    pub is_complete: bool,
}

impl Writer {
    /// Starts an import into the file at `path`, which need not exist.
    ///
    /// # Errors
    /// See [`super::Database::open`], which checks the file. Also returns an error if another
    /// process is changing the file, or if the folder cannot be written or has no room for a copy.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_for(path, "")
    }

    /// Like [`Writer::open`], for a `task` that can be resumed: if the same task over the same data
    /// was stopped, the import continues from there. An empty task is never resumed.
    ///
    /// # Errors
    /// See [`Writer::open`].
    pub fn open_for(path: &Path, task: &str) -> Result<Self> {
        let mut building = Building::begin(&DATA, path, Duration::ZERO)?;
        let origin = origin_of(&building)?;
        let resumed = Some(task).filter(|task| !task.is_empty());
        let resumed = resumed
            .and_then(|_| building.unfinished())
            .and_then(|file| resumable(file, task, &origin));
        let (file, changed) = match resumed {
            Some((file, changed)) => {
                building.make_durable(&file)?;
                ReplacedLines(&file).restart()?;
                log::info!("resuming the unfinished import");
                (file, Some(changed))
            }
            None => {
                let file = building.start()?;
                if building.is_first() {
                    drop_index_of_customers(&file)?;
                }
                (file, None)
            }
        };
        set_cache_size(&file)?;
        file.batch(IMPORTED_ENTRIES)?;
        file.batch("BEGIN IMMEDIATE")?;
        // Whether data for searches is rebuilt because it was produced by other rules: the content
        // index here, the names when the import ends. A first import builds both when it ends.
        let is_rebuilt = !building.is_first()
            && (content_rebuild::rebuild(&file, &mut |_, _| Ok(()))?
                || !SearchedNames(&file).are_current()?);
        let before = changed.map(|_| file_before(&building)).transpose()?;
        let before = before.as_ref().unwrap_or(&file);
        Ok(Self {
            last_document: Documents(before).last_id()?,
            registries: registries::registries(before)?,
            unread: unread_entries::unread_entries(before)?,
            has_unread: unread_entries::has_any(&file)?,
            supplier_ids: SupplierIds::default(),
            file,
            building,
            task: task.to_owned(),
            origin,
            batch: Batch::default(),
            outcome: ImportOutcome {
                // The file of an unfinished import has data that the file at `path` lacks.
                dirty: match changed {
                    None if is_rebuilt => Dirty::Bookkeeping,
                    None => Dirty::No,
                    Some(false) => Dirty::Bookkeeping,
                    Some(true) => Dirty::Answers,
                },
                ..ImportOutcome::default()
            },
            uncommitted: 0,
            rederives_all: false,
            laws: BTreeSet::new(),
            declarations: Declarations::default(),
            coverage: CoverageLines::default(),
        })
    }

    /// Returns whether the file was missing or empty before the import.
    pub fn is_first(&self) -> bool {
        self.building.is_first()
    }

    /// Returns whether any answer may have changed so far.
    pub fn has_changed(&self) -> bool {
        self.outcome.dirty == Dirty::Answers
    }

    /// Adds a line, to be written with the next batch.
    ///
    /// # Errors
    /// Returns an error if the file or a temporary file cannot be written.
    pub fn line(&mut self, line: PackedLine) -> Result<()> {
        match line.0 {
            LineContent::Registry(law, complete_as_of) => {
                self.declarations.line(law, complete_as_of);
                return Ok(());
            }
            LineContent::Coverage(run) => return self.coverage.add(&self.file, run),
            LineContent::RnpEntry(_, ref number, ref entry) => {
                self.note_entry(number, &entry.federal_law)?;
            }
            _ => {}
        }
        self.add_line(line.0)
    }

    fn add_line(&mut self, line: LineContent) -> Result<()> {
        let (about, value) = match line {
            LineContent::Contract(supplier, reg_num, bytes) => {
                let id = self.supplier_in_line(&supplier)?;
                let value = record::encode(&self.file.path, &bytes)?;
                (LineSubject::Contract(id, reg_num), value)
            }
            LineContent::Purchase(_, number, record) => (LineSubject::Purchase(number), record),
            LineContent::RnpEntry(supplier, number, entry) => {
                if !supplier.inn.is_none() {
                    self.supplier_in_line(&supplier)?;
                }
                let value = record::encode(&self.file.path, &entry)?;
                (LineSubject::RnpEntry(number), value)
            }
            LineContent::Supplier(supplier) => {
                self.supplier_in_line(&supplier)?;
                (LineSubject::Supplier(supplier.inn), Vec::new())
            }
            // These are kept in memory until the end of the import (`registries.rs`,
            // `coverage.rs`).
            LineContent::Registry(..) | LineContent::Coverage(_) => return Ok(()),
        };
        self.batch.line(about, value);
        Ok(())
    }

    /// Returns the id of the supplier in a line, and adds the name that the line states to the
    /// batch.
    fn supplier_in_line(&mut self, supplier: &Supplier) -> Result<i64> {
        let (id, is_renamed) = self.supplier_ids.find(&self.file, supplier)?;
        if is_renamed {
            let about = LineSubject::Name(supplier.inn.clone());
            self.batch.line(about, supplier.name.as_bytes().to_vec());
        }
        Ok(id)
    }

    /// Adds facts of an official document. With `kind`, also counts the document under that kind;
    /// if one document states several facts, pass `kind` only with the first of them.
    pub fn document(&mut self, kind: Option<&'static str>, document: Document) {
        self.batch.document(kind, document);
    }

    /// Stores the unparsed inclusions at a place: a file, or a file within an archive. Returns
    /// those that were already known there.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written.
    pub fn set_unread(&mut self, place: &str, unread: &[UnreadEntry]) -> Result<Vec<UnreadEntry>> {
        if unread.is_empty() && !self.has_unread {
            return Ok(Vec::new());
        }
        let mut known = unread_entries::unread_at(&self.file, place)?;
        let mut now = unread.to_vec();
        known.sort_unstable();
        now.sort_unstable();
        now.dedup();
        let is_gone = |one: &UnreadEntry| one.number.is_empty() && !now.contains(one);
        if now.iter().any(|one| !known.contains(one)) || known.iter().any(is_gone) {
            // A resumed import may not notice that an inclusion was replaced, so note the change
            // now.
            let is_changed = unread_entries::set_unread_at(&self.file, place, &now)?;
            self.has_unread |= !now.is_empty();
            self.outcome.note(Dirty::Bookkeeping, true);
            self.outcome.note(Dirty::Answers, is_changed);
        }
        Ok(known)
    }

    /// Returns the unparsed inclusions that are not settled.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn unread_entries(&self) -> Result<UnreadEntries> {
        unread_entries::unread_entries(&self.file)
    }

    /// Records that this import contains the RNP entry with this number, under this law. Ignores
    /// unknown laws.
    ///
    /// # Errors
    /// Returns an error if the temporary file for numbers of RNP entries cannot be written.
    pub fn note_entry(&mut self, number: &str, law: &str) -> Result<()> {
        let Some(law) = Regime::from_code(law) else {
            return Ok(());
        };
        self.laws.insert(law);
        let sql = "INSERT OR IGNORE INTO imported_entry VALUES (?1, ?2)";
        self.file.execute(sql, [law.code(), number])
    }

    pub fn is_full(&self) -> bool {
        self.batch.size() >= BATCH_BYTES
    }

    /// Writes the batch. Records are derived from documents once all documents are stored
    /// ([`Writer::stored_documents`]).
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write(&mut self) -> Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        self.uncommitted += batch.size();
        let lines = batch.take_lines();
        self.set_records(|writing| {
            writing.batch(batch)?;
            writing.write_lines(lines)
        })?;
        let has_lines = ReplacedLines(&self.file).has_any()?;
        self.outcome.note(Dirty::Bookkeeping, has_lines);
        Ok(())
    }

    /// Writes records in a batch of their own.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or the error of `set`.
    pub fn set_records<T, E: From<Error>>(
        &mut self,
        set: impl FnOnce(&mut BatchWriter<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut writing = BatchWriter::new(&self.file);
        if self.rederives_all {
            writing.leave_out_items();
        }
        let done = set(&mut writing)?;
        let written = writing.finish()?;
        self.outcome.add(&self.file, written)?;
        Ok(done)
    }

    /// Refuses a file whose records were derived by rules newer than `rules`.
    ///
    /// # Errors
    /// Returns an error that names the release to use if newer rules derived the records, or an
    /// error if the file cannot be read.
    pub fn refuse_newer_rules(&self, rules: i64) -> Result<()> {
        derivation::refuse_newer(&self.file, rules)
    }

    /// Returns whether the records in the file were derived by other rules, so that all of them
    /// must be derived again.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn is_derived_by_other(&self, rules: i64) -> Result<bool> {
        Ok(derivation::rules(&self.file)? != rules)
    }

    /// Marks the start of deriving all records again, which [`Writer::set_rules`] concludes. If the
    /// import is stopped or killed before that, the next one derives all records again.
    pub fn start_rederiving(&mut self) {
        self.rederives_all = true;
    }

    /// Records that all records have been derived by the given rules.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn set_rules(&mut self, rules: i64) -> Result<()> {
        self.outcome.note(Dirty::Bookkeeping, true);
        derivation::set_rules(&self.file, rules)
    }

    /// Commits, and opens the stored documents for this many threads; `new` defines which documents
    /// count as new. Returns `None` if there are no new documents. No document may be stored until
    /// the result is dropped.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read or written.
    pub fn stored_documents(
        &mut self,
        new: NewDocuments,
        threads: usize,
    ) -> Result<Option<StoredDocuments>> {
        let after = match new {
            NewDocuments::All => 0,
            NewDocuments::OfThisImport => self.last_document,
        };
        if Documents(&self.file).last_id()? == after {
            return Ok(None);
        }
        if self.building.has_journal() {
            self.commit()?;
        } else {
            self.file.batch("COMMIT; BEGIN IMMEDIATE")?;
        }
        let (building, target) = (self.building.path(), self.building.target());
        StoredDocuments::open(building, target, threads, after).map(Some)
    }

    /// Writes derived records in batches, calling `set_names` at the end of each. Returns the
    /// number of changed records.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or the error of `records` or `set_names`.
    pub fn write_derived(
        &mut self,
        records: impl IntoIterator<Item = Result<Vec<DerivedRecord>>>,
        set_names: impl Fn(&mut BatchWriter<'_>) -> Result<()>,
    ) -> Result<u64> {
        let before = self.outcome.records;
        let mut records = records.into_iter().peekable();
        while records.peek().is_some() {
            self.set_records(|writing| {
                let mut count = 0;
                for some in records.by_ref() {
                    for record in some? {
                        count += 1;
                        writing.set(record)?;
                    }
                    if count >= RECORDS_AT_ONCE {
                        break;
                    }
                }
                set_names(writing)
            })?;
            self.uncommitted += BATCH_BYTES;
            if self.is_commit_due() {
                self.commit()?;
            }
        }
        Ok(self.outcome.records - before)
    }

    pub fn is_commit_due(&self) -> bool {
        self.uncommitted >= COMMIT_AFTER
    }

    /// Counts and logs the lines that replaced a value. Must be called after all lines are written
    /// ([`Writer::write`]).
    ///
    /// # Errors
    /// Returns an error if the file, or the one before the import, cannot be read or written.
    pub fn settle_lines(&mut self) -> Result<()> {
        if !ReplacedLines(&self.file).has_any()? {
            return Ok(());
        }
        let before = match self.is_first() {
            true => None,
            false => Some(DATA.open_to_read(self.building.target())?),
        };
        let mut last = Vec::new();
        loop {
            let lines = ReplacedLines(&self.file).after(&last)?;
            let Some((greatest, _)) = lines.last() else {
                break;
            };
            last.clone_from(greatest);
            self.set_records(|writing| {
                let mut lines = lines.iter();
                lines.try_for_each(|(about, newer)| {
                    writing.settle_line(before.as_ref(), about, *newer)
                })
            })?;
        }
        ReplacedLines(&self.file).clear()
    }

    /// Commits all changes, so that the same import can resume from here after a kill. The resume
    /// state is part of the same transaction as the data. The first commit is an exception: it has
    /// no journal, so a kill may leave it incomplete. Its resume state is written only after the
    /// commit is on the disk; without a state, the import starts over.
    ///
    /// # Errors
    /// Returns an error if the disk is full or the file cannot be written.
    pub fn commit(&mut self) -> Result<()> {
        self.uncommitted = 0;
        if !self.is_written() {
            return Ok(());
        }
        let db = &self.file;
        if !self.task.is_empty() {
            if !self.building.has_journal() {
                db.batch("COMMIT")?;
                self.building.make_durable(db)?;
                db.batch("BEGIN IMMEDIATE")?;
            }
            db.execute(RESUME_STATE, ())?;
            db.execute("DELETE FROM resume_state", ())?;
            let sql = "INSERT INTO resume_state (task, origin, changed) VALUES (?1, ?2, ?3)";
            db.execute(sql, params![self.task, self.origin, self.has_changed()])?;
        }
        db.batch("COMMIT; BEGIN IMMEDIATE")
    }

    /// Ends an import that was stopped. The file stays unchanged, and the same import can be
    /// resumed from here. Returns the tallies of lines and documents by kind.
    ///
    /// # Errors
    /// See [`Writer::commit`].
    pub fn stop(mut self) -> Result<BTreeMap<&'static str, Tally>> {
        self.commit()?;
        Ok(self.outcome.tallies)
    }

    /// Records which registries are complete: those that lines declare and, if `replaced` is given,
    /// those of the laws whose entries were imported. `replaced` means that the import contained
    /// each such registry as a whole, which is recorded for each entry. Call this only after
    /// [`Writer::write`], at the end of an import that has read all its input.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn declare_registries(&mut self, replaced: Option<ReplacedAsOf>) -> Result<()> {
        let declarations = std::mem::take(&mut self.declarations);
        let laws = self.laws.iter().copied();
        let day = |law| replaced.map(|as_of| (law, declarations.whole_day(law, as_of)));
        let whole: Vec<(Regime, Date)> = laws.filter_map(day).collect();
        let lines = declarations.write(&self.file)?;
        if lines != Tally::default() {
            let is_written = lines.new + lines.newer > 0;
            self.outcome.note(Dirty::Bookkeeping, is_written);
            self.outcome.tally(REGISTRY_KIND, lines);
        }
        for (law, day) in &whole {
            let is_written = registries::declare(&self.file, *law, *day, true)?;
            self.outcome.note(Dirty::Bookkeeping, is_written);
        }
        for (law, day) in whole {
            self.seen_on(law, day)?;
        }
        Ok(())
    }

    /// Records that the whole registry of a law as of a day contained the imported entries of that
    /// law, including those without a row, whose inclusion was cancelled.
    fn seen_on(&mut self, law: Regime, day: Date) -> Result<()> {
        let mut last = String::new();
        loop {
            let sql = "SELECT number FROM imported_entry WHERE federal_law = ?1 AND number > ?2 \
                       ORDER BY number LIMIT ?3";
            let params = params![law.code(), last, ENTRIES_AT_ONCE];
            let numbers: Vec<String> = self.file.all(sql, params, |row| row.get(0))?;
            let Some(greatest) = numbers.last() else {
                return Ok(());
            };
            last.clone_from(greatest);
            let is_new = self.set_records(|writing| writing.seen_on(&numbers, day))?;
            self.outcome.note(Dirty::Bookkeeping, is_new);
        }
    }

    /// Passes all RNP entries to `edit` in batches. Returns the sum of what `edit` returns.
    fn each_entries<E: From<Error>>(
        &mut self,
        edit: impl Fn(&mut BatchWriter<'_>, Vec<StoredEntry>) -> std::result::Result<u64, E>,
    ) -> std::result::Result<u64, E> {
        let (mut last, mut sum) = (String::new(), 0);
        loop {
            let rows = StoredEntry::after(&self.file, &last, ENTRIES_AT_ONCE)?;
            let Some(greatest) = rows.last() else {
                return Ok(sum);
            };
            last.clone_from(&greatest.number);
            sum += self.set_records(|writing| edit(writing, rows))?;
        }
    }

    /// Marks the entries that whole registries no longer contain as ended, settles unparsed
    /// inclusions, and updates the complete days of each registry, based on everything imported so
    /// far. Returns the number of newly ended entries. Must be called at the end of an import.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn settle_registries(&mut self, documents: &RegistryDocuments) -> Result<u64> {
        let whole = registries::whole_days(&self.file)?;
        let mut ended = 0;
        if self.is_written() && !whole.is_empty() {
            ended = self.each_entries(|writing, rows| writing.end_entries(rows, &whole))?;
        }
        if self.has_unread && self.is_written() {
            self.set_records(|writing| writing.settle_unread())?;
            let is_changed = self.unread_entries()? != self.unread;
            self.outcome.note(Dirty::Answers, is_changed);
        }
        let changed = registries::settle(&self.file, documents, &coverage(&self.file)?)?;
        self.outcome.note(Dirty::Answers, !changed.is_empty());
        Ok(ended)
    }

    /// Deletes the RNP entries that were not in force on `day` or later, with their documents and
    /// unparsed inclusions, and the earlier days of registries. Returns the number of deleted
    /// entries.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or the error of `derive`.
    pub fn forget_before<E: From<Error>>(
        &mut self,
        day: Date,
        derive: impl Fn(&mut BatchWriter<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<u64, E> {
        let forgotten = self.each_entries::<E>(|writing, rows| {
            let forgotten = writing.forget_entries_before(rows, day)?;
            derive(writing)?;
            Ok(forgotten)
        })?;
        registries::forget_days_before(&self.file, day)?;
        rnp_seen::forget_unused(&self.file)?;
        self.outcome.note(Dirty::Bookkeeping, true);
        Ok(forgotten)
    }

    /// Adds the covered days that lines state, except for days whose documents may be in the files
    /// that could not be read (`unread`). Returns the reason if days are left out, or if nothing is
    /// added because there would be more than [`MAX_RUNS`] runs. Must be called only at the end of
    /// an import.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn extend_coverage(&mut self, unread: &UnreadFiles) -> Result<Option<String>> {
        let lines = std::mem::take(&mut self.coverage);
        let is_stated = lines.is_stated();
        if unread.is_of_unknown_days {
            let reason = "not recorded because a file could not be read".to_owned();
            return Ok(is_stated.then_some(reason));
        }
        let written = lines.write(&self.file, &unread.days)?;
        self.outcome.note(Dirty::Answers, written.changed);
        if written.tally != Tally::default() {
            self.outcome.tally(COVERAGE_KIND, written.tally);
        }
        Ok(if written.is_over_bound {
            let reason = "not recorded: there would be more than";
            Some(format!("{reason} {MAX_RUNS} runs of days"))
        } else if is_stated && !unread.days.is_empty() {
            let days: Vec<String> = unread.days.iter().map(Date::to_string).collect();
            let reason = "not recorded for days with an archive that could not be read:";
            Some(format!("{reason} {}", days.join(", ")))
        } else {
            None
        })
    }

    /// Returns messages about the cards refused since the last call because they are too large.
    pub fn take_refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outcome.refused)
    }

    /// Returns the number of suppliers and purchases whose answers have changed.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn change_count(&self) -> Result<ChangeCount> {
        ChangeLog::for_import(&self.file)?.count()
    }

    /// Returns the archives that were imported completely by this version of the readers
    /// (`read_by`).
    pub fn archives(&self, read_by: i64) -> Archives<'_> {
        Archives {
            db: &self.file,
            read_by,
        }
    }

    /// Returns the archives known before the import. Returns `None` if there was no file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read.
    pub fn earlier_archives(&self, read_by: i64) -> Result<Option<EarlierArchives>> {
        if self.is_first() {
            return Ok(None);
        }
        let db = DATA.open_to_read(self.building.target())?;
        Ok(Some(EarlierArchives { db, read_by }))
    }

    /// Records that an archive was imported completely, with its counts and its number of refused
    /// documents.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn archive_done(
        &mut self,
        file: &ArchiveFile,
        digest: &ArchiveDigest,
        read_by: i64,
        counted: &[u8],
        refused: u64,
    ) -> Result<()> {
        self.outcome.note(Dirty::Bookkeeping, true);
        self.archives(read_by).put(file, digest, counted, refused)
    }

    /// Ends the import. The copy replaces the file unless nothing has changed. Returns the tallies
    /// of lines and documents by kind.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written. The file that was to be replaced is then
    /// unchanged.
    pub fn finish(self) -> Result<BTreeMap<&'static str, Tally>> {
        self.finish_with(&mut |_| ())
    }

    /// Like [`Writer::finish`], and reports steps that take long.
    ///
    /// # Errors
    /// See [`Writer::finish`].
    pub fn finish_with(
        mut self,
        on_progress: &mut dyn FnMut(FinishProgress),
    ) -> Result<BTreeMap<&'static str, Tally>> {
        self.settle_lines()?;
        self.commit()?;
        content_rebuild::rebuild(&self.file, &mut |done, total| {
            let contents = RebuildProgress::Contents { done, total };
            on_progress(FinishProgress::Rebuilding(contents));
            Ok(())
        })?;
        if self.is_written() {
            // The rest takes little time, so little is lost if the process is killed after this.
            self.commit()?;
            self.file.batch("COMMIT")?;
            self.file = self.building.with_full_pages(self.file, &mut || {
                on_progress(FinishProgress::RewritingPages);
            })?;
            set_cache_size(&self.file)?;
            self.file.batch("BEGIN IMMEDIATE")?;
        }
        self.file.batch("DROP TABLE IF EXISTS resume_state")?;
        UnlinkedPurchases(&self.file).end()?;
        index_customers(&self.file)?;
        if self.is_written() {
            rnp_index::write_total(&self.file)?;
        }
        let names = SearchedNames(&self.file);
        if self.has_changed() {
            let db = &self.file;
            let (log, now) = (ChangeLog::for_import(db)?, seconds(SystemTime::now()));
            log.registries(&self.registries, &registries::registries(db)?)?;
            log.unread(&self.unread, &unread_entries::unread_entries(db)?)?;
            if names.are_current()? {
                names.write(log)?;
            }
            set_new_version(db, now)?;
            log.end(now)?;
        }
        if !names.are_current()? {
            names.rebuild(&mut |done, total| {
                let names = RebuildProgress::Names { done, total };
                on_progress(FinishProgress::Rebuilding(names));
                Ok(())
            })?;
        }
        let is_same = !self.is_first() && !self.is_written();
        self.file.batch("COMMIT")?;
        if is_same {
            drop(self.file);
        } else {
            self.building.replace(self.file)?;
        }
        Ok(self.outcome.tallies)
    }

    /// Returns whether anything was written that must be kept, even if no answer depends on it.
    fn is_written(&self) -> bool {
        self.outcome.dirty > Dirty::No
    }
}

fn file_before(building: &Building) -> Result<OpenFile> {
    let target = building.target();
    if building.is_first() {
        let empty = model().map_err(|error| Error::sqlite(target, error))?;
        return Ok(OpenFile::new(empty, target));
    }
    DATA.open_to_read(target)
}

fn set_cache_size(file: &OpenFile) -> Result<()> {
    file.batch(&format!("PRAGMA cache_size = -{CACHE_KIB}"))
}

/// Returns the version of the data that `building` replaces, as one word; empty if it replaces
/// none.
fn origin_of(building: &Building) -> Result<String> {
    if building.is_first() {
        return Ok(String::new());
    }
    let version = DataFile::open(building.target(), None)?.version;
    Ok(format!("{}-{}", version.identity, version.revision))
}

/// Returns the connection to an unfinished import, and whether that import has changed any data.
/// Returns `None` if the file belongs to another task, started from other data, or is damaged.
fn resumable(file: OpenFile, task: &str, origin: &str) -> Option<(OpenFile, bool)> {
    let sql = "SELECT changed FROM resume_state WHERE task = ?1 AND origin = ?2";
    let changed = file.one(sql, [task, origin], |row| row.get(0)).ok()??;
    let sql = "PRAGMA quick_check(1)";
    let check: Option<String> = file.one(sql, (), |row| row.get(0)).ok()?;
    (check.as_deref() == Some("ok")).then_some((file, changed))
}

#[cfg(test)]
mod tests;
