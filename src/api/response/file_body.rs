//! Long bodies in temporary files.
//!
//! A table of 100,000 contracts has 80 MB as CSV and 27 MB as a workbook. Its rows are read from
//! the data in parts and written to a file, which the engine sends piece by piece. So CSV of any
//! length takes 3 MB of memory, however many clients read it, and a workbook some 400 bytes a row
//! while it is written, for the heights of its rows. The file has no name: it is gone with its
//! response, also if the process is killed.

use std::fs::File;
use std::io::{self, Read, Seek};

use super::super::request::accept::{AcceptEncoding, Encoding};
use super::packing;
use super::places::Place;
use super::receipt;

/// A body in a file.
#[derive(Debug)]
pub struct FileBody {
    file: File,
    length: u64,
    /// Free when the client has read the file; none for someone who can read the database file.
    place: Option<Place>,
}

/// The body of a large answer.
#[derive(Debug, PartialEq, Eq)]
pub enum LargeBody {
    /// All of it.
    File(FileBody),
    /// Nothing: the request is a HEAD, or its client is gone.
    Unwritten,
}

/// A body in a file equals itself alone.
impl PartialEq for FileBody {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FileBody {}

impl FileBody {
    /// Returns the body that was written to `file`.
    ///
    /// # Errors
    /// The length of the file cannot be read.
    pub(super) fn new(file: File, place: Option<Place>) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self {
            file,
            length,
            place,
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
        Ok((Self::new(packed, self.place)?, accept.encoding))
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
