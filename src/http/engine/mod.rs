//! The engine: connections to requests, answers to bytes.
//!
//! Its interface is tiny_http's, as far as the service uses it: a `Server` made
//! from a listener, `recv`, `unblock`, and a `Request` with `method`, `url`,
//! `headers`, `remote_addr` and an answer of head and body at once. On Linux the
//! engine is this program's own, whose [`Bounds`] hold whatever a client sends;
//! with the feature `upstream-tiny-http`, and on other systems, it is tiny_http.
//!
//! **How the bounded engine works.** N workers and no other threads wait on one
//! epoll set, each for one event. An event is for one worker alone (one-shot): the
//! worker takes the connection out of its slot, reads or sends, and puts it back with
//! the next event it waits for; so nothing of a connection is ever shared. A head that
//! is complete leaves [`Server::recv`] as a request; its answer is sent at once, and
//! what the socket does not take stays with the connection, to be sent by whichever
//! worker next finds the socket writable. A slow client costs bytes, never a thread.
//!
//! **Whose turn it is** the kernel decides: it keeps what is ready in a list and gives
//! it out from the front. What becomes ready is added at the end, and so is what is
//! ready already when it is put back. So each turn is one among all others': new
//! connections (64 of them a turn), what has come in of a request, the rest of an
//! answer. That a client sends no more is something to be read, in its turn; only a
//! connection that its client has reset is closed with what was asked on it. Of requests
//! sent without waiting for answers (pipelining) one is answered a turn: after it the
//! connection waits until its socket can be written to, which is at once, at the end of
//! the list, unless the client does not take its answers. Nothing more is read before an
//! answer is sent.
//!
//! Each connection in a slot has a deadline. The next one is watched by every worker
//! between its turns, and by a timer in the epoll set, for when all of them wait: one
//! worker then looks over all slots.
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
