//! Zip archives for import and fetch. An archive is read as a stream. Only the places of its
//! entries are in memory, so that overlapping entries are found before any entry is read.

use std::fs::File;
use std::io::Read;

use flate2::read::DeflateDecoder;
use rawzip::{
    CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord,
};

/// The largest growth factor of an entry when it is unpacked, and of a whole archive beyond
/// [`MAX_FREE`]. Official documents grow 10 to 50 times.
pub const MAX_RATIO: u64 = 300;

/// The bytes that an archive may unpack to beyond [`MAX_RATIO`] times its size: the size of one
/// document.
pub const MAX_FREE: u64 = 64 << 20;

/// The most entries of an archive: 16 bytes of memory each.
pub const MAX_ENTRIES: usize = 1 << 20;

/// The length of an entry's header in the archive, without its name, in bytes.
const HEAD: u64 = 30;

/// The result of reading an archive or an entry; the error is a sentence.
pub type Result<T> = std::result::Result<T, String>;

/// An archive with a list of entries that do not overlap.
pub struct Archive {
    zip: ZipArchive<FileReader>,
    length: u64,
}

impl Archive {
    /// Opens an archive.
    ///
    /// # Errors
    /// The file is no zip archive, its list of entries is unreadable or too long, or entries
    /// overlap.
    pub fn open(file: File) -> Result<Self> {
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let zip = ZipArchive::from_file(file, &mut buffer)
            .map_err(|error| format!("not a zip archive: {error}"))?;
        let archive = Self { zip, length };
        // The list of entries is also a place that entries must not overlap.
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
            return Err("its entries overlap, so that it unpacks to more than it holds".to_owned());
        }
        Ok(archive)
    }

    /// Returns the most bytes that the archive may unpack to.
    pub fn allowance(&self) -> u64 {
        self.length
            .saturating_mul(MAX_RATIO)
            .saturating_add(MAX_FREE)
    }

    /// Passes the entries other than folders to `each`, in the order of the list.
    ///
    /// # Errors
    /// The list cannot be read, or an error of `each`.
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

    /// Returns a reader of an entry's unpacked bytes. The last read fails if the size or the
    /// checksum differs from the list.
    ///
    /// # Errors
    /// The entry is not at the listed place.
    pub fn reader(&self, entry: &Entry) -> Result<impl Read + '_> {
        let found = self.find(entry)?;
        let packed = found.reader();
        let unpacked: Box<dyn Read> = match entry.method {
            CompressionMethod::STORE => Box::new(packed),
            _ => Box::new(DeflateDecoder::new(packed)),
        };
        Ok(found.verifying_reader(unpacked))
    }

    /// Returns the packed bytes of an entry. The caller has checked their number.
    ///
    /// # Errors
    /// They cannot be read.
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

/// An entry in the list of an archive.
pub struct Entry {
    /// The name in the list.
    pub name: String,
    /// The unpacked size in the list.
    pub size: u64,
    /// The size in the archive.
    pub packed: u64,
    /// The checksum (CRC-32) of the unpacked bytes.
    pub checksum: u32,
    method: CompressionMethod,
    is_encrypted: bool,
    /// The offset of the header.
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

    /// Returns the memory that the entry takes, packed or unpacked, whichever is more, in bytes.
    pub fn held(&self) -> u64 {
        self.size.max(self.packed)
    }

    /// Returns the reason why this program cannot unpack it, if there is one.
    pub fn unsupported(&self) -> Option<&'static str> {
        let supported = [CompressionMethod::STORE, CompressionMethod::DEFLATE];
        match () {
            () if self.is_encrypted => Some("encrypted, and so cannot be read"),
            () if !supported.contains(&self.method) => {
                Some("packed by a method other than deflate, and so cannot be read")
            }
            () => None,
        }
    }

    /// Returns the reason to refuse the entry, if there is one: its name leads out of the folder,
    /// or it grows too much. This program never unpacks under an archive's names, but such an
    /// archive is not trustworthy.
    pub fn distrusted(&self) -> Option<String> {
        if let Some(trick) = path_trick(&self.name) {
            return Some(format!("not read: {trick}"));
        }
        let grows = self.size / MAX_RATIO > self.packed;
        grows.then(|| format!("grows more than {MAX_RATIO} times when it is unpacked"))
    }
}

/// Returns the fault of an entry's name, if it has one.
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

/// A packed entry, so that several cores can unpack entries.
#[derive(Debug)]
pub struct PackedEntry {
    bytes: Vec<u8>,
    method: CompressionMethod,
    size: u64,
    checksum: u32,
}

impl PackedEntry {
    /// Returns the memory that the entry takes, packed or unpacked, whichever is more, in bytes.
    pub fn held(&self) -> u64 {
        self.size.max(self.bytes.len() as u64)
    }

    /// Unpacks the entry.
    ///
    /// # Errors
    /// The entry cannot be unpacked, or its size or checksum differs from the list.
    pub fn unpack(self) -> Result<Vec<u8>> {
        let damaged = |what: &str| format!("damaged in its archive: its {what} is another");
        let bytes = if self.method == CompressionMethod::STORE {
            self.bytes
        } else {
            let mut unpacked = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
            let source = DeflateDecoder::new(self.bytes.as_slice());
            // One byte too many is enough to detect the excess.
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
