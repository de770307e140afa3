//! The replacement of a file. A process makes `FILE-building` beside FILE, changes it there, and
//! renames it over FILE when it is complete. FILE is the old or the new one at any moment, even if
//! the process is killed or the machine stops.
//!
//! A process that changes FILE holds a lock on `FILE-building` from before it first reads FILE
//! until after the rename. `FILE-building` begins as a copy of FILE, or a clone where the file
//! system supports it. It has no journal, as an unfinished one is thrown away. Only one that can be
//! resumed after a kill ([`Building::make_durable`], [`Building::unfinished`]) has a journal.
//!
//! The price is a copy for each import that changes anything: 2 to 3 s for 880 MB on ext4,
//! nothing where the file system clones.

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

/// The largest number of symbolic links to follow.
const MAX_LINKS: usize = 40;

/// The pause before the next attempt to take a lock that another process holds.
const RETRY: Duration = Duration::from_millis(20);

/// The length from which a file that has more than doubled is written anew, in bytes. A smaller one
/// loses little by pages that are not full.
const WRITTEN_ANEW_FROM: u64 = if cfg!(test) { 1 } else { 16 << 20 };

/// The number of bytes copied between two reports.
const COPIED_AT_ONCE: u64 = 64 << 20;

/// Sets a page cache of 4 MB, for a connection that copies its file: each page is read and written
/// only once. SQLite gives the copy a cache of the same size.
const CACHE_OF_COPY: &str = "PRAGMA cache_size = -4096; PRAGMA shrink_memory";

/// A replacement under way.
#[derive(Debug)]
pub(super) struct Building {
    kind: &'static FileKind,
    /// The file it replaces; not a link.
    target: PathBuf,
    path: PathBuf,
    lock: File,
    /// The state of the target when this began.
    origin: Option<FileState>,
    /// Whether the target is missing or empty.
    is_first: bool,
    /// Whether transactions have a journal, so that a later process can resume from the last one.
    has_journal: bool,
    /// Whether dropping this leaves `FILE-building` on the disk.
    is_kept: bool,
}

impl Building {
    /// Begins a replacement of the file at `path`. Waits up to `patience` for another process that
    /// is making one. Replaces the target of a symbolic link, not the link.
    ///
    /// # Errors
    /// There is something at `path` that is not a file, or not of this kind and format; another
    /// process is making a replacement; `FILE-building` cannot be made, or is not this program's.
    pub fn begin(kind: &'static FileKind, path: &Path, patience: Duration) -> Result<Self> {
        let building = Self::hold(kind, path, patience)?;
        if !building.is_first {
            kind.open_to_read(&building.target)?;
        }
        Ok(building)
    }

    /// Begins a replacement like [`Building::begin`], of a file in whatever format.
    ///
    /// # Errors
    /// As [`Building::begin`], which also reads the file.
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

    /// The file it replaces.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// `FILE-building`.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The length of the file it replaces, in bytes.
    pub fn length(&self) -> u64 {
        self.origin.as_ref().map_or(0, |origin| origin.length)
    }

    /// Returns whether the file to replace is missing or empty.
    pub fn is_first(&self) -> bool {
        self.is_first
    }

    /// Syncs all commits to the disk. From now on each transaction is atomic, and the file stays on
    /// the disk if it does not replace the target.
    ///
    /// # Errors
    /// The disk fails, or is full.
    pub fn make_durable(&mut self, file: &OpenFile) -> Result<()> {
        self.is_kept = true;
        if !self.has_journal {
            self.lock.sync_all().map_err(|error| self.failed(&error))?;
            file.batch(JOURNAL)?;
            self.has_journal = true;
        }
        Ok(())
    }

    /// Returns whether each transaction is atomic ([`Building::make_durable`]).
    pub fn has_journal(&self) -> bool {
        self.has_journal
    }

    /// Writes `FILE-building` anew with full pages, if it has grown to more than twice the file it
    /// replaces: rows that come in no order leave a sixth of their pages empty. Takes the
    /// connection, which has no open transaction, and returns that to the file to go on with. A
    /// process that is killed meanwhile leaves all commits.
    ///
    /// A disk without room leaves the file as it is, with a line in the log.
    ///
    /// # Errors
    /// The folder cannot be written.
    pub fn with_full_pages(&mut self, file: OpenFile) -> Result<OpenFile> {
        let length = self.lock.metadata().map_err(|error| self.failed(&error))?;
        let length = length.len();
        if length < WRITTEN_ANEW_FROM || length / 2 <= self.length() {
            return Ok(file);
        }
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
                log::warn!("the file keeps pages that are not full: {error}");
                self.remove_copy();
                Ok(file)
            }
        }
    }

    /// Removes what [`Building::with_full_pages`] of a killed process, or of one that failed, has
    /// left. It hinders nobody, should that fail.
    fn remove_copy(&self) {
        for end in ["-anew", "-anew-journal"] {
            let _ = remove_if_there(&beside(&self.path, end));
        }
    }

    /// Copies the rows of `file` in their order to a new file at `path`. Returns the lock on it.
    fn write_anew(&self, file: &OpenFile, path: &Path) -> Result<File> {
        let failed = |error: io::Error| Error::io(path, &error);
        self.remove_copy();
        let lock = open_or_create(self.kind, path).map_err(failed)?;
        let is_locked = lock.try_lock().map_err(io::Error::from);
        is_locked.map_err(failed)?;
        // A relative one that begins with `file:` would be read as an address.
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

    /// Opens the commits of a process that was killed; none if it made none, or in another format.
    pub fn unfinished(&self) -> Option<OpenFile> {
        if self.lock.metadata().ok()?.len() == 0 {
            return None;
        }
        let file = OpenFile::new(open_to_write(&self.path).ok()?, &self.target);
        let format = format_of(&file).ok()?;
        (format == self.kind.format).then_some(file)
    }

    /// Starts from a copy of the file it replaces, or from an empty one.
    ///
    /// # Errors
    /// The disk has no room, the folder cannot be written, or the file cannot be read.
    pub fn start(&self) -> Result<OpenFile> {
        self.start_with_room(self.length(), &mut |_| Ok(()))
    }

    /// Starts like [`Building::start`], with room for `needed` bytes. Passes the number of copied
    /// bytes to `copied`, whose error ends it.
    ///
    /// # Errors
    /// As [`Building::start`], or the error of `copied`.
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
        // Messages name the file it replaces.
        let file = OpenFile::new(connection, &self.target);
        file.batch(NO_JOURNAL)?;
        if self.is_first {
            self.kind.create(&file)?;
        }
        Ok(file)
    }

    /// Removes the remains of an earlier replacement.
    fn clear(&self) -> io::Result<()> {
        // In this order: a half-written file must never lack its journal.
        self.lock.set_len(0)?;
        self.remove_copy();
        remove_if_there(&beside(&self.path, "-journal"))
    }

    fn copy(&self, needed: u64, copied: &mut dyn FnMut(u64) -> Result<()>) -> Result<()> {
        let mut from = File::open(&self.target).map_err(|error| Error::io(&self.target, &error))?;
        if cloned(&from, &self.lock) {
            // Only what changes takes room.
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

    /// Checks that the disk has room for a copy of `needed` bytes.
    fn room_for(&self, needed: u64) -> Result<()> {
        let folder = folder_of(&self.target);
        match available(folder) {
            Some(available) if available < needed => {
                Err(Error::no_room(&self.target, available, needed))
            }
            _ => Ok(()),
        }
    }

    /// Renames it over the target. `file` is the connection that changed it.
    ///
    /// # Errors
    /// The target has changed since this began, or the folder cannot be written; the target
    /// stays as it is.
    pub fn replace(mut self, file: OpenFile) -> Result<()> {
        release::note(&file.connection).map_err(|error| file.failed(error))?;
        file.connection
            .close()
            .map_err(|(_, error)| Error::sqlite(&self.target, error))?;
        if state_of(&self.target)? != self.origin {
            let what = "it was replaced by another file meanwhile, which stays; run this again to change that one";
            self.is_kept = false;
            return Err(Error::refused(&self.target, what));
        }
        self.replace_target().map_err(|error| self.failed(&error))?;
        // Another process may be making the next replacement under this name by now.
        self.is_kept = true;
        Ok(())
    }

    fn replace_target(&self) -> io::Result<()> {
        if self.origin.is_some() {
            take_permissions(&self.target, &self.lock)?;
        }
        self.lock.sync_all()?;
        // An error in opening the folder must come before the rename, after which the change
        // counts.
        let folder = open_folder_of(&self.target)?;
        fs::rename(&self.path, &self.target)?;
        if let Some(Err(error)) = folder.map(|folder| folder.sync_all()) {
            let path = self.target.display();
            log::warn!("{path} is changed, and a power failure may undo that: {error}");
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
            // If this fails, the next replacement clears it.
            let _ = remove_if_there(&self.path);
            let _ = remove_if_there(&beside(&self.path, "-journal"));
            self.remove_copy();
        }
    }
}

/// Transactions with a journal, synced to the disk.
const JOURNAL: &str = "PRAGMA journal_mode = DELETE; PRAGMA synchronous = NORMAL";

/// Transactions without journal and sync.
const NO_JOURNAL: &str = "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF";

/// Writes a small file beside its place, and renames it: a reader sees the old or the new one.
pub(super) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let part = beside(path, ".part");
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    fs::rename(part, path)
}

/// Returns the state of the file at `path`, if there is one.
fn state_of(path: &Path) -> Result<Option<FileState>> {
    FileState::at(path).map_err(|error| Error::io(path, &error))
}

/// Follows symbolic links from a path. The last target need not exist.
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
        "symbolic links lead on and on; give the path of a file",
    ))
}

/// Opens the file at `path`, or creates it, and locks it.
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
                        "this is not what an earlier run left; it needs this name, so move the file away",
                    )),
                };
            }
            // Another process renamed or removed it meanwhile.
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
        // A link would write to another file, a pipe would block.
        Ok(metadata) if !metadata.is_file() => Err(io::Error::other("not a regular file")),
        _ => options.open(path),
    }
}

/// Returns whether `file` is the one at `path`.
fn is_at(file: &File, path: &Path) -> bool {
    let there = fs::metadata(path).map(|metadata| identity(&metadata));
    let here = file.metadata().map(|metadata| identity(&metadata));
    there.is_ok_and(|there| here.is_ok_and(|here| here == there))
}

/// Returns whether a file is empty or begins like files of this kind. A power failure or a full
/// disk may have left it half-written.
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

/// Gives a file the permissions of another, and its owner as far as this process may.
#[cfg(unix)]
fn take_permissions(of: &Path, file: &File) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let metadata = fs::metadata(of)?;
    // Only root may give a file away; a member of the group may keep it in the group.
    if fchown(file, Some(metadata.uid()), Some(metadata.gid())).is_err() {
        let _ = fchown(file, None, Some(metadata.gid()));
    }
    file.set_permissions(metadata.permissions())
}

#[cfg(not(unix))]
fn take_permissions(_: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

/// Syncs the folder of a file, so that a rename in it is on the disk.
///
/// # Errors
/// The folder cannot be opened, or the disk fails.
pub fn sync_folder_of(path: &Path) -> io::Result<()> {
    open_folder_of(path)?.map_or(Ok(()), |folder| folder.sync_all())
}

/// The folder of a file, where folders can be opened.
fn open_folder_of(path: &Path) -> io::Result<Option<File>> {
    match cfg!(unix) {
        true => File::open(folder_of(path)).map(Some),
        false => Ok(None),
    }
}

/// Makes `to` a clone of `from`, where the file system can.
#[cfg(target_os = "linux")]
fn cloned(from: &File, to: &File) -> bool {
    rustix::fs::ioctl_ficlone(to, from).is_ok()
}

#[cfg(not(target_os = "linux"))]
fn cloned(_: &File, _: &File) -> bool {
    false
}

/// The number of bytes that this process may still write to the disk of a folder, if known.
#[cfg(target_os = "linux")]
pub(super) fn available(folder: &Path) -> Option<u64> {
    let disk = rustix::fs::statvfs(folder).ok()?;
    disk.f_bavail.checked_mul(disk.f_frsize)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn available(_: &Path) -> Option<u64> {
    None
}
