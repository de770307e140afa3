//! Data on PostgreSQL servers. Each answerer has a connection, and operators' queries have another.
//! Outages are logged here.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::connections::{Connections, DataConnection, locked};
use super::state::DataState;
use crate::model::Throttled;
use crate::store::{self, Database, Prefetch, RemoteServers};

/// Maximum number of attempts at one answer while the data keeps changing.
const MOST_BEGINNINGS: usize = 5;

/// Minimum time between log lines about an outage.
const REMINDER: Duration = Duration::from_secs(60);

pub struct RemoteData {
    servers: RemoteServers,
    workers: Connections,
    /// This connection serves operators' queries, so that they never wait for an answer.
    probe: Mutex<Database>,
    /// Result of the last probe; `None` before the first.
    found: Mutex<Option<store::Result<DataState>>>,
    outage: Throttled<()>,
}

impl RemoteData {
    pub fn new(servers: RemoteServers) -> Self {
        Self {
            workers: Connections::default(),
            probe: Mutex::new(servers.database()),
            found: Mutex::default(),
            outage: Throttled::every(REMINDER),
            servers,
        }
    }

    /// Adds a connection for another answerer and returns its index. The connection is opened by
    /// its first answer.
    pub fn add_worker(&self) -> usize {
        self.workers.add(self.connection())
    }

    pub fn worker(&self, worker: usize) -> Option<DataConnection> {
        self.workers.get(worker)
    }

    pub fn connection(&self) -> Database {
        self.servers.database()
    }

    /// Queries the servers for the state of their data, which [`RemoteData::state`] then returns
    /// until the next probe.
    ///
    /// # Errors
    /// Returns an error if a server refuses the query, or if no server has ever responded.
    pub fn probe(&self) -> store::Result<DataState> {
        self.servers.probe_next();
        let asked = read_consistently(
            &mut locked(&self.probe),
            |_| Prefetch::Nothing,
            |database| {
                let (version, registries) = (database.version(), database.registries());
                Ok::<_, store::Error>(DataState {
                    unread: database.unread_entries(),
                    contracts_without_items: database.contracts_without_items(),
                    contracts_updated: database.contracts_changed()?,
                    ..DataState::new(version, registries, database.coverage()?)
                })
            },
        );
        match &asked {
            Err(error) if error.is_outage() => self.note_outage(&error.to_string()),
            Err(_) => {}
            Ok(_) => self.note_success(),
        }
        let mut found = locked(&self.found);
        let now = match (asked, found.take()) {
            (Err(error), Some(Ok(known))) if error.is_outage() => Ok(DataState {
                is_reachable: false,
                ..known
            }),
            (Ok(new), Some(Ok(known))) => Ok(self.compared(new, &known)),
            (asked, _) => asked,
        };
        found.insert(now).clone()
    }

    /// Logs a new publication, and counts it in the returned state.
    fn compared(&self, new: DataState, known: &DataState) -> DataState {
        let is_new = new.version() != known.version();
        if is_new {
            let updated = new.updated_at();
            log::info!("using a new publication, with data of {updated}");
        }
        DataState {
            switched: known.switched + u64::from(is_new),
            ..new
        }
    }

    /// Returns what the last probe found. Probes the servers if there was none.
    ///
    /// # Errors
    /// See [`RemoteData::probe`].
    pub fn state(&self) -> store::Result<DataState> {
        let found = locked(&self.found).clone();
        found.unwrap_or_else(|| self.probe())
    }

    /// Logs that no server is reachable, at most once per [`REMINDER`].
    pub fn note_outage(&self, reason: &str) {
        if self.outage.occurs((), Instant::now()).is_some() {
            log::error!("answering requests with 503: {reason}");
        }
    }

    pub fn note_success(&self) {
        if self.outage.ends() {
            log::info!("a server is reachable again; answering requests");
        }
    }
}

/// Makes an answer from a single state of the data. If the data is replaced meanwhile, makes the
/// answer again, up to [`MOST_BEGINNINGS`] times in total. The last answer is returned even if the
/// data was replaced once more. `ahead` returns the rows to read first. It is called before
/// [`Database::begin`], so the data version that it sees may be out of date.
pub fn read_consistently<'a, T, E: From<store::Error>>(
    database: &mut Database,
    ahead: impl Fn(&Database) -> Prefetch<'a>,
    mut make: impl FnMut(&Database) -> Result<T, E>,
) -> Result<T, E> {
    let mut made = 0;
    loop {
        let first = ahead(database);
        database.begin(first)?;
        let answer = make(database);
        made += 1;
        if !database.has_moved() || made == MOST_BEGINNINGS {
            return answer;
        }
    }
}
