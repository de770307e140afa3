//! The engine with bounds: whatever clients send, and however slowly, it takes so many
//! bytes, connections and seconds and no more ([`Bounds`](super::Bounds)).
//!
//! **How it works.** N workers and no other threads wait on one epoll set. A worker that gets
//! an event takes the connection out of its slot, does what `step` (in `state`) says, and
//! puts it back; so nothing of a connection is ever shared. Input is watched for as long as
//! the connection lasts (edge-triggered): an event that comes while a worker has the
//! connection is noted in its slot, and a connection that is put back with something unread,
//! or after such an event, is armed again. A complete head leaves
//! [`Server::recv`] as a request; its response is sent at once, and what the socket does
//! not take stays with the connection, to be sent by the worker that next finds the socket
//! writable. A slow client costs bytes, never a thread.
//!
//! **Whose turn it is** the kernel decides: it keeps what is ready in a list and gives it
//! out from the front. What becomes ready is added at the end, and so is what is ready
//! already when it is put back. So each turn is one among all others': new connections (64
//! of them a turn), what has come in of a request, the rest of a response. That a client
//! sends no more is something to be read, in its turn; only a connection that its client
//! has reset is closed with its requests. Of pipelined requests one is answered a
//! turn; nothing more is read before its response is sent.
//!
//! Each connection in a slot has a deadline. The next one is watched by every worker
//! between its turns, and by a timer in the epoll set, for when all of them sleep: one
//! worker then looks at all slots.
//!
//! | file | what |
//! |---|---|
//! | `state` | what happens to a connection: a pure function, and its table |
//! | `server`, `accept` | the epoll set; what `state` says is done here |
//! | `head` | bytes to heads of requests: RFC 9112, without a socket |
//! | `connection`, `outbox` | one connection; a response, as far as it is not sent |
//! | `ready` | requests that were read and wait for a worker |
//! | `slots`, `deadlines` | where connections are, and when their time is over |
//! | `request`, `refusal` | a request; the responses to those that are not served |
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
pub use request::Request;
pub use server::Server;
