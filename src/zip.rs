//! Zip archives as import and fetch read them. An archive is read as a stream: of the list of
//! its entries only the places are held, so that overlapping entries are found before any is
//! read.

use std::fs::File;
use std::io::Read;

use flate2::read::DeflateDecoder;
use rawzip::{
    CompressionMethod, FileReader, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveEntryWayfinder,
    ZipFileHeaderRecord,
};

/// The most an entry may grow when it is unpacked, and all entries of an archive together
/// beside [`MAX_FREE`]. Official documents grow 10 to 50 times.
pub const MAX_RATIO: u64 = 300;

/// The bytes that an archive may unpack to beyond [`MAX_RATIO`] times its size: as many as one
/// document.
pub const MAX_FREE: u64 = 64 << 20;

/// The most entries of an archive: 16 bytes of memory each.
pub const MAX_ENTRIES: usize = 1 << 20;

/// The length of an entry's head in the archive, without its name, in bytes.
const HEAD: u64 = 30;

/// The result of reading an archive or an entry; the error in words.
pub type Result<T> = std::result::Result<T, String>;

/// An archive whose list of entries was read: no two of them overlap.
pub struct Archive {
    zip: ZipArchive<FileReader>,
    length: u64,
}

impl Archive {
    /// Opens an archive.
    ///
    /// # Errors
    /// It is no zip archive, its list of entries cannot be read or is too long, or entries
    /// overlap.
    pub fn open(file: File) -> Result<Self> {
        let length = file.metadata().map_or(0, |metadata| metadata.len());
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let zip = ZipArchive::from_file(file, &mut buffer)
            .map_err(|error| format!("not a zip archive: {error}"))?;
        let archive = Self { zip, length };
        // The list of entries itself is a place, too.
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

    /// The most bytes that it may unpack to.
    pub fn allowance(&self) -> u64 {
        self.length
            .saturating_mul(MAX_RATIO)
            .saturating_add(MAX_FREE)
    }

    /// Passes the entries that are no folders to `each`, in the order of the list.
    ///
    /// # Errors
    /// The list cannot be read, or what `each` returned.
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

    /// The bytes of an entry, unpacked; the last read fails if its size or its checksum is
    /// another than the list says.
    ///
    /// # Errors
    /// It is not where the list says.
    pub fn reader(&self, entry: &Entry) -> Result<impl Read + '_> {
        let found = self.find(entry)?;
        let packed = found.reader();
        let unpacked: Box<dyn Read> = match entry.method {
            CompressionMethod::STORE => Box::new(packed),
            _ => Box::new(DeflateDecoder::new(packed)),
        };
        Ok(found.verifying_reader(unpacked))
    }

    /// An entry as it is packed: the caller has looked at how many bytes it holds.
    ///
    /// # Errors
    /// It cannot be read.
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
    /// Its name, as the list has it.
    pub name: String,
    /// The size unpacked, as the list states it.
    pub size: u64,
    /// The size in the archive.
    pub packed: u64,
    /// The checksum (CRC-32) of its bytes, unpacked.
    pub checksum: u32,
    method: CompressionMethod,
    is_encrypted: bool,
    /// The offset of its head.
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

    /// The bytes of memory that it takes, packed or unpacked, whichever is more.
    pub fn held(&self) -> u64 {
        self.size.max(self.packed)
    }

    /// The reason why it cannot be unpacked here, if there is one.
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

    /// Why it is not to be read, if so: its name would lead out of the folder that it is
    /// unpacked to, or it grows too much. Nothing is unpacked under an archive's names here,
    /// but an archive with such names is not trustworthy.
    pub fn distrusted(&self) -> Option<String> {
        if let Some(trick) = path_trick(&self.name) {
            return Some(format!("not read: {trick}"));
        }
        let grows = self.size / MAX_RATIO > self.packed;
        grows.then(|| format!("grows more than {MAX_RATIO} times when it is unpacked"))
    }
}

/// The fault of an entry's name, if it has one.
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

/// An entry that is still packed, so that entries can be unpacked on several cores.
#[derive(Debug)]
pub struct PackedEntry {
    bytes: Vec<u8>,
    method: CompressionMethod,
    size: u64,
    checksum: u32,
}

impl PackedEntry {
    /// The bytes of memory that it takes, packed or unpacked, whichever is more.
    pub fn held(&self) -> u64 {
        self.size.max(self.bytes.len() as u64)
    }

    /// The bytes of the entry.
    ///
    /// # Errors
    /// They cannot be unpacked, or their size or checksum is another than the list says.
    pub fn unpack(self) -> Result<Vec<u8>> {
        let damaged = |what: &str| format!("damaged in its archive: its {what} is another");
        let bytes = if self.method == CompressionMethod::STORE {
            self.bytes
        } else {
            let mut unpacked = Vec::with_capacity(usize::try_from(self.size).unwrap_or_default());
            let source = DeflateDecoder::new(self.bytes.as_slice());
            // One byte more shows that there are more.
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
