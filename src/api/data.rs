//! The data that answers come from, and its replacement as a whole while requests are
//! answered.
//!
//! A [`Generation`] is one file and the connections to it. A request takes the current
//! one, and holds it until its answer is made; when another file has taken the place of
//! the first, it becomes the current one between two requests, and the old one closes
//! when the last request on it has ended, whoever else is idle.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};
use std::time::{Duration, SystemTime};

use super::DataSource;
use crate::model::timestamp;
use crate::store::{self, DataVersion, Database, Look, Place, ServedFile};

/// The data as an operator sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataState {
    /// Given to the file when it was made.
    pub identity: i64,
    /// How many commits of imports have changed anything in it: an import is one, a very
    /// large one several.
    pub revision: i64,
    /// The time of the last import that changed anything (of an empty file: when it was
    /// made), in seconds since 1970.
    pub updated: i64,
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

/// What was found at the path, so that it is told once.
#[derive(Default)]
struct Watch {
    missing: bool,
    refused: Option<Refused>,
    /// What was current before, until its last request ends.
    retired: Vec<Weak<Generation>>,
}

struct Refused {
    look: Look,
    reason: String,
    may_pass: bool,
}

/// One file (none where the data is in the program) and the connections to it.
pub(super) struct Generation {
    file: Option<ServedFile>,
    /// One each that answers, at its place.
    workers: RwLock<Vec<Arc<Mutex<Database>>>>,
    /// For who asks about the data as a whole.
    observer: Mutex<Database>,
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

    /// The connection at a place, to what is current.
    pub fn worker(&self, place: usize) -> Option<Worker> {
        let generation = self.current()?;
        Some(Worker {
            database: generation.connection(place)?,
            _generation: generation,
        })
    }

    /// What is current, if anything was opened yet.
    pub fn current(&self) -> Option<Arc<Generation>> {
        let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
        current.clone()
    }

    /// Opens a connection for one more that answers; its place is where each generation
    /// has one for it.
    pub fn add_worker(&self) -> store::Result<usize> {
        let watch = locked(&self.watch);
        self.opened(&watch)?.add_worker()
    }

    pub fn state(&self) -> store::Result<DataState> {
        let generation = match self.current() {
            Some(generation) => generation,
            None => self.opened(&locked(&self.watch))?,
        };
        let version = locked(&generation.observer).snapshot()?.version()?;
        Ok(DataState {
            identity: version.identity,
            revision: version.revision,
            updated: version.updated,
            switched: self.switched.load(Ordering::Relaxed),
            refused: self.refused.load(Ordering::Relaxed),
        })
    }

    /// What is current; opened if nothing was yet, which only who watches may do.
    fn opened(&self, _watch: &MutexGuard<'_, Watch>) -> store::Result<Arc<Generation>> {
        if let Some(generation) = self.current() {
            return Ok(generation);
        }
        let (generation, _) = Generation::open(&self.source, 0, None)?;
        let generation = Arc::new(generation);
        self.put(Arc::clone(&generation));
        Ok(generation)
    }

    fn put(&self, generation: Arc<Generation>) -> Option<Arc<Generation>> {
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        current.replace(generation)
    }

    pub fn notice_replacement(&self) -> Replacement {
        let mut watch = locked(&self.watch);
        let current = self.current();
        let (DataSource::File(path), Some(generation)) = (&self.source, current) else {
            return Replacement::None;
        };
        let Some(file) = &generation.file else {
            return Replacement::None;
        };
        match file.place() {
            Place::Missing if watch.missing => Replacement::None,
            Place::Missing => {
                watch.missing = true;
                log::warn!(
                    "{}: the file is gone; what was there before is answered from until another is there",
                    path.display()
                );
                Replacement::Missing
            }
            Place::Same => {
                watch.missing = false;
                watch.refused = None;
                Replacement::None
            }
            Place::Other(look) => {
                watch.missing = false;
                self.replace(path, &generation, look, &mut watch)
            }
        }
    }

    fn replace(
        &self,
        path: &Path,
        generation: &Generation,
        look: Look,
        watch: &mut Watch,
    ) -> Replacement {
        if watch
            .refused
            .as_ref()
            .is_some_and(|refused| refused.look == look && !refused.may_pass)
        {
            return Replacement::None;
        }
        watch.retired.retain(|retired| retired.strong_count() > 0);
        let is_closing = watch
            .retired
            .iter()
            .filter_map(Weak::upgrade)
            .any(|retired| retired.file.as_ref().is_some_and(|file| look.is_of(file)));
        if is_closing {
            // It came back before its last request ended; the next look will do.
            return Replacement::None;
        }
        match Generation::open(&self.source, generation.worker_count(), Some(generation)) {
            Ok((new, version)) => {
                let retired = self.put(Arc::new(new));
                watch.retired.extend(retired.as_ref().map(Arc::downgrade));
                watch.refused = None;
                self.switched.fetch_add(1, Ordering::Relaxed);
                log::info!(
                    "{}: replaced; answers are from the new file, whose data is of {}",
                    path.display(),
                    timestamp(version.updated)
                );
                Replacement::Switched
            }
            Err(error) => self.refuse(&error, generation, look, watch),
        }
    }

    /// Tells of a file that cannot be answered from, once.
    fn refuse(
        &self,
        error: &store::Error,
        generation: &Generation,
        look: Look,
        watch: &mut Watch,
    ) -> Replacement {
        // Trying to open it may have left an empty log there, which is no change of it.
        let look = match generation.file.as_ref().map(ServedFile::place) {
            Some(Place::Other(now)) if now.is_same_file(&look) => now,
            _ => look,
        };
        let new = Refused {
            reason: error.to_string(),
            may_pass: error.may_pass(),
            look,
        };
        let is_known = watch
            .refused
            .as_ref()
            .is_some_and(|known| known.reason == new.reason && known.look.is_same_file(&new.look));
        watch.refused = Some(new);
        if is_known {
            return Replacement::None;
        }
        self.refused.fetch_add(1, Ordering::Relaxed);
        log::error!(
            "the file that took the data's place is refused, and answers are from the one before: {error}"
        );
        Replacement::Refused
    }
}

impl Generation {
    /// Opens the source with a connection for each of `workers`, in the place of `before`
    /// if that was current until now.
    fn open(
        source: &DataSource,
        workers: usize,
        before: Option<&Self>,
    ) -> store::Result<(Self, DataVersion)> {
        let before = before.and_then(|before| before.file.as_ref());
        let (file, mut observer) = match source {
            DataSource::Bundled => (None, Database::bundled()?),
            DataSource::File(path) => {
                let (file, observer) = ServedFile::open(path, before)?;
                (Some(file), observer)
            }
        };
        let version = observer.snapshot()?.version()?;
        let generation = Self {
            file,
            workers: RwLock::default(),
            observer: Mutex::new(observer),
        };
        for _ in 0..workers {
            generation.add_worker()?;
        }
        Ok((generation, version))
    }

    /// Opens one more connection; its place.
    fn add_worker(&self) -> store::Result<usize> {
        let database = match &self.file {
            None => Database::bundled()?,
            Some(file) => file.open_another()?,
        };
        let mut workers = self.workers.write().unwrap_or_else(PoisonError::into_inner);
        workers.push(Arc::new(Mutex::new(database)));
        Ok(workers.len() - 1)
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

/// A connection that answers, and the generation that it is of, for as long as an answer
/// is made.
pub(super) struct Worker {
    pub database: Arc<Mutex<Database>>,
    _generation: Arc<Generation>,
}

/// What a mutex holds. That a handler panicked with it is no harm: what it read from was
/// given back on its way out.
pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
