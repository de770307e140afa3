//! The engines: connections to requests, responses to bytes. Two engines share one interface, the
//! part of tiny_http's that the service uses.
//!
//! - [`Engine::Bounded`] is this program's own ([its map](bounded)). Its [`Bounds`] hold whatever
//!   clients send. It needs epoll, and so Linux, where it is the default.
//! - [`Engine::TinyHttp`] is the library, without bounds, for other systems and as a fallback.
//!
//! tiny_http 0.12 has faults that its caller cannot fix: a burst of 64 connections leaves
//! most unanswered, one GET with a large `Content-Length` ends the process, and nothing has
//! a bound. The same tests run on both.

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

/// The engine of a server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The engine with bounds.
    #[cfg(target_os = "linux")]
    Bounded,
    /// tiny_http.
    TinyHttp,
}

impl Engine {
    /// The engines of this system, the default first.
    pub const ALL: &[Self] = &[
        #[cfg(target_os = "linux")]
        Self::Bounded,
        Self::TinyHttp,
    ];

    /// Returns the name, as in the option.
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
    /// A server with bounds.
    #[cfg(target_os = "linux")]
    Bounded(bounded::Server),
    /// A server of tiny_http.
    TinyHttp(tiny::Server),
}

impl Server {
    /// Returns a server on a listening socket. tiny_http ignores `bounds`.
    ///
    /// # Errors
    /// The system refuses a resource of the engine.
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

    /// Returns the next request.
    ///
    /// # Errors
    /// The server has stopped, or the system reports no events.
    pub fn recv(&self) -> io::Result<Request<'_>> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(server) => server.recv().map(Request::Bounded),
            Self::TinyHttp(server) => server.recv().map(Request::TinyHttp),
        }
    }

    /// Returns a request that has waited.
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

    /// Returns whether it still accepts connections. The bounded engine accepts on the threads that
    /// call [`Server::recv`], which fails if it cannot accept.
    pub fn is_accepting(&self) -> bool {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(_) => true,
            Self::TinyHttp(server) => server.is_accepting(),
        }
    }

    /// Stops the server. Received requests are answered, and then every [`Server::recv`] ends.
    pub fn unblock(&self) {
        either!(self, server => server.unblock())
    }

    /// Returns the counts; tiny_http has none.
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
    /// A request to a server with bounds.
    #[cfg(target_os = "linux")]
    Bounded(bounded::Request<'a>),
    /// A request to tiny_http.
    TinyHttp(tiny::Request<'a>),
}

/// A request that waits outside of its server, with its connection. It must be resumed.
pub enum Suspended {
    /// A request to a server with bounds.
    #[cfg(target_os = "linux")]
    Bounded(bounded::Suspended),
    /// A request to tiny_http.
    TinyHttp(tiny::Suspended),
}

/// The presence of a client while its request is answered.
pub struct Presence<'a> {
    #[cfg(target_os = "linux")]
    socket: Option<rustix::fd::BorrowedFd<'a>>,
    #[cfg(not(target_os = "linux"))]
    socket: std::marker::PhantomData<&'a ()>,
}

impl Presence<'_> {
    /// Returns whether the client has closed the connection, or its side of it. tiny_http does not
    /// know.
    pub fn is_gone(&self) -> bool {
        #[cfg(target_os = "linux")]
        if let Some(socket) = &self.socket {
            use rustix::event::{PollFd, PollFlags, Timespec, poll};
            let ends = PollFlags::RDHUP | PollFlags::HUP | PollFlags::ERR;
            let mut socket = [PollFd::new(socket, ends)];
            // An error of `poll` is none of the connection.
            return poll(&mut socket, Some(&Timespec::default())).is_ok_and(|ready| ready > 0);
        }
        false
    }
}

impl Request<'_> {
    /// Lets the request wait without a borrow of its server. `None` if it was answered.
    pub fn suspend(self) -> Option<Suspended> {
        match self {
            #[cfg(target_os = "linux")]
            Self::Bounded(request) => request.suspend().map(Suspended::Bounded),
            Self::TinyHttp(request) => Some(Suspended::TinyHttp(request.suspend())),
        }
    }

    /// Returns the presence of its client.
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

    /// Returns the request for the API. Its client is the other end of the connection, which has no
    /// address over a Unix socket. Invalid UTF-8 in a header's value becomes U+FFFD.
    pub fn parts(&self) -> api::Request<'_> {
        either!(self, request => request.parts())
    }

    /// Answers, with this id of the request in the response.
    ///
    /// # Errors
    /// The client is gone.
    pub fn respond(self, response: Response, id: Option<&str>) -> io::Result<()> {
        either!(self, request => request.respond(response, id))
    }
}

/// The persistence of a connection after a response (RFC 9112, 9.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Persistence {
    /// It stays open.
    KeepAlive,
    /// It is closed.
    Close,
}

impl Persistence {
    /// Returns the persistence that a client of this version of HTTP asks for by the values of
    /// `Connection`.
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

/// The counts of a server since it started.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Figures {
    /// Open connections.
    pub open: u64,
    /// Accepted connections.
    pub accepted: u64,
    /// Sent bytes.
    pub sent: u64,
    /// Bytes of unread responses.
    pub waiting: u64,
    /// The number of requests and connections that each bound refused.
    pub refused: Vec<(&'static str, u64)>,
}
