//! Reads the sources of an import (files, folders, archives, standard input) in pieces that are
//! small enough for memory. Each piece says where it comes from.

mod archive;
mod lines;
mod list;

use std::collections::BTreeSet;
use std::fs::{self, File, Metadata};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Counted;
use super::error::Error;
use super::text::printable;
use crate::store::{self, ArchiveDigest, ArchiveFile};
use crate::zip::PackedEntry;
pub use lines::read_lines;

pub use archive::{MAX_ARCHIVE, MAX_NESTED};
use list::{FileList, sorted_names};

/// Upper bound on the bytes of an XML file or archive entry, which is held in memory as a whole.
pub const MAX_DOCUMENT_FILE: u64 = 64 << 20;

pub const MAX_FOLDERS: usize = 32;

/// In bytes.
const LINES_BUFFER: usize = 256 << 10;

/// The unit of parsing: a file with documents, or some lines of a file.
#[derive(Debug)]
pub struct Piece {
    /// File name, followed by the name of the entry if the file is an archive.
    pub place: String,
    pub content: PieceContent,
    /// How many bytes of the files on disk were read for this piece.
    pub consumed: u64,
}

impl Piece {
    fn new(place: &str, content: PieceContent) -> Self {
        Self {
            place: place.to_owned(),
            content,
            consumed: 0,
        }
    }

    /// Makes a piece for a document that is not read, with the reason.
    fn refused(place: &str, what: String) -> Self {
        Self::new(place, PieceContent::Problem(Part::Document, what))
    }

    /// Makes a piece for a file or an archive that cannot be read to the end, with the reason.
    fn unreadable(place: &str, what: String) -> Self {
        Self::new(place, PieceContent::Problem(Part::File, what))
    }

    fn failed(place: &str, error: &io::Error) -> Self {
        Self::unreadable(place, format!("cannot be read: {error}"))
    }

    fn note(place: &str, note: Note, consumed: u64) -> Self {
        Self::new(place, PieceContent::Note(note)).consuming(consumed)
    }

    fn consuming(self, consumed: u64) -> Self {
        Self { consumed, ..self }
    }
}

#[derive(Debug)]
pub enum PieceContent {
    Xml(Vec<u8>),
    Packed(PackedEntry),
    /// JSON Lines, and the line number in the file at which they start.
    Lines(u64, Vec<u8>),
    /// Something that is not read, and the reason.
    Problem(Part, String),
    Note(Note),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Every import reports an unreadable line.
    Line,
    /// An unreadable document in an archive is recorded with the archive, so that later imports do
    /// not report it again.
    Document,
    /// A file or an archive, or the rest of one. What it contains is unknown.
    File,
}

/// A piece without anything to parse.
#[derive(Debug)]
pub enum Note {
    /// A file of unknown type in a folder or an archive.
    OtherFile,
    /// The start of an archive. All pieces up to [`Note::ArchiveEnd`] belong to it.
    ArchiveStart,
    ArchiveEnd(Box<ReadArchive>),
    /// An archive whose bytes were imported before, with the counts of that import.
    ArchiveKnown(Box<ReadArchive>, Box<Counted>),
    /// Accounts for consumed bytes whose contents are in earlier pieces.
    Nothing,
}

#[derive(Debug)]
pub struct ReadArchive {
    pub file: ArchiveFile,
    pub digest: ArchiveDigest,
}

#[derive(Debug, PartialEq, Eq)]
pub enum ReadingEnd {
    /// The receiver accepts no more pieces.
    Stopped,
    /// The remaining entries of an archive cannot be listed.
    Unreadable(String),
    /// An archive unpacks to more bytes than allowed.
    TooMuch,
}

impl From<String> for ReadingEnd {
    fn from(what: String) -> Self {
        Self::Unreadable(what)
    }
}

impl PieceContent {
    /// Returns the number of lines; 0 for anything but lines.
    pub fn lines(&self) -> u64 {
        match self {
            Self::Lines(_, bytes) => memchr::memchr_iter(b'\n', bytes).count() as u64,
            _ => 0,
        }
    }

    /// Returns the memory in bytes needed to hold the piece compressed or uncompressed, whichever
    /// is larger.
    pub fn held(&self) -> u64 {
        match self {
            Self::Xml(bytes) | Self::Lines(_, bytes) => bytes.len() as u64,
            Self::Packed(packed) => packed.held(),
            _ => 0,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum FileType {
    Xml,
    Zip,
    Lines,
}

/// Used as the place in messages about the list of files.
const LIST: &str = "the list of files";

/// The ledger of `fetch`. The import ignores this file and the files that SQLite creates next to
/// it.
const FETCH_STATE_FILE: &str = "fetch.sqlite";

/// The file in which `fetch` lists the days for which its folder has all documents.
const FETCH_COVERAGE_FILE: &str = "coverage.jsonl";

fn file_type(name: &str) -> Option<FileType> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "xml" => Some(FileType::Xml),
        "zip" => Some(FileType::Zip),
        "jsonl" => Some(FileType::Lines),
        _ => None,
    }
}

/// The files to import, in reading order. The list takes a bounded amount of memory, however many
/// files there are.
#[derive(Debug)]
pub struct Sources {
    files: FileList,
    /// Coverage files, which were opened before their folders were listed.
    opened: Vec<File>,
    /// Total size in bytes of the files on disk.
    pub total_bytes: u64,
}

struct Search<'a> {
    sources: Sources,
    visited: BTreeSet<PathBuf>,
    is_known: &'a mut dyn FnMut(&ArchiveFile) -> store::Result<bool>,
}

#[derive(Debug, Serialize, Deserialize)]
enum Source {
    File(FileType),
    /// Index in [`Sources::opened`].
    OpenLines(usize),
    Standard,
    Other,
    Problem(String),
}

impl Sources {
    /// Finds the files at `paths`, in the order of the arguments. Files within a folder are sorted
    /// by path. `-` stands for JSON Lines on standard input. A folder to which several links lead
    /// is read once per argument. Files for which `is_known` returns `true` are left out.
    ///
    /// # Errors
    /// Returns the error of `is_known`, or an error if the list of files cannot be written to a
    /// temporary file.
    pub fn find(
        paths: &[PathBuf],
        is_known: &mut dyn FnMut(&ArchiveFile) -> store::Result<bool>,
    ) -> Result<Self, Error> {
        let mut search = Search {
            sources: Self {
                files: FileList::new(),
                opened: Vec::new(),
                total_bytes: 0,
            },
            visited: BTreeSet::new(),
            is_known,
        };
        for path in paths {
            search.visited.clear();
            if path.as_os_str() == "-" {
                search.push(path, &Source::Standard)?;
            } else if !search.is_known_archive(path)? {
                search.add(path, 0)?;
            }
        }
        Ok(search.sources)
    }
}

impl Search<'_> {
    fn push(&mut self, path: &Path, source: &Source) -> Result<(), Error> {
        self.sources.files.push(path, source).map_err(Error::List)
    }

    fn is_known_archive(&mut self, path: &Path) -> store::Result<bool> {
        let is_zip = file_type(&path.to_string_lossy()) == Some(FileType::Zip);
        match fs::metadata(path) {
            Ok(metadata) if is_zip && metadata.is_file() => {
                (self.is_known)(&ArchiveFile::new(path, &metadata))
            }
            _ => Ok(false),
        }
    }

    fn add(&mut self, path: &Path, depth: usize) -> Result<(), Error> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let of_fetch = name.strip_prefix(FETCH_STATE_FILE);
        if depth > 0 && of_fetch.is_some_and(|end| ["", "-wal", "-journal"].contains(&end)) {
            return Ok(());
        }
        let source = match fs::metadata(path) {
            Err(error) => Source::Problem(format!("cannot be read: {error}")),
            Ok(metadata) if metadata.is_dir() && depth >= MAX_FOLDERS => {
                Source::Problem(format!("folders nested deeper than {MAX_FOLDERS}"))
            }
            Ok(metadata) if metadata.is_dir() => return self.add_folder(path, depth),
            // Reading a pipe or a device might never end.
            Ok(metadata) if !metadata.is_file() => {
                Source::Problem("neither a regular file nor a folder".to_owned())
            }
            Ok(metadata) => match file_type(&path.to_string_lossy()) {
                Some(kind) => {
                    self.sources.total_bytes += metadata.len();
                    Source::File(kind)
                }
                None if depth > 0 => Source::Other,
                None => Source::Problem("not a .xml, .zip or .jsonl file, nor a folder".to_owned()),
            },
        };
        self.push(path, &source)
    }

    fn add_folder(&mut self, folder: &Path, depth: usize) -> Result<(), Error> {
        if let Ok(folder) = folder.canonicalize()
            && !self.visited.insert(folder)
        {
            return Ok(());
        }
        // Open the coverage file before listing the folder. A `fetch` that finishes in between
        // replaces the coverage file with one that covers archives missing from the list.
        let mut coverage = File::open(folder.join(FETCH_COVERAGE_FILE)).ok();
        let mut last = None;
        loop {
            let listed = sorted_names(folder, last.as_deref());
            for error in &listed.errors {
                let problem = Source::Problem(format!("cannot be read: {error}"));
                self.push(folder, &problem)?;
            }
            for name in &listed.names {
                let path = folder.join(name);
                if self.is_known_archive(&path)? {
                    continue;
                }
                let opened = coverage.take_if(|_| name == FETCH_COVERAGE_FILE);
                match opened.map(|file| (file.metadata(), file)) {
                    Some((Ok(metadata), file)) if metadata.is_file() => {
                        self.add_opened(&path, &metadata, file)?;
                    }
                    _ => self.add(&path, depth + 1)?,
                }
            }
            last = listed.names.last().cloned();
            if !listed.has_more {
                return Ok(());
            }
        }
    }

    fn add_opened(&mut self, path: &Path, metadata: &Metadata, file: File) -> Result<(), Error> {
        self.sources.total_bytes += metadata.len();
        let index = self.sources.opened.len();
        self.sources.opened.push(file);
        self.push(path, &Source::OpenLines(index))
    }
}

impl Sources {
    /// Passes the pieces of all files to `each`, in order. `known` returns the counts of an archive
    /// whose bytes were imported before.
    ///
    /// # Errors
    /// Returns the error of `each`. A file, or a list of files, that cannot be read is not an
    /// error; `each` receives it as a problem.
    pub fn read(
        self,
        known: &dyn Fn(&ReadArchive) -> Option<Counted>,
        each: &mut dyn FnMut(Piece) -> Result<(), ReadingEnd>,
    ) -> Result<(), ReadingEnd> {
        let mut files = match self.files.read() {
            Ok(files) => files,
            Err(error) => return each(Piece::failed(LIST, &error)),
        };
        loop {
            let (path, source) = match files.next() {
                Ok(Some(next)) => next,
                Ok(None) => return Ok(()),
                Err(error) => return each(Piece::failed(LIST, &error)),
            };
            let place = printable(&path.to_string_lossy());
            match source {
                Source::Other => each(Piece::note(&place, Note::OtherFile, 0))?,
                Source::Problem(what) => each(Piece::unreadable(&place, what))?,
                Source::Standard => read_lines(&place, io::stdin().lock(), each)?,
                Source::OpenLines(index) => {
                    if let Some(file) = self.opened.get(index) {
                        read_lines(&place, BufReader::new(file), each)?;
                    }
                }
                Source::File(kind) => match File::open(&path) {
                    Ok(file) if kind == FileType::Zip => {
                        archive::read(&place, &path, file, known, each)?;
                    }
                    Ok(file) => read_file(&place, kind, file, each)?,
                    Err(error) => each(Piece::failed(&place, &error))?,
                },
            }
        }
    }
}

fn read_file(
    place: &str,
    kind: FileType,
    file: File,
    each: &mut dyn FnMut(Piece) -> Result<(), ReadingEnd>,
) -> Result<(), ReadingEnd> {
    if kind == FileType::Lines {
        return read_lines(place, BufReader::with_capacity(LINES_BUFFER, file), each);
    }
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let too_large = || {
        let what = format!("larger than {} MiB", MAX_DOCUMENT_FILE >> 20);
        Piece::refused(place, what)
    };
    if size > MAX_DOCUMENT_FILE {
        return each(too_large().consuming(size));
    }
    let mut bytes = Vec::new();
    let piece = match file.take(MAX_DOCUMENT_FILE + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > MAX_DOCUMENT_FILE => too_large(),
        Ok(_) => Piece::new(place, PieceContent::Xml(bytes)),
        Err(error) => Piece::failed(place, &error),
    };
    each(piece.consuming(size))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn the_coverage_is_read_from_before_the_folder_was_listed() {
        let folder = TempDir::new().expect("a folder");
        let coverage = folder.path().join(FETCH_COVERAGE_FILE);
        fs::write(&coverage, "before\n").expect("written");
        fs::write(folder.path().join("fetch.sqlite"), "").expect("written");
        let paths = [folder.path().to_owned()];
        let sources = Sources::find(&paths, &mut |_| Ok(false)).expect("found");
        // Replace the file as `fetch` does.
        let next = folder.path().join("next");
        fs::write(&next, "after\n").expect("written");
        fs::rename(next, &coverage).expect("renamed");
        let mut lines = Vec::new();
        let read = sources.read(&|_| None, &mut |piece| {
            if let PieceContent::Lines(_, bytes) = piece.content {
                lines.extend(bytes);
            }
            Ok(())
        });
        assert_eq!((read, lines), (Ok(()), b"before\n".to_vec()));
    }

    #[test]
    fn files_of_a_large_folder_are_found_in_order_and_each_archive_is_looked_up_once() {
        let folder = TempDir::new().expect("a folder");
        for at in 0..10 {
            fs::write(folder.path().join(format!("{at}.xml")), "<x/>").expect("written");
            fs::write(folder.path().join(format!("{at}.zip")), "").expect("written");
            let inner = folder.path().join(format!("{at}"));
            fs::create_dir(&inner).expect("a folder");
            fs::write(inner.join("inner.xml"), "<x/>").expect("written");
        }
        let mut looked_up = 0;
        let sources = Sources::find(&[folder.path().to_owned()], &mut |_| {
            looked_up += 1;
            Ok(true)
        });
        let sources = sources.expect("found");
        assert_eq!((looked_up, sources.total_bytes), (10, 80));
        let mut places = Vec::new();
        let read = sources.read(&|_| None, &mut |piece| {
            places.push(piece.place);
            Ok(())
        });
        assert_eq!(read, Ok(()));
        let expected = (0..10).flat_map(|at| [format!("{at}/inner.xml"), format!("{at}.xml")]);
        let expected: Vec<_> = expected
            .map(|name| folder.path().join(name).to_string_lossy().into_owned())
            .collect();
        assert_eq!(places, expected);
    }
}
