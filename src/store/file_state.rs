//! Which file a path leads to, and whether it has changed, told without opening it:
//! where this process has an SQLite connection to a file, opening and closing it by
//! other means would drop the connection's locks.

use std::fs::{self, Metadata};
use std::path::Path;
use std::time::SystemTime;

/// Which file it is, whatever its name: device and inode. Where there are no inodes it
/// is the time at which it was made.
pub(super) type FileIdentity = (u64, u64);

/// What a file looks like from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FileState {
    pub modified: Option<SystemTime>,
    /// In bytes.
    pub length: u64,
    pub identity: FileIdentity,
}

impl FileState {
    /// The state of the file that `path` leads to, if there is one.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok()?;
        Some(Self {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            identity: identity(&metadata),
        })
    }
}

/// Which file does `path` lead to, if to any?
pub(super) fn identity_at(path: &Path) -> Option<FileIdentity> {
    FileState::of(path).map(|state| state.identity)
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> FileIdentity {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino())
}

#[cfg(not(unix))]
fn identity(metadata: &Metadata) -> FileIdentity {
    let made = metadata.created().ok();
    let since = made.and_then(|made| made.duration_since(SystemTime::UNIX_EPOCH).ok());
    since.map_or((0, 0), |since| {
        (since.as_secs(), since.subsec_nanos().into())
    })
}
