//! The sources of an import: files, folders, archives, standard input; cut into pieces
//! small enough to hold in memory, each with its place.

mod archive;
mod lines;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use super::Counted;
use super::text::printable;
use crate::store::{self, ArchiveDigest, ArchiveFile};
use crate::zip::PackedEntry;
pub use lines::read_lines;

pub use archive::{MAX_ARCHIVE, MAX_NESTED};

/// The largest XML file, or entry of an archive, that is read, in bytes: it is
/// held in memory as a whole.
pub const MAX_DOCUMENT_FILE: u64 = 64 << 20;

/// The greatest depth of nested folders.
pub const MAX_FOLDERS: usize = 32;

/// Bytes of a file of lines that are read at once.
const READ_AT_ONCE: usize = 256 << 10;

/// The unit of parsing: a document file, or some lines of a file.
#[derive(Debug)]
pub struct Piece {
    /// The file; for an archive's entry, followed by the entry's name.
    pub place: String,
    pub content: PieceContent,
    /// The bytes of the files on disk that it stands for.
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

    /// A document that is not read, and why.
    fn refused(place: &str, what: String) -> Self {
        Self::new(place, PieceContent::Problem(Part::Document, what))
    }

    /// A file or an archive that cannot be read, or not to its end, and why.
    fn unreadable(place: &str, what: String) -> Self {
        Self::new(place, PieceContent::Problem(Part::File, what))
    }

    /// A file that the system does not read.
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

/// The contents of a piece.
#[derive(Debug)]
pub enum PieceContent {
    /// An XML file.
    Xml(Vec<u8>),
    /// A packed XML file in an archive.
    Packed(PackedEntry),
    /// Lines of JSON, after the number of the first one in its file.
    Lines(u64, Vec<u8>),
    /// A part that is not read, and why.
    Problem(Part, String),
    /// Nothing to parse.
    Note(Note),
}

/// A part of the input that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A line: it is an error each time.
    Line,
    /// A document: it is remembered with its archive.
    Document,
    /// A file or an archive, whole or in part; its unread contents are unknown.
    File,
}

/// A message of a piece without anything to parse.
#[derive(Debug)]
pub enum Note {
    /// A file of an unknown kind, in a folder or an archive.
    OtherFile,
    /// An archive begins; the pieces up to its end belong to it.
    ArchiveStart,
    /// An archive ends.
    ArchiveEnd(Box<ReadArchive>),
    /// An archive whose bytes were imported before, and its counts from then.
    ArchiveKnown(Box<ReadArchive>, Box<Counted>),
    /// Bytes were consumed whose pieces have been passed on.
    Nothing,
}

/// An archive that was opened.
#[derive(Debug)]
pub struct ReadArchive {
    /// As it is on the disk.
    pub file: ArchiveFile,
    /// The SHA-256 of its bytes.
    pub digest: ArchiveDigest,
}

/// Why reading ended early.
#[derive(Debug, PartialEq, Eq)]
pub enum Ended {
    /// The receiver takes no more pieces.
    Stopped,
    /// A list of entries cannot be read on.
    Unreadable(String),
    /// An archive unpacks to too much.
    TooMuch,
}

impl From<String> for Ended {
    fn from(what: String) -> Self {
        Self::Unreadable(what)
    }
}

impl PieceContent {
    /// Returns the number of lines.
    pub fn lines(&self) -> u64 {
        match self {
            Self::Lines(_, bytes) => memchr::memchr_iter(b'\n', bytes).count() as u64,
            _ => 0,
        }
    }

    /// Returns the bytes of memory that it takes, packed or unpacked, whichever is more.
    pub fn held(&self) -> u64 {
        match self {
            Self::Xml(bytes) | Self::Lines(_, bytes) => bytes.len() as u64,
            Self::Packed(packed) => packed.held(),
            _ => 0,
        }
    }
}

/// The types of files that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileType {
    Xml,
    Zip,
    Lines,
}

/// The state of `fetch` in its folder, with SQLite's files beside it; it is not imported.
const FETCH_STATE_FILE: &str = "fetch.sqlite";

/// The file in which `fetch` lists the days that its folder has in full.
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

/// The files of an import, in reading order.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<(PathBuf, Source)>,
    /// The bytes of all of them on disk.
    pub total_bytes: u64,
}

/// A search for the files of an import.
struct Search<'a> {
    sources: Sources,
    /// The folders of an argument that were listed.
    visited: BTreeSet<PathBuf>,
    is_known: &'a mut dyn FnMut(&ArchiveFile) -> store::Result<bool>,
}

#[derive(Debug)]
enum Source {
    File(FileType),
    Archive(ArchiveFile),
    /// Lines of a file that was opened when its folder was listed.
    OpenLines(File),
    Standard,
    Other,
    Problem(String),
}

impl Sources {
    /// The files at `paths`: in the order of the arguments, those in a folder by path. `-`
    /// is JSON Lines on standard input. A folder that several links lead to is read once
    /// per argument. Known archives are left out.
    ///
    /// # Errors
    /// The error of `is_known`.
    pub fn find(
        paths: &[PathBuf],
        is_known: &mut dyn FnMut(&ArchiveFile) -> store::Result<bool>,
    ) -> store::Result<Self> {
        let mut search = Search {
            sources: Self::default(),
            visited: BTreeSet::new(),
            is_known,
        };
        for path in paths {
            search.visited.clear();
            if path.as_os_str() == "-" {
                search.push(path, Source::Standard);
            } else if !search.is_known_archive(path)? {
                search.add(path, 0)?;
            }
        }
        Ok(search.sources)
    }
}

impl Search<'_> {
    fn push(&mut self, path: &Path, source: Source) {
        self.sources.files.push((path.to_owned(), source));
    }

    /// Returns whether `path` is a known archive.
    fn is_known_archive(&mut self, path: &Path) -> store::Result<bool> {
        let is_zip = file_type(&path.to_string_lossy()) == Some(FileType::Zip);
        match fs::metadata(path) {
            Ok(metadata) if is_zip && metadata.is_file() => {
                (self.is_known)(&ArchiveFile::new(path, &metadata))
            }
            _ => Ok(false),
        }
    }

    fn add(&mut self, path: &Path, depth: usize) -> store::Result<()> {
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
            // A pipe or a device may never end.
            Ok(metadata) if !metadata.is_file() => {
                Source::Problem("neither a regular file nor a folder".to_owned())
            }
            Ok(metadata) => match file_type(&path.to_string_lossy()) {
                Some(kind) => {
                    self.sources.total_bytes += metadata.len();
                    match kind {
                        FileType::Zip => Source::Archive(ArchiveFile::new(path, &metadata)),
                        kind => Source::File(kind),
                    }
                }
                None if depth > 0 => Source::Other,
                None => Source::Problem("not a .xml, .zip or .jsonl file, nor a folder".to_owned()),
            },
        };
        self.push(path, source);
        Ok(())
    }

    fn add_folder(&mut self, folder: &Path, depth: usize) -> store::Result<()> {
        if let Ok(folder) = folder.canonicalize()
            && !self.visited.insert(folder)
        {
            return Ok(());
        }
        // Opened before the folder is listed: a `fetch` that ends after that puts another in its
        // place, which speaks of archives that are not in the list.
        let coverage = folder.join(FETCH_COVERAGE_FILE);
        let opened = File::open(&coverage);
        for path in self.list(folder)? {
            self.add(&path, depth + 1)?;
        }
        if let Ok(opened) = opened {
            let is_it = |(path, source): &&mut (PathBuf, Source)| {
                *path == coverage && matches!(source, Source::File(FileType::Lines))
            };
            if let Some((_, source)) = self.sources.files.iter_mut().find(is_it) {
                *source = Source::OpenLines(opened);
            }
        }
        Ok(())
    }

    /// The entries of a folder by path, without known archives: of these a folder may have many,
    /// and none is held in memory.
    fn list(&mut self, folder: &Path) -> store::Result<Vec<PathBuf>> {
        let mut paths = Vec::new();
        let (entries, failed) = match fs::read_dir(folder) {
            Ok(entries) => (Some(entries), None),
            Err(error) => (None, Some(Err(error))),
        };
        for entry in entries.into_iter().flatten().chain(failed) {
            match entry.map(|entry| entry.path()) {
                Ok(path) if self.is_known_archive(&path)? => {}
                Ok(path) => paths.push(path),
                Err(error) => {
                    let problem = Source::Problem(format!("cannot be read: {error}"));
                    self.push(folder, problem);
                }
            }
        }
        paths.sort();
        Ok(paths)
    }
}

impl Sources {
    /// Passes the pieces of all files to `each`, in order. `known` returns the counts of an
    /// archive whose bytes were imported before.
    ///
    /// # Errors
    /// The error of `each`; an unreadable file is a piece with its error.
    pub fn read(
        &self,
        known: &dyn Fn(&ReadArchive) -> Option<Counted>,
        each: &mut dyn FnMut(Piece) -> Result<(), Ended>,
    ) -> Result<(), Ended> {
        for (path, source) in &self.files {
            let place = printable(&path.to_string_lossy());
            match source {
                Source::Other => each(Piece::note(&place, Note::OtherFile, 0))?,
                Source::Problem(what) => each(Piece::unreadable(&place, what.clone()))?,
                Source::Standard => read_lines(&place, io::stdin().lock(), each)?,
                Source::OpenLines(file) => read_lines(&place, BufReader::new(file), each)?,
                Source::Archive(seen) => archive::read(&place, path, seen, known, each)?,
                Source::File(kind) => match File::open(path) {
                    Ok(file) => read_file(&place, *kind, file, each)?,
                    Err(error) => each(Piece::failed(&place, &error))?,
                },
            }
        }
        Ok(())
    }
}

fn read_file(
    place: &str,
    kind: FileType,
    file: File,
    each: &mut dyn FnMut(Piece) -> Result<(), Ended>,
) -> Result<(), Ended> {
    if kind == FileType::Lines {
        return read_lines(place, BufReader::with_capacity(READ_AT_ONCE, file), each);
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
    fn days_are_those_of_before_the_list_of_archives() {
        let folder = TempDir::new().expect("a folder");
        let coverage = folder.path().join(FETCH_COVERAGE_FILE);
        fs::write(&coverage, "before\n").expect("written");
        fs::write(folder.path().join("fetch.sqlite"), "").expect("written");
        let paths = [folder.path().to_owned()];
        let sources = Sources::find(&paths, &mut |_| Ok(false)).expect("found");
        // `fetch` replaces the file in the same way.
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
}
