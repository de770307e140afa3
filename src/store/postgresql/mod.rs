//! PostgreSQL as a source of answers. A file's data is published there with `publish`.
//!
//! `store/query` implements all answers once, over the primitives of a source
//! (`Source`), and there are two sources: a file and this one. Imports and
//! derivation only use the file. Programs built without the feature know addresses of servers only
//! by name ([`super::RemoteServers`]) and refuse them.
//!
//! **Tables** (`tables.sql`) contain the file's records unchanged, including checksums, so that
//! answers are the same to the byte. Next to them are columns for the file's facets, with the same
//! names and values, so that a filter is one condition for both sources. Every key starts with an
//! INN or a number. Unlike in the file, a contract has no position among those of its supplier: a
//! late contract adds a row and changes no other but its supplier's. The supplier's row has the key
//! of every 500th contract, from which a page at any depth is counted.
//!
//! **Filtered pages and summaries** stream matching facets from an index that contains all facets.
//! The core orders them or sums them up, just as with a file, and then reads the records of the
//! page by key. If a stream is cut off, the answer starts again in another session.
//!
//! **A publication is one transaction.** Its last change is the only row of the table
//! `publication`: its number, the schema with the data, and the data's version. An incremental
//! publication changes the tables of the current schema; a full one has its own schema, which the
//! row then names. The changes come from the file's log, whose revisions carry the identity of the
//! data; they show whether what is published is an earlier state of this file. Before an
//! incremental publication is committed, or skipped because nothing has changed, counts and digests
//! of the tables are compared with the file's (`totals.rs`). If they differ, everything is sent.
//!
//! **An answer needs no transaction.** Each of its statements reads the number of the publication
//! along with its rows, in one snapshot. Statements that saw the same number saw the same state,
//! whichever host they were sent to. If the number differs, the answer starts again
//! ([`super::Database::has_moved`], `api/inquiry.rs`). Most answers take a single statement,
//! because what they need is known in advance ([`super::Prefetch`]). A process never answers from
//! an older publication than one it has already seen.
//!
//! **Errors** of a server become [`super::Error`]: unreachable, if another session may succeed; a
//! publication of another release (both are answered with a 503); or a refusal with the server's
//! code.
//!
//! **The client is asynchronous**, because only then can each step have a deadline. One file names
//! it (`client.rs`). Each session has its own runtime on the worker's thread, which waits for it.
//! Other threads check readiness every second, and the keys if they are in PostgreSQL, so that no
//! request waits for that.
//!
//! | file | content |
//! |---|---|
//! | `control.sql`, `tables.sql`, `indexes.sql`, `keys.sql` | the tables |
//! | `address`, `passfile`, `tls` | the servers, the login, and how the servers prove who they are |
//! | `client` | a session with one server |
//! | `cluster` | which server to use, never going back to older data |
//! | `publish`, `publish_changes` | sending a file's data; `publication` is the row that makes it current, `sender` sends rows, `totals` compares them with the file's |
//! | `reader`, `begin`, `source`, `scan` | answers from one publication, without a transaction |
//! | `found_suppliers`, `server_row` | each supplier of an answer, read once; conversions between columns and values |
//! | `keys` | API keys |
//! | `access` | the interface for the rest of the program |
//! | `text` | texts with characters that PostgreSQL cannot store |

mod access;
pub mod address;
mod begin;
pub mod client;
pub mod cluster;
mod found_suppliers;
mod keys;
mod passfile;
mod publication;
mod publish;
mod publish_changes;
mod reader;
mod scan;
mod sender;
mod server_row;
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
