//! A file that is kept open in order to notice when another file replaces it.

use std::path::Path;

/// A file that is kept open. If another file replaces it, its link count or the change time of its
/// inode changes. Reading these from the open file costs a third of a path lookup. Where this is
/// not supported, [`HeldFile::is_unchanged`] always returns `false`.
pub struct HeldFile {
    #[cfg(target_os = "linux")]
    open: Option<(rustix::fd::OwnedFd, LinkState)>,
}

/// Link count, and change time of the inode in seconds and nanoseconds. Creating, renaming or
/// deleting a link to the file changes them.
#[cfg(target_os = "linux")]
type LinkState = (u128, i64, u64);

#[cfg(target_os = "linux")]
impl HeldFile {
    /// Opens the file at `path`. The caller must check afterwards that the path still leads to the
    /// same file.
    pub fn open(path: &Path) -> Self {
        use rustix::fs::{Mode, OFlags};

        // O_PATH needs no read permission and does not block on a named pipe.
        let open = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
        let open = open.ok().and_then(|file| {
            let links = link_state(&file)?;
            Some((file, links))
        });
        Self { open }
    }

    /// Returns `true` only if the file has the same links as when it was opened. Does not notice
    /// that a folder was renamed or a symbolic link was changed.
    pub fn is_unchanged(&self) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|(file, opened)| link_state(file) == Some(*opened))
    }
}

#[cfg(target_os = "linux")]
fn link_state(file: &rustix::fd::OwnedFd) -> Option<LinkState> {
    let stat = rustix::fs::fstat(file).ok()?;
    Some((u128::from(stat.st_nlink), stat.st_ctime, stat.st_ctime_nsec))
}

#[cfg(not(target_os = "linux"))]
impl HeldFile {
    pub fn open(_: &Path) -> Self {
        Self {}
    }

    pub fn is_unchanged(&self) -> bool {
        false
    }
}
