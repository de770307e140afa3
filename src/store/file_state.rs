//! Which file a path leads to, and whether it is still the one it was.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::time::SystemTime;

/// What a file looks like from outside. Another file is another state; so is the same
/// one after it was written to, which nothing of this program does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileState {
    modified: Option<SystemTime>,
    /// In bytes.
    pub(super) length: u64,
    identity: (u64, u64),
}

impl FileState {
    /// The state of the file that `path` leads to, if there is one that can be looked at.
    pub fn at(path: &Path) -> Option<Self> {
        fs::metadata(path).ok().map(|metadata| Self::of(&metadata))
    }

    /// The state of the file that `path` leads to, if there is one.
    ///
    /// # Errors
    /// It cannot be looked at.
    pub(super) fn try_at(path: &Path) -> io::Result<Option<Self>> {
        match fs::metadata(path) {
            Ok(metadata) => Ok(Some(Self::of(&metadata))),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn of(metadata: &Metadata) -> Self {
        Self {
            modified: metadata.modified().ok(),
            length: metadata.len(),
            identity: identity(metadata),
        }
    }
}

/// Which file it is, whatever its name: device and inode. Where there are no inodes it
/// is the time at which it was made.
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
