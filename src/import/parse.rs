//! Pieces of files to documents and lines, on all cores.

use std::panic::{AssertUnwindSafe, catch_unwind};

use memchr::memchr_iter;

use super::eis::{self, DocumentOutcome, UnreadableFile};
use super::facts::{Fact, Facts};
use super::jsonl;
use super::source::{Note, Part, Piece, PieceContent};
use super::text::shown;
use crate::model::{Regime, UnreadAbout, UnreadEntry};
use crate::store::{Document, DocumentOrigin, PackedLine};

/// The largest facts of one document, in stored bytes. Real ones stay below a tenth of
/// that.
pub const MAX_FACTS: usize = 4 << 20;

/// The longest number of a document's subject, and the longest key, in bytes.
pub const MAX_NUMBER: usize = 200;

/// A parsed piece.
#[derive(Debug)]
pub struct Parsed {
    /// The file; for an archive's entry, followed by the entry's name.
    pub place: String,
    /// The bytes of the files on disk that it stands for.
    pub consumed: u64,
    /// Its items, in order.
    pub items: Vec<ParsedItem>,
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
    /// A part that cannot be read.
    Problem(Problem),
    /// A message of the source.
    Note(Note),
}

/// A part of the input that cannot be read.
#[derive(Debug)]
pub struct Problem {
    /// The part of a file.
    pub part: Part,
    /// The label of the kind that it would have been.
    pub kind: &'static str,
    /// The message, after the place.
    pub what: String,
    /// What can be made out in it, if it is an inclusion in a registry of unfair suppliers.
    pub unread: Vec<UnreadEntry>,
    /// Whether an earlier import has told of it.
    pub is_known: bool,
}

/// A document in the store's form.
#[derive(Debug)]
pub struct ReadDocument {
    /// The label of its kind.
    pub kind: &'static str,
    /// Its facts; none if it is about no purchase.
    pub documents: Vec<Document>,
    /// Whether it is a contract without a supplier that has an INN; no request finds it.
    pub without_supplier: bool,
    /// The law of the RNP entry it is about.
    pub rnp_law: Option<String>,
}

/// Parses a piece. A panic is reported as an error of the piece, and does not end the import.
pub fn parse(piece: Piece) -> Parsed {
    let (place, consumed) = (piece.place, piece.consumed);
    let content = piece.content;
    let parsed = catch_unwind(AssertUnwindSafe(|| parse_content(&place, content)));
    let items = parsed.unwrap_or_else(|_| {
        let fault = "not read: a fault in this program; please report it with the file";
        vec![unreadable(&place, Part::Document, fault)]
    });
    Parsed {
        place,
        consumed,
        items,
    }
}

fn parse_content(place: &str, content: PieceContent) -> Vec<ParsedItem> {
    match content {
        PieceContent::Xml(bytes) => documents(&bytes),
        PieceContent::Packed(packed) => match packed.unpack() {
            Ok(bytes) => documents(&bytes),
            Err(what) => vec![unreadable(place, Part::File, &what)],
        },
        PieceContent::Lines(first, bytes) => lines(first, &bytes),
        PieceContent::Problem(part, what) => vec![unreadable(place, part, &what)],
        PieceContent::Note(note) => vec![ParsedItem::Note(note)],
    }
}

/// The kind under which an unreadable file or archive is counted.
const UNREADABLE: &str = "file";

/// A file at a place whose contents are not read. Its name may say what it is.
fn unreadable(place: &str, part: Part, what: &str) -> ParsedItem {
    let name = place.rsplit('/').next().unwrap_or_default();
    let unread = eis::unread_file(name).into_iter().collect();
    problem(part, UNREADABLE, format!(": {what}"), unread)
}

fn problem(part: Part, kind: &'static str, what: String, unread: Vec<UnreadEntry>) -> ParsedItem {
    ParsedItem::Problem(Problem {
        part,
        kind,
        what,
        unread,
        is_known: false,
    })
}

fn documents(bytes: &[u8]) -> Vec<ParsedItem> {
    let mut items = Vec::new();
    let outcome = eis::read_file(bytes, |reading| {
        items.push(match reading {
            DocumentOutcome::Document(kind, origin, facts) => document(kind, &origin, facts),
            DocumentOutcome::PassedOver(kind) => ParsedItem::PassedOver(kind),
            DocumentOutcome::Problem(kind, (line, column), what, unread) => {
                let unread = unread.into_iter().collect();
                let what = format!(":{line}:{column}: {what}");
                problem(Part::Document, kind, what, unread)
            }
        });
    });
    if let Err(UnreadableFile { error, unread }) = outcome {
        let before = match items.len() {
            0 => "",
            _ => "; the documents before that place are imported",
        };
        let what = format!("{error}{before}");
        items.push(problem(Part::Document, UNREADABLE, what, unread));
    }
    items
}

/// A document in the store's form.
fn document(kind: &'static str, origin: &DocumentOrigin, facts: Vec<Fact>) -> ParsedItem {
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
                purchase.clone_from(&facts.purchase_number);
                read.without_supplier |= !facts.suppliers.iter().any(|one| one.inn().is_some());
            }
            Facts::RnpEntry(facts) => {
                read.rnp_law = Some(facts.federal_law.clone());
            }
            _ => {}
        }
        let packed = match packed(&fact) {
            Ok(packed) => packed,
            Err(what) => {
                let unread = unread(&fact).into_iter().collect();
                return problem(Part::Document, read.kind, format!(": {what}"), unread);
            }
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

/// An inclusion whose facts cannot be stored.
fn unread(fact: &Fact) -> Option<UnreadEntry> {
    let Facts::RnpEntry(facts) = &fact.facts else {
        return None;
    };
    Some(UnreadEntry {
        law: Regime::from_code(&facts.federal_law)?,
        number: fact.number.clone(),
        version: Some(fact.version),
        published: Some(fact.published),
        about: match &facts.inn {
            Some(inn) => UnreadAbout::Inns(vec![inn.clone()]),
            None => UnreadAbout::NoInn,
        },
        archive: String::new(),
        entry: String::new(),
    })
}

/// The facts of a document in stored form.
fn packed(fact: &Fact) -> Result<Vec<u8>, String> {
    if fact.number.len() > MAX_NUMBER || fact.key.len() > MAX_NUMBER {
        let head = shown(&fact.number);
        return Err(format!("a number longer than {MAX_NUMBER} bytes: {head}"));
    }
    let packed = fact
        .facts
        .to_stored()
        .map_err(|fault| format!("{}: {fault}", fact.number))?;
    if packed.len() > MAX_FACTS {
        let most = MAX_FACTS >> 20;
        return Err(format!("{}: says more than {most} MiB", fact.number));
    }
    Ok(packed)
}

/// Reads lines. `first` is the number of the first one.
fn lines(first: u64, bytes: &[u8]) -> Vec<ParsedItem> {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    let ends = memchr_iter(b'\n', bytes).chain([bytes.len()]);
    let lines = ends.scan(0, |start, end| {
        let line = bytes.get(*start..end).unwrap_or_default();
        *start = end + 1;
        Some(line)
    });
    let mut items = Vec::new();
    for (number, line) in (first..).zip(lines) {
        match packed_line(line) {
            Ok(line) => items.extend(line.map(ParsedItem::Line)),
            Err(what) => {
                let what = format!(":{number}: {what}");
                items.push(problem(Part::Line, "JSON line", what, Vec::new()));
            }
        }
    }
    items
}

/// A line in the store's form; none if it is blank.
fn packed_line(line: &[u8]) -> Result<Option<PackedLine>, String> {
    let line = jsonl::parse_line(line).map_err(|error| error.to_string())?;
    let packed = line.map(jsonl::Line::pack).transpose();
    packed.map_err(|error| error.to_string())
}
