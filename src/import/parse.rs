//! Pieces of files to documents and lines, on all cores.

use std::panic::{AssertUnwindSafe, catch_unwind};

use memchr::memchr_iter;

use super::eis::{self, DocumentOutcome};
use super::facts::{Fact, Facts};
use super::jsonl;
use super::source::{Piece, PieceContent};
use crate::store::{ArchiveDigest, Document, DocumentOrigin, PackedLine};

/// The largest facts of one document, in stored bytes. Real ones stay below a tenth of
/// that.
pub const MAX_FACTS: usize = 4 << 20;

/// The longest number of a document's subject, and the longest key, in bytes.
pub const MAX_NUMBER: usize = 200;

/// A parsed piece.
#[derive(Debug)]
pub struct Parsed {
    /// How many bytes of the files on disk it stands for.
    pub consumed: u64,
    /// Its items, in order.
    pub items: Vec<ParsedItem>,
    /// What of it was skipped, for the quarantine.
    pub skipped: Option<Skipped>,
    /// About how many bytes of memory it takes.
    pub weight: usize,
}

/// A parsed document or line.
#[derive(Debug)]
pub enum ParsedItem {
    /// A line.
    Line(PackedLine),
    /// A document.
    Document(Box<ReadDocument>),
    /// A document of a kind that is not imported.
    PassedOver(String),
    /// A file of a kind that is not imported.
    OtherFile,
    /// An error: the kind it would have been, and what is wrong where.
    Problem(String, String),
    /// An archive begins.
    ArchiveStart,
    /// An archive ends.
    ArchiveEnd(ArchiveDigest),
    /// An archive that was imported before.
    ArchiveUnchanged(ArchiveDigest),
}

impl ParsedItem {
    /// About how many bytes of memory it takes.
    fn weight(&self) -> usize {
        const OVERHEAD: usize = 200;
        match self {
            Self::Document(document) => document
                .documents
                .iter()
                .map(|document| document.facts.len() + OVERHEAD)
                .sum(),
            Self::Line(line) => line.weight(),
            Self::Problem(_, what) => what.len() + OVERHEAD,
            _ => OVERHEAD,
        }
    }
}

/// A document in the store's form.
#[derive(Debug)]
pub struct ReadDocument {
    /// The name of its element.
    pub kind: String,
    /// Its facts; none if it is about no purchase.
    pub documents: Vec<Document>,
    /// Is it a contract without a supplier that has an INN? It cannot be found then.
    pub without_supplier: bool,
    /// The law of the RNP entry it is about.
    pub rnp_law: Option<String>,
}

/// What was skipped of a piece, for the quarantine.
#[derive(Debug)]
pub struct Skipped {
    /// The file, or the entry of an archive.
    pub place: String,
    /// Its bytes, or those of the skipped lines; none if they could not be read.
    pub bytes: Option<Vec<u8>>,
    /// Are they lines?
    pub lines: bool,
}

/// Parses a piece; with `keep_skipped`, returns what is skipped of it. A panic is reported
/// as an error of the piece, and does not end the import.
pub fn parse(piece: Piece, keep_skipped: bool) -> Parsed {
    let (place, consumed) = (piece.place.clone(), piece.consumed);
    catch_unwind(AssertUnwindSafe(|| parse_piece(piece, keep_skipped))).unwrap_or_else(|_| {
        let mut skipped = None;
        let fault = "not read: a fault in this program; please report it with the file";
        Parsed {
            consumed,
            items: unreadable(place, fault, keep_skipped, &mut skipped),
            skipped,
            weight: 0,
        }
    })
}

fn parse_piece(piece: Piece, keep_skipped: bool) -> Parsed {
    let Piece {
        place,
        content,
        consumed,
    } = piece;
    let mut skipped = None;
    let items = match content {
        PieceContent::Xml(bytes) => documents(&place, bytes, keep_skipped, &mut skipped),
        PieceContent::Packed(packed) => match packed.unpack() {
            Ok(bytes) => documents(&place, bytes, keep_skipped, &mut skipped),
            Err(problem) => unreadable(place, &problem, keep_skipped, &mut skipped),
        },
        PieceContent::Lines(first, bytes) => {
            lines(&place, first, &bytes, keep_skipped.then_some(&mut skipped))
        }
        PieceContent::Problem(problem) => unreadable(place, &problem, keep_skipped, &mut skipped),
        PieceContent::Other => vec![ParsedItem::OtherFile],
        PieceContent::Empty => Vec::new(),
        PieceContent::ArchiveStart => vec![ParsedItem::ArchiveStart],
        PieceContent::ArchiveEnd(digest) => vec![ParsedItem::ArchiveEnd(digest)],
        PieceContent::ArchiveUnchanged(digest) => vec![ParsedItem::ArchiveUnchanged(digest)],
    };
    let bytes = skipped.as_ref().and_then(|skipped| skipped.bytes.as_ref());
    let weight = bytes.map_or(0, Vec::len) + items.iter().map(ParsedItem::weight).sum::<usize>();
    Parsed {
        consumed,
        items,
        skipped,
        weight,
    }
}

/// The kind of what is skipped where a file or an archive cannot be read.
pub(super) const UNREADABLE: &str = "file";

fn unreadable(
    place: String,
    problem: &str,
    keep_skipped: bool,
    skipped: &mut Option<Skipped>,
) -> Vec<ParsedItem> {
    let what = format!("{place}: {problem}");
    *skipped = keep_skipped.then_some(Skipped {
        place,
        bytes: None,
        lines: false,
    });
    vec![ParsedItem::Problem(UNREADABLE.to_owned(), what)]
}

fn documents(
    place: &str,
    bytes: Vec<u8>,
    keep_skipped: bool,
    skipped: &mut Option<Skipped>,
) -> Vec<ParsedItem> {
    let mut items = Vec::new();
    let outcome = eis::read_file(&bytes, |reading| {
        items.push(match reading {
            DocumentOutcome::Document(kind, origin, facts) => document(place, kind, &origin, facts),
            DocumentOutcome::PassedOver(kind) => ParsedItem::PassedOver(kind),
            DocumentOutcome::Problem(kind, (line, column), what) => {
                ParsedItem::Problem(kind, format!("{place}:{line}:{column}: {what}"))
            }
        });
    });
    if let Err(problem) = outcome {
        let before = match items.len() {
            0 => "",
            _ => "; the documents before that place are taken in",
        };
        let what = format!("{place}{problem}{before}");
        items.push(ParsedItem::Problem(UNREADABLE.to_owned(), what));
    }
    if keep_skipped
        && items
            .iter()
            .any(|item| matches!(item, ParsedItem::Problem(..)))
    {
        *skipped = Some(Skipped {
            place: place.to_owned(),
            bytes: Some(bytes),
            lines: false,
        });
    }
    items
}

/// A document in the store's form.
fn document(place: &str, kind: String, origin: &DocumentOrigin, facts: Vec<Fact>) -> ParsedItem {
    let mut read = ReadDocument {
        kind,
        documents: Vec::with_capacity(facts.len()),
        without_supplier: false,
        rnp_law: None,
    };
    for fact in facts {
        let mut purchase = String::new();
        match &fact.facts {
            Facts::Contract(facts) => {
                purchase.clone_from(&facts.contract.purchase_number);
                read.without_supplier |= !facts.suppliers.iter().any(|one| one.inn.is_some());
            }
            Facts::RnpEntry(facts) => {
                read.rnp_law = Some(facts.entry.federal_law.clone());
            }
            _ => {}
        }
        let packed = match packed(&fact) {
            Ok(packed) => packed,
            Err(problem) => return ParsedItem::Problem(read.kind, format!("{place}: {problem}")),
        };
        read.documents.push(Document {
            number: fact.number,
            kind: fact.facts.kind(),
            key: fact.key,
            version: fact.version,
            published: fact.published,
            purchase,
            annuls: fact.facts.annuls(),
            origin: origin.clone(),
            facts: packed,
        });
    }
    ParsedItem::Document(Box::new(read))
}

/// The facts of a document in stored form.
fn packed(fact: &Fact) -> Result<Vec<u8>, String> {
    if fact.number.len() > MAX_NUMBER || fact.key.len() > MAX_NUMBER {
        let head: String = fact.number.chars().take(40).collect();
        return Err(format!(
            "a number longer than {MAX_NUMBER} bytes: {head:?}…"
        ));
    }
    let packed =
        Document::pack(&fact.facts).map_err(|error| format!("cannot be bytes: {error}"))?;
    if packed.len() > MAX_FACTS {
        return Err(format!(
            "{}: says more than {} MiB",
            fact.number,
            MAX_FACTS >> 20
        ));
    }
    Ok(packed)
}

/// Reads lines, the first of which has the number `first`; invalid ones are collected in
/// `skipped`, if given.
fn lines(
    place: &str,
    first: u64,
    bytes: &[u8],
    mut skipped: Option<&mut Option<Skipped>>,
) -> Vec<ParsedItem> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let ends = memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let lines = ends.scan(0, |start, end| {
        let line = bytes.get(*start..end).unwrap_or_default();
        *start = end + 1;
        Some(line)
    });
    let mut items = Vec::new();
    for (number, line) in (first..).zip(lines) {
        let problem = match jsonl::parse_line(line) {
            Ok(None) => continue,
            Ok(Some(line)) => match line.pack() {
                Ok(packed) => {
                    items.push(ParsedItem::Line(packed));
                    continue;
                }
                Err(problem) => problem.to_string(),
            },
            Err(problem) => problem.to_string(),
        };
        let what = format!("{place}:{number}: {problem}");
        items.push(ParsedItem::Problem("JSON line".to_owned(), what));
        if let Some(skipped) = &mut skipped {
            keep_line(skipped, place, line);
        }
    }
    items
}

fn keep_line(skipped: &mut Option<Skipped>, place: &str, line: &[u8]) {
    let skipped = skipped.get_or_insert_with(|| Skipped {
        place: place.to_owned(),
        bytes: Some(Vec::new()),
        lines: true,
    });
    if let Some(bytes) = &mut skipped.bytes {
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
    }
}
