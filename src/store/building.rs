//! The first import into a file that is not there yet: it is written beside its place,
//! without a log, and moved there when it is first committed. So each page is written
//! once, not into the log and then into the file; a killed import leaves nothing in the
//! place, and what is beside it the next one removes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::error::{Error, Result};
use super::file::DATA;
use super::wal_files::WalFiles;

/// A file that is being made.
#[derive(Debug)]
pub(super) struct Building {
    file: PathBuf,
}

/// What SQLite calls a database in memory.
const IN_MEMORY: &str = ":memory:";

impl Building {
    /// Begins the file that is to be at `path`; none where something is there already,
    /// so that it is written in its place.
    pub fn begin(path: &Path) -> Result<Option<(Self, Connection)>> {
        let is_there = fs::symlink_metadata(path).is_ok();
        let is_log_there = WalFiles::of(path).identities() != [None, None];
        if is_there || is_log_there || path == Path::new(IN_MEMORY) {
            return Ok(None);
        }
        let mut name = path.as_os_str().to_owned();
        name.push("-building");
        let file = PathBuf::from(name);
        remove_leftover(path, &file)?;
        let building = Self { file };
        let connection = DATA.open_to_write(&building.file)?;
        // What is torn when the machine stops is not in its place yet.
        connection
            .execute_batch(
                "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = OFF; \
                 PRAGMA synchronous = OFF;",
            )
            .map_err(|error| Error::sqlite(path, error))?;
        Ok(Some((building, connection)))
    }

    /// Moves what was committed into its place.
    pub fn publish(self, path: &Path, connection: Connection) -> Result<()> {
        let sqlite = |error| Error::sqlite(path, error);
        connection
            .execute_batch("PRAGMA locking_mode = NORMAL; PRAGMA journal_mode = WAL;")
            .map_err(sqlite)?;
        connection.close().map_err(|(_, error)| sqlite(error))?;
        let is_there = fs::symlink_metadata(path).is_ok();
        let moved = match is_there {
            true => Err(io::Error::from(io::ErrorKind::AlreadyExists)),
            false => File::open(&self.file)
                .and_then(|file| file.sync_all())
                .and_then(|()| fs::rename(&self.file, path)),
        };
        moved.map_err(|error| {
            let file = self.file.display();
            Error::refused(path, format!("{file} cannot be moved there: {error}"))
        })
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        // Gone already where it was published.
        let _ = fs::remove_file(&self.file);
    }
}

/// Removes what a killed import left; another one under way is an error.
fn remove_leftover(path: &Path, file: &Path) -> Result<()> {
    if !file.exists() {
        return Ok(());
    }
    let lock = Connection::open(file).and_then(|connection| {
        connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
    });
    if let Err(error) = lock {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseLocked};
        if let Some(DatabaseBusy | DatabaseLocked) = error.sqlite_error_code() {
            return Err(Error::busy(path));
        }
    }
    let beside = WalFiles::of(file);
    for leftover in [file, &beside.wal, &beside.shm] {
        match fs::remove_file(leftover) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                let leftover = leftover.display();
                let what = format!(
                    "{leftover}, which an import that was killed left, cannot be removed: {error}"
                );
                return Err(Error::refused(path, what));
            }
            _ => {}
        }
    }
    Ok(())
}
