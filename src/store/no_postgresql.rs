//! What stands for PostgreSQL in a program that was built without it: addresses that nobody
//! has.

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use super::key_rows::{KeyRows, StoredKey};

/// The crates whose log is not shown: none.
pub const LOGS_OF_SERVERS: &[&str] = &[];

/// There is none. It is within types, so that code that is compiled for both does not look
/// unreachable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Never {}

/// The address of servers: there is none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerAddress(Never);

/// The servers of an address: there are none.
#[derive(Debug)]
pub struct Cluster(Never);

impl ServerAddress {
    /// Is this text meant as such an address, rather than as a path?
    pub fn is_meant(text: &str) -> bool {
        ["postgresql://", "postgres://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
    }

    /// Refuses any address.
    ///
    /// # Errors
    /// A sentence with the remedy, without the address.
    pub fn parse(_: &str, _: &dyn Fn(&str) -> Option<String>) -> std::result::Result<Self, String> {
        let why = "this program was built without PostgreSQL; give a file, or build it with \
                   --features postgresql";
        Err(why.to_owned())
    }
}

impl fmt::Display for ServerAddress {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

impl Cluster {
    /// The servers of an address.
    pub fn new(address: ServerAddress) -> Arc<Self> {
        match address.0 {}
    }

    /// Looks at what other servers have.
    pub fn look_around(&self) {
        match self.0 {}
    }

    /// What is said of it: nothing, as there is none.
    pub(super) fn none<T>(&self) -> T {
        match self.0 {}
    }
}

/// What a publication came to: there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published(Never);

impl fmt::Display for Published {
    fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {}
    }
}

/// Publishes nothing.
///
/// # Errors
/// None.
pub fn publish(
    _: &Path,
    address: &ServerAddress,
    _: bool,
    _: &mut dyn FnMut(u64, u64),
) -> Result<Published> {
    match address.0 {}
}

/// The keys of servers while they are changed: there are none.
pub struct KeyTables(Never);

impl KeyTables {
    /// Begins a change.
    ///
    /// # Errors
    /// None.
    pub fn begin(address: &ServerAddress, _: bool) -> Result<Self> {
        match address.0 {}
    }

    /// Makes it count.
    ///
    /// # Errors
    /// None.
    pub fn commit(self) -> Result<()> {
        match self.0 {}
    }

    /// All keys ever issued.
    ///
    /// # Errors
    /// None.
    pub fn list(address: &ServerAddress) -> Result<Vec<StoredKey>> {
        match address.0 {}
    }
}

impl KeyRows for KeyTables {
    fn count_valid(&mut self, _: &str, _: i64) -> Result<i64> {
        match self.0 {}
    }

    fn insert(&mut self, _: [u8; 32], _: &str, _: i64) -> Result<()> {
        match self.0 {}
    }

    fn end(&mut self, _: &str, _: i64) -> Result<()> {
        match self.0 {}
    }

    fn revoke(&mut self, _: &str, _: i64) -> Result<bool> {
        match self.0 {}
    }
}

/// The keys of servers as they are read again and again: there are none.
pub struct FollowedKeys(Never);

impl FollowedKeys {
    /// The keys of servers.
    pub fn new(address: &ServerAddress) -> Self {
        match address.0 {}
    }

    /// All keys, if they have changed.
    ///
    /// # Errors
    /// None.
    pub fn changed(&mut self) -> Result<Option<Vec<StoredKey>>> {
        match self.0 {}
    }
}

impl super::Database {
    /// The data of these servers: there are none.
    pub fn on_server(cluster: &Arc<Cluster>) -> Self {
        cluster.none()
    }
}
