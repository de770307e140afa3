//! Opening the files: their kind, their format, how a connection is set up.

use std::fs;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::error::{Error, Result};

/// A kind of file this program keeps.
pub(super) struct Kind {
    /// How messages call it.
    pub name: &'static str,
    /// Its `application_id`.
    pub application_id: i64,
    /// The format this program reads and writes: its `user_version`.
    pub format: i64,
    /// The statements that make an empty one.
    pub schema: &'static str,
    /// Its SQLite journal: WAL lets one write while others read; DELETE needs
    /// no file beside it.
    pub journal: &'static str,
    /// The command that makes one.
    pub made_with: &'static str,
}

/// Suppliers, contracts, purchases, RNP entries.
pub(super) const DATA: Kind = Kind {
    name: "procurement-lookup database",
    application_id: 0x7052_4c44, // "pRLD"
    format: 4,
    schema: include_str!("schema.sql"),
    journal: "WAL",
    made_with: "`procurement-lookup import --database FILE PATH…`",
};

/// API keys.
pub(super) const KEYS: Kind = Kind {
    name: "procurement-lookup keys",
    application_id: 0x7052_4c4b, // "pRLK"
    format: 1,
    schema: include_str!("keys.sql"),
    journal: "DELETE",
    made_with: "`procurement-lookup keys issue NAME --keys FILE`",
};

/// How long a writer waits for another before it gives up.
const BUSY: Duration = Duration::from_secs(5);

impl Kind {
    /// A connection that can only read, to a file that exists and is of this kind.
    pub(super) fn open_to_read(&self, path: &Path) -> Result<Connection> {
        refuse_folder(path)?;
        if !path.is_file() {
            return Err(Error::missing(path, self.made_with));
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .and_then(prepared)
            .and_then(mapped)
            .map_err(|error| Error::sqlite(path, error))?;
        self.check(path, &connection)?;
        Ok(connection)
    }

    /// A connection that writes; the file is made if there is none, or it is empty.
    pub(super) fn open_to_write(&self, path: &Path) -> Result<Connection> {
        refuse_folder(path)?;
        let made = !path.exists();
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)
            .and_then(prepared)
            .map_err(|error| Error::sqlite(path, error))?;
        if made || fs::metadata(path).is_ok_and(|metadata| metadata.len() == 0) {
            self.create(path, &connection)?;
        }
        self.check(path, &connection)?;
        Ok(connection)
    }

    fn create(&self, path: &Path, connection: &Connection) -> Result<()> {
        // One transaction: a process that is killed leaves an empty file, which
        // the next one fills, or a whole one. Two that start at once are told
        // apart by the lock: the second finds tables.
        let statements = format!(
            "PRAGMA page_size = 8192; PRAGMA journal_mode = {}; BEGIN IMMEDIATE; {} \
             PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT;",
            self.journal, self.schema, self.application_id, self.format
        );
        let outcome = connection.execute_batch(&statements);
        if outcome.is_err() && !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        match outcome {
            Err(error) if self.check(path, connection).is_err() => Err(Error::sqlite(path, error)),
            _ => Ok(()),
        }
    }

    /// Is the file of this kind and format?
    pub(super) fn check(&self, path: &Path, connection: &Connection) -> Result<()> {
        let pragma = |name: &str| {
            connection
                .pragma_query_value(None, name, |row| row.get::<_, i64>(0))
                .map_err(|error| Error::sqlite(path, error))
        };
        if pragma("application_id")? != self.application_id {
            return Err(Error::foreign(path, self.name));
        }
        let format = pragma("user_version")?;
        if format != self.format {
            return Err(Error::format(path, format, self.format));
        }
        Ok(())
    }
}

fn refuse_folder(path: &Path) -> Result<()> {
    let what = "this is a folder; give the path of a file";
    match path.is_dir() {
        true => Err(Error::refused(path, what)),
        false => Ok(()),
    }
}

/// A connection with the settings that all of them have.
fn prepared(connection: Connection) -> rusqlite::Result<Connection> {
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.execute_batch(
        "PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;",
    )?;
    Ok(connection)
}

/// A connection that reads the file as memory, as far as SQLite was built to: it takes
/// neither a system call nor a copy for each page of the file.
fn mapped(connection: Connection) -> rusqlite::Result<Connection> {
    connection.pragma_update_and_check(None, "mmap_size", i64::MAX, |_| Ok(()))?;
    Ok(connection)
}
