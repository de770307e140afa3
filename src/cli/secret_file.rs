//! Files with a secret, whose mode must keep others out.

use std::fs::Metadata;

/// The mode bits of a file's group and of others.
pub const GROUP_OR_OTHERS: u32 = 0o077;

/// The mode bits of others, and the write bit of the group.
pub const OTHERS_OR_GROUP_WRITING: u32 = 0o027;

/// Checks that a file's mode has none of the `forbidden` bits.
///
/// # Errors
/// A bit is set: a sentence with the remedy.
#[cfg(unix)]
pub fn check_mode(file: &Metadata, forbidden: u32) -> Result<(), &'static str> {
    use std::os::unix::fs::PermissionsExt;
    match file.permissions().mode() & forbidden {
        0 => Ok(()),
        _ => Err("others may use this file, so that it is no secret; change that with `chmod 600`"),
    }
}

/// Does nothing on systems whose files have no mode.
#[cfg(not(unix))]
pub fn check_mode(_file: &Metadata, _forbidden: u32) -> Result<(), &'static str> {
    Ok(())
}
