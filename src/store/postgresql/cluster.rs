//! The servers of an address, as all sessions of a process know them: which one answers, and
//! how new a publication was seen.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::super::error::{Error, Result};
use super::super::server_bounds::{ATTEMPT, MOST_LAG, STATEMENT};
use super::address::ServerAddress;
use super::client::{Session, Trouble};
use crate::model::Coverage;

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
}

impl Spans {
    const USUAL: Self = Self {
        attempt: ATTEMPT,
        failed: Duration::from_secs(10),
        rest: Duration::from_millis(100),
        lag: MOST_LAG,
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
    /// That none could be reached, until when this is taken for granted, and why it was.
    nobody: Option<(Instant, String)>,
    /// The newest publication that was seen.
    newest: i64,
    /// Since when only older ones are seen.
    lags_since: Option<Instant>,
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
            nobody: None,
            newest: 0,
            lags_since: None,
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
        let (order, rest) = {
            let known = self.known();
            if let Some((until, why)) = &known.nobody
                && Instant::now() < *until
            {
                return Err(Error::unreachable(&self.address, why));
            }
            (known.order(&self.spans), known.rest(&self.spans))
        };
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

    /// A session has failed: its host is tried after the others for a while.
    pub fn failed(&self, session: &Session) {
        if let Some(at) = self.position(session) {
            self.known().failed[at] = Some(Instant::now());
        }
    }

    /// Has its host failed since this session was connected, and not answered again? Then the
    /// session is better given up: a host that is frozen costs each session its deadline.
    pub fn has_failed(&self, session: &Session) -> bool {
        let at = self.position(session);
        let failed = at.and_then(|at| self.known().failed[at]);
        failed.is_some_and(|failed| failed > session.since())
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
        let at = self.position(session);
        let mut known = self.known();
        if number < newest_then.min(known.newest) {
            let since = *known.lags_since.get_or_insert_with(Instant::now);
            if since.elapsed() < self.spans.lag {
                at.into_iter()
                    .for_each(|at| known.failed[at] = Some(Instant::now()));
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
        at.into_iter().for_each(|at| known.failed[at] = None);
        true
    }

    fn position(&self, session: &Session) -> Option<usize> {
        let mut endpoints = self.address.endpoints().iter();
        endpoints.position(|endpoint| endpoint.to_string() == session.host())
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
        // Of those that failed the one first that did so longest ago.
        order.sort_by_key(|at| self.failed[*at].filter(|_| self.has_failed(*at, spans)));
        order
    }

    fn has_failed(&self, at: usize, spans: &Spans) -> bool {
        self.failed[at].is_some_and(|failed| failed.elapsed() < spans.failed)
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
        self.may_pass |= matches!(trouble, Trouble::Lost(_));
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

/// A session, if its server does not follow another.
fn primary(mut session: Session) -> std::result::Result<Session, Trouble> {
    let rows = session.rows("SELECT pg_is_in_recovery()", &[], STATEMENT)?;
    let follows = rows.first().map(|row| row.try_get(0)).transpose();
    match follows.map_err(Trouble::from)? {
        Some(false) => Ok(session),
        _ => Err(Trouble::Lost(
            "it is a standby, which takes no changes".to_owned(),
        )),
    }
}

#[cfg(test)]
#[path = "cluster/tests.rs"]
mod tests;
