//! The rows of keys, in a file or in the tables of a server, and the operations of a change.

use super::error::Result;
use crate::model::Rate;

/// The stored form of a key: its SHA-256.
pub type KeyHash = [u8; 32];

/// The terms on which a key is issued. Its replacement has the same terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyTerms {
    /// Its lifetime in seconds; none if it has no end.
    pub lasts: Option<i64>,
    /// Its own limit, in place of the server's limits for all keys.
    pub limit: Option<Rate>,
}

/// A key as a file or a server stores it, without the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    /// Its SHA-256.
    pub hash: KeyHash,
    /// The name it was issued to.
    pub name: String,
    /// The time of issue, in seconds since 1970.
    pub issued: i64,
    /// Its lifetime in seconds; none if it has no end.
    pub lasts: Option<i64>,
    /// Its own limit, in place of the server's limits for all keys. A key whose limit is damaged is
    /// not valid: nobody knows what was meant by it.
    pub limit: std::result::Result<Option<Rate>, DamagedLimit>,
    /// The end of the key, by its terms or after a replacement.
    pub ends: Option<i64>,
    /// The time of revocation.
    pub revoked: Option<i64>,
}

/// An event in the history of keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEvent {
    /// The time, in seconds since 1970.
    pub at: i64,
    /// `issued`, `rotated`, `limited` or `revoked`.
    pub action: String,
    /// The name of the keys.
    pub name: String,
    /// Details for people; empty if there are none.
    pub details: String,
}

/// The keys during a change, which excludes other changes. Instants are in seconds since 1970. Each
/// method fails if the keys cannot be read or written.
pub trait KeyRows {
    /// Returns all keys ever issued, in the order of issue.
    fn all(&mut self) -> Result<Vec<StoredKey>>;

    /// Adds a key.
    fn insert(&mut self, key: &StoredKey) -> Result<()>;

    /// Updates the end and the revocation of the key with this hash.
    fn update(&mut self, key: &StoredKey) -> Result<()>;

    /// Sets the limit of the key with this hash.
    fn set_limit(&mut self, hash: &KeyHash, limit: Option<Rate>) -> Result<()>;

    /// Adds an event to the history.
    fn log(&mut self, event: &KeyEvent) -> Result<()>;
}

/// The columns of a limit. A damaged one is half a limit, and is read as damaged again.
pub fn limit_columns(limit: std::result::Result<Option<Rate>, DamagedLimit>) -> [Option<i64>; 2] {
    let Ok(limit) = limit else {
        return [None, Some(0)];
    };
    [
        limit.map(|limit| limit.per_second.into()),
        limit.map(|limit| limit.burst.into()),
    ]
}

/// A stored limit that is not two numbers of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamagedLimit;

/// Returns the limit in these columns.
pub fn limit_of(
    rate: Option<i64>,
    burst: Option<i64>,
) -> std::result::Result<Option<Rate>, DamagedLimit> {
    let number = |number: i64| number.try_into().map_err(|_| DamagedLimit);
    match (rate, burst) {
        (None, None) => Ok(None),
        (Some(rate), Some(burst)) => Ok(Some(Rate {
            per_second: number(rate)?,
            burst: number(burst)?,
        })),
        _ => Err(DamagedLimit),
    }
}
