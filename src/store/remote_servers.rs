//! Interface between PostgreSQL servers and the rest of the program. Only builds with the feature
//! `postgresql` support servers; others reject the addresses of servers.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use super::key_rows::{KeyEvent, KeyHash, KeyRows, StoredKey};
use super::query::Database;
use crate::model::Date;

/// Operations on servers: answering, publishing, and storing keys.
pub(super) trait ServerAccess: fmt::Debug + fmt::Display + Send + Sync {
    /// Returns a new connection to the data. It connects to a server only when an answer begins.
    fn database(self: Arc<Self>) -> Database;
    /// Checks the next server, in rotation, for a newer publication.
    fn probe_next(&self);
    /// See [`RemoteServers::publish`].
    fn publish(
        &self,
        path: &Path,
        in_full: bool,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<String>;
    /// Begins a transaction on the keys. Unless `creates` is set, the tables of keys must already
    /// exist.
    fn key_transaction(&self, creates: bool) -> Result<Box<dyn KeyTransaction>>;
    fn keys(&self) -> Result<Vec<StoredKey>>;
    /// Returns the last day of use of each key that was ever used.
    fn days_of_use(&self) -> Result<HashMap<KeyHash, Date>>;
    /// Stores days of last use. A later day that is already stored is kept.
    fn note_use(&self, used: &HashMap<KeyHash, Date>) -> Result<()>;
    fn key_events(&self) -> Result<Vec<KeyEvent>>;
    fn follow_keys(&self) -> Box<dyn KeyFollower>;
}

/// A transaction on the keys. Dropping it rolls it back.
pub(super) trait KeyTransaction: KeyRows {
    fn commit(self: Box<Self>) -> Result<()>;
}

pub(super) trait KeyFollower: Send {
    /// Returns all keys if they have changed since the last successful call.
    fn changed(&mut self) -> Result<Option<Vec<StoredKey>>>;
}

/// PostgreSQL servers with the same data, given by their address.
#[derive(Clone, Debug)]
pub struct RemoteServers(pub(super) Arc<dyn ServerAccess>);

impl RemoteServers {
    /// Returns whether a text is an address of servers rather than a path.
    pub fn is_address(text: &str) -> bool {
        ["postgresql://", "postgres://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
    }

    /// Returns a new connection to the data. It connects to a server only when an answer begins.
    pub fn database(&self) -> Database {
        Arc::clone(&self.0).database()
    }

    /// Checks the next server, in rotation, for a newer publication.
    pub fn probe_next(&self) {
        self.0.probe_next();
    }

    /// Publishes the data of the file at `path` to the server that can be written to. If `in_full`
    /// is set, sends all rows even if an earlier state of the file is already published. `report`
    /// receives the number of rows sent and the total; they are equal while the server finishes.
    /// Returns a sentence about the outcome.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, no server can be written to, the server
    /// refuses, or another publication is in progress. The previous publication then stays. If the
    /// connection was lost during the commit, the error says that either publication may be
    /// current.
    pub fn publish(
        &self,
        path: &Path,
        in_full: bool,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<String> {
        self.0.publish(path, in_full, report)
    }
}

impl fmt::Display for RemoteServers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
