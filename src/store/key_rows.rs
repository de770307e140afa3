//! The rows of keys, in a file or in the tables of a server, and what a change does with them.

use super::error::Result;

/// A key as a file or a server has it: not the key itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredKey {
    /// Its SHA-256.
    pub hash: [u8; 32],
    /// The name it was issued to.
    pub name: String,
    /// When, in seconds since 1970.
    pub issued: i64,
    /// When it was revoked.
    pub revoked: Option<i64>,
    /// When it ends, as another takes its place.
    pub ends: Option<i64>,
}

/// The keys while they are changed, by nobody else meanwhile. Instants are in seconds since
/// 1970.
pub trait KeyRows {
    /// How many keys of a name are valid at `now`.
    ///
    /// # Errors
    /// They cannot be read.
    fn count_valid(&mut self, name: &str, now: i64) -> Result<i64>;

    /// Adds a valid key of a name.
    ///
    /// # Errors
    /// It cannot be written.
    fn insert(&mut self, hash: [u8; 32], name: &str, now: i64) -> Result<()>;

    /// Has the valid keys of a name end at `end`, or earlier if they do.
    ///
    /// # Errors
    /// It cannot be written.
    fn end(&mut self, name: &str, end: i64) -> Result<()>;

    /// Revokes the keys of a name that are valid at `now`. Returns whether there were any.
    ///
    /// # Errors
    /// It cannot be written.
    fn revoke(&mut self, name: &str, now: i64) -> Result<bool>;
}
