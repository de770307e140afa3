//! Long bodies in temporary files.
//!
//! A table of 100,000 contracts takes up 80 MB as CSV and 27 MB as a workbook. Its rows are read in
//! parts and written to a file, which the engine sends piece by piece. So CSV of any length takes 3
//! MB of memory, however many clients are downloading. While a workbook is being written, it takes
//! about 400 bytes of memory per row, for the row heights. The file has no name, so it disappears
//! with its response, even if the process is killed.

use std::fs::File;
use std::io::{self, Read, Seek};

use super::super::request::accept::{AcceptEncoding, Encoding};
use super::packing;
use super::places::Place;
use super::receipt;

#[derive(Debug)]
pub struct FileBody {
    file: File,
    length: u64,
    /// The place is freed once the client has read the file. An offline lookup needs none.
    place: Option<Place>,
}

/// The body of a large answer.
#[derive(Debug, PartialEq, Eq)]
pub enum LargeBody {
    /// The complete body.
    File(FileBody),
    /// Nothing, because the request is a HEAD or the client has disconnected.
    Unwritten,
    /// Nothing, because the client disconnected while its request was waiting. The headers are
    /// incomplete, so the response must not be sent.
    Abandoned,
}

/// A body in a file equals only itself.
impl PartialEq for FileBody {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other)
    }
}

impl Eq for FileBody {}

impl FileBody {
    /// Takes the body that was written to `file`.
    ///
    /// # Errors
    /// Returns an error if the file's length cannot be determined.
    pub(super) fn new(file: File, place: Option<Place>) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self {
            file,
            length,
            place,
        })
    }

    /// Compresses the body with the accepted encoding. Also returns the encoding.
    ///
    /// # Errors
    /// Returns an error if a file cannot be read or written.
    pub fn packed(self, accept: AcceptEncoding) -> io::Result<(Self, Encoding)> {
        if accept.encoding == Encoding::Identity {
            return Ok((self, Encoding::Identity));
        }
        let packed = tempfile::tempfile()?;
        packing::copy(accept.encoding, self.reader()?, &packed)?;
        Ok((Self::new(packed, self.place)?, accept.encoding))
    }

    /// Returns the SHA-256 of the body in the form of [`receipt::sha256`].
    ///
    /// # Errors
    /// Returns an error if the file is unreadable.
    pub fn sha256(&self) -> io::Result<String> {
        receipt::sha256_of(self.reader()?)
    }

    /// Returns the length of the body, in bytes.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the file, which contains nothing but the body.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns a reader over the whole body.
    ///
    /// # Errors
    /// Returns an error if the file cannot be rewound.
    pub fn reader(&self) -> io::Result<impl Read> {
        let mut file = &self.file;
        file.rewind()?;
        Ok(file)
    }
}
