//! What can go wrong with a file, in one sentence with its remedy.

use std::fmt;
use std::io;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

/// Why a file could not be used. Its text names the file and the remedy; it is for the
/// operator, never for a client.
#[derive(Debug)]
pub struct Error {
    file: PathBuf,
    cause: Cause,
}

#[derive(Debug)]
enum Cause {
    Missing { made_with: &'static str },
    Foreign { expected: &'static str },
    OldFormat { found: i64, expected: i64 },
    TooOldFormat { found: i64, oldest: i64 },
    LaterFormat { found: i64, expected: i64 },
    Damaged(String),
    Busy,
    NoRoom { available: u64, needed: u64 },
    DiskFull,
    Denied(String),
    Refused(String),
    Other(String),
}

/// The result of the operations of this module.
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(super) fn missing(file: &Path, made_with: &'static str) -> Self {
        Self::new(file, Cause::Missing { made_with })
    }

    pub(super) fn foreign(file: &Path, expected: &'static str) -> Self {
        Self::new(file, Cause::Foreign { expected })
    }

    /// The format cannot be read. `read` are those that can: the last is this release's,
    /// the others are upgraded.
    pub(super) fn format(file: &Path, found: i64, read: &RangeInclusive<i64>) -> Self {
        let (oldest, expected) = (*read.start(), *read.end());
        let cause = match found {
            found if found > expected => Cause::LaterFormat { found, expected },
            found if found < oldest => Cause::TooOldFormat { found, oldest },
            found => Cause::OldFormat { found, expected },
        };
        Self::new(file, cause)
    }

    pub(super) fn damaged(file: &Path, what: impl Into<String>) -> Self {
        Self::new(file, Cause::Damaged(what.into()))
    }

    pub(super) fn refused(file: &Path, what: impl Into<String>) -> Self {
        Self::new(file, Cause::Refused(what.into()))
    }

    pub(super) fn busy(file: &Path) -> Self {
        Self::new(file, Cause::Busy)
    }

    /// It is replaced again and again while it is being opened.
    pub(crate) fn replaced(file: &Path) -> Self {
        let what = "it is replaced again and again; try again when that has ended";
        Self::new(file, Cause::Other(what.to_owned()))
    }

    /// The disk is too full: `available` bytes are left, and `needed` are needed.
    pub(super) fn no_room(file: &Path, available: u64, needed: u64) -> Self {
        Self::new(file, Cause::NoRoom { available, needed })
    }

    /// May it pass by itself, without a change of the file? True where the system is out of
    /// a resource.
    pub fn may_pass(&self) -> bool {
        matches!(self.cause, Cause::Denied(_) | Cause::Other(_))
    }

    /// Is it a file of an older format, which [`super::Writer`] upgrades?
    pub fn is_of_older_format(&self) -> bool {
        matches!(self.cause, Cause::OldFormat { .. })
    }

    pub(super) fn io(file: &Path, error: &io::Error) -> Self {
        use io::ErrorKind::{PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull};
        let cause = match error.kind() {
            StorageFull | QuotaExceeded => Cause::DiskFull,
            PermissionDenied | ReadOnlyFilesystem => Cause::Denied(error.to_string()),
            _ => Cause::Other(error.to_string()),
        };
        Self::new(file, cause)
    }

    pub(super) fn sqlite(file: &Path, error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
            PermissionDenied, ReadOnly,
        };
        let cause = match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Cause::Busy,
            Some(DatabaseCorrupt) => Cause::Damaged(error.to_string()),
            Some(NotADatabase) => Cause::Foreign { expected: "SQLite" },
            Some(DiskFull) => Cause::DiskFull,
            Some(CannotOpen | PermissionDenied | ReadOnly) => Cause::Denied(error.to_string()),
            _ => Cause::Other(error.to_string()),
        };
        Self::new(file, cause)
    }

    fn new(file: &Path, cause: Cause) -> Self {
        Self {
            file: file.to_owned(),
            cause,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = self.file.display();
        write!(f, "{file}: ")?;
        match &self.cause {
            Cause::Missing { made_with } => write!(
                f,
                "there is no such file; give the path of an existing one, or make it first with {made_with}"
            ),
            Cause::Foreign { expected } => write!(
                f,
                "this is not a {expected} file; give the path of one, or of a file that does not exist yet, which `import` or `keys issue` makes"
            ),
            Cause::OldFormat { found, expected } => write!(
                f,
                "its format is {found}, this release's is {expected}; bring it up to date with `procurement-lookup import --database {file}`"
            ),
            Cause::TooOldFormat { found, oldest } => write!(
                f,
                "its format is {found}, and formats before {oldest} are not taken over; import the documents anew into another file"
            ),
            Cause::LaterFormat { found, expected } => write!(
                f,
                "its format is {found}, this release's is {expected}; a later release made it, so use that one"
            ),
            Cause::Damaged(what) => write!(
                f,
                "the file is damaged or cut short ({what}); restore it from a copy, or import the documents anew into another file"
            ),
            Cause::Busy => write!(
                f,
                "another process is changing it; wait until that has ended, then run this again"
            ),
            Cause::NoRoom { available, needed } => write!(
                f,
                "the disk has {available} bytes left, and a copy of the file needs {needed}; make room, then run this again"
            ),
            Cause::DiskFull => write!(f, "the disk is full; make room, then run this again"),
            Cause::Denied(error) => write!(
                f,
                "{error}; check that this user may use the file and write in its folder"
            ),
            Cause::Refused(what) => write!(f, "{what}"),
            Cause::Other(error) => write!(
                f,
                "{error}; check the disk, and that this user may use the file and its folder"
            ),
        }
    }
}

impl std::error::Error for Error {}
