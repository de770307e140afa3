//! What can go wrong with a database file, in one sentence with its remedy.

use std::fmt;
use std::path::{Path, PathBuf};

/// Why a database could not be used. Its text names the file and the remedy; it
/// is for the operator, never for a client.
#[derive(Debug)]
pub struct Error {
    file: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Missing { remedy: &'static str },
    Foreign { expected: &'static str },
    Format { found: i64, expected: i64 },
    Damaged(String),
    Busy,
    Refused(String),
    Sqlite(rusqlite::Error),
}

/// What the operations of this room return.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(super) fn missing(file: &Path, remedy: &'static str) -> Self {
        Self::of(file, Cause::Missing { remedy })
    }

    pub(super) fn foreign(file: &Path, expected: &'static str) -> Self {
        Self::of(file, Cause::Foreign { expected })
    }

    pub(super) fn format(file: &Path, found: i64, expected: i64) -> Self {
        Self::of(file, Cause::Format { found, expected })
    }

    pub(super) fn damaged(file: &Path, what: impl Into<String>) -> Self {
        Self::of(file, Cause::Damaged(what.into()))
    }

    pub(super) fn refused(file: &Path, what: impl Into<String>) -> Self {
        Self::of(file, Cause::Refused(what.into()))
    }

    pub(super) fn busy(file: &Path) -> Self {
        Self::of(file, Cause::Busy)
    }

    /// May it pass by itself, while the file stays as it is? So a lock, or a system
    /// that is out of something.
    pub fn may_pass(&self) -> bool {
        matches!(self.cause, Cause::Busy | Cause::Sqlite(_))
    }

    pub(super) fn sqlite(file: &Path, error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseBusy, DatabaseCorrupt, DatabaseLocked, NotADatabase};
        let cause = match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Cause::Busy,
            Some(DatabaseCorrupt) => Cause::Damaged(error.to_string()),
            Some(NotADatabase) => Cause::Foreign { expected: "SQLite" },
            _ => Cause::Sqlite(error),
        };
        Self::of(file, cause)
    }

    fn of(file: &Path, cause: Cause) -> Self {
        Self {
            file: file.to_owned(),
            cause,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        match &self.cause {
            Cause::Missing { remedy } => write!(
                f,
                "{file}: there is no such file; give the path of an existing one, or make it first with {remedy}"
            ),
            Cause::Foreign { expected } => write!(
                f,
                "{file}: this is not a {expected} file; give the path of one, or of a file that does not exist yet, which `import` or `keys issue` makes"
            ),
            Cause::Format { found, expected } => write!(
                f,
                "{file}: its format is {found}, this program's is {expected}; import the documents anew into another file, or use the release of the program that made this one"
            ),
            Cause::Damaged(what) => write!(
                f,
                "{file}: the file is damaged or cut short ({what}); restore it from a copy, or import the documents anew into another file"
            ),
            Cause::Busy => write!(
                f,
                "{file}: another process has it locked; wait until that import ends, or stop it, and try again"
            ),
            Cause::Refused(what) => write!(f, "{file}: {what}"),
            Cause::Sqlite(error) => write!(
                f,
                "{file}: {error}; check that the file can be read, that its folder can be written (SQLite keeps -wal and -shm there), and that the disk is not full"
            ),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.cause {
            Cause::Sqlite(error) => Some(error),
            _ => None,
        }
    }
}
