//! The engines: connections to requests, responses to bytes. There are two behind one
//! interface, that of tiny_http as far as the service uses it.
//!
//! - [`Engine::Bounded`] is this program's own ([its map](bounded)): its [`Bounds`] hold
//!   whatever clients send. It needs epoll, and so Linux, where it is the default.
//! - [`Engine::TinyHttp`] is the library, without bounds: for other systems, and as the way
//!   back if the other one should ever misbehave.
//!
//! tiny_http 0.12 has faults that its caller cannot fix: a burst of 64 connections leaves
//! most unanswered, one GET with a large `Content-Length` ends the process, and nothing has
//! a bound. The same tests run on both.

#[cfg(target_os = "linux")]
pub mod bounded;
mod bounds;
pub mod buffers;
pub mod date;
mod tiny;

use std::borrow::Cow;
use std::io;
use std::net::IpAddr;
use std::time::Instant;

pub use bounds::Bounds;
/// A socket that listens, TCP or Unix.
pub use tiny_http::Listener;

/// Which engine a server has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The engine with bounds.
    #[cfg(target_os = "linux")]
    Bounded,
    /// tiny_http.
    TinyHttp,
}

impl Engine {
    /// The engines of this system, the default one first.
    pub const ALL: &[Self] = &[
        #[cfg(target_os = "linux")]
        Self::Bounded,
        Self::TinyHttp,
    ];

    /// Its name, as an option has it.
    pub fn name(self) -> &'static str {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded => "bounded",
            Self::TinyHttp => "tiny-http",
        }
    }
}

impl Default for Engine {
    fn default() -> Self {
        Self::ALL[0]
    }
}

/// Calls the same method of either engine.
macro_rules! either {
    ($either:expr, $one:ident => $result:expr) => {
        match $either {
            #[cfg(target_os = "linux")]
            Self::Bounded($one) => $result,
            Self::TinyHttp($one) => $result,
        }
    };
}

/// A server: any number of threads may call [`Server::recv`].
#[allow(clippy::large_enum_variant, reason = "a process has two of them")]
pub enum Server {
    /// One with bounds.
    #[cfg(target_os = "linux")]
    Bounded(bounded::Server),
    /// One of tiny_http.
    TinyHttp(tiny::Server),
}

impl Server {
    /// A server on a socket that listens; tiny_http knows no `bounds`.
    ///
    /// # Errors
    /// The socket or the process cannot have what the engine needs.
    pub fn new(
        engine: Engine,
        listener: impl Into<Listener>,
        #[cfg_attr(not(target_os = "linux"), allow(unused_variables))] bounds: Bounds,
    ) -> io::Result<Self> {
        let listener = listener.into();
        match engine {
            #[cfg(target_os = "linux")]
            Engine::Bounded => match listener {
                Listener::Tcp(listener) => bounded::Server::new(listener, bounds),
                Listener::Unix(listener) => bounded::Server::new(listener, bounds),
            }
            .map(Self::Bounded),
            Engine::TinyHttp => tiny::Server::new(listener).map(Self::TinyHttp),
        }
    }

    /// The next request.
    ///
    /// # Errors
    /// The server has stopped, or the system does not say what happens on the connections.
    pub fn recv(&self) -> io::Result<Request<'_>> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(server) => server.recv().map(Request::Bounded),
            Self::TinyHttp(server) => server.recv().map(Request::TinyHttp),
        }
    }

    /// Returns whether it still accepts connections. The engine with bounds accepts on the
    /// threads that call [`Server::recv`], which fails where it cannot.
    pub fn is_accepting(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(_) => true,
            Self::TinyHttp(server) => server.is_accepting(),
        }
    }

    /// Stops: what has come in is answered, then every [`Server::recv`] ends.
    pub fn unblock(&self) {
        either!(self, server => server.unblock())
    }

    /// Returns its counts; tiny_http has none.
    pub fn figures(&self) -> Option<Figures> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(server) => Some(server.figures()),
            Self::TinyHttp(_) => None,
        }
    }
}

/// A request. Dropped without a response, it is answered 500.
pub enum Request<'a> {
    /// One that came to a server with bounds.
    #[cfg(target_os = "linux")]
    Bounded(bounded::Request<'a>),
    /// One that came to tiny_http.
    TinyHttp(tiny::Request<'a>),
}

impl Request<'_> {
    /// The method.
    pub fn method(&self) -> &str {
        either!(self, request => request.method())
    }

    /// The target, in any of its forms.
    pub fn url(&self) -> &str {
        either!(self, request => request.url())
    }

    /// Names and values of the headers; what is not UTF-8 in a value is U+FFFD.
    pub fn headers(&self) -> Vec<(&str, Cow<'_, str>)> {
        either!(self, request => request.headers())
    }

    /// The address of the client, or of the proxy before it; none over a Unix socket.
    pub fn peer(&self) -> Option<IpAddr> {
        either!(self, request => request.peer())
    }

    /// When it had been received.
    pub fn received(&self) -> Instant {
        either!(self, request => request.received())
    }

    /// Returns what follows the response on its connection; the response must say so.
    pub fn persistence(&mut self) -> Persistence {
        either!(self, request => request.persistence())
    }

    /// Answers with a head, status line to empty line, and a body.
    ///
    /// # Errors
    /// The client is gone.
    pub fn respond(self, head: Vec<u8>, body: impl Into<Cow<'static, [u8]>>) -> io::Result<()> {
        either!(self, request => request.respond(head, body.into()))
    }
}

/// How a connection continues after a response (RFC 9112, 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// It stays open, as HTTP/1.1 has it.
    KeepAlive,
    /// It stays open, as a client of HTTP/1.0 wants it; the response has to say so.
    KeepAliveHttp10,
    /// It is closed.
    Close,
}

/// The counts of a server since it started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Connections that are open.
    pub open: u64,
    /// Connections that were accepted.
    pub accepted: u64,
    /// Bytes that were sent.
    pub sent: u64,
    /// Bytes of responses that wait for their clients.
    pub waiting: u64,
    /// How often each bound refused a request or a connection.
    pub refused: Vec<(&'static str, u64)>,
}
