//! The engines, which turn connections into requests and responses into bytes. Both implement the
//! part of tiny_http's interface that the service uses.
//!
//! - [`Engine::Bounded`] is the program's own ([its map](bounded)). It enforces its [`Bounds`]
//!   whatever clients send. It needs epoll, and therefore Linux, where it is the default.
//! - [`Engine::TinyHttp`] is the library, without bounds, for other systems and as a fallback.
//!
//! tiny_http 0.12 has faults that callers cannot work around: a burst of 64 connections leaves most
//! unanswered, one GET with a large `Content-Length` ends the process, and nothing is bounded. The
//! same tests run on both engines.

#[cfg(target_os = "linux")]
pub mod bounded;
mod bounds;
pub mod buffers;
mod date;
mod response;
mod tiny;

use std::io;

use crate::api::{self, Response};
pub use bounds::Bounds;
pub use response::has_body;
/// A listening socket, TCP or Unix.
pub use tiny_http::Listener;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    #[cfg(target_os = "linux")]
    Bounded,
    TinyHttp,
}

impl Engine {
    /// The engines available on this system, the default first.
    pub const ALL: &[Self] = &[
        #[cfg(target_os = "linux")]
        Self::Bounded,
        Self::TinyHttp,
    ];

    /// Returns the name, as used by `--engine`.
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

/// Calls the same method on either engine.
macro_rules! either {
    ($either:expr, $one:ident => $result:expr) => {
        match $either {
            #[cfg(target_os = "linux")]
            Self::Bounded($one) => $result,
            Self::TinyHttp($one) => $result,
        }
    };
}

/// A server. Any number of threads may call [`Server::recv`].
#[allow(clippy::large_enum_variant, reason = "a process has two of them")]
pub enum Server {
    #[cfg(target_os = "linux")]
    Bounded(bounded::BoundedServer),
    TinyHttp(tiny::TinyServer),
}

impl Server {
    /// Creates a server on a listening socket. The engine tiny_http ignores `bounds`.
    ///
    /// # Errors
    /// Returns an error if the system refuses a resource that the engine needs.
    pub fn new(
        engine: Engine,
        listener: impl Into<Listener>,
        #[cfg_attr(not(target_os = "linux"), allow(unused_variables))] bounds: Bounds,
    ) -> io::Result<Self> {
        let listener = listener.into();
        match engine {
            #[cfg(target_os = "linux")]
            Engine::Bounded => match listener {
                Listener::Tcp(listener) => bounded::BoundedServer::new(listener, bounds),
                Listener::Unix(listener) => bounded::BoundedServer::new(listener, bounds),
            }
            .map(Self::Bounded),
            Engine::TinyHttp => tiny::TinyServer::new(listener).map(Self::TinyHttp),
        }
    }

    /// Waits for the next request.
    ///
    /// # Errors
    /// Returns an error once the server has stopped, or if `epoll_wait` fails.
    pub fn recv(&self) -> io::Result<Request<'_>> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(server) => server.recv().map(Request::Bounded),
            Self::TinyHttp(server) => server.recv().map(Request::TinyHttp),
        }
    }

    /// Reattaches a suspended request to its server.
    pub fn resume(&self, suspended: Suspended) -> Request<'_> {
        match (self, suspended) {
            #[cfg(target_os = "linux")]
            (Self::Bounded(server), Suspended::Bounded(suspended)) => {
                Request::Bounded(server.resume(suspended))
            }
            (Self::TinyHttp(server), Suspended::TinyHttp(suspended)) => {
                Request::TinyHttp(server.resume(suspended))
            }
            #[cfg(target_os = "linux")]
            _ => unreachable!("a request of another server"),
        }
    }

    /// Returns whether the server still accepts connections. Always `true` for the bounded engine:
    /// it accepts connections in [`Server::recv`], which returns an error if it cannot.
    pub fn is_accepting(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(_) => true,
            Self::TinyHttp(server) => server.is_accepting(),
        }
    }

    /// Stops the server. Received requests are answered, then every [`Server::recv`] returns an
    /// error.
    pub fn unblock(&self) {
        either!(self, server => server.unblock())
    }

    /// Returns the counters; tiny_http has none.
    pub fn figures(&self) -> Option<Figures> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(server) => Some(server.figures()),
            Self::TinyHttp(_) => None,
        }
    }
}

/// A request. If it is dropped without a response, the client gets a 500.
pub enum Request<'a> {
    #[cfg(target_os = "linux")]
    Bounded(bounded::BoundedRequest<'a>),
    TinyHttp(tiny::TinyRequest<'a>),
}

/// A request that has been detached from the server to wait for its turn. It must be resumed.
pub enum Suspended {
    #[cfg(target_os = "linux")]
    Bounded(bounded::BoundedSuspended),
    TinyHttp(tiny::TinySuspended),
}

/// A request's socket, which shows whether the client is still there.
pub struct Presence<'a> {
    #[cfg(target_os = "linux")]
    socket: Option<rustix::fd::BorrowedFd<'a>>,
    #[cfg(not(target_os = "linux"))]
    socket: std::marker::PhantomData<&'a ()>,
}

impl Presence<'_> {
    /// Returns whether the client has closed the connection, entirely or for sending. Always
    /// `false` with tiny_http.
    pub fn is_gone(&self) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(socket) = &self.socket {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let ends = PollFlags::RDHUP | PollFlags::HUP | PollFlags::ERR;
            let mut socket = [PollFd::new(socket, ends)];
            // If `poll` fails, nothing is known about the connection.
            return poll(&mut socket, Some(&Timespec::default())).is_ok_and(|ready| ready > 0);
        }
        false
    }
}

impl Request<'_> {
    /// Detaches the request from the server, so that it can wait for its turn. Returns `None` if
    /// the request was already answered.
    pub fn suspend(self) -> Option<Suspended> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(request) => request.suspend().map(Suspended::Bounded),
            Self::TinyHttp(request) => Some(Suspended::TinyHttp(request.suspend())),
        }
    }

    pub fn presence(&self) -> Presence<'_> {
        Presence {
            #[cfg(target_os = "linux")]
            socket: match self {
                Self::Bounded(request) => request.socket(),
                Self::TinyHttp(_) => None,
            },
            #[cfg(not(target_os = "linux"))]
            socket: std::marker::PhantomData,
        }
    }

    /// Returns the request in the form that the API takes. The request's peer is the other end of
    /// the connection. Invalid UTF-8 in header values becomes U+FFFD.
    pub fn parts(&self) -> api::Request<'_> {
        either!(self, request => request.parts())
    }

    /// Sends a response that carries this request id.
    ///
    /// # Errors
    /// Returns an error if the client is gone.
    pub fn respond(self, response: Response, id: Option<&str>) -> io::Result<()> {
        either!(self, request => request.respond(response, id))
    }
}

/// Whether the connection stays open after a response (RFC 9112, 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    KeepAlive,
    Close,
}

impl Persistence {
    /// Returns what a client asks for, given the minor HTTP version and the values of `Connection`.
    fn requested<'a>(is_http10: bool, connection: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        let has = |option: &[u8]| {
            let lists = connection.clone();
            let mut items = lists.flat_map(|list| list.split(|byte| *byte == b','));
            items.any(|item| item.trim_ascii().eq_ignore_ascii_case(option))
        };
        if has(b"close") || (is_http10 && !has(b"keep-alive")) {
            Self::Close
        } else {
            Self::KeepAlive
        }
    }
}

/// Server counters since startup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    pub open: u64,
    pub accepted: u64,
    pub sent: u64,
    /// Response bytes that clients have not read yet.
    pub waiting: u64,
    /// Refused requests and connections, by reason.
    pub refused: Vec<(&'static str, u64)>,
}
