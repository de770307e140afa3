//! Turns documents and lines into facts, and facts into records.
//!
//! ```text
//! source ── pieces ── parse (all cores) ── facts ────┐ queue ┌── store: documents
//!   files, archives, lines    eis, jsonl             └───────┘
//! stored documents ── derive (all cores) ── records ─┐ queue ┌── store: records
//!                                                    └───────┘
//! ```
//!
//! The importer first stores all documents, and then derives the records that they affect, each
//! record once. In both phases, a single thread writes, and the other cores work up to a few rounds
//! ahead of it. The time that this thread takes per document limits the speed of an import, however
//! many cores there are (`scripts/bench import`); therefore the other threads do as much of the
//! work as possible. Memory is bounded by these rounds and one batch, whatever the size of the
//! input. Unreadable input is skipped and reported with its position.
//!
//! An archive that was imported in full is not opened again while its size and modification time
//! are unchanged, and not read again if its bytes are the same. Either way, it is read again if the
//! readers have changed since (`eis::read_by`). The store remembers how many documents of an
//! archive could not be read.
//!
//! # From documents to records
//!
//! 1. `source` finds files and splits them into documents (still compressed if they are in
//!    archives) and lines.
//! 2. `parse` decompresses and reads them on all cores. `eis` turns each document into facts
//!    (`facts`) about a contract, purchase or RNP entry, without looking at other documents.
//! 3. `store/documents.rs` keeps the newest version of each number, kind and key.
//! 4. When all documents are stored, `derive` derives the record of each subject that has new
//!    documents, from all facts about the subject. Each thread reads the facts over a separate
//!    connection (`store/stored_documents.rs`).
//! 5. The store writes the records that changed (`store/batch.rs`) and logs the changed answers
//!    (`store/changes.rs`).
//!
//! Lines are already records. They are written in the same batches as derived records, after all
//! documents (`store/batch_lines.rs`). Lines that replace other records are counted and logged at
//! the end (`store/replaced_lines.rs`). Everything is written to `FILE-building`, which replaces
//! the file when the import ends (`store/building.rs`).
//!
//! # Where to begin
//!
//! - To add a kind of document, add a row in `eis/kinds`; the comments there say what else is
//!   needed.
//! - To add a field of a contract that the `contract` document states, add a field with a new
//!   number to the facts, list it in `on_page` (`facts/contract.rs`), and fill it in the reader
//!   (`eis/contract.rs`). A field that follows from other documents is derived in
//!   `derive/contract.rs`.
//! - The stored form of facts is in `facts`, one file per family: `facts/encoding.rs` for structs
//!   and field numbers, `facts/values.rs` for single values.

mod derive;
mod eis;
mod error;
mod facts;
mod jsonl;
mod parse;
mod read_before;
mod source;
mod summary;
mod text;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::model::Date;
use crate::store::{
    DocumentKind, EarlierArchives, FinishProgress, NewDocuments, RederiveOutcome, ReplacedAsOf,
    Writer,
};
use parse::{Parsed, ParsedItem, Problem, ReadDocument};
use source::{Note, Part, Piece, ReadArchive, ReadingEnd, Sources};

pub use crate::xml::{MAX_DEPTH, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_TEXT};
pub use crate::zip::{MAX_ENTRIES, MAX_FREE, MAX_RATIO};
pub use derive::{DeriveProgress, RULES};
pub use eis::{
    Consulted, FieldName, FieldSource, Generation, KEY, KINDS, Kind, KindNotRead, MAX_SUPPLIERS,
    NUMBER, PARTY, PUBLISHED, Reading, Subject, VERSION, kind_not_read, kinds_not_read,
    registry_documents,
};
pub use error::Error;
pub use jsonl::{FieldError, Line, MAX_LINE, parse_line};
pub use parse::{MAX_FACTS, MAX_NUMBER};
pub use read_before::ReadBefore;
pub use source::{MAX_ARCHIVE, MAX_DOCUMENT_FILE, MAX_FOLDERS, MAX_NESTED};
pub use summary::{Counted, Summary};
pub use text::printable;

/// A round is full once its pieces have this many bytes. All pieces of a round are parsed together.
const ROUND_BYTES: u64 = 4 << 20;

/// How many parsed rounds may wait for the writing thread before parsing pauses.
const WAITING_ROUNDS: usize = 4;

/// Upper bound on the unreadable documents of one archive that are reported by name.
const MAX_NAMED: u64 = 20;

const ROUND_PIECES: usize = 2000;

/// Upper bound on the lines in a round. Approximate, because a piece may contain several thousand.
const ROUND_LINES: u64 = 50_000;

#[derive(Debug, Default)]
pub struct Options<'a> {
    /// If set, the imported RNP entries are the complete registries of their laws as of this day.
    /// From this day on, no other entries of these laws are in force. Has no effect if the import
    /// skips anything or is stopped.
    pub replace_rnp: Option<ReplacedAsOf>,
    /// If set, RNP entries that ended before this day are deleted.
    pub forget_before: Option<Date>,
    /// Whether to read archives again that were imported before.
    pub again: bool,
    /// Ends the import once this is `true`. What was read until then is imported.
    pub stop: Option<&'a AtomicBool>,
}

impl Options<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

#[derive(Debug)]
pub enum Event<'a> {
    /// Something was skipped. The text gives place and reason.
    Problem(&'a str),
    Progress {
        bytes: u64,
        /// Total bytes of all files; 0 if unknown.
        total: u64,
        /// Documents and lines read.
        records: u64,
    },
    /// Progress in deriving records, after all documents have been stored.
    Deriving(DeriveProgress),
    /// Progress in the last steps, after all records have been derived.
    Finishing(FinishProgress),
}

/// Imports the files at `paths`.
///
/// # Errors
/// Returns an error if the import fails. The data file is then unchanged.
pub fn import(
    paths: &[PathBuf],
    writer: Writer,
    options: &Options<'_>,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, Error> {
    run(paths, Some(writer), options, on_event)
}

/// Reads the files at `paths` and reports unreadable input, without importing anything. Ignores all
/// options except `stop`.
///
/// # Errors
/// Returns an error if the list of files cannot be written to a temporary file, or if a thread
/// panicked.
pub fn read_only(
    paths: &[PathBuf],
    options: &Options<'_>,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, Error> {
    run(paths, None, options, on_event)
}

fn run(
    paths: &[PathBuf],
    mut writer: Option<Writer>,
    options: &Options<'_>,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, Error> {
    let started = Instant::now();
    let mut summary = Summary::default();
    if let Some(writer) = &writer {
        writer.refuse_newer_rules(RULES)?;
    }
    // To replace a registry, every archive must be read: the entries in skipped archives would be
    // missing from it.
    let reads_everything = options.again || options.replace_rnp.is_some();
    let remembering = writer.as_ref().filter(|_| !reads_everything);
    let sources = Sources::find(paths, &mut |file| {
        let known = remembering.map(|writer| writer.archives(eis::read_by()).at(file));
        let known = known.transpose()?.flatten();
        let Some(counted) = known.and_then(|bytes| Counted::from_bytes(&bytes)) else {
            return Ok(false);
        };
        summary.add_archive(counted);
        Ok(true)
    })?;
    let earlier = remembering.map(|writer| writer.earlier_archives(eis::read_by()));
    let earlier = earlier.transpose()?.flatten();
    if let Some(writer) = &mut writer {
        summary.derived_again = derive_again(writer, options, on_event)?;
    }
    let is_derived = summary.derived_again.is_none_or(|again| again.is_complete);
    let mut import = Import {
        writer,
        records: summary.counted.records(),
        summary,
        options,
        archive: None,
        has_recorded_archive: false,
        bytes: 0,
        total: sources.total_bytes,
        writing: Duration::ZERO,
        on_event,
    };
    let (sender, rounds) = sync_channel(WAITING_ROUNDS);
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| read(sources, earlier, options, sender));
        // Once this returns, even with an error, the channel is closed and the reading thread ends.
        let outcome = import.import_rounds(rounds);
        let read_to_end = read_to_end(reading.join())?;
        outcome?;
        import.summary.interrupted = !(read_to_end && is_derived);
        Ok::<(), Error>(())
    })?;
    import.finish(started)
}

/// Derives all records again if those in the data file come from other derivation rules. Returns
/// `None` if they do not.
fn derive_again(
    writer: &mut Writer,
    options: &Options<'_>,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Option<RederiveOutcome>, Error> {
    if !writer.is_derived_by_other(RULES)? {
        return Ok(None);
    }
    writer.start_rederiving();
    let is_stopped = || options.is_stopped();
    let derived = derive::derive(writer, NewDocuments::All, &is_stopped, &mut |progress| {
        on_event(Event::Deriving(progress));
    })?;
    if derived.is_complete {
        writer.set_rules(RULES)?;
    }
    Ok(Some(derived).filter(|derived| derived.records > 0 || !derived.is_complete))
}

/// Fails if the reading thread panicked.
fn read_to_end(outcome: std::thread::Result<bool>) -> Result<bool, Error> {
    outcome.map_err(|_| Error::Bug)
}

/// Reads all sources in rounds, and parses each round on all cores. Returns whether the end of the
/// input was reached.
fn read(
    sources: Sources,
    earlier: Option<EarlierArchives>,
    options: &Options<'_>,
    sender: SyncSender<Vec<Parsed>>,
) -> bool {
    // If the lookup fails, the archive is simply read again.
    let known = |archive: &ReadArchive| {
        let found = earlier.as_ref()?.with_bytes(&archive.file, &archive.digest);
        Counted::from_bytes(&found.ok()??)
    };
    let mut round = Vec::new();
    let (mut round_bytes, mut round_lines) = (0, 0);
    let parse = |round: &mut Vec<Piece>| {
        let pieces = std::mem::take(round);
        let parsed = pieces.into_par_iter().map(parse::parse).collect();
        sender.send(parsed).map_err(|_| ReadingEnd::Stopped)
    };
    let outcome = sources.read(&known, &mut |piece| {
        if options.is_stopped() {
            return Err(ReadingEnd::Stopped);
        }
        round_bytes += piece.content.held();
        round_lines += piece.content.lines();
        round.push(piece);
        let is_full =
            round_bytes >= ROUND_BYTES || round_lines >= ROUND_LINES || round.len() >= ROUND_PIECES;
        if !is_full {
            return Ok(());
        }
        (round_bytes, round_lines) = (0, 0);
        parse(&mut round)
    });
    parse(&mut round).is_ok() && outcome.is_ok()
}

struct Import<'a> {
    /// `None` if the import only reads.
    writer: Option<Writer>,
    summary: Summary,
    options: &'a Options<'a>,
    archive: Option<OpenArchive>,
    has_recorded_archive: bool,
    bytes: u64,
    total: u64,
    records: u64,
    writing: Duration,
    on_event: &'a mut dyn FnMut(Event<'_>),
}

struct OpenArchive {
    place: String,
    counted: Counted,
    /// Whether the archive was read to the end and contains no lines. Every import must read an
    /// archive with lines again: if several lines are about the same subject, the last one wins.
    is_done: bool,
}

impl Import<'_> {
    fn import_rounds(&mut self, rounds: Receiver<Vec<Parsed>>) -> Result<(), Error> {
        for round in rounds {
            let started = Instant::now();
            for mut parsed in round {
                self.bytes += parsed.consumed;
                self.record_unread(&mut parsed)?;
                for item in parsed.items {
                    self.import_item(&parsed.place, item)?;
                }
            }
            self.writing += started.elapsed();
            (self.on_event)(Event::Progress {
                bytes: self.bytes,
                total: self.total,
                records: self.records,
            });
        }
        Ok(())
    }

    /// Records RNP inclusions that could not be parsed, so that their suppliers do not count as
    /// "not listed". Marks problems that an earlier import has reported.
    fn record_unread(&mut self, parsed: &mut Parsed) -> Result<(), Error> {
        let Some(writer) = &mut self.writer else {
            return Ok(());
        };
        let is_content = |item: &ParsedItem| !matches!(item, ParsedItem::Note(_));
        if !parsed.items.iter().any(is_content) {
            return Ok(());
        }
        let (archive, entry) = match &self.archive {
            Some(archive) => (
                archive.place.as_str(),
                parsed.place.strip_prefix(&archive.place),
            ),
            None => (parsed.place.as_str(), None),
        };
        let archive = cut_to_bound(archive.rsplit('/').next().unwrap_or_default());
        let entry = cut_to_bound(entry.unwrap_or_default().trim_start_matches('/'));
        let mut all = Vec::new();
        for item in &mut parsed.items {
            if let ParsedItem::Problem(problem) = item {
                for one in &mut problem.unread {
                    one.number = cut_to_bound(&one.number).to_owned();
                    one.archive = archive.to_owned();
                    one.entry = entry.to_owned();
                }
                all.extend_from_slice(&problem.unread);
            }
        }
        let known = writer.set_unread(&parsed.place, &all)?;
        let reports_again = self.options.again || self.options.replace_rnp.is_some();
        for item in parsed.items.iter_mut().filter(|_| !reports_again) {
            if let ParsedItem::Problem(problem) = item {
                problem.is_known = problem.part == Part::Document
                    && !problem.unread.is_empty()
                    && problem.unread.iter().all(|one| known.contains(one));
            }
        }
        Ok(())
    }

    fn import_item(&mut self, place: &str, item: ParsedItem) -> Result<(), Error> {
        match item {
            ParsedItem::Line(line) => {
                self.records += 1;
                self.count(|counted| summary::add(&mut counted.documents, line.kind(), 1));
                self.leave_archive_open();
                if let Some(writer) = &mut self.writer {
                    writer.line(line)?;
                }
            }
            ParsedItem::Document(document) => {
                self.records += 1;
                self.count(|counted| counted.document(&document));
                if let Some(writer) = &mut self.writer {
                    write_document(writer, *document)?;
                }
            }
            ParsedItem::PassedOver(kind) => {
                self.records += 1;
                self.count(|counted| summary::add(&mut counted.passed_over, &kind, 1));
            }
            ParsedItem::Problem(problem) => self.report_problem(place, problem),
            ParsedItem::Note(Note::Nothing) => {}
            ParsedItem::Note(Note::OtherFile) => self.count(|counted| counted.other_files += 1),
            ParsedItem::Note(Note::ArchiveStart) => {
                self.archive = Some(OpenArchive {
                    place: place.to_owned(),
                    counted: Counted::default(),
                    is_done: true,
                });
            }
            ParsedItem::Note(Note::ArchiveEnd(read)) => self.end_archive(&read)?,
            ParsedItem::Note(Note::ArchiveKnown(read, counted)) => {
                self.count_known(&read, *counted)?
            }
        }
        if let Some(writer) = self.writer.as_mut().filter(|writer| writer.is_full()) {
            writer.write()?;
            if writer.is_commit_due() {
                writer.commit()?;
            }
        }
        Ok(())
    }

    fn report_problem(&mut self, place: &str, problem: Problem) {
        if !problem.is_known {
            self.summary.skip(problem.kind);
        }
        match problem.part {
            Part::Line => self.leave_archive_open(),
            Part::Document => self.count(|counted| counted.refused += 1),
            Part::File => {
                let file = self.archive.as_ref().map_or(place, |one| &one.place);
                match day_of(file) {
                    Some(day) => drop(self.summary.unread.days.insert(day)),
                    None => self.summary.unread.is_of_unknown_days = true,
                }
                self.leave_archive_open();
            }
        }
        let refused = self.archive.as_ref().map_or(0, |one| one.counted.refused);
        let is_named = problem.part != Part::Document || refused <= MAX_NAMED;
        if is_named && !problem.is_known {
            let what = [place, &problem.what].concat();
            (self.on_event)(Event::Problem(&printable(&what)));
        }
    }

    /// Records an archive as imported if it was read in full. If some of its unreadable documents
    /// were not named, reports how many.
    fn end_archive(&mut self, read: &ReadArchive) -> Result<(), Error> {
        let Some(archive) = self.archive.take() else {
            return Ok(());
        };
        let refused = archive.counted.refused;
        if refused > MAX_NAMED {
            let more = refused - MAX_NAMED;
            let what = format!("{}: {more} more documents cannot be read", archive.place);
            (self.on_event)(Event::Problem(&what));
        }
        if archive.is_done {
            self.has_recorded_archive = true;
            self.record_archive(read, &archive.counted)?;
        }
        Ok(())
    }

    fn record_archive(&mut self, read: &ReadArchive, counted: &Counted) -> Result<(), Error> {
        if let Some(writer) = &mut self.writer {
            let (by, bytes) = (eis::read_by(), counted.to_bytes());
            writer.archive_done(&read.file, &read.digest, by, &bytes, counted.refused)?;
        }
        Ok(())
    }

    /// Counts an archive whose bytes were imported before, and records its current path.
    fn count_known(&mut self, read: &ReadArchive, counted: Counted) -> Result<(), Error> {
        self.record_archive(read, &counted)?;
        self.records += counted.records();
        self.summary.add_archive(counted);
        Ok(())
    }

    /// Makes the next import read the current archive again.
    fn leave_archive_open(&mut self) {
        if let Some(archive) = &mut self.archive {
            archive.is_done = false;
        }
    }

    /// Counts both for the summary and for the current archive.
    fn count(&mut self, count: impl Fn(&mut Counted)) {
        count(&mut self.summary.counted);
        if let Some(archive) = &mut self.archive {
            count(&mut archive.counted);
        }
    }

    fn finish(self, started: Instant) -> Result<Summary, Error> {
        let ending = Instant::now();
        let mut summary = self.summary;
        if let Some(mut writer) = self.writer {
            writer.write()?;
            if !summary.interrupted {
                let is_stopped = || self.options.is_stopped();
                let new = NewDocuments::OfThisImport;
                let derived = derive::derive(&mut writer, new, &is_stopped, &mut |progress| {
                    (self.on_event)(Event::Deriving(progress));
                })?;
                summary.interrupted = !derived.is_complete;
            }
            let is_whole = summary.skipped == 0 && !summary.interrupted;
            let replaced = self.options.replace_rnp.filter(|_| is_whole);
            if !summary.interrupted {
                writer.settle_lines()?;
                writer.declare_registries(replaced)?;
                if let Some(day) = self.options.forget_before {
                    let forgotten = writer.forget_before(day, derive::set_names)?;
                    summary.rnp_entries_forgotten = Some(forgotten);
                }
                if let Some(reason) = writer.extend_coverage(&summary.unread)? {
                    summary.skip("coverage");
                    (self.on_event)(Event::Problem(&format!("coverage: {reason}")));
                }
                let ended = writer.settle_registries(&eis::registry_documents())?;
                summary.rnp_entries_gone = replaced.map(|_| ended);
                summary.unread_entries = writer.unread_entries()?;
            }
            for refused in writer.take_refused() {
                summary.skip("card");
                (self.on_event)(Event::Problem(&refused));
            }
            summary.changed = writer.change_count()?;
            // If nothing could be imported, no data file should be created.
            let is_nothing = writer.is_first()
                && !writer.has_changed()
                && !is_whole
                && !self.has_recorded_archive;
            summary.add_tallies(match summary.interrupted {
                true => writer.stop()?,
                false if is_nothing => BTreeMap::new(),
                false => writer.finish_with(&mut |progress| {
                    (self.on_event)(Event::Finishing(progress));
                })?,
            });
        }
        summary.bytes = self.bytes;
        summary.time = started.elapsed();
        summary.writing_time = self.writing + ending.elapsed();
        Ok(summary)
    }
}

/// Truncates a name or a number to at most [`MAX_NUMBER`] bytes.
fn cut_to_bound(text: &str) -> &str {
    let mut ends = (0..=MAX_NUMBER.min(text.len())).rev();
    let end = ends.find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

/// Returns the day of a fetched file. `fetch` names a parent folder after the day.
fn day_of(file: &str) -> Option<Date> {
    let mut folders = file.rsplit('/').skip(1);
    folders.find_map(Date::parse_iso)
}

fn write_document(writer: &mut Writer, document: ReadDocument) -> Result<(), Error> {
    let mut kind = Some(document.kind);
    for one in document.documents {
        if let Some(law) = &document.rnp_law
            && one.kind == DocumentKind::RnpEntry
        {
            writer.note_entry(&one.number, law)?;
        }
        writer.document(kind.take(), one);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_reading_thread_is_an_error_and_not_a_stop() {
        let panicked = std::thread::spawn(|| -> bool { panic!("a bug") }).join();
        assert!(matches!(read_to_end(panicked), Err(Error::Bug)));
        assert!(matches!(read_to_end(Ok(false)), Ok(false)));
    }
}
