//! The documents in the simulated service: archives for each selection.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Cursor, Write};
use std::path::Path;
use std::sync::Arc;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use crate::patterns::matches;

/// A ZIP archive of documents, without folders.
#[derive(Clone, Debug)]
pub struct Archive(pub Vec<Document>);

#[derive(Clone, Debug)]
pub struct Document {
    /// File name: `<type>_<number>_<version>_<32 hex>.xml`.
    pub name: String,
    pub xml: Vec<u8>,
}

impl Archive {
    /// Returns the ZIP file. The same documents always give the same bytes.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        for document in &self.0 {
            let written = writer
                .start_file(&*document.name, stored)
                .and_then(|()| Ok(writer.write_all(&document.xml)?));
            written.expect("distinct names, bytes in memory");
        }
        let finished = writer.finish().expect("bytes in memory");
        finished.into_inner()
    }
}

/// The archives of each selection. A selection without archives is answered with `noData`.
#[derive(Clone)]
pub struct Contents(Arc<Archives>);

type Archives = dyn Fn(&str) -> Vec<Archive> + Send + Sync;

impl Contents {
    /// `archives` returns the archives for a key. It is called for every request and every
    /// download, and must always return the same archives for the same key.
    fn new(archives: impl Fn(&str) -> Vec<Archive> + Send + Sync + 'static) -> Self {
        Self(Arc::new(archives))
    }

    /// Every selection has this number of archives, each with one small unique document of an unknown
    /// type.
    pub fn notes(archives: usize) -> Self {
        Self::new(move |key| (0..archives).map(|number| note(key, number)).collect())
    }

    /// Archives by pattern of keys. The first matching pattern applies; all other selections are
    /// empty.
    pub fn table(rows: Vec<(&'static str, Vec<Archive>)>) -> Self {
        Self::new(move |key| {
            let row = rows.iter().find(|(pattern, _)| matches(pattern, key));
            row.map_or_else(Vec::new, |(_, archives)| archives.clone())
        })
    }

    /// The XML files in a folder; the name of each begins with its type. Every region has all
    /// documents on every day, in one archive per type and law. A request by number returns the
    /// documents that contain the number.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read.
    pub fn documents(folder: &Path) -> io::Result<Self> {
        let mut sources = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "xml") {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let kind = name.split(['-', '.']).next().unwrap_or_default().to_owned();
                let xml = fs::read_to_string(&path)?;
                sources.push(SourceFile { kind, xml });
            }
        }
        sources.sort_by(|a, b| a.xml.cmp(&b.xml));
        Ok(Self::new(move |key| {
            let wanted = sources.iter().filter(|source| source.is_in(key));
            let documents: Vec<Document> = wanted
                .enumerate()
                .map(|(number, source)| document(&source.kind, key, number, &source.xml))
                .collect();
            if documents.is_empty() {
                Vec::new()
            } else {
                vec![Archive(documents)]
            }
        }))
    }

    pub(crate) fn archives(&self, key: &str) -> Vec<Archive> {
        (self.0)(key)
    }
}

/// Every selection has one small document.
impl Default for Contents {
    fn default() -> Self {
        Self::notes(1)
    }
}

fn note(key: &str, number: usize) -> Archive {
    let xml = format!("<export><note>{key} {number}</note></export>");
    Archive(vec![document("note", key, number, &xml)])
}

/// Creates a document whose name has the form that the real service uses.
fn document(kind: &str, key: &str, number: usize, xml: &str) -> Document {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    Document {
        name: format!("{kind}_{number:019}_1_{:032x}.xml", hasher.finish()),
        xml: xml.as_bytes().to_vec(),
    }
}

struct SourceFile {
    kind: String,
    xml: String,
}

impl SourceFile {
    fn is_in(&self, key: &str) -> bool {
        let (selection, last) = key.rsplit_once('/').expect("a key");
        let is_223 = self.xml.contains("/223fz/");
        is_223 == selection.ends_with("223")
            && match selection.starts_with("number/") {
                true => self.xml.contains(&format!(">{last}<")),
                false => self.kind == last,
            }
    }
}
