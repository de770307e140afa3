//! Reads zip archives. Passes documents on in compressed form, so that all cores share the work of
//! decompressing.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use super::{
    FileType, MAX_DOCUMENT_FILE, Note, Piece, PieceContent, ReadArchive, ReadingEnd, file_type,
    read_lines,
};
use crate::import::Counted;
use crate::import::text::printable;
use crate::model::Sha256;
use crate::store::{ArchiveDigest, ArchiveFile};
use crate::zip::{Archive, Entry, MAX_RATIO};

pub const MAX_NESTED: usize = 4;

/// Upper bound on the bytes of a nested archive, which is unpacked into a temporary file.
pub const MAX_ARCHIVE: u64 = 4 << 30;

/// Passes the pieces of an archive to `each`. If the same bytes were imported before, passes only
/// the counts that `known` returns.
pub fn read(
    place: &str,
    path: &Path,
    mut file: File,
    known: &dyn Fn(&ReadArchive) -> Option<Counted>,
    each: &mut dyn FnMut(Piece) -> Result<(), ReadingEnd>,
) -> Result<(), ReadingEnd> {
    // Size and modification time must be those from before reading, so that the next import notices
    // if the archive changes meanwhile.
    let opened = file.metadata().and_then(|metadata| {
        let seen = ArchiveFile::new(path, &metadata);
        Ok((metadata.len(), seen, digest(&mut file)?))
    });
    let (size, seen, digest) = match opened {
        Ok(opened) => opened,
        Err(error) => return each(Piece::failed(place, &error)),
    };
    let archive = Box::new(ReadArchive { file: seen, digest });
    if let Some(counted) = known(&archive) {
        let note = Note::ArchiveKnown(archive, Box::new(counted));
        return each(Piece::note(place, note, size));
    }
    each(Piece::note(place, Note::ArchiveStart, 0))?;
    let mut reader = ArchiveReader {
        left: None,
        depth: 0,
        each,
    };
    match reader.entries(place, file) {
        Ok(()) | Err(ReadingEnd::TooMuch) => {}
        Err(ended) => return Err(ended),
    }
    each(Piece::note(place, Note::ArchiveEnd(archive), 0))
}

fn digest(file: &mut File) -> io::Result<ArchiveDigest> {
    let digest = Sha256::of_stream(&mut *file)?;
    file.rewind()?;
    Ok(digest)
}

struct ArchiveReader<'a> {
    /// How many more bytes the archive on disk, including nested archives, may unpack to. `None`
    /// until the archive on disk has been opened.
    left: Option<u64>,
    /// Depth of nesting; 1 in the archive on disk. Only entries at depth 1 count as consumed bytes.
    depth: usize,
    each: &'a mut dyn FnMut(Piece) -> Result<(), ReadingEnd>,
}

impl ArchiveReader<'_> {
    fn entries(&mut self, place: &str, file: File) -> Result<(), ReadingEnd> {
        self.depth += 1;
        let read = self.each_entry(place, file);
        self.depth -= 1;
        read
    }

    fn each_entry(&mut self, place: &str, file: File) -> Result<(), ReadingEnd> {
        let archive = match Archive::open(file) {
            Ok(archive) => archive,
            Err(what) => return (self.each)(Piece::unreadable(place, what)),
        };
        self.left.get_or_insert(archive.allowance());
        let read = archive.each_entry(|entry| {
            let place = format!("{place}/{}", printable(&entry.name));
            self.entry(&archive, &place, &entry)
        });
        match read {
            Err(ReadingEnd::Unreadable(what)) => (self.each)(Piece::unreadable(place, what)),
            read => read,
        }
    }

    fn entry(&mut self, archive: &Archive, place: &str, entry: &Entry) -> Result<(), ReadingEnd> {
        let consumed = if self.depth == 1 { entry.packed } else { 0 };
        let Some(kind) = file_type(&entry.name) else {
            return (self.each)(Piece::note(place, Note::OtherFile, consumed));
        };
        let unsupported = entry.unsupported().map(str::to_owned);
        if let Some(what) = unsupported.or_else(|| entry.distrusted()) {
            return (self.each)(Piece::refused(place, what).consuming(consumed));
        }
        let left = self.left.unwrap_or_default().checked_sub(entry.held());
        let Some(left) = left else {
            let what = format!(
                "its archive, with those in it, unpacks to more than {MAX_RATIO} times its size; \
                 the rest of it is not read"
            );
            (self.each)(Piece::unreadable(place, what))?;
            return Err(ReadingEnd::TooMuch);
        };
        self.left = Some(left);
        match kind {
            FileType::Xml => (self.each)(packed(archive, place, entry).consuming(consumed)),
            FileType::Lines => match archive.reader(entry) {
                Ok(source) => read_lines(place, BufReader::new(source), self.each),
                Err(what) => (self.each)(Piece::unreadable(place, what)),
            },
            FileType::Zip => {
                match self.unpacked(archive, entry) {
                    Ok(file) => self.entries(place, file)?,
                    Err(what) => (self.each)(Piece::unreadable(place, what))?,
                }
                (self.each)(Piece::note(place, Note::Nothing, consumed))
            }
        }
    }

    /// Unpacks a nested archive into an unnamed file.
    fn unpacked(&self, archive: &Archive, entry: &Entry) -> Result<File, String> {
        if self.depth >= MAX_NESTED {
            return Err(format!("archives nested deeper than {MAX_NESTED}"));
        }
        if entry.held() > MAX_ARCHIVE {
            let most = MAX_ARCHIVE >> 30;
            return Err(format!("an archive in an archive larger than {most} GiB"));
        }
        let source = archive.reader(entry)?;
        let unpacked = tempfile::tempfile().and_then(|mut file| {
            io::copy(&mut source.take(entry.size), &mut file)?;
            Ok(file)
        });
        unpacked.map_err(|error| format!("cannot be unpacked: {error}"))
    }
}

/// Makes a piece from a compressed document, or from the reason why it cannot be read.
fn packed(archive: &Archive, place: &str, entry: &Entry) -> Piece {
    if entry.held() > MAX_DOCUMENT_FILE {
        let what = format!("larger than {} MiB", MAX_DOCUMENT_FILE >> 20);
        return Piece::refused(place, what);
    }
    match archive.packed(entry) {
        Ok(packed) => Piece::new(place, PieceContent::Packed(packed)),
        Err(what) => Piece::unreadable(place, what),
    }
}
