//! Official documents (EIS): one file a family of documents.
//!
//! A document is read into what it says ([`Document`]), which the store keeps by
//! what it is about, the newest version of each.

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

use element::{Element, FileProblem};

use super::facts::Fact;

/// What came of one document of a file.
#[derive(Debug)]
pub enum Reading {
    /// A document that the data is made of: its kind, and what it says. Some say
    /// nothing about any purchase.
    Document(String, Vec<Fact>),
    /// A document of a kind that is not taken in.
    PassedOver(String),
    /// A document that cannot be taken in: its kind, the line of the file on which it
    /// begins, and what is wrong with it.
    Problem(String, u64, String),
}

/// Reads the documents of a file, in their order.
///
/// # Errors
/// Where and why the file is not well-formed, or over a bound; the documents
/// before that place are read.
pub fn read_file(bytes: &[u8], mut each: impl FnMut(Reading)) -> Result<(), FileProblem> {
    let xml = std::str::from_utf8(bytes).map_err(|error| {
        FileProblem::new(format!(
            "not UTF-8 from byte {} on",
            error.valid_up_to() + 1
        ))
    })?;
    let mut lines = Lines {
        xml,
        at: 0,
        line: 1,
    };
    element::for_each_document(xml, |document| {
        let line = lines.of(document.name);
        read(&document, line, &mut each);
    })
}

/// Tells the lines of parts of a file, which are asked for in their order.
struct Lines<'d> {
    xml: &'d str,
    at: usize,
    line: u64,
}

impl Lines<'_> {
    /// The line of `part`, which is a part of the file after those asked for before.
    fn of(&mut self, part: &str) -> u64 {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.xml.as_ptr() as usize);
        if let Some(between) = self.xml.as_bytes().get(self.at..offset) {
            self.line += between.iter().filter(|byte| **byte == b'\n').count() as u64;
            self.at = offset;
        }
        self.line
    }
}

/// Reads a document; one under 223-FZ may hold several, each of which counts.
fn read(document: &Element<'_>, line: u64, each: &mut impl FnMut(Reading)) {
    let is_contract223 = document.name == "contract" && fz223::is_contract(document);
    let kind = || match document.name {
        "contract" if is_contract223 => "contract (223-FZ)".to_owned(),
        name => name.to_owned(),
    };
    let mut tell = |outcome| {
        each(match outcome {
            Ok(facts) => Reading::Document(kind(), facts),
            Err(problem) => Reading::Problem(kind(), line, problem),
        });
    };
    match document.name {
        "contract" if !is_contract223 => tell(contract::read(document)),
        _ if notice44::reads(document) => tell(notice44::read(document)),
        name if fz223::reads(name) => fz223::read(document).for_each(tell),
        name if pp615::NAMES.contains(&name) => tell(pp615::read(document)),
        name if procedure::NAMES.contains(&name) => tell(procedure::read(document)),
        name if protocol44::reads(name) => tell(protocol44::read(document)),
        name if rnp::NAMES.contains(&name) => tell(rnp::read(document)),
        kind => each(Reading::PassedOver(kind.chars().take(80).collect())),
    }
}
