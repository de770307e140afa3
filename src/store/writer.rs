//! Writing the data. An import works in a copy of the file (`building.rs`), which replaces the file
//! at the end. It writes in batches of bounded memory, and commits a long import on the way, so
//! that it resumes from there after a kill. Readers see only the result.
//!
//! Official documents outrank lines about the same contract, purchase or RNP entry, in any order of
//! arrival. So importing the same files again changes nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::{Duration, SystemTime};

use rusqlite::params;

use super::archives::{ArchiveDigest, ArchiveFile, Archives, EarlierArchives};
use super::batch::{Batch, BatchWriter, Dirty, ImportOutcome};
use super::building::Building;
use super::changes::{ChangeCount, ChangeLog};
use super::content_rebuild;
use super::coverage::{CoverageLines, MAX_RUNS, Unread, coverage};
use super::data_file::{DataFile, set_new_version};
use super::derivation;
use super::derived_records::DerivedRecord;
use super::documents::{Document, DocumentKind, Documents};
use super::error::{Error, Result};
use super::facets::{drop_index_of_customers, index_customers};
use super::file::DATA;
use super::file::{OpenFile, model};
use super::keys::seconds;
use super::lines::{COVERAGE_KIND, LineContent, LineSubject, PackedLine, REGISTRY_KIND};
use super::purchases_left::PurchasesLeft;
use super::record;
use super::registries::{self, Declarations, ReplacedAsOf};
use super::replaced_lines::ReplacedLines;
use super::rnp_index::{self, EntryChoice, StoredEntry};
use super::searched_names::SearchedNames;
use super::stored_documents::StoredDocuments;
use super::suppliers::SupplierIds;
use super::tally::Tally;
use super::unread_entries;
use crate::model::{
    Date, Regime, Registries, RegistryDocuments, Supplier, UnreadEntries, UnreadEntry,
};

/// The memory of a batch at which it is written, in bytes.
const BATCH_BYTES: usize = 32 << 20;

/// The memory of the documents and records written between commits, in bytes. It bounds the journal,
/// and the loss when an import is killed.
pub const COMMIT_BYTES: usize = 512 << 20;

/// The number of derived records that are written in one batch.
const RECORDS_AT_ONCE: usize = 20_000;

/// The number of RNP entries settled in one batch.
const ENTRIES_AT_ONCE: u32 = 2_000;

/// The registration numbers of the RNP entries of this import, without a bound on their number.
const IMPORTED_ENTRIES: &str =
    "CREATE TEMP TABLE imported_entry (number TEXT PRIMARY KEY) WITHOUT ROWID";

/// The page cache of the connection, in KiB.
const CACHE_KIB: usize = 40 << 10;

/// The state of an unfinished import, in the file that it is building: its task, the version of the
/// data it began from, and whether it has changed any data.
const RESUME_STATE: &str = "CREATE TABLE IF NOT EXISTS resume_state \
                            (task TEXT NOT NULL, origin TEXT NOT NULL, changed INTEGER NOT NULL)";

/// Writes lines and documents.
#[derive(Debug)]
pub struct Writer {
    // Before `building`, as fields are dropped in this order.
    file: OpenFile,
    building: Building,
    /// The task of the import, and the version of the data it began from, to resume it after a
    /// kill.
    task: String,
    origin: String,
    batch: Batch,
    supplier_ids: SupplierIds,
    outcome: ImportOutcome,
    /// The memory of the documents since the last commit, in bytes.
    uncommitted: usize,
    /// Whether this import derives all records again.
    derives_again: bool,
    /// The greatest id of a document before the import.
    last_document: i64,
    /// The laws of the imported RNP entries.
    laws: BTreeSet<Regime>,
    /// The registries that lines declare complete.
    declarations: Declarations,
    /// The registries before the import.
    registries: Registries,
    /// The inclusions that no import before this one could read.
    unread: UnreadEntries,
    /// Whether the file has any place with unread inclusions, settled ones too.
    has_unread: bool,
    /// The covered days that lines state.
    coverage: CoverageLines,
}

/// The documents whose records are to be derived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NewDocuments {
    /// All.
    All,
    /// Those that this import has stored.
    OfThisImport,
}

/// The outcome of deriving all records again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DerivedAgain {
    /// The number of contracts, purchases and RNP entries with documents.
    pub records: u64,
    /// The number of changed records.
    pub changed: u64,
    /// Whether all were derived; false if the import was stopped before.
    pub is_complete: bool,
}

impl Writer {
    /// Begins an import into the file at `path`, which need not exist.
    ///
    /// # Errors
    /// As [`super::Database::open`], which checks the file; another process is changing it; its
    /// folder cannot be written or has no room for a copy.
    pub fn open(path: &Path) -> Result<Self> {
        Self::open_for(path, "")
    }

    /// Begins an import like [`Writer::open`], for a `task` that can be resumed: if an equal task
    /// over the same data was stopped, it continues from there. An empty task is never resumed.
    ///
    /// # Errors
    /// As [`Writer::open`].
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
                ReplacedLines(&file).begin_again()?;
                log::info!("going on from where the import before was stopped");
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
        // A first import writes what is found by content at its end.
        let is_rebuilt =
            !building.is_first() && content_rebuild::rebuild(&file, &mut |_, _| Ok(()))?;
        let before = changed.map(|_| file_before(&building)).transpose()?;
        let before = before.as_ref().unwrap_or(&file);
        Ok(Self {
            last_document: Documents(before).last_id()?,
            registries: registries::registries(before)?,
            unread: unread_entries::unread_entries(before)?,
            has_unread: unread_entries::are_any(&file)?,
            supplier_ids: SupplierIds::default(),
            file,
            building,
            task: task.to_owned(),
            origin,
            batch: Batch::default(),
            outcome: ImportOutcome {
                // An unfinished file has data that the one at `path` lacks.
                dirty: match changed {
                    None if is_rebuilt => Dirty::Bookkeeping,
                    None => Dirty::No,
                    Some(false) => Dirty::Bookkeeping,
                    Some(true) => Dirty::Answers,
                },
                ..ImportOutcome::default()
            },
            uncommitted: 0,
            derives_again: false,
            laws: BTreeSet::new(),
            declarations: Declarations::default(),
            coverage: CoverageLines::default(),
        })
    }

    /// Returns whether the file does not exist yet.
    pub fn is_first(&self) -> bool {
        self.building.is_first()
    }

    /// Returns whether any answer has changed so far.
    pub fn has_changed(&self) -> bool {
        self.outcome.dirty == Dirty::Answers
    }

    /// Adds a line.
    ///
    /// # Errors
    /// The file, or the temporary one beside it, cannot be written.
    pub fn line(&mut self, line: PackedLine) -> Result<()> {
        match line.0 {
            LineContent::Registry(law, complete_as_of) => {
                self.declarations.line(law, complete_as_of);
                return Ok(());
            }
            LineContent::Coverage(run) => return self.coverage.add(&self.file, run),
            LineContent::RnpEntry(_, ref number, ref entry) => {
                self.rnp_law(&entry.federal_law);
                self.note_entry(number)?;
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
            // They are held until the end (`registries.rs`, `coverage.rs`).
            LineContent::Registry(..) | LineContent::Coverage(_) => return Ok(()),
        };
        self.batch.line(about, value);
        Ok(())
    }

    /// Returns the id of the supplier in a line, and adds the name in it.
    fn supplier_in_line(&mut self, supplier: &Supplier) -> Result<i64> {
        let (id, is_renamed) = self.supplier_ids.find(&self.file, supplier)?;
        if is_renamed {
            let about = LineSubject::Name(supplier.inn.clone());
            self.batch.line(about, supplier.name.as_bytes().to_vec());
        }
        Ok(id)
    }

    /// Adds an official document, counted under `kind`, if any: of several facts from one document
    /// only the first is counted.
    ///
    /// # Errors
    /// The temporary file for the numbers of RNP entries cannot be written.
    pub fn document(&mut self, kind: Option<&'static str>, document: Document) -> Result<()> {
        if document.kind == DocumentKind::RnpEntry {
            self.note_entry(&document.number)?;
        }
        self.batch.document(kind, document);
        Ok(())
    }

    /// Adds the inclusions in registries at a place (a file, with that within its archive) that
    /// cannot be read. Returns those that were known there before.
    ///
    /// # Errors
    /// The file cannot be read or written.
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
            // A resumed import does not see what was there before.
            let is_changed = unread_entries::set_unread_at(&self.file, place, &now)?;
            self.has_unread |= !now.is_empty();
            self.outcome.note(Dirty::Bookkeeping, true);
            self.outcome.note(Dirty::Answers, is_changed);
        }
        Ok(known)
    }

    /// Returns the inclusions in registries that nothing has settled.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn unread_entries(&self) -> Result<UnreadEntries> {
        unread_entries::unread_entries(&self.file)
    }

    /// Records that this import has the RNP entry with this number.
    fn note_entry(&self, number: &str) -> Result<()> {
        let sql = "INSERT OR IGNORE INTO imported_entry VALUES (?1)";
        self.file.execute(sql, [number])
    }

    /// Records that this import has RNP entries of this law.
    pub fn rnp_law(&mut self, law: &str) {
        self.laws.extend(Regime::from_code(law));
    }

    /// Returns whether the batch is full.
    pub fn is_full(&self) -> bool {
        self.batch.size() >= BATCH_BYTES
    }

    /// Writes the batch. The records that follow from its documents are derived when all are stored
    /// ([`Writer::stored_documents`]).
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn write(&mut self) -> Result<()> {
        let mut batch = std::mem::take(&mut self.batch);
        self.uncommitted += batch.size();
        let lines = batch.take_lines();
        self.set_records(|writing| {
            writing.batch(batch)?;
            writing.write_lines(lines)
        })?;
        let has_lines = ReplacedLines(&self.file).are_any()?;
        self.outcome.note(Dirty::Bookkeeping, has_lines);
        Ok(())
    }

    /// Sets records in a batch of their own.
    ///
    /// # Errors
    /// The file cannot be written, or `set` fails.
    pub fn set_records<T, E: From<Error>>(
        &mut self,
        set: impl FnOnce(&mut BatchWriter<'_>) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut writing = BatchWriter::new(&self.file);
        if self.derives_again {
            writing.leave_out_items();
        }
        let done = set(&mut writing)?;
        let written = writing.finish()?;
        self.outcome.add(&self.file, written)?;
        Ok(done)
    }

    /// Refuses a file whose records newer rules than these derived.
    ///
    /// # Errors
    /// So they were: the sentence names the release to use. Or the file cannot be read.
    pub fn refuse_newer_rules(&self, rules: i64) -> Result<()> {
        derivation::refuse_newer(&self.file, rules)
    }

    /// Returns whether other rules than these derived the records in the file, so that all must be
    /// derived again.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn is_derived_by_other(&self, rules: i64) -> Result<bool> {
        Ok(derivation::rules(&self.file)? != rules)
    }

    /// Begins to derive all records again. Ends with [`Writer::set_rules`]: an import that is stopped
    /// or killed before then derives all records again next time.
    pub fn begin_deriving_again(&mut self) {
        self.derives_again = true;
    }

    /// Stores that all records are derived by these rules.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn set_rules(&mut self, rules: i64) -> Result<()> {
        self.outcome.note(Dirty::Bookkeeping, true);
        derivation::set_rules(&self.file, rules)
    }

    /// Returns the documents that are stored, for so many threads, and which of them are new: all of
    /// them, or those of this import. `None` if none is new. No document may be stored until they
    /// are dropped.
    ///
    /// # Errors
    /// The file cannot be read or written.
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

    /// Writes derived records, in batches; `set_names` ends each of them. Returns how many of the
    /// records have changed.
    ///
    /// # Errors
    /// The file cannot be written, the error of `records`, or that of `set_names`.
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

    /// Returns whether a commit is due.
    pub fn is_commit_due(&self) -> bool {
        self.uncommitted >= COMMIT_BYTES
    }

    /// Counts and logs the lines that have replaced something. Call this once all lines are written
    /// ([`Writer::write`]).
    ///
    /// # Errors
    /// The file, or the one before the import, cannot be read or written.
    pub fn settle_lines(&mut self) -> Result<()> {
        if !ReplacedLines(&self.file).are_any()? {
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

    /// Commits all changes, so that the same import can resume from there after a kill. The resume
    /// state is part of the transaction with its data. The first commit alone has no journal, and a
    /// kill may tear it. So the state follows only when that commit is on the disk; without the
    /// state the import starts over.
    ///
    /// # Errors
    /// The disk is full, or the file cannot be written.
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

    /// Ends an import that was stopped. The file stays as it was, and the same import resumes from
    /// here. Returns the tallies of lines and documents, by kind.
    ///
    /// # Errors
    /// As [`Writer::commit`].
    pub fn stop(mut self) -> Result<BTreeMap<&'static str, Tally>> {
        self.commit()?;
        Ok(self.outcome.tallies)
    }

    /// Declares registries complete: those that lines declare and, with `replaced`, those whose
    /// entries were imported, which are the whole registry of each of their laws. Call this only at
    /// the end of an import that has read all its input, after [`Writer::write`].
    ///
    /// # Errors
    /// The file cannot be written.
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
        let days = whole
            .into_iter()
            .map(|(law, day)| (law.code().to_owned(), day));
        let days: BTreeMap<String, Date> = days.collect();
        if days.is_empty() {
            return Ok(());
        }
        let seen = self.each_entries(EntryChoice::Imported, |writing, rows| {
            writing.seen_on(rows, &days)
        })?;
        self.outcome.note(Dirty::Bookkeeping, seen > 0);
        Ok(())
    }

    /// Passes RNP entries to `edit` in batches. Returns the sum of its results.
    fn each_entries<E: From<Error>>(
        &mut self,
        choice: EntryChoice,
        edit: impl Fn(&mut BatchWriter<'_>, Vec<StoredEntry>) -> std::result::Result<u64, E>,
    ) -> std::result::Result<u64, E> {
        let (mut last, mut sum) = (String::new(), 0);
        loop {
            let rows = StoredEntry::after(&self.file, choice, &last, ENTRIES_AT_ONCE)?;
            let Some(greatest) = rows.last() else {
                return Ok(sum);
            };
            last.clone_from(&greatest.number);
            sum += self.set_records(|writing| edit(writing, rows))?;
        }
    }

    /// Ends the entries that whole registries no longer contain, and writes each registry's complete
    /// days, based on everything imported so far. Returns the number of ended
    /// entries. Call this at the end of an import.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn settle_registries(&mut self, documents: &RegistryDocuments) -> Result<u64> {
        let whole = registries::whole_days(&self.file)?;
        let mut ended = 0;
        if self.is_written() && !whole.is_empty() {
            ended = self.each_entries(EntryChoice::All, |writing, rows| {
                writing.end_entries(rows, &whole)
            })?;
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

    /// Deletes the RNP entries that were in force on no day from `day` on, and the days of
    /// registries before it. Returns the number of deleted entries.
    ///
    /// # Errors
    /// The file cannot be written, or `derive` fails.
    pub fn forget_before<E: From<Error>>(
        &mut self,
        day: Date,
        derive: impl Fn(&mut BatchWriter<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<u64, E> {
        let forgotten = self.each_entries::<E>(EntryChoice::All, |writing, rows| {
            let forgotten = writing.forget_entries_before(rows, day)?;
            derive(writing)?;
            Ok(forgotten)
        })?;
        registries::forget_days_before(&self.file, day)?;
        self.outcome.note(Dirty::Bookkeeping, true);
        Ok(forgotten)
    }

    /// Adds the covered days that lines state. Call this only at the end of
    /// an import. `unread` are the files that could not be read; documents of the lines' days may
    /// be among them. Returns the reason if it leaves out days.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn extend_coverage(&mut self, unread: &Unread) -> Result<Option<String>> {
        let lines = std::mem::take(&mut self.coverage);
        let is_stated = lines.is_stated();
        if unread.is_of_unknown_days {
            let reason = "not recorded, as a file could not be read".to_owned();
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

    /// Returns the records refused since the last call, each with the reason: cards that are too
    /// large.
    pub fn take_refused(&mut self) -> Vec<String> {
        std::mem::take(&mut self.outcome.refused)
    }

    /// Returns the numbers of suppliers and purchases whose answers changed.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn change_count(&self) -> Result<ChangeCount> {
        ChangeLog::for_import(&self.file)?.count()
    }

    /// Returns the archives that earlier imports read in full with this version of the readers
    /// (`read_by` is the importer's).
    pub fn archives(&self, read_by: i64) -> Archives<'_> {
        Archives {
            db: &self.file,
            read_by,
        }
    }

    /// Returns the archives in the file as it was before the import; none if there is no such file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn earlier_archives(&self, read_by: i64) -> Result<Option<EarlierArchives>> {
        if self.is_first() {
            return Ok(None);
        }
        let db = DATA.open_to_read(self.building.target())?;
        Ok(Some(EarlierArchives { db, read_by }))
    }

    /// Records that an archive was imported in full, with its counts and the number of its refused
    /// documents.
    ///
    /// # Errors
    /// The file cannot be written.
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

    /// Ends the import: the copy replaces the file, unless nothing changed. Returns the tallies of
    /// lines and documents, by kind.
    ///
    /// # Errors
    /// The file cannot be written; it then stays as it was.
    pub fn finish(mut self) -> Result<BTreeMap<&'static str, Tally>> {
        self.settle_lines()?;
        self.commit()?;
        content_rebuild::rebuild(&self.file, &mut |_, _| Ok(()))?;
        if self.is_written() {
            // What follows is short, so that little is lost if the process is killed after this.
            self.commit()?;
            self.file.batch("COMMIT")?;
            self.file = self.building.with_full_pages(self.file)?;
            set_cache_size(&self.file)?;
            self.file.batch("BEGIN IMMEDIATE")?;
        }
        self.file.batch("DROP TABLE IF EXISTS resume_state")?;
        PurchasesLeft(&self.file).end()?;
        index_customers(&self.file)?;
        if self.is_written() {
            rnp_index::write_total(&self.file)?;
        }
        if self.has_changed() {
            let db = &self.file;
            let (log, now) = (ChangeLog::for_import(db)?, seconds(SystemTime::now()));
            log.registries(&self.registries, &registries::registries(db)?)?;
            log.unread(&self.unread, &unread_entries::unread_entries(db)?)?;
            SearchedNames(db).write(log)?;
            set_new_version(db, now)?;
            log.end(now)?;
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

    /// Returns whether anything was written that must be stored, even if no answer depends on it.
    fn is_written(&self) -> bool {
        self.outcome.dirty > Dirty::No
    }
}

/// Returns the file that `building` replaces; an empty one if there is none.
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

/// Returns the version of the data in the file that `building` replaces, as one word.
fn origin_of(building: &Building) -> Result<String> {
    if building.is_first() {
        return Ok(String::new());
    }
    let version = DataFile::open(building.target(), None)?.version;
    Ok(format!("{}-{}", version.identity, version.revision))
}

/// Returns the connection to an unfinished import, and whether that import had changed any data.
/// None if it had another task or other data, or is damaged.
fn resumable(file: OpenFile, task: &str, origin: &str) -> Option<(OpenFile, bool)> {
    let sql = "SELECT changed FROM resume_state WHERE task = ?1 AND origin = ?2";
    let changed = file.one(sql, [task, origin], |row| row.get(0)).ok()??;
    let sql = "PRAGMA quick_check(1)";
    let check: Option<String> = file.one(sql, (), |row| row.get(0)).ok()?;
    (check.as_deref() == Some("ok")).then_some((file, changed))
}

#[cfg(test)]
mod tests;
