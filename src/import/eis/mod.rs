//! Official documents (EIS): one file a family of documents.
//!
//! A document is read into facts ([`Fact`]), of which the store has the newest version by
//! subject and key.

mod contract;
mod element;
mod fz223;
mod notice44;
mod pp615;
mod procedure;
mod protocol44;
mod rnp;
mod value;

pub use contract::MAX_SUPPLIERS;
pub use element::{MAX_DEPTH, MAX_DOCUMENTS, MAX_ELEMENTS, MAX_TEXT};

use element::{Element, FileError};
use value::Result;

use super::facts::Fact;

/// The outcome of reading one document of a file.
#[derive(Debug)]
pub enum DocumentOutcome {
    /// A document of a kind that is imported, and its facts, which may be none.
    Document(String, Vec<Fact>),
    /// A document of a kind that is not imported.
    PassedOver(String),
    /// A document that cannot be imported: its kind, the line of the file on which it
    /// begins, and what is wrong with it.
    Problem(String, u64, String),
}

/// Reads the documents of a file, in their order.
///
/// # Errors
/// Where and why the file is not well-formed, or over a bound; the documents before that
/// place have been read.
pub fn read_file(
    bytes: &[u8],
    mut each: impl FnMut(DocumentOutcome),
) -> std::result::Result<(), FileError> {
    let xml = std::str::from_utf8(bytes).map_err(|error| {
        FileError::new(format!(
            "not UTF-8 from byte {} on",
            error.valid_up_to() + 1
        ))
    })?;
    let mut lines = LineCounter {
        xml,
        at: 0,
        line: 1,
    };
    element::for_each_document(xml, |document| {
        let line = lines.line_of(document.name);
        read(&document, line, &mut each);
    })
}

/// Counts the lines of parts of a file, which must be requested in order.
struct LineCounter<'d> {
    xml: &'d str,
    at: usize,
    line: u64,
}

impl LineCounter<'_> {
    /// The line of `part`, a part of the file after all earlier ones.
    fn line_of(&mut self, part: &str) -> u64 {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.xml.as_ptr() as usize);
        if let Some(between) = self.xml.as_bytes().get(self.at..offset) {
            self.line += between.iter().filter(|byte| **byte == b'\n').count() as u64;
            self.at = offset;
        }
        self.line
    }
}

/// Receives the facts of a document, or the element that is missing or malformed in it.
type Emit<'t> = dyn FnMut(Result<Vec<Fact>>) + 't;

/// Documents that are read by the same reader.
struct Family {
    /// The names of its kinds, and the parts of names by which they are recognised.
    names: &'static [&'static [&'static str]],
    /// Does it read this document?
    reads: fn(&Element<'_>) -> bool,
    /// Emits the facts of the document; one under 223-FZ may have several items, each of
    /// which counts.
    read: fn(&Element<'_>, &mut Emit<'_>),
}

/// All families, in the order in which they are tried.
const FAMILIES: &[Family] = &[
    Family {
        names: &[&["contract"]],
        reads: |document| document.name == "contract" && !fz223::is_contract(document),
        read: |document, emit| emit(contract::read(document)),
    },
    Family {
        names: &[notice44::NAMES, notice44::LATER],
        reads: notice44::reads,
        read: |document, emit| emit(notice44::read(document)),
    },
    Family {
        names: &[fz223::NAMES, fz223::BEGINNINGS],
        reads: |document| fz223::reads(document.name),
        read: |document, emit| fz223::read(document).for_each(emit),
    },
    Family {
        names: &[pp615::NAMES],
        reads: |document| pp615::NAMES.contains(&document.name),
        read: |document, emit| emit(pp615::read(document)),
    },
    Family {
        names: &[procedure::NAMES],
        reads: |document| procedure::NAMES.contains(&document.name),
        read: |document, emit| emit(procedure::read(document)),
    },
    Family {
        names: protocol44::NAMES,
        reads: |document| protocol44::reads(document.name),
        read: |document, emit| emit(protocol44::read(document)),
    },
    Family {
        names: &[rnp::NAMES],
        reads: |document| rnp::NAMES.contains(&document.name),
        read: |document, emit| emit(rnp::read(document)),
    },
];

/// To be raised when a change reads more from documents of kinds that were read before.
const READER: u32 = 1;

/// Identifies what is read from archives: a number that changes with the kinds that are
/// read, or with what is read from them. An archive that was read with another number is
/// read again.
pub fn read_with() -> i64 {
    let mut sum = crc32fast::Hasher::new();
    for names in FAMILIES.iter().flat_map(|family| family.names) {
        sum.update(names.join(" ").as_bytes());
        sum.update(b"\n");
    }
    i64::from(READER) << 32 | i64::from(sum.finalize())
}

/// Reads a document, if it is of a kind that is read.
fn read(document: &Element<'_>, line: u64, each: &mut impl FnMut(DocumentOutcome)) {
    let Some(family) = FAMILIES.iter().find(|family| (family.reads)(document)) else {
        let kind = document.name.chars().take(80).collect();
        return each(DocumentOutcome::PassedOver(kind));
    };
    let kind = match document.name {
        "contract" if fz223::is_contract(document) => "contract (223-FZ)",
        name => name,
    };
    (family.read)(document, &mut |outcome| {
        each(match outcome {
            Ok(facts) => DocumentOutcome::Document(kind.to_owned(), facts),
            Err(problem) => DocumentOutcome::Problem(kind.to_owned(), line, problem),
        });
    });
}
