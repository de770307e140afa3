//! The data that answers come from, and its replacement as a whole while requests are
//! answered.
//!
//! A [`Generation`] is one file and the connections to it. Each request checks where the
//! path leads ([`Data::worker`]): where that is another file than before, its generation
//! becomes the current one, and the old one closes when the last request on it has ended,
//! whatever other connections wait.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};

use super::DataSource;
use crate::model::{Coverage, Date, RegionCoverage, Registries, timestamp};
use crate::store::{self, DataVersion, Database, FileState, UpdateStatus};

/// How often a file that is refused for what may pass is tried again, at most.
const RETRY: Duration = Duration::from_secs(1);

/// How long a file is opened again that is replaced while it is, at most.
const PATIENCE: Duration = Duration::from_secs(10);

/// The data as an operator sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataState {
    /// A random number that each import that changes anything gives it anew.
    pub identity: i64,
    /// How many imports have changed anything in it.
    pub revision: i64,
    /// The time of the last import that changed anything (of an empty file: when it was
    /// made), in seconds since 1970.
    pub updated: i64,
    /// What is known of the registries of unfair suppliers.
    pub registries: Registries,
    /// Which official documents were obtained: runs of days, sorted and joined.
    pub coverage: Arc<[Coverage]>,
    /// The outcome of the last `update`, if there was one.
    pub update: Option<UpdateStatus>,
    /// How often another file has taken its place since the start.
    pub switched: u64,
    /// How many files were refused that were to.
    pub refused: u64,
}

impl DataState {
    /// Which data it is, in one word: `IDENTITY-REVISION`, the identity in hexadecimal
    /// digits. It changes whenever the data does.
    pub fn version(&self) -> String {
        version_word(self.identity, self.revision)
    }

    /// When an import last changed anything: `YYYY-MM-DDTHH:MM:SSZ`.
    pub fn updated_at(&self) -> String {
        timestamp(self.updated)
    }

    /// How long ago at `now` the oldest of the declared registries was complete, in whole
    /// days of Moscow; none where none is declared.
    pub fn registry_age(&self, now: SystemTime) -> Option<Duration> {
        let complete = self.registries.oldest_declared()?;
        let days = Date::in_moscow(now).days_since_1970() - complete.days_since_1970();
        let days = u64::try_from(days).unwrap_or(0);
        Some(Duration::from_secs(days.saturating_mul(86_400)))
    }

    /// How far the documents reach that were obtained, by part of EIS and region.
    pub fn regions(&self) -> Vec<RegionCoverage<'_>> {
        RegionCoverage::all(&self.coverage)
    }

    /// How old the data is at `now`; nothing if that is before its time.
    pub fn age(&self, now: SystemTime) -> Duration {
        let updated = Duration::from_secs(u64::try_from(self.updated).unwrap_or(0));
        now.duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .saturating_sub(updated)
    }
}

/// Which data it is, in one word.
pub(super) fn version_word(identity: i64, revision: i64) -> String {
    format!("{identity:016x}-{revision}")
}

/// What [`super::Api::notice_replacement`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Nothing that was not known before.
    None,
    /// Another file has taken the place of the one before.
    Switched,
    /// Another file is there that cannot be answered from; the one before goes on.
    Refused,
    /// There is no file any more; the one before goes on.
    Missing,
}

/// The source of the data, and what of it is current.
pub(super) struct Data {
    source: DataSource,
    current: RwLock<Option<Arc<Generation>>>,
    /// Locked while files are opened, so that one thread does at a time.
    watch: Mutex<Watch>,
    switched: AtomicU64,
    refused: AtomicU64,
}

/// What was found at the path and is not answered from, so that it is logged once.
#[derive(Default)]
struct Watch {
    missing: bool,
    refused: Option<RefusedFile>,
}

struct RefusedFile {
    state: FileState,
    reason: String,
    /// When it is worth another try though it has not changed.
    retry: Option<Instant>,
}

/// One file (none where the data is in the program) and the connections to it.
pub(super) struct Generation {
    state: Option<FileState>,
    version: DataVersion,
    registries: Registries,
    coverage: Arc<[Coverage]>,
    /// One each that answers, at its place.
    workers: RwLock<Vec<Arc<Mutex<Database>>>>,
}

impl Data {
    pub fn new(source: DataSource) -> Self {
        Self {
            source,
            current: RwLock::default(),
            watch: Mutex::default(),
            switched: AtomicU64::new(0),
            refused: AtomicU64::new(0),
        }
    }

    pub fn is_bundled(&self) -> bool {
        self.source == DataSource::Bundled
    }

    /// The connection at a place, to the file that the path leads to now.
    pub fn worker(&self, place: usize) -> Option<OpenData> {
        let mut generation = self.current()?;
        if let DataSource::File(path) = &self.source
            && FileState::at(path) != generation.state
        {
            self.notice_replacement();
            generation = self.current()?;
        }
        Some(OpenData {
            database: generation.connection(place)?,
            generation,
        })
    }

    /// A connection to the file that the path leads to now.
    pub fn opened(&self) -> store::Result<Database> {
        opened(&self.source)
    }

    /// What is current, if anything was opened yet.
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

    /// Opens a connection for one more that answers; its place is where each generation
    /// has one for it.
    pub fn add_worker(&self) -> store::Result<usize> {
        let _watch = locked(&self.watch);
        let count = match self.current() {
            None => 0,
            Some(generation) => match generation.add_worker(&self.source)? {
                Some(place) => return Ok(place),
                // Another file is there by now.
                None => generation.worker_count(),
            },
        };
        self.put(Generation::open(&self.source, count + 1)?);
        Ok(count)
    }

    pub fn state(&self) -> store::Result<DataState> {
        self.notice_replacement();
        let generation = match self.current() {
            Some(generation) => generation,
            None => {
                let _watch = locked(&self.watch);
                let opened = Generation::open(&self.source, 0);
                self.current().map_or_else(|| Ok(self.put(opened?)), Ok)?
            }
        };
        Ok(DataState {
            identity: generation.version.identity,
            revision: generation.version.revision,
            updated: generation.version.updated,
            registries: generation.registries,
            coverage: Arc::clone(&generation.coverage),
            update: match &self.source {
                DataSource::File(path) => UpdateStatus::read(path),
                DataSource::Bundled => None,
            },
            switched: self.switched.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
        })
    }

    pub fn notice_replacement(&self) -> Replacement {
        let mut watch = locked(&self.watch);
        let (DataSource::File(path), Some(generation)) = (&self.source, self.current()) else {
            return Replacement::None;
        };
        let Some(state) = FileState::at(path) else {
            if std::mem::replace(&mut watch.missing, true) {
                return Replacement::None;
            }
            log::warn!(
                "{}: the file is gone; what was there before is answered from until another is there",
                path.display()
            );
            return Replacement::Missing;
        };
        watch.missing = false;
        if generation.state.as_ref() == Some(&state) {
            watch.refused = None;
            return Replacement::None;
        }
        let is_refused = watch.refused.as_ref().is_some_and(|refused| {
            refused.state == state && refused.retry.is_none_or(|retry| Instant::now() < retry)
        });
        if is_refused {
            return Replacement::None;
        }
        match Generation::open(&self.source, generation.worker_count()) {
            Ok(new) => {
                log::info!(
                    "{}: replaced; answers are from the new file, whose data is of {}",
                    path.display(),
                    timestamp(new.version.updated)
                );
                self.put(new);
                watch.refused = None;
                self.switched.fetch_add(1, Ordering::Relaxed);
                Replacement::Switched
            }
            Err(error) => self.refuse(path, &error, state, &mut watch),
        }
    }

    /// Says of a file that it cannot be answered from, once.
    fn refuse(
        &self,
        path: &Path,
        error: &store::Error,
        state: FileState,
        watch: &mut Watch,
    ) -> Replacement {
        let reason = error.to_string();
        let known = watch.refused.replace(RefusedFile {
            state: state.clone(),
            reason: reason.clone(),
            retry: error.may_pass().then(|| Instant::now() + RETRY),
        });
        if known.is_some_and(|known| known.reason == reason && known.state == state) {
            return Replacement::None;
        }
        self.refused.fetch_add(1, Ordering::Relaxed);
        log::error!(
            "the file that took the place of {} is refused, and answers are from the one before: {reason}",
            path.display()
        );
        Replacement::Refused
    }
}

impl Generation {
    /// Opens the source with a connection for each of `workers`, all of one file.
    fn open(source: &DataSource, workers: usize) -> store::Result<Self> {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let state = state_of(source);
            let first = opened(source)?;
            let (version, registries) = (first.version(), first.registries());
            let coverage = first.coverage()?;
            let mut databases = Vec::with_capacity(workers);
            if workers > 0 {
                databases.push(Arc::new(Mutex::new(first)));
            }
            while databases.len() < workers {
                databases.push(Arc::new(Mutex::new(opened(source)?)));
            }
            if state_of(source) == state {
                return Ok(Self {
                    state,
                    version,
                    registries,
                    coverage,
                    workers: RwLock::new(databases),
                });
            }
            if let DataSource::File(path) = source
                && Instant::now() > deadline
            {
                return Err(store::Error::replaced(path));
            }
        }
    }

    /// Opens one more connection; its place, if the path still leads to the same file.
    fn add_worker(&self, source: &DataSource) -> store::Result<Option<usize>> {
        let database = opened(source)?;
        if state_of(source) != self.state {
            return Ok(None);
        }
        let mut workers = self.workers.write().unwrap_or_else(PoisonError::into_inner);
        workers.push(Arc::new(Mutex::new(database)));
        Ok(Some(workers.len() - 1))
    }

    fn worker_count(&self) -> usize {
        let workers = self.workers.read().unwrap_or_else(PoisonError::into_inner);
        workers.len()
    }

    fn connection(&self, place: usize) -> Option<Arc<Mutex<Database>>> {
        let workers = self.workers.read().unwrap_or_else(PoisonError::into_inner);
        workers.get(place).cloned()
    }
}

fn opened(source: &DataSource) -> store::Result<Database> {
    match source {
        DataSource::Bundled => Database::bundled(),
        DataSource::File(path) => Database::open(path),
    }
}

/// Which file the source leads to now, if it is one.
fn state_of(source: &DataSource) -> Option<FileState> {
    match source {
        DataSource::Bundled => None,
        DataSource::File(path) => FileState::at(path),
    }
}

/// A connection that answers, and the generation that it is of, for as long as an answer
/// is made.
pub(super) struct OpenData {
    pub database: Arc<Mutex<Database>>,
    generation: Arc<Generation>,
}

impl OpenData {
    /// Which official documents were obtained.
    pub fn coverage(&self) -> Arc<[Coverage]> {
        Arc::clone(&self.generation.coverage)
    }
}

/// What a mutex holds. That a handler panicked with it is no harm: what it read from was
/// given back on its way out.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
