//! The data that answers come from, wherever it is, and that each answer is of one state of
//! it.

use std::sync::Arc;

use super::DataSource;
use super::data_state::DataState;
use super::error::Failure;
use super::generations::{Generations, Replacement};
use super::locked::locked;
use super::servers::{Servers, of_one_state};
use crate::model::Coverage;
use crate::store::{self, Database, Prefetch};

/// The data.
pub(super) enum Data {
    /// In a file, or in the program.
    File(Generations),
    /// On PostgreSQL servers.
    Servers(Box<Servers>),
}

/// The data in the state that an answer is of.
pub(super) struct DataView<'a> {
    pub database: &'a Database,
    /// Which official documents were obtained; none where that is still to be read.
    coverage: Option<&'a Arc<[Coverage]>>,
}

impl DataView<'_> {
    /// Which official documents were obtained.
    pub fn coverage(&self) -> store::Result<Arc<[Coverage]>> {
        match self.coverage {
            Some(coverage) => Ok(Arc::clone(coverage)),
            None => self.database.coverage(),
        }
    }
}

impl Data {
    pub fn new(source: DataSource) -> Self {
        match source {
            DataSource::Bundled => Self::File(Generations::new(None)),
            DataSource::File(path) => Self::File(Generations::new(Some(path))),
            DataSource::Server(servers) => Self::Servers(Servers::new(servers).into()),
        }
    }

    pub fn is_bundled(&self) -> bool {
        match self {
            Self::File(generations) => generations.is_bundled(),
            Self::Servers(_) => false,
        }
    }

    /// Has the connection at a place make an answer, of one state of the data: where that is
    /// on servers and moves on meanwhile, the answer is made once more. Servers are asked for
    /// what is `ahead` as it begins.
    ///
    /// # Errors
    /// The data cannot be read, or what `make` returns.
    pub fn answer<'a, T>(
        &self,
        place: usize,
        ahead: impl Fn(&Database) -> Prefetch<'a>,
        mut make: impl FnMut(&DataView<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let none = || Failure::Server("no connection to the data".to_owned());
        match self {
            Self::File(generations) => {
                // Both held to the end, so that all of the answer is from one file.
                let (database, generation) = generations.worker(place).ok_or_else(none)?;
                make(&DataView {
                    database: &locked(&database),
                    coverage: Some(&generation.coverage),
                })
            }
            Self::Servers(servers) => {
                let database = servers.worker(place).ok_or_else(none)?;
                let database = &mut *locked(&database);
                let mut made = of_one_state(database, ahead, |database| {
                    make(&DataView {
                        database,
                        coverage: None,
                    })
                });
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
