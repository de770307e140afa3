//! Parses pieces of files into documents and lines, on all cores.

use std::panic::{AssertUnwindSafe, catch_unwind};

use memchr::memchr_iter;

use super::eis::{self, DocumentOutcome, UnreadableFile};
use super::facts::{Fact, Facts};
use super::jsonl;
use super::source::{Note, Part, Piece, PieceContent};
use super::text::shown;
use crate::model::{Regime, UnreadAbout, UnreadEntry};
use crate::store::{Document, DocumentOrigin, PackedLine};

/// Upper bound on the facts of one document, in stored bytes. Real documents stay below a tenth of
/// this.
pub const MAX_FACTS: usize = 4 << 20;

/// Upper bound on the bytes of a number or key.
pub const MAX_NUMBER: usize = 200;

#[derive(Debug)]
pub struct Parsed {
    /// File name, followed by the name of the entry if the file is an archive.
    pub place: String,
    /// How many bytes of the files on disk were read for this piece.
    pub consumed: u64,
    /// In file order.
    pub items: Vec<ParsedItem>,
}

#[derive(Debug)]
pub enum ParsedItem {
    Line(PackedLine),
    Document(Box<ReadDocument>),
    /// The name of a document whose kind is not read.
    PassedOver(String),
    Problem(Problem),
    Note(Note),
}

#[derive(Debug)]
pub struct Problem {
    pub part: Part,
    /// Label of the document's kind; `JSON line` for a line, `file` if the kind is unknown.
    pub kind: &'static str,
    /// Shown after the place.
    pub what: String,
    /// What could still be read of RNP inclusions.
    pub unread: Vec<UnreadEntry>,
    /// Whether an earlier import reported the problem.
    pub is_known: bool,
}

/// A document in the form in which it is stored.
#[derive(Debug)]
pub struct ReadDocument {
    pub kind: &'static str,
    /// Empty if the document is about nothing that this program serves.
    pub documents: Vec<Document>,
    /// Whether this is a contract none of whose suppliers has an INN.
    pub without_supplier: bool,
    /// Law of the RNP entry, if the document is about one.
    pub rnp_law: Option<String>,
}

/// Parses a piece. A panic counts as a problem of this piece and does not end the import.
pub fn parse(piece: Piece) -> Parsed {
    let (place, consumed) = (piece.place, piece.consumed);
    let content = piece.content;
    let parsed = catch_unwind(AssertUnwindSafe(|| parse_content(&place, content)));
    let items = parsed.unwrap_or_else(|_| {
        let what = "not read because of a bug in this program; please report it with the file";
        vec![unreadable(&place, Part::Document, what)]
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

const UNREADABLE: &str = "file";

/// Makes the problem of a file whose contents are not read. The file's name may reveal which
/// document is in it.
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

/// Returns what is known about an RNP inclusion whose facts cannot be stored, or `None` for any
/// other document.
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
        return Err(format!(
            "{}: its facts take more than {most} MiB",
            fact.number
        ));
    }
    Ok(packed)
}

/// The first line has the number `first` in its file.
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

fn packed_line(line: &[u8]) -> Result<Option<PackedLine>, String> {
    let line = jsonl::parse_line(line).map_err(|error| error.to_string())?;
    let packed = line.map(jsonl::Line::pack).transpose();
    packed.map_err(|error| error.to_string())
}
