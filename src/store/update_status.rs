//! The outcome of the last `update` of a data file, in `FILE-update` beside it, a line of JSON. The
//! data file cannot hold it: an update without new data leaves the file as it is.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::error::{Error, Result};

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
        let file = File::open(beside(database)).ok()?;
        file.take(MAX_SIZE).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    /// Writes the outcome for the data file at `database`, replacing an earlier one.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn write(&self, database: &Path) -> Result<()> {
        let path = beside(database);
        self.replace(&path)
            .map_err(|error| Error::io(&path, &error))
    }

    fn replace(&self, path: &Path) -> io::Result<()> {
        let mut part = path.as_os_str().to_owned();
        part.push(".part");
        let mut line = serde_json::to_vec(self)?;
        line.push(b'\n');
        let mut file = File::create(&part)?;
        file.write_all(&line)?;
        file.sync_all()?;
        fs::rename(part, path)
    }
}

fn beside(database: &Path) -> PathBuf {
    let mut name: OsString = database.as_os_str().to_owned();
    name.push("-update");
    name.into()
}

#[cfg(test)]
mod tests {
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
        let line = fs::read_to_string(beside(&database)).expect("a line");
        for other in ["x".to_owned(), " ".repeat(9000) + &line] {
            fs::write(beside(&database), other).expect("written");
            assert_eq!(UpdateStatus::read(&database), None);
        }
    }
}
