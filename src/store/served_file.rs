//! The file that a server answers from, and what takes its place.
//!
//! A database is replaced as a whole by a `mv` of another file onto its path, or by a
//! symbolic link that leads elsewhere: the path then leads to a file of another identity.
//! The connections to the old one stay good for as long as they are open; `wal_files.rs`
//! tells what is dangerous about it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::error::{Error, Result};
use super::file::DATA;
use super::file_state::{FileIdentity, FileState, identity_at};
use super::read::Database;
use super::tables::check_tables;
use super::wal_files::{self, WalFiles};
use super::wal_index::WalIndex;

/// A file that connections were opened to.
#[derive(Debug)]
pub struct ServedFile {
    path: PathBuf,
    identity: FileIdentity,
    beside: WalFiles,
    /// Shared by the connections to the file.
    index: Option<Arc<WalIndex>>,
    /// Which files were beside it when its path last led to it.
    wal_files: Mutex<[Option<FileIdentity>; 2]>,
    /// They were removed from beside it, as another file was in its place.
    log_given_up: AtomicBool,
}

/// Where the path of a [`ServedFile`] leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// To that file.
    Same,
    /// Nowhere.
    Missing,
    /// To another, which looks like this; or to that file again after it has given up its
    /// log to another, so that it cannot be opened beside itself.
    Other(Look),
}

/// What a file and its log look like from outside: a file that was refused is worth
/// another try when this has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    file: FileState,
    wal: Option<FileState>,
}

impl Look {
    fn at(path: &Path) -> Option<Self> {
        Some(Self {
            file: FileState::of(path)?,
            wal: FileState::of(&WalFiles::of(path).wal),
        })
    }

    /// Is it the same file, whatever has become of its log?
    pub fn is_same_file(&self, other: &Self) -> bool {
        self.file == other.file
    }

    /// Is that the file?
    pub fn is_of(&self, file: &ServedFile) -> bool {
        self.file.identity == file.identity
    }
}

impl ServedFile {
    /// Opens a connection to the file at `path`, in the place of `before` if that was
    /// served until now.
    ///
    /// The file is checked as far as that costs the same whatever its size: its kind and
    /// format, that it is as long as it says, that it has all tables, columns and indexes,
    /// and that each table can be read at its beginning. [`super::check`] reads all of it.
    ///
    /// What is left of the log of `before` at this path is removed, as it must not be
    /// applied to this file; connections to `before` keep it for as long as they are open.
    ///
    /// # Errors
    /// Missing, foreign, of another format, damaged, locked, open under another name, with
    /// another file's log beside it, or replaced in the meantime.
    pub fn open(path: &Path, before: Option<&Self>) -> Result<(Self, Database)> {
        let Some(identity) = identity_at(path) else {
            return Err(Error::missing(path, DATA.made_with));
        };
        // A pipe would keep who opens it waiting.
        if !path.is_file() {
            return Err(Error::refused(path, "this is not a regular file"));
        }
        let beside = WalFiles::of(path);
        if let Some(before) = before {
            if before.identity == identity && before.log_given_up.load(Ordering::Relaxed) {
                // Its log was given up when another file was in its place, and within one
                // process SQLite would have old and new connections share half of it.
                return Err(Error::refused(
                    path,
                    "this file was replaced and has come back; start the server anew, or put a copy in its place",
                ));
            }
            before.give_up_log(path, &beside)?;
        }
        wal_files::settle(path)?;
        let mut database = Database::connect(path)?;
        // At once, so that it is closed after the connection whatever comes.
        let index = WalIndex::open(&beside.shm).map(Arc::new);
        database.watch(index.clone());
        database.check_tables()?;
        let wal_files = beside.identities();
        if identity_at(path) != Some(identity) {
            return Err(Error::busy(path));
        }
        let file = Self {
            path: path.to_owned(),
            identity,
            beside,
            index,
            wal_files: Mutex::new(wal_files),
            log_given_up: AtomicBool::new(false),
        };
        Ok((file, database))
    }

    /// One more connection.
    ///
    /// # Errors
    /// As [`ServedFile::open`]; also if another file is at its path by now.
    pub fn open_another(&self) -> Result<Database> {
        let mut database = Database::connect(&self.path)?;
        database.watch(self.index.clone());
        match self.place() {
            Place::Same => Ok(database),
            _ => Err(Error::busy(&self.path)),
        }
    }

    /// Where its path leads now.
    pub fn place(&self) -> Place {
        // Read before it is known that they are this file's, so that those of another
        // that comes in between are not taken for them.
        let beside = self.beside.identities();
        match Look::at(&self.path) {
            None => Place::Missing,
            Some(look) if look.is_of(self) && !self.log_given_up.load(Ordering::Relaxed) => {
                *self
                    .wal_files
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner) = beside;
                Place::Same
            }
            Some(look) => Place::Other(look),
        }
    }

    /// Removes what this file's connections have beside `path`, where another file is now,
    /// once that has shown itself to be worth it.
    fn give_up_log(&self, path: &Path, beside: &WalFiles) -> Result<()> {
        let ours = *self
            .wal_files
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let there = beside.identities();
        let is_ours = |which: usize| {
            there
                .get(which)
                .is_some_and(|there| there.is_some() && ours.get(which) == Some(there))
        };
        let (wal, shm) = (is_ours(0), is_ours(1));
        if wal || !beside.wal.exists() {
            // All there is of the new file is in the file itself.
            let alone =
                wal_files::open_without_log(path).map_err(|error| Error::sqlite(path, error))?;
            DATA.check(path, &alone)?;
            check_tables(path, &alone)?;
        }
        for (is_ours, file) in [(wal, &beside.wal), (shm, &beside.shm)] {
            if is_ours {
                self.log_given_up.store(true, Ordering::Relaxed);
                fs::remove_file(file).map_err(|error| {
                    let what = format!(
                        "{} is of the file that was here before, and cannot be removed: {error}",
                        file.display()
                    );
                    Error::refused(path, what)
                })?;
            }
        }
        Ok(())
    }
}
