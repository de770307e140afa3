//! State contracts, purchases and the registry of unfair suppliers (RNP), answered
//! from one SQLite file over HTTP GET.
//!
//! # Bird's-eye view
//!
//! Official documents (EIS) and JSON Lines go in by [`import`]; [`store`] keeps
//! them as compact records in one SQLite file; [`http`] takes requests from
//! sockets and hands them to [`api`], which checks them, looks the answer up and
//! has [`render`] write it in the specification's wire format, XML or JSON.
//!
//! ```text
//! documents ─ import ─┐                       ┌─ http ─ api ─ render ─ xml
//!                     ├─ store (one file) ────┤
//! JSON lines ─ import ┘                       └─ cli lookup ─ api
//! ```
//!
//! # Rooms
//!
//! | room | what for | may import |
//! |---|---|---|
//! | [`cli`] | one file a command; the only one that knows arguments and environment | all |
//! | [`http`] | sockets, workers, access log; the only one that names tiny_http | `api` |
//! | [`api`] | request to reply, no sockets: routes, keys, checks, errors | `render`, `store`, `model` |
//! | [`render`] | records to bytes; the rules in which the formats differ, side by side | `xml`, `model` |
//! | [`import`] | files to facts to records; the only one that names rayon | `store`, `model` |
//! | [`store`] | all SQL; the only one that names rusqlite | `model` |
//! | [`xml`] | the emitter: elements, escaping, balance | nothing of ours |
//! | [`model`] | the records: plain data | nothing of ours |
//!
//! `tests/rooms.rs` holds the sources to this table.
//!
//! # Where to begin
//!
//! - A field of an answer: the resource's file in `render` tells the fields in
//!   their order; `render/fields.rs` says how a value is written.
//! - A rule of the API (a check, a status, a text): `api/error.rs` is the table of
//!   errors, `api/query.rs` the parameters, one file an endpoint the rest.
//! - What a document means: `import/eis`, one file a family of documents.
//! - How a page is found: `store/contract_rows.rs`.
//!
//! # Invariants
//!
//! - **Amounts are exact decimals** from the input to the output
//!   ([`model::Amount`]); there is no floating point number anywhere.
//! - **A page is one range of rows**: a contract's row id is its supplier's id and
//!   its place in time, without gaps. `check` proves it of a file.
//! - **A request sees one state** of the data ([`store::Snapshot`]), and an import is
//!   one transaction: killed, it leaves the state before it.
//! - **Official documents outrank lines** about the same thing, and of a document
//!   the newest version counts, in whatever order they come; so importing again
//!   changes nothing.
//! - **A client never sees** a path, SQL or an internal message, and **a key is
//!   never logged** ([`api`], `api/error.rs`, `http/access.rs`).
//! - **Today is a parameter**: only [`cli`] reads the clock for it.
//! - There is no `unsafe` and no async runtime.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

pub mod api;
pub mod cli;
pub mod http;
pub mod import;
pub mod model;
pub mod render;
pub mod store;
pub mod xml;
