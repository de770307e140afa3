//! The room that the next import of a data file needs, and that there is.

use std::fs;
use std::path::Path;

use super::building::{available, folder_of};

/// The size of a data file and the room on its disk, in bytes. An import needs as much room as a
/// copy of the file takes, and some for what is new.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DiskState {
    /// The size of the file.
    pub file_bytes: u64,
    /// What the disk has left for this process.
    pub available_bytes: u64,
}

impl DiskState {
    /// That of the file at `path`; none where it cannot be learnt.
    pub fn read(path: &Path) -> Option<Self> {
        Some(Self {
            file_bytes: fs::metadata(path).ok()?.len(),
            available_bytes: available(folder_of(path))?,
        })
    }
}
