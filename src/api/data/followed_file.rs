//! The data file (or the bundled data), and how a new file replaces it while requests are being
//! answered.
//!
//! A [`FileGeneration`] is one file and the connections to it. Before each answer,
//! [`FollowedFile::worker`] makes sure that the path led to the current file at some time after the
//! request arrived, so that a request sent after a replacement is answered from the new file. One
//! lookup of the path covers all requests that arrived before it. While the open file is unchanged,
//! a lookup also covers the next [`LOOKUP`]. When the path leads to a new file, a new generation
//! becomes current; the old one is closed when its last request ends.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use super::connections::{Connections, DataConnection, locked};
use super::state::{DataState, NewFile};
use crate::model::{Coverage, Registries, UnreadEntries, timestamp};
use crate::store::{self, DataVersion, Database, DiskState, FileState, HeldFile, UpdateStatus};

/// Minimum time between attempts to open a file after a temporary failure.
const RETRY: Duration = Duration::from_secs(1);

/// How long to keep trying to open a file that other processes are replacing.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long a lookup of the path stays valid while the open file is unchanged. Without this limit,
/// a renamed folder or a redirected symbolic link would go unnoticed, because neither changes the
/// file itself.
const LOOKUP: Duration = Duration::from_millis(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    None,
    /// A new file is being checked; the previous one stays in use.
    Checking,
    /// The new file is now in use.
    Switched,
    /// The new file is unusable; the previous one stays in use.
    Refused,
    /// There is no file; the previous one stays in use.
    Missing,
}

pub struct FollowedFile {
    /// `None` for the bundled data.
    path: Option<PathBuf>,
    /// Whether each new file is verified completely before it is used.
    pub checks_new: bool,
    start: Instant,
    current: RwLock<Option<Arc<FileGeneration>>>,
    /// The new file at the path, as long as it is not in use. The lock is also held while files are
    /// opened, so that only one thread opens files at a time.
    watch: Mutex<Inspection>,
    switched: AtomicU64,
    refused: AtomicU64,
}

/// Why the new file at the path is not in use. Remembered so that each reason is logged only once.
#[derive(Default)]
struct Inspection {
    missing: bool,
    refused: Option<RefusedFile>,
    check: Option<NewFileCheck>,
}

struct NewFileCheck {
    state: FileState,
    /// Empty until the check has finished.
    result: Arc<OnceLock<store::Result<()>>>,
}

impl NewFileCheck {
    fn begin(path: &Path, state: FileState) -> io::Result<Self> {
        let result = Arc::new(OnceLock::new());
        let (file, checked) = (path.to_owned(), Arc::clone(&result));
        let check = move || {
            let _ = checked.set(store::check(&file).map(drop));
        };
        thread::Builder::new()
            .name("check".to_owned())
            .spawn(check)?;
        log::info!("{}: new file; checking it before use", path.display());
        Ok(Self { state, result })
    }
}

struct RefusedFile {
    /// `None` if the state could not be read.
    state: Option<FileState>,
    reason: String,
    /// When to try the unchanged file again; `None` if only a changed file is worth trying.
    retry: Option<Instant>,
}

/// One file and the connections to it. The bundled data has no file.
pub struct FileGeneration {
    state: Option<FileState>,
    /// Arrival time of the latest request for which this file was found to be current, with or
    /// without a lookup of the path, in nanoseconds since [`FollowedFile::start`]. Requests that
    /// arrived no later use this file without asking again.
    seen: AtomicU64,
    /// Arrival time of the latest request for which the path was actually looked up and led to this
    /// file, in nanoseconds since [`FollowedFile::start`]. While the open file is unchanged, the
    /// lookup stays valid for [`LOOKUP`].
    looked_up: AtomicU64,
    held: Option<HeldFile>,
    version: DataVersion,
    registries: Registries,
    pub coverage: Arc<[Coverage]>,
    pub unread: UnreadEntries,
    pub contracts_without_items: u64,
    contracts_updated: Option<i64>,
    workers: Connections,
}

impl FollowedFile {
    pub fn new(path: Option<PathBuf>) -> Self {
        Self {
            path,
            checks_new: false,
            start: Instant::now(),
            current: RwLock::default(),
            watch: Mutex::default(),
            switched: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    }

    pub fn is_bundled(&self) -> bool {
        self.path.is_none()
    }

    /// Returns a worker's connection to the current file. If no earlier lookup of the path covers a
    /// request that arrived at `received` (`None` means now), looks up the path, and switches to a
    /// new file if there is a usable one. The caller must keep the generation until the answer is
    /// complete.
    pub fn worker(
        &self,
        worker: usize,
        received: Option<Instant>,
    ) -> Option<(DataConnection, Arc<FileGeneration>)> {
        let mut generation = self.current()?;
        if let Some(path) = &self.path {
            let received = received.unwrap_or_else(Instant::now);
            let nanos = received.saturating_duration_since(self.start).as_nanos();
            let received = u64::try_from(nanos).unwrap_or(u64::MAX);
            if generation.seen.load(Ordering::Relaxed) < received {
                if generation.is_current(path, received) {
                    generation.seen.fetch_max(received, Ordering::Relaxed);
                } else {
                    self.notice_replacement();
                    generation = self.current()?;
                }
            }
        }
        Some((generation.workers.get(worker)?, generation))
    }

    /// Opens a connection to the file at the path. The connection belongs to no generation.
    pub fn opened(&self) -> store::Result<Database> {
        let path = self.path.as_deref();
        match self.current().and_then(|current| current.workers.get(0)) {
            Some(open) => open_again(&open, path),
            None => opened(path),
        }
    }

    fn current(&self) -> Option<Arc<FileGeneration>> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.clone()
    }

    fn put(&self, generation: FileGeneration) -> Arc<FileGeneration> {
        let generation = Arc::new(generation);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = Some(Arc::clone(&generation));
        generation
    }

    /// Opens a connection for another answerer. Its index is the same in every generation.
    pub fn add_worker(&self) -> store::Result<usize> {
        let _watch = locked(&self.watch);
        let count = match self.current() {
            None => 0,
            Some(generation) => match generation.add_worker(self.path.as_deref())? {
                Some(worker) => return Ok(worker),
                // The path now leads to another file.
                None => generation.workers.count(),
            },
        };
        self.put(FileGeneration::open(self.path.as_deref(), count + 1)?);
        Ok(count)
    }

    pub fn state(&self) -> store::Result<DataState> {
        self.notice_replacement();
        let generation = match self.current() {
            Some(generation) => generation,
            None => {
                let _watch = locked(&self.watch);
                let opened = FileGeneration::open(self.path.as_deref(), 0);
                self.current().map_or_else(|| Ok(self.put(opened?)), Ok)?
            }
        };
        Ok(DataState {
            update: self.path.as_deref().and_then(UpdateStatus::read),
            disk: self.path.as_deref().and_then(DiskState::read),
            new_file: self.new_file(),
            switched: self.switched.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            ..generation.data()
        })
    }

    fn new_file(&self) -> Option<NewFile> {
        let watch = locked(&self.watch);
        if watch.missing {
            return Some(NewFile::Missing);
        }
        let refused = watch.refused.as_ref().map(|_| NewFile::Refused);
        refused.or(watch.check.as_ref().map(|_| NewFile::Checking))
    }

    pub fn notice_replacement(&self) -> Replacement {
        let mut watch = locked(&self.watch);
        let (Some(path), Some(generation)) = (&self.path, self.current()) else {
            return Replacement::None;
        };
        let state = match FileState::at(path) {
            Ok(state) => state,
            Err(error) => {
                watch.missing = false;
                let reason = format!("the path cannot be followed: {error}");
                return self.refuse(path, reason, true, None, &mut watch);
            }
        };
        let Some(state) = state else {
            watch.refused = None;
            if std::mem::replace(&mut watch.missing, true) {
                return Replacement::None;
            }
            log::warn!(
                "{}: file missing; the previous file stays in use until there is a new one",
                path.display()
            );
            return Replacement::Missing;
        };
        watch.missing = false;
        if generation.state.as_ref() == Some(&state) {
            (watch.refused, watch.check) = (None, None);
            return Replacement::None;
        }
        let is_refused = watch.refused.as_ref().is_some_and(|refused| {
            refused.state.as_ref() == Some(&state)
                && refused.retry.is_none_or(|retry| Instant::now() < retry)
        });
        if is_refused {
            return Replacement::None;
        }
        if self.checks_new {
            let checked = self.check(path, &state, &mut watch);
            if let Some(replacement) = checked {
                return replacement;
            }
        }
        match FileGeneration::open(self.path.as_deref(), generation.workers.count()) {
            // This is not the file that was checked. The next call will check it.
            Ok(new) if self.checks_new && new.state.as_ref() != Some(&state) => Replacement::None,
            Ok(new) => {
                log::info!(
                    "{}: replaced by a new file, with data of {}",
                    path.display(),
                    timestamp(new.version.updated)
                );
                self.put(new);
                watch.refused = None;
                self.switched.fetch_add(1, Ordering::Relaxed);
                Replacement::Switched
            }
            Err(error) => {
                let (reason, may_pass) = (error.to_string(), error.may_pass());
                self.refuse(path, reason, may_pass, Some(state), &mut watch)
            }
        }
    }

    /// Starts verifying the new file, or picks up the result. Returns `None` if the file is sound.
    fn check(&self, path: &Path, state: &FileState, watch: &mut Inspection) -> Option<Replacement> {
        let result = match &watch.check {
            Some(check) => match check.result.get() {
                // Only one check runs at a time, even if the file being checked has been replaced
                // since.
                None => return Some(Replacement::None),
                Some(_) => watch.check.take(),
            },
            None => None,
        };
        let result = result.filter(|check| check.state == *state);
        let Some(check) = result else {
            return Some(match NewFileCheck::begin(path, state.clone()) {
                Ok(check) => {
                    watch.check = Some(check);
                    Replacement::Checking
                }
                Err(error) => {
                    let reason = format!("it cannot be checked: {error}");
                    self.refuse(path, reason, true, Some(state.clone()), watch)
                }
            });
        };
        match check.result.get() {
            Some(Err(error)) => {
                let (reason, may_pass) = (error.to_string(), error.may_pass());
                Some(self.refuse(path, reason, may_pass, Some(state.clone()), watch))
            }
            _ => None,
        }
    }

    /// Records that a file was refused, and logs and counts each refusal once. If the cause may go
    /// away by itself (`may_pass`), the file is tried again later.
    fn refuse(
        &self,
        path: &Path,
        reason: String,
        may_pass: bool,
        state: Option<FileState>,
        watch: &mut Inspection,
    ) -> Replacement {
        let known = watch.refused.replace(RefusedFile {
            state: state.clone(),
            reason: reason.clone(),
            retry: may_pass.then(|| Instant::now() + RETRY),
        });
        if known.is_some_and(|known| known.reason == reason && known.state == state) {
            return Replacement::None;
        }
        self.refused.fetch_add(1, Ordering::Relaxed);
        log::error!(
            "the new file at {} is refused, and the previous one stays in use: {reason}",
            path.display()
        );
        Replacement::Refused
    }
}

impl FileGeneration {
    /// Opens the file with one connection per worker, or the bundled data if there is no path. All
    /// connections lead to the same file, even if the path is replaced while they are being opened.
    fn open(path: Option<&Path>, workers: usize) -> store::Result<Self> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let state = state_of(path)?;
            let held = path.map(HeldFile::open);
            let first = opened(path)?;
            let (version, registries) = (first.version(), first.registries());
            let (coverage, unread) = (first.coverage()?, first.unread_entries());
            let contracts_without_items = first.contracts_without_items();
            let contracts_updated = first.contracts_changed()?;
            let databases = Connections::default();
            if workers > 0 {
                databases.add(first);
            }
            while let Some(open) = databases.get(0).filter(|_| databases.count() < workers) {
                databases.add(open_again(&open, path)?);
            }
            if state_of(path)? == state {
                return Ok(Self {
                    state,
                    seen: AtomicU64::new(0),
                    looked_up: AtomicU64::new(0),
                    held,
                    version,
                    registries,
                    coverage,
                    unread,
                    contracts_without_items,
                    contracts_updated,
                    workers: databases,
                });
            }
            if let Some(path) = path
                && Instant::now() > deadline
            {
                return Err(store::Error::replaced(path));
            }
        }
    }

    pub fn data(&self) -> DataState {
        let coverage = Arc::clone(&self.coverage);
        DataState {
            unread: self.unread.clone(),
            contracts_without_items: self.contracts_without_items,
            contracts_updated: self.contracts_updated,
            ..DataState::new(self.version, self.registries, coverage)
        }
    }

    /// Returns whether the path leads to this file. A lookup of the path that was made for a
    /// request up to [`LOOKUP`] before `received` still counts if the open file is unchanged.
    /// `received` is in nanoseconds since [`FollowedFile::start`].
    fn is_current(&self, path: &Path, received: u64) -> bool {
        let looked_up = Duration::from_nanos(self.looked_up.load(Ordering::Relaxed));
        if Duration::from_nanos(received) < looked_up + LOOKUP
            && self.held.as_ref().is_some_and(HeldFile::is_unchanged)
        {
            return true;
        }
        let is_current = FileState::at(path).is_ok_and(|state| state == self.state);
        if is_current {
            self.looked_up.fetch_max(received, Ordering::Relaxed);
        }
        is_current
    }

    /// Opens another connection and returns its index, or `None` if the path now leads to another
    /// file.
    fn add_worker(&self, path: Option<&Path>) -> store::Result<Option<usize>> {
        let database = match self.workers.get(0) {
            Some(open) => open_again(&open, path)?,
            None => opened(path)?,
        };
        if state_of(path)? != self.state {
            return Ok(None);
        }
        Ok(Some(self.workers.add(database)))
    }
}

fn opened(path: Option<&Path>) -> store::Result<Database> {
    path.map_or_else(Database::bundled, Database::open)
}

fn open_again(open: &Mutex<Database>, path: Option<&Path>) -> store::Result<Database> {
    match path {
        Some(path) => locked(open).open_another(path),
        None => Database::bundled(),
    }
}

/// Returns `None` for the bundled data, which has no path.
fn state_of(path: Option<&Path>) -> store::Result<Option<FileState>> {
    let Some(path) = path else {
        return Ok(None);
    };
    FileState::at(path).map_err(|error| store::Error::io(path, &error))
}
