//! The interface of PostgreSQL servers to the rest of the program. Only a build with the feature
//! `postgresql` has servers; another one refuses their addresses.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use super::key_rows::{KeyEvent, KeyHash, KeyRows, StoredKey};
use super::query::Database;
use crate::model::Date;

/// The operations of servers: answering, publishing, and storing keys.
pub(super) trait ServerAccess: fmt::Debug + fmt::Display + Send + Sync {
    /// Returns another connection to the data. It connects to no server before an answer begins.
    fn database(self: Arc<Self>) -> Database;
    /// Reads the publication of the next server in turn, to learn of a newer one.
    fn probe_next(&self);
    /// Publishes the data of a file; see [`RemoteServers::publish`].
    fn publish(
        &self,
        path: &Path,
        in_full: bool,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<String>;
    /// Begins a transaction on the keys. There may be none if it `creates` them.
    fn key_transaction(&self, creates: bool) -> Result<Box<dyn KeyTransaction>>;
    /// Returns all keys ever issued.
    fn keys(&self) -> Result<Vec<StoredKey>>;
    /// Returns the last day of use of each key, if servers have stored one.
    fn days_of_use(&self) -> Result<HashMap<KeyHash, Date>>;
    /// Stores last days of use. A later stored day stays.
    fn note_use(&self, used: &HashMap<KeyHash, Date>) -> Result<()>;
    /// Returns the events of keys, in order.
    fn key_events(&self) -> Result<Vec<KeyEvent>>;
    /// Returns the keys, for reading them again and again.
    fn follow_keys(&self) -> Box<dyn KeyFollower>;
}

/// A transaction on the keys. Dropping it undoes it.
pub(super) trait KeyTransaction: KeyRows {
    /// Commits it.
    fn commit(self: Box<Self>) -> Result<()>;
}

/// The keys of servers, read again and again.
pub(super) trait KeyFollower: Send {
    /// Returns all keys, if they have changed.
    fn changed(&mut self) -> Result<Option<Vec<StoredKey>>>;
}

/// The servers of an address.
#[derive(Clone, Debug)]
pub struct RemoteServers(pub(super) Arc<dyn ServerAccess>);

impl RemoteServers {
    /// Returns whether a text is an address of servers rather than a path.
    pub fn is_address(text: &str) -> bool {
        ["postgresql://", "postgres://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
    }

    /// Returns another connection to the data. It connects to no server before an answer begins.
    pub fn database(&self) -> Database {
        Arc::clone(&self.0).database()
    }

    /// Reads the publication of the next server in turn, to learn of a newer one.
    pub fn probe_next(&self) {
        self.0.probe_next();
    }

    /// Publishes the data of the file at `path` to the server that can be written to. With
    /// `in_full` it sends all rows, even if a state of the file is published. `report` receives the
    /// number of rows sent and the total; both are equal while the server finishes. Returns a
    /// sentence about the outcome.
    ///
    /// # Errors
    /// The file cannot be read; no server can be written to, or it refuses; another publication is
    /// under way. The previous publication then stays. If the server was lost at the end of the
    /// publication, the error says so.
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
