//! The engine: connections to requests, answers to bytes.
//!
//! Its interface is tiny_http's, as far as the service uses it: a `Server` made
//! from a listener, `recv`, `unblock`, and a `Request` with `method`, `url`,
//! `headers`, `remote_addr` and an answer of head and body at once. On Linux the
//! engine is this program's own, whose [`Bounds`] hold whatever a client sends;
//! with the feature `upstream-tiny-http`, and on other systems, it is tiny_http.
//!
//! **How the bounded engine works.** N workers and no other threads wait on one
//! epoll set. An event is for one worker alone (one-shot): the worker takes the
//! connection out of its slot, reads or sends, and puts it back with the next event
//! it waits for; so nothing of a connection is ever shared. A head that is complete
//! leaves [`Server::recv`] as a request; its answer is sent at once, and what the
//! socket does not take stays with the connection, to be sent by whichever worker
//! next finds the socket writable. A slow client costs bytes, never a thread.
//!
//! Each connection in a slot has a deadline; workers look over all slots when the
//! next deadline is due. Requests sent without waiting for answers (pipelining) are
//! answered one at a time: after each answer the connection goes to the end of a
//! queue of those like it, which has one turn among all others, and nothing more is
//! read before the answer is sent. In the same queue are clients that have ended their
//! side after they asked: most of them are gone.
//!
//! | file | what |
//! |---|---|
//! | `bounds` | the bounds, and what is said past them |
//! | `head` | bytes to heads; no socket |
//! | `connection` | one connection |
//! | `slots` | where connections are, and until when |
//! | `server`, `arrivals` | the epoll set: what happens on an event |
//! | `deadlines`, `waiting` | what happens when a time is over, or too much waits |
//! | `request`, `answer`, `plain` | a request; the bytes of its answer; the engine's own answers |
//! | `addresses`, `descriptors`, `date`, `figures` | connections by address, open files, `Date`, counts |

#[cfg_attr(
    any(not(target_os = "linux"), feature = "upstream-tiny-http"),
    allow(dead_code, reason = "tiny_http has no bounds")
)]
mod bounds;
#[cfg_attr(
    any(not(target_os = "linux"), feature = "upstream-tiny-http"),
    allow(dead_code, reason = "tiny_http has no bounds")
)]
mod figures;
#[cfg_attr(
    any(not(target_os = "linux"), feature = "upstream-tiny-http"),
    allow(dead_code, reason = "tiny_http has no bounds")
)]
pub mod head;

#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod addresses;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod arrivals;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod connection;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod deadlines;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod descriptors;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod plain;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod request;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod server;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod slots;
#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
mod waiting;

mod answer;
pub mod date;
#[cfg(any(not(target_os = "linux"), feature = "upstream-tiny-http"))]
mod upstream;

pub use answer::{Answer, buffer};
pub use bounds::{Bounds, Refusal};
pub use figures::Figures;
pub use head::Persistence;

#[cfg(all(target_os = "linux", not(feature = "upstream-tiny-http")))]
pub use self::{request::Request, server::Server};
#[cfg(any(not(target_os = "linux"), feature = "upstream-tiny-http"))]
pub use upstream::{Request, Server};

/// Is this the engine with the bounds, which counts what it does?
pub const IS_BOUNDED: bool = cfg!(all(
    target_os = "linux",
    not(feature = "upstream-tiny-http")
));
