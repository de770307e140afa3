//! The sources of an import: files, folders, archives, standard input; cut into pieces
//! small enough to hold in memory, each with its place.

mod archive;
mod lines;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::store::ArchiveDigest;
pub use lines::read_lines;

pub use archive::{MAX_ARCHIVE, MAX_FREE, MAX_NESTED, PackedFile};

/// The largest XML file, or entry of an archive, that is read, in bytes: it is
/// held in memory as a whole.
pub const MAX_DOCUMENT_FILE: u64 = 64 << 20;

/// The most an entry of an archive may grow when it is unpacked. Official
/// documents grow 10 to 50 times.
pub const MAX_RATIO: u64 = 300;

/// How deep folders may nest.
pub const MAX_FOLDERS: usize = 32;

/// How many bytes of a file of lines are read at once.
const READ_AT_ONCE: usize = 256 << 10;

/// What is parsed as a unit: a document file, or some lines of a file.
#[derive(Debug)]
pub struct Piece {
    /// The file; for an archive's entry, followed by the entry's name.
    pub place: String,
    pub content: PieceContent,
    /// How many bytes of the files on disk it stands for.
    pub consumed: u64,
}

impl Piece {
    /// A piece that reports what is wrong with a file.
    fn problem(place: &str, what: String) -> Self {
        Self {
            place: place.to_owned(),
            content: PieceContent::Problem(what),
            consumed: 0,
        }
    }
}

/// The contents of a piece.
#[derive(Debug)]
pub enum PieceContent {
    /// An XML file.
    Xml(Vec<u8>),
    /// A packed XML file in an archive.
    Packed(PackedFile),
    /// Lines of JSON, the first of which has this number in its file.
    Lines(u64, Vec<u8>),
    /// What could not be read, and why.
    Problem(String),
    /// A file of an unknown kind, in a folder or an archive.
    Other,
    /// The start of an archive: the pieces up to its end are in it.
    ArchiveStart,
    /// The end of an archive with this digest.
    ArchiveEnd(ArchiveDigest),
    /// Nothing: its contents have been passed on.
    Empty,
    /// An archive with this digest, which was imported before.
    ArchiveUnchanged(ArchiveDigest),
}

impl PieceContent {
    /// How many lines it has.
    pub fn lines(&self) -> u64 {
        match self {
            Self::Lines(_, bytes) => bytes.iter().filter(|byte| **byte == b'\n').count() as u64,
            _ => 0,
        }
    }

    /// About how many bytes of memory it will need.
    pub fn size(&self) -> u64 {
        match self {
            Self::Xml(bytes) | Self::Lines(_, bytes) => bytes.len() as u64,
            Self::Packed(packed) => packed.size(),
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

/// What `fetch` remembers in its folder, and files beside it: nothing to import.
const STATE_OF_FETCH: &str = "fetch.sqlite";

/// The file in which `fetch` says which days its folder has in full.
const COVERAGE_OF_FETCH: &str = "coverage.jsonl";

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
    /// The folders that must not be read (again).
    visited: BTreeSet<PathBuf>,
    /// The bytes of all of them on disk.
    pub total_bytes: u64,
}

#[derive(Debug)]
enum Source {
    File(FileType),
    /// Lines of a file that was opened when its folder was listed.
    OpenLines(File),
    Standard,
    Other,
    Problem(String),
}

impl Sources {
    /// The files at `paths`: in the order of the arguments, those in a folder by path. `-`
    /// is JSON Lines on standard input. A folder that several links lead to is read once
    /// per argument; `except` is not read.
    pub fn find(paths: &[PathBuf], except: Option<&Path>) -> Self {
        let mut sources = Self::default();
        for path in paths {
            sources.visited = except
                .and_then(|path| path.canonicalize().ok())
                .into_iter()
                .collect();
            if path.as_os_str() == "-" {
                sources.files.push((path.clone(), Source::Standard));
            } else {
                sources.add(path, 0);
            }
        }
        sources
    }

    fn add(&mut self, path: &Path, depth: usize) {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let of_fetch = name.strip_prefix(STATE_OF_FETCH);
        if depth > 0 && of_fetch.is_some_and(|end| ["", "-wal", "-journal"].contains(&end)) {
            return;
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
                    self.total_bytes += metadata.len();
                    Source::File(kind)
                }
                None if depth > 0 => Source::Other,
                None => Source::Problem("not a .xml, .zip or .jsonl file, nor a folder".to_owned()),
            },
        };
        self.files.push((path.to_owned(), source));
    }

    fn add_folder(&mut self, folder: &Path, depth: usize) {
        if let Ok(folder) = folder.canonicalize()
            && !self.visited.insert(folder)
        {
            return;
        }
        // Opened before the folder is listed: a `fetch` that ends after that puts another in its
        // place, which speaks of archives that are not in the list.
        let coverage = folder.join(COVERAGE_OF_FETCH);
        let opened = File::open(&coverage);
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        match entries {
            Ok(entries) => {
                let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
                paths.sort();
                for path in paths {
                    self.add(&path, depth + 1);
                }
                if let Ok(opened) = opened {
                    let is_it = |(path, source): &&mut (PathBuf, Source)| {
                        *path == coverage && matches!(source, Source::File(FileType::Lines))
                    };
                    if let Some((_, source)) = self.files.iter_mut().find(is_it) {
                        *source = Source::OpenLines(opened);
                    }
                }
            }
            Err(error) => {
                let problem = Source::Problem(format!("cannot be read: {error}"));
                self.files.push((folder.to_owned(), problem));
            }
        }
    }

    /// Passes the pieces of all files to `each`, in order; archives for whose digest
    /// `is_unchanged` holds are not read.
    ///
    /// # Errors
    /// What `each` returned; unreadable files are pieces that say so.
    pub fn read<E>(
        &self,
        is_unchanged: impl Fn(&ArchiveDigest) -> bool,
        mut each: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        for (path, source) in &self.files {
            let place = printable(&path.to_string_lossy());
            let content = |content| Piece {
                place: place.clone(),
                content,
                consumed: 0,
            };
            match source {
                Source::Other => each(content(PieceContent::Other))?,
                Source::Problem(what) => each(content(PieceContent::Problem(what.clone())))?,
                Source::Standard => read_lines(&place, io::stdin().lock(), &mut each)?,
                Source::OpenLines(file) => read_lines(&place, BufReader::new(file), &mut each)?,
                Source::File(kind) => match File::open(path) {
                    Ok(file) => read_file(&place, *kind, file, &is_unchanged, &mut each)?,
                    Err(error) => each(content(PieceContent::Problem(format!(
                        "cannot be read: {error}"
                    ))))?,
                },
            }
        }
        Ok(())
    }
}

fn read_file<E>(
    place: &str,
    kind: FileType,
    file: File,
    is_unchanged: &impl Fn(&ArchiveDigest) -> bool,
    each: &mut impl FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    match kind {
        FileType::Lines => read_lines(place, BufReader::with_capacity(READ_AT_ONCE, file), each),
        FileType::Zip => archive::read(place, file, is_unchanged, each),
        FileType::Xml => {
            let bytes = file.metadata().map_or(0, |metadata| metadata.len());
            let content = match read_bounded(file, bytes) {
                Ok(bytes) => PieceContent::Xml(bytes),
                Err(problem) => PieceContent::Problem(problem),
            };
            each(Piece {
                place: place.to_owned(),
                content,
                consumed: bytes,
            })
        }
    }
}

/// Reads a whole document file of about `size` bytes.
///
/// # Errors
/// Why it cannot be read, or that it is over the bound.
fn read_bounded(source: impl Read, size: u64) -> Result<Vec<u8>, String> {
    let too_large = || Err(format!("larger than {} MiB", MAX_DOCUMENT_FILE >> 20));
    if size > MAX_DOCUMENT_FILE {
        return too_large();
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    match source.take(MAX_DOCUMENT_FILE + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > MAX_DOCUMENT_FILE => too_large(),
        Ok(_) => Ok(bytes),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

/// A text from outside, made safe to print: without control characters, which could fake
/// other lines or terminal commands.
pub fn printable(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    #[test]
    fn days_are_those_of_before_the_list_of_archives() {
        let folder = TempDir::new().expect("a folder");
        let coverage = folder.path().join(COVERAGE_OF_FETCH);
        fs::write(&coverage, "before\n").expect("written");
        fs::write(folder.path().join("fetch.sqlite"), "").expect("written");
        let sources = Sources::find(&[folder.path().to_owned()], None);
        // As `fetch` puts a new one in place of the old.
        let next = folder.path().join("next");
        fs::write(&next, "after\n").expect("written");
        fs::rename(next, &coverage).expect("renamed");
        let mut lines = Vec::new();
        let read: Result<(), ()> = sources.read(
            |_| false,
            |piece| {
                if let PieceContent::Lines(_, bytes) = piece.content {
                    lines.extend(bytes);
                }
                Ok(())
            },
        );
        assert_eq!((read, lines), (Ok(()), b"before\n".to_vec()));
    }
}
