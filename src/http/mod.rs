//! Sockets: the accept loop and the fixed pool of workers, what they write, and
//! the access log.
//!
//! tiny_http accepts and reads; each worker takes the next request, has it
//! answered and writes head and body at once. Of tiny_http only `Server` (made from
//! a listener; `recv`, `try_recv`, `unblock`) and `Request` (`method`, `url`,
//! `headers`, `http_version`, `remote_addr`, `into_writer`) are used, so that
//! another engine with the same interface can take its place.

mod access;
mod response;

use std::io::{self, Write};
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::api::{Answerer, Request};

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
    listen_on(TcpListener::bind(address)?)
}

/// Takes over a socket that listens already.
///
/// # Errors
/// It is none.
pub fn listen_on(listener: TcpListener) -> io::Result<Listening> {
    let address = listener.local_addr()?;
    // Whoever had it before may have left it otherwise.
    listener.set_nonblocking(false)?;
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

    /// Answers with one worker for each of `answerers`.
    ///
    /// # Errors
    /// A thread cannot be had.
    pub fn serve(self, answerers: Vec<Answerer>) -> io::Result<Running> {
        let engine =
            tiny_http::Server::from_listener(self.listener, None).map_err(io::Error::other)?;
        let engine = Arc::new(engine);
        let stopping = Arc::new(AtomicBool::new(false));
        let workers = answerers.len();
        let (end, ended) = mpsc::channel();
        for (index, answerer) in answerers.into_iter().enumerate() {
            let (engine, stopping, end) = (Arc::clone(&engine), Arc::clone(&stopping), end.clone());
            thread::Builder::new()
                .name(format!("worker-{index}"))
                .spawn(move || {
                    work(&engine, &stopping, answerer);
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

/// Answers requests until the server is stopping and none is left.
fn work(engine: &tiny_http::Server, stopping: &AtomicBool, mut answerer: Answerer) {
    let mut handle = |request| {
        // The answerer sees to its own panics; this is for those of the transport.
        // A request dropped on the way is answered 500 by the engine.
        let handled = catch_unwind(AssertUnwindSafe(|| handle(request, &mut answerer)));
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

fn handle(request: tiny_http::Request, answerer: &mut Answerer) {
    let start = Instant::now();
    let asked = Request {
        method: request.method().as_str().to_owned(),
        target: request.url().to_owned(),
        headers: request
            .headers()
            .iter()
            .map(|header| {
                (
                    header.field.as_str().as_str().to_owned(),
                    header.value.as_str().to_owned(),
                )
            })
            .collect(),
        client: request.remote_addr().map(SocketAddr::ip),
    };
    let client = request.remote_addr().copied();
    let connection = response::Connection::of(
        *request.http_version() <= tiny_http::HTTPVersion(1, 0),
        &asked,
    );
    let reply = answerer.answer(&asked);
    let mut bytes = response::head(&reply, connection, SystemTime::now());
    let body_is_sent = asked.method != "HEAD" && reply.status != 304;
    if body_is_sent {
        bytes.extend_from_slice(&reply.body);
    }
    let mut writer = request.into_writer();
    let written = writer.write_all(&bytes).and_then(|()| writer.flush());
    let sent = if body_is_sent { reply.body.len() } else { 0 };
    access::log(&access::Line {
        client,
        method: &asked.method,
        status: reply.status,
        note: &reply.note,
        bytes: sent,
        duration: start.elapsed(),
        broken: written.is_err(),
    });
}
