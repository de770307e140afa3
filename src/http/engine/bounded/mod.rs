//! The engine with bounds. Whatever clients send, and however slowly, it takes no more bytes,
//! connections and seconds than its [`Bounds`](super::Bounds).
//!
//! **The workers.** N workers and no other threads wait on one epoll set. A worker that gets an
//! event takes the connection out of its slot, performs the actions of `step` (in `state`), and
//! puts it back, so that no two workers share a connection. Input is watched for the whole life of
//! the connection (edge-triggered). An event during a worker's turn is noted in the slot. A
//! connection that is put back with unread input, or after such an event, is armed again. A
//! complete head leaves [`Server::recv`] as a request. Its response is sent at once; the part that
//! the socket does not take stays with the connection, and the worker that next finds the socket
//! writable sends it. A slow client costs bytes, never a thread.
//!
//! **The order of turns** is the kernel's. It keeps a list of ready sockets and hands them out from
//! the front. A socket that becomes ready joins the end, as does one that is still ready when it is
//! put back. So every turn waits for all others: new connections (64 a turn), received parts of a
//! request, the rest of a response. The end of a client's input is read in its turn, too. Only a
//! connection that its client has reset is closed with its requests. A turn answers one of several
//! pipelined requests, and reads nothing more before its response is sent.
//!
//! Each connection in a slot has a deadline. Every worker checks the next deadline between its
//! turns, and a timer in the epoll set serves when all workers sleep. One worker then checks all
//! slots.
//!
//! | file | what |
//! |---|---|
//! | `state` | the steps of a connection: a pure function, and its table |
//! | `server`, `accept` | the epoll set, and the actions that `state` asks for |
//! | `head` | bytes to heads of requests: RFC 9112, without a socket |
//! | `connection`, `outbox` | one connection; the unsent part of a response |
//! | `ready` | received requests that wait for a worker |
//! | `slots`, `deadlines` | the table of connections, and their deadlines |
//! | `request`, `refusal` | a request; the responses to refused ones |
//! | `addresses`, `descriptors`, `counts` | connections by address, open files, figures |

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
pub use request::{Request, Suspended};
pub use server::Server;
