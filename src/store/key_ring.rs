//! The valid keys of a running server.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use super::error::{Error, Result};
use super::file::FileState;
use super::key_rows::{KeyHash, StoredKey};
use super::keys::{KeyStore, hash, seconds, stored};
use super::remote_servers::KeyFollower;
use crate::model::Rate;

/// Interval between checks of the file or the servers. Changes take effect within this time, well
/// below the promised second.
const CHECK_EVERY: Duration = Duration::from_millis(300);

/// How long operators still see a name after its last key has ended, in seconds.
const ENDED_SHOWN: i64 = 7 * 86_400;

/// The valid keys of a running server, reloaded when they change.
#[derive(Debug)]
pub struct KeyRing {
    keys: Arc<RwLock<ReadKeys>>,
    failing: Arc<Mutex<Option<Failing>>>,
    /// The keys file; `None` if the keys are on servers.
    path: Option<PathBuf>,
    /// Dropping this ends the thread that reloads the keys; `None` if the server needs no keys.
    _running: Option<Sender<()>>,
}

#[derive(Debug)]
struct Failing {
    since: Instant,
    error: String,
}

/// Status of the keys for operators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyState {
    pub valid: usize,
    /// Names whose last key expires, each with that time in seconds since 1970. A name stays listed
    /// for a week afterwards.
    pub ending: Vec<(Arc<str>, i64)>,
    /// Whether the keys have never been read, so that it is unknown which ones are valid.
    pub is_unread: bool,
    pub is_missing: bool,
    /// How long reading the keys has been failing, and why. The keys read before stay valid.
    pub failing: Option<(Duration, String)>,
}

/// The keys as last read. An error means that they have never been read.
type ReadKeys = std::result::Result<ValidKeys, String>;

/// Keys that are not revoked, by hash.
type ValidKeys = HashMap<KeyHash, ValidKey>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyHolder {
    pub name: Arc<str>,
    /// The key's own limit; `None` if the limits that the server sets for all keys apply.
    pub limit: Option<Rate>,
}

#[derive(Debug)]
struct ValidKey {
    holder: KeyHolder,
    /// Whether the key has been used since the last call of [`KeyRing::used`].
    is_used: AtomicBool,
    /// When the key ends, in seconds since 1970; `None` if it does not.
    ends: Option<i64>,
}

impl ValidKey {
    /// Returns whether the key is valid at this time, in seconds since 1970. The clock is read only
    /// if the key expires.
    fn is_valid(&self, now: impl FnOnce() -> i64) -> bool {
        self.ends.is_none_or(|ends| now() < ends)
    }
}

/// Follows a keys file, which may not exist yet.
struct FollowedKeyFile {
    path: PathBuf,
    /// State of the file when it was last read successfully; `None` if it did not exist.
    state: Option<FileState>,
    /// Whether the keys must be read even if the state of the file is the same: at the start, and
    /// after a failed attempt.
    is_unread: bool,
}

impl KeyFollower for FollowedKeyFile {
    fn changed(&mut self) -> Result<Option<Vec<StoredKey>>> {
        let state = FileState::at(&self.path).map_err(|error| Error::io(&self.path, &error))?;
        if state == self.state && !self.is_unread {
            return Ok(None);
        }
        self.is_unread = true;
        let keys = match &state {
            Some(_) => stored(&self.path)?,
            None => Vec::new(),
        };
        (self.state, self.is_unread) = (state, false);
        Ok(Some(keys))
    }
}

impl KeyRing {
    /// Opens the keys in a file, which may not exist yet, or on servers. A thread reloads them when
    /// they change. While that fails, the keys read before stay valid, and the failure is logged.
    /// If no server can be reached at the start, it is not known at first which keys are valid
    /// ([`KeyState::is_unread`]).
    ///
    /// # Errors
    /// Returns an error if the keys exist and cannot be read, or if no thread can be started.
    pub fn new(store: &KeyStore) -> Result<Self> {
        let (mut stored, path): (Box<dyn KeyFollower>, _) = match store {
            KeyStore::File(path) => {
                let file = FollowedKeyFile {
                    path: path.clone(),
                    state: None,
                    is_unread: true,
                };
                (Box::new(file), Some(path.clone()))
            }
            KeyStore::Server(servers) => (servers.0.follow_keys(), None),
        };
        let keys = match stored.changed() {
            Ok(keys) => Ok(valid(keys.unwrap_or_default())),
            Err(error) if error.is_unreachable() => {
                log::error!("answering requests with 503 until the keys can be read: {error}");
                Err(error.to_string())
            }
            Err(error) => return Err(error),
        };
        let failing = keys.as_ref().err().map(|error| Failing {
            since: Instant::now(),
            error: error.clone(),
        });
        let (running, ended) = mpsc::channel();
        let ring = Self {
            keys: Arc::new(RwLock::new(keys)),
            failing: Arc::new(Mutex::new(failing)),
            path,
            _running: Some(running),
        };
        let (keys, failing) = (Arc::clone(&ring.keys), Arc::clone(&ring.failing));
        let follow = move || follow(&mut *stored, &keys, &failing, &ended);
        let thread = thread::Builder::new().name("keys".to_owned());
        thread.spawn(follow).map_err(|error| {
            store.refused(format!("cannot start a thread to reload the keys: {error}"))
        })?;
        Ok(ring)
    }

    /// Creates an empty set, for a server that needs no keys.
    pub fn empty() -> Self {
        Self {
            keys: Arc::new(RwLock::new(Ok(HashMap::new()))),
            failing: Arc::default(),
            path: None,
            _running: None,
        }
    }

    /// Returns the holder of this key if it is valid, and marks the key as used.
    ///
    /// # Errors
    /// Returns the reason if the keys have never been read, so that it is unknown which ones are
    /// valid.
    pub fn holder_of(&self, key: &str) -> std::result::Result<Option<KeyHolder>, String> {
        self.holder_at(key, || seconds(SystemTime::now()))
    }

    /// Like [`KeyRing::holder_of`], at a given time in seconds since 1970.
    pub(super) fn holder_at(
        &self,
        key: &str,
        now: impl FnOnce() -> i64,
    ) -> std::result::Result<Option<KeyHolder>, String> {
        let keys = self.read();
        let keys = keys.as_ref().map_err(String::clone)?;
        let valid = keys.get(&hash(key)).filter(|key| key.is_valid(now));
        Ok(valid.map(|key| {
            // Write only if necessary, so that workers do not contend for the cache line.
            if !key.is_used.load(Ordering::Relaxed) {
                key.is_used.store(true, Ordering::Relaxed);
            }
            key.holder.clone()
        }))
    }

    /// Returns the keys used since the last call.
    pub fn used(&self) -> Vec<KeyHash> {
        let keys = self.read();
        let keys = keys.as_ref().into_iter().flatten();
        let used = keys.filter(|(_, key)| key.is_used.swap(false, Ordering::Relaxed));
        used.map(|(hash, _)| *hash).collect()
    }

    /// Returns the number of keys that are valid now.
    pub fn count(&self) -> usize {
        self.read().as_ref().map_or(0, count)
    }

    pub fn state(&self) -> KeyState {
        let failing = self.failing.lock().unwrap_or_else(PoisonError::into_inner);
        let failing = failing.as_ref();
        KeyState {
            valid: self.count(),
            ending: self.read().as_ref().map(ending).unwrap_or_default(),
            is_unread: self.read().is_err(),
            is_missing: (self.path.as_ref())
                .is_some_and(|path| matches!(FileState::at(path), Ok(None))),
            failing: failing.map(|failing| (failing.since.elapsed(), failing.error.clone())),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, ReadKeys> {
        self.keys.read().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reloads the keys until the ring is dropped. Logs an ongoing failure only once.
fn follow(
    stored: &mut dyn KeyFollower,
    keys: &RwLock<ReadKeys>,
    failing: &Mutex<Option<Failing>>,
    ended: &Receiver<()>,
) {
    while ended.recv_timeout(CHECK_EVERY) == Err(RecvTimeoutError::Timeout) {
        let read = stored.changed();
        let has_failed = note_failure(failing, read.as_ref().err());
        match (&read, has_failed) {
            (Err(error), false) => {
                log::error!("cannot read the keys; those read before stay valid: {error}")
            }
            (Ok(None), true) => log::info!("the keys can be read again and have not changed"),
            _ => {}
        }
        if let Ok(Some(read)) = read {
            replace(keys, read);
        }
    }
}

/// Records whether reading the keys failed. Returns whether the previous attempt failed.
fn note_failure(failing: &Mutex<Option<Failing>>, error: Option<&Error>) -> bool {
    let mut failing = failing.lock().unwrap_or_else(PoisonError::into_inner);
    let since = failing.as_ref().map(|failing| failing.since);
    *failing = error.map(|error| Failing {
        since: since.unwrap_or_else(Instant::now),
        error: error.to_string(),
    });
    since.is_some()
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

/// Returns the keys that are not revoked. Logs and omits keys with a damaged limit.
fn valid(keys: Vec<StoredKey>) -> ValidKeys {
    let mut valid = ValidKeys::new();
    for key in keys.into_iter().filter(|key| key.revoked.is_none()) {
        let Ok(limit) = key.limit else {
            log::error!(
                "a key of {name} is refused because its limit is damaged; set it again with `keys limit`",
                name = key.name
            );
            continue;
        };
        let holder = KeyHolder {
            name: key.name.into(),
            limit,
        };
        let one = ValidKey {
            holder,
            is_used: AtomicBool::new(false),
            ends: key.ends,
        };
        valid.insert(key.hash, one);
    }
    valid
}
