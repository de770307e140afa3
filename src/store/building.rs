//! Replacing a file. A process creates `FILE-building` next to FILE, changes it there, and renames
//! it over FILE when it is complete. At any moment, FILE is either the old or the new file, even if
//! the process is killed or the machine stops.
//!
//! A process that changes FILE holds a lock on `FILE-building` from before it first reads FILE
//! until after the rename. `FILE-building` starts as a copy of FILE, or as a clone where the file
//! system supports that. It usually has no journal, because an unfinished file is discarded. It has
//! one only if the work can be resumed after a kill ([`Building::make_durable`],
//! [`Building::unfinished`]).
//!
//! The cost is one copy per import that changes anything: 2 to 3 s for 880 MB on ext4, nothing
//! where the file system clones.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use super::error::{Error, Result};
use super::file::OpenFile;
use super::file::{FileKind, format_of, is_file, open_to_write};
use super::file::{FileState, identity};
use super::paths::{beside, folder_of};
use super::release;

const MAX_LINKS: usize = 40;

/// Pause between attempts to take a lock that another process holds.
const RETRY: Duration = Duration::from_millis(20);

/// A file of at least this length, in bytes, is rewritten once it has more than doubled. In smaller
/// files, half-empty pages waste too little space to matter.
const WRITTEN_ANEW_FROM: u64 = if cfg!(test) { 1 } else { 16 << 20 };

/// Bytes copied between two progress reports.
const COPIED_AT_ONCE: u64 = 64 << 20;

/// Sets a page cache of 4 MB for copying the file with `VACUUM INTO`, which reads each page only
/// once. SQLite gives the copy a cache of the same size.
const CACHE_OF_COPY: &str = "PRAGMA cache_size = -4096; PRAGMA shrink_memory";

#[derive(Debug)]
pub(super) struct Building {
    kind: &'static FileKind,
    /// The file to replace. Never a symbolic link.
    target: PathBuf,
    path: PathBuf,
    lock: File,
    /// State of the target when the replacement began.
    origin: Option<FileState>,
    /// Whether the target was missing or empty.
    is_first: bool,
    /// Whether transactions have a journal, so that a later process can resume after the last one.
    has_journal: bool,
    /// Whether `FILE-building` stays on the disk when this is dropped.
    is_kept: bool,
}

impl Building {
    /// Starts a replacement of the file at `path`. Waits up to `patience` while another process is
    /// replacing it. If `path` is a symbolic link, replaces its target.
    ///
    /// # Errors
    /// Returns an error if `path` is not a regular file, or not of this kind and format; if another
    /// process is still replacing it; or if `FILE-building` cannot be created or was not made by
    /// this program.
    pub fn begin(kind: &'static FileKind, path: &Path, patience: Duration) -> Result<Self> {
        let building = Self::hold(kind, path, patience)?;
        if !building.is_first {
            kind.open_to_read(&building.target)?;
        }
        Ok(building)
    }

    /// Like [`Building::begin`], but does not check the kind and format of the file.
    pub fn hold(kind: &'static FileKind, path: &Path, patience: Duration) -> Result<Self> {
        let target = destination(path)?;
        is_file(&target)?;
        let path = beside(&target, "-building");
        let lock = locked(kind, &target, &path, patience)?;
        let origin = state_of(&target)?;
        Ok(Self {
            kind,
            is_first: origin.as_ref().is_none_or(|origin| origin.length == 0),
            origin,
            target,
            path,
            lock,
            has_journal: false,
            is_kept: false,
        })
    }

    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Returns the path of `FILE-building`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the length of the file to replace, in bytes.
    pub fn length(&self) -> u64 {
        self.origin.as_ref().map_or(0, |origin| origin.length)
    }

    pub fn is_first(&self) -> bool {
        self.is_first
    }

    /// Syncs all commits so far to the disk and makes later transactions atomic. From then on,
    /// `FILE-building` is kept if it does not replace the target, so that a later process can
    /// resume from the last commit.
    ///
    /// # Errors
    /// Returns an error if the disk fails or is full.
    pub fn make_durable(&mut self, file: &OpenFile) -> Result<()> {
        self.is_kept = true;
        if !self.has_journal {
            self.lock.sync_all().map_err(|error| self.failed(&error))?;
            file.batch(JOURNAL)?;
            self.has_journal = true;
        }
        Ok(())
    }

    pub fn has_journal(&self) -> bool {
        self.has_journal
    }

    /// Rewrites `FILE-building` with full pages if it is at least [`WRITTEN_ANEW_FROM`] bytes long
    /// and more than twice as long as the file it replaces. Rows inserted in random order leave a
    /// sixth of the space in pages unused. `file` must have no open transaction; the returned
    /// connection takes its place. Commits survive if the process is killed meanwhile. Calls
    /// `on_begin` before rewriting.
    ///
    /// If the rewritten file cannot be created, for example because the disk has no room, logs a
    /// warning and leaves `FILE-building` as it is.
    ///
    /// # Errors
    /// Returns an error if the rewritten file cannot be renamed or opened.
    pub fn with_full_pages(
        &mut self,
        file: OpenFile,
        on_begin: &mut dyn FnMut(),
    ) -> Result<OpenFile> {
        let length = self.lock.metadata().map_err(|error| self.failed(&error))?;
        let length = length.len();
        if length < WRITTEN_ANEW_FROM || length / 2 <= self.length() {
            return Ok(file);
        }
        on_begin();
        let anew = beside(&self.path, "-anew");
        match self
            .room_for(length)
            .and_then(|()| self.write_anew(&file, &anew))
        {
            Ok(lock) => {
                file.connection
                    .close()
                    .map_err(|(_, error)| Error::sqlite(&self.target, error))?;
                fs::rename(&anew, &self.path).map_err(|error| self.failed(&error))?;
                self.lock = lock;
                let connection = open_to_write(&self.path);
                let connection = connection.map_err(|error| Error::sqlite(&self.target, error))?;
                let file = OpenFile::new(connection, &self.target);
                file.batch(if self.has_journal {
                    JOURNAL
                } else {
                    NO_JOURNAL
                })?;
                Ok(file)
            }
            Err(error) => {
                log::warn!("cannot rewrite the file with full pages; it stays as it is: {error}");
                self.remove_copy();
                Ok(file)
            }
        }
    }

    /// Removes leftovers of [`Building::with_full_pages`]. Ignores errors, because leftovers do no
    /// harm.
    fn remove_copy(&self) {
        for end in ["-anew", "-anew-journal"] {
            let _ = remove_if_there(&beside(&self.path, end));
        }
    }

    /// Copies the rows of `file`, in order, to a new file at `path`. Returns the lock on the new
    /// file.
    fn write_anew(&self, file: &OpenFile, path: &Path) -> Result<File> {
        let failed = |error: io::Error| Error::io(path, &error);
        self.remove_copy();
        let lock = open_or_create(self.kind, path).map_err(failed)?;
        let is_locked = lock.try_lock().map_err(io::Error::from);
        is_locked.map_err(failed)?;
        // SQLite would parse a relative path that begins with `file:` as a URI.
        let absolute = std::path::absolute(path).map_err(failed)?;
        let name = absolute.to_str();
        let name = name.ok_or_else(|| Error::refused(path, "its path is not UTF-8"))?;
        file.batch(CACHE_OF_COPY)?;
        file.execute("VACUUM INTO ?1", [name])?;
        if self.has_journal {
            lock.sync_all().map_err(failed)?;
        }
        Ok(lock)
    }

    /// Opens the file left behind by a process that was killed. Returns `None` if the file has no
    /// commits or is in another format.
    pub fn unfinished(&self) -> Option<OpenFile> {
        if self.lock.metadata().ok()?.len() == 0 {
            return None;
        }
        let file = OpenFile::new(open_to_write(&self.path).ok()?, &self.target);
        let format = format_of(&file).ok()?;
        (format == self.kind.format).then_some(file)
    }

    /// Opens `FILE-building` as a copy of the file to replace, or as an empty file.
    ///
    /// # Errors
    /// Returns an error if the disk has no room, the folder cannot be written, or the file cannot
    /// be read.
    pub fn start(&self) -> Result<OpenFile> {
        self.start_with_room(self.length(), &mut |_| Ok(()))
    }

    /// Like [`Building::start`], but requires room for `needed` bytes. Reports the number of bytes
    /// copied so far to `copied`; an error from `copied` stops the copy.
    ///
    /// # Errors
    /// See [`Building::start`]. Also returns the error of `copied`.
    pub fn start_with_room(
        &self,
        needed: u64,
        copied: &mut dyn FnMut(u64) -> Result<()>,
    ) -> Result<OpenFile> {
        self.clear().map_err(|error| self.failed(&error))?;
        if !self.is_first {
            self.copy(needed, copied)?;
        }
        let connection = open_to_write(&self.path);
        let connection = connection.map_err(|error| Error::sqlite(&self.target, error))?;
        // Error messages name the target instead of `FILE-building`.
        let file = OpenFile::new(connection, &self.target);
        file.batch(NO_JOURNAL)?;
        if self.is_first {
            self.kind.create(&file)?;
        }
        Ok(file)
    }

    fn clear(&self) -> io::Result<()> {
        // This order matters: a half-written file must never lack its journal.
        self.lock.set_len(0)?;
        self.remove_copy();
        remove_if_there(&beside(&self.path, "-journal"))
    }

    fn copy(&self, needed: u64, copied: &mut dyn FnMut(u64) -> Result<()>) -> Result<()> {
        let mut from = File::open(&self.target).map_err(|error| Error::io(&self.target, &error))?;
        if cloned(&from, &self.lock) {
            // A clone needs space only for pages that change.
            return self.room_for(needed.saturating_sub(self.length()));
        }
        self.room_for(needed)?;
        let mut to = &self.lock;
        let mut done = 0;
        loop {
            match io::copy(&mut (&mut from).take(COPIED_AT_ONCE), &mut to) {
                Ok(0) => return Ok(()),
                Ok(bytes) => done += bytes,
                Err(error) => return Err(self.failed(&error)),
            }
            copied(done)?;
        }
    }

    fn room_for(&self, needed: u64) -> Result<()> {
        let folder = folder_of(&self.target);
        match available(folder) {
            Some(available) if available < needed => {
                Err(Error::no_room(&self.target, available, needed))
            }
            _ => Ok(()),
        }
    }

    /// Closes `file`, the connection to `FILE-building`, and renames `FILE-building` over the
    /// target.
    ///
    /// # Errors
    /// Returns an error if the target has changed since the start, or the folder cannot be written.
    /// The target then stays as it is.
    pub fn replace(mut self, file: OpenFile) -> Result<()> {
        release::note(&file.connection).map_err(|error| file.failed(error))?;
        file.connection
            .close()
            .map_err(|(_, error)| Error::sqlite(&self.target, error))?;
        if state_of(&self.target)? != self.origin {
            let what = "another file has replaced it meanwhile; that one stays; run this again to change it";
            self.is_kept = false;
            return Err(Error::refused(&self.target, what));
        }
        self.replace_target().map_err(|error| self.failed(&error))?;
        // Do not remove the file: another process may already be using its name for the next
        // replacement.
        self.is_kept = true;
        Ok(())
    }

    fn replace_target(&self) -> io::Result<()> {
        if self.origin.is_some() {
            take_permissions(&self.target, &self.lock)?;
        }
        self.lock.sync_all()?;
        // Open the folder first: an error must occur before the rename, which cannot be undone.
        let folder = open_folder_of(&self.target)?;
        fs::rename(&self.path, &self.target)?;
        if let Some(Err(error)) = folder.map(|folder| folder.sync_all()) {
            let path = self.target.display();
            log::warn!("{path} was replaced, but a power failure may undo that: {error}");
        }
        Ok(())
    }

    fn failed(&self, error: &io::Error) -> Error {
        Error::io(&self.path, error)
    }
}

impl Drop for Building {
    fn drop(&mut self) {
        if !self.is_kept {
            // If this fails, the next replacement removes the file.
            let _ = remove_if_there(&self.path);
            let _ = remove_if_there(&beside(&self.path, "-journal"));
            self.remove_copy();
        }
    }
}

const JOURNAL: &str = "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL";

const NO_JOURNAL: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF";

/// Writes a small file beside `path` and renames it, so that readers see either the old or the new
/// file.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = beside(path, ".part");
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(part, path)
}

fn state_of(path: &Path) -> Result<Option<FileState>> {
    FileState::at(path).map_err(|error| Error::io(path, &error))
}

/// Follows symbolic links. The last target need not exist.
fn destination(path: &Path) -> Result<PathBuf> {
    let mut at = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&at) {
            Ok(link) => at = folder_of(&at).join(link),
            Err(_) => return Ok(at),
        }
    }
    Err(Error::refused(
        path,
        "too many levels of symbolic links; give the path of a file",
    ))
}

/// Opens or creates the file at `path` and locks it. Waits up to `patience` while another process
/// holds the lock. Refuses a file that cannot be a leftover of an earlier replacement.
fn locked(kind: &FileKind, target: &Path, path: &Path, patience: Duration) -> Result<File> {
    let until = Instant::now() + patience;
    loop {
        let file = open_or_create(kind, path).map_err(|error| Error::io(path, &error))?;
        match file.try_lock() {
            Ok(()) if is_at(&file, path) => {
                return match is_of(kind, &file) {
                    true => Ok(file),
                    false => Err(Error::refused(
                        path,
                        "this file is not a leftover of an earlier run, but its name is needed; move it away",
                    )),
                };
            }
            // Another process has renamed or removed the file in the meantime.
            Ok(()) => {}
            Err(TryLockError::WouldBlock) if Instant::now() < until => thread::sleep(RETRY),
            Err(TryLockError::WouldBlock) => return Err(Error::busy(target)),
            Err(TryLockError::Error(error)) => return Err(Error::io(path, &error)),
        }
    }
}

fn open_or_create(kind: &FileKind, path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, kind.mode);
    #[cfg(not(unix))]
    let _ = kind;
    match fs::symlink_metadata(path) {
        // Opening a link could lead to writing to another file, and opening a pipe would block.
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("not a regular file")),
        _ => options.open(path),
    }
}

fn is_at(file: &File, path: &Path) -> bool {
    let there = fs::metadata(path).map(|metadata| identity(&metadata));
    let here = file.metadata().map(|metadata| identity(&metadata));
    there.is_ok_and(|there| here.is_ok_and(|here| here == there))
}

/// Returns whether a file may be a leftover of this program: it begins like a file of this kind or
/// with zeros, or is empty. A power failure or a full disk may have left it half-written.
fn is_of(kind: &FileKind, mut file: &File) -> bool {
    use io::Seek;
    let mut head = Vec::with_capacity(72);
    let read = file
        .rewind()
        .and_then(|()| file.take(72).read_to_end(&mut head))
        .and_then(|_| file.rewind());
    let id = kind.application_id.to_be_bytes();
    let magic = b"SQLite format 3\0";
    let is_ours = head.iter().zip(magic).all(|(found, byte)| found == byte)
        && head.get(68..72).is_none_or(|found| found == id);
    read.is_ok() && (is_ours || head.iter().all(|byte| *byte == 0))
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Gives `file` the permissions of the file at `of`, and also the owner if this process may change
/// it.
#[cfg(unix)]
fn take_permissions(of: &Path, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let metadata = fs::metadata(of)?;
    // Only root may change the owner. A member of the group may still set the group.
    if fchown(file, Some(metadata.uid()), Some(metadata.gid())).is_err() {
        let _ = fchown(file, None, Some(metadata.gid()));
    }
    file.set_permissions(metadata.permissions())
}

#[cfg(not(unix))]
fn take_permissions(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

/// Syncs the folder of a file, so that renames in the folder reach the disk.
///
/// # Errors
/// Returns an error if the folder cannot be opened or the disk fails.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    open_folder_of(path)?.map_or(Ok(()), |folder| folder.sync_all())
}

/// Opens the folder of a file. Returns `None` where folders cannot be opened.
fn open_folder_of(path: &Path) -> io::Result<Option<File>> {
    match cfg!(unix) {
        true => File::open(folder_of(path)).map(Some),
        false => Ok(None),
    }
}

/// Makes `to` a clone of `from`. Returns `false` if the file system does not support that.
#[cfg(target_os = "linux")]
fn cloned(from: &File, to: &File) -> bool {
    rustix::fs::ioctl_ficlone(to, from).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn cloned(_: &File, _: &File) -> bool {
    false
}

/// Returns how many bytes this process may still write to the disk of a folder; `None` if unknown.
#[cfg(target_os = "linux")]
pub(super) fn available(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn available(_: &Path) -> Option<u64> {
    None
}
