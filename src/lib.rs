//! State contracts, purchases and the registry of unfair suppliers (RNP), served over HTTP GET from
//! one SQLite file, or from PostgreSQL servers to which the file's data was published (feature
//! `postgresql`).
//!
//! # Bird's-eye view
//!
//! [`fetch`] downloads official documents from EIS as archives. [`import`] reads these, and records
//! in JSON Lines. [`store`] keeps the facts of documents and the records derived from them in one
//! SQLite file. [`http`] accepts requests and passes them to [`api`], which validates them and
//! finds the answer. [`render`] writes it in the wire format of the specification (XML or JSON), or
//! as a table (CSV or XLSX). [`web`] is the lookup page, an ordinary client of the API. [`manual`]
//! is the documentation, served without a key.
//!
//! ```text
//! documents ─ import ── facts ──┐                       ┌─ http ─ api ─ render ─ xml
//!               └── derive ─────┼─ store (one file) ────┤
//! JSON Lines ─ import ─ records ┘          │            └─ cli lookup ─ api
//!                                     cli publish            │
//!                                          └─ PostgreSQL ────┘
//! ```
//!
//! # Code map
//!
//! The documentation of each room is its map: how it works, and where to begin a change.
//!
//! | room | purpose | may import |
//! |---|---|---|
//! | [`cli`] | the commands, one file each; only here are arguments and environment read | all |
//! | [`http`] | sockets, workers, access log, metrics, the admin port; only `http/engine` names epoll or tiny_http | `api` |
//! | [`api`] | requests to responses, without sockets: endpoints, parameters, errors, keys, rate limits | `render`, `store`, `web`, `manual`, `model` |
//! | [`render`] | records to bytes, with the rules of each format side by side | `xml`, `model` |
//! | [`import`] | files to facts to records; alone names rayon | `store`, `xml`, `zip`, `model` |
//! | [`fetch`] | the client of the EIS document service, and the one that posts notifications; alone names an HTTP client | `xml`, `zip`, `model` |
//! | [`store`] | all SQL; alone names rusqlite, and in `store/postgresql/client.rs` the PostgreSQL client | `model` |
//! | [`web`] | the lookup page and its assets | `model` |
//! | [`manual`] | the manual: its chapters in both languages, and their pages | `web`, `model` |
//! | [`xml`] | a bounded reader of XML documents, and a writer | – |
//! | `zip` | a bounded, verifying reader of zip archives | – |
//! | [`model`] | the records, and what follows from a record or a text alone | – |
//!
//! `tests/answers/rooms.rs` enforces this table, and that no files depend on each other in a
//! circle.
//!
//! Outside of `src`: `tests/answers` compares whole answers with golden files, `tests/page` uses
//! the lookup page in a browser, `tests/service` simulates the EIS service, `tests/generate` (a
//! package of its own, independent of this one) makes synthetic data, `tests/benches` counts
//! instructions, `tests/fuzz` has the fuzz targets, and `data` has the bundled demonstration data
//! and an invented document of every kind.
//!
//! # Invariants
//!
//! Data:
//!
//! - **Amounts are exact decimals** from input to output ([`model::Amount`]).
//! - **A data file never changes once it has its name**, and neither does a file of keys. A change
//!   writes another file, which replaces it by a rename (`store/building.rs`). So a request sees
//!   one state of the data, a killed import leaves either the old file or the new one, and readers
//!   need no lock. The exception is the ledger of `fetch`, which one process holds and changes in
//!   place (`store/fetch_ledger.rs`).
//! - **Records are a pure function of the set of facts**, and cards also of today's date: answers
//!   do not depend on the order of documents or the number of imports. The rules have a version
//!   ([`import::RULES`]), and an import by other rules derives all records again. Likewise the
//!   content index is a pure function of records and items ([`model::WORDS_VERSION`]).
//! - **Official documents outrank lines** about the same subject, whichever comes first.
//! - **The id of a contract is stable** as long as its supplier and its date of signing are, of
//!   which it consists together with a number within the day (`store/contract_id.rs`). So a page is
//!   one range of rows.
//! - **Every record has a checksum** that is verified when it is read, and so has every row that is
//!   not derived from records (`store/record.rs`). [`store::check`] verifies all of them.
//! - **Bytes change only with their version**: stored bytes with the format of the file
//!   (`store/file.rs`), golden answers with [`render::VERSION`], derived records with the rules.
//!   `tests/released.rs` enforces this even when goldens are blessed.
//! - **A fetched cell is empty only if the service says so for our own request**
//!   (`fetch/answer.rs`), and complete only when all its archives are intact on the disk
//!   (`cli/fetch/run.rs`).
//!
//! Answers:
//!
//! - **An answer comes from one state of the data**, even if another replaces it meanwhile
//!   (`api/data/followed_file.rs`, `api/inquiry.rs`).
//! - **A record has one writer** ([`render`]): XML, JSON, tables and schemas result from the same
//!   calls, so the schemas always match the answers.
//! - **A request has one canonical text** (`api/request/reader.rs`), on which entity tag, cache and
//!   receipt depend. A parameter cannot be read without becoming part of it.
//! - **Equal entity tags mean equal bytes**, in all releases.
//! - **Today is a parameter**: only [`cli`] reads the clock for it.
//!
//! Safety:
//!
//! - **Everything read from outside is bounded** (sizes, depths, ratios), by a constant next to the
//!   code that reads it, which the manual states. The memory of an import does not depend on the
//!   size of its input.
//! - **A client never sees** a path, SQL or an internal message, and **keys are never logged**
//!   (`api/error.rs`, `http/access.rs`). No input of a client can form a line or a field of the log
//!   (`cli/logging.rs`).
//! - **The EIS token is sent only to addresses allowed by `fetch/address.rs`**, and is removed from
//!   every text of the service before it is shown (`fetch/token.rs`).
//! - **Resources without a key contain no records** (`api/open/mod.rs`), and the page never puts
//!   the key into a URL.
//! - **A slow client costs bytes, never a thread**: workers never wait for the input or output of a
//!   client ([`http::engine`], by default). **A large answer leaves a worker for short ones**
//!   (`http/line.rs`), unless there is only one.
//!
//! What is absent: `unsafe`; floating point, except in workbooks, whose format has no other
//! numbers; an async runtime, except in the PostgreSQL client, which is not in the default build;
//! locks between readers and an import; and a build step for the page.

#![forbid(unsafe_code)]

pub mod api;
pub mod cli;
pub mod fetch;
pub mod http;
pub mod import;
pub mod manual;
pub mod model;
pub mod render;
pub mod store;
pub mod web;
pub mod xml;
mod zip;
