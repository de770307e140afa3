//! The bounded engine. Whatever clients send, and however slowly, it uses no more bytes,
//! connections and seconds than its [`Bounds`](super::Bounds).
//!
//! **Workers.** N workers, and no other threads, wait on one epoll set. The worker that gets an
//! event takes the connection out of its slot, performs the actions that `step` (in `state`) asks
//! for, and puts it back. No two workers ever share a connection. Input is watched as long as the
//! connection exists (edge-triggered). An event that arrives during a worker's turn is noted in the
//! slot. A connection that is put back after such an event, or with unread input, is armed again.
//! Once a head is complete, [`BoundedServer::recv`] returns it as a request. The worker sends the
//! response immediately. What the socket does not accept stays with the connection, and is sent by
//! the next worker that finds the socket writable. A slow client takes up memory, but never a
//! thread.
//!
//! **Order of turns.** The kernel determines the order. It takes ready sockets from the front of a
//! list; a socket that becomes ready, or is still ready when it is put back, goes to the end. So no
//! task is done twice before every other task has been done once. A task is accepting new
//! connections (64 per turn), reading part of a request, sending the rest of a response, or
//! noticing the end of a client's input. Only a connection that the client has reset is closed with
//! requests still pending. In one turn, a worker answers only one of several pipelined requests,
//! and reads no more until the response is sent.
//!
//! **Deadlines.** Every connection in a slot has a deadline. Between turns, workers check whether
//! the next deadline has passed, and a timer in the epoll set wakes one if all are asleep. One
//! worker then checks all slots.
//!
//! | file | content |
//! |---|---|
//! | `state` | the steps of a connection: a pure function and its table |
//! | `server`, `accept` | the epoll set, and the actions that `state` asks for |
//! | `head` | bytes to request heads: RFC 9112, without a socket |
//! | `connection`, `outbox` | one connection; the unsent part of a response |
//! | `ready` | received requests that wait for a worker |
//! | `slots`, `deadlines` | the table of connections; their deadlines |
//! | `request`, `refusal` | requests; responses to refused ones |
//! | `addresses`, `descriptors`, `counts` | connections per address, open files, counters |

mod accept;
mod addresses;
mod connection;
mod counts;
mod deadlines;
mod descriptors;
pub mod head;
mod outbox;
mod ready;
mod refusal;
mod request;
mod server;
mod slots;
mod state;

pub use refusal::Refusal;
pub use request::{BoundedRequest, BoundedSuspended};
pub use server::BoundedServer;
