//! A file that is held open to notice its replacement.

use std::path::Path;

/// A file that is held open. A replacement of the file changes its count of names or the time of
/// its last change, and the open file shows both at a third of the cost of a path lookup. Where
/// this is not possible, the file is never [`HeldFile::is_unchanged`].
pub struct HeldFile {
    #[cfg(target_os = "linux")]
    open: Option<(rustix::fd::OwnedFd, Names)>,
}

/// The number of names of a file, and the time of the last change of its inode in seconds and
/// nanoseconds. A new, moved or deleted name changes them.
#[cfg(target_os = "linux")]
type Names = (u128, i64, u64);

#[cfg(target_os = "linux")]
impl HeldFile {
    /// Opens the file that `path` leads to. The caller checks afterwards that the path still leads
    /// there.
    pub fn open(path: &Path) -> Self {
        use rustix::fs::{Mode, OFlags};

        // O_PATH needs no permission to read, and does not wait for the writer of a named pipe.
        let open = rustix::fs::open(path, OFlags::PATH | OFlags::CLOEXEC, Mode::empty());
        let open = open.ok().and_then(|file| {
            let names = names(&file)?;
            Some((file, names))
        });
        Self { open }
    }

    /// Returns whether the file certainly has the same names as when it was opened. A renamed
    /// folder or another target of a symbolic link does not show.
    pub fn is_unchanged(&self) -> bool {
        let open = self.open.as_ref();
        open.is_some_and(|(file, opened)| names(file) == Some(*opened))
    }
}

#[cfg(target_os = "linux")]
fn names(file: &rustix::fd::OwnedFd) -> Option<Names> {
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
