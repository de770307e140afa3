//! The outcome of the last `update` of a data file, in `FILE-update` beside it, a line of JSON. The
//! data file cannot hold it: an update without new data leaves the file as it is.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::building::write_whole;
use super::error::{Error, Result};
use super::paths::beside;

/// The end of its name.
const END: &str = "-update";

/// The longest file that is read, in bytes.
const MAX_SIZE: u64 = 4096;

/// The outcome of an update.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct UpdateStatus {
    /// The time of its end, in seconds since 1970.
    pub finished: i64,
    /// Whether anything could not be fetched or imported.
    pub is_failed: bool,
    /// Cells whose archives were obtained.
    pub done: u64,
    /// Cells without documents.
    pub empty: u64,
    /// Cells that could not be obtained.
    pub failed: u64,
    /// Cells that were not requested, as the update ended early.
    pub left: u64,
}

impl UpdateStatus {
    /// Reads the outcome for the data file at `database`; none if the file was never updated, or
    /// the outcome cannot be read.
    pub fn read(database: &Path) -> Option<Self> {
        let mut text = Vec::new();
        let file = File::open(beside(database, END)).ok()?;
        file.take(MAX_SIZE).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes the outcome for the data file at `database`, replacing an earlier one.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, database: &Path) -> Result<()> {
        let path = beside(database, END);
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
    fn what_is_written_is_read_and_anything_else_is_nothing() {
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
        let line = fs::read_to_string(beside(&database, END)).expect("a line");
        for other in ["x".to_owned(), " ".repeat(9000) + &line] {
            fs::write(beside(&database, END), other).expect("written");
            assert_eq!(UpdateStatus::read(&database), None);
        }
    }
}
