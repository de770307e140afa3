//! Disk space reserved next to a keys file: `FILE-reserve`, filled with zeros. Changing the keys
//! requires a copy of the keys file. The reserve lets an operator revoke a key even if the disk is
//! full.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::paths::beside;

/// Space that a change may need in addition to the copy, in bytes: one more page, and directory
/// entries.
const MORE: u64 = 64 << 10;

fn path_of(keys: &Path) -> PathBuf {
    beside(keys, "-reserve")
}

/// Grows the reserve of a keys file to the size that a change needs.
///
/// # Errors
/// Returns an error if the disk is full or the folder cannot be written.
pub fn keep(keys: &Path) -> io::Result<()> {
    let path = path_of(keys);
    let wanted = fs::metadata(keys)?.len().saturating_add(MORE);
    if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file() || found.len() >= wanted) {
        return Ok(());
    }
    let written = File::create(&path).and_then(|mut file| {
        // A sparse file would reserve no space.
        io::copy(&mut io::repeat(0).take(wanted), &mut file)?;
        file.sync_all()
    });
    if written.is_err() {
        free(keys);
    }
    written
}

/// Deletes the reserve of a keys file. Returns whether there was one.
pub fn free(keys: &Path) -> bool {
    fs::remove_file(path_of(keys)).is_ok()
}
