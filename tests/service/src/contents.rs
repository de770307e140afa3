//! What the service has: the archives of each selection.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::Arc;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::Selection;
use crate::selection::matches;

/// An archive: a flat zip of documents.
#[derive(Clone, Debug)]
pub struct Archive(pub Vec<Document>);

/// A file of an archive.
#[derive(Clone, Debug)]
pub struct Document {
    /// `<type>_<number>_<version>_<32 hex>.xml`.
    pub name: String,
    /// Its XML.
    pub xml: Vec<u8>,
}

impl Archive {
    /// Its bytes. The same archive has the same bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for document in &self.0 {
            let written = writer
                .start_file(&*document.name, SimpleFileOptions::default())
                .and_then(|()| Ok(writer.write_all(&document.xml)?));
            written.expect("names of their own, bytes in memory");
        }
        let finished = writer.finish().expect("bytes in memory");
        finished.into_inner()
    }
}

/// The archives of each selection; none is `noData`.
#[derive(Clone)]
pub struct Contents(Arc<Archives>);

type Archives = dyn Fn(&Selection) -> Vec<Archive> + Send + Sync;

impl Contents {
    /// As a function says, which has to give the same for the same selection: it is called
    /// for each request and for each download.
    pub fn new(archives: impl Fn(&Selection) -> Vec<Archive> + Send + Sync + 'static) -> Self {
        Self(Arc::new(archives))
    }

    /// Nothing at all.
    pub fn none() -> Self {
        Self::new(|_| Vec::new())
    }

    /// For each selection so many archives, each with one small document that is no other's
    /// and of a kind that nobody knows.
    pub fn notes(archives: usize) -> Self {
        Self::new(move |selection| {
            (0..archives)
                .map(|number| note(selection, number))
                .collect()
        })
    }

    /// By patterns of keys: the first that matches counts; what none matches is empty.
    pub fn table(rows: Vec<(&'static str, Vec<Archive>)>) -> Self {
        Self::new(move |selection| {
            let key = selection.to_string();
            let row = rows.iter().find(|(pattern, _)| matches(pattern, &key));
            row.map_or_else(Vec::new, |(_, archives)| archives.clone())
        })
    }

    /// The documents of a folder, by their type and law: every region has them all on every
    /// day, in one archive for each type, and a number has those that name it.
    ///
    /// # Errors
    /// Where a file cannot be read, or is not XML.
    pub fn documents(folder: &Path) -> io::Result<Self> {
        let mut sources = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "xml") {
                let xml = fs::read(&path)?;
                let source = Source::read(xml)
                    .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
                sources.push(source);
            }
        }
        sources.sort_by(|a, b| a.xml.cmp(&b.xml));
        Ok(Self::new(move |selection| {
            let wanted = sources.iter().filter(|source| source.is_of(selection));
            let documents: Vec<Document> = wanted
                .enumerate()
                .map(|(number, source)| document(&source.kind, selection, number, &source.xml))
                .collect();
            if documents.is_empty() {
                Vec::new()
            } else {
                vec![Archive(documents)]
            }
        }))
    }

    /// The archives of a selection.
    pub fn archives(&self, selection: &Selection) -> Vec<Archive> {
        (self.0)(selection)
    }
}

/// One small document for each selection.
impl Default for Contents {
    fn default() -> Self {
        Self::notes(1)
    }
}

fn note(selection: &Selection, number: usize) -> Archive {
    let xml = format!("<export><note>{selection} {number}</note></export>");
    Archive(vec![document("note", selection, number, xml.as_bytes())])
}

/// With the name that the service would give it.
fn document(kind: &str, selection: &Selection, number: usize, xml: &[u8]) -> Document {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        (salt, selection, number).hash(&mut hasher);
        hasher.finish()
    };
    let (a, b) = (half(0), half(1));
    Document {
        name: format!("{kind}_{:019}_1_{a:016x}{b:016x}.xml", a % 1_000_000_007),
        xml: xml.to_vec(),
    }
}

/// A document of a folder.
struct Source {
    /// The type: the name of its element.
    kind: String,
    is_223: bool,
    xml: Vec<u8>,
}

impl Source {
    /// Its type is the name of the root or, in an `export`, of the element within.
    fn read(xml: Vec<u8>) -> Result<Self, quick_xml::Error> {
        let text = String::from_utf8_lossy(&xml);
        let mut reader = Reader::from_str(&text);
        let mut is_223 = false;
        let kind = loop {
            match reader.read_event()? {
                Event::Start(element) | Event::Empty(element) => {
                    is_223 |= names_223(&element);
                    let name = element.local_name();
                    if name.as_ref() != "export" {
                        break name.as_ref().to_owned();
                    }
                }
                Event::Eof => break String::new(),
                _ => {}
            }
        };
        drop(text);
        Ok(Self { kind, is_223, xml })
    }

    fn is_of(&self, selection: &Selection) -> bool {
        let is_of_law = self.is_223 == selection.subsystem().ends_with("223");
        is_of_law
            && match selection {
                Selection::Cell { documents, .. } => *documents == self.kind,
                Selection::Number { number, .. } => {
                    let wanted = format!(">{number}<");
                    self.xml
                        .windows(wanted.len())
                        .any(|window| window == wanted.as_bytes())
                }
            }
    }
}

/// Does an element declare a namespace of 223-FZ?
fn names_223(element: &BytesStart) -> bool {
    let attributes = element.attributes().flatten();
    let mut values = attributes.map(|attribute| attribute.value);
    values.any(|value| value.contains("/223fz/"))
}
