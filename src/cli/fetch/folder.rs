//! The folder that is fetched into: archives by day, `fetch.sqlite`, `coverage.jsonl`.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::cli::BoxedError;
use crate::fetch::{FetchedArchive, ends_of_killed};
use crate::model::{Coverage, Date};
use crate::render::coverage_line;
use crate::store::FetchLedger;

/// A folder that this process alone fetches into.
pub struct Folder {
    path: PathBuf,
    pub ledger: FetchLedger,
}

/// The file of the state.
pub const LEDGER: &str = "fetch.sqlite";

/// The file of what is in the folder, which `import` takes in.
const COVERAGE: &str = "coverage.jsonl";

/// The folder of archives that were asked for by a registry number.
const NUMBERS: &str = "numbers";

impl Folder {
    /// Opens the folder, which is made if it is not there, and removes what a process that
    /// was killed has left of archives. `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// It is no folder, cannot be written, or another process fetches into it.
    pub fn open(path: &Path, now: i64) -> Result<Self, BoxedError> {
        fs::create_dir_all(path)
            .map_err(|error| format!("{}: not a folder to be written: {error}", path.display()))?;
        let folder = Self {
            path: path.to_owned(),
            ledger: FetchLedger::open(&path.join(LEDGER), now)?,
        };
        folder
            .remove_parts()
            .map_err(|error| folder.failed(&error))?;
        let missing = folder.forget_missing()?;
        if missing > 0 {
            eprintln!(
                "{}: {missing} archives are not there any more; what they had is asked for again",
                path.display()
            );
        }
        Ok(folder)
    }

    /// The folder of the archives of a day.
    pub fn of_day(&self, day: Date) -> PathBuf {
        self.path.join(day.to_string())
    }

    /// The folder of archives that were asked for by number.
    pub fn of_numbers(&self) -> PathBuf {
        self.path.join(NUMBERS)
    }

    /// Writes what is in the folder.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write_coverage(&self) -> Result<(), BoxedError> {
        let runs = self.ledger.coverage()?;
        self.write_lines(&runs).map_err(|error| self.failed(&error))
    }

    fn write_lines(&self, runs: &[Coverage]) -> io::Result<()> {
        let part = self.path.join(format!("{COVERAGE}.part"));
        let mut file = io::BufWriter::new(fs::File::create(&part)?);
        let mut line = Vec::new();
        for run in runs {
            line.clear();
            coverage_line(&mut line, run);
            file.write_all(&line)?;
        }
        file.into_inner()?.sync_all()?;
        fs::rename(part, self.path.join(COVERAGE))
    }

    fn remove_parts(&self) -> io::Result<()> {
        let mut folders = vec![self.path.clone()];
        for entry in fs::read_dir(&self.path)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            }
        }
        for folder in folders {
            for entry in fs::read_dir(folder)? {
                let path = entry?.path();
                if ends_of_killed(&path) {
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(())
    }

    fn forget_missing(&self) -> Result<usize, BoxedError> {
        let is_there = |day: &str, digest: &[u8; 32], length: u64| {
            let path = self.path.join(day).join(FetchedArchive::file_name(digest));
            fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == length)
        };
        Ok(self.ledger.forget_missing(is_there)?)
    }

    fn failed(&self, error: &io::Error) -> BoxedError {
        format!(
            "{}: {error}; check the disk, and that this user may write there",
            self.path.display()
        )
        .into()
    }
}
