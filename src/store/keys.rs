//! API keys: their file, and the valid keys of a running server.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::{Connection, params};
use sha2::{Digest, Sha256};

use super::building::Building;
use super::error::{Error, Result};
use super::file::FileState;
use super::file::KEYS;

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
    /// When it was revoked, likewise; none while it is valid.
    pub revoked: Option<i64>,
}

impl KeyFile {
    /// The file at `path`, which need not exist: the first key creates it. Only its owner
    /// and group may read it.
    pub fn new(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Applies `change` to the file.
    fn change<T>(&self, change: impl FnOnce(&Connection) -> Result<T>) -> Result<T> {
        let building = Building::begin(&KEYS, &self.path, PATIENCE)?;
        let file = building.start()?;
        let changed = change(&file.connection)?;
        building.publish(file)?;
        Ok(changed)
    }

    /// Issues a key to `name`: 32 random bytes in base64url. It cannot be read again later.
    ///
    /// # Errors
    /// The name has a valid key, or the file cannot be written.
    pub fn issue(&self, name: &str, now: SystemTime) -> Result<String> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            Error::refused(
                &self.path,
                format!("no random bytes to be had from the system: {error}"),
            )
        })?;
        let key = URL_SAFE_NO_PAD.encode(bytes);
        let issued = seconds(now);
        let sql = "INSERT INTO key (hash, name, issued) VALUES (?1, ?2, ?3)";
        self.change(|connection| {
            let issued = connection.execute(sql, params![hash(&key).as_slice(), name, issued]);
            issued.map_err(|error| match error.sqlite_error_code() {
                Some(rusqlite::ErrorCode::ConstraintViolation) => {
                    let what = format!(
                        "{name} has a valid key already; revoke it first, or issue under another name"
                    );
                    Error::refused(&self.path, what)
                }
                _ => Error::sqlite(&self.path, error),
            })
        })?;
        Ok(key)
    }

    /// Revokes the valid key of `name`.
    ///
    /// # Errors
    /// There is no such file, the name has no key, or the file cannot be written.
    pub fn revoke(&self, name: &str, now: SystemTime) -> Result<()> {
        KEYS.open_to_read(&self.path)?;
        let sql = "UPDATE key SET revoked = ?2 WHERE name = ?1 AND revoked IS NULL";
        self.change(|connection| {
            let revoked = connection.execute(sql, params![name, seconds(now)]);
            match revoked.map_err(|error| Error::sqlite(&self.path, error))? {
                0 => {
                    let what = format!(
                        "{name} has no valid key; `procurement-lookup keys list` shows the names"
                    );
                    Err(Error::refused(&self.path, what))
                }
                _ => Ok(()),
            }
        })
    }

    /// All keys ever issued, in that order.
    ///
    /// # Errors
    /// There is no such file, or it cannot be read.
    pub fn list(&self) -> Result<Vec<IssuedKey>> {
        let read = |row: &rusqlite::Row<'_>| {
            Ok(IssuedKey {
                name: row.get(0)?,
                issued: row.get(1)?,
                revoked: row.get(2)?,
            })
        };
        let sql = "SELECT name, issued, revoked FROM key ORDER BY id";
        KEYS.open_to_read(&self.path)?.all(sql, (), read)
    }
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
    names: RwLock<HashMap<[u8; 32], Arc<str>>>,
    last_check: Mutex<LastCheck>,
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
    /// The keys of the file, which need not exist yet.
    ///
    /// # Errors
    /// The file is there and cannot be read.
    pub fn open(path: &Path) -> Result<Self> {
        let state = FileState::at(path);
        let names = if state.is_some() {
            read_valid(path)?
        } else {
            HashMap::new()
        };
        Ok(Self {
            path: path.to_owned(),
            names: RwLock::new(names),
            last_check: Mutex::new(LastCheck {
                at: Instant::now(),
                state,
                failed: false,
            }),
        })
    }

    /// An empty set, for a server that needs no keys.
    pub fn empty() -> Self {
        Self {
            path: PathBuf::new(),
            names: RwLock::default(),
            last_check: Mutex::new(LastCheck {
                at: Instant::now(),
                state: None,
                failed: false,
            }),
        }
    }

    /// The name that this key was issued to, if it is valid.
    pub fn name_of(&self, key: &str) -> Option<Arc<str>> {
        self.refresh();
        let names = self
            .names
            .read()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        names.get(&hash(key)).cloned()
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
        let read = if state.is_some() {
            read_valid(&self.path)
        } else {
            Ok(HashMap::new())
        };
        last.state = state;
        last.failed = read.is_err();
        match read {
            Ok(names) => {
                log::info!("keys read again: {} valid", names.len());
                *self
                    .names
                    .write()
                    .unwrap_or_else(|poisoned| poisoned.into_inner()) = names;
            }
            Err(error) => log::error!("the keys known before go on counting: {error}"),
        }
    }
}

fn read_valid(path: &Path) -> Result<HashMap<[u8; 32], Arc<str>>> {
    let read =
        |row: &rusqlite::Row<'_>| Ok((row.get::<_, [u8; 32]>(0)?, row.get::<_, Arc<str>>(1)?));
    let sql = "SELECT hash, name FROM key WHERE revoked IS NULL";
    let keys = KEYS.open_to_read(path)?.all(sql, (), read)?;
    Ok(keys.into_iter().collect())
}
