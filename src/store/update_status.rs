//! Outcome of the last `update` of a data file, stored as a line of JSON in `FILE-update` beside
//! it. It is not in the data file itself, because an update without new data leaves that file
//! unchanged.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::building::write_whole;
use super::error::{Error, Result};
use super::paths::beside;

const SUFFIX: &str = "-update";

/// Upper bound on the size of the file, in bytes.
const MAX_SIZE: u64 = 4096;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateStatus {
    /// Time when the update ended, in seconds since 1970.
    pub finished: i64,
    /// Whether something could not be fetched or imported.
    pub is_failed: bool,
    /// Number of cells whose archives were downloaded.
    pub done: u64,
    /// Number of cells without documents.
    pub empty: u64,
    /// Number of cells that failed.
    pub failed: u64,
    /// Number of cells not requested because the update ended early.
    pub left: u64,
}

impl UpdateStatus {
    /// Reads the outcome for the data file at `database`. Returns `None` if the file was never
    /// updated or the outcome cannot be parsed.
    pub fn read(database: &Path) -> Option<Self> {
        let mut text = Vec::new();
        let file = File::open(beside(database, SUFFIX)).ok()?;
        file.take(MAX_SIZE).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes the outcome for the data file at `database`, replacing an earlier one.
    ///
    /// # Errors
    /// Returns an error if the folder cannot be written.
    pub fn write(&self, database: &Path) -> Result<()> {
        let path = beside(database, SUFFIX);
        let io = |error| Error::io(&path, &error);
        let mut line = serde_json::to_vec(self).map_err(|error| io(error.into()))?;
        line.push(b'\n');
        write_whole(&path, &line).map_err(io)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use tempfile::TempDir;

    #[test]
    fn a_status_round_trips_and_anything_else_is_ignored() {
        let folder = TempDir::new().expect("a folder");
        let database = folder.path().join("data.sqlite");
        assert_eq!(UpdateStatus::read(&database), None);
        let status = UpdateStatus {
            finished: 1_795_305_600,
            is_failed: true,
            done: 1,
            empty: 2,
            failed: 3,
            left: 4,
        };
        status.write(&database).expect("written");
        UpdateStatus::default().write(&database).expect("written");
        status.write(&database).expect("written");
        assert_eq!(UpdateStatus::read(&database), Some(status));
        let line = fs::read_to_string(beside(&database, SUFFIX)).expect("a line");
        for other in ["x".to_owned(), " ".repeat(9000) + &line] {
            fs::write(beside(&database, SUFFIX), other).expect("written");
            assert_eq!(UpdateStatus::read(&database), None);
        }
    }
}
