//! Reads zip archives as streams. Entry positions are kept in memory, because overlapping entries
//! must be detected before any entry is read.

use std::fs::File;
use std::io::Read;

use flate2::read::DeflateDecoder;
use rawzip::{
    CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord,
};

/// Maximum expansion ratio of an entry. Official documents expand 10 to 50 times.
pub const MAX_RATIO: u64 = 300;

/// Unpacked bytes that every archive may have in addition to [`MAX_RATIO`] times its size. Leaves
/// room for one large document in a tiny archive.
pub const MAX_FREE: u64 = 64 << 20;

/// Upper bound on the entries of an archive. Each takes up 16 bytes while the archive is checked.
pub const MAX_ENTRIES: usize = 1 << 20;

/// Length in bytes of a local file header without the name and extra fields.
const HEAD: u64 = 30;

/// Errors are messages for the user.
pub type Result<T> = std::result::Result<T, String>;

/// An archive whose entries do not overlap.
pub struct Archive {
    zip: ZipArchive<FileReader>,
    length: u64,
}

impl Archive {
    /// Opens an archive and checks that its entries do not overlap.
    ///
    /// # Errors
    /// Returns an error if the file is not a zip archive, if the list of entries is unreadable or
    /// too long, or if entries overlap.
    pub fn open(file: File) -> Result<Self> {
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let zip = ZipArchive::from_file(file, &mut buffer)
            .map_err(|error| format!("not a zip archive: {error}"))?;
        let archive = Self { zip, length };
        // The central directory must not overlap any entry either.
        let mut places = vec![(archive.zip.directory_offset(), u64::MAX)];
        archive.each_entry(|entry| {
            if places.len() > MAX_ENTRIES {
                return Err(format!("more than {MAX_ENTRIES} entries"));
            }
            let length = entry.packed.saturating_add(HEAD);
            places.push((entry.start, entry.start.saturating_add(length)));
            Ok(())
        })?;
        places.sort_unstable();
        let overlap = |pair: &[(u64, u64)]| matches!(pair, [(_, end), (start, _)] if start < end);
        if places.windows(2).any(overlap) {
            return Err(
                "its entries overlap, so it decompresses to more than it contains".to_owned(),
            );
        }
        Ok(archive)
    }

    /// Returns how many bytes the whole archive may unpack to.
    pub fn allowance(&self) -> u64 {
        self.length
            .saturating_mul(MAX_RATIO)
            .saturating_add(MAX_FREE)
    }

    /// Calls `each` with all entries except folders, in the order of the central directory.
    ///
    /// # Errors
    /// Returns the error of `each`, or an error if the list of entries cannot be read.
    pub fn each_entry<E: From<String>>(
        &self,
        mut each: impl FnMut(Entry) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let mut entries = self.zip.entries(&mut buffer);
        loop {
            match entries.next_entry() {
                Ok(None) => return Ok(()),
                Ok(Some(record)) if record.is_dir() => {}
                Ok(Some(record)) => each(Entry::new(&record))?,
                Err(error) => {
                    return Err(format!("its list of entries cannot be read: {error}").into());
                }
            }
        }
    }

    /// Returns a reader of an entry's unpacked bytes. The final read fails if the size or checksum
    /// differs from the central directory.
    ///
    /// # Errors
    /// Returns an error if the entry is not where the central directory says.
    pub fn reader(&self, entry: &Entry) -> Result<impl Read + '_> {
        let found = self.find(entry)?;
        let packed = found.reader();
        let unpacked: Box<dyn Read> = match entry.method {
            CompressionMethod::STORE => Box::new(packed),
            _ => Box::new(DeflateDecoder::new(packed)),
        };
        Ok(found.verifying_reader(unpacked))
    }

    /// Returns an entry without unpacking it. Reads `entry.packed` bytes into memory, so the caller
    /// must check that number first.
    ///
    /// # Errors
    /// Returns an error if the bytes cannot be read.
    pub fn packed(&self, entry: &Entry) -> Result<PackedEntry> {
        let mut bytes = Vec::new();
        let packed = self.find(entry)?;
        let mut packed = packed.reader().take(entry.packed);
        packed
            .read_to_end(&mut bytes)
            .map_err(|error| format!("cannot be read: {error}"))?;
        Ok(PackedEntry {
            bytes,
            method: entry.method,
            size: entry.size,
            checksum: entry.checksum,
        })
    }

    fn find(&self, entry: &Entry) -> Result<rawzip::ZipEntry<'_, FileReader>> {
        self.zip
            .get_entry(entry.found_at)
            .map_err(|error| format!("cannot be found in its archive: {error}"))
    }
}

/// An entry as listed in the central directory.
pub struct Entry {
    pub name: String,
    /// Uncompressed size in bytes.
    pub size: u64,
    /// Compressed size in bytes.
    pub packed: u64,
    /// CRC-32 of the uncompressed bytes.
    pub checksum: u32,
    method: CompressionMethod,
    is_encrypted: bool,
    /// Offset of the local file header in the archive.
    start: u64,
    found_at: ZipArchiveEntryWayfinder,
}

impl Entry {
    fn new(record: &ZipFileHeaderRecord<'_>) -> Self {
        Self {
            name: String::from_utf8_lossy(record.file_path().as_bytes()).into_owned(),
            size: record.uncompressed_size_hint(),
            packed: record.compressed_size_hint(),
            checksum: record.crc32(),
            method: record.compression_method(),
            is_encrypted: record.flags().is_encrypted(),
            start: record.local_header_offset(),
            found_at: record.wayfinder(),
        }
    }

    /// Returns the memory in bytes needed to hold the entry packed or unpacked, whichever is
    /// larger.
    pub fn held(&self) -> u64 {
        self.size.max(self.packed)
    }

    /// Returns why this program cannot unpack the entry, or `None` if it can.
    pub fn unsupported(&self) -> Option<&'static str> {
        let supported = [CompressionMethod::STORE, CompressionMethod::DEFLATE];
        match () {
            () if self.is_encrypted => Some("encrypted"),
            () if !supported.contains(&self.method) => {
                Some("compressed with a method other than deflate")
            }
            () => None,
        }
    }

    /// Returns why the entry is rejected, or `None` if it is accepted. Rejects excessive expansion,
    /// and names that are absolute paths, lead out of the archive or contain control characters.
    /// This program never creates files with names from an archive, but such a name suggests that
    /// the archive is malicious.
    pub fn distrusted(&self) -> Option<String> {
        if let Some(trick) = path_trick(&self.name) {
            return Some(format!("not read: {trick}"));
        }
        let grows = self.size / MAX_RATIO > self.packed;
        grows.then(|| format!("grows more than {MAX_RATIO} times when decompressed"))
    }
}

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

/// An entry that is in memory but still compressed, so that another thread can unpack it.
#[derive(Debug)]
pub struct PackedEntry {
    bytes: Vec<u8>,
    method: CompressionMethod,
    size: u64,
    checksum: u32,
}

impl PackedEntry {
    /// Returns the memory in bytes needed to hold the entry packed or unpacked, whichever is
    /// larger.
    pub fn held(&self) -> u64 {
        self.size.max(self.bytes.len() as u64)
    }

    /// Returns the unpacked bytes.
    ///
    /// # Errors
    /// Returns an error if unpacking fails, or if the size or checksum differs from the central
    /// directory.
    pub fn unpack(self) -> Result<Vec<u8>> {
        let damaged = |what: &str| format!("damaged in its archive: its {what} differs");
        let bytes = if self.method == CompressionMethod::STORE {
            self.bytes
        } else {
            let mut unpacked = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
            let source = DeflateDecoder::new(self.bytes.as_slice());
            // One byte more than expected is enough to notice an entry that is too long.
            source
                .take(self.size.saturating_add(1))
                .read_to_end(&mut unpacked)
                .map_err(|error| format!("damaged in its archive: {error}"))?;
            unpacked
        };
        if bytes.len() as u64 != self.size {
            return Err(damaged("size"));
        }
        match rawzip::crc32(&bytes) == self.checksum {
            true => Ok(bytes),
            false => Err(damaged("checksum")),
        }
    }
}
