//! PostgreSQL as a source of answers. A file's data is published there with `publish`.
//!
//! `store/query` implements all answers on top of the primitives of a source (`Source`). There are
//! two sources: a file and this one. Imports and derivation use only the file. Programs built
//! without the feature recognize addresses of servers ([`super::RemoteServers`]), but reject them.
//!
//! **Tables** (`tables.sql`) contain the file's records unchanged, including checksums, so that
//! answers are the same byte for byte. Next to them are columns for the file's facets, with the
//! same names and values, so that the same condition filters both sources. Every key starts with an
//! INN or a number. Unlike in the file, a contract has no position among the supplier's contracts:
//! a late contract adds a row and changes only the supplier's row. That row has the key of every
//! 500th contract, and pages are counted from the nearest of these.
//!
//! **Filtered pages and summaries** stream matching facets from an index that contains all facets.
//! As with a file, the core sorts them or sums them up, and then reads the records of the page by
//! key. If a stream breaks off, the answer starts again in another session.
//!
//! **Searches by content** read the table `contract_content`, which has both the tokens and the
//! facets of contracts: joining two tables would take the server twice as long. Ids arrive as one
//! array. Facets are fetched a few thousand rows at a time, so that a search that turns out to be
//! too broad ends early.
//!
//! **A publication is one transaction.** The last change in it is to the only row of the table
//! `publication`: the number of the publication, the schema with the data, and the version of the
//! data. An incremental publication changes the tables of the current schema; a full one creates a
//! new schema. The changes come from the file's log. Each revision in the log has the identity of
//! the data, which shows whether the current publication is an earlier state of this file. Before
//! an incremental publication is committed, or skipped because nothing has changed, counts and
//! digests of the tables are compared with the file's (`totals.rs`). If they differ, everything is
//! sent.
//!
//! **An answer needs no transaction.** Each of its statements reads the number of the publication
//! along with its rows, in one snapshot. Statements that saw the same number saw the same state, on
//! whichever host. If the number has changed, the answer starts again
//! ([`super::Database::has_moved`], `api/inquiry.rs`). Most answers take a single statement,
//! because what they need is known in advance ([`super::Prefetch`]). A process never answers from
//! an older publication than one it has already seen.
//!
//! **Errors** of a server become [`super::Error`]. If a session is lost, the server counts as
//! unreachable, and another session is tried. If no server is reachable, or another release has
//! published its data there, requests are answered with a 503. Any other error is a refusal with
//! the server's code.
//!
//! **The client is asynchronous**, because only then can each step have a deadline. Only
//! `client.rs` uses it directly. Each session has its own runtime on the worker's thread, which
//! waits for the result. Other threads check readiness every second, and the keys if they are in
//! PostgreSQL, so that no request waits for these checks.
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
