//! Readers of official EIS documents, one file per family. A reader turns a document into facts
//! ([`Fact`]). The store keeps the newest version of each fact, by subject and key.

mod consulted;
mod contract;
mod execution_register;
mod fz223;
mod generation;
mod kind;
mod kinds;
mod node;
mod not_read;
mod notice44;
mod packet;
mod party;
mod pattern;
mod pp615;
mod procedure;
mod protocol44;
mod rnp;
#[cfg(test)]
mod tests;
mod value;

pub use consulted::{Consulted, FieldSource};
pub use contract::MAX_SUPPLIERS;
pub use generation::Generation;
pub use kind::{Kind, Subject};
pub use kinds::{KINDS, registry_documents};
pub use node::{FieldName, KEY, NUMBER, PARTY, PUBLISHED, Reading, VERSION};
pub use not_read::{KindNotRead, kind_not_read, kinds_not_read};
pub use rnp::unread::unread_file;

use node::Node;
use packet::items;

use std::borrow::Cow;

use super::facts::Fact;
use super::text::{cut, printable, utf8};
use crate::model::UnreadEntry;
use crate::store::DocumentOrigin;
use crate::xml::{self, Element, FileError};

#[derive(Debug)]
pub enum DocumentOutcome {
    /// A document of a kind that is read: the label under which it is counted, the origin, and the
    /// facts, if any.
    Document(&'static str, DocumentOrigin, Vec<Fact>),
    /// The name of a document whose kind is not read. Printable and of bounded length.
    PassedOver(String),
    /// A document that cannot be read: the label, the line and column of the faulty element, and
    /// the message. For an inclusion in a registry of unfair suppliers, also what could still be
    /// read of it.
    Problem(&'static str, (u64, u64), String, Option<UnreadEntry>),
}

/// Calls `each` for every document of a file, in order.
///
/// # Errors
/// Returns an error if the file is not well-formed or exceeds a bound. `each` has been called for
/// all documents before that place.
pub fn read_file(
    bytes: &[u8],
    mut each: impl FnMut(DocumentOutcome),
) -> std::result::Result<(), UnreadableFile> {
    let text = match utf8(bytes) {
        Ok(text) => text,
        Err(what) => {
            let text = String::from_utf8_lossy(bytes);
            return Err(UnreadableFile {
                error: FileError::new(what),
                unread: rnp::unread::unread_in(&text, 0),
            });
        }
    };
    let mut position = LineCounter::new(text);
    let mut inclusions = 0;
    let read = xml::for_each_document(text, |document| {
        let kind = Kind::of(&document, KINDS);
        inclusions += usize::from(kind.is_some_and(rnp::unread::is_inclusion));
        read(kind, &document, &mut position, &mut each);
    });
    read.map_err(|error| UnreadableFile {
        error,
        unread: rnp::unread::unread_in(text, inclusions),
    })
}

#[derive(Debug)]
pub struct UnreadableFile {
    pub error: FileError,
    /// Inclusions in registries of unfair suppliers in the rest of the file, as far as they could
    /// still be read.
    pub unread: Vec<UnreadEntry>,
}

/// Returns the version of the readers: a digest of the facts that they read from the invented
/// documents in `data/documents`. A test compares the digest with `readers.version`, which
/// `GOLDEN=bless` updates. An import reads an archive again if another version of the readers read
/// it before.
pub fn read_by() -> i64 {
    i64::from_str_radix(include_str!("readers.version").trim(), 16).unwrap_or_default()
}

/// Upper bound on the characters of a document name that is printed or stored. Real names have up
/// to 45.
const MAX_NAME: usize = 80;

/// Returns whether documents may be counted under `label`. A label must be printable and at most
/// twice as long as [`MAX_NAME`], because the name of an unknown document may be followed by that
/// of a known document in it.
pub fn may_be_label(label: &str) -> bool {
    label.chars().count() <= 2 * MAX_NAME && printable(label) == label
}

/// Reads a document of a known kind, or each item of a packet. Passes over other documents.
fn read(
    kind: Option<&Kind>,
    document: &Element<'_>,
    position: &mut LineCounter<'_>,
    each: &mut impl FnMut(DocumentOutcome),
) {
    let Some(kind) = kind else {
        return each(DocumentOutcome::PassedOver(unknown(document)));
    };
    let label = kind.label();
    for (_, item) in items(kind, document) {
        each(match (kind.reader)(kind, &Node::new(item)) {
            Ok(facts) => DocumentOutcome::Document(label, origin(kind, document.name), facts),
            Err(error) => {
                let at = position.of(document.name, error.offset_in(position.xml));
                let what = match number(kind, item) {
                    "" => format!("{label}: {error}"),
                    number => format!("{label} {}: {error}", cut(number)),
                };
                let unread = rnp::unread::unread(kind, item);
                DocumentOutcome::Problem(label, at, what, unread)
            }
        });
    }
}

/// Returns the label of a document of an unknown kind. If a child element is a document of a known
/// kind, the label ends with the name of that kind. This happens if the root element of a bulk
/// export is not `export`.
fn unknown(document: &Element<'_>) -> String {
    let mut name = printable(&document.name.chars().take(MAX_NAME).collect::<String>());
    let mut inner = None;
    document.each_at("*", &mut |child| {
        inner = inner.or_else(|| Kind::of(child, KINDS).map(|kind| kind.name));
    });
    if let Some(inner) = inner {
        name.push('/');
        name.push_str(inner);
    }
    name
}

/// Returns the origin of a document whose element is called `name`. All official names consist of
/// letters, digits and underscores. For any other name, and for one that is too long, the origin
/// has the name or pattern of the kind.
fn origin(kind: &Kind, name: &str) -> DocumentOrigin {
    let is_official = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    DocumentOrigin {
        name: if kind.is_exact() || name.len() > MAX_NAME || !name.bytes().all(is_official) {
            Cow::Borrowed(kind.name)
        } else {
            Cow::Owned(name.to_owned())
        },
        subsystem: Cow::Borrowed(kind.subsystem),
    }
}

/// Used in messages only, so any number that identifies the document will do.
fn number<'e>(kind: &Kind, item: &'e Element<'_>) -> &'e str {
    match item.first_text(kind.number) {
        "" => item.first_text(&["registrationNumber", "contractRegNumber", "guid"]),
        number => number,
    }
}

/// Converts byte offsets in a file to lines and columns. Counting continues where the previous
/// document began, so documents must be passed in file order.
struct LineCounter<'d> {
    xml: &'d str,
    at: usize,
    line: u64,
    column: u64,
}

impl<'d> LineCounter<'d> {
    fn new(xml: &'d str) -> Self {
        Self {
            xml,
            at: 0,
            line: 1,
            column: 1,
        }
    }

    /// Returns the line and column, counted from 1, of the byte at `offset` in the file. `document`
    /// is the name of the document's root element, as a slice of the file's text.
    fn of(&mut self, document: &str, offset: usize) -> (u64, u64) {
        let start = (document.as_ptr() as usize).wrapping_sub(self.xml.as_ptr() as usize);
        if let Some(between) = self.xml.get(self.at..start) {
            (self.line, self.column) = self.after(between);
            self.at = start;
        }
        self.after(self.xml.get(self.at..offset).unwrap_or_default())
    }

    /// Returns the line and column after `text`, which must start at `at`.
    fn after(&self, text: &str) -> (u64, u64) {
        let feeds = text.bytes().filter(|byte| *byte == b'\n').count() as u64;
        let in_line = text.rsplit('\n').next().unwrap_or_default();
        let before = if feeds == 0 { self.column } else { 1 };
        (self.line + feeds, before + in_line.chars().count() as u64)
    }
}

#[cfg(test)]
mod testing {
    use super::{DocumentOutcome, Fact, read_file};
    use crate::model::Date;

    /// The kind and the facts of each document in `xml`. A problem is `line:column: message`.
    pub fn read_each(xml: &str) -> Vec<(String, Result<Vec<Fact>, String>)> {
        let mut all = Vec::new();
        read_file(xml.as_bytes(), |outcome| match outcome {
            DocumentOutcome::Document(kind, _, facts) => all.push((kind.to_owned(), Ok(facts))),
            DocumentOutcome::PassedOver(kind) => panic!("{kind} is not read"),
            DocumentOutcome::Problem(kind, (line, column), what, _) => {
                all.push((kind.to_owned(), Err(format!("{line}:{column}: {what}"))));
            }
        })
        .unwrap_or_else(|problem| panic!("{}", problem.error));
        all
    }

    /// The facts of all documents in `xml`, or the first problem.
    pub fn read_all(xml: &str) -> Result<Vec<Fact>, String> {
        let each = read_each(xml).into_iter().map(|(_, facts)| facts);
        let facts: Result<Vec<_>, _> = each.collect();
        facts.map(|facts| facts.into_iter().flatten().collect())
    }

    pub fn one(xml: &str) -> Fact {
        let mut facts = read_all(xml).expect("facts");
        assert_eq!(facts.len(), 1);
        facts.remove(0)
    }

    pub fn on(text: &str) -> Option<Date> {
        Some(Date::parse_iso(text).expect("a date"))
    }

    /// The problem of a document in which `^` marks the faulty element.
    pub fn problem_at(marked: &str) -> String {
        let (before, after) = marked.split_once('^').expect("a mark");
        let in_line = before.rsplit('\n').next().unwrap_or_default();
        let (line, column) = (before.lines().count(), in_line.chars().count() + 1);
        let problem = read_all(&[before, after].concat()).expect_err(marked);
        let place = format!("{line}:{column}: ");
        let what = problem.strip_prefix(&place);
        what.unwrap_or_else(|| panic!("{problem}, not at {place}{marked}"))
            .to_owned()
    }

    /// Names and texts of the files in `folder` of the real documents (`EIS_DOCUMENTS`), sorted by
    /// name.
    pub fn real_files(folder: &str) -> Vec<(String, String)> {
        let documents = std::env::var_os("EIS_DOCUMENTS").expect("EIS_DOCUMENTS is set");
        let folder = std::path::Path::new(&documents).join(folder);
        let files = std::fs::read_dir(folder).expect("a folder");
        let mut files: Vec<_> = files
            .map(|file| {
                let path = file.expect("a file").path();
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let text = std::fs::read_to_string(&path).expect("text");
                (name.into_owned(), text)
            })
            .collect();
        files.sort();
        files
    }
}
