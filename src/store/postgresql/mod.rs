//! PostgreSQL as a source of answers; the crate docs give the reasons for this design.
//!
//! | file | contents |
//! |---|---|
//! | `control.sql`, `tables.sql`, `indexes.sql`, `keys.sql` | the tables |
//! | `address`, `passfile`, `tls` | the servers, the login, and the proof of their identity |
//! | `client` | a session with one server, each step with a deadline: the only file that names the
//! client library |
//! | `cluster` | the choice of a server, which never answers from older data than was seen |
//! | `publish`, `publish_changes` | sending a file's data; `publication` is the row that makes it
//! current, `sender` sends rows, `totals` compares them with the file's |
//! | `reader`, `begin` | answers from one publication, without a transaction |
//! | `keys` | API keys |
//! | `access` | the interface for the rest of the program |
//! | `text` | texts with characters that PostgreSQL cannot store |

mod access;
pub mod address;
mod begin;
pub mod client;
pub mod cluster;
mod keys;
mod passfile;
mod publication;
mod publish;
mod publish_changes;
mod reader;
mod scan;
mod sender;
mod source;
mod text;
mod tls;
mod totals;

pub use address::ServerAddress;
pub use client::SERVER_LOG_TARGETS;
pub use cluster::Cluster;
pub use publish::{Published, publish};
#[cfg(test)]
pub use reader::ServerData;
