//! The rows of keys, in a file or in the tables of a server, and what a change does with them.

use super::error::Result;
use crate::model::Rate;

/// What is stored of a key: its SHA-256.
pub type KeyHash = [u8; 32];

/// The terms on which a key is issued; a key that takes its place has the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyTerms {
    /// For how many seconds it is valid; none where no end is set.
    pub lasts: Option<i64>,
    /// Its own limit, in place of those that the server has for all keys.
    pub limit: Option<Rate>,
}

/// A key as a file or a server has it: not the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    /// Its SHA-256.
    pub hash: KeyHash,
    /// The name it was issued to.
    pub name: String,
    /// When, in seconds since 1970.
    pub issued: i64,
    /// Its terms.
    pub terms: KeyTerms,
    /// When it ends, by its terms or as another takes its place.
    pub ends: Option<i64>,
    /// When it was revoked.
    pub revoked: Option<i64>,
}

/// Something that was done with keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEvent {
    /// When, in seconds since 1970.
    pub at: i64,
    /// `issued`, `rotated`, `limited` or `revoked`.
    pub action: String,
    /// The name of the keys.
    pub name: String,
    /// What else is to be said, for people; empty where there is nothing.
    pub details: String,
}

/// The keys while they are changed, by nobody else meanwhile. Instants are in seconds since
/// 1970. Each fails if they cannot be read or written.
pub trait KeyRows {
    /// How many keys of a name are valid at `now`.
    fn count_valid(&mut self, name: &str, now: i64) -> Result<i64>;

    /// The terms of the newest key of a name that is valid at `now`.
    fn terms(&mut self, name: &str, now: i64) -> Result<Option<KeyTerms>>;

    /// Adds a valid key.
    fn insert(&mut self, key: &StoredKey) -> Result<()>;

    /// Ends the valid keys of a name at `end`, save those that end earlier.
    fn end(&mut self, name: &str, end: i64) -> Result<()>;

    /// Sets the limit of the keys of a name that are valid at `now`.
    fn limit(&mut self, name: &str, limit: Option<Rate>, now: i64) -> Result<()>;

    /// Revokes the keys of a name that are valid at `now`.
    fn revoke(&mut self, name: &str, now: i64) -> Result<()>;

    /// Notes what was done.
    fn log(&mut self, event: &KeyEvent) -> Result<()>;
}

/// The columns of a limit.
pub fn limit_columns(limit: Option<Rate>) -> [Option<i64>; 2] {
    [
        limit.map(|limit| limit.per_second.into()),
        limit.map(|limit| limit.burst.into()),
    ]
}

/// The limit of these columns; none, too, where they are no numbers of requests.
pub fn limit_of(rate: Option<i64>, burst: Option<i64>) -> Option<Rate> {
    Some(Rate {
        per_second: rate?.try_into().ok()?,
        burst: burst?.try_into().ok()?,
    })
}
