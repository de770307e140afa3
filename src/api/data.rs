//! The data as an operator sees it.

use std::time::{Duration, SystemTime};

use super::Api;
use crate::store;

/// The data as an operator sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataState {
    /// Given to the file when it was made.
    pub identity: i64,
    /// How many commits of imports have changed anything in it.
    pub revision: i64,
    /// The time of the last import that changed anything, in seconds since 1970.
    pub updated: i64,
    /// How often another file has taken its place since the start.
    pub switched: u64,
    /// How many files were refused that were to.
    pub refused: u64,
}

impl DataState {
    /// Which data it is, in one word: `IDENTITY-REVISION`, the identity in hexadecimal
    /// digits. It changes whenever the data does.
    pub fn version(&self) -> String {
        format!("{:016x}-{}", self.identity, self.revision)
    }

    /// How old the data is at `now`; nothing if that is before its time.
    pub fn age(&self, now: SystemTime) -> Duration {
        let updated = Duration::from_secs(u64::try_from(self.updated).unwrap_or(0));
        now.duration_since(SystemTime::UNIX_EPOCH)
            .unwrap_or_default()
            .saturating_sub(updated)
    }
}

impl Api {
    /// Which data is answered from, and since when; read by a connection of its own.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn data_state(&self) -> store::Result<DataState> {
        let version = self.source.open()?.snapshot()?.version()?;
        Ok(DataState {
            identity: version.identity,
            revision: version.revision,
            updated: version.updated,
            switched: 0,
            refused: 0,
        })
    }
}
