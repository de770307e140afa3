//! The valid keys of a running server.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::error::{Error, Result};
use super::file::FileState;
use super::key_rows::{KeyHash, StoredKey};
use super::keys::{KeyStore, hash, seconds, stored};
use super::remote_servers::{KeyFollower, RemoteServers};
use crate::model::Rate;

/// The least time between two checks of the file or the servers. A change takes effect after this
/// time, well within the promised second.
const CHECK_EVERY: Duration = Duration::from_millis(300);

/// The number of seconds for which operators see the last key of a name after its end.
const ENDED_SHOWN: i64 = 7 * 86_400;

/// The valid keys of a running server, which reads them again when they have changed.
#[derive(Debug)]
pub struct KeyRing {
    keys: Arc<RwLock<ReadKeys>>,
    failing: Arc<Mutex<Option<Failing>>>,
    source: Source,
}

/// A failure to read the keys.
#[derive(Debug)]
struct Failing {
    since: Instant,
    error: String,
}

/// The keys as operators see them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyState {
    /// The number of valid keys.
    pub valid: usize,
    /// The names whose last key ends, with its end in seconds since 1970, until a week after it.
    pub ending: Vec<(Arc<str>, i64)>,
    /// Whether the keys could never be read, so that the valid ones are unknown.
    pub is_unread: bool,
    /// Whether the file with keys is missing.
    pub is_missing: bool,
    /// The duration and the reason of the current failure to read the keys. The keys read before it
    /// stay valid.
    pub failing: Option<(Duration, String)>,
}

/// The way in which the keys are read again.
#[derive(Debug)]
enum Source {
    /// Never: there are no keys.
    Nothing,
    /// On a request that finds the file changed.
    File {
        path: PathBuf,
        last_check: Mutex<LastCheck>,
    },
    /// On a separate thread, as a server may be slow. The thread ends when this value is dropped.
    Server { _running: Sender<()> },
}

/// The keys as they were last read, or the error if they never could be.
type ReadKeys = std::result::Result<ValidKeys, String>;

/// Keys that are not revoked, by their hashes.
type ValidKeys = HashMap<KeyHash, ValidKey>;

/// The holder of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHolder {
    /// The name.
    pub name: Arc<str>,
    /// The key's own limit, in place of those of all keys.
    pub limit: Option<Rate>,
}

#[derive(Debug)]
struct ValidKey {
    holder: KeyHolder,
    /// Whether it was used since [`KeyRing::used`] was last called.
    is_used: AtomicBool,
    /// The end of the key, in seconds since 1970.
    ends: Option<i64>,
}

impl ValidKey {
    /// Returns whether the key is valid at an instant, in seconds since 1970. Reads the clock only
    /// for a key that ends.
    fn is_valid(&self, now: impl FnOnce() -> i64) -> bool {
        self.ends.is_none_or(|ends| now() < ends)
    }
}

/// The file at the last check.
#[derive(Debug)]
struct LastCheck {
    at: Instant,
    state: Option<FileState>,
    /// Whether reading failed; the next check then tries again.
    failed: bool,
}

impl KeyRing {
    /// Opens the keys of a file ([`KeyRing::open`]) or of servers. While no server can be reached,
    /// the keys read before stay valid, and the log reports it. If none can be reached at the
    /// start, there are no keys yet ([`KeyRing::unread`]).
    ///
    /// # Errors
    /// The keys exist and cannot be read, or no thread can be started.
    pub fn new(store: &KeyStore) -> Result<Self> {
        match store {
            KeyStore::File(path) => Self::open(path),
            KeyStore::Server(servers) => Self::follow(servers),
        }
    }

    /// Opens the keys of a file, which may not exist yet.
    ///
    /// # Errors
    /// The file exists and cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let state = FileState::at(path);
        let keys = match &state {
            Some(_) => valid(stored(path)?),
            None => HashMap::new(),
        };
        let last_check = Mutex::new(LastCheck {
            at: Instant::now(),
            state,
            failed: false,
        });
        let path = path.to_owned();
        Ok(Self::of(Ok(keys), Source::File { path, last_check }))
    }

    /// An empty set, for a server that needs no keys.
    pub fn empty() -> Self {
        Self::of(Ok(HashMap::new()), Source::Nothing)
    }

    fn of(keys: ReadKeys, source: Source) -> Self {
        let failing = keys.as_ref().err().map(|error| Failing {
            since: Instant::now(),
            error: error.clone(),
        });
        Self {
            keys: Arc::new(RwLock::new(keys)),
            failing: Arc::new(Mutex::new(failing)),
            source,
        }
    }

    fn follow(servers: &RemoteServers) -> Result<Self> {
        let mut stored = servers.0.follow_keys();
        let (keys, has_failed) = match stored.changed() {
            Ok(keys) => (Ok(valid(keys.unwrap_or_default())), false),
            Err(error) if error.is_unreachable() => {
                log::error!("requests are answered 503 until the keys can be read: {error}");
                (Err(error.to_string()), true)
            }
            Err(error) => return Err(error),
        };
        let (running, ended) = mpsc::channel();
        let ring = Self::of(keys, Source::Server { _running: running });
        let (keys, failing) = (Arc::clone(&ring.keys), Arc::clone(&ring.failing));
        let follow = move || follow(&mut *stored, &keys, &failing, has_failed, &ended);
        let thread = thread::Builder::new().name("keys".to_owned());
        let started = thread.spawn(follow);
        started
            .map_err(|error| Error::refused_by(servers, format!("no thread for keys: {error}")))?;
        Ok(ring)
    }

    /// Returns the holder of this key, if it is valid, and notes in memory that it was used.
    pub fn holder_of(&self, key: &str) -> Option<KeyHolder> {
        self.refresh();
        self.holder_at(key, || seconds(SystemTime::now()))
    }

    /// Returns the holder at an instant, in seconds since 1970, among the keys already read.
    pub(super) fn holder_at(&self, key: &str, now: impl FnOnce() -> i64) -> Option<KeyHolder> {
        let keys = self.read();
        let key = keys.as_ref().ok()?.get(&hash(key))?;
        if !key.is_valid(now) {
            return None;
        }
        // Rarely written, so that workers do not contend for the cache line.
        if !key.is_used.load(Ordering::Relaxed) {
            key.is_used.store(true, Ordering::Relaxed);
        }
        Some(key.holder.clone())
    }

    /// Returns the keys used since the last call.
    pub fn used(&self) -> Vec<KeyHash> {
        let keys = self.read();
        let keys = keys.as_ref().into_iter().flatten();
        let used = keys.filter(|(_, key)| key.is_used.swap(false, Ordering::Relaxed));
        used.map(|(hash, _)| *hash).collect()
    }

    /// Returns the number of keys that are valid now, of those that were read.
    pub fn count(&self) -> usize {
        self.read().as_ref().map_or(0, count)
    }

    /// Returns the keys as operators see them. Checks the file first if a check is due.
    pub fn state(&self) -> KeyState {
        self.refresh();
        let is_missing = match &self.source {
            Source::File { last_check, .. } => {
                let last = last_check.lock().unwrap_or_else(PoisonError::into_inner);
                last.state.is_none()
            }
            _ => false,
        };
        let failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        let failing = failing.as_ref();
        KeyState {
            valid: self.count(),
            ending: self.read().as_ref().map(ending).unwrap_or_default(),
            is_unread: self.unread().is_some(),
            is_missing,
            failing: failing.map(|failing| (failing.since.elapsed(), failing.error.clone())),
        }
    }

    /// Returns the error if the keys could never be read, so that the valid ones are unknown.
    pub fn unread(&self) -> Option<String> {
        self.read().as_ref().err().cloned()
    }

    fn read(&self) -> RwLockReadGuard<'_, ReadKeys> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the file again if a check is due and it has changed. While one thread does so,
    /// the others use the previous keys.
    fn refresh(&self) {
        let Source::File { path, last_check } = &self.source else {
            return;
        };
        let Ok(mut last) = last_check.try_lock() else {
            return;
        };
        if last.at.elapsed() < CHECK_EVERY {
            return;
        }
        last.at = Instant::now();
        let state = FileState::at(path);
        if state == last.state && !last.failed {
            return;
        }
        let read = match &state {
            Some(_) => stored(path),
            None => Ok(Vec::new()),
        };
        let is_same = std::mem::replace(&mut last.state, state.clone()) == state;
        let has_failed = std::mem::replace(&mut last.failed, read.is_err());
        note_failure(&self.failing, read.as_ref().err());
        match read {
            Ok(read) => replace(&self.keys, read),
            // Each state of the file is reported once.
            Err(_) if is_same && has_failed => {}
            Err(error) => log_stale(&error),
        }
    }
}

/// Reads the keys of servers again and again until the ring ends. Logs a failure once until
/// reading works again.
fn follow(
    stored: &mut dyn KeyFollower,
    keys: &RwLock<ReadKeys>,
    failing: &Mutex<Option<Failing>>,
    mut has_failed: bool,
    ended: &Receiver<()>,
) {
    while ended.recv_timeout(CHECK_EVERY) == Err(RecvTimeoutError::Timeout) {
        let read = stored.changed();
        note_failure(failing, read.as_ref().err());
        match (&read, has_failed) {
            (Err(error), false) => log_stale(error),
            (Ok(None), true) => log::info!("the keys can be read again, and have not changed"),
            _ => {}
        }
        has_failed = read.is_err();
        if let Ok(Some(read)) = read {
            replace(keys, read);
        }
    }
}

/// Records a failure to read the keys and its start, or a success.
fn note_failure(failing: &Mutex<Option<Failing>>, error: Option<&Error>) {
    let mut failing = failing.lock().unwrap_or_else(PoisonError::into_inner);
    let since = failing.as_ref().map(|failing| failing.since);
    *failing = error.map(|error| Failing {
        since: since.unwrap_or_else(Instant::now),
        error: error.to_string(),
    });
}

fn log_stale(error: &Error) {
    log::error!("the keys known before go on counting: {error}");
}

fn replace(keys: &RwLock<ReadKeys>, read: Vec<StoredKey>) {
    let valid = valid(read);
    log::info!("keys read again: {} valid", count(&valid));
    let mut keys = keys.write().unwrap_or_else(PoisonError::into_inner);
    for (hash, before) in keys.iter().flatten() {
        if let Some(key) = valid.get(hash) {
            let is_used = before.is_used.load(Ordering::Relaxed);
            key.is_used.store(is_used, Ordering::Relaxed);
        }
    }
    *keys = Ok(valid);
}

fn count(keys: &ValidKeys) -> usize {
    let now = seconds(SystemTime::now());
    keys.values().filter(|key| key.is_valid(|| now)).count()
}

/// The names whose last key ends, with its end, by name.
fn ending(keys: &ValidKeys) -> Vec<(Arc<str>, i64)> {
    let mut last: BTreeMap<&Arc<str>, Option<i64>> = BTreeMap::new();
    for key in keys.values() {
        let end = last.entry(&key.holder.name).or_insert(key.ends);
        *end = end.zip(key.ends).map(|(one, other)| one.max(other));
    }
    let since = seconds(SystemTime::now()).saturating_sub(ENDED_SHOWN);
    let ends = last
        .into_iter()
        .filter_map(|(name, end)| Some((name, end?)));
    let shown = ends.filter(|(_, end)| *end > since);
    shown.map(|(name, end)| (Arc::clone(name), end)).collect()
}

/// The keys that are not revoked.
fn valid(keys: Vec<StoredKey>) -> ValidKeys {
    let keys = keys.into_iter().filter(|key| key.revoked.is_none());
    let keys = keys.map(|key| {
        let holder = KeyHolder {
            name: key.name.into(),
            limit: key.terms.limit,
        };
        let valid = ValidKey {
            holder,
            is_used: AtomicBool::new(false),
            ends: key.ends,
        };
        (key.hash, valid)
    });
    keys.collect()
}
