//! The servers of an address, as all sessions of a process know them: which one answers, and
//! how new a publication was seen.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::error::{Error, Result};
use super::super::server_bounds::{ATTEMPT, MOST_LAG, SHORT_STATEMENT, STATEMENT};
use super::address::{Endpoint, ServerAddress};
use super::client::{Session, Trouble};
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
    /// For how long a host that is behind is not asked again where there are others.
    behind: Duration,
    /// How often it is looked what another host has.
    look: Duration,
}

impl Spans {
    const USUAL: Self = Self {
        attempt: ATTEMPT,
        failed: Duration::from_secs(10),
        rest: Duration::from_millis(100),
        lag: MOST_LAG,
        behind: Duration::from_millis(500),
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

/// What is known of the servers.
#[derive(Debug)]
struct Known {
    /// The one that answered last.
    last: usize,
    /// When each failed last, if it has not answered since.
    failed: Vec<Option<Instant>>,
    /// When each was last found to have an older publication, if it has had none since that
    /// could be answered from.
    behind: Vec<Option<Instant>>,
    /// Which one was looked at last ([`Cluster::look_around`]), and when.
    looked: (usize, Instant),
    /// That none could be reached, until when this is taken for granted, and why it was.
    nobody: Option<(Instant, String)>,
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
        let known = Known {
            last: 0,
            failed: vec![None; address.endpoints().len()],
            behind: vec![None; address.endpoints().len()],
            looked: (0, Instant::now()),
            nobody: None,
            newest: 0,
            lags_since: None,
            searched: None,
        };
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
        self.session_but(None, deadline)
    }

    /// The same, where the server of a session comes last: what it did not do another may.
    ///
    /// # Errors
    /// As [`Cluster::session`].
    pub fn session_elsewhere(&self, than: &Session, deadline: Instant) -> Result<Session> {
        self.session_but(Some(than.place()), deadline)
    }

    fn session_but(&self, last: Option<usize>, deadline: Instant) -> Result<Session> {
        let (mut order, rest) = {
            let known = self.known();
            if let Some((until, why)) = &known.nobody
                && Instant::now() < *until
            {
                return Err(Error::unreachable(&self.address, why));
            }
            (known.order(&self.spans), known.rest(&self.spans))
        };
        order.sort_by_key(|at| Some(*at) == last);
        let left = || deadline.saturating_duration_since(Instant::now());
        thread::sleep(rest.min(left()));
        let mut failures = Failures::default();
        let begun = Instant::now();
        for at in order {
            let within = self.spans.attempt.min(left());
            let endpoint = &self.address.endpoints()[at];
            if within.is_zero() {
                failures.add(endpoint, &Trouble::Lost("not tried in time".to_owned()));
                continue;
            }
            match Session::connect(endpoint, within) {
                Ok(session) => {
                    let mut known = self.known();
                    known.last = at;
                    known.nobody = None;
                    return Ok(session);
                }
                Err(trouble) => {
                    self.known().failed[at] = Some(Instant::now());
                    failures.add(endpoint, &trouble);
                }
            }
        }
        let error = failures.error(&self.address);
        if error.is_unreachable() {
            let rest = begun.elapsed().min(self.spans.attempt).max(self.spans.rest);
            self.known().nobody = Some((Instant::now() + rest, failures.text()));
        }
        Err(error)
    }

    /// Connects to the server that does not follow another; where there is none that can be
    /// reached, to one that does. Returns too whether it follows. Deadlines are as for
    /// [`Cluster::session`].
    ///
    /// # Errors
    /// None can be reached ([`Error::is_unreachable`]), or all refuse.
    pub fn primary_or_standby(&self, deadline: Instant) -> Result<(Session, bool)> {
        let order = self.known().order(&self.spans);
        let left = || deadline.saturating_duration_since(Instant::now());
        let (mut standby, mut failures) = (None, Failures::default());
        for at in order {
            let endpoint = &self.address.endpoints()[at];
            let session = Session::connect(endpoint, self.spans.attempt.min(left()));
            let found = session.and_then(|mut session| {
                let follows = follows(&mut session, self.spans.attempt)?;
                Ok((session, follows))
            });
            match found {
                Ok((session, false)) => return Ok((session, false)),
                Ok(found) => standby = standby.or(Some(found)),
                Err(trouble) => {
                    self.known().failed[at] = Some(Instant::now());
                    failures.add(endpoint, &trouble);
                }
            }
        }
        standby.ok_or_else(|| failures.error(&self.address))
    }

    /// A session's server has something older than was seen: it is tried after others for a
    /// while.
    pub fn found_behind(&self, session: &Session) {
        self.known().behind[session.place()] = Some(Instant::now());
    }

    /// A session has failed: its host is tried after the others for a while.
    pub fn failed(&self, session: &Session) {
        self.known().failed[session.place()] = Some(Instant::now());
    }

    /// Connects to a session's server again, to know whether it is frozen or was just slow.
    /// None: it cannot be reached, so its host has failed.
    pub fn again(&self, session: &Session) -> Option<Session> {
        let endpoint = &self.address.endpoints()[session.place()];
        let again = Session::connect(endpoint, self.spans.attempt);
        again.inspect_err(|_| self.failed(session)).ok()
    }

    /// Has its host failed since this session was connected, and not answered again? Then the
    /// session is better given up: a host that is frozen costs each session its deadline.
    pub fn has_failed(&self, session: &Session) -> bool {
        let failed = self.known().failed[session.place()];
        failed.is_some_and(|failed| failed > session.since())
    }

    /// Has a session's server an older publication than was seen, while there is one that has not
    /// just failed or been found behind? Then that is asked better than the same again.
    pub fn has_better(&self, session: &Session) -> bool {
        let known = self.known();
        known.behind[session.place()].is_some()
            && (0..known.failed.len()).any(|at| {
                let troubled = known.troubled(at);
                at != session.place()
                    && troubled.is_none_or(|then| then.elapsed() >= self.spans.behind)
            })
    }

    /// Looks now and then what one of the hosts has that does not answer, each in its turn, so
    /// that who asks a standby that has stopped following learns of newer publications. To be
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
        let at = session.place();
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
    /// says so. Asks the hosts at most once in `behind`.
    pub fn is_newest_left(&self, session: &mut Session, number: i64) -> bool {
        {
            let mut known = self.known();
            if number >= known.newest {
                return true;
            }
            let is_due = known
                .searched
                .is_none_or(|then| then.elapsed() >= self.spans.behind);
            if !is_due {
                return false;
            }
            known.searched = Some(Instant::now());
        }
        let attempt = self.spans.attempt;
        if !matches!(follows(session, attempt), Ok(false)) {
            return false;
        }
        let others = self.address.endpoints().iter().enumerate();
        let newest = others
            .filter(|(at, _)| *at != session.place())
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
            session.host()
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
    /// The order in which the hosts are tried.
    fn order(&self, spans: &Spans) -> Vec<usize> {
        let hosts = self.failed.len();
        let mut order: Vec<usize> = (0..hosts).map(|at| (self.last + at) % hosts).collect();
        // Of those that failed or are behind the one first that was so longest ago.
        order.sort_by_key(|at| {
            let troubled = self.troubled(*at);
            troubled.filter(|then| then.elapsed() < spans.failed)
        });
        order
    }

    /// When a host last failed or was found behind, if it has not answered since.
    fn troubled(&self, at: usize) -> Option<Instant> {
        self.failed[at].max(self.behind[at])
    }

    /// How long to wait before all hosts are tried again that have failed a moment ago.
    fn rest(&self, spans: &Spans) -> Duration {
        let all: Option<Vec<Instant>> = self.failed.iter().copied().collect();
        let first = all.and_then(|failed| failed.into_iter().min());
        first.map_or(Duration::ZERO, |first| {
            spans.rest.saturating_sub(first.elapsed())
        })
    }
}

/// Why hosts were no good.
#[derive(Default)]
struct Failures {
    reasons: Vec<String>,
    /// May one be better later?
    may_pass: bool,
}

impl Failures {
    fn add(&mut self, endpoint: &dyn std::fmt::Display, trouble: &Trouble) {
        self.reasons.push(format!("{endpoint}: {trouble}"));
        self.may_pass |= matches!(trouble, Trouble::Lost(_)) || trouble.is_of_this_server();
    }

    fn text(&self) -> String {
        self.reasons.join("; ")
    }

    fn error(&self, address: &ServerAddress) -> Error {
        match self.may_pass {
            true => Error::unreachable(address, self.text()),
            false => Error::of_server(address, self.text()),
        }
    }
}

impl ServerAddress {
    /// Connects to the server that can be written to: the first that does not follow another.
    /// Each has ten seconds.
    ///
    /// # Errors
    /// There is none that can be reached ([`Error::is_unreachable`]), or all refuse.
    pub fn primary(&self) -> Result<Session> {
        let mut failures = Failures::default();
        for endpoint in self.endpoints() {
            let session = Session::connect(endpoint, STATEMENT);
            match session.and_then(primary) {
                Ok(session) => return Ok(session),
                Err(trouble) => failures.add(endpoint, &trouble),
            }
        }
        Err(failures.error(self))
    }
}

/// The number of a host's publication; none if it has no publication of this format.
fn published(endpoint: &Endpoint, within: Duration) -> std::result::Result<Option<i64>, Trouble> {
    let mut session = Session::connect(endpoint, within)?;
    let rows = session.rows(NUMBER, &[&FORMAT], SHORT_STATEMENT)?;
    Ok(rows.first().map(|row| row.try_get(0)).transpose()?)
}

/// Does a session's server follow another?
fn follows(session: &mut Session, within: Duration) -> std::result::Result<bool, Trouble> {
    let rows = session.rows("SELECT pg_is_in_recovery()", &[], within)?;
    let follows = rows.first().map(|row| row.try_get(0)).transpose()?;
    Ok(follows.unwrap_or(true))
}

/// A session, if its server does not follow another.
fn primary(mut session: Session) -> std::result::Result<Session, Trouble> {
    match follows(&mut session, STATEMENT)? {
        false => Ok(session),
        true => Err(Trouble::Lost(
            "it is a standby, which takes no changes".to_owned(),
        )),
    }
}

#[cfg(test)]
#[path = "cluster/tests.rs"]
mod tests;
