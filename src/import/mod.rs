//! Documents and lines to facts to records.
//!
//! ```text
//! source ── pieces ── parse (all cores) ── facts ────┐ queue ┌── store: documents
//!   files, archives, lines    eis, jsonl             └───────┘
//! stored documents ── derive (all cores) ── records ─┐ queue ┌── store: records
//!                                                    └───────┘
//! ```
//!
//! First all documents are stored, then the records that they touch are derived, each once. In both
//! parts one thread writes, and all cores work ahead of it by a few rounds, so that the writing
//! thread does nothing that another could: its time per document bounds an import however many cores
//! there are (`scripts/bench import`). Memory is bounded by these rounds and one batch, whatever the
//! size of the input. Unreadable input is reported with its place and skipped.
//!
//! An archive that was imported in full is not opened again as long as its size and time stay the
//! same, and not read again if its bytes are the same, unless the readers have changed since
//! (`eis::read_by`). Its documents that could not be read are remembered with it.
//!
//! # From documents to records
//!
//! 1. `source` finds files and splits them into documents (those of archives still compressed) and
//!    lines.
//! 2. `parse` decompresses and reads them on all cores. `eis` turns each document into facts
//!    (`facts`) about a contract, purchase or RNP entry, without looking at other documents.
//! 3. `store/documents.rs` keeps the newest version for each number, kind and key.
//! 4. When all documents are stored, `derive` derives the record of each subject with new ones from
//!    all facts about it. Each thread reads them over its own connection
//!    (`store/stored_documents.rs`).
//! 5. The store writes the records that changed (`store/batch.rs`), and logs the changed answers
//!    (`store/changes.rs`).
//!
//! Lines are records already. They are written in the same batches after the documents
//! (`store/batch_lines.rs`); those that replace something are counted and logged at the end
//! (`store/replaced_lines.rs`). Everything is written to `FILE-building`, which replaces the file
//! when the import ends (`store/building.rs`).
//!
//! # Where to begin
//!
//! - A kind of document: its row in `eis/kinds`, which says what else it needs.
//! - A field of a contract: if a `contract` states it, it is a field of the facts with a new
//!   number, and in `on_page` (`facts/contract.rs`), filled by the reader (`eis/contract.rs`). If
//!   it follows from other documents, `derive/contract.rs` derives it.
//! - Facts as they are stored: `facts`, one file per family; `facts/encoding.rs` for structs and
//!   their field numbers, `facts/values.rs` for single values.

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
use crate::store::{DerivedAgain, EarlierArchives, NewDocuments, ReplacedAsOf, Writer};
use parse::{Parsed, ParsedItem, Problem, ReadDocument};
use source::{Ended, Note, Part, Piece, ReadArchive, Sources};

pub use crate::xml::{MAX_DEPTH, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_TEXT};
pub use crate::zip::{MAX_ENTRIES, MAX_FREE, MAX_RATIO};
pub use derive::RULES;
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

/// The bytes of documents that are read before they are parsed together.
const ROUND_BYTES: u64 = 4 << 20;

/// The rounds of parsed input that may wait to be written, so that reading continues while one
/// is written.
const WAITING_ROUNDS: usize = 4;

/// The most unreadable documents of one archive that are named.
const MAX_NAMED: u64 = 20;

/// The most pieces that are parsed together.
const ROUND_PIECES: usize = 2000;

/// About how many lines are parsed together at most.
const ROUND_LINES: u64 = 50_000;

/// The options of an import.
#[derive(Debug, Default)]
pub struct Options<'a> {
    /// The given RNP entries are the whole registry of their laws as of that day: unless
    /// anything is skipped, other entries of these laws are in force no longer from that day
    /// on.
    pub replace_rnp: Option<ReplacedAsOf>,
    /// Deletes the RNP entries that were in force on no day from this one on.
    pub forget_before: Option<Date>,
    /// Read archives again that were imported before.
    pub again: bool,
    /// Ends the import when it becomes true; the input read so far is imported.
    pub stop: Option<&'a AtomicBool>,
}

impl Options<'_> {
    fn is_stopped(&self) -> bool {
        self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
    }
}

/// An event of a running import.
#[derive(Debug)]
pub enum Event<'a> {
    /// Something was skipped: its place and the fault.
    Problem(&'a str),
    /// The progress so far.
    Progress {
        /// Bytes of the files read.
        bytes: u64,
        /// Bytes of all files; 0 if unknown.
        total: u64,
        /// Documents and lines read.
        records: u64,
    },
}

/// Imports the files at `paths`.
///
/// # Errors
/// The database cannot be written; it is then as it was.
pub fn import(
    paths: &[PathBuf],
    writer: Writer,
    options: &Options<'_>,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, Error> {
    run(paths, Some(writer), options, on_event)
}

/// Reads the files at `paths` in full without importing them, and reports unreadable input.
/// The only option that applies is `stop`.
///
/// # Errors
/// A fault in this program.
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
    // The entries of a registry are complete only if all of it is read.
    let is_all_read = options.again || options.replace_rnp.is_some();
    let remembering = writer.as_ref().filter(|_| !is_all_read);
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
        summary.derived_again = derive_again(writer, options)?;
    }
    let is_derived = summary.derived_again.is_none_or(|again| again.is_complete);
    let mut import = Import {
        writer,
        records: summary.counted.records(),
        summary,
        options,
        archive: None,
        has_remembered: false,
        bytes: 0,
        total: sources.total_bytes,
        writing: Duration::ZERO,
        on_event,
    };
    let (sender, rounds) = sync_channel(WAITING_ROUNDS);
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| read(sources, earlier, options, sender));
        // The channel closes at its end, which ends the reading of an import that failed.
        let outcome = import.take_all(rounds);
        let read_to_end = read_to_end(reading.join())?;
        outcome?;
        import.summary.interrupted = !(read_to_end && is_derived);
        Ok::<(), Error>(())
    })?;
    import.finish(started)
}

/// Derives the records of all documents again, unless these rules derived the records in the file.
/// Returns the outcome, if there was anything to derive.
fn derive_again(writer: &mut Writer, options: &Options<'_>) -> Result<Option<DerivedAgain>, Error> {
    if !writer.is_derived_by_other(RULES)? {
        return Ok(None);
    }
    writer.begin_deriving_again();
    let is_stopped = || options.is_stopped();
    let derived = derive::derive(writer, NewDocuments::All, &is_stopped)?;
    if derived.is_complete {
        writer.set_rules(RULES)?;
    }
    Ok(Some(derived).filter(|derived| derived.records > 0 || !derived.is_complete))
}

/// Returns whether the reading thread reached the end.
///
/// # Errors
/// The thread panicked, so the input was not read in full.
fn read_to_end(outcome: std::thread::Result<bool>) -> Result<bool, Error> {
    outcome.map_err(|_| Error::Fault)
}

/// Reads all sources, in rounds that are parsed on all cores. Returns whether it reached
/// the end.
fn read(
    sources: Sources,
    earlier: Option<EarlierArchives>,
    options: &Options<'_>,
    sender: SyncSender<Vec<Parsed>>,
) -> bool {
    // An archive that cannot be looked up is read again, which changes nothing.
    let known = |archive: &ReadArchive| {
        let found = earlier.as_ref()?.with_bytes(&archive.file, &archive.digest);
        Counted::from_bytes(&found.ok()??)
    };
    let mut round = Vec::new();
    let (mut round_bytes, mut round_lines) = (0, 0);
    let parse = |round: &mut Vec<Piece>| {
        let pieces = std::mem::take(round);
        let parsed = pieces.into_par_iter().map(parse::parse).collect();
        sender.send(parsed).map_err(|_| Ended::Stopped)
    };
    let outcome = sources.read(&known, &mut |piece| {
        if options.is_stopped() {
            return Err(Ended::Stopped);
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
    /// None for a dry run.
    writer: Option<Writer>,
    summary: Summary,
    options: &'a Options<'a>,
    /// The archive that is being read.
    archive: Option<OpenArchive>,
    /// Whether any archive was remembered.
    has_remembered: bool,
    bytes: u64,
    total: u64,
    records: u64,
    writing: Duration,
    on_event: &'a mut dyn FnMut(Event<'_>),
}

/// An archive that is being read.
struct OpenArchive {
    place: String,
    counted: Counted,
    /// Whether all of it was read and it has no lines. Of several lines about one thing the last
    /// counts, so that an archive with lines is read each time.
    is_done: bool,
}

impl Import<'_> {
    /// Imports the parsed input of the reading thread until its end.
    fn take_all(&mut self, rounds: Receiver<Vec<Parsed>>) -> Result<(), Error> {
        for round in rounds {
            let started = Instant::now();
            for mut parsed in round {
                self.bytes += parsed.consumed;
                self.take_unread(&mut parsed)?;
                for item in parsed.items {
                    self.take_item(&parsed.place, item)?;
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

    /// Remembers the inclusions in registries of unfair suppliers that cannot be read, so that none
    /// of them passes for an absence. Those that an earlier import has told of are not told of again.
    fn take_unread(&mut self, parsed: &mut Parsed) -> Result<(), Error> {
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
        let archive = cut_to(archive.rsplit('/').next().unwrap_or_default());
        let entry = cut_to(entry.unwrap_or_default().trim_start_matches('/'));
        let mut all = Vec::new();
        for item in &mut parsed.items {
            if let ParsedItem::Problem(problem) = item {
                for one in &mut problem.unread {
                    one.number = cut_to(&one.number).to_owned();
                    one.archive = archive.to_owned();
                    one.entry = entry.to_owned();
                }
                all.extend_from_slice(&problem.unread);
            }
        }
        let known = writer.set_unread(&parsed.place, &all)?;
        let tells_again = self.options.again || self.options.replace_rnp.is_some();
        for item in parsed.items.iter_mut().filter(|_| !tells_again) {
            if let ParsedItem::Problem(problem) = item {
                problem.is_known = problem.part == Part::Document
                    && !problem.unread.is_empty()
                    && problem.unread.iter().all(|one| known.contains(one));
            }
        }
        Ok(())
    }

    fn take_item(&mut self, place: &str, item: ParsedItem) -> Result<(), Error> {
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
                    take_document(writer, *document)?;
                }
            }
            ParsedItem::PassedOver(kind) => {
                self.records += 1;
                self.count(|counted| summary::add(&mut counted.passed_over, &kind, 1));
            }
            ParsedItem::Problem(problem) => self.take_problem(place, problem),
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

    fn take_problem(&mut self, place: &str, problem: Problem) {
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

    /// Remembers an archive if all of it was read.
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
            self.has_remembered = true;
            self.remember(read, &archive.counted)?;
        }
        Ok(())
    }

    fn remember(&mut self, read: &ReadArchive, counted: &Counted) -> Result<(), Error> {
        if let Some(writer) = &mut self.writer {
            let (by, bytes) = (eis::read_by(), counted.to_bytes());
            writer.archive_done(&read.file, &read.digest, by, &bytes, counted.refused)?;
        }
        Ok(())
    }

    /// Counts an archive whose bytes were imported before, and remembers where it is now.
    fn count_known(&mut self, read: &ReadArchive, counted: Counted) -> Result<(), Error> {
        self.remember(read, &counted)?;
        self.records += counted.records();
        self.summary.add_archive(counted);
        Ok(())
    }

    /// The archive that is being read must be read again the next time.
    fn leave_archive_open(&mut self) {
        if let Some(archive) = &mut self.archive {
            archive.is_done = false;
        }
    }

    /// Counts something, for the summary and for its archive.
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
                let derived = derive::derive(&mut writer, new, &is_stopped)?;
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
            // No file is created if nothing could be imported.
            let is_nothing =
                writer.is_first() && !writer.has_changed() && !is_whole && !self.has_remembered;
            summary.add_tallies(match summary.interrupted {
                true => writer.stop()?,
                false if is_nothing => BTreeMap::new(),
                false => writer.finish()?,
            });
        }
        summary.bytes = self.bytes;
        summary.time = started.elapsed();
        summary.writing_time = self.writing + ending.elapsed();
        Ok(summary)
    }
}

/// The beginning of a name or a number, of up to [`MAX_NUMBER`] bytes.
fn cut_to(text: &str) -> &str {
    let mut ends = (0..=MAX_NUMBER.min(text.len())).rev();
    let end = ends.find(|end| text.is_char_boundary(*end));
    text.get(..end.unwrap_or_default()).unwrap_or_default()
}

/// The day of a file in a folder that is named by one, as `fetch` names them.
fn day_of(file: &str) -> Option<Date> {
    let mut folders = file.rsplit('/').skip(1);
    folders.find_map(Date::parse_iso)
}

fn take_document(writer: &mut Writer, document: ReadDocument) -> Result<(), Error> {
    if let Some(law) = &document.rnp_law {
        writer.rnp_law(law);
    }
    let mut kind = Some(document.kind);
    for document in document.documents {
        writer.document(kind.take(), document)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_of_the_reading_thread_is_no_stop() {
        let panicked = std::thread::spawn(|| -> bool { panic!("a fault") }).join();
        assert!(matches!(read_to_end(panicked), Err(Error::Fault)));
        assert!(matches!(read_to_end(Ok(false)), Ok(false)));
    }
}
