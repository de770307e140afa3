//! API keys as they are stored, in a file or in PostgreSQL, and changes of them.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusqlite::params;
use sha2::{Digest, Sha256};

use super::building::Building;
use super::error::{Error, Result};
use super::file::{FileState, KEYS, OpenFile};
use super::key_reserve as reserve;
use super::key_rows::{KeyRows, StoredKey};
use super::remote_servers::RemoteServers;

/// How long a change of the keys waits for another process that makes one.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where keys are.
#[derive(Clone, Debug)]
pub enum KeyStore {
    /// A file, which need not exist: the first key creates it. Only its owner and group may
    /// read it. A change makes a new file that replaces it (`building.rs`), so that readers
    /// need nothing but the file, and a killed process leaves the old one or the new one.
    File(PathBuf),
    /// Tables in PostgreSQL, which the first key creates too. A change is a transaction.
    Server(RemoteServers),
}

/// A key as it is stored: not the key itself.
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
    fn new(stored: StoredKey) -> Self {
        Self {
            name: stored.name,
            issued: stored.issued,
            end: stored.revoked.or(stored.ends),
            is_revoked: stored.revoked.is_some(),
        }
    }

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

impl KeyStore {
    /// Applies `change` to the keys, of which there need not be any if it `creates` them.
    fn change<T>(
        &self,
        creates: bool,
        change: impl FnOnce(&mut dyn KeyRows) -> Result<T>,
    ) -> Result<T> {
        match self {
            Self::File(path) => {
                if !creates {
                    KEYS.open_to_read(path)?;
                }
                let building = Building::begin(&KEYS, path, PATIENCE)?;
                let mut file = building.start()?;
                let changed = change(&mut file)?;
                building.replace(file)?;
                // Without it only a full disk refuses to revoke.
                let _ = reserve::keep(path);
                Ok(changed)
            }
            Self::Server(servers) => {
                let mut tables = servers.0.change_keys(creates)?;
                let changed = change(&mut *tables)?;
                tables.commit()?;
                Ok(changed)
            }
        }
    }

    /// Issues a key to `name`: 32 random bytes in base64url. It cannot be read again later.
    ///
    /// # Errors
    /// The name has a valid key, or it cannot be written.
    pub fn issue(&self, name: &str, now: SystemTime) -> Result<String> {
        let key = self.random_key()?;
        self.change(true, |keys| {
            if keys.count_valid(name, seconds(now))? > 0 {
                return Err(self.refused(format!(
                    "{name} has a valid key already; `keys rotate` gives a new one, or issue under another name"
                )));
            }
            keys.insert(hash(&key), name, seconds(now))
        })?;
        Ok(key)
    }

    /// Issues a new key to a name that has one, which stays valid until `overlap` is over.
    ///
    /// # Errors
    /// There are no keys, the name has no valid one, or an earlier overlap of its keys is not
    /// over and there is to be another, or it cannot be written.
    pub fn rotate(&self, name: &str, now: SystemTime, overlap: Duration) -> Result<NewKey> {
        let key = self.random_key()?;
        let overlap = i64::try_from(overlap.as_secs()).unwrap_or(i64::MAX);
        let end_of_old = seconds(now).saturating_add(overlap);
        self.change(false, |keys| {
            match keys.count_valid(name, seconds(now))? {
                0 => return Err(self.has_none(name)),
                1 => {}
                _ if overlap == 0 => {}
                _ => {
                    return Err(self.refused(format!(
                        "{name} has two valid keys, as the last overlap is not over; wait until it is, or end it with `--overlap 0`"
                    )));
                }
            }
            keys.end(name, end_of_old)?;
            keys.insert(hash(&key), name, seconds(now))
        })?;
        Ok(NewKey { key, end_of_old })
    }

    /// Revokes the valid keys of `name`.
    ///
    /// # Errors
    /// There are no keys, the name has no valid one, or it cannot be written.
    pub fn revoke(&self, name: &str, now: SystemTime) -> Result<()> {
        let revoke = || {
            self.change(false, |keys| match keys.revoke(name, seconds(now))? {
                false => Err(self.has_none(name)),
                true => Ok(()),
            })
        };
        match (revoke(), self) {
            (Err(error), Self::File(path)) if error.is_of_full_disk() && reserve::free(path) => {
                revoke()
            }
            (revoked, _) => revoked,
        }
    }

    /// All keys ever issued, in that order; none where there are none yet.
    ///
    /// # Errors
    /// They cannot be read.
    pub fn list(&self) -> Result<Vec<IssuedKey>> {
        let stored = match self {
            Self::File(path) => match FileState::try_at(path) {
                Ok(None) => Vec::new(),
                // What is wrong with it, reading says.
                _ => stored(path)?,
            },
            Self::Server(servers) => servers.0.keys()?,
        };
        Ok(stored.into_iter().map(IssuedKey::new).collect())
    }

    fn random_key(&self) -> Result<String> {
        let mut bytes = [0_u8; 32];
        getrandom::fill(&mut bytes)
            .map_err(|error| self.refused(format!("the system gives no random bytes: {error}")))?;
        Ok(URL_SAFE_NO_PAD.encode(bytes))
    }

    fn has_none(&self, name: &str) -> Error {
        self.refused(format!(
            "{name} has no valid key; `procurement-lookup keys list` shows the names"
        ))
    }

    fn refused(&self, what: String) -> Error {
        match self {
            Self::File(path) => Error::refused(path, what),
            Self::Server(servers) => Error::of_server(servers, what),
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
    fn count_valid(&mut self, name: &str, now: i64) -> Result<i64> {
        let sql = "SELECT count(*) FROM key \
                   WHERE name = ?1 AND revoked IS NULL AND (ends IS NULL OR ends > ?2)";
        self.value(sql, params![name, now], |row| row.get(0))
    }

    fn insert(&mut self, hash: [u8; 32], name: &str, now: i64) -> Result<()> {
        let sql = "INSERT INTO key (hash, name, issued) VALUES (?1, ?2, ?3)";
        self.execute(sql, params![hash.as_slice(), name, now])
    }

    fn end(&mut self, name: &str, end: i64) -> Result<()> {
        let sql = "UPDATE key SET ends = ?2 \
                   WHERE name = ?1 AND revoked IS NULL AND (ends IS NULL OR ends > ?2)";
        self.execute(sql, params![name, end])
    }

    fn revoke(&mut self, name: &str, now: i64) -> Result<bool> {
        let sql = "UPDATE key SET revoked = ?2 \
                   WHERE name = ?1 AND revoked IS NULL AND (ends IS NULL OR ends > ?2)";
        Ok(self.change(sql, params![name, now])? > 0)
    }
}

/// The keys of a file, in the order in which they were issued.
pub fn stored(path: &Path) -> Result<Vec<StoredKey>> {
    let file = KEYS.open_to_read(path)?;
    let sql = "SELECT hash, name, issued, revoked, ends FROM key ORDER BY id";
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

/// What is stored of a key: its SHA-256.
pub fn hash(key: &str) -> [u8; 32] {
    Sha256::digest(key).into()
}

/// An instant in seconds since 1970.
pub fn seconds(instant: SystemTime) -> i64 {
    let since = instant.duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_secs()).unwrap_or(i64::MAX)
    })
}

#[cfg(test)]
#[path = "keys/tests.rs"]
mod tests;
