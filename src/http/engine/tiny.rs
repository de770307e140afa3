//! tiny_http behind the engines' interface: without bounds, and with the faults listed in the
//! manual ("Deployment", "Known limits").
//!
//! Requests about whose length two parsers could disagree are refused here, before anything acts on
//! them. tiny_http permits no more than that: it has already applied the first `Content-Length`, it
//! offers no way to close a connection, and it goes on to parse what follows as the next request.
//! So later requests from the same address and port are refused as well. Over a Unix socket
//! connections cannot be told apart, so this works for TCP only.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::net::{SocketAddr, TcpStream};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tiny_http::{HTTPVersion, Header, ListenAddr, Listener, Method};

use super::response::{ConnectionLines, has_body, head, plain};
use super::{Persistence, buffers};
use crate::api::{self, LargeBody, Peer, Response};
use crate::http::lock::locked;

pub struct TinyServer {
    server: Arc<tiny_http::Server>,
    stopping: AtomicBool,
    /// Addresses of the most recent connections with a refused request. Locked while a thread waits
    /// for a request, so that no request overtakes an earlier one on the same connection.
    refused: Mutex<VecDeque<SocketAddr>>,
    lines: ConnectionLines,
}

/// Upper bound on remembered addresses.
const MAX_REFUSED: usize = 1024;

impl TinyServer {
    /// Creates a server on a listening socket.
    ///
    /// # Errors
    /// Returns an error if the socket cannot be used.
    pub fn new(listener: Listener) -> io::Result<Self> {
        let is_unix = matches!(listener, Listener::Unix(_));
        let server = tiny_http::Server::from_listener(listener, None).map_err(io::Error::other)?;
        let server = Arc::new(server);
        if is_unix {
            // Leak the server on purpose: dropping it would remove the socket's file, which may by
            // then belong to the next server or to systemd.
            std::mem::forget(Arc::clone(&server));
        }
        Ok(Self {
            server,
            stopping: AtomicBool::new(false),
            refused: Mutex::default(),
            lines: ConnectionLines::new(None),
        })
    }

    /// Waits for the next request.
    ///
    /// # Errors
    /// Returns an error once the server has stopped.
    pub fn recv(&self) -> io::Result<TinyRequest<'_>> {
        loop {
            let mut refused = locked(&self.refused);
            let request = self.next()?;
            let address = request.request.remote_addr().copied();
            let is_refused = address.is_some_and(|address| refused.contains(&address));
            if !is_refused && has_one_length(request.request.headers()) {
                return Ok(request);
            }
            if let Some(address) = address.filter(|_| !is_refused) {
                refused.truncate(MAX_REFUSED - 1);
                refused.push_front(address);
            }
            drop(refused);
            // The client may be gone.
            let _ = request.refuse();
        }
    }

    fn next(&self) -> io::Result<TinyRequest<'_>> {
        let request = if self.stopping.load(Ordering::SeqCst) {
            self.server.try_recv()?
        } else {
            match self.server.recv() {
                Ok(request) => Some(request),
                Err(_) if self.stopping.load(Ordering::SeqCst) => self.server.try_recv()?,
                Err(error) => return Err(error),
            }
        };
        match request {
            Some(request) => Ok(TinyRequest {
                request,
                received: Instant::now(),
                server: self,
            }),
            None => {
                // Wake another waiting thread, which in turn wakes the next.
                self.server.unblock();
                Err(io::Error::other("the server has stopped"))
            }
        }
    }

    pub fn resume(&self, suspended: TinySuspended) -> TinyRequest<'_> {
        TinyRequest {
            request: suspended.request,
            received: suspended.received,
            server: self,
        }
    }

    /// Returns whether connections are still accepted. If the process runs out of file descriptors,
    /// tiny_http's accept thread panics and closes the socket, while every [`TinyServer::recv`] keeps
    /// waiting. Only connecting to the socket reveals that.
    pub fn is_accepting(&self) -> bool {
        let connected = match self.server.server_addr() {
            ListenAddr::IP(address) => TcpStream::connect(address).map(drop),
            #[cfg(unix)]
            ListenAddr::Unix(address) => match address.as_pathname() {
                Some(path) => UnixStream::connect(path).map(drop),
                None => Ok(()),
            },
        };
        let error = connected.err().map(|error| error.kind());
        error != Some(io::ErrorKind::ConnectionRefused)
    }

    /// Stops the server: every [`TinyServer::recv`] returns an error.
    pub fn unblock(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.server.unblock();
    }
}

pub struct TinyRequest<'a> {
    request: tiny_http::Request,
    /// Time when a worker got the request.
    received: Instant,
    server: &'a TinyServer,
}

/// A request that has been detached from the server to wait for its turn.
pub struct TinySuspended {
    request: tiny_http::Request,
    received: Instant,
}

impl TinyRequest<'_> {
    /// Detaches the request from the server, so that it can wait for its turn.
    pub fn suspend(self) -> TinySuspended {
        TinySuspended {
            request: self.request,
            received: self.received,
        }
    }

    pub fn parts(&self) -> api::Request<'_> {
        let headers = self.request.headers().iter();
        api::Request {
            method: self.request.method().as_str(),
            target: self.request.url(),
            headers: headers
                .map(|header| (header.field.as_str().as_str(), header.value.as_str().into()))
                .collect(),
            peer: match self.request.remote_addr() {
                Some(address) => Peer::Direct(address.ip()),
                None => Peer::Local,
            },
            received: Some(self.received),
            user_header: None,
        }
    }

    /// Responds to a request whose length is ambiguous.
    fn refuse(self) -> io::Result<()> {
        let with_body = *self.request.method() != Method::Head;
        let sentence = "Not an HTTP request: two of Content-Length or Transfer-Encoding.";
        let bytes = plain(("400", "Bad Request"), sentence, with_body);
        let mut writer = self.request.into_writer();
        writer.write_all(&bytes)?;
        writer.flush()
    }

    /// Sends a response that carries this request id.
    ///
    /// # Errors
    /// Returns an error if the client is gone.
    pub fn respond(self, response: Response, id: Option<&str>) -> io::Result<()> {
        if response.is_cut(self.request.method().as_str()) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let persistence = match self.server.stopping.load(Ordering::SeqCst) {
            true => Persistence::Close,
            false => persistence(&self.request),
        };
        let has_body = has_body(self.request.method().as_str(), response.status);
        let mut bytes = head(&response, id, persistence, &self.server.lines);
        if has_body {
            // Write everything at once: tiny_http leaves Nagle's algorithm on, so a second write
            // would wait some 40 ms for the client's delayed acknowledgement.
            bytes.extend_from_slice(&response.body);
        }
        let mut writer = self.request.into_writer();
        writer.write_all(&bytes)?;
        if let Some(LargeBody::File(file)) = response.large.filter(|_| has_body) {
            io::copy(&mut file.reader()?, &mut writer)?;
        }
        writer.flush()?;
        buffers::reuse(bytes);
        buffers::reuse(response.body);
        Ok(())
    }
}

/// Returns whether the headers announce at most one length, and that one is well-formed (RFC 9112,
/// 6.1 and 6.3).
fn has_one_length(headers: &[Header]) -> bool {
    let of = |name: &'static str| {
        let named = headers.iter().filter(|header| header.field.equiv(name));
        named
            .map(|header| header.value.as_str().trim())
            .collect::<Vec<_>>()
    };
    match (
        of("Content-Length").as_slice(),
        of("Transfer-Encoding").as_slice(),
    ) {
        ([], []) => true,
        ([length], []) => !length.is_empty() && length.bytes().all(|byte| byte.is_ascii_digit()),
        ([], [coding]) => coding.eq_ignore_ascii_case("chunked"),
        _ => false,
    }
}

fn persistence(request: &tiny_http::Request) -> Persistence {
    let headers = request.headers().iter();
    let connection = headers
        .filter(|header| header.field.equiv("Connection"))
        .map(|header| header.value.as_str().as_bytes());
    Persistence::requested(*request.http_version() <= HTTPVersion(1, 0), connection)
}
