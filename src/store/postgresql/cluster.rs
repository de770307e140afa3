//! The state of the servers of an address, shared by all sessions of a process: the server that
//! answers, and the newest publication seen.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::super::entry_list::EntryList;
use super::super::error::{Error, Result};
use super::super::server_bounds::{ATTEMPT, MOST_LAG, SHORT_STATEMENT, STATEMENT};
use super::address::ServerAddress;
use super::client::{ServerHost, Session, may_pass_elsewhere};
use super::publication::FORMAT;
use crate::model::Coverage;

/// The number of the current publication, if its tables have this format.
const NUMBER: &str = "SELECT number FROM procurement_lookup.publication WHERE format = $1";

/// Time limits and intervals; tests use other values.
#[derive(Clone, Copy, Debug)]
struct Timings {
    /// The longest time for an attempt to connect.
    attempt: Duration,
    /// The time after a failure during which a host is tried last.
    failed: Duration,
    /// The least time before hosts that have all failed are tried again.
    rest: Duration,
    /// The time during which no publication older than the newest is used.
    lag: Duration,
    /// The least time between two searches of all hosts for the newest publication.
    search: Duration,
    /// The time between two readings of another host's publication.
    probe: Duration,
}

impl Timings {
    const USUAL: Self = Self {
        attempt: ATTEMPT,
        failed: Duration::from_secs(10),
        rest: Duration::from_millis(100),
        lag: MOST_LAG,
        search: Duration::from_millis(500),
        probe: Duration::from_secs(5),
    };
}

/// The servers of an address.
#[derive(Debug)]
pub struct Cluster {
    address: ServerAddress,
    timings: Timings,
    states: Mutex<ServerStates>,
    /// The coverage of the data with this identity, up to 50,000 runs of days, which all sessions
    /// share.
    coverage: Mutex<Option<(i64, Arc<[Coverage]>)>>,
    /// The RNP entries of the data with this identity, which all sessions share.
    entries: Mutex<Option<(i64, Arc<EntryList>)>>,
}

/// The state of the servers.
#[derive(Debug)]
struct ServerStates {
    /// The index of the server that answered last.
    last: usize,
    /// The time of each server's last failure, if it has not answered since.
    failed: Vec<Option<Instant>>,
    /// The last time at which each server had an older publication or could not execute a
    /// statement, if it has not answered since.
    behind: Vec<Option<Instant>>,
    /// The index of the last server read by [`Cluster::probe_next`], and the time.
    probed: (usize, Instant),
    /// The error of the last search for a server, repeated until this instant.
    unreachable: Option<(Instant, Error)>,
    /// The number of the newest publication seen.
    newest: i64,
    /// The time since which only older publications are seen.
    lags_since: Option<Instant>,
    /// The time of the last search of all hosts for it ([`Cluster::is_newest_left`]).
    searched: Option<Instant>,
}

impl Cluster {
    /// Returns the servers of an address, with nothing known about them yet.
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

    /// Returns the coverage of the data with this identity, if it is known.
    pub fn coverage_of(&self, identity: i64) -> Option<Arc<[Coverage]>> {
        let coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        let known = coverage.as_ref().filter(|(known, _)| *known == identity);
        known.map(|(_, coverage)| Arc::clone(coverage))
    }

    /// Stores the coverage of the data with this identity, replacing another's.
    pub fn cache_coverage(&self, identity: i64, runs: Arc<[Coverage]>) {
        let mut coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        *coverage = Some((identity, runs));
    }

    /// Returns the RNP entries of the data with this identity, if they are known.
    pub(in crate::store) fn entries_of(&self, identity: i64) -> Option<Arc<EntryList>> {
        let entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let known = entries.as_ref().filter(|(known, _)| *known == identity);
        known.map(|(_, entries)| Arc::clone(entries))
    }

    /// Stores the RNP entries of the data with this identity, replacing another's.
    pub(in crate::store) fn cache_entries(&self, identity: i64, list: Arc<EntryList>) {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        *entries = Some((identity, list));
    }

    /// The address.
    pub fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Connects to one of the servers. It tries the one that answered last first, and those that
    /// failed recently last. An attempt takes a second at most, and all attempts end at `deadline`.
    ///
    /// # Errors
    /// No server can be reached ([`Error::is_unreachable`]), or all refuse. Shortly after a failed
    /// search the same error returns at once, so that not every request waits. It repeats for as
    /// long as the search took, a second at most.
    pub fn session(&self, deadline: Instant) -> Result<Session> {
        self.connect(deadline, Ok)
    }

    /// Connects to the primary; if it cannot be reached, to a standby. Returns too whether the
    /// server is a standby. Deadlines are as for [`Cluster::session`].
    ///
    /// # Errors
    /// No server can be reached ([`Error::is_unreachable`]), or all refuse.
    pub fn primary_or_standby(&self, deadline: Instant) -> Result<(Session, bool)> {
        let mut standby = None;
        match self.primary(deadline, &mut standby) {
            Ok(primary) => Ok((primary, false)),
            Err(error) => Ok((standby.ok_or(error)?, true)),
        }
    }

    /// Connects to the primary, and leaves a session with a standby in `standby`.
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

    /// Connects to the servers in turn until `select` takes a session.
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

    /// Records that a session's server had older data than was seen, or could not execute a
    /// statement. Its host is tried after the others for a while.
    pub fn mark_behind(&self, session: &Session) {
        self.states().behind[session.index()] = Some(Instant::now());
    }

    /// Records that a session failed. Its host is tried after the others for a while.
    pub fn failed(&self, session: &Session) {
        self.states().failed[session.index()] = Some(Instant::now());
    }

    /// Connects to a session's server again, to find out whether it is frozen or was just slow.
    /// None: it cannot be reached, so its host has failed.
    pub fn again(&self, session: &Session) -> Option<Session> {
        let host = &self.address.hosts()[session.index()];
        let again = Session::connect(host, self.timings.attempt);
        again.inspect_err(|_| self.failed(session)).ok()
    }

    /// Returns whether its host has failed since this session was connected, and not answered
    /// again. The caller should then drop the session: a frozen host costs each session its
    /// deadline.
    pub fn has_failed(&self, session: &Session) -> bool {
        let failed = self.states().failed[session.index()];
        failed.is_some_and(|failed| failed > session.since())
    }

    /// Reads the publication of the next host in turn, if the last reading was long enough ago. So
    /// a newer publication becomes known when a standby has stopped following. Call this often,
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
        // A host that cannot be reached counts as one without a publication.
        if let Ok(Some(number)) = number {
            let mut states = self.states();
            states.newest = states.newest.max(number);
        }
    }

    /// Returns the number of the newest publication seen.
    pub fn newest(&self) -> i64 {
        self.states().newest
    }

    /// Records the publication that a session has answered with, and returns whether an answer may
    /// use it. An answer may not use one older than `newest_then`, the newest when it began
    /// ([`Cluster::newest`]). There is one exception: no host has had the newest one for a minute.
    /// Then its server was lost before the others had copied it, so the older one counts, and the
    /// log says so.
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
                "{}: the newest state that was seen, number {}, is lost: no server has had it for {:?}; from now on number {number} counts",
                self.address,
                states.newest,
                self.timings.lag
            );
            states.newest = number;
        }
        // Another session may have seen a newer one meanwhile.
        states.newest = states.newest.max(number);
        states.lags_since = None;
        (states.failed[at], states.behind[at]) = (None, None);
        true
    }

    /// Returns whether publication `number` of a session's server is the newest that is left: the
    /// server is the primary, and no other reachable host has a newer one. This happens when a
    /// failover loses a publication. From then on `number` counts as the newest, and the log says
    /// so. Searches the hosts at most once in `search`.
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
            "{}: the newest state that was seen, number {}, is lost: {}, which takes changes now, has number {number}, which counts from now on",
            self.address,
            states.newest,
            self.address.hosts()[session.index()]
        );
        states.newest = number;
        states.lags_since = None;
        true
    }

    /// Returns whether only publications older than the newest have been seen for longer than
    /// `span`. Waiting for the newest one then delays requests in vain.
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

    /// Returns the order of attempts to connect to the hosts.
    ///
    /// # Errors
    /// A search failed a moment ago.
    fn order(&self, timings: &Timings) -> Result<Vec<usize>> {
        if let Some((until, error)) = &self.unreachable
            && Instant::now() < *until
        {
            return Err(error.clone());
        }
        let hosts = self.failed.len();
        let mut order: Vec<usize> = (0..hosts).map(|at| (self.last + at) % hosts).collect();
        // Hosts that failed or are behind come last, the longest ago first.
        order.sort_by_key(|at| {
            let troubled = self.failed[*at].max(self.behind[*at]);
            troubled.filter(|then| then.elapsed() < timings.failed)
        });
        Ok(order)
    }
}

impl ServerAddress {
    /// Connects to the primary. Each attempt takes ten seconds at most.
    ///
    /// # Errors
    /// The primary cannot be reached ([`Error::is_unreachable`]), or all refuse.
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

/// Returns the number of a host's publication; none if it has no publication of this format.
fn publication_number(host: &ServerHost, within: Duration) -> Result<Option<i64>> {
    let mut session = Session::connect(host, within)?;
    session.value(NUMBER, &[&FORMAT], SHORT_STATEMENT)
}

/// Returns whether a session's server is a primary.
fn is_primary(session: &mut Session, within: Duration) -> Result<bool> {
    let follows = session.value("SELECT pg_is_in_recovery()", &[], within)?;
    Ok(follows == Some(false))
}

#[cfg(test)]
#[path = "cluster/tests.rs"]
mod tests;
