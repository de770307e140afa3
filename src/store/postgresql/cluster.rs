//! The servers of an address, as all sessions of a process know them: which one answers, and
//! how new a publication was seen.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::super::error::{Error, Result};
use super::super::server_bounds::{ATTEMPT, MOST_LAG, SHORT_STATEMENT, STATEMENT};
use super::address::ServerAddress;
use super::client::{Endpoint, Session, may_pass_elsewhere};
use super::publication::FORMAT;
use crate::model::Coverage;

/// The number of what is published, if its tables have this format.
const NUMBER: &str = "SELECT number FROM procurement_lookup.publication WHERE format = $1";

/// How long things take: the same for all but tests.
#[derive(Clone, Copy, Debug)]
struct Spans {
    /// An attempt to connect, at most.
    attempt: Duration,
    /// For how long a host that failed is tried after the others.
    failed: Duration,
    /// For how long hosts that have all failed are let alone, at least.
    rest: Duration,
    /// For how long an older publication is not answered from.
    lag: Duration,
    /// How often all hosts are searched for the newest publication, at most.
    search: Duration,
    /// How often the publication of another host is read.
    look: Duration,
}

impl Spans {
    const USUAL: Self = Self {
        attempt: ATTEMPT,
        failed: Duration::from_secs(10),
        rest: Duration::from_millis(100),
        lag: MOST_LAG,
        search: Duration::from_millis(500),
        look: Duration::from_secs(5),
    };
}

/// The servers of an address.
#[derive(Debug)]
pub struct Cluster {
    address: ServerAddress,
    spans: Spans,
    known: Mutex<Known>,
    /// Which documents were obtained by the data of this identity: up to 50,000 runs of days,
    /// which all sessions share.
    coverage: Mutex<Option<(i64, Arc<[Coverage]>)>>,
}

/// The state of the servers.
#[derive(Debug)]
struct Known {
    /// The one that answered last.
    last: usize,
    /// When each failed last, if it has not answered since.
    failed: Vec<Option<Instant>>,
    /// When each last had an older publication, or could not do a statement, if it has not
    /// answered since.
    behind: Vec<Option<Instant>>,
    /// Which one was looked at last ([`Cluster::look_around`]), and when.
    looked: (usize, Instant),
    /// The error of the last search for a server, and until when it is repeated.
    unreachable: Option<(Instant, Error)>,
    /// The newest publication that was seen.
    newest: i64,
    /// Since when only older ones are seen.
    lags_since: Option<Instant>,
    /// When all hosts were last searched for it ([`Cluster::is_newest_left`]).
    searched: Option<Instant>,
}

impl Cluster {
    /// The servers of an address, of which nothing is known yet.
    pub fn new(address: ServerAddress) -> Arc<Self> {
        Arc::new(Self::with_spans(address, Spans::USUAL))
    }

    fn with_spans(address: ServerAddress, spans: Spans) -> Self {
        let known = Known::new(address.endpoints().len());
        Self {
            address,
            spans,
            known: Mutex::new(known),
            coverage: Mutex::default(),
        }
    }

    /// Which documents were obtained by the data of this identity, if it is known.
    pub fn coverage_of(&self, identity: i64) -> Option<Arc<[Coverage]>> {
        let coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        let known = coverage.as_ref().filter(|(known, _)| *known == identity);
        known.map(|(_, coverage)| Arc::clone(coverage))
    }

    /// Keeps the coverage of the data of this identity in place of another's.
    pub fn keep_coverage(&self, identity: i64, runs: Arc<[Coverage]>) {
        let mut coverage = self.coverage.lock().unwrap_or_else(PoisonError::into_inner);
        *coverage = Some((identity, runs));
    }

    /// The address.
    pub fn address(&self) -> &ServerAddress {
        &self.address
    }

    /// Connects to one of the servers: first to the one that answered last, last to those that
    /// failed not long ago. An attempt takes a second at most, all together until `deadline`.
    ///
    /// # Errors
    /// None can be reached ([`Error::is_unreachable`]), or all refuse. Where none could be
    /// reached a moment ago, the same is said at once, so that requests do not all wait for it:
    /// for as long as it took to find out, a second at most.
    pub fn session(&self, deadline: Instant) -> Result<Session> {
        self.connect(deadline, Ok)
    }

    /// Connects to the server that does not follow another; where there is none that can be
    /// reached, to one that does. Returns too whether it follows. Deadlines are as for
    /// [`Cluster::session`].
    ///
    /// # Errors
    /// None can be reached ([`Error::is_unreachable`]), or all refuse.
    pub fn primary_or_standby(&self, deadline: Instant) -> Result<(Session, bool)> {
        let mut standby = None;
        match self.primary(deadline, &mut standby) {
            Ok(primary) => Ok((primary, false)),
            Err(error) => Ok((standby.ok_or(error)?, true)),
        }
    }

    /// The same without one that follows, which is left in `standby`.
    fn primary(&self, deadline: Instant, standby: &mut Option<Session>) -> Result<Session> {
        self.connect(deadline, |mut session| {
            if takes_changes(&mut session, self.spans.attempt)? {
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
        let order = self.known().order(&self.spans)?;
        let begun = Instant::now();
        let (mut reasons, mut is_unreachable) = (Vec::new(), false);
        let mut are_all_tried = true;
        for at in order {
            let endpoint = &self.address.endpoints()[at];
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                reasons.push(format!("{endpoint}: not tried in time"));
                (is_unreachable, are_all_tried) = (true, false);
                continue;
            }
            let session = Session::connect(endpoint, self.spans.attempt.min(left));
            if session.is_err() {
                self.known().failed[at] = Some(Instant::now());
            }
            match session.and_then(&mut select) {
                Ok(session) => {
                    let mut known = self.known();
                    known.last = at;
                    known.unreachable = None;
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
            return Err(Error::of_server(&self.address, reasons));
        }
        let error = Error::unreachable(&self.address, reasons);
        if are_all_tried {
            let rest = begun.elapsed().min(self.spans.attempt).max(self.spans.rest);
            self.known().unreachable = Some((Instant::now() + rest, error.clone()));
        }
        Err(error)
    }

    /// A session's server has something older than was seen, or cannot do a statement: it is
    /// tried after others for a while.
    pub fn found_behind(&self, session: &Session) {
        self.known().behind[session.index()] = Some(Instant::now());
    }

    /// A session has failed: its host is tried after the others for a while.
    pub fn failed(&self, session: &Session) {
        self.known().failed[session.index()] = Some(Instant::now());
    }

    /// Connects to a session's server again, to know whether it is frozen or was just slow.
    /// None: it cannot be reached, so its host has failed.
    pub fn again(&self, session: &Session) -> Option<Session> {
        let endpoint = &self.address.endpoints()[session.index()];
        let again = Session::connect(endpoint, self.spans.attempt);
        again.inspect_err(|_| self.failed(session)).ok()
    }

    /// Has its host failed since this session was connected, and not answered again? Then the
    /// session is better given up: a host that is frozen costs each session its deadline.
    pub fn has_failed(&self, session: &Session) -> bool {
        let failed = self.known().failed[session.index()];
        failed.is_some_and(|failed| failed > session.since())
    }

    /// Reads now and then the publication of one of the hosts that do not answer, each in its
    /// turn, so that newer ones are known where a standby has stopped following. To be
    /// called often, from a thread that may be kept for a second or two.
    pub fn look_around(&self) {
        let at = {
            let mut known = self.known();
            let (looked, when) = known.looked;
            if known.failed.len() < 2 || when.elapsed() < self.spans.look {
                return;
            }
            let next = (looked + 1) % known.failed.len();
            known.looked = (next, Instant::now());
            next
        };
        let number = published(&self.address.endpoints()[at], self.spans.attempt);
        // A host that cannot be asked counts as having nothing.
        if let Ok(Some(number)) = number {
            let mut known = self.known();
            known.newest = known.newest.max(number);
        }
    }

    /// The number of the newest publication that was seen.
    pub fn newest(&self) -> i64 {
        self.known().newest
    }

    /// A session has answered with this publication. May it be answered from? Never from one
    /// that is older than the newest when the answer was begun ([`Cluster::newest`]), but where
    /// no host has had that one for a minute: then the server that had it was lost before the
    /// others had followed it, and what is left is better than nothing. The log says so.
    pub fn note(&self, session: &Session, number: i64, newest_then: i64) -> bool {
        let at = session.index();
        let mut known = self.known();
        if number < newest_then.min(known.newest) {
            let since = *known.lags_since.get_or_insert_with(Instant::now);
            if since.elapsed() < self.spans.lag {
                known.behind[at] = Some(Instant::now());
                return false;
            }
            log::error!(
                "{}: the newest state that was seen, number {}, is lost: no server has had it for {:?}; from now on number {number} counts",
                self.address,
                known.newest,
                self.spans.lag
            );
            known.newest = number;
        }
        // While the answer was begun another may have seen a newer one.
        known.newest = known.newest.max(number);
        known.lags_since = None;
        (known.failed[at], known.behind[at]) = (None, None);
        true
    }

    /// Returns whether publication `number` of a session's server is the newest that is left: the
    /// server takes changes, and no other reachable host has a newer one. This happens when a
    /// failover loses a publication. From then on `number` counts as the newest, and the log
    /// says so. Asks the hosts at most once in `search`.
    pub fn is_newest_left(&self, session: &mut Session, number: i64) -> bool {
        {
            let mut known = self.known();
            if number >= known.newest {
                return true;
            }
            let is_due = known
                .searched
                .is_none_or(|then| then.elapsed() >= self.spans.search);
            if !is_due {
                return false;
            }
            known.searched = Some(Instant::now());
        }
        let attempt = self.spans.attempt;
        if !takes_changes(session, attempt).is_ok_and(|takes| takes) {
            return false;
        }
        let others = self.address.endpoints().iter().enumerate();
        let newest = others
            .filter(|(at, _)| *at != session.index())
            .filter_map(|(_, endpoint)| published(endpoint, attempt).ok().flatten())
            .max();
        if newest.is_some_and(|newest| newest > number) {
            return false;
        }
        let mut known = self.known();
        log::error!(
            "{}: the newest state that was seen, number {}, is lost: {}, which takes changes now, has number {number}, which counts from now on",
            self.address,
            known.newest,
            self.address.endpoints()[session.index()]
        );
        known.newest = number;
        known.lags_since = None;
        true
    }

    /// Have only older publications than one that was seen been found for so long? Then waiting
    /// for that one holds up requests in vain.
    pub fn has_lagged(&self, span: Duration) -> bool {
        let since = self.known().lags_since;
        since.is_some_and(|since| since.elapsed() > span)
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn new(hosts: usize) -> Self {
        Self {
            last: 0,
            failed: vec![None; hosts],
            behind: vec![None; hosts],
            looked: (0, Instant::now()),
            unreachable: None,
            newest: 0,
            lags_since: None,
            searched: None,
        }
    }

    /// The order in which the hosts are tried.
    ///
    /// # Errors
    /// None could be reached a moment ago.
    fn order(&self, spans: &Spans) -> Result<Vec<usize>> {
        if let Some((until, error)) = &self.unreachable
            && Instant::now() < *until
        {
            return Err(error.clone());
        }
        let hosts = self.failed.len();
        let mut order: Vec<usize> = (0..hosts).map(|at| (self.last + at) % hosts).collect();
        // Of those that failed or are behind the one first that was so longest ago.
        order.sort_by_key(|at| {
            let troubled = self.failed[*at].max(self.behind[*at]);
            troubled.filter(|then| then.elapsed() < spans.failed)
        });
        Ok(order)
    }
}

impl ServerAddress {
    /// Connects to the server that can be written to: the first that does not follow another.
    /// Each has ten seconds.
    ///
    /// # Errors
    /// There is none that can be reached ([`Error::is_unreachable`]), or all refuse.
    pub fn primary(&self) -> Result<Session> {
        let spans = Spans {
            attempt: STATEMENT,
            ..Spans::USUAL
        };
        let cluster = Cluster::with_spans(self.clone(), spans);
        let hosts = u32::try_from(self.endpoints().len()).unwrap_or(u32::MAX);
        cluster.primary(Instant::now() + STATEMENT * hosts, &mut None)
    }
}

/// The number of a host's publication; none if it has no publication of this format.
fn published(endpoint: &Endpoint, within: Duration) -> Result<Option<i64>> {
    let mut session = Session::connect(endpoint, within)?;
    session.value(NUMBER, &[&FORMAT], SHORT_STATEMENT)
}

/// Returns whether a session's server follows no other.
fn takes_changes(session: &mut Session, within: Duration) -> Result<bool> {
    let follows = session.value("SELECT pg_is_in_recovery()", &[], within)?;
    Ok(follows == Some(false))
}

#[cfg(test)]
#[path = "cluster/tests.rs"]
mod tests;
