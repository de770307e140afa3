//! Sockets: the accept loop and the fixed pool of workers, what they write, and what
//! operators see of it: the access log, figures, the admin server.
//!
//! tiny_http accepts and reads; each worker takes the next request, has it
//! answered and writes head and body at once. Of tiny_http only `Server` (made from
//! a listener; `recv`, `try_recv`, `unblock`) and `Request` (`method`, `url`,
//! `headers`, `http_version`, `remote_addr`, `into_writer`) are used, so that
//! another engine with the same interface can take its place.

mod access;
mod admin;
mod exposition;
mod metrics;
mod proxies;
mod request_id;
mod response;
mod telemetry;

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::api::{Answerer, Reply, Request};
use metrics::Answered;

pub use admin::{Admin, AdminServer, Sources};
pub use metrics::{DataFigures, EngineFigures};
pub use proxies::{Proxies, network};
pub use telemetry::Telemetry;

/// A socket that listens; nothing is answered yet.
pub struct Listening {
    listener: TcpListener,
    address: SocketAddr,
}

/// Listens on `address`; port 0 takes a free one.
///
/// # Errors
/// The address cannot be had.
pub fn listen(address: impl ToSocketAddrs) -> io::Result<Listening> {
    let listener = TcpListener::bind(address)?;
    let address = listener.local_addr()?;
    Ok(Listening { listener, address })
}

/// A server that answers.
pub struct Running {
    engine: Arc<tiny_http::Server>,
    stopping: Arc<AtomicBool>,
    workers: usize,
    /// A message from each worker that has ended.
    ended: Receiver<()>,
}

impl Listening {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers with one worker for each of `answerers`; `telemetry` is of as many.
    ///
    /// # Errors
    /// A thread cannot be had.
    pub fn serve(
        self,
        answerers: Vec<Answerer>,
        telemetry: &Arc<Telemetry>,
    ) -> io::Result<Running> {
        let engine =
            tiny_http::Server::from_listener(self.listener, None).map_err(io::Error::other)?;
        let engine = Arc::new(engine);
        let stopping = Arc::new(AtomicBool::new(false));
        let workers = answerers.len();
        let (end, ended) = mpsc::channel();
        for (index, answerer) in answerers.into_iter().enumerate() {
            let (engine, stopping, end) = (Arc::clone(&engine), Arc::clone(&stopping), end.clone());
            let worker = Worker {
                index,
                answerer,
                telemetry: Arc::clone(telemetry),
            };
            thread::Builder::new()
                .name(format!("worker-{index}"))
                .spawn(move || {
                    work(&engine, &stopping, worker);
                    // Nobody waits any more where the grace period is over.
                    let _ = end.send(());
                })?;
        }
        Ok(Running {
            engine,
            stopping,
            workers,
            ended,
        })
    }
}

impl Running {
    /// Ends: what has been received by now is answered, for at most `grace`. Was
    /// all of it?
    pub fn stop(self, grace: Duration) -> bool {
        self.stopping.store(true, Ordering::SeqCst);
        // Wakes one worker, which wakes the next when it ends: a message that ends a
        // wait may also be taken by one that does not wait any more.
        self.engine.unblock();
        let deadline = Instant::now() + grace;
        (0..self.workers).all(|_| {
            let left = deadline.saturating_duration_since(Instant::now());
            self.ended.recv_timeout(left).is_ok()
        })
    }
}

/// What a worker thread has.
struct Worker {
    index: usize,
    answerer: Answerer,
    telemetry: Arc<Telemetry>,
}

/// Answers requests until the server is stopping and none is left.
fn work(engine: &tiny_http::Server, stopping: &AtomicBool, mut worker: Worker) {
    let mut handle = |request| {
        // The answerer sees to its own panics; this is for those of the transport.
        // A request dropped on the way is answered 500 by the engine.
        let handled = catch_unwind(AssertUnwindSafe(|| worker.handle(request)));
        if handled.is_err() {
            log::error!("a request could not be handled: a panic");
        }
    };
    while !stopping.load(Ordering::SeqCst) {
        match engine.recv() {
            Ok(request) => handle(request),
            Err(_) if stopping.load(Ordering::SeqCst) => {}
            Err(error) => log::error!("no request could be had: {error}"),
        }
    }
    while let Ok(Some(request)) = engine.try_recv() {
        handle(request);
    }
    engine.unblock();
}

impl Worker {
    fn handle(&mut self, request: tiny_http::Request) {
        let start = Instant::now();
        let metrics = &self.telemetry.metrics;
        let _under_way = metrics.begin(self.index);
        let mut asked = received(&request);
        let identity = self.telemetry.identify(&asked, asked.client);
        asked.client = identity.client;
        let mut reply = self.answerer.answer(&asked);
        reply.headers.push(("X-Request-Id", identity.id.clone()));
        let written = send(request, &asked, &reply, SystemTime::now());
        let answered = Answered {
            endpoint: reply.note.endpoint,
            status: reply.status,
            bytes: if has_body(&asked, &reply) {
                reply.body.len()
            } else {
                0
            },
            duration: start.elapsed(),
            broken: written.is_err(),
        };
        metrics.record(self.index, &answered);
        access::log(&identity, &asked.method, &reply.note, &answered);
    }
}

/// A request as the answerer takes it; the client is who is at the other end of the
/// connection.
fn received(request: &tiny_http::Request) -> Request {
    let header = |header: &tiny_http::Header| {
        let name = header.field.as_str().as_str().to_owned();
        (name, header.value.as_str().to_owned())
    };
    Request {
        method: request.method().as_str().to_owned(),
        target: request.url().to_owned(),
        headers: request.headers().iter().map(header).collect(),
        client: request.remote_addr().map(SocketAddr::ip),
    }
}

/// Writes a reply, head and body at once.
fn send(
    request: tiny_http::Request,
    asked: &Request,
    reply: &Reply,
    now: SystemTime,
) -> io::Result<()> {
    let is_old = *request.http_version() <= tiny_http::HTTPVersion(1, 0);
    let connection = response::Connection::of(is_old, asked);
    let mut bytes = response::head(reply, connection, now);
    if has_body(asked, reply) {
        bytes.extend_from_slice(&reply.body);
    }
    let mut writer = request.into_writer();
    writer.write_all(&bytes).and_then(|()| writer.flush())
}

/// Is the body of a reply sent?
fn has_body(asked: &Request, reply: &Reply) -> bool {
    asked.method != "HEAD" && reply.status != 304
}
