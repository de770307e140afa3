//! The data that answers come from, wherever it is, and that each answer is of one state of
//! it.

pub(super) mod generations;
pub(super) mod servers;
pub(super) mod state;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::DataSource;
use super::error::Failure;
use crate::store::{self, Database, Prefetch};
use generations::{Generations, Replacement};
use servers::{Servers, of_one_state};
use state::DataState;

/// The data.
pub enum Data {
    /// In a file, or in the program.
    File(Box<Generations>),
    /// On PostgreSQL servers.
    Servers(Box<Servers>),
}

impl Data {
    pub fn new(source: DataSource) -> Self {
        match source {
            DataSource::Bundled => Self::File(Generations::new(None).into()),
            DataSource::File(path) => Self::File(Generations::new(Some(path)).into()),
            DataSource::Server(servers) => Self::Servers(Servers::new(servers).into()),
        }
    }

    /// The same, where all of a new file is checked before it is answered from.
    pub fn checking_new_files(self) -> Self {
        match self {
            Self::File(generations) => Self::File(generations.checking_new_files().into()),
            // A publication is one transaction of data that was read with its checksums.
            Self::Servers(_) => self,
        }
    }

    pub fn is_bundled(&self) -> bool {
        match self {
            Self::File(generations) => generations.is_bundled(),
            Self::Servers(_) => false,
        }
    }

    /// Runs `make` on the connection at a place, over one state of the data that is not older
    /// than a request `received` at that time (none: now). Where the data is on servers and
    /// moves on meanwhile, `make` runs again; servers are asked for what is `ahead` first.
    ///
    /// # Errors
    /// The data cannot be read, or what `make` returns.
    pub fn answer<'a, T>(
        &self,
        place: usize,
        received: Option<Instant>,
        ahead: impl Fn(&Database) -> Prefetch<'a>,
        mut make: impl FnMut(&Database) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let none = || Failure::Server("no connection to the data".to_owned());
        match self {
            Self::File(generations) => {
                // Both held to the end, so that all of the answer is from one file.
                let (database, _generation) =
                    generations.worker(place, received).ok_or_else(none)?;
                make(&locked(&database))
            }
            Self::Servers(servers) => {
                let database = servers.worker(place).ok_or_else(none)?;
                let database = &mut *locked(&database);
                let mut made = of_one_state(database, ahead, &mut make);
                if database.has_moved() {
                    let why = "the data was published anew each time that an answer was made";
                    made = Err(Failure::Unavailable(why.to_owned()));
                }
                match &made {
                    Err(Failure::Unavailable(reason)) => servers.note_outage(reason),
                    // Not answered either: a server that refuses, or damaged data.
                    Err(Failure::Server(_)) => {}
                    _ => servers.note_success(),
                }
                made
            }
        }
    }

    /// A connection of its own.
    pub fn opened(&self) -> store::Result<Database> {
        match self {
            Self::File(generations) => generations.opened(),
            Self::Servers(servers) => {
                let mut database = servers.connection();
                database.begin(Prefetch::Nothing)?;
                Ok(database)
            }
        }
    }

    /// A connection for one more that answers. Returns its place.
    pub fn add_worker(&self) -> store::Result<usize> {
        match self {
            Self::File(generations) => generations.add_worker(),
            Self::Servers(servers) => Ok(servers.add_worker()),
        }
    }

    pub fn state(&self) -> store::Result<DataState> {
        match self {
            Self::File(generations) => generations.state(),
            Self::Servers(servers) => servers.state(),
        }
    }

    /// The same, asked of servers now.
    pub fn probe(&self) -> store::Result<DataState> {
        match self {
            Self::File(generations) => generations.state(),
            Self::Servers(servers) => servers.probe(),
        }
    }

    pub fn notice_replacement(&self) -> Replacement {
        match self {
            Self::File(generations) => generations.notice_replacement(),
            Self::Servers(_) => Replacement::None,
        }
    }
}

/// What a mutex holds. That a handler panicked with it is no harm: what it read from was
/// given back on its way out.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
