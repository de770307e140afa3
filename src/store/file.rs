//! The files of this program: kinds and formats, and opening a file for reading.
//!
//! Data and keys files are never modified in place: every change writes a new file and renames it
//! over the old one (`building.rs`). Readers can therefore open a file as `immutable`, which takes
//! half the time and needs no locks, no auxiliary files and no writable folder.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};
use std::time::SystemTime;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_encode};
use rusqlite::{Connection, OpenFlags, OptionalExtension, Params, Row};

use super::error::{Error, Result};
use super::facet_columns;
use super::record;
use super::release;

#[derive(Debug)]
pub(super) struct FileKind {
    pub name: &'static str,
    pub application_id: i32,
    /// The format that this program reads and writes, stored as `user_version`. After a release,
    /// any change of stored bytes requires a higher number (`tests/golden.rs`).
    pub format: i64,
    pub schema: fn() -> String,
    /// Option of `upgrade` that takes the path of such a file.
    pub option: &'static str,
    /// Command that creates such a file, for error messages.
    pub made_with: &'static str,
    /// Permissions of a new file, before the umask.
    pub mode: u32,
}

/// Format of files written with the feature `trial-format` (`trial_format.rs`).
#[cfg(any(test, feature = "trial-format"))]
pub(super) const TRIAL_FORMAT: i64 = 1_000_000;

/// Raises `format` to the trial format if the program is built with the feature `trial-format`.
pub(super) const fn format_or_trial(format: i64) -> i64 {
    #[cfg(feature = "trial-format")]
    return if format < TRIAL_FORMAT {
        TRIAL_FORMAT
    } else {
        format
    };
    #[cfg(not(feature = "trial-format"))]
    format
}

/// Expands to a function that returns the statements that create a kind of file: those in
/// `release.sql`, those in the given SQL file, and those of the trial format if the program is
/// built with it.
macro_rules! schema {
    ($own:literal) => {
        || {
            let statements = concat!(
                include_str!("release.sql"),
                include_str!($own),
                $crate::store::file::trial_tables!()
            );
            statements.to_owned()
        }
    };
}
pub(super) use schema;

#[cfg(feature = "trial-format")]
macro_rules! trial_tables {
    () => {
        include_str!("trial.sql")
    };
}
#[cfg(not(feature = "trial-format"))]
macro_rules! trial_tables {
    () => {
        ""
    };
}
pub(super) use trial_tables;

pub(super) const DATA: FileKind = FileKind {
    name: "procurement-lookup database",
    application_id: 0x5115_1ba3,
    format: format_or_trial(2),
    schema: || {
        let statements: fn() -> String = schema!("schema.sql");
        statements() + &facet_columns::file_schema() + include_str!("views.sql")
    },
    option: "--database",
    made_with: "`procurement-lookup import --database FILE PATH…`",
    mode: 0o666,
};

pub(super) const KEYS: FileKind = FileKind {
    name: "procurement-lookup keys",
    application_id: 0x02f1_6871,
    format: format_or_trial(1),
    schema: schema!("keys.sql"),
    option: "--keys",
    made_with: "`procurement-lookup keys issue NAME --keys FILE`",
    mode: 0o640,
};

/// The `application_id`s that data and keys files had before the first release, each with the error
/// for such a file.
const EARLIER_BUILDS: [(i64, &str); 2] = [
    (
        0x7052_4c44,
        "this is a database of an earlier build, which can no longer be read; import the documents again into another file",
    ),
    (
        0x7052_4c4b,
        "this is a keys file of an earlier build, which can no longer be read; issue the keys again into another file",
    ),
];

/// Format of all kinds of files in the first release, 0.1.0.
pub(super) const FIRST_FORMAT: i64 = 1;

const PAGE_SIZE: u32 = 8192;

impl FileKind {
    /// Opens an existing file for reading. Checks its kind and format, and that its last page is
    /// complete.
    pub(super) fn open_to_read(&self, path: &Path) -> Result<OpenFile> {
        let file = self.open_any_format(path)?;
        self.check_format(&file)?;
        Ok(file)
    }

    /// Returns the format of the file at `path`, or `None` if it already has the current format.
    ///
    /// # Errors
    /// Returns an error if there is no such file, or if it is of another kind, in a later or
    /// unknown format, or damaged.
    pub(super) fn earlier_format_of(&self, path: &Path) -> Result<Option<i64>> {
        self.earlier_format(&self.open_any_format(path)?)
    }

    /// Like [`FileKind::earlier_format_of`], for an open file of this kind.
    pub(super) fn earlier_format(&self, file: &OpenFile) -> Result<Option<i64>> {
        match format_of(file)? {
            format if format == self.format => Ok(None),
            format if (FIRST_FORMAT..self.format).contains(&format) => Ok(Some(format)),
            format => Err(self.other_format(file, format)),
        }
    }

    fn open_any_format(&self, path: &Path) -> Result<OpenFile> {
        if !is_file(path)? {
            return Err(Error::missing(path, self.made_with));
        }
        let connection = open_immutable(path).and_then(|connection| mapped(connection, path));
        let connection = connection.map_err(|error| Error::sqlite(path, error))?;
        let file = OpenFile::new(connection, path);
        self.check_kind(&file)?;
        // SQLite detects missing pages on opening, but an incomplete last page only when it reads
        // that page.
        let page: Option<u64> = file.one("PRAGMA page_size", (), |row| row.get(0))?;
        let is_whole = |length: u64| page.is_some_and(|page| length.is_multiple_of(page));
        match fs::metadata(path) {
            Ok(metadata) if !is_whole(metadata.len()) => {
                Err(file.damaged("a part of the last page is missing"))
            }
            _ => Ok(file),
        }
    }

    pub(super) fn check(&self, file: &OpenFile) -> Result<()> {
        self.check_kind(file)?;
        self.check_format(file)
    }

    fn check_format(&self, file: &OpenFile) -> Result<()> {
        match format_of(file)? {
            format if format == self.format => Ok(()),
            format => Err(self.other_format(file, format)),
        }
    }

    pub(super) fn other_format(&self, file: &OpenFile, format: i64) -> Error {
        if format > self.format {
            let wrote = release::written_by(&file.connection);
            return Error::later_format(&file.path, format, self.format, wrote);
        }
        if format < FIRST_FORMAT {
            let what = format!(
                "its format is {format}, which no release writes; restore it from a copy, or give the path of another file"
            );
            return Error::refused(&file.path, what);
        }
        Error::earlier_format(&file.path, format, self.format, self.option)
    }

    pub(super) fn check_kind(&self, file: &OpenFile) -> Result<()> {
        let id = number(file, "application_id")?;
        if id == i64::from(self.application_id) {
            return Ok(());
        }
        if let Some((_, what)) = EARLIER_BUILDS.iter().find(|(earlier, _)| *earlier == id) {
            return Err(Error::refused(&file.path, *what));
        }
        let kinds = [&DATA, &KEYS].into_iter();
        let mut of_id = kinds.filter(|kind| i64::from(kind.application_id) == id);
        let found = of_id.next().map(|kind| kind.name);
        Err(Error::foreign(&file.path, self.name, found))
    }

    pub(super) fn create(&self, file: &OpenFile) -> Result<()> {
        file.batch(&format!(
            "PRAGMA page_size = {PAGE_SIZE}; BEGIN IMMEDIATE; {} \
             PRAGMA application_id = {}; PRAGMA user_version = {}; COMMIT;",
            (self.schema)(),
            self.application_id,
            self.format
        ))
    }
}

pub(super) fn format_of(file: &OpenFile) -> Result<i64> {
    number(file, "user_version")
}

fn number(file: &OpenFile, pragma: &str) -> Result<i64> {
    let value = file
        .connection
        .pragma_query_value(None, pragma, |row| row.get(0));
    value.map_err(|error| file.failed(error))
}

/// Returns whether there is a file at `path`. Returns an error for a folder, device or pipe.
pub(super) fn is_file(path: &Path) -> Result<bool> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(Error::refused(
            path,
            "this is a folder; give the path of a file",
        )),
        // Opening a pipe would block.
        Ok(metadata) if !metadata.is_file() => Err(Error::refused(
            path,
            "this is not a regular file; give the path of one",
        )),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io(path, &error)),
    }
}

/// Upper bound on prepared statements cached per connection. An import has fewer distinct
/// statements, so each is prepared once.
const STATEMENTS: usize = 200;

pub(super) fn prepared(connection: Connection) -> rusqlite::Result<Connection> {
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;")?;
    record::register_row_sum(&connection)?;
    Ok(connection)
}

/// Characters to percent-encode in the path of a URI.
const IN_PATHS: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'/')
    .remove(b':')
    .remove(b'.')
    .remove(b'-')
    .remove(b'_');

pub(super) fn open_immutable(path: &Path) -> rusqlite::Result<Connection> {
    let name = path.as_os_str().as_encoded_bytes();
    #[cfg(windows)]
    let name = &name
        .iter()
        .map(|byte| if *byte == b'\\' { b'/' } else { *byte })
        .collect::<Vec<_>>()[..];
    // Without the empty host, SQLite would take the start of an absolute path for a host.
    let host = if path.is_absolute() { "//" } else { "" };
    let name = percent_encode(name, IN_PATHS);
    let address = format!("file:{host}{name}?immutable=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    Connection::open_with_flags(address, flags).and_then(prepared)
}

/// Maps the file into memory. Reading a page then needs neither a system call nor a copy, which
/// together took a quarter of the time of an answer. If the file is truncated while mapped, the
/// process is killed. SQLite maps at most 2 GB unless it is built with the flag in
/// `.cargo/config.toml`, which `cargo install` does not read.
fn mapped(connection: Connection, path: &Path) -> rusqlite::Result<Connection> {
    let bytes =
        connection.pragma_update_and_check(None, "mmap_size", i64::MAX, |row| row.get(0))?;
    warn_of_unmapped(path, bytes);
    Ok(connection)
}

fn warn_of_unmapped(path: &Path, mapped: u64) {
    static ONCE: Once = Once::new();
    let is_larger = fs::metadata(path).is_ok_and(|metadata| metadata.len() > mapped);
    if is_larger {
        ONCE.call_once(|| {
            log::warn!(
                "{}: SQLite is built to map {mapped} bytes of a file into memory; answers from \
                 the rest are slower. Build the program in its repository, or with \
                 LIBSQLITE3_FLAGS as in .cargo/config.toml there",
                path.display()
            );
        });
    }
}

/// Opens or creates a file for writing. The caller must make sure that no other process uses the
/// file. Closing the connection leaves no auxiliary files.
pub(super) fn open_to_write(path: &Path) -> rusqlite::Result<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
        | OpenFlags::SQLITE_OPEN_CREATE
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags).and_then(prepared)?;
    connection.execute_batch("PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL")?;
    Ok(connection)
}

#[derive(Debug)]
pub(super) struct OpenFile {
    pub connection: Connection,
    pub path: PathBuf,
}

impl OpenFile {
    pub fn new(connection: Connection, path: &Path) -> Self {
        Self {
            connection,
            path: path.to_owned(),
        }
    }

    /// Stops mapping the file into memory. Reading all of it would otherwise make the resident
    /// memory of the process as large as the file.
    pub fn unmap(&self) -> Result<()> {
        self.batch("PRAGMA mmap_size = 0")
    }

    pub fn one<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(params, read).optional())
            .map_err(|error| self.failed(error))
    }

    /// Runs a query that always returns one row, such as a count.
    pub fn value<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<T> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(params, read))
            .map_err(|error| self.failed(error))
    }

    pub fn all<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map(params, read)?.collect())
            .map_err(|error| self.failed(error))
    }

    pub fn each<T, E: From<Error>>(
        &self,
        sql: &'static str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
        mut each: impl FnMut(T) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.each_row(sql, params, |row| {
            each(read(row).map_err(|error| self.failed(error))?)
        })
    }

    /// Passes the bytes in the first column of each row to `each`.
    #[inline]
    pub fn each_blob<E: From<Error>>(
        &self,
        sql: &'static str,
        params: impl Params,
        mut each: impl FnMut(&[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.each_row(sql, params, |row| {
            let value = row.get_ref(0).map_err(|error| self.failed(error))?;
            let bytes = value.as_blob();
            each(bytes.map_err(|error| self.damaged(error.to_string()))?)
        })
    }

    pub fn each_row<E: From<Error>>(
        &self,
        sql: &str,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.each_row_while(sql, params, |row| each(row).map(|()| true))
    }

    #[inline]
    pub fn each_row_while<E: From<Error>>(
        &self,
        sql: &str,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> std::result::Result<bool, E>,
    ) -> std::result::Result<(), E> {
        let sqlite = |error| self.failed(error);
        let mut statement = self.connection.prepare_cached(sql).map_err(sqlite)?;
        let mut rows = statement.query(params).map_err(sqlite)?;
        while let Some(row) = rows.next().map_err(sqlite)? {
            if !each(row)? {
                break;
            }
        }
        Ok(())
    }

    pub fn change(&self, sql: &'static str, params: impl Params) -> Result<usize> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params))
            .map_err(|error| self.failed(error))
    }

    pub fn execute(&self, sql: &'static str, params: impl Params) -> Result<()> {
        self.change(sql, params).map(drop)
    }

    pub fn batch(&self, sql: &str) -> Result<()> {
        self.connection
            .execute_batch(sql)
            .map_err(|error| self.failed(error))
    }

    pub fn failed(&self, error: rusqlite::Error) -> Error {
        Error::sqlite(&self.path, error)
    }

    /// Creates the error for a file with content that this program never writes.
    #[cold]
    pub fn damaged(&self, what: impl Into<String>) -> Error {
        Error::damaged(&self.path, what)
    }
}

/// Checks that the file has all tables and indexes of a new file, and that the first row of each
/// table can be read.
pub(super) fn check_tables(file: &OpenFile) -> Result<()> {
    let found = statements(&file.connection).map_err(|error| file.failed(error))?;
    for statement in model_statements(file)? {
        let (name, sql) = statement;
        if !found.contains(statement) {
            let what = match found.iter().any(|(found, _)| found == name) {
                true => format!("{name} differs from that in a new file"),
                false => format!("{name} is missing"),
            };
            return Err(file.damaged(what));
        }
        if sql
            .as_ref()
            .is_some_and(|sql| sql.starts_with("CREATE TABLE"))
        {
            let first = format!("SELECT * FROM \"{name}\" LIMIT 1");
            let read = file.connection.prepare(&first);
            read.and_then(|mut statement| statement.query(())?.next().map(drop))
                .map_err(|error| file.failed(error))?;
        }
    }
    Ok(())
}

/// Checks that the tables and indexes were created by exactly the same statements as those of a new
/// file of this kind.
pub(super) fn check_statements(kind: &FileKind, file: &OpenFile) -> Result<()> {
    let model = model_of(kind).and_then(|model| statements(&model));
    check_same_statements(file, &model.map_err(|error| file.failed(error))?)
}

/// Checks a data file as [`check_statements`] does, but creates the new file only once per process.
pub(super) fn check_data_statements(file: &OpenFile) -> Result<()> {
    check_same_statements(file, model_statements(file)?)
}

fn check_same_statements(file: &OpenFile, model: &Statements) -> Result<()> {
    let found = statements(&file.connection).map_err(|error| file.failed(error))?;
    match found == *model {
        true => Ok(()),
        false => Err(file.damaged("its tables differ from those of a new file")),
    }
}

/// Tables and indexes by name, each with the statement that created it. Indexes that SQLite creates
/// for constraints have none.
type Statements = Vec<(String, Option<String>)>;

fn model_statements(file: &OpenFile) -> Result<&'static Statements> {
    static MODEL: OnceLock<Statements> = OnceLock::new();
    if let Some(known) = MODEL.get() {
        return Ok(known);
    }
    let statements = model().and_then(|model| statements(&model));
    let statements = statements.map_err(|error| file.failed(error))?;
    Ok(MODEL.get_or_init(|| statements))
}

pub(super) fn statements(connection: &Connection) -> rusqlite::Result<Statements> {
    let sql = "SELECT name, sql FROM sqlite_schema ORDER BY name";
    let mut statement = connection.prepare(sql)?;
    let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?)))?;
    rows.collect()
}

/// Creates an empty data file in memory.
pub(super) fn model() -> rusqlite::Result<Connection> {
    model_of(&DATA)
}

fn model_of(kind: &FileKind) -> rusqlite::Result<Connection> {
    let model = Connection::open_in_memory().and_then(prepared)?;
    model.execute_batch(&(kind.schema)())?;
    Ok(model)
}

/// Identifies a version of a file by its metadata. While the state of a path stays the same, the
/// path leads to the same file with the same content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    modified: Option<SystemTime>,
    pub(super) length: u64,
    identity: (u64, u64),
}

impl FileState {
    /// Returns the state of the file at `path`, following links, or `None` if no file exists.
    ///
    /// # Errors
    /// Returns every error except `NotFound`, for example if a folder on the path may not be
    /// entered.
    pub fn at(path: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Some(Self::from_metadata(&metadata))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn from_metadata(metadata: &Metadata) -> Self {
        Self {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            identity: identity(metadata),
        }
    }
}

/// Identifies a file independently of its name: by device and inode, or by its time of creation on
/// systems without inodes.
#[cfg(unix)]
pub(super) fn identity(metadata: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
pub(super) fn identity(metadata: &Metadata) -> (u64, u64) {
    let made = metadata.created().ok();
    let since = made.and_then(|made| made.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or((0, 0), |since| {
        (since.as_secs(), since.subsec_nanos().into())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_build_maps_files_of_any_size() {
        let folder = tempfile::tempdir().expect("a folder");
        let connection = Connection::open(folder.path().join("any.sqlite")).expect("SQLite");
        let mapped: i64 = connection
            .pragma_update_and_check(None, "mmap_size", i64::MAX, |row| row.get(0))
            .expect("a size");
        assert!(mapped > 1 << 40, "{mapped}");
    }
}
