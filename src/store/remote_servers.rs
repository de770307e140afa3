//! Servers of PostgreSQL, as far as the rest of the program knows them. Only a build with the
//! feature `postgresql` has any: another one refuses their addresses.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::error::Result;
use super::key_rows::{KeyEvent, KeyHash, KeyRows, StoredKey};
use super::query::Database;
use crate::model::Date;

/// What servers do: answer, take a publication, and hold keys.
pub(super) trait ServerAccess: fmt::Debug + fmt::Display + Send + Sync {
    /// Another connection to the data. No server is asked before an answer begins.
    fn database(&self) -> Database;
    /// Looks at what the servers have that are not asked.
    fn look_around(&self);
    /// Publishes the data of a file; see [`RemoteServers::publish`].
    fn publish(
        &self,
        path: &Path,
        in_full: bool,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<String>;
    /// Begins a change of the keys, of which there need not be any if it `creates` them.
    fn change_keys(&self, creates: bool) -> Result<Box<dyn KeyTransaction>>;
    /// All keys ever issued.
    fn keys(&self) -> Result<Vec<StoredKey>>;
    /// The last day on which each key was used, as far as servers have noted it.
    fn days_of_use(&self) -> Result<HashMap<KeyHash, Date>>;
    /// Notes last days of use; a later one that is there stays.
    fn note_use(&self, used: &HashMap<KeyHash, Date>) -> Result<()>;
    /// What was done with keys, in that order.
    fn key_events(&self) -> Result<Vec<KeyEvent>>;
    /// The keys, to be read again and again.
    fn follow_keys(&self) -> Box<dyn KeyFollower>;
}

/// A change of the keys. Dropped, it is as if nothing had been changed.
pub(super) trait KeyTransaction: KeyRows {
    /// Ends it, and makes it count.
    fn commit(self: Box<Self>) -> Result<()>;
}

/// The keys of servers as they are read again and again.
pub(super) trait KeyFollower: Send {
    /// All keys, if they have changed.
    fn changed(&mut self) -> Result<Option<Vec<StoredKey>>>;
}

/// The servers of an address.
#[derive(Clone, Debug)]
pub struct RemoteServers(pub(super) Arc<dyn ServerAccess>);

impl RemoteServers {
    /// Whether a text is meant as an address of servers, rather than as a path.
    pub fn are_meant(text: &str) -> bool {
        ["postgresql://", "postgres://"]
            .iter()
            .any(|scheme| text.starts_with(scheme))
    }

    /// Another connection to the data. No server is asked before an answer begins.
    pub fn database(&self) -> Database {
        self.0.database()
    }

    /// Looks at what the servers have that are not asked.
    pub fn look_around(&self) {
        self.0.look_around();
    }

    /// Publishes the data of the file at `path` to the server that can be written to. With
    /// `in_full` all is sent, whatever is published. `report` is told how many rows were sent,
    /// and of how many; all of them while the server finishes. Returns a sentence on it.
    ///
    /// # Errors
    /// The file cannot be read; no server can be written to, or it refuses; another publication
    /// is under way. What was published is published still; where the server was lost as it ended
    /// the publication, the error says so.
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
