//! Sockets: the accept loop and the fixed pool of workers, what they write, and what
//! operators see of it: the access log, figures, the admin server.
//!
//! One of the [engines](engine) accepts and reads; each worker takes the next request, has
//! it answered, and gives head and body back at once.

mod access;
mod admin;
pub mod engine;
mod exposition;
mod listening;
mod metrics;
mod proxies;
mod request_id;
mod response;
mod telemetry;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::api::{Answerer, Reply, Request};
use engine::{Bounds, Engine, Figures, buffers};
use listening::SocketFile;
use metrics::Answered;

pub use admin::{Admin, AdminServer, MaxAges, Sources};
pub use listening::{Address, Listening, listen, listen_on};
pub use metrics::DataFigures;
pub use proxies::{Proxies, network};
pub use telemetry::Telemetry;

/// A server that answers.
pub struct Running {
    engine: Arc<engine::Server>,
    works: Arc<[Work]>,
    /// A message from each worker that has ended.
    ended: Receiver<()>,
    /// Removed at the end.
    _file: Option<SocketFile>,
}

impl Listening {
    /// Answers with one worker for each of `answerers`, within `bounds` if `engine` has
    /// any; `telemetry` is of as many.
    ///
    /// # Errors
    /// A thread cannot be had, or what the engine needs of the system.
    pub fn serve(
        self,
        answerers: Vec<Answerer>,
        telemetry: &Arc<Telemetry>,
        engine: Engine,
        bounds: Bounds,
    ) -> io::Result<Running> {
        let engine = Arc::new(engine::Server::new(engine, self.listener, bounds)?);
        let works: Arc<[Work]> = answerers.iter().map(|_| Work::default()).collect();
        let (end, ended) = mpsc::channel();
        for (index, answerer) in answerers.into_iter().enumerate() {
            let (engine, end) = (Arc::clone(&engine), end.clone());
            let worker = Worker {
                index,
                answerer,
                telemetry: Arc::clone(telemetry),
                works: Arc::clone(&works),
            };
            thread::Builder::new()
                .name(format!("worker-{index}"))
                .spawn(move || {
                    work(&engine, worker);
                    // Nobody waits any more where the grace period is over.
                    let _ = end.send(());
                })?;
        }
        Ok(Running {
            engine,
            works,
            ended,
            _file: self.file,
        })
    }
}

/// What a worker is at.
#[derive(Default)]
struct Work {
    /// The request that it has been at since then.
    since: Mutex<Option<Instant>>,
}

/// How long all workers may be at one request each before the service counts as
/// dead: an answer takes milliseconds.
const STUCK: Duration = Duration::from_secs(30);

impl Running {
    /// Does a worker wait for requests, or has one begun with its own not long ago?
    pub fn is_alive(&self) -> bool {
        is_alive(&self.works)
    }

    /// What tells the same from elsewhere.
    pub fn alive(&self) -> impl Fn() -> bool + Send + Sync + 'static {
        let works = Arc::clone(&self.works);
        move || is_alive(&works)
    }

    /// What tells what the engine counts, if it counts, from elsewhere.
    pub fn figures(&self) -> impl Fn() -> Option<Figures> + Send + Sync + 'static {
        let engine = Arc::clone(&self.engine);
        move || engine.figures()
    }

    /// Ends: what has been received by now is answered, for at most `grace`. Was
    /// all of it?
    pub fn stop(self, grace: Duration) -> bool {
        self.engine.unblock();
        let deadline = Instant::now() + grace;
        self.works.iter().all(|_| {
            let left = deadline.saturating_duration_since(Instant::now());
            self.ended.recv_timeout(left).is_ok()
        })
    }
}

fn is_alive(works: &[Work]) -> bool {
    let is_stuck = |work: &Work| {
        let since = *work.since.lock().unwrap_or_else(PoisonError::into_inner);
        since.is_some_and(|since| since.elapsed() > STUCK)
    };
    !works.iter().all(is_stuck)
}

/// What a worker thread has.
struct Worker {
    index: usize,
    answerer: Answerer,
    telemetry: Arc<Telemetry>,
    works: Arc<[Work]>,
}

/// Answers requests until the server has stopped.
fn work(engine: &engine::Server, mut worker: Worker) {
    // The answerer sees to its own panics; this is for those of the transport. A
    // request dropped on the way is answered 500 by the engine.
    let mut next = || {
        worker.is_at(None);
        let request = match engine.recv() {
            Ok(request) => request,
            Err(error) => {
                log::debug!("a worker ends: {error}");
                return false;
            }
        };
        let start = Instant::now();
        worker.is_at(Some(start));
        worker.handle(request, start);
        true
    };
    loop {
        match catch_unwind(AssertUnwindSafe(&mut next)) {
            Ok(true) => {}
            Ok(false) => return,
            Err(_) => log::error!("a request could not be handled: a panic"),
        }
    }
}

impl Worker {
    fn is_at(&self, since: Option<Instant>) {
        if let Some(work) = self.works.get(self.index) {
            *work.since.lock().unwrap_or_else(PoisonError::into_inner) = since;
        }
    }

    /// Answers a request that came at `start`.
    fn handle(&mut self, request: engine::Request<'_>, start: Instant) {
        let metrics = &self.telemetry.metrics;
        let _under_way = metrics.begin(self.index);
        let mut received = received(&request);
        let identity = self.telemetry.identify(&received, received.client);
        received.client = identity.client;
        let method = known_method(received.method);
        let mut reply = self.answerer.answer_in(buffers::take(), &received);
        reply
            .headers
            .push(("X-Request-Id", identity.id.clone().into()));
        let bytes = if has_body(method, reply.status) {
            reply.body.len()
        } else {
            0
        };
        drop(received);
        let note = std::mem::take(&mut reply.note);
        let status = reply.status;
        let written = send(request, method, reply);
        let answered = Answered {
            endpoint: note.endpoint,
            status,
            bytes,
            duration: start.elapsed(),
            broken: written.is_err(),
        };
        metrics.record(self.index, &answered);
        access::log(&identity, method, &note, &answered);
    }
}

/// Writes a reply, head and body at once.
fn send(mut request: engine::Request<'_>, method: &str, reply: Reply) -> io::Result<()> {
    let mut head = buffers::take();
    response::head(&mut head, &reply, request.persistence(), SystemTime::now());
    let mut body = reply.body;
    if !has_body(method, reply.status) {
        body.clear();
    }
    request.respond(head, body)
}

/// A request as the answerer takes it; the client is who is at the other end of the
/// connection.
fn received<'a>(request: &'a engine::Request<'_>) -> Request<'a> {
    Request {
        method: request.method(),
        target: request.url(),
        headers: request.headers(),
        client: request.peer(),
    }
}

/// A method, if it is one that a client has a reason to try.
fn known_method(method: &str) -> &'static str {
    const KNOWN: [&str; 7] = ["GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
    let known = KNOWN.into_iter().find(|known| *known == method);
    known.unwrap_or("other")
}

/// Is the body of a reply sent?
fn has_body(method: &str, status: u16) -> bool {
    method != "HEAD" && status != 304
}
