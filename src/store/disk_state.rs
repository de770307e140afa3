//! The disk space that the next import of a data file needs, and the space that is available.

use std::fs;
use std::path::Path;

use super::building::available;
use super::paths::folder_of;

/// Size of a data file, and space left on its disk, in bytes. An import needs as much space as the
/// file occupies, plus some for new data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskState {
    pub file_bytes: u64,
    /// Bytes that this process may still write to the disk.
    pub available_bytes: u64,
}

impl DiskState {
    /// Reads the state of the file at `path` and of its disk. Returns `None` if that fails.
    pub fn read(path: &Path) -> Option<Self> {
        Some(Self {
            file_bytes: fs::metadata(path).ok()?.len(),
            available_bytes: available(folder_of(path))?,
        })
    }
}
