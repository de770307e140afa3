//! Implements the interface through which the rest of the program uses the servers of an address.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use super::super::error::Result;
use super::super::key_rows::{KeyEvent, KeyHash, StoredKey};
use super::super::query::Database;
use super::super::remote_servers::{KeyFollower, KeyTransaction, RemoteServers, ServerAccess};
use super::address::ServerAddress;
use super::cluster::Cluster;
use super::keys::{self, FollowedKeys, KeyTables};
use super::publish::publish;
use super::reader::ServerData;
use crate::model::Date;

impl From<ServerAddress> for RemoteServers {
    fn from(address: ServerAddress) -> Self {
        Self(Cluster::new(address))
    }
}

impl fmt::Display for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.address().fmt(f)
    }
}

impl ServerAccess for Cluster {
    fn database(self: Arc<Self>) -> Database {
        Database::new(ServerData::new(&self))
    }

    fn probe_next(&self) {
        self.probe_next();
    }

    fn publish(
        &self,
        path: &Path,
        in_full: bool,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<String> {
        let published = publish(path, self.address(), in_full, report)?;
        Ok(published.to_string())
    }

    fn key_transaction(&self, creates: bool) -> Result<Box<dyn KeyTransaction>> {
        Ok(Box::new(KeyTables::begin(self.address(), creates)?))
    }

    fn keys(&self) -> Result<Vec<StoredKey>> {
        keys::list(self.address())
    }

    fn days_of_use(&self) -> Result<HashMap<KeyHash, Date>> {
        keys::days_of_use(self.address())
    }

    fn note_use(&self, used: &HashMap<KeyHash, Date>) -> Result<()> {
        keys::note_use(self.address(), used)
    }

    fn key_events(&self) -> Result<Vec<KeyEvent>> {
        keys::events(self.address())
    }

    fn follow_keys(&self) -> Box<dyn KeyFollower> {
        Box::new(FollowedKeys::new(self.address()))
    }
}
