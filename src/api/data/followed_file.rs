//! The data in a file or in the program, and its replacement while requests are answered.
//!
//! A [`Generation`] is one file and its connections. A request received at least [`LOOKUP`] after
//! the latest lookup of the path looks it up again; any other relies on that lookup. If the path
//! leads to a new file, its generation becomes the current one. The old generation closes when its
//! last request ends.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::connections::{Connection, Connections, locked};
use super::state::{DataState, NewFile};
use crate::model::{Throttled, timestamp};
use crate::store::{self, Database, DiskState, FileState, UpdateStatus};

/// The shortest time between two attempts to open a file after a temporary failure.
const RETRY: Duration = Duration::from_secs(1);

/// The longest time for repeated attempts to open a file that is being replaced.
const PATIENCE: Duration = Duration::from_secs(10);

/// The shortest time between two lookups of the path by requests.
const LOOKUP: Duration = Duration::from_millis(1);

/// The result of [`crate::api::Api::notice_replacement`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// No news.
    None,
    /// The check of a new file has begun; the previous file stays in use.
    Checking,
    /// A new file is in use.
    Switched,
    /// A new file cannot be used; the previous one stays in use.
    Refused,
    /// The file is missing; the previous one stays in use.
    Missing,
}

/// A path and the current generation of the file behind it.
pub struct FollowedFile {
    /// `None` for the data in the program.
    path: Option<PathBuf>,
    /// Whether a new file is checked in full before it is used.
    pub checks_new: bool,
    start: Instant,
    /// The latest receipt of a request for which the path was looked up, in nanoseconds since
    /// `start`.
    looked_up: AtomicU64,
    current: RwLock<Option<Arc<Generation>>>,
    /// Locked while files are opened, so that one thread opens them at a time.
    unused: Mutex<Unused>,
    switched: AtomicU64,
    refused: AtomicU64,
}

/// The file at the path while another one is in use.
struct Unused {
    /// What operators see. `None` if the file at the path is the one in use.
    shown: Option<NewFile>,
    /// A file that is not tried again before the time, or ever.
    refused: Option<(FileState, Option<Instant>)>,
    /// A running check of the file that had this state, on a thread of its own.
    check: Option<(FileState, JoinHandle<store::Result<()>>)>,
    /// The state of the file, if known, and why it is refused. A missing file has no reason.
    logged: Throttled<(Option<FileState>, Option<String>)>,
}

/// One file and its connections; the data in the program has no file.
pub struct Generation {
    state: Option<FileState>,
    data: DataState,
    workers: Connections,
}

impl FollowedFile {
    pub fn new(path: Option<PathBuf>) -> Self {
        Self {
            path,
            checks_new: false,
            start: Instant::now(),
            looked_up: AtomicU64::new(0),
            current: RwLock::default(),
            unused: Mutex::new(Unused {
                shown: None,
                refused: None,
                check: None,
                logged: Throttled::once(),
            }),
            switched: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    }

    pub fn is_bundled(&self) -> bool {
        self.path.is_none()
    }

    /// Returns the connection of a worker to the file that the path led to up to [`LOOKUP`] before
    /// a request was `received`, or to a later one. Without a time of receipt, the path is looked
    /// up now. The caller holds the generation until the answer is made.
    pub fn worker(
        &self,
        worker: usize,
        received: Option<Instant>,
    ) -> Option<(Connection, Arc<Generation>)> {
        let received = received.map(|received| {
            let nanos = received.saturating_duration_since(self.start).as_nanos();
            u64::try_from(nanos).unwrap_or(u64::MAX)
        });
        let looked_up = Duration::from_nanos(self.looked_up.load(Ordering::Relaxed));
        let is_recent =
            |received: u64| Duration::from_nanos(received) < looked_up.saturating_add(LOOKUP);
        if !received.is_some_and(is_recent) {
            self.notice_replacement();
            let received = received.unwrap_or_default();
            self.looked_up.fetch_max(received, Ordering::Relaxed);
        }
        let generation = self.current()?;
        Some((generation.workers.get(worker)?, generation))
    }

    /// Opens a separate connection to the file that the path leads to now.
    pub fn opened(&self) -> store::Result<Database> {
        let path = self.path.as_deref();
        match self.current().and_then(|current| current.workers.get(0)) {
            Some(open) => open_again(&open, path),
            None => opened(path),
        }
    }

    /// Returns the current generation, if one is open.
    fn current(&self) -> Option<Arc<Generation>> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.clone()
    }

    fn put(&self, generation: Generation) -> Arc<Generation> {
        let generation = Arc::new(generation);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        *current = Some(Arc::clone(&generation));
        generation
    }

    /// Opens a connection for one more answerer. Returns its index in every generation.
    pub fn add_worker(&self) -> store::Result<usize> {
        let _unused = locked(&self.unused);
        let count = match self.current() {
            None => 0,
            Some(generation) => match generation.add_worker(self.path.as_deref())? {
                Some(worker) => return Ok(worker),
                // The path leads to another file by now.
                None => generation.workers.count(),
            },
        };
        self.put(Generation::open(self.path.as_deref(), count + 1)?);
        Ok(count)
    }

    pub fn state(&self) -> store::Result<DataState> {
        self.notice_replacement();
        let unused = locked(&self.unused);
        let generation = match self.current() {
            Some(generation) => generation,
            None => self.put(Generation::open(self.path.as_deref(), 0)?),
        };
        Ok(DataState {
            update: self.path.as_deref().and_then(UpdateStatus::read),
            disk: self.path.as_deref().and_then(DiskState::read),
            new_file: unused.shown,
            switched: self.switched.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
            ..generation.data.clone()
        })
    }

    pub fn notice_replacement(&self) -> Replacement {
        let mut unused = locked(&self.unused);
        let (Some(path), Some(current)) = (&self.path, self.current()) else {
            return Replacement::None;
        };
        let state = match FileState::at(path) {
            Ok(Some(state)) => state,
            Ok(None) => {
                (unused.shown, unused.refused) = (Some(NewFile::Missing), None);
                if unused.logged.occurs((None, None), Instant::now()).is_none() {
                    return Replacement::None;
                }
                log::warn!(
                    "{}: the file is gone; answers come from the previous one until another appears",
                    path.display()
                );
                return Replacement::Missing;
            }
            // Only a missing file counts as gone. Any other error leaves its state unknown.
            Err(error) => {
                let reason = format!("the path cannot be followed: {error}");
                return self.refuse(path, reason, None, &mut unused);
            }
        };
        if current.state.as_ref() == Some(&state) {
            (unused.shown, unused.refused, unused.check) = (None, None, None);
            unused.logged.ends();
            return Replacement::None;
        }
        unused.refused.take_if(|(refused, _)| *refused != state);
        let again = unused.refused.as_ref().map(|(_, again)| *again);
        if again.is_some_and(|again| again.is_none_or(|again| Instant::now() < again)) {
            return Replacement::None;
        }
        if self.checks_new
            && let Some(replacement) = self.check(path, &state, &mut unused)
        {
            return replacement;
        }
        match Generation::open(Some(path), current.workers.count()) {
            // The file differs from the one that was checked.
            Ok(new) if self.checks_new && new.state.as_ref() != Some(&state) => Replacement::None,
            Ok(new) => {
                log::info!(
                    "{}: replaced; answers come from the new file, with data of {}",
                    path.display(),
                    timestamp(new.data.updated)
                );
                self.put(new);
                (unused.shown, unused.refused) = (None, None);
                unused.logged.ends();
                self.switched.fetch_add(1, Ordering::Relaxed);
                Replacement::Switched
            }
            Err(error) => self.refuse_file(path, &error, state, &mut unused),
        }
    }

    /// Starts the check of the new file with this state, or takes its result. Returns `None` if the
    /// file passed the check.
    fn check(&self, path: &Path, state: &FileState, unused: &mut Unused) -> Option<Replacement> {
        // Only one check runs at a time, even if its file has been replaced meanwhile.
        if let Some((_, check)) = &unused.check
            && !check.is_finished()
        {
            return Some(Replacement::None);
        }
        let checked = unused.check.take().filter(|(checked, _)| checked == state);
        if let Some((_, check)) = checked {
            let result = check.join().unwrap_or_else(|_| {
                let panicked = std::io::Error::other("the check panicked");
                Err(store::Error::io(path, &panicked))
            });
            let error = result.err()?;
            return Some(self.refuse_file(path, &error, state.clone(), unused));
        }
        let file = path.to_owned();
        let thread = thread::Builder::new().name("check".to_owned());
        match thread.spawn(move || store::check(&file).map(drop)) {
            Ok(check) => {
                unused.check = Some((state.clone(), check));
                if unused.refused.is_none() {
                    unused.shown = Some(NewFile::Checking);
                }
                log::info!(
                    "{}: another file; it is checked before answers come from it",
                    path.display()
                );
                Some(Replacement::Checking)
            }
            Err(error) => {
                let error = store::Error::io(path, &error);
                Some(self.refuse_file(path, &error, state.clone(), unused))
            }
        }
    }

    /// Refuses the file with this state. If the failure may pass, the file is tried again later.
    fn refuse_file(
        &self,
        path: &Path,
        error: &store::Error,
        state: FileState,
        unused: &mut Unused,
    ) -> Replacement {
        let again = error.may_pass().then(|| Instant::now() + RETRY);
        unused.refused = Some((state.clone(), again));
        self.refuse(path, error.to_string(), Some(state), unused)
    }

    /// Logs once why the file at the path is refused.
    fn refuse(
        &self,
        path: &Path,
        reason: String,
        state: Option<FileState>,
        unused: &mut Unused,
    ) -> Replacement {
        unused.shown = Some(NewFile::Refused);
        let condition = (state, Some(reason.clone()));
        if unused.logged.occurs(condition, Instant::now()).is_none() {
            return Replacement::None;
        }
        self.refused.fetch_add(1, Ordering::Relaxed);
        log::error!(
            "the new file at {} is refused, and answers come from the previous one: {reason}",
            path.display()
        );
        Replacement::Refused
    }
}

impl Generation {
    /// Opens the file with one connection for each of `workers`, all to the same file. No path
    /// means the data in the program.
    fn open(path: Option<&Path>, workers: usize) -> store::Result<Self> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let state = state_of(path)?;
            let first = opened(path)?;
            let data = DataState {
                unread: first.unread_entries(),
                ..DataState::new(first.version(), first.registries(), first.coverage()?)
            };
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
                    data,
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

    /// Opens one more connection if the path still leads to the same file. Returns its index.
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

/// Opens another connection to the data of an open one.
fn open_again(open: &Mutex<Database>, path: Option<&Path>) -> store::Result<Database> {
    match path {
        Some(path) => locked(open).open_another(path),
        None => Database::bundled(),
    }
}

/// Returns the state of the file that the path leads to, if it exists.
fn state_of(path: Option<&Path>) -> store::Result<Option<FileState>> {
    let Some(path) = path else {
        return Ok(None);
    };
    FileState::at(path).map_err(|error| store::Error::io(path, &error))
}
