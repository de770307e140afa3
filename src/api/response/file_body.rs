//! Long bodies in temporary files.
//!
//! A table of 100,000 contracts has 80 MB as CSV and 27 MB as a workbook. Its rows are read from
//! the data in parts and written to a file, which the engine sends piece by piece. So CSV of any
//! length takes 3 MB of memory, however many clients read it, and a workbook some 400 bytes a row
//! while it is written, for the heights of its rows. The file has no name: it is gone with its
//! response, also if the process is killed.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::error::Failure;
use super::super::request::accept::{AcceptEncoding, Encoding};
use super::packing;
use super::receipt;

/// The most files of bodies at the same time, in progress or not yet read by their clients. With
/// [`MAX_TABLE`](crate::render::MAX_TABLE) they bound the room on the disk; 100,000 contracts take
/// 80 MB of CSV, a sixth of it packed. One more is answered 429.
pub const MAX_BODY_FILES: usize = 16;

/// The seconds after which a client may try again. A file of 100,000 contracts takes as long.
const RETRY_AFTER: u64 = 5;

/// The number of files in the process.
static FILES: AtomicUsize = AtomicUsize::new(0);

/// A body in a file.
#[derive(Debug)]
pub struct FileBody {
    file: File,
    length: u64,
    counted: Counted,
}

/// A file that counts among [`FILES`] until it is gone.
#[derive(Debug)]
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        FILES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// A body in a file equals itself alone.
impl PartialEq for FileBody {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FileBody {}

impl FileBody {
    /// Returns the body that `write` writes to a new file.
    ///
    /// # Errors
    /// There are [`MAX_BODY_FILES`], the file cannot be written, or an error of `write`.
    pub fn new(write: impl FnOnce(&mut File) -> Result<(), Failure>) -> Result<Self, Failure> {
        let counted = Counted;
        if FILES.fetch_add(1, Ordering::Relaxed) >= MAX_BODY_FILES {
            return Err(Failure::too_many_requests(RETRY_AFTER));
        }
        let mut file = tempfile::tempfile().map_err(broken)?;
        write(&mut file)?;
        Self::with_count(file, counted).map_err(broken)
    }

    fn with_count(file: File, counted: Counted) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self {
            file,
            length,
            counted,
        })
    }

    /// Returns the body in the accepted encoding, and that encoding.
    ///
    /// # Errors
    /// The files cannot be read or written.
    pub fn packed(self, accept: AcceptEncoding) -> io::Result<(Self, Encoding)> {
        if accept.encoding == Encoding::Identity {
            return Ok((self, Encoding::Identity));
        }
        let packed = tempfile::tempfile()?;
        packing::copy(accept.encoding, self.reader()?, &packed)?;
        Ok((Self::with_count(packed, self.counted)?, accept.encoding))
    }

    /// Returns the SHA-256 of the body, as [`receipt::sha256`].
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn sha256(&self) -> io::Result<String> {
        receipt::sha256_of(self.reader()?)
    }

    /// Returns the number of bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the file, which has the body and nothing else.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the file at its start.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn reader(&self) -> io::Result<impl Read> {
        let mut file = &self.file;
        file.rewind()?;
        Ok(file)
    }
}

fn broken(error: io::Error) -> Failure {
    Failure::server(format!("a temporary file: {error}"))
}
