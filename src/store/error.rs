//! Errors of files and servers. Each is a sentence that says what to do.

use std::fmt::{self, Display};
use std::fs::{self, File};
use std::io;
use std::path::Path;

use super::paths::folder_of;

/// An error of a file or a server. The text names the file or server and says what to do. It is
/// meant for the operator, never for a client.
#[derive(Clone, Debug)]
pub struct Error {
    /// Path of a file, or address of servers; never contains a password.
    location: String,
    reason: Reason,
}

#[derive(Clone, Debug)]
pub(super) enum Reason {
    Missing {
        made_with: &'static str,
    },
    Foreign {
        expected: &'static str,
        found: Option<&'static str>,
    },
    /// The file has the format of an earlier release. `option` is the option of `upgrade` that
    /// updates it.
    EarlierFormat {
        found: i64,
        expected: i64,
        option: &'static str,
    },
    LaterFormat {
        found: i64,
        expected: i64,
        release: Option<String>,
    },
    Damaged(String),
    Busy,
    NoRoom {
        available: u64,
        needed: u64,
    },
    DiskFull,
    Denied(String),
    Refused(String),
    /// No server can be reached, or the connection was lost. Another server may succeed.
    #[cfg_attr(not(feature = "postgresql"), allow(dead_code))]
    Unreachable(String),
    /// Another release has published its data on the servers.
    #[cfg_attr(not(feature = "postgresql"), allow(dead_code))]
    OtherRelease(String),
    /// A server rejected a statement with this SQLSTATE code.
    #[cfg_attr(not(feature = "postgresql"), allow(dead_code))]
    Sql {
        code: String,
        message: String,
    },
    Other(String),
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(super) fn missing(file: &Path, made_with: &'static str) -> Self {
        Self::new(file, Reason::Missing { made_with })
    }

    /// Creates the error for a file of another kind; `found` names the kind if it is one of this
    /// program's.
    pub(super) fn foreign(
        file: &Path,
        expected: &'static str,
        found: Option<&'static str>,
    ) -> Self {
        Self::new(file, Reason::Foreign { expected, found })
    }

    pub(super) fn earlier_format(
        file: &Path,
        found: i64,
        expected: i64,
        option: &'static str,
    ) -> Self {
        let reason = Reason::EarlierFormat {
            found,
            expected,
            option,
        };
        Self::new(file, reason)
    }

    pub(super) fn later_format(
        file: &Path,
        found: i64,
        expected: i64,
        release: Option<String>,
    ) -> Self {
        let reason = Reason::LaterFormat {
            found,
            expected,
            release,
        };
        Self::new(file, reason)
    }

    pub(super) fn damaged(file: &Path, what: impl Into<String>) -> Self {
        Self::new(file, Reason::Damaged(what.into()))
    }

    pub(super) fn refused(file: &Path, what: impl Into<String>) -> Self {
        Self::new(file, Reason::Refused(what.into()))
    }

    pub(super) fn at_address(address: &dyn Display, reason: Reason) -> Self {
        let location = address.to_string();
        Self { location, reason }
    }

    #[cfg(feature = "postgresql")]
    pub(super) fn unreachable(address: &dyn Display, why: impl Into<String>) -> Self {
        Self::at_address(address, Reason::Unreachable(why.into()))
    }

    pub(super) fn refused_by(address: &dyn Display, sentence: impl Into<String>) -> Self {
        Self::at_address(address, Reason::Refused(sentence.into()))
    }

    pub(super) fn busy(file: &Path) -> Self {
        Self::new(file, Reason::Busy)
    }

    /// Creates the error for a file that other processes keep replacing while this process tries to
    /// open it.
    pub(crate) fn replaced(file: &Path) -> Self {
        let what = "other processes keep replacing it; try again when they have finished";
        Self::new(file, Reason::Other(what.to_owned()))
    }

    pub(super) fn stopped(file: &Path) -> Self {
        let what = "stopped before the end; the file is unchanged; run the same command again";
        Self::new(file, Reason::Other(what.to_owned()))
    }

    pub(super) fn no_room(file: &Path, available: u64, needed: u64) -> Self {
        Self::new(file, Reason::NoRoom { available, needed })
    }

    /// Returns whether the error may disappear without a change of the file, for example if the
    /// system is short of a resource.
    pub fn may_pass(&self) -> bool {
        matches!(self.reason, Reason::Denied(_) | Reason::Other(_))
    }

    /// Returns whether the servers cannot answer now but may answer later: no server can be
    /// reached, or another release has published its data there.
    pub fn is_outage(&self) -> bool {
        matches!(
            self.reason,
            Reason::Unreachable(_) | Reason::OtherRelease(_)
        )
    }

    /// Returns whether no server could be reached. Later, one may be reachable again.
    pub fn is_unreachable(&self) -> bool {
        matches!(self.reason, Reason::Unreachable(_))
    }

    pub(super) fn is_disk_full(&self) -> bool {
        matches!(self.reason, Reason::NoRoom { .. } | Reason::DiskFull)
    }

    #[cfg(feature = "postgresql")]
    pub(super) fn sqlstate(&self) -> Option<&str> {
        match &self.reason {
            Reason::Sql { code, .. } => Some(code),
            _ => None,
        }
    }

    #[cfg(feature = "postgresql")]
    pub(super) fn without_address(&self) -> String {
        match &self.reason {
            Reason::Unreachable(text) | Reason::OtherRelease(text) | Reason::Refused(text) => {
                text.clone()
            }
            Reason::Sql { message, .. } => message.clone(),
            _ => self.to_string(),
        }
    }

    pub(super) fn is_damaged(&self) -> bool {
        matches!(self.reason, Reason::Damaged(_))
    }

    pub(super) fn is_foreign(&self) -> bool {
        matches!(self.reason, Reason::Foreign { .. })
    }

    pub(crate) fn io(file: &Path, error: &io::Error) -> Self {
        use io::ErrorKind::{
            NotFound, PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, StorageFull,
        };
        let reason = match error.kind() {
            StorageFull | QuotaExceeded => Reason::DiskFull,
            ReadOnlyFilesystem => Reason::Denied(error.to_string()),
            NotFound | PermissionDenied => Reason::Denied(obstacle(file, &error.to_string())),
            _ => Reason::Other(error.to_string()),
        };
        Self::new(file, reason)
    }

    pub(super) fn sqlite(file: &Path, error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{
            CannotOpen, DatabaseBusy, DatabaseCorrupt, DatabaseLocked, DiskFull, NotADatabase,
            PermissionDenied, ReadOnly,
        };
        let reason = match error.sqlite_error_code() {
            Some(DatabaseBusy | DatabaseLocked) => Reason::Busy,
            Some(DatabaseCorrupt) => Reason::Damaged(error.to_string()),
            Some(NotADatabase) => Reason::Foreign {
                expected: "SQLite",
                found: None,
            },
            Some(DiskFull) => Reason::DiskFull,
            Some(CannotOpen | PermissionDenied | ReadOnly) => {
                Reason::Denied(obstacle(file, &error.to_string()))
            }
            _ => Reason::Other(error.to_string()),
        };
        Self::new(file, reason)
    }

    fn new(file: &Path, reason: Reason) -> Self {
        Self {
            location: file.display().to_string(),
            reason,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = &self.location;
        write!(f, "{file}: ")?;
        match &self.reason {
            Reason::Missing { made_with } => write!(
                f,
                "there is no such file; give the path of an existing one, or create it first with {made_with}"
            ),
            Reason::Foreign {
                expected,
                found: Some(found),
            } => write!(
                f,
                "this is a {found} file, not a {expected} file; give the path of one"
            ),
            Reason::Foreign { expected, .. } => {
                write!(f, "this is not a {expected} file; give the path of one")
            }
            Reason::EarlierFormat {
                found,
                expected,
                option,
            } => write!(
                f,
                "its format is {found}, of an earlier release, and this release uses format {expected}; bring it up to date with `procurement-lookup upgrade {option} {}`",
                upgraded_by(option, file)
            ),
            Reason::LaterFormat {
                found,
                expected,
                release,
            } => {
                let later = match release {
                    Some(release) => format!("release {release} wrote it"),
                    None => "a later release wrote it".to_owned(),
                };
                let used = release.as_ref().map_or_else(
                    || "that release".to_owned(),
                    |release| format!("release {release}"),
                );
                write!(
                    f,
                    "{later}, in format {found}, and this is release {}, which reads format {expected}; use {used} or a later one",
                    env!("CARGO_PKG_VERSION")
                )
            }
            Reason::Damaged(what) => write!(
                f,
                "the file is damaged ({what}); restore it from a copy, or create it again: import the documents again, or issue the keys again"
            ),
            Reason::Busy => write!(
                f,
                "another process is changing it; wait until that has finished, then run this again"
            ),
            Reason::NoRoom { available, needed } => write!(
                f,
                "the disk has {available} bytes left, and a copy of the file needs {needed}; make room, then run this again"
            ),
            Reason::DiskFull => write!(f, "the disk is full; make room, then run this again"),
            Reason::Unreachable(what) => write!(f, "no server can be reached ({what})"),
            Reason::Denied(what)
            | Reason::OtherRelease(what)
            | Reason::Refused(what)
            | Reason::Other(what)
            | Reason::Sql { message: what, .. } => write!(f, "{what}"),
        }
    }
}

/// Returns the value to pass to an option of `upgrade` for a file: the folder of a ledger, or the
/// file itself.
fn upgraded_by<'a>(option: &str, file: &'a str) -> std::path::Display<'a> {
    let path = Path::new(file);
    match option {
        "--into" => folder_of(path).display(),
        _ => path.display(),
    }
}

/// Returns why the user cannot read or replace a file. Returns `error` if no reason is found.
fn obstacle(file: &Path, error: &str) -> String {
    let folder = folder_of(file);
    if fs::metadata(folder).is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return format!("there is no folder {}", folder.display());
    }
    match File::open(file) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => match barred(file) {
            Some(folder) => format!("this user may not enter the folder {}", folder.display()),
            None => "this user may not read the file".to_owned(),
        },
        Err(error) if error.kind() != io::ErrorKind::NotFound => error.to_string(),
        _ if is_closed(folder) => {
            format!("this user may not write in the folder {}", folder.display())
        }
        _ => error.to_owned(),
    }
}

/// Returns the outermost folder on the path to a file that the user may not enter.
#[cfg(target_os = "linux")]
fn barred(file: &Path) -> Option<&Path> {
    use rustix::fs::{Access, access};
    let folders = file.ancestors().skip(1);
    let named = folders.filter(|folder| !folder.as_os_str().is_empty());
    named
        .filter(|folder| access(*folder, Access::EXEC_OK).is_err())
        .last()
}

#[cfg(not(target_os = "linux"))]
fn barred(_: &Path) -> Option<&Path> {
    None
}

#[cfg(target_os = "linux")]
fn is_closed(folder: &Path) -> bool {
    use rustix::fs::{Access, access};
    access(folder, Access::WRITE_OK | Access::EXEC_OK).is_err()
}

#[cfg(not(target_os = "linux"))]
fn is_closed(folder: &Path) -> bool {
    fs::metadata(folder).is_ok_and(|folder| folder.permissions().readonly())
}

impl std::error::Error for Error {}
