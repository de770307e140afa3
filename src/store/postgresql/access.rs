//! The servers of an address, behind the interface for the rest of the program.

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

/// The servers of an address, and their state as this process knows it.
#[derive(Debug)]
struct Access(Arc<Cluster>);

impl From<ServerAddress> for RemoteServers {
    fn from(address: ServerAddress) -> Self {
        Self(Arc::new(Access(Cluster::new(address))))
    }
}

impl fmt::Display for Access {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.address().fmt(f)
    }
}

impl ServerAccess for Access {
    fn database(&self) -> Database {
        Database::new(ServerData::new(&self.0))
    }

    fn probe_next(&self) {
        self.0.probe_next();
    }

    fn publish(
        &self,
        path: &Path,
        in_full: bool,
        report: &mut dyn FnMut(u64, u64),
    ) -> Result<String> {
        let published = publish(path, self.0.address(), in_full, report)?;
        Ok(published.to_string())
    }

    fn change_keys(&self, creates: bool) -> Result<Box<dyn KeyTransaction>> {
        Ok(Box::new(KeyTables::begin(self.0.address(), creates)?))
    }

    fn keys(&self) -> Result<Vec<StoredKey>> {
        KeyTables::list(self.0.address())
    }

    fn days_of_use(&self) -> Result<HashMap<KeyHash, Date>> {
        keys::days_of_use(self.0.address())
    }

    fn note_use(&self, used: &HashMap<KeyHash, Date>) -> Result<()> {
        keys::note_use(self.0.address(), used)
    }

    fn key_events(&self) -> Result<Vec<KeyEvent>> {
        keys::events(self.0.address())
    }

    fn follow_keys(&self) -> Box<dyn KeyFollower> {
        Box::new(FollowedKeys::new(self.0.address()))
    }
}
