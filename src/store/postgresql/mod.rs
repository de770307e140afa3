//! PostgreSQL as a place to answer from: why it is as it is stands in the crate docs.
//!
//! | file | what |
//! |---|---|
//! | `control.sql`, `tables.sql`, `indexes.sql`, `keys.sql` | what is there |
//! | `address`, `passfile`, `tls` | which servers, as whom, and how they prove themselves |
//! | `client` | a session with one server, each step with a deadline: the only file that names the client |
//! | `cluster` | which server is asked, and that none takes a process back |
//! | `publish`, `publish_changes` | sending a file's data; `publication` is the row that makes it count, `copies` writes rows |
//! | `reader`, `begin` | answers of one publication, without a transaction |
//! | `keys` | API keys |
//! | `access` | all of that, as the rest of the program uses it |
//! | `text` | texts with characters that PostgreSQL has not |

mod access;
pub mod address;
mod begin;
pub mod client;
pub mod cluster;
mod copies;
mod keys;
mod passfile;
mod publication;
mod publish;
mod publish_changes;
mod reader;
mod scan;
mod source;
mod text;
mod tls;

pub use address::ServerAddress;
pub use client::LOGS_OF_SERVERS;
pub use cluster::Cluster;
pub use publish::{Published, publish};
