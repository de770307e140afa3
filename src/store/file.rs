//! The files this program keeps: their kinds, their formats, and how one is opened to be
//! read.
//!
//! A file never changes once it has its name: what changes it makes another beside it,
//! which takes its place as a whole (`building.rs`). So readers open it as SQLite's
//! `immutable`: no locks, no files beside it, no folder that can be written.

use std::fs;
use std::path::Path;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::{Connection, OpenFlags};

use super::error::{Error, Result};
use super::open_file::OpenFile;
use super::row_sum;

/// A kind of file this program keeps.
#[derive(Debug)]
pub(super) struct Kind {
    /// How messages call it.
    pub name: &'static str,
    /// Its `application_id`.
    pub application_id: i32,
    /// The format this program reads and writes: its `user_version`. Who changes a stored
    /// byte raises it (`tests/stored` says when), and takes older files over (`format.rs`).
    pub format: i64,
    /// The oldest format that is taken over.
    pub oldest_format: i64,
    /// The statements that make an empty one.
    pub schema: &'static str,
    /// The command that makes one.
    pub made_with: &'static str,
    /// What a new one may be done with, and by whom, less what the process's mask takes.
    pub mode: u32,
}

/// Suppliers, contracts, purchases, RNP entries.
pub(super) const DATA: Kind = Kind {
    name: "procurement-lookup database",
    application_id: 0x7052_4c44, // "pRLD"
    format: 6,
    oldest_format: 4,
    schema: include_str!("schema.sql"),
    made_with: "`procurement-lookup import --database FILE PATH…`",
    mode: 0o666,
};

/// API keys: for the owner and the group alone.
pub(super) const KEYS: Kind = Kind {
    name: "procurement-lookup keys",
    application_id: 0x7052_4c4b, // "pRLK"
    format: 1,
    oldest_format: 1,
    schema: include_str!("keys.sql"),
    made_with: "`procurement-lookup keys issue NAME --keys FILE`",
    mode: 0o640,
};

/// Bytes of a page of a new file.
const PAGE_SIZE: u32 = 8192;

impl Kind {
    /// A file that exists and is of this kind and format, open to be read.
    pub(super) fn open_to_read(&self, path: &Path) -> Result<OpenFile> {
        let file = self.open_any_format(path)?;
        self.check(&file)?;
        Ok(file)
    }

    /// Is it of this kind and format?
    pub(super) fn check(&self, file: &OpenFile) -> Result<()> {
        self.check_kind(file)?;
        match format_of(file)? {
            format if format == self.format => Ok(()),
            format => Err(Error::format(&file.path, format, self)),
        }
    }

    /// A file that exists and is of this kind, open to be read.
    pub(super) fn open_any_format(&self, path: &Path) -> Result<OpenFile> {
        if !is_file(path)? {
            return Err(Error::missing(path, self.made_with));
        }
        let connection = open_immutable(path).and_then(mapped);
        let connection = connection.map_err(|error| Error::sqlite(path, error))?;
        let file = OpenFile::new(connection, path);
        self.check_kind(&file)?;
        Ok(file)
    }

    fn check_kind(&self, file: &OpenFile) -> Result<()> {
        match number(file, "application_id")? {
            id if id == i64::from(self.application_id) => Ok(()),
            _ => Err(Error::foreign(&file.path, self.name)),
        }
    }

    /// Makes the tables of an empty file. A process that is killed leaves an empty file,
    /// or a whole one.
    pub(super) fn create(&self, file: &OpenFile) -> Result<()> {
        file.batch(&format!(
            "PRAGMA page_size = {PAGE_SIZE}; BEGIN IMMEDIATE; {} \
             PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT;",
            self.schema, self.application_id, self.format
        ))
    }
}

/// The format of a file.
pub(super) fn format_of(file: &OpenFile) -> Result<i64> {
    number(file, "user_version")
}

fn number(file: &OpenFile, pragma: &str) -> Result<i64> {
    let value = file
        .connection
        .pragma_query_value(None, pragma, |row| row.get(0));
    value.map_err(|error| file.failed(error))
}

/// Is a file at `path`? A folder, a device, a pipe is an error.
pub(super) fn is_file(path: &Path) -> Result<bool> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(Error::refused(
            path,
            "this is a folder; give the path of a file",
        )),
        // A pipe would keep who opens it waiting.
        Ok(metadata) if !metadata.is_file() => Err(Error::refused(
            path,
            "this is not a regular file; give the path of one",
        )),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io(path, &error)),
    }
}

/// The settings that all connections have.
pub(super) fn prepared(connection: Connection) -> rusqlite::Result<Connection> {
    connection.set_prepared_statement_cache_capacity(64);
    connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;")?;
    Ok(connection)
}

/// What stands for itself in the path of an address.
const IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b':')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    let name = path.as_os_str().as_encoded_bytes();
    #[cfg(windows)]
    let name = &name
        .iter()
        .map(|byte| if *byte == b'\\' { b'/' } else { *byte })
        .collect::<Vec<_>>()[..];
    // With two slashes more, what a path begins with is no host's name.
    let host = if path.is_absolute() { "//" } else { "" };
    let name = percent_encode(name, IN_PATHS);
    let address = format!("file:{host}{name}?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(address, flags).and_then(prepared)
}

/// A connection that reads the file as memory, as far as SQLite was built to: it takes
/// neither a system call nor a copy for each page of the file.
fn mapped(connection: Connection) -> rusqlite::Result<Connection> {
    connection.pragma_update_and_check(None, "mmap_size", i64::MAX, |_| Ok(()))?;
    Ok(connection)
}

/// A connection that writes a file that no other process uses, which is made if there is
/// none. It leaves nothing beside the file once it is closed.
pub(super) fn open_to_write(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).and_then(prepared)?;
    connection.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL")?;
    row_sum::register(&connection)?;
    Ok(connection)
}
