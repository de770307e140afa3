//! Files with a secret: their mode must keep others out.

use std::fs::Metadata;

/// The bits of a mode by which a file's group and others may do anything.
pub const GROUP_OR_OTHERS: u32 = 0o077;

/// The bits by which others may do anything, or the group may write.
pub const OTHERS_OR_GROUP_WRITING: u32 = 0o027;

/// Checks that a file's mode has none of the `forbidden` bits.
///
/// # Errors
/// It has some: a sentence with the remedy.
#[cfg(unix)]
pub fn check_mode(file: &Metadata, forbidden: u32) -> Result<(), &'static str> {
    use std::os::unix::fs::PermissionsExt;
    match file.permissions().mode() & forbidden {
        0 => Ok(()),
        _ => Err("others may use this file, so that it is no secret; change that with `chmod 600`"),
    }
}

/// Elsewhere files have no mode.
#[cfg(not(unix))]
pub fn check_mode(_file: &Metadata, _forbidden: u32) -> Result<(), &'static str> {
    Ok(())
}
