//! Documents and lines to facts to records.
//!
//! ```text
//! source ── pieces ── parse (all cores) ── facts ──┐ queue ┌── store: documents
//!   files, archives, lines    eis, jsonl           └───────┘   derive: records
//! ```
//!
//! One thread reads and parses, the other writes; so both cores of a small machine are
//! busy, and memory is bounded by a few rounds of pieces and one batch, whatever the size
//! of the input. What cannot be read is reported, with its place, and skipped; the rest is
//! imported. An archive that was imported in full is recognised by its digest, and is not
//! read again while the same would be read from it (`eis::read_with`).

mod derive;
mod eis;
mod error;
mod facts;
mod jsonl;
mod parse;
mod quarantine;
mod queue;
mod source;
mod summary;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rayon::prelude::*;

use crate::model::Date;
use crate::store::{ArchiveDigest, ReplacedAsOf, Writer};
use error::file_error;
use parse::{Parsed, ParsedItem, ReadDocument};
use quarantine::Quarantine;
use queue::{BoundedQueue, CloseOnDrop};
use source::{Piece, Sources};

pub use derive::RULES;
pub use eis::{
    Field, FieldSource, KEY, KINDS, Kind, NUMBER, PARTY, PUBLISHED, Reading, Subject, VERSION,
    field_sources, party_readings, registry_documents,
};
pub use eis::{MAX_DEPTH, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_SUPPLIERS, MAX_TEXT};
pub use error::Error;
pub use jsonl::{FieldError, Line, MAX_DOCUMENT_TYPE, MAX_LINE, MAX_SUBSYSTEM, parse_line};
pub use parse::{MAX_FACTS, MAX_NUMBER};
pub use source::{MAX_ARCHIVE, MAX_DOCUMENT_FILE, MAX_FOLDERS, MAX_FREE, MAX_NESTED, MAX_RATIO};
pub use summary::{Counted, MAX_KINDS, Summary};

/// How many bytes of documents are read before they are parsed together.
const ROUND_BYTES: u64 = 4 << 20;

/// How many bytes of parsed input may wait to be written: more than a batch, so that
/// reading goes on while one is written.
const WAITING_BYTES: usize = 24 << 20;

/// How many pieces are parsed together at most.
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
    /// The folder for copies of what is skipped.
    pub quarantine: Option<PathBuf>,
    /// When it becomes true, the import ends with what it has read.
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
    /// Something was skipped: its place, and what is wrong with it.
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
/// The database or the quarantine cannot be written; the database is then as it was.
pub fn import(
    paths: &[PathBuf],
    writer: Writer,
    options: &Options<'_>,
    on_event: &mut dyn FnMut(Event<'_>),
) -> Result<Summary, Error> {
    run(paths, Some(writer), options, on_event)
}

/// Reads the files at `paths` in full without importing them, and reports what cannot be
/// read. Of the options, `quarantine` and `stop` apply.
///
/// # Errors
/// The quarantine cannot be written.
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
    let quarantine = match &options.quarantine {
        Some(folder) => Some(Quarantine::open(folder).map_err(file_error(folder))?),
        None => None,
    };
    let sources = Sources::find(paths, options.quarantine.as_deref());
    // The entries of a registry are complete only if all of it is read.
    let archives = match &writer {
        Some(writer) if !options.again && options.replace_rnp.is_none() => {
            writer.archives(eis::read_with())?
        }
        _ => BTreeMap::new(),
    };
    let is_stopped = || options.is_stopped();
    let derived_again = match &mut writer {
        Some(writer) => writer.derive_again(RULES, is_stopped, derive::derive)?,
        None => None,
    };
    let mut import = Import {
        writer,
        summary: Summary {
            derived_again,
            ..Summary::default()
        },
        options,
        quarantine,
        archives: &archives,
        archive: None,
        bytes: 0,
        total: sources.total_bytes,
        records: 0,
        writing: Duration::ZERO,
        on_event,
    };
    let queue = BoundedQueue::new(WAITING_BYTES);
    std::thread::scope(|scope| {
        let reading = scope.spawn(|| {
            let _close = CloseOnDrop(&queue);
            read(&sources, &archives, options, &queue)
        });
        let outcome = {
            let _close = CloseOnDrop(&queue);
            import.take_all(&queue)
        };
        let read_to_end = read_to_end(reading.join())?;
        let is_derived = derived_again.is_none_or(|again| again.is_complete);
        outcome?;
        import.summary.interrupted = !(read_to_end && is_derived);
        Ok::<(), Error>(())
    })?;
    import.finish(started)
}

/// Returns whether the reading thread reached the end.
///
/// # Errors
/// It panicked: what it has read is not all, and no signal is the reason.
fn read_to_end(outcome: std::thread::Result<bool>) -> Result<bool, Error> {
    outcome.map_err(|_| Error::Fault)
}

/// Reads all sources, in rounds that are parsed on all cores. Returns whether it reached
/// the end.
fn read(
    sources: &Sources,
    archives: &BTreeMap<ArchiveDigest, Vec<u8>>,
    options: &Options<'_>,
    queue: &BoundedQueue<Vec<Parsed>>,
) -> bool {
    let mut round = Vec::new();
    let (mut round_bytes, mut round_lines) = (0, 0);
    let keep_skipped = options.quarantine.is_some();
    let parse = |round: &mut Vec<Piece>| {
        let pieces = std::mem::take(round);
        let parsed: Vec<Parsed> = pieces
            .into_par_iter()
            .map(|piece| parse::parse(piece, keep_skipped))
            .collect();
        let weight = parsed.iter().map(|parsed| parsed.weight).sum();
        queue.send(weight, parsed)
    };
    let outcome = sources.read(
        |digest| archives.contains_key(digest),
        |piece| {
            if options.is_stopped() {
                return Err(());
            }
            round_bytes += piece.content.size();
            round_lines += piece.content.lines();
            round.push(piece);
            let is_full = round_bytes >= ROUND_BYTES
                || round_lines >= ROUND_LINES
                || round.len() >= ROUND_PIECES;
            if !is_full {
                return Ok(());
            }
            (round_bytes, round_lines) = (0, 0);
            if parse(&mut round) { Ok(()) } else { Err(()) }
        },
    );
    parse(&mut round) && outcome.is_ok()
}

struct Import<'a> {
    /// None if nothing is to be imported.
    writer: Option<Writer>,
    summary: Summary,
    options: &'a Options<'a>,
    quarantine: Option<Quarantine>,
    archives: &'a BTreeMap<ArchiveDigest, Vec<u8>>,
    /// The counts of the current archive; none if it must be read again the next time, as
    /// it has lines or something was skipped.
    archive: Option<Counted>,
    bytes: u64,
    total: u64,
    records: u64,
    writing: Duration,
    on_event: &'a mut dyn FnMut(Event<'_>),
}

impl Import<'_> {
    /// Imports what the other thread reads, until the end.
    fn take_all(&mut self, rounds: &BoundedQueue<Vec<Parsed>>) -> Result<(), Error> {
        while let Some(round) = rounds.receive() {
            let started = Instant::now();
            for parsed in round {
                self.take_parsed(parsed)?;
            }
            self.writing += started.elapsed();
            let (bytes, total, records) = (self.bytes, self.total, self.records);
            (self.on_event)(Event::Progress {
                bytes,
                total,
                records,
            });
        }
        Ok(())
    }

    fn take_parsed(&mut self, parsed: Parsed) -> Result<(), Error> {
        self.bytes += parsed.consumed;
        if let (Some(skipped), Some(quarantine)) = (&parsed.skipped, &mut self.quarantine) {
            let reasons = parsed.items.iter().filter_map(|item| match item {
                ParsedItem::Problem(_, what) => Some(what.as_str()),
                _ => None,
            });
            let folder = self.options.quarantine.as_deref().unwrap_or(Path::new(""));
            quarantine
                .keep(skipped, reasons)
                .map_err(file_error(folder))?;
        }
        for item in parsed.items {
            self.take_item(item)?;
        }
        Ok(())
    }

    fn take_item(&mut self, item: ParsedItem) -> Result<(), Error> {
        match item {
            ParsedItem::Line(line) => {
                self.records += 1;
                self.count(|counted| counted.line(line.kind()));
                // Of several lines about one thing the last counts.
                self.archive = None;
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
                let kind = source::printable(&kind);
                self.count(|counted| counted.passed_over(&kind));
            }
            ParsedItem::OtherFile => self.count(Counted::other_file),
            ParsedItem::Problem(kind, what) => {
                self.archive = None;
                self.summary.skip(kind);
                (self.on_event)(Event::Problem(&source::printable(&what)));
            }
            ParsedItem::ArchiveStart => self.archive = Some(Counted::default()),
            ParsedItem::ArchiveEnd(digest) => {
                if let (Some(counted), Some(writer)) = (self.archive.take(), &mut self.writer) {
                    writer.archive_done(&digest, eis::read_with(), &counted.to_bytes())?;
                }
            }
            ParsedItem::ArchiveUnchanged(digest) => self.count_unchanged_archive(&digest),
        }
        match &mut self.writer {
            Some(writer) if writer.is_full() => {
                writer.write(derive::derive)?;
                if writer.is_commit_due() {
                    writer.commit()?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Counts something, for the summary and for its archive.
    fn count(&mut self, count: impl Fn(&mut Counted)) {
        count(&mut self.summary.counted);
        if let Some(archive) = &mut self.archive {
            count(archive);
        }
    }

    fn count_unchanged_archive(&mut self, digest: &ArchiveDigest) {
        let counted = self
            .archives
            .get(digest)
            .and_then(|bytes| Counted::from_bytes(bytes));
        if let Some(counted) = counted {
            self.records += counted.records();
            self.summary.add_archive(counted);
        }
    }

    fn finish(self, started: Instant) -> Result<Summary, Error> {
        let ending = Instant::now();
        let mut summary = self.summary;
        if let Some(mut writer) = self.writer {
            writer.write(derive::derive)?;
            if !summary.interrupted {
                writer.merge_lines()?;
            }
            let is_whole = summary.skipped == 0 && !summary.interrupted;
            let replaced = self.options.replace_rnp.filter(|_| is_whole);
            if !summary.interrupted {
                writer.declare_registries(replaced)?;
                if let Some(day) = self.options.forget_before {
                    let forgotten = writer.forget_before(day, derive::derive)?;
                    summary.rnp_entries_forgotten = Some(forgotten);
                }
                let unread = summary.kinds.contains_key(parse::UNREADABLE);
                if let Some(reason) = writer.extend_coverage(unread)? {
                    summary.skip("coverage".to_owned());
                    (self.on_event)(Event::Problem(&format!("coverage: not taken in: {reason}")));
                }
            }
            if !summary.interrupted {
                let ended = writer.settle_registries(&eis::registry_documents())?;
                summary.rnp_entries_gone = replaced.map(|_| ended);
            }
            for refused in writer.take_refused() {
                summary.skip("card".to_owned());
                (self.on_event)(Event::Problem(&refused));
            }
            summary.changed = writer.change_count()?;
            // No file is created if nothing could be imported.
            let is_nothing = writer.is_first() && !writer.has_changed() && !is_whole;
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

fn take_document(writer: &mut Writer, document: ReadDocument) -> Result<(), Error> {
    if let Some(law) = &document.rnp_law {
        writer.rnp_law(law);
    }
    let mut kind = Some(document.kind.as_str());
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
