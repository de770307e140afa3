//! The error that ends an import.

use std::fmt;
use std::io;

use crate::store;

#[derive(Debug)]
pub enum Error {
    /// The data file cannot be read or written. It is unchanged.
    Store(store::Error),
    /// The list of files to import cannot be written to a temporary file.
    List(io::Error),
    /// A thread panicked.
    Bug,
}

impl From<store::Error> for Error {
    fn from(error: store::Error) -> Self {
        Self::Store(error)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Store(error) => error.fmt(f),
            Self::List(error) => write!(
                f,
                "the list of files cannot be written to a temporary file: {error}; the database is unchanged"
            ),
            Self::Bug => f.write_str(
                "the import was ended by a bug in this program; the database is unchanged; please report the bug with the output above",
            ),
        }
    }
}

impl std::error::Error for Error {}
