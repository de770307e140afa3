//! Where records come from: files, folders of them, archives, standard input; cut
//! into pieces small enough to hold in memory, each with the place it is from.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use zip::ZipArchive;
use zip::read::ZipFile;

use super::jsonl::MAX_LINE;

/// The largest XML file, or entry of an archive, that is read, in bytes: it is
/// held in memory as a whole.
pub const MAX_DOCUMENT_FILE: u64 = 256 << 20;

/// The most an entry of an archive may grow when it is unpacked. Official
/// documents grow 10 to 50 times.
pub const MAX_RATIO: u64 = 300;

/// How deep folders may nest.
pub const MAX_FOLDERS: usize = 32;

/// How much of a file of JSON Lines is one piece, in bytes.
const LINES_PIECE: usize = 1 << 20;

/// What is read at once: a document file, or some lines of a file.
#[derive(Debug)]
pub struct Piece {
    /// The file; an archive's entry is named after it.
    pub place: String,
    pub content: Content,
    /// How many bytes of the files on disk it stands for.
    pub consumed: u64,
}

impl Piece {
    /// What is wrong with a file, in place of what it holds.
    fn problem(place: &str, what: String) -> Self {
        Self {
            place: place.to_owned(),
            content: Content::Problem(what),
            consumed: 0,
        }
    }
}

/// The bytes of a piece.
#[derive(Debug)]
pub enum Content {
    /// An XML file.
    Xml(Vec<u8>),
    /// Lines of JSON, the first of which has this number in its file.
    Lines(u64, Vec<u8>),
    /// What could not be read, and why.
    Problem(String),
    /// A file of no kind that is known, in a folder or an archive: not for us.
    Other,
}

/// What can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Xml,
    Zip,
    Lines,
}

fn kind_of(name: &str) -> Option<Kind> {
    let (_, extension) = name.rsplit_once('.')?;
    match extension.to_ascii_lowercase().as_str() {
        "xml" => Some(Kind::Xml),
        "zip" => Some(Kind::Zip),
        "jsonl" => Some(Kind::Lines),
        _ => None,
    }
}

/// The files of an import, in the order they are read in.
#[derive(Debug, Default)]
pub struct Sources {
    files: Vec<(PathBuf, Source)>,
    /// The bytes of all of them on disk.
    pub total_bytes: u64,
}

#[derive(Debug)]
enum Source {
    File(Kind),
    Standard,
    Other,
    Problem(String),
}

impl Sources {
    /// The files that `paths` name: in the order of the arguments, those in a
    /// folder by path. `-` is JSON Lines on standard input.
    pub fn find(paths: &[PathBuf]) -> Self {
        let mut sources = Self::default();
        for path in paths {
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
            Ok(metadata) => match kind_of(&path.to_string_lossy()) {
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

    /// Gives the pieces of all files to `each`, in their order.
    ///
    /// # Errors
    /// What `each` returned; what cannot be read is a piece that says so.
    pub fn read<E>(&self, mut each: impl FnMut(Piece) -> Result<(), E>) -> Result<(), E> {
        for (path, source) in &self.files {
            let place = printable(&path.to_string_lossy());
            let content = |content| Piece {
                place: place.clone(),
                content,
                consumed: 0,
            };
            match source {
                Source::Other => each(content(Content::Other))?,
                Source::Problem(what) => each(content(Content::Problem(what.clone())))?,
                Source::Standard => read_lines(&place, io::stdin().lock(), &mut each)?,
                Source::File(kind) => match File::open(path) {
                    Ok(file) => read_file(&place, *kind, file, &mut each)?,
                    Err(error) => each(content(Content::Problem(format!(
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
    kind: Kind,
    file: File,
    each: &mut impl FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    match kind {
        Kind::Lines => read_lines(place, BufReader::new(file), each),
        Kind::Zip => read_archive(place, file, each),
        Kind::Xml => {
            let bytes = file.metadata().map_or(0, |metadata| metadata.len());
            let content = read_document(file, bytes);
            each(Piece {
                place: place.to_owned(),
                content,
                consumed: bytes,
            })
        }
    }
}

/// Reads a whole document file of about `size` bytes.
fn read_document(source: impl Read, size: u64) -> Content {
    let too_large = || Content::Problem(format!("larger than {} MiB", MAX_DOCUMENT_FILE >> 20));
    if size > MAX_DOCUMENT_FILE {
        return too_large();
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default() + 1);
    match source.take(MAX_DOCUMENT_FILE + 1).read_to_end(&mut bytes) {
        Ok(_) if bytes.len() as u64 > MAX_DOCUMENT_FILE => too_large(),
        Ok(_) => Content::Xml(bytes),
        Err(error) => Content::Problem(format!("cannot be read: {error}")),
    }
}

fn read_archive<E>(
    place: &str,
    file: File,
    each: &mut impl FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    let mut archive = match ZipArchive::new(file) {
        Ok(archive) => archive,
        Err(error) => return each(Piece::problem(place, format!("not a zip archive: {error}"))),
    };
    for index in 0..archive.len() {
        match archive.by_index(index) {
            Ok(entry) if entry.is_dir() => {}
            Ok(entry) => read_entry(place, entry, each)?,
            Err(error) => {
                each(Piece::problem(
                    place,
                    format!("entry {index} cannot be read: {error}"),
                ))?;
            }
        }
    }
    Ok(())
}

fn read_entry<E, R: Read>(
    archive: &str,
    entry: ZipFile<'_, R>,
    each: &mut impl FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    let name = match entry.name() {
        Ok(name) => printable(&name),
        Err(error) => {
            let what = format!("an entry's name cannot be read: {error}");
            return each(Piece::problem(archive, what));
        }
    };
    let place = format!("{archive}/{name}");
    let (size, packed) = (entry.size(), entry.compressed_size());
    let content = match kind_of(&name) {
        Some(_) if size / MAX_RATIO > packed => Content::Problem(format!(
            "grows more than {MAX_RATIO} times when it is unpacked"
        )),
        Some(Kind::Xml) => read_document(entry, size),
        Some(Kind::Lines) => return read_lines(&place, BufReader::new(entry), each),
        Some(Kind::Zip) => {
            Content::Problem("an archive within an archive is not read; unpack it first".to_owned())
        }
        None => Content::Other,
    };
    each(Piece {
        place,
        content,
        consumed: packed,
    })
}

/// Cuts lines into pieces; a line longer than [`MAX_LINE`] is passed by and
/// becomes a piece of its own that is just too long, so that it is an error of
/// that line.
fn read_lines<E>(
    place: &str,
    mut source: impl BufRead,
    each: &mut impl FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    let mut number = 1;
    let mut at_start = true;
    loop {
        let mut lines = Vec::new();
        let mut count = 0;
        let mut consumed = 0;
        let outcome = loop {
            match read_line(&mut source, &mut lines) {
                Ok(0) => break Ok(false),
                Ok(length) => {
                    consumed += length;
                    count += 1;
                    if lines.len() >= LINES_PIECE {
                        break Ok(true);
                    }
                }
                Err(error) => break Err(error),
            }
        };
        if std::mem::take(&mut at_start) && lines.starts_with("\u{feff}".as_bytes()) {
            lines.drain(..3);
        }
        if count > 0 {
            each(Piece {
                place: place.to_owned(),
                content: Content::Lines(number, lines),
                consumed,
            })?;
        }
        number += count;
        match outcome {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => {
                let content =
                    Content::Problem(format!("cannot be read from line {number} on: {error}"));
                return each(Piece {
                    place: place.to_owned(),
                    content,
                    consumed: 0,
                });
            }
        }
    }
}

/// Appends the next line with its end; of one longer than [`MAX_LINE`] no more
/// than just that. How many bytes of the source was it?
fn read_line(source: &mut impl BufRead, lines: &mut Vec<u8>) -> io::Result<u64> {
    let start = lines.len();
    let mut length = source
        .by_ref()
        .take(MAX_LINE as u64 + 1)
        .read_until(b'\n', lines)? as u64;
    if lines.len() - start > MAX_LINE && lines.last() != Some(&b'\n') {
        length += source.skip_until(b'\n')? as u64;
        lines.push(b'\n');
    }
    Ok(length)
}

/// A text from outside as it may be shown: without control characters, with which
/// it could pass for other lines, or for commands to a terminal.
pub fn printable(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_control() { '\u{fffd}' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines_of(bytes: &[u8]) -> Vec<(u64, Vec<u8>)> {
        let mut pieces = Vec::new();
        let outcome: Result<(), ()> = read_lines("file", bytes, &mut |piece| {
            match piece.content {
                Content::Lines(number, lines) => pieces.push((number, lines)),
                other => panic!("{other:?}"),
            }
            Ok(())
        });
        assert_eq!(outcome, Ok(()));
        pieces
    }

    #[test]
    fn pieces_are_whole_lines_and_know_their_number() {
        assert_eq!(lines_of(b""), []);
        assert_eq!(lines_of(b"a\nb"), [(1, b"a\nb".to_vec())]);
        assert_eq!(lines_of("\u{feff}a\n".as_bytes()), [(1, b"a\n".to_vec())]);
        let long = vec![b'x'; LINES_PIECE];
        let pieces = lines_of(&[b"a\n", long.as_slice(), b"\nb\n"].concat());
        let numbers: Vec<_> = pieces
            .iter()
            .map(|(number, lines)| (*number, lines.len()))
            .collect();
        assert_eq!(numbers, [(1, LINES_PIECE + 3), (3, 2)]);
    }

    #[test]
    fn a_line_over_the_bound_is_cut_and_the_next_one_is_read() {
        let long = vec![b'x'; MAX_LINE + 100];
        let pieces = lines_of(&[long.as_slice(), b"\nb\n"].concat());
        let numbers: Vec<_> = pieces
            .iter()
            .map(|(number, lines)| (*number, lines.len()))
            .collect();
        assert_eq!(numbers, [(1, MAX_LINE + 2), (2, 2)]);
    }
}
