//! Reads small files, or standard input, into memory.

use std::fs::{File, Metadata};
use std::io::{self, Error, ErrorKind, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

/// The permission bits of the group and of others.
pub const GROUP_OR_OTHERS: u32 = 0o077;

/// The permission bits of others, and the write bit of the group.
pub const OTHERS_OR_GROUP_WRITING: u32 = 0o027;

/// Reads a file of at most `most` bytes, or standard input for `-`.
///
/// # Errors
/// Returns an error if the file cannot be read or is larger.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    match path == Path::new("-") {
        true => bounded(io::stdin().lock(), most),
        false => bounded(File::open(path)?, most),
    }
}

/// Reads a file with a secret. None of the `forbidden` bits may be set in the file's mode.
///
/// # Errors
/// Returns an error if the file cannot be read, is larger than `most` bytes, or has a forbidden
/// mode bit.
pub fn read_secret(path: &Path, most: u64, forbidden: u32) -> io::Result<Vec<u8>> {
    let file = File::open(path)?;
    check_mode(&file.metadata()?, forbidden)?;
    bounded(file, most)
}

pub fn named(path: &Path, error: &dyn std::fmt::Display) -> String {
    format!("{}: {error}", path.display())
}

fn bounded(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input
        .take(most + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| match error.kind() {
            ErrorKind::IsADirectory => Error::other("this is a folder; give the path of a file"),
            _ => error,
        })?;
    match bytes.len() as u64 > most {
        true => Err(Error::other(format!("the file has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

fn check_mode(file: &Metadata, forbidden: u32) -> io::Result<()> {
    match file.permissions().mode() & forbidden {
        0 => Ok(()),
        _ => Err(Error::other(
            "other users can access this file, which must be secret; run `chmod 600` on it",
        )),
    }
}
