//! Sockets, and the fixed pool of workers that answer requests. For operators: the access log,
//! metrics, and the admin server.
//!
//! One of the [engines](engine) accepts connections and reads requests. Each worker takes a
//! request, answers it, and sends head and body together.
//!
//! # Where to begin
//!
//! - The life of a connection: [`engine`], above all the table in `engine/bounded/state.rs`.
//!   `tests/answers/engine/raw.txt` has requests byte for byte, and the outcome in each engine.
//! - A header of every response, even of refused connections: `engine/response.rs`.
//! - For operators: `metrics.rs` and `process.rs` (figures), `admin.rs` (health), `trust.rs` (who
//!   sends a request), `telemetry.rs` (what is recorded), `audit` (the audit trail). Alert rules
//!   and a dashboard are in `scripts/deploy/monitoring`; a test checks the metrics that they name.

mod access;
mod admin;
mod audit;
pub mod engine;
mod exposition;
mod line;
mod listening;
mod lock;
mod metrics;
mod process;
mod proxies;
mod refusal_log;
mod request_id;
mod telemetry;
mod trust;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use crate::api::{Answerer, Note, Place, Turn};
use engine::{Bounds, Engine, buffers, has_body};
use line::Line;
use listening::SocketFile;
use lock::locked;
use metrics::Exchange;

pub use admin::{Admin, LAST_ANSWER, MaxAges};
pub use audit::{AUDIT_LATE, Audit, MAX_AUDIT_WAITING};
pub use listening::{Address, Listening, listen, listen_on};
pub use proxies::{Proxies, network};
pub use request_id::MAX_TAKEN_OVER;
use telemetry::Identity;
pub use telemetry::Telemetry;
pub use trust::Trust;

pub struct Running {
    pool: Arc<Pool>,
    /// Receives the reason from each worker that ends.
    ended: Receiver<io::Error>,
    /// Removes the socket's file at the end.
    _file: Option<SocketFile>,
}

/// A request that waits for its turn to get a large answer.
type Waiting = (engine::Suspended, Place);

/// The workers and the engine from which they take requests.
struct Pool {
    engine: engine::Server,
    line: Line<Waiting>,
    /// When each worker's current request began; `None` while it waits for one.
    busy_since: Vec<Mutex<Option<Instant>>>,
}

impl Listening {
    /// Starts one worker per answerer. `telemetry` must have been created for the same number of
    /// workers; `trust` determines who sent a request. Only the bounded engine enforces `bounds`.
    ///
    /// # Errors
    /// Returns an error if a thread cannot be started, or if the system denies the engine a
    /// resource.
    pub fn serve(
        self,
        answerers: Vec<Answerer>,
        telemetry: &Arc<Telemetry>,
        trust: &Arc<Trust>,
        engine: Engine,
        bounds: Bounds,
    ) -> io::Result<Running> {
        if engine == Engine::TinyHttp {
            log::warn!(
                "do not use --engine tiny-http behind a proxy or with untrusted clients: a request can hide another one from the proxy, and a single request can end the process"
            );
        }
        let workers = answerers.into_iter().enumerate().map(|(index, answerer)| {
            let mut worker = Worker {
                index,
                answerer,
                telemetry: Arc::clone(telemetry),
                trust: Arc::clone(trust),
            };
            let handle = move |request: engine::Request<'_>, place| worker.handle(request, place);
            (format!("worker-{index}"), handle)
        });
        self.start(engine, bounds, workers.collect())
    }

    /// Passes requests to `handlers`, each on its own named thread. If a handler returns a request,
    /// the request waits for its turn and is then passed to a handler again, with its place.
    ///
    /// # Errors
    /// See [`Listening::serve`].
    fn start(
        self,
        engine: Engine,
        bounds: Bounds,
        handlers: Vec<(
            String,
            impl FnMut(engine::Request<'_>, Option<Place>) -> Option<Waiting> + Send + 'static,
        )>,
    ) -> io::Result<Running> {
        let pool = Arc::new(Pool {
            engine: engine::Server::new(engine, self.listener, bounds)?,
            line: Line::of(handlers.len()),
            busy_since: handlers.iter().map(|_| Mutex::default()).collect(),
        });
        let (end, ended) = mpsc::channel();
        for (worker, (name, handle)) in handlers.into_iter().enumerate() {
            let (pool, end) = (Arc::clone(&pool), end.clone());
            thread::Builder::new().name(name).spawn(move || {
                let why = pool.work(worker, handle);
                // After the grace period, nobody receives the reason any more.
                let _ = end.send(why);
            })?;
        }
        Ok(Running {
            pool,
            ended,
            _file: self.file,
        })
    }
}

/// If every worker has spent more than this on a single request, the service counts as dead. A
/// normal answer takes milliseconds.
const STUCK: Duration = Duration::from_secs(30);

impl Pool {
    /// Passes requests to `handle` until the server stops or fails. Returns why.
    fn work(
        &self,
        worker: usize,
        mut handle: impl FnMut(engine::Request<'_>, Option<Place>) -> Option<Waiting>,
    ) -> io::Error {
        let mut call = |request: engine::Request<'_>, place| {
            self.set_busy(worker, Some(Instant::now()));
            // Panics while answering are caught further inside. This catches panics in the
            // transport; the engine then answers the dropped request with a 500.
            noting_panics(|| handle(request, place)).flatten()
        };
        loop {
            self.set_busy(worker, None);
            let request = match noting_panics(|| self.engine.recv()) {
                Some(Ok(request)) => request,
                Some(Err(why)) => return why,
                None => continue,
            };
            let waiting = call(request, None);
            let enter = |(request, place): Waiting| {
                let key = Arc::clone(place.key());
                self.line.enter(key, (request, place))
            };
            let mut turn = waiting.and_then(enter);
            while let Some(line::Turn { key, item }) = turn {
                let (request, place) = item;
                call(self.engine.resume(request), Some(place));
                turn = self.line.next(&key);
            }
        }
    }

    fn set_busy(&self, worker: usize, since: Option<Instant>) {
        if let Some(busy_since) = self.busy_since.get(worker) {
            *locked(busy_since) = since;
        }
    }

    fn busy(&self) -> usize {
        let is_busy = |since: &&Mutex<Option<Instant>>| locked(since).is_some();
        self.busy_since.iter().filter(is_busy).count()
    }

    /// Returns whether at least one worker is waiting for requests or took its current one
    /// recently.
    fn is_alive(&self) -> bool {
        is_alive(&self.busy_since, Instant::now())
    }
}

impl Running {
    /// Returns `false` if every worker has been busy with its current request for more than 30 s.
    pub fn is_alive(&self) -> bool {
        self.pool.is_alive()
    }

    /// Returns why requests are no longer served, if a worker has ended before [`Running::stop`] or
    /// the engine no longer accepts connections.
    pub fn failure(&self) -> Option<io::Error> {
        let closed = || io::Error::other("no connections are accepted");
        let ended = self.ended.try_recv().ok();
        ended.or_else(|| (!self.pool.engine.is_accepting()).then(closed))
    }

    /// Stops the server once the received requests are answered, but after `grace` at the latest.
    /// Returns whether all of them were answered.
    pub fn stop(self, grace: Duration) -> bool {
        self.pool.engine.unblock();
        let deadline = Instant::now() + grace;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            match self.ended.recv_timeout(left) {
                Ok(_) => {}
                // All workers have ended.
                Err(RecvTimeoutError::Disconnected) => return true,
                Err(RecvTimeoutError::Timeout) => return false,
            }
        }
    }
}

/// Runs a closure. If the closure panics, logs the panic and returns `None`.
fn noting_panics<T>(run: impl FnOnce() -> T) -> Option<T> {
    let result = catch_unwind(AssertUnwindSafe(run));
    if result.is_err() {
        log::error!("a request failed: a panic");
    }
    result.ok()
}

fn is_alive(busy_since: &[Mutex<Option<Instant>>], now: Instant) -> bool {
    let is_stuck = |since: &Mutex<Option<Instant>>| {
        locked(since).is_some_and(|since| now.saturating_duration_since(since) > STUCK)
    };
    !busy_since.iter().all(is_stuck)
}

struct Worker {
    index: usize,
    answerer: Answerer,
    telemetry: Arc<Telemetry>,
    trust: Arc<Trust>,
}

impl Worker {
    /// Answers a request. If the request has to wait for its turn, returns it; it is passed in
    /// again later, with its `place`.
    fn handle(&mut self, request: engine::Request<'_>, place: Option<Place>) -> Option<Waiting> {
        let presence = request.presence();
        let is_gone = || presence.is_gone();
        let mut received = request.parts();
        let start = received.received.unwrap_or_else(Instant::now);
        received.user_header = self.trust.user_header(received.peer);
        let id = self.trust.id(&received).map(str::to_owned);
        let identity = Identity {
            peer: self.trust.sender(&received),
            id: id.unwrap_or_else(|| self.telemetry.ids.next()),
        };
        received.peer = identity.peer;
        let method = known_method(received.method);
        let turn = Turn::new(place, &is_gone);
        let answered = self
            .answerer
            .answer_in_turn(buffers::take(), &received, turn);
        let mut response = match answered {
            Ok(response) => response,
            Err(place) => {
                drop(received);
                return Some((request.suspend()?, place));
            }
        };
        if let Some(audit) = &self.telemetry.audit
            && !audit.record(
                &identity.id,
                identity.peer.address(),
                &response.note,
                response.status,
            )
        {
            response = self.answerer.unrecorded(&received, response.note);
        }
        let bytes = if has_body(method, response.status) {
            response.length().unwrap_or(0)
        } else {
            0
        };
        drop(received);
        let note = std::mem::take(&mut response.note);
        let status = response.status;
        let written = request.respond(response, Some(&identity.id));
        let end = Instant::now();
        let exchange = Exchange {
            endpoint: note.endpoint,
            error: note.error.as_deref(),
            status,
            bytes,
            duration: end.saturating_duration_since(start),
            broken: written.is_err(),
        };
        self.telemetry.metrics.record(self.index, &exchange);
        self.log_failure(&identity.id, &note, end);
        if self.telemetry.refusals.admit(&note, &exchange, end) {
            access::log(&identity, method, &note, &exchange);
        }
        None
    }

    fn log_failure(&self, id: &str, note: &Note, now: Instant) {
        let Some(reason) = &note.failure else {
            return;
        };
        let failures = &self.telemetry.failures;
        let endpoint = note.endpoint.unwrap_or("a request");
        match failures.occurs((note.endpoint, reason.clone()), now) {
            None => {}
            Some(0) => log::error!(id = id; "{endpoint} failed: {reason}"),
            Some(more) => log::error!(id = id; "{endpoint} failed, and {more} before it: {reason}"),
        }
    }
}

/// Returns the method if it is a known one, otherwise `other`. This bounds the values in the log.
fn known_method(method: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
    let known = KNOWN.into_iter().find(|known| *known == method);
    known.unwrap_or("other")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_is_alive_until_all_its_workers_are_stuck() {
        let start = Instant::now();
        let later = start + STUCK + Duration::from_millis(1);
        let alive = |since: &[Option<Instant>], now| {
            let since: Vec<_> = since.iter().map(|since| Mutex::new(*since)).collect();
            is_alive(&since, now)
        };
        assert!(alive(&[Some(start)], start + STUCK));
        assert!(!alive(&[Some(start)], later));
        assert!(alive(&[Some(start), None], later));
        assert!(alive(&[Some(start), Some(later)], later));
    }
}
