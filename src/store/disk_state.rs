//! The disk space that the next import of a data file needs, and the space available.

use std::fs;
use std::path::Path;

use super::building::available;
use super::paths::folder_of;

/// The size of a data file and the space left on its disk, in bytes. An import needs the size of
/// the file, and some more for new data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskState {
    /// The size of the file.
    pub file_bytes: u64,
    /// The number of bytes that this process may still write to the disk.
    pub available_bytes: u64,
}

impl DiskState {
    /// Reads the state of the file at `path` and its disk; none if it cannot be determined.
    pub fn read(path: &Path) -> Option<Self> {
        Some(Self {
            file_bytes: fs::metadata(path).ok()?.len(),
            available_bytes: available(folder_of(path))?,
        })
    }
}
