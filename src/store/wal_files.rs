//! The two files that SQLite keeps beside a database in WAL mode: `FILE-wal`, the log,
//! and `FILE-shm`, its index in memory that processes share.
//!
//! SQLite finds them by name alone: nothing in them says of which database they are. So
//! where another file was moved into the place of a database, it would take the old
//! one's log for its own and apply it, or trust the old one's index, or cut short an
//! index that is in use (<https://sqlite.org/howtocorrupt.html>, "Unlinking or renaming
//! a database file while in use"). What keeps that from happening here:
//!
//! - Every process that has a database of WAL mode open holds a shared lock on the
//!   database file itself. So whoever gets the exclusive lock knows that nobody uses
//!   this very file, and what lies beside it is left over: from this one, or from another.
//! - A log tells by what is in it: each commit writes the page with the identity of the
//!   data ([`super::Writer`]), which is to be that of the database file.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DatabaseLocked};
use rusqlite::config::DbConfig;
use rusqlite::{Connection, MAIN_DB, OpenFlags};

use super::error::{Error, Result};
use super::file_state::{FileIdentity, identity_at};

/// How long to wait for whoever has a file open, where that should be nobody: longer than
/// another process takes to find the same out.
const PATIENCE: Duration = Duration::from_secs(1);

/// The paths of the files beside a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WalFiles {
    pub wal: PathBuf,
    pub shm: PathBuf,
}

impl WalFiles {
    /// Those of the database that `path` leads to. As SQLite does it, they are beside
    /// the file itself where the path is a symbolic link.
    pub fn of(path: &Path) -> Self {
        let database = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let beside = |suffix: &str| {
            let mut name = OsString::from(&database);
            name.push(suffix);
            PathBuf::from(name)
        };
        Self {
            wal: beside("-wal"),
            shm: beside("-shm"),
        }
    }

    /// Which files they are now, as far as they are there: the log, its index.
    pub fn identities(&self) -> [Option<FileIdentity>; 2] {
        [identity_at(&self.wal), identity_at(&self.shm)]
    }

    fn has_frames(&self) -> bool {
        fs::metadata(&self.wal).is_ok_and(|metadata| metadata.len() > 0)
    }
}

/// Whose are the files beside a database, where anything is to be seen there?
///
/// Those that nobody uses and that hold nothing are removed.
///
/// # Errors
/// The log is another file's.
pub(super) fn settle_leftovers(path: &Path) -> Result<()> {
    let files = WalFiles::of(path);
    if files.identities() == [None, None] {
        return Ok(());
    }
    probe(path, &files, Duration::ZERO).map(|_| ())
}

/// As [`settle_leftovers`], and makes sure that nobody has the file open under another
/// name (that it had before it was moved, or a hard link), whose log would be elsewhere.
///
/// # Errors
/// The log is another file's, or somebody has it open so.
pub(super) fn settle(path: &Path) -> Result<()> {
    let files = WalFiles::of(path);
    let in_use_here = files.shm.exists();
    let patience = if in_use_here {
        Duration::ZERO
    } else {
        PATIENCE
    };
    let use_of_it = probe(path, &files, patience)?;
    // In the meantime it may have been opened under this name.
    if use_of_it == Use::ByOthers && !files.shm.exists() {
        return Err(Error::busy(path));
    }
    Ok(())
}

/// Who uses a database?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    ByNobody,
    ByOthers,
    /// It cannot be told, as the file may not be written, or is none of ours.
    Unknown,
}

fn probe(path: &Path, files: &WalFiles, patience: Duration) -> Result<Use> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let prepared = Connection::open_with_flags(path, flags).and_then(|connection| {
        connection.busy_timeout(patience)?;
        // Else closing it would write a log that may be another's into the file.
        connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, true)?;
        // Set before the first reading, it has SQLite lock the file alone and keep the
        // index of the log to itself, so that the one beside it is not looked at.
        connection.execute_batch("PRAGMA locking_mode = EXCLUSIVE")?;
        Ok(connection)
    });
    let Ok(connection) = prepared else {
        return Ok(Use::Unknown);
    };
    if connection.is_readonly(MAIN_DB).unwrap_or(true) {
        return Ok(Use::Unknown);
    }
    let with_log = match identity(&connection) {
        Ok(identity) => Some(identity),
        Err(error) => match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => return Ok(Use::ByOthers),
            // Another's log hides the tables, or makes nonsense of them.
            Some(DatabaseCorrupt | rusqlite::ErrorCode::Unknown) => None,
            _ => return Ok(Use::Unknown),
        },
    };
    if files.has_frames() {
        let without_log = open_without_log(path).and_then(|connection| identity(&connection));
        if without_log.is_ok_and(|identity| with_log != Some(identity)) {
            return Err(foreign_log(path, files));
        }
    }
    if with_log.is_none() {
        return Ok(Use::Unknown);
    }
    // Now, while nobody else can open it.
    if !files.has_frames() {
        let _ = fs::remove_file(&files.wal);
    }
    let _ = fs::remove_file(&files.shm);
    Ok(Use::ByNobody)
}

fn foreign_log(path: &Path, files: &WalFiles) -> Error {
    let what = format!(
        "the log beside it, {}, is of another file that was here before; a server that runs \
         sees to that within a second, so try again then; if none runs, remove the log and {}",
        files.wal.display(),
        files.shm.display()
    );
    Error::refused(path, what)
}

fn identity(connection: &Connection) -> rusqlite::Result<i64> {
    connection.query_row("SELECT identity FROM meta", (), |row| row.get(0))
}

/// What stands for itself in the path of an address.
const IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b':')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

/// A connection that reads the database file alone: no log, no index of it, no locks.
/// Only for what cannot change, or where a wrong answer does no harm.
pub(super) fn open_without_log(path: &Path) -> rusqlite::Result<Connection> {
    let name = path.as_os_str().as_encoded_bytes();
    #[cfg(windows)]
    let name = &name
        .iter()
        .map(|byte| if *byte == b'\\' { b'/' } else { *byte })
        .collect::<Vec<_>>()[..];
    let address = format!("file:{}?immutable=1", percent_encode(name, IN_PATHS));
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(address, flags)
}
