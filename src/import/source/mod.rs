//! Where records come from: files, folders of them, archives, standard input; cut
//! into pieces small enough to hold in memory, each with the place it is from.

mod archive;
mod lines;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

use crate::store::ArchiveDigest;
pub use lines::read_lines;

pub use archive::{MAX_ARCHIVE, MAX_NESTED, PackedFile};

/// The largest XML file, or entry of an archive, that is read, in bytes: it is
/// held in memory as a whole.
pub const MAX_DOCUMENT_FILE: u64 = 64 << 20;

/// The most an entry of an archive may grow when it is unpacked. Official
/// documents grow 10 to 50 times.
pub const MAX_RATIO: u64 = 300;

/// How deep folders may nest.
pub const MAX_FOLDERS: usize = 32;

/// How much of a file of lines is read at once, in bytes.
const READ_AT_ONCE: usize = 256 << 10;

/// What is read at once: a document file, or some lines of a file.
#[derive(Debug)]
pub struct Piece {
    /// The file; an archive's entry is named after it.
    pub place: String,
    pub content: PieceContent,
    /// How many bytes of the files on disk it stands for.
    pub consumed: u64,
}

impl Piece {
    /// What is wrong with a file, in place of what it holds.
    fn problem(place: &str, what: String) -> Self {
        Self {
            place: place.to_owned(),
            content: PieceContent::Problem(what),
            consumed: 0,
        }
    }
}

/// The bytes of a piece.
#[derive(Debug)]
pub enum PieceContent {
    /// An XML file.
    Xml(Vec<u8>),
    /// An XML file as it is packed in an archive.
    Packed(PackedFile),
    /// Lines of JSON, the first of which has this number in its file.
    Lines(u64, Vec<u8>),
    /// What could not be read, and why.
    Problem(String),
    /// A file of no kind that is known, in a folder or an archive: not for us.
    Other,
    /// What follows is in this archive, up to its end.
    ArchiveStart,
    /// The end of an archive with this digest.
    ArchiveEnd(ArchiveDigest),
    /// Nothing: what stands for it has been given.
    Empty,
    /// An archive that was taken in before, with this digest.
    ArchiveUnchanged(ArchiveDigest),
}

impl PieceContent {
    /// How many lines it has, if it is lines.
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

/// What can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileType {
    Xml,
    Zip,
    Lines,
}

fn file_type(name: &str) -> Option<FileType> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "xml" => Some(FileType::Xml),
        "zip" => Some(FileType::Zip),
        "jsonl" => Some(FileType::Lines),
        _ => None,
    }
}

/// The files of an import, in the order they are read in.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<(PathBuf, Source)>,
    /// The folders that are not to be read (again).
    visited: BTreeSet<PathBuf>,
    /// The bytes of all of them on disk.
    pub total_bytes: u64,
}

#[derive(Debug)]
enum Source {
    File(FileType),
    Standard,
    Other,
    Problem(String),
}

impl Sources {
    /// The files that `paths` name: in the order of the arguments, those in a
    /// folder by path. `-` is JSON Lines on standard input.
    /// A folder that several links lead to is read once an argument; `except` is not.
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
        let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        match entries {
            Ok(entries) => {
                let mut paths: Vec<PathBuf> = entries.iter().map(fs::DirEntry::path).collect();
                paths.sort();
                for path in paths {
                    self.add(&path, depth + 1);
                }
            }
            Err(error) => {
                let problem = Source::Problem(format!("cannot be read: {error}"));
                self.files.push((folder.to_owned(), problem));
            }
        }
    }

    /// Gives the pieces of all files to `each`, in their order; archives of which
    /// `is_unchanged` knows the digest are not read.
    ///
    /// # Errors
    /// What `each` returned; what cannot be read is a piece that says so.
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

/// A text from outside as it may be shown: without control characters, with which
/// it could pass for other lines, or for commands to a terminal.
pub fn printable(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}
