//! API keys stored in a file or in PostgreSQL, and changes to them.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::params;

use super::building::Building;
use super::error::{Error, Result};
use super::file::{FileState, KEYS, OpenFile};
use super::key_reserve as reserve;
use super::key_rows::{
    DamagedLimit, KeyEvent, KeyHash, KeyRows, KeyTerms, StoredKey, limit_columns, limit_of,
};
use super::key_use;
use super::remote_servers::RemoteServers;
use crate::model::{Date, Rate, Sha256, timestamp};

/// Maximum wait for another process that is changing the keys.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where keys are stored.
#[derive(Clone, Debug)]
pub enum KeyStore {
    /// A file, created when the first key is issued. Only its owner and group may read it. Every
    /// change creates a new file that replaces it (`building.rs`). So readers need only this file,
    /// and after a kill the file is either the old or the new one.
    File(PathBuf),
    /// Tables in PostgreSQL, created when the first key is issued. Every change is a transaction.
    Server(RemoteServers),
}

/// What is known about an issued key. The key itself is not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuedKey {
    pub name: String,
    /// Time of issue, in seconds since 1970.
    pub issued: i64,
    /// When the key stops being valid, in seconds since 1970, because it expires or was replaced.
    /// `None` if it stays valid.
    pub ends: Option<i64>,
    /// Time of revocation, in seconds since 1970.
    pub revoked: Option<i64>,
    /// The key's own limit; `None` if the limits that the server sets for all keys apply. A key
    /// with a damaged limit is invalid.
    pub limit: std::result::Result<Option<Rate>, DamagedLimit>,
    /// Last day of use, in Moscow time; `None` if no server has recorded one.
    pub used: Option<Date>,
}

/// A key that replaces another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewKey {
    pub key: String,
    /// When the replaced key ends, in seconds since 1970.
    pub end_of_old: i64,
    /// When the new key expires; `None` if it does not.
    pub ends: Option<i64>,
}

impl KeyStore {
    /// Runs `work` on the keys. If `work` fails, nothing is changed. Unless `creates` is set, the
    /// keys must already exist.
    fn transaction<T>(
        &self,
        creates: bool,
        work: impl FnOnce(&mut dyn KeyRows) -> Result<T>,
    ) -> Result<T> {
        match self {
            Self::File(path) => {
                if !creates {
                    KEYS.open_to_read(path)?;
                }
                let building = Building::begin(&KEYS, path, PATIENCE)?;
                let mut file = building.start()?;
                let result = work(&mut file)?;
                building.replace(file)?;
                // If the reserve cannot be kept, the only consequence is that no key can be revoked
                // while the disk is full.
                let _ = reserve::keep(path);
                Ok(result)
            }
            Self::Server(servers) => {
                let mut tables = servers.0.key_transaction(creates)?;
                let result = work(&mut *tables)?;
                tables.commit()?;
                Ok(result)
            }
        }
    }

    /// Issues a key to `name`: 32 random bytes in base64url. Only a hash of the key is stored, so
    /// the key cannot be shown again.
    ///
    /// # Errors
    /// Returns an error if the name already has a valid key, or if the key cannot be stored.
    pub fn issue(&self, name: &str, terms: KeyTerms, now: SystemTime) -> Result<String> {
        let key = self.random_key()?;
        let stored = new_key(&key, name, terms, seconds(now));
        self.transaction(true, |keys| {
            if !valid(keys, name, stored.issued)?.is_empty() {
                return Err(self.refused(format!(
                    "{name} already has a valid key; replace it with `keys rotate`, or issue a key to another name"
                )));
            }
            keys.insert(&stored)?;
            let ends = stored.ends.map(|end| format!("ends {}", timestamp(end)));
            let details = ends.into_iter().chain(terms.limit.map(limit_text));
            let details: Vec<String> = details.collect();
            keys.log(&event(&stored, "issued", details.join("; ")))
        })?;
        Ok(key)
    }

    /// Issues a new key to a name that has a valid key, on the same terms. The old key stays valid
    /// for `overlap`.
    ///
    /// # Errors
    /// Returns an error if there are no keys; if the name has no valid key or its limit is damaged;
    /// if two keys of the name still overlap and `overlap` is not zero; or if the key cannot be
    /// stored.
    pub fn rotate(&self, name: &str, now: SystemTime, overlap: Duration) -> Result<NewKey> {
        let key = self.random_key()?;
        let now = seconds(now);
        let overlap = i64::try_from(overlap.as_secs()).unwrap_or(i64::MAX);
        let end_of_old = now.saturating_add(overlap);
        let ends = self.transaction(false, |keys| {
            let old = self.valid(keys, name, now)?;
            if overlap > 0 && old.len() > 1 {
                return Err(self.refused(format!(
                    "{name} has two valid keys because the last overlap is not over; wait until it is, or end it with `--overlap 0`"
                )));
            }
            let terms = self.terms_of(&old)?;
            for mut old in old {
                old.ends = Some(old.ends.map_or(end_of_old, |end| end.min(end_of_old)));
                keys.update(&old)?;
            }
            let stored = new_key(&key, name, terms, now);
            keys.insert(&stored)?;
            let old = format!("the old one until {}", timestamp(end_of_old));
            let ends = stored.ends.map(|end| format!("; the new one until {}", timestamp(end)));
            keys.log(&event(&stored, "rotated", old + &ends.unwrap_or_default()))?;
            Ok(stored.ends)
        })?;
        Ok(NewKey {
            key,
            end_of_old,
            ends,
        })
    }

    /// Sets a limit for the valid keys of `name`; `None` lets the server's limits apply again.
    ///
    /// # Errors
    /// Returns an error if there are no keys, the name has no valid key, or the change cannot be
    /// stored.
    pub fn limit(&self, name: &str, limit: Option<Rate>, now: SystemTime) -> Result<()> {
        let at = seconds(now);
        self.transaction(false, |keys| {
            for key in self.valid(keys, name, at)? {
                keys.set_limit(&key.hash, limit)?;
            }
            keys.log(&KeyEvent {
                at,
                action: "limited".to_owned(),
                name: name.to_owned(),
                details: limit
                    .map_or_else(|| "as the server limits all keys".to_owned(), limit_text),
            })
        })
    }

    /// Revokes the valid keys of `name`. If the disk of a keys file is full, frees the file's
    /// reserve (`key_reserve.rs`) and tries again.
    ///
    /// # Errors
    /// Returns an error if there are no keys, the name has no valid key, or the change cannot be
    /// stored.
    pub fn revoke(&self, name: &str, now: SystemTime) -> Result<()> {
        let at = seconds(now);
        let revoke = || {
            self.transaction(false, |keys| {
                for mut key in self.valid(keys, name, at)? {
                    key.revoked = Some(at);
                    keys.update(&key)?;
                }
                keys.log(&KeyEvent {
                    at,
                    action: "revoked".to_owned(),
                    name: name.to_owned(),
                    details: String::new(),
                })
            })
        };
        match (revoke(), self) {
            (Err(error), Self::File(path)) if error.is_disk_full() && reserve::free(path) => {
                revoke()
            }
            (revoked, _) => revoked,
        }
    }

    /// Returns all keys ever issued, in the order of issue; empty if there are none yet.
    ///
    /// # Errors
    /// Returns an error if the keys cannot be read.
    pub fn list(&self) -> Result<Vec<IssuedKey>> {
        let (stored, used) = match self {
            Self::File(path) => (self.read_if_any(path, stored)?, key_use::days(path)?),
            Self::Server(servers) => (servers.0.keys()?, servers.0.days_of_use()?),
        };
        let listed = stored.into_iter().map(|key| IssuedKey {
            used: used.get(&key.hash).copied(),
            name: key.name,
            issued: key.issued,
            ends: key.ends,
            revoked: key.revoked,
            limit: key.limit,
        });
        Ok(listed.collect())
    }

    /// Returns all events of keys, oldest first.
    ///
    /// # Errors
    /// Returns an error if the events cannot be read.
    pub fn events(&self) -> Result<Vec<KeyEvent>> {
        match self {
            Self::File(path) => self.read_if_any(path, events),
            Self::Server(servers) => servers.0.key_events(),
        }
    }

    /// Stores the last day, in Moscow time, on which each key was used.
    ///
    /// # Errors
    /// Returns an error if the days cannot be written.
    pub fn note_use(&self, used: &HashMap<KeyHash, Date>) -> Result<()> {
        match self {
            Self::File(path) => key_use::note(path, used),
            Self::Server(servers) => servers.0.note_use(used),
        }
    }

    /// Reads the keys file with `read`; returns nothing if there is no file.
    fn read_if_any<T>(
        &self,
        path: &Path,
        read: impl Fn(&Path) -> Result<Vec<T>>,
    ) -> Result<Vec<T>> {
        match FileState::at(path) {
            Ok(None) => Ok(Vec::new()),
            // `read` reports any other error.
            _ => read(path),
        }
    }

    fn terms_of(&self, keys: &[StoredKey]) -> Result<KeyTerms> {
        let Some(last) = keys.last() else {
            return Ok(KeyTerms::default());
        };
        let limit = last.limit.map_err(|DamagedLimit| {
            let name = &last.name;
            self.refused(format!(
                "the limit of {name} is damaged; set it with `keys limit` first"
            ))
        })?;
        Ok(KeyTerms {
            lasts: last.lasts,
            limit,
        })
    }

    /// Returns the valid keys of a name. Returns an error if there are none.
    fn valid(&self, keys: &mut dyn KeyRows, name: &str, now: i64) -> Result<Vec<StoredKey>> {
        let valid = valid(keys, name, now)?;
        match valid.is_empty() {
            true => Err(self.refused(format!(
                "{name} has no valid key; `procurement-lookup keys list` shows the names"
            ))),
            false => Ok(valid),
        }
    }

    fn random_key(&self) -> Result<String> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes).map_err(|error| {
            self.refused(format!("the system provides no random bytes: {error}"))
        })?;
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    pub(super) fn refused(&self, what: String) -> Error {
        match self {
            Self::File(path) => Error::refused(path, what),
            Self::Server(servers) => Error::refused_by(servers, what),
        }
    }
}

impl fmt::Display for KeyStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::Server(servers) => servers.fmt(f),
        }
    }
}

impl KeyRows for OpenFile {
    fn all(&mut self) -> Result<Vec<StoredKey>> {
        let sql =
            "SELECT hash, name, issued, ends, revoked, lasts, rate, burst FROM key ORDER BY id";
        OpenFile::all(self, sql, (), |row| {
            Ok(StoredKey {
                hash: row.get(0)?,
                name: row.get(1)?,
                issued: row.get(2)?,
                ends: row.get(3)?,
                revoked: row.get(4)?,
                lasts: row.get(5)?,
                limit: limit_of(row.get(6)?, row.get(7)?),
            })
        })
    }

    fn insert(&mut self, key: &StoredKey) -> Result<()> {
        let sql = "INSERT INTO key (hash, name, issued, lasts, ends, rate, burst) \
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let [rate, burst] = limit_columns(key.limit);
        let (hash, name) = (key.hash.as_slice(), &key.name);
        self.execute(
            sql,
            params![hash, name, key.issued, key.lasts, key.ends, rate, burst],
        )
    }

    fn update(&mut self, key: &StoredKey) -> Result<()> {
        let sql = "UPDATE key SET ends = ?2, revoked = ?3 WHERE hash = ?1";
        self.execute(sql, params![key.hash.as_slice(), key.ends, key.revoked])
    }

    fn set_limit(&mut self, hash: &KeyHash, limit: Option<Rate>) -> Result<()> {
        let sql = "UPDATE key SET rate = ?2, burst = ?3 WHERE hash = ?1";
        let [rate, burst] = limit_columns(Ok(limit));
        self.execute(sql, params![hash.as_slice(), rate, burst])
    }

    fn log(&mut self, event: &KeyEvent) -> Result<()> {
        let sql = "INSERT INTO event (at, action, name, details) VALUES (?1, ?2, ?3, ?4)";
        let KeyEvent {
            at,
            action,
            name,
            details,
        } = event;
        self.execute(sql, params![at, action, name, details])
    }
}

/// Returns the keys of a name that are valid at `now`, in the order of issue.
fn valid(keys: &mut dyn KeyRows, name: &str, now: i64) -> Result<Vec<StoredKey>> {
    let mut valid = keys.all()?;
    valid.retain(|key| {
        key.name == name && key.revoked.is_none() && key.ends.is_none_or(|end| end > now)
    });
    Ok(valid)
}

pub fn stored(path: &Path) -> Result<Vec<StoredKey>> {
    KeyRows::all(&mut KEYS.open_to_read(path)?)
}

fn events(path: &Path) -> Result<Vec<KeyEvent>> {
    let file = KEYS.open_to_read(path)?;
    let sql = "SELECT at, action, name, details FROM event ORDER BY id";
    file.all(sql, (), |row| {
        Ok(KeyEvent {
            at: row.get(0)?,
            action: row.get(1)?,
            name: row.get(2)?,
            details: row.get(3)?,
        })
    })
}

fn new_key(key: &str, name: &str, terms: KeyTerms, now: i64) -> StoredKey {
    StoredKey {
        hash: hash(key),
        name: name.to_owned(),
        issued: now,
        ends: terms.lasts.map(|lasts| now.saturating_add(lasts)),
        revoked: None,
        lasts: terms.lasts,
        limit: Ok(terms.limit),
    }
}

fn event(key: &StoredKey, action: &str, details: String) -> KeyEvent {
    KeyEvent {
        at: key.issued,
        action: action.to_owned(),
        name: key.name.clone(),
        details,
    }
}

fn limit_text(limit: Rate) -> String {
    match limit.per_second {
        0 => "no limit".to_owned(),
        rate => format!("{rate} a second, {} at once", limit.burst),
    }
}

pub fn hash(key: &str) -> KeyHash {
    Sha256::of(key)
}

/// Converts a time to seconds since 1970. Earlier times become 0.
pub fn seconds(instant: SystemTime) -> i64 {
    let since = instant.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}

#[cfg(test)]
#[path = "keys/tests.rs"]
pub(super) mod tests;
