//! The folder of fetched archives: a subfolder per day, the ledger `fetch.sqlite`, and
//! `coverage.jsonl`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::cli::BoxedError;
use crate::cli::output::write_whole;
use crate::fetch::{ArchiveContents, FetchedArchive, contents, is_partial};
use crate::model::{Cell, Date};
use crate::render::coverage_line;
use crate::store::FetchLedger;

/// The folder of archives. While one process has it open, no other can fetch into it.
pub struct Folder {
    path: PathBuf,
    pub ledger: FetchLedger,
}

pub const LEDGER: &str = "fetch.sqlite";

/// File with the coverage of the folder, for `import`.
const COVERAGE: &str = "coverage.jsonl";

/// Subfolder for archives that were requested by registry number.
const NUMBERS: &str = "numbers";

impl Folder {
    /// Opens or creates the folder. Removes partial archives that a killed process left, and makes
    /// the ledger forget archives that are no longer on disk, so that they are requested again.
    /// `now` is in milliseconds since 1970.
    ///
    /// # Errors
    /// Returns an error if the path is not a folder or not writable, or if another process is
    /// fetching into it.
    pub fn open(path: &Path, now: i64) -> Result<Self, BoxedError> {
        if path.exists() && !path.is_dir() {
            return Err(format!("{}: this is a file; give a folder", path.display()).into());
        }
        fs::create_dir_all(path).map_err(|error| {
            format!("{}: the folder cannot be created: {error}", path.display())
        })?;
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
                "{}: {missing} archives are missing; their documents are requested again",
                path.display()
            );
        }
        Ok(folder)
    }

    pub fn day_folder(&self, day: Date) -> PathBuf {
        self.path.join(day.to_string())
    }

    pub fn numbers_folder(&self) -> PathBuf {
        self.path.join(NUMBERS)
    }

    /// Removes each older archive of a settled cell whose entries are all also in `newest`, the
    /// archives of the last response. Without this, a day that is requested three times would take
    /// three times the disk space.
    ///
    /// # Errors
    /// Returns an error if the ledger or the folder cannot be written.
    pub fn remove_superseded(&self, cell: &Cell, newest: &[[u8; 32]]) -> Result<(), BoxedError> {
        let archives = self.ledger.archives(cell)?;
        let (newest, earlier): (Vec<_>, Vec<_>) =
            archives.iter().partition(|digest| newest.contains(digest));
        if newest.is_empty() || earlier.is_empty() {
            return Ok(());
        }
        let folder = self.day_folder(cell.day);
        let path = |digest: &[u8; 32]| folder.join(FetchedArchive::file_name(digest));
        let known: Option<Vec<ArchiveContents>> = newest
            .iter()
            .map(|digest| contents(&path(digest)))
            .collect();
        let known: ArchiveContents = known.unwrap_or_default().into_iter().flatten().collect();
        for digest in &earlier {
            let is_superseded = contents(&path(digest)).is_some_and(|of| of.is_subset(&known));
            if is_superseded && self.ledger.drop_archive(cell, digest)? {
                fs::remove_file(path(digest)).map_err(|error| self.failed(&error))?;
            }
        }
        Ok(())
    }

    /// Writes `coverage.jsonl`.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    pub fn write_coverage(&self) -> Result<(), BoxedError> {
        let mut lines = Vec::new();
        for run in &self.ledger.coverage()? {
            coverage_line(&mut lines, run);
        }
        let path = self.path.join(COVERAGE);
        write_whole(&path, &lines).map_err(|error| format!("{}: {error}", path.display()).into())
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
                if is_partial(&path) {
                    fs::remove_file(path)?;
                }
            }
        }
        Ok(())
    }

    fn forget_missing(&self) -> Result<usize, BoxedError> {
        let exists = |day: &str, digest: &[u8; 32], length: u64| {
            let path = self.path.join(day).join(FetchedArchive::file_name(digest));
            fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == length)
        };
        Ok(self.ledger.forget_missing(exists)?)
    }

    fn failed(&self, error: &io::Error) -> BoxedError {
        format!("{}: {error}", self.path.display()).into()
    }
}
