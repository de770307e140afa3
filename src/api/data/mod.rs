//! The data behind the answers. Each answer comes from a single state of the data.

pub(super) mod connections;
pub(super) mod followed_file;
pub(super) mod remote_data;
pub(super) mod state;

use std::time::Instant;

use super::DataSource;
use super::error::{ErrorKind, Failure};
use crate::store::{self, Database, Prefetch};
use connections::locked;
use followed_file::{FollowedFile, Replacement};
use remote_data::{RemoteData, read_consistently};
use state::DataState;

pub enum Data {
    /// The bundled data counts as a file.
    File(Box<FollowedFile>),
    Remote(Box<RemoteData>),
}

impl Data {
    pub fn new(source: DataSource) -> Self {
        match source {
            DataSource::Bundled => Self::File(FollowedFile::new(None).into()),
            DataSource::File(path) => Self::File(FollowedFile::new(Some(path)).into()),
            DataSource::Server(servers) => Self::Remote(RemoteData::new(servers).into()),
        }
    }

    pub fn is_bundled(&self) -> bool {
        match self {
            Self::File(file) => file.is_bundled(),
            Self::Remote(_) => false,
        }
    }

    /// Runs `make` over a single state of the data, which is no older than `received` (`None` means
    /// now). A database server first reads the rows that `ahead` names, and `make` runs again if
    /// the data is replaced meanwhile.
    ///
    /// # Errors
    /// Returns the error of `make`, or an error if the data is unreadable.
    pub fn answer<'a, T>(
        &self,
        worker: usize,
        received: Option<Instant>,
        ahead: impl Fn(&Database) -> Prefetch<'a>,
        mut make: impl FnMut(&Database) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let none = || Failure::server("no connection to the data");
        match self {
            Self::File(file) => {
                // Both must live until the end, so that the whole answer comes from one file.
                let (database, _generation) = file.worker(worker, received).ok_or_else(none)?;
                make(&locked(&database))
            }
            Self::Remote(servers) => {
                let database = servers.worker(worker).ok_or_else(none)?;
                let database = &mut *locked(&database);
                let mut made = read_consistently(database, ahead, &mut make);
                if database.has_moved() {
                    let why = "each attempt at an answer was interrupted by a new publication";
                    made = Err(Failure::unavailable(why));
                }
                let failure = made.as_ref().err();
                match failure.map(|failure| (failure.kind, failure.reason())) {
                    Some((ErrorKind::Unavailable, reason)) => {
                        servers.note_outage(reason.unwrap_or_default());
                    }
                    // A server refused the statement, or the data is damaged. That is neither an
                    // outage nor a sign that servers are reachable again.
                    Some((ErrorKind::Server, _)) => {}
                    _ => servers.note_success(),
                }
                made
            }
        }
    }

    /// Opens a connection that belongs to no answerer.
    pub fn opened(&self) -> store::Result<Database> {
        match self {
            Self::File(file) => file.opened(),
            Self::Remote(servers) => {
                let mut database = servers.connection();
                database.begin(Prefetch::Nothing)?;
                Ok(database)
            }
        }
    }

    /// Opens a connection for another answerer and returns its index.
    pub fn add_worker(&self) -> store::Result<usize> {
        match self {
            Self::File(file) => file.add_worker(),
            Self::Remote(servers) => Ok(servers.add_worker()),
        }
    }

    /// Returns the state of the data on which a worker's answers are based. Queries a database
    /// server only if no state is known yet.
    pub fn known(&self, worker: usize, received: Option<Instant>) -> store::Result<DataState> {
        match self {
            Self::File(file) => match file.worker(worker, received) {
                Some((_, generation)) => Ok(generation.data()),
                None => file.state(),
            },
            Self::Remote(servers) => servers.state(),
        }
    }

    pub fn state(&self) -> store::Result<DataState> {
        match self {
            Self::File(file) => file.state(),
            Self::Remote(servers) => servers.state(),
        }
    }

    /// Queries the database servers for the current state of the data. For a file, this is the same
    /// as [`Data::state`].
    pub fn probe(&self) -> store::Result<DataState> {
        match self {
            Self::File(file) => file.state(),
            Self::Remote(servers) => servers.probe(),
        }
    }

    pub fn notice_replacement(&self) -> Replacement {
        match self {
            Self::File(file) => file.notice_replacement(),
            Self::Remote(_) => Replacement::None,
        }
    }
}
