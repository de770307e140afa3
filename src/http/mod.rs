//! Sockets: the accept loop and the fixed pool of workers, what they write, and
//! the access log.
//!
//! The [`engine`] accepts and reads; each worker takes the next request, has it
//! answered, and gives head and body back at once.

mod access;
pub mod engine;
mod response;

use std::borrow::Cow;
use std::io;
use std::net::{SocketAddr, TcpListener, ToSocketAddrs};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use crate::api::{Answerer, Request};
use engine::Bounds;

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
    engine: Arc<engine::Server>,
    workers: usize,
    /// A message from each worker that has ended.
    ended: Receiver<()>,
}

impl Listening {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers with one worker for each of `answerers`, within `bounds`.
    ///
    /// # Errors
    /// A thread cannot be had, or what the engine needs of the system.
    pub fn serve(self, answerers: Vec<Answerer>, bounds: Bounds) -> io::Result<Running> {
        let engine = Arc::new(engine::Server::from_listener(self.listener, Some(bounds))?);
        let workers = answerers.len();
        let (end, ended) = mpsc::channel();
        for (index, answerer) in answerers.into_iter().enumerate() {
            let (engine, end) = (Arc::clone(&engine), end.clone());
            thread::Builder::new()
                .name(format!("worker-{index}"))
                .spawn(move || {
                    work(&engine, answerer);
                    // Nobody waits any more where the grace period is over.
                    let _ = end.send(());
                })?;
        }
        Ok(Running {
            engine,
            workers,
            ended,
        })
    }
}

impl Running {
    /// Ends: what has been received by now is answered, for at most `grace`. Was
    /// all of it?
    pub fn stop(self, grace: Duration) -> bool {
        self.engine.unblock();
        let deadline = Instant::now() + grace;
        (0..self.workers).all(|_| {
            let left = deadline.saturating_duration_since(Instant::now());
            self.ended.recv_timeout(left).is_ok()
        })
    }
}

/// Answers requests until the server has stopped.
fn work(engine: &engine::Server, mut answerer: Answerer) {
    // The answerer sees to its own panics; this is for those of the transport. A
    // request dropped on the way is answered 500 by the engine.
    let mut next = || match engine.recv() {
        Ok(request) => {
            handle(request, &mut answerer);
            true
        }
        Err(_) => false,
    };
    loop {
        match catch_unwind(AssertUnwindSafe(&mut next)) {
            Ok(true) => {}
            Ok(false) => return,
            Err(_) => log::error!("a request could not be handled: a panic"),
        }
    }
}

fn handle(mut request: engine::Request<'_>, answerer: &mut Answerer) {
    let start = Instant::now();
    let client = request.remote_addr();
    let asked = Request {
        method: request.method().to_owned(),
        target: request.url().to_owned(),
        headers: request
            .headers()
            .map(|(name, value)| (name.to_owned(), value.into_owned()))
            .collect(),
        client: client.map(|client| client.ip()),
    };
    let reply = answerer.answer(&asked);
    let mut bytes = response::head(&reply, request.persistence(), SystemTime::now());
    let body_is_sent = asked.method != "HEAD" && reply.status != 304;
    if body_is_sent {
        bytes.extend_from_slice(&reply.body);
    }
    let written = request.respond(Cow::Owned(bytes));
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
