//! tiny_http behind the interface of the engines: without bounds, and with the faults that
//! the manual's "Known limits" names (Deployment).

use std::io::{self, Write};
use std::net::TcpStream;
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tiny_http::{HTTPVersion, ListenAddr, Listener};

use super::response::{has_body, head};
use super::{Persistence, buffers};
use crate::api::{self, Peer, Response};

/// A server of tiny_http.
pub struct Server {
    server: Arc<tiny_http::Server>,
    stopping: AtomicBool,
}

impl Server {
    /// Returns a server on a listening socket.
    ///
    /// # Errors
    /// The socket cannot be used.
    pub fn new(listener: Listener) -> io::Result<Self> {
        let is_unix = matches!(listener, Listener::Unix(_));
        let server = tiny_http::Server::from_listener(listener, None).map_err(io::Error::other)?;
        let server = Arc::new(server);
        if is_unix {
            // Its drop would remove the socket's file, which may be its successor's by then, or
            // systemd's.
            std::mem::forget(Arc::clone(&server));
        }
        Ok(Self {
            server,
            stopping: AtomicBool::new(false),
        })
    }

    /// Returns the next request.
    ///
    /// # Errors
    /// The server has stopped.
    pub fn recv(&self) -> io::Result<Request<'_>> {
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
            Some(request) => Ok(Request {
                request,
                received: Instant::now(),
                server: self,
            }),
            None => {
                // Wakes another thread, which wakes the next.
                self.server.unblock();
                Err(io::Error::other("the server has stopped"))
            }
        }
    }

    /// Returns whether it still accepts connections. If the process runs out of file descriptors,
    /// tiny_http's accepting thread panics and closes the socket, while every [`Server::recv`]
    /// keeps waiting. Only a connection to itself shows that.
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

    /// Stops the server: every [`Server::recv`] ends.
    pub fn unblock(&self) {
        self.stopping.store(true, Ordering::SeqCst);
        self.server.unblock();
    }
}

/// A request from tiny_http.
pub struct Request<'a> {
    request: tiny_http::Request,
    /// The time of its arrival at a worker.
    received: Instant,
    server: &'a Server,
}

impl Request<'_> {
    /// Returns the request for the API.
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

    /// Answers.
    ///
    /// # Errors
    /// The client is gone.
    pub fn respond(self, response: Response) -> io::Result<()> {
        let persistence = match self.server.stopping.load(Ordering::SeqCst) {
            true => Persistence::Close,
            false => persistence(&self.request),
        };
        let has_body = has_body(self.request.method().as_str(), response.status);
        let mut bytes = head(&response, persistence);
        if has_body {
            // In one write, because tiny_http leaves Nagle's algorithm on: a second write would
            // wait for the client's delayed acknowledgement, some 40 ms.
            bytes.extend_from_slice(&response.body);
        }
        let mut writer = self.request.into_writer();
        writer.write_all(&bytes)?;
        if let Some(file) = response.file.filter(|_| has_body) {
            io::copy(&mut file.reader()?, &mut writer)?;
        }
        writer.flush()?;
        buffers::reuse(bytes);
        buffers::reuse(response.body);
        Ok(())
    }
}

/// The persistence that the client asks for.
fn persistence(request: &tiny_http::Request) -> Persistence {
    let headers = request.headers().iter();
    let connection = headers
        .filter(|header| header.field.equiv("Connection"))
        .map(|header| header.value.as_str().as_bytes());
    Persistence::requested(*request.http_version() <= HTTPVersion(1, 0), connection)
}
