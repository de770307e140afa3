//! Rows of keys, whether in a file or in a server's tables, and the operations that change them.

use super::error::Result;
use crate::model::Rate;

/// SHA-256 of a key, which is stored in place of the key.
pub type KeyHash = [u8; 32];

/// Terms on which a key is issued. A key that replaces another gets the same terms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KeyTerms {
    /// Lifetime in seconds; `None` if the key does not expire.
    pub lasts: Option<i64>,
    /// The key's own limit; `None` if the limits that the server sets for all keys apply.
    pub limit: Option<Rate>,
}

/// What is stored about a key. The key itself is not stored, only its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    pub hash: KeyHash,
    pub name: String,
    /// Time of issue, in seconds since 1970.
    pub issued: i64,
    /// Lifetime in seconds; `None` if the key does not expire.
    pub lasts: Option<i64>,
    /// The key's own limit; `None` if the limits that the server sets for all keys apply. A key
    /// with a damaged limit is invalid, because the intended limit is unknown.
    pub limit: std::result::Result<Option<Rate>, DamagedLimit>,
    /// When the key stops being valid, in seconds since 1970, because it expires or was replaced.
    pub ends: Option<i64>,
    /// Time of revocation, in seconds since 1970.
    pub revoked: Option<i64>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyEvent {
    /// Time of the event, in seconds since 1970.
    pub at: i64,
    /// `issued`, `rotated`, `limited` or `revoked`.
    pub action: String,
    pub name: String,
    pub details: String,
}

/// The rows of keys during a change. No other change can run at the same time. Times are in seconds
/// since 1970. Every method returns an error if the keys cannot be read or written.
pub trait KeyRows {
    /// Returns all keys ever issued, in the order of issue.
    fn all(&mut self) -> Result<Vec<StoredKey>>;

    fn insert(&mut self, key: &StoredKey) -> Result<()>;

    /// Updates the end and the revocation of the key with this hash.
    fn update(&mut self, key: &StoredKey) -> Result<()>;

    fn set_limit(&mut self, hash: &KeyHash, limit: Option<Rate>) -> Result<()>;

    fn log(&mut self, event: &KeyEvent) -> Result<()>;
}

/// Returns the columns that store a limit. A damaged limit is stored as a burst without a rate, so
/// that it is read back as damaged.
pub fn limit_columns(limit: std::result::Result<Option<Rate>, DamagedLimit>) -> [Option<i64>; 2] {
    let Ok(limit) = limit else {
        return [None, Some(0)];
    };
    [
        limit.map(|limit| limit.per_second.into()),
        limit.map(|limit| limit.burst.into()),
    ]
}

/// A stored limit that is not a pair of valid numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DamagedLimit;

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
