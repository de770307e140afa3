//! Zip archives, read as a stream: neither an archive nor the list of its entries is held
//! in memory, so an archive may have any size and any number of entries. Documents are
//! passed on packed, so that they are unpacked on all cores.

use std::fs::File;
use std::io::{self, BufReader, Read};

use flate2::read::DeflateDecoder;
use rawzip::{
    CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord,
};
use sha2::{Digest, Sha256};

use super::{
    FileType, MAX_DOCUMENT_FILE, MAX_RATIO, Piece, PieceContent, file_type, printable,
    read_bounded, read_lines,
};
use crate::store::ArchiveDigest;

/// How deep archives may nest.
pub const MAX_NESTED: usize = 4;

/// How many bytes an archive may unpack to beyond [`MAX_RATIO`] times its size: as many as
/// one document.
pub const MAX_FREE: u64 = MAX_DOCUMENT_FILE;

/// The largest archive within an archive, unpacked, in bytes: it is unpacked into a
/// temporary file.
pub const MAX_ARCHIVE: u64 = 4 << 30;

/// Hashed before the bytes of an archive, so that with another number imported archives are
/// read again. To be raised whenever more is read from documents than before.
const READERS: u32 = 1;

/// A packed document.
#[derive(Debug)]
pub struct PackedFile {
    bytes: Vec<u8>,
    method: CompressionMethod,
    size: u64,
    checksum: u32,
}

impl PackedFile {
    /// How many bytes it will unpack to, as the archive says.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The document.
    ///
    /// # Errors
    /// It cannot be unpacked, is larger than the archive says, or its checksum is wrong.
    pub fn unpack(self) -> Result<Vec<u8>, String> {
        let bytes = if self.method == CompressionMethod::STORE {
            self.bytes
        } else {
            read_bounded(DeflateDecoder::new(self.bytes.as_slice()), self.size)?
        };
        if bytes.len() as u64 != self.size {
            return Err("damaged in its archive: its size is another".to_owned());
        }
        if rawzip::crc32(&bytes) != self.checksum {
            return Err("damaged in its archive: its checksum is another".to_owned());
        }
        Ok(bytes)
    }
}

/// Passes the pieces of an archive to `each`, unless `is_unchanged` holds for its digest.
pub fn read<E>(
    place: &str,
    mut file: File,
    is_unchanged: &impl Fn(&ArchiveDigest) -> bool,
    each: &mut impl FnMut(Piece) -> Result<(), E>,
) -> Result<(), E> {
    let size = file.metadata().map_or(0, |metadata| metadata.len());
    let marker = |content, consumed| Piece {
        place: place.to_owned(),
        content,
        consumed,
    };
    let digest = match digest(&mut file) {
        Ok(digest) if is_unchanged(&digest) => {
            return each(marker(PieceContent::ArchiveUnchanged(digest), size));
        }
        Ok(digest) => digest,
        Err(error) => return each(Piece::problem(place, format!("cannot be read: {error}"))),
    };
    each(marker(PieceContent::ArchiveStart, 0))?;
    let mut left = Some(size.saturating_mul(MAX_RATIO).saturating_add(MAX_FREE));
    let mut reader = ArchiveReader {
        left: &mut left,
        depth: 1,
        on_disk: true,
        each,
    };
    reader.entries(place, file)?;
    each(marker(PieceContent::ArchiveEnd(digest), 0))
}

fn digest(file: &mut File) -> io::Result<ArchiveDigest> {
    let mut hash = Sha256::new();
    hash.update(READERS.to_le_bytes());
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.finalize().into()),
            length => hash.update(&buffer[..length]),
        }
    }
}

struct ArchiveReader<'a, F> {
    /// How many bytes may still be unpacked from the archive on disk and those in it
    /// together; none once it was too much.
    left: &'a mut Option<u64>,
    /// The nesting depth.
    depth: usize,
    /// Is the archive itself on disk, so that its bytes count as read?
    on_disk: bool,
    each: &'a mut F,
}

/// An entry in the list of an archive.
struct Entry {
    place: String,
    name: String,
    method: CompressionMethod,
    is_encrypted: bool,
    size: u64,
    packed: u64,
    checksum: u32,
    found_at: ZipArchiveEntryWayfinder,
}

impl Entry {
    fn from_header(archive: &str, record: &ZipFileHeaderRecord<'_>) -> Self {
        let name = String::from_utf8_lossy(record.file_path().as_bytes()).into_owned();
        Self {
            place: format!("{archive}/{}", printable(&name)),
            name,
            method: record.compression_method(),
            is_encrypted: record.flags().is_encrypted(),
            size: record.uncompressed_size_hint(),
            packed: record.compressed_size_hint(),
            checksum: record.crc32(),
            found_at: record.wayfinder(),
        }
    }

    /// Why it is not read, if so.
    fn problem(&self) -> Option<String> {
        if let Some(trick) = path_trick(&self.name) {
            return Some(format!("not read: {trick}"));
        }
        let supported = [CompressionMethod::STORE, CompressionMethod::DEFLATE];
        if self.is_encrypted {
            Some("encrypted, and so cannot be read".to_owned())
        } else if !supported.contains(&self.method) {
            Some("packed by a method other than deflate, and so cannot be read".to_owned())
        } else if self.size / MAX_RATIO > self.packed {
            Some(format!(
                "grows more than {MAX_RATIO} times when it is unpacked"
            ))
        } else {
            None
        }
    }
}

/// What is wrong with the name of an entry, if it would lead out of the folder it is
/// unpacked to. Nothing is unpacked under an archive's names here, but an archive with such
/// names is not trustworthy.
fn path_trick(name: &str) -> Option<&'static str> {
    let mut parts = name.split(['/', '\\']);
    if name.starts_with(['/', '\\']) || name.get(1..2) == Some(":") {
        Some("its name is an absolute path")
    } else if parts.any(|part| part == "..") {
        Some("its name leads out of the archive")
    } else if name.chars().any(char::is_control) {
        Some("its name has control characters")
    } else {
        None
    }
}

impl<F> ArchiveReader<'_, F> {
    /// Passes on the pieces of the entries of an archive.
    fn entries<E>(&mut self, place: &str, file: File) -> Result<(), E>
    where
        F: FnMut(Piece) -> Result<(), E>,
    {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = match ZipArchive::from_file(file, &mut buffer) {
            Ok(archive) => archive,
            Err(error) => {
                let what = format!("not a zip archive: {error}");
                return (self.each)(Piece::problem(place, what));
            }
        };
        let mut entries = archive.entries(&mut buffer);
        while self.left.is_some() {
            let entry = match entries.next_entry() {
                Ok(None) => return Ok(()),
                Ok(Some(record)) if record.is_dir() => continue,
                Ok(Some(record)) => Entry::from_header(place, &record),
                Err(error) => {
                    let what = format!("its list of entries cannot be read: {error}");
                    return (self.each)(Piece::problem(place, what));
                }
            };
            self.entry(&archive, entry)?;
        }
        Ok(())
    }

    fn entry<E>(&mut self, archive: &ZipArchive<FileReader>, entry: Entry) -> Result<(), E>
    where
        F: FnMut(Piece) -> Result<(), E>,
    {
        let consumed = if self.on_disk { entry.packed } else { 0 };
        let Some(kind) = file_type(&entry.name) else {
            return (self.each)(Piece {
                place: entry.place,
                content: PieceContent::Other,
                consumed,
            });
        };
        if let Some(problem) = entry.problem() {
            return (self.each)(Piece {
                consumed,
                ..Piece::problem(&entry.place, problem)
            });
        }
        match self.left.and_then(|left| left.checked_sub(entry.size)) {
            Some(left) => *self.left = Some(left),
            None => {
                *self.left = None;
                let what = format!(
                    "its archive, with those in it, unpacks to more than {MAX_RATIO} times its size; \
                     the rest of it is not read"
                );
                return (self.each)(Piece::problem(&entry.place, what));
            }
        }
        let found = match archive.get_entry(entry.found_at) {
            Ok(found) => found,
            Err(error) => {
                let what = format!("cannot be found in its archive: {error}");
                return (self.each)(Piece::problem(&entry.place, what));
            }
        };
        match kind {
            FileType::Xml => {
                let content = packed(found.reader(), &entry);
                (self.each)(Piece {
                    place: entry.place,
                    content,
                    consumed,
                })
            }
            FileType::Lines => {
                let source = found.verifying_reader(unpacking(found.reader(), entry.method));
                read_lines(&entry.place, BufReader::new(source), self.each)
            }
            FileType::Zip => {
                self.archive(&entry, unpacking(found.reader(), entry.method), consumed)
            }
        }
    }

    /// Reads an archive within an archive, unpacked into an unnamed file.
    fn archive<E>(&mut self, entry: &Entry, source: impl Read, consumed: u64) -> Result<(), E>
    where
        F: FnMut(Piece) -> Result<(), E>,
    {
        let problem = |what: String| Piece {
            consumed,
            ..Piece::problem(&entry.place, what)
        };
        if self.depth >= MAX_NESTED {
            let what = format!("archives nested deeper than {MAX_NESTED}");
            return (self.each)(problem(what));
        }
        if entry.size > MAX_ARCHIVE {
            let what = format!(
                "an archive in an archive larger than {} GiB",
                MAX_ARCHIVE >> 30
            );
            return (self.each)(problem(what));
        }
        let unpacked = tempfile::tempfile().and_then(|mut file| {
            io::copy(&mut source.take(entry.size), &mut file)?;
            Ok(file)
        });
        let file = match unpacked {
            Ok(unpacked) => unpacked,
            Err(error) => return (self.each)(problem(format!("cannot be unpacked: {error}"))),
        };
        let mut within = ArchiveReader {
            left: &mut *self.left,
            depth: self.depth + 1,
            on_disk: false,
            each: &mut *self.each,
        };
        within.entries(&entry.place, file)?;
        (self.each)(Piece {
            place: entry.place.clone(),
            content: PieceContent::Empty,
            consumed,
        })
    }
}

/// A packed document, or why it cannot be read.
fn packed(source: impl Read, entry: &Entry) -> PieceContent {
    if entry.size > MAX_DOCUMENT_FILE {
        return PieceContent::Problem(format!("larger than {} MiB", MAX_DOCUMENT_FILE >> 20));
    }
    match read_bounded(source, entry.packed) {
        Ok(bytes) => PieceContent::Packed(PackedFile {
            bytes,
            method: entry.method,
            size: entry.size,
            checksum: entry.checksum,
        }),
        Err(problem) => PieceContent::Problem(problem),
    }
}

fn unpacking<'a>(source: impl Read + 'a, method: CompressionMethod) -> Box<dyn Read + 'a> {
    if method == CompressionMethod::STORE {
        Box::new(source)
    } else {
        Box::new(DeflateDecoder::new(source))
    }
}

#[cfg(test)]
mod tests {
    use super::path_trick;

    #[test]
    fn names_that_lead_out_of_a_folder_are_found() {
        for name in [
            "/etc/passwd.xml",
            "\\\\host\\share.xml",
            "C:\\a.xml",
            "../a.xml",
            "a/../../b.xml",
            "a\\..\\b.xml",
            "a\nb.xml",
            "a\0.xml",
        ] {
            assert!(path_trick(name).is_some(), "{name:?}");
        }
        for name in [
            "a.xml",
            "a/b.xml",
            "a\\b.xml",
            "a..b/..c.xml",
            "é/договор.xml",
        ] {
            assert_eq!(path_trick(name), None, "{name:?}");
        }
    }
}
