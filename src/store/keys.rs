//! API keys: their file, and the valid keys of a running server.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::building::Building;
use super::error::{Error, Result};
use super::file::{FileState, KEYS, OpenFile, format_of};

/// How long a change of the keys waits for another process that makes one.
const PATIENCE: Duration = Duration::from_secs(10);

/// The file of keys. A change makes a new file that replaces it (`building.rs`), so that
/// readers need nothing but the file, and a killed process leaves the old one or the new
/// one.
#[derive(Debug)]
pub struct KeyFile {
    path: PathBuf,
}

/// A key as the file stores it: not the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedKey {
    /// The name it was issued to.
    pub name: String,
    /// When, in seconds since 1970.
    pub issued: i64,
    /// When it was revoked, or ends as another takes its place; none where no end is set.
    pub end: Option<i64>,
    /// Was it revoked, whatever the clock says?
    pub is_revoked: bool,
}

impl IssuedKey {
    /// Is it valid at `now`?
    pub fn is_valid(&self, now: SystemTime) -> bool {
        !self.is_revoked && self.end.is_none_or(|end| seconds(now) < end)
    }
}

/// The key that takes another's place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    /// The key itself.
    pub key: String,
    /// When the one before ends, in seconds since 1970.
    pub end_of_old: i64,
}

/// The end of a key, of a file of either format: format 1 had none but revocation.
const SELECT_1: &str = "SELECT hash, name, issued, revoked, NULL FROM key ORDER BY id";
const SELECT_2: &str = "SELECT hash, name, issued, revoked, ends FROM key ORDER BY id";

/// Upgrades a file of format 1.
const FROM_1_TO_2: &str = "BEGIN; ALTER TABLE key ADD COLUMN ends INTEGER; \
     DROP INDEX one_valid_key_a_name; \
     CREATE UNIQUE INDEX one_valid_key_a_name ON key (name) \
     WHERE revoked IS NULL AND ends IS NULL; \
     PRAGMA user_version = 2; COMMIT";

impl KeyFile {
    /// The file at `path`, which need not exist: the first key creates it. Only its owner
    /// and group may read it.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Applies `change` to the file.
    fn change<T>(&self, change: impl FnOnce(&OpenFile) -> Result<T>) -> Result<T> {
        let building = Building::begin(&KEYS, &self.path, PATIENCE)?;
        let file = building.start()?;
        if building.older_format().is_some() {
            file.batch(FROM_1_TO_2)?;
        }
        let changed = change(&file)?;
        building.publish(file)?;
        Ok(changed)
    }

    /// Issues a key to `name`: 32 random bytes in base64url. It cannot be read again later.
    /// A file that is empty or cut short is replaced, which the log says.
    ///
    /// # Errors
    /// The name has a valid key, or the file cannot be written.
    pub fn issue(&self, name: &str, now: SystemTime) -> Result<String> {
        let key = self.random_key()?;
        self.change(|file| {
            if count_valid(file, name, now)? > 0 {
                let what = format!(
                    "{name} has a valid key already; `keys rotate` gives a new one, or issue under another name"
                );
                return Err(Error::refused(&self.path, what));
            }
            insert(file, &key, name, now)
        })?;
        Ok(key)
    }

    /// Issues a new key to a name that has one, which stays valid until `overlap` is over.
    ///
    /// # Errors
    /// There is no such file, the name has no valid key, or an earlier overlap of its keys is
    /// not over and there is to be another, or the file cannot be written.
    pub fn rotate(&self, name: &str, now: SystemTime, overlap: Duration) -> Result<NewKey> {
        self.exists()?;
        let key = self.random_key()?;
        let overlap = i64::try_from(overlap.as_secs()).unwrap_or(i64::MAX);
        let end_of_old = seconds(now).saturating_add(overlap);
        self.change(|file| {
            match count_valid(file, name, now)? {
                0 => return Err(self.has_none(name)),
                1 => {}
                _ if overlap == 0 => {}
                _ => {
                    let what = format!(
                        "{name} has two valid keys, as the last overlap is not over; wait until it is, or end it with `--overlap 0`"
                    );
                    return Err(Error::refused(&self.path, what));
                }
            }
            let sql = "UPDATE key SET ends = ?2 \
                       WHERE name = ?1 AND revoked IS NULL AND (ends IS NULL OR ends > ?2)";
            file.execute(sql, params![name, end_of_old])?;
            insert(file, &key, name, now)
        })?;
        Ok(NewKey { key, end_of_old })
    }

    /// Revokes the valid keys of `name`.
    ///
    /// # Errors
    /// There is no such file, the name has no valid key, or the file cannot be written.
    pub fn revoke(&self, name: &str, now: SystemTime) -> Result<()> {
        self.exists()?;
        let sql = "UPDATE key SET revoked = ?2 \
                   WHERE name = ?1 AND revoked IS NULL AND (ends IS NULL OR ends > ?2)";
        self.change(
            |file| match file.change(sql, params![name, seconds(now)])? {
                0 => Err(self.has_none(name)),
                _ => Ok(()),
            },
        )
    }

    /// All keys ever issued, in that order; none where there is no file.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn list(&self) -> Result<Vec<IssuedKey>> {
        match FileState::try_at(&self.path) {
            Ok(None) => Ok(Vec::new()),
            // What is wrong with it, reading says.
            _ => {
                let keys = stored(&self.path)?.into_iter();
                Ok(keys.map(StoredKey::issued).collect())
            }
        }
    }

    fn random_key(&self) -> Result<String> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            let what = format!("the system gives no random bytes: {error}");
            Error::refused(&self.path, what)
        })?;
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    fn exists(&self) -> Result<()> {
        KEYS.open_any_format(&self.path).map(drop)
    }

    fn has_none(&self, name: &str) -> Error {
        let what =
            format!("{name} has no valid key; `procurement-lookup keys list` shows the names");
        Error::refused(&self.path, what)
    }
}

fn count_valid(file: &OpenFile, name: &str, now: SystemTime) -> Result<i64> {
    let sql = "SELECT count(*) FROM key \
               WHERE name = ?1 AND revoked IS NULL AND (ends IS NULL OR ends > ?2)";
    let count = file.one(sql, params![name, seconds(now)], |row| row.get(0))?;
    Ok(count.unwrap_or(0))
}

fn insert(file: &OpenFile, key: &str, name: &str, now: SystemTime) -> Result<()> {
    let sql = "INSERT INTO key (hash, name, issued) VALUES (?1, ?2, ?3)";
    file.execute(sql, params![hash(key).as_slice(), name, seconds(now)])
}

/// A row of the file.
struct StoredKey {
    hash: [u8; 32],
    name: String,
    issued: i64,
    revoked: Option<i64>,
    ends: Option<i64>,
}

impl StoredKey {
    fn issued(self) -> IssuedKey {
        IssuedKey {
            name: self.name,
            issued: self.issued,
            end: self.revoked.or(self.ends),
            is_revoked: self.revoked.is_some(),
        }
    }
}

/// The keys of a file, of any format that is upgraded, in the order in which they were issued.
fn stored(path: &Path) -> Result<Vec<StoredKey>> {
    let file = KEYS.open_any_format(path)?;
    let sql = match format_of(&file)? {
        1 => SELECT_1,
        2 => SELECT_2,
        format => return Err(Error::format(path, format, &KEYS.formats())),
    };
    file.all(sql, (), |row| {
        Ok(StoredKey {
            hash: row.get(0)?,
            name: row.get(1)?,
            issued: row.get(2)?,
            revoked: row.get(3)?,
            ends: row.get(4)?,
        })
    })
}

fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key).into()
}

fn seconds(instant: SystemTime) -> i64 {
    let since = instant.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}

/// The least time between two checks of the file. A key is valid, or no longer valid, after
/// this time, well within the promised second.
const CHECK_EVERY: Duration = Duration::from_millis(300);

/// The valid keys of a running server, read again when the file has changed.
#[derive(Debug)]
pub struct KeyRing {
    path: PathBuf,
    keys: RwLock<ValidKeys>,
    last_check: Mutex<LastCheck>,
}

/// Keys that are not revoked, by their hashes.
type ValidKeys = HashMap<[u8; 32], ValidKey>;

#[derive(Debug)]
struct ValidKey {
    name: Arc<str>,
    /// When it ends, in seconds since 1970.
    ends: Option<i64>,
}

impl ValidKey {
    /// Is it valid at an instant, in seconds since 1970? Only one that ends asks the clock.
    fn is_valid(&self, now: impl FnOnce() -> i64) -> bool {
        self.ends.is_none_or(|ends| now() < ends)
    }
}

/// The file at the last check.
#[derive(Debug)]
struct LastCheck {
    at: Instant,
    state: Option<FileState>,
    /// Reading failed; the next check tries again.
    failed: bool,
}

impl KeyRing {
    /// The keys of the file, which need not exist yet. Of one that is empty or cut short no
    /// key is valid, which the log says.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let state = FileState::at(path);
        let (keys, failed) = match state.as_ref().map(|_| read_valid(path)) {
            None => (HashMap::new(), false),
            Some(Err(error)) if error.is_half_written() => {
                log::error!("no key is valid: {error}");
                (HashMap::new(), true)
            }
            Some(read) => (read?, false),
        };
        let last = LastCheck {
            at: Instant::now(),
            state,
            failed,
        };
        Ok(Self::new(path.to_owned(), keys, last))
    }

    /// An empty set, for a server that needs no keys.
    pub fn empty() -> Self {
        let last = LastCheck {
            at: Instant::now(),
            state: None,
            failed: false,
        };
        Self::new(PathBuf::new(), HashMap::new(), last)
    }

    fn new(path: PathBuf, keys: ValidKeys, last: LastCheck) -> Self {
        Self {
            path,
            keys: RwLock::new(keys),
            last_check: Mutex::new(last),
        }
    }

    /// The name that this key was issued to, if it is valid.
    pub fn name_of(&self, key: &str) -> Option<Arc<str>> {
        self.refresh();
        self.name_at(key, || seconds(SystemTime::now()))
    }

    fn name_at(&self, key: &str, now: impl FnOnce() -> i64) -> Option<Arc<str>> {
        let keys = self.read();
        let key = keys.get(&hash(key))?;
        key.is_valid(now).then(|| Arc::clone(&key.name))
    }

    /// How many keys are valid now, as far as the file has been read.
    pub fn count(&self) -> usize {
        count(&self.read())
    }

    fn read(&self) -> RwLockReadGuard<'_, ValidKeys> {
        self.keys
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Reads the file again if a check is due and it has changed. While one thread does so,
    /// the others use the previous keys.
    fn refresh(&self) {
        let Ok(mut last) = self.last_check.try_lock() else {
            return;
        };
        if last.at.elapsed() < CHECK_EVERY {
            return;
        }
        last.at = Instant::now();
        let state = FileState::at(&self.path);
        if state == last.state && !last.failed {
            return;
        }
        let read = match &state {
            Some(_) => read_valid(&self.path),
            None => Ok(HashMap::new()),
        };
        let is_same = std::mem::replace(&mut last.state, state.clone()) == state;
        let has_failed = std::mem::replace(&mut last.failed, read.is_err());
        match read {
            Ok(keys) => {
                log::info!("keys read again: {} valid", count(&keys));
                *self
                    .keys
                    .write()
                    .unwrap_or_else(|poisoned| poisoned.into_inner()) = keys;
            }
            // Said of each state of the file once.
            Err(_) if is_same && has_failed => {}
            Err(error) => log::error!("the keys known before go on counting: {error}"),
        }
    }
}

fn count(keys: &ValidKeys) -> usize {
    let now = seconds(SystemTime::now());
    keys.values().filter(|key| key.is_valid(|| now)).count()
}

fn read_valid(path: &Path) -> Result<ValidKeys> {
    let keys = stored(path)?.into_iter();
    let keys = keys.filter(|key| key.revoked.is_none());
    let keys = keys.map(|key| {
        let (name, ends) = (key.name.into(), key.ends);
        (key.hash, ValidKey { name, ends })
    });
    Ok(keys.collect())
}

#[cfg(test)]
#[path = "keys/tests.rs"]
mod tests;
