//! What a process knows about the servers of an address, shared by all its sessions: which server
//! responds, and the newest publication seen.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::super::entry_list::EntryList;
use super::super::error::{Error, Result};
use super::super::server_bounds::{ATTEMPT, MAX_LAG, SHORT_STATEMENT, STATEMENT};
use super::address::ServerAddress;
use super::client::{ServerHost, Session, may_pass_elsewhere};
use super::publication::FORMAT;
use crate::model::Coverage;

/// Statement that selects the number of the current publication, if its tables have this program's
/// format.
const NUMBER: &str = "SELECT number FROM procurement_lookup.publication WHERE format = $1";

/// Time limits and intervals. Tests use shorter ones.
#[derive(Clone, Copy, Debug)]
struct Timings {
    /// Time limit for one attempt to connect.
    attempt: Duration,
    /// How long a failed host comes last in the order of attempts.
    failed: Duration,
    /// Minimum time without new attempts after all hosts have failed.
    rest: Duration,
    /// How long publications older than the newest one seen are rejected.
    lag: Duration,
    /// Minimum time between two searches of all hosts for the newest publication.
    search: Duration,
    /// Interval at which the publication of another host is checked.
    probe: Duration,
}

impl Timings {
    const USUAL: Self = Self {
        attempt: ATTEMPT,
        failed: Duration::from_secs(10),
        rest: Duration::from_millis(100),
        lag: MAX_LAG,
        search: Duration::from_millis(500),
        probe: Duration::from_secs(5),
    };
}

#[derive(Debug)]
pub struct Cluster {
    address: ServerAddress,
    timings: Timings,
    states: Mutex<ServerStates>,
    /// Coverage of the data with this identity, shared by all sessions. It may have up to 50,000
    /// runs of days.
    coverage: Mutex<Option<(i64, Arc<[Coverage]>)>>,
    /// RNP entries of the data with this identity, shared by all sessions.
    entries: Mutex<Option<(i64, Arc<EntryList>)>>,
}

#[derive(Debug)]
struct ServerStates {
    /// Index of the server that responded last.
    last: usize,
    /// When each server last failed; `None` if it has responded since.
    failed: Vec<Option<Instant>>,
    /// When each server last had an older publication or could not execute a statement; `None` if
    /// it has responded since.
    behind: Vec<Option<Instant>>,
    /// Index of the server that [`Cluster::probe_next`] checked last, and the time.
    probed: (usize, Instant),
    /// Error of the last search for a server. Until the given time, further searches return it
    /// again.
    unreachable: Option<(Instant, Error)>,
    /// The number of the newest publication seen.
    newest: i64,
    /// Since when only publications older than [`Self::newest`] have been seen.
    lags_since: Option<Instant>,
    /// When all hosts were last searched for the newest publication ([`Cluster::is_newest_left`]).
    searched: Option<Instant>,
}

impl Cluster {
    /// Creates the state of a process that knows nothing about the servers yet.
    pub fn new(address: ServerAddress) -> Arc<Self> {
        Arc::new(Self::with_timings(address, Timings::USUAL))
    }

    fn with_timings(address: ServerAddress, timings: Timings) -> Self {
        let states = ServerStates::new(address.hosts().len());
        Self {
            address,
            timings,
            states: Mutex::new(states),
            coverage: Mutex::default(),
            entries: Mutex::default(),
        }
    }

    /// Returns the cached coverage of the data with this identity.
    pub fn coverage_of(&self, identity: i64) -> Option<Arc<[Coverage]>> {
        let coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        let known = coverage.as_ref().filter(|(known, _)| *known == identity);
        known.map(|(_, coverage)| Arc::clone(coverage))
    }

    /// Caches the coverage of the data with this identity, in place of any other.
    pub fn cache_coverage(&self, identity: i64, runs: Arc<[Coverage]>) {
        let mut coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        *coverage = Some((identity, runs));
    }

    pub(in crate::store) fn entries_of(&self, identity: i64) -> Option<Arc<EntryList>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let known = entries.as_ref().filter(|(known, _)| *known == identity);
        known.map(|(_, entries)| Arc::clone(entries))
    }

    /// Caches the RNP entries of the data with this identity, in place of any other.
    pub(in crate::store) fn cache_entries(&self, identity: i64, list: Arc<EntryList>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        *entries = Some((identity, list));
    }

    pub fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Connects to one of the servers. First tries the server that responded last; servers that
    /// failed recently come last. Each attempt takes at most a second, and all attempts together
    /// end at `deadline`.
    ///
    /// # Errors
    /// Returns an error if no server is reachable ([`Error::is_unreachable`]), or if all refuse.
    /// After a failed search, further calls return the same error immediately, so that not every
    /// request waits. This lasts as long as the search took, but at least 0.1 s and at most 1 s.
    pub fn session(&self, deadline: Instant) -> Result<Session> {
        self.connect(deadline, Ok)
    }

    /// Connects to the primary or, if it is unreachable, to a standby. Also returns whether it is a
    /// standby. Deadlines are as for [`Cluster::session`].
    ///
    /// # Errors
    /// Returns an error if no server is reachable ([`Error::is_unreachable`]), or if all refuse.
    pub fn primary_or_standby(&self, deadline: Instant) -> Result<(Session, bool)> {
        let mut standby = None;
        match self.primary(deadline, &mut standby) {
            Ok(primary) => Ok((primary, false)),
            Err(error) => Ok((standby.ok_or(error)?, true)),
        }
    }

    /// Connects to the primary. If a session with a standby is found on the way, stores it in
    /// `standby`.
    fn primary(&self, deadline: Instant, standby: &mut Option<Session>) -> Result<Session> {
        self.connect(deadline, |mut session| {
            if is_primary(&mut session, self.timings.attempt)? {
                return Ok(session);
            }
            let refused = session.refused("it is a standby, which takes no changes");
            standby.get_or_insert(session);
            Err(Error::unreachable(&self.address, refused.without_address()))
        })
    }

    /// Connects to the servers in turn until `select` accepts one of the sessions.
    fn connect(
        &self,
        deadline: Instant,
        mut select: impl FnMut(Session) -> Result<Session>,
    ) -> Result<Session> {
        let order = self.states().order(&self.timings)?;
        let begun = Instant::now();
        let (mut reasons, mut is_unreachable) = (Vec::new(), false);
        let mut are_all_tried = true;
        for at in order {
            let host = &self.address.hosts()[at];
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                reasons.push(format!("{host}: not tried in time"));
                (is_unreachable, are_all_tried) = (true, false);
                continue;
            }
            let session = Session::connect(host, self.timings.attempt.min(left));
            if session.is_err() {
                self.states().failed[at] = Some(Instant::now());
            }
            match session.and_then(&mut select) {
                Ok(session) => {
                    let mut states = self.states();
                    states.last = at;
                    states.unreachable = None;
                    return Ok(session);
                }
                Err(error) => {
                    is_unreachable |= may_pass_elsewhere(&error);
                    reasons.push(error.without_address());
                }
            }
        }
        let reasons = reasons.join("; ");
        if !is_unreachable {
            return Err(Error::refused_by(&self.address, reasons));
        }
        let error = Error::unreachable(&self.address, reasons);
        if are_all_tried {
            let rest = begun
                .elapsed()
                .min(self.timings.attempt)
                .max(self.timings.rest);
            self.states().unreachable = Some((Instant::now() + rest, error.clone()));
        }
        Err(error)
    }

    /// Records that a session's server had older data than was already seen, or could not execute a
    /// statement. For a while, the host is tried only after the others.
    pub fn mark_behind(&self, session: &Session) {
        self.states().behind[session.index()] = Some(Instant::now());
    }

    /// Records that a session failed. For a while, the host is tried only after the others.
    pub fn failed(&self, session: &Session) {
        self.states().failed[session.index()] = Some(Instant::now());
    }

    /// Reconnects to a session's server to find out if it is frozen or was merely slow. If the
    /// server is unreachable, records a failure and returns `None`.
    pub fn again(&self, session: &Session) -> Option<Session> {
        let host = &self.address.hosts()[session.index()];
        let again = Session::connect(host, self.timings.attempt);
        again.inspect_err(|_| self.failed(session)).ok()
    }

    /// Returns whether the session's host has failed since the session was connected, and has not
    /// responded since. The caller should then drop the session, because with a frozen host, every
    /// session waits for its deadline.
    pub fn has_failed(&self, session: &Session) -> bool {
        let failed = self.states().failed[session.index()];
        failed.is_some_and(|failed| failed > session.since())
    }

    /// Checks the publication of the next host if the last check was long enough ago. This finds
    /// newer publications when the standby in use has stopped replicating. Must be called often,
    /// from a thread that may block for a second or two.
    pub fn probe_next(&self) {
        let at = {
            let mut states = self.states();
            let (probed, when) = states.probed;
            if states.failed.len() < 2 || when.elapsed() < self.timings.probe {
                return;
            }
            let next = (probed + 1) % states.failed.len();
            states.probed = (next, Instant::now());
            next
        };
        let number = publication_number(&self.address.hosts()[at], self.timings.attempt);
        // An unreachable host counts as one without a publication.
        if let Ok(Some(number)) = number {
            let mut states = self.states();
            states.newest = states.newest.max(number);
        }
    }

    /// Returns the number of the newest publication seen.
    pub fn newest(&self) -> i64 {
        self.states().newest
    }

    /// Records the publication with which a session answered. Returns whether an answer may use it:
    /// only if it is not older than `newest_then`, the newest one known when the answer began
    /// ([`Cluster::newest`]). There is one exception: if no host has had the newest one for a
    /// minute, its server is assumed to have been lost before any other copied it. Then the older
    /// publication is accepted, and a message is logged.
    pub fn note(&self, session: &Session, number: i64, newest_then: i64) -> bool {
        let at = session.index();
        let mut states = self.states();
        if number < newest_then.min(states.newest) {
            let since = *states.lags_since.get_or_insert_with(Instant::now);
            if since.elapsed() < self.timings.lag {
                states.behind[at] = Some(Instant::now());
                return false;
            }
            log::error!(
                "{}: the newest state seen, number {}, is lost: no server has had it for {:?}; using number {number} from now on",
                self.address,
                states.newest,
                self.timings.lag
            );
            states.newest = number;
        }
        // Another session may have seen a newer publication in the meantime.
        states.newest = states.newest.max(number);
        states.lags_since = None;
        (states.failed[at], states.behind[at]) = (None, None);
        true
    }

    /// Returns whether publication `number` of a session's server is the newest one that is left:
    /// the server is the primary, and no other reachable host has a newer one. This happens if a
    /// failover has lost a publication. From then on, `number` counts as the newest, and a message
    /// is logged. All hosts are searched at most once per `search` interval.
    pub fn is_newest_left(&self, session: &mut Session, number: i64) -> bool {
        {
            let mut states = self.states();
            if number >= states.newest {
                return true;
            }
            let is_due = states
                .searched
                .is_none_or(|then| then.elapsed() >= self.timings.search);
            if !is_due {
                return false;
            }
            states.searched = Some(Instant::now());
        }
        let attempt = self.timings.attempt;
        if !is_primary(session, attempt).is_ok_and(|is_primary| is_primary) {
            return false;
        }
        let others = self.address.hosts().iter().enumerate();
        let newest = others
            .filter(|(at, _)| *at != session.index())
            .filter_map(|(_, host)| publication_number(host, attempt).ok().flatten())
            .max();
        if newest.is_some_and(|newest| newest > number) {
            return false;
        }
        let mut states = self.states();
        log::error!(
            "{}: the newest state seen, number {}, is lost: {}, which accepts changes now, has number {number}; using that from now on",
            self.address,
            states.newest,
            self.address.hosts()[session.index()]
        );
        states.newest = number;
        states.lags_since = None;
        true
    }

    /// Returns whether only outdated publications have been seen for longer than `span`. In that
    /// case, waiting for the newest one would only delay requests.
    pub fn has_lagged(&self, span: Duration) -> bool {
        let since = self.states().lags_since;
        since.is_some_and(|since| since.elapsed() > span)
    }

    fn states(&self) -> MutexGuard<'_, ServerStates> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl ServerStates {
    fn new(hosts: usize) -> Self {
        Self {
            last: 0,
            failed: vec![None; hosts],
            behind: vec![None; hosts],
            probed: (0, Instant::now()),
            unreachable: None,
            newest: 0,
            lags_since: None,
            searched: None,
        }
    }

    /// Returns the order in which to try the hosts.
    ///
    /// # Errors
    /// Returns the error of the last search if that search has just failed.
    fn order(&self, timings: &Timings) -> Result<Vec<usize>> {
        if let Some((until, error)) = &self.unreachable
            && Instant::now() < *until
        {
            return Err(error.clone());
        }
        let hosts = self.failed.len();
        let mut order: Vec<usize> = (0..hosts).map(|at| (self.last + at) % hosts).collect();
        // Hosts that have failed or are behind come last, with the most recent trouble at the end.
        order.sort_by_key(|at| {
            let troubled = self.failed[*at].max(self.behind[*at]);
            troubled.filter(|then| then.elapsed() < timings.failed)
        });
        Ok(order)
    }
}

impl ServerAddress {
    /// Connects to the primary. Each attempt takes at most ten seconds.
    ///
    /// # Errors
    /// Returns an error if the primary is unreachable ([`Error::is_unreachable`]), or if all
    /// refuse.
    pub fn primary(&self) -> Result<Session> {
        let timings = Timings {
            attempt: STATEMENT,
            ..Timings::USUAL
        };
        let cluster = Cluster::with_timings(self.clone(), timings);
        let hosts = u32::try_from(self.hosts().len()).unwrap_or(u32::MAX);
        cluster.primary(Instant::now() + STATEMENT * hosts, &mut None)
    }
}

/// Returns the number of a host's publication; `None` if there is none in this program's format.
fn publication_number(host: &ServerHost, within: Duration) -> Result<Option<i64>> {
    let mut session = Session::connect(host, within)?;
    session.value(NUMBER, &[&FORMAT], SHORT_STATEMENT)
}

fn is_primary(session: &mut Session, within: Duration) -> Result<bool> {
    let follows = session.value("SELECT pg_is_in_recovery()", &[], within)?;
    Ok(follows == Some(false))
}

#[cfg(test)]
#[path = "cluster/tests.rs"]
mod tests;
