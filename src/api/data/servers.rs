//! The data on PostgreSQL servers: a connection for each that answers and one for operators,
//! and whether servers can be reached.

use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use super::locked;
use super::state::DataState;
use crate::store::{self, Database, Prefetch, RemoteServers};

/// How often an answer is made at most whose data moves on while it is made.
const MOST_BEGINNINGS: usize = 5;

/// How often it is logged that no server can be reached, at most.
const REMINDER: Duration = Duration::from_secs(60);

/// The servers, and what is known of them.
pub struct Servers {
    servers: RemoteServers,
    /// One each that answers, at its place.
    workers: RwLock<Vec<Arc<Mutex<Database>>>>,
    /// The connection that asks for operators.
    probe: Mutex<Database>,
    /// What it found last; none before the first time.
    found: Mutex<Option<store::Result<DataState>>>,
    outage: Mutex<Outage>,
}

/// What was logged of servers that cannot be reached.
#[derive(Default)]
struct Outage {
    /// That none can be, and not yet that one can again.
    is_logged: bool,
    /// When that was last logged.
    logged: Option<Instant>,
}

impl Servers {
    pub fn new(servers: RemoteServers) -> Self {
        Self {
            workers: RwLock::default(),
            probe: Mutex::new(servers.database()),
            found: Mutex::default(),
            outage: Mutex::default(),
            servers,
        }
    }

    /// A connection for one more that answers, which is opened when the first answer begins.
    /// Returns its place.
    pub fn add_worker(&self) -> usize {
        let mut workers = self.workers.write().unwrap_or_else(PoisonError::into_inner);
        workers.push(Arc::new(Mutex::new(self.connection())));
        workers.len() - 1
    }

    /// The connection at a place.
    pub fn worker(&self, place: usize) -> Option<Arc<Mutex<Database>>> {
        let workers = self.workers.read().unwrap_or_else(PoisonError::into_inner);
        workers.get(place).cloned()
    }

    /// Another connection.
    pub fn connection(&self) -> Database {
        self.servers.database()
    }

    /// Asks the servers which data they have, for [`Servers::state`] as well.
    ///
    /// # Errors
    /// None can be reached and none could before, or one refuses.
    pub fn probe(&self) -> store::Result<DataState> {
        self.servers.look_around();
        let asked = of_one_state(
            &mut locked(&self.probe),
            |_| Prefetch::Nothing,
            |database| {
                let (version, registries) = (database.version(), database.registries());
                Ok::<_, store::Error>(DataState::new(version, registries, database.coverage()?))
            },
        );
        match &asked {
            Err(error) if error.is_unreachable() => self.note_outage(&error.to_string()),
            Err(_) => {}
            Ok(_) => self.note_success(),
        }
        let mut found = locked(&self.found);
        let now = match (asked, found.take()) {
            (Err(error), Some(Ok(known))) if error.is_unreachable() => Ok(DataState {
                is_reachable: false,
                ..known
            }),
            (Ok(new), Some(Ok(known))) => Ok(self.compared(new, &known)),
            (asked, _) => asked,
        };
        found.insert(now).clone()
    }

    /// What was found, with the publications counted that were seen; a new one is logged.
    fn compared(&self, new: DataState, known: &DataState) -> DataState {
        let is_new = new.version() != known.version();
        if is_new {
            let updated = new.updated_at();
            log::info!("another publication; answers are from it, whose data is of {updated}");
        }
        DataState {
            switched: known.switched + u64::from(is_new),
            ..new
        }
    }

    /// The data as it was found last. The servers are asked only if they never were.
    ///
    /// # Errors
    /// It could not be read then, and not before.
    pub fn state(&self) -> store::Result<DataState> {
        let found = locked(&self.found).clone();
        found.unwrap_or_else(|| self.probe())
    }

    /// Notes that no server could be reached: logged at once, then each minute.
    pub fn note_outage(&self, reason: &str) {
        let mut outage = locked(&self.outage);
        let is_due = |logged: Instant| logged.elapsed() >= REMINDER;
        if outage.logged.is_none_or(is_due) {
            outage.logged = Some(Instant::now());
            outage.is_logged = true;
            log::error!("requests are answered 503: {reason}");
        }
    }

    /// Notes that an answer was read from a server: logged where none could be reached before.
    pub fn note_success(&self) {
        let mut outage = locked(&self.outage);
        if std::mem::take(&mut outage.is_logged) {
            log::info!("a server can be reached again; requests are answered");
        }
    }
}

/// Makes an answer, again where the data has moved on meanwhile; after [`MOST_BEGINNINGS`]
/// times the last is returned, whether or not it has. `ahead` is what is read first, by what
/// was read the last time.
pub fn of_one_state<'a, T, E: From<store::Error>>(
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
