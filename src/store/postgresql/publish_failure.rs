//! Why a publication ended before it was done, and how long a server is waited for.

use std::fmt;
use std::time::Duration;

use super::super::error::Error;
use super::super::server_bounds::{ROWS_A_SECOND, SERVER_SILENCE};
use super::client::Trouble;

/// How long it is waited for where it puts so many rows somewhere in one step.
pub fn silence_for(rows: u64) -> Duration {
    SERVER_SILENCE + Duration::from_secs(rows / ROWS_A_SECOND)
}

/// Why a publication ended before it was done.
#[derive(Debug)]
pub enum Failure {
    /// The file cannot be read.
    File(Error),
    /// The server is lost, or refuses.
    Server(Trouble),
    /// Something else: a sentence with the remedy.
    Other(String),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Self {
        Self::Server(trouble)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Server(trouble) => trouble.fmt(f),
            Self::Other(sentence) => f.write_str(sentence),
        }
    }
}
