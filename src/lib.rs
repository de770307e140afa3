//! State contracts, purchases and the registry of unfair suppliers (RNP), served over HTTP GET from
//! one SQLite file, or from PostgreSQL servers to which the file's data was published (feature
//! `postgresql`).
//!
//! # Bird's-eye view
//!
//! [`fetch`] downloads official documents from EIS as archives. [`import`] reads archives and JSON
//! Lines: it extracts facts from documents, and derives records from these facts. [`store`] keeps
//! both in one SQLite file. [`http`] accepts requests and passes them to [`api`], which validates them
//! and looks up the answer. [`render`] writes the answer in the wire format of the specification
//! (XML or JSON), or as a table (CSV or XLSX). [`web`] is the lookup page, an ordinary client of
//! the API. [`manual`] is the documentation, served without a key.
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
//! The documentation of each top-level module (a *room* of the crate) explains how the module works
//! and where to start a change.
//!
//! | room | purpose | may import |
//! |---|---|---|
//! | [`cli`] | the commands, one file each; the only place that reads arguments and the environment | all |
//! | [`http`] | sockets, workers, access log, metrics, the admin port; only `http/engine` uses epoll or tiny_http | `api` |
//! | [`api`] | turns requests into responses, without sockets: endpoints, parameters, errors, keys, rate limits | `render`, `store`, `web`, `manual`, `model` |
//! | [`render`] | turns records into bytes, with the rules of each format side by side | `xml`, `model` |
//! | [`import`] | turns files into facts, and facts into records; the only user of rayon | `store`, `xml`, `zip`, `model` |
//! | [`fetch`] | the client of the EIS document service, and the one that posts notifications; the only user of an HTTP client library | `xml`, `zip`, `model` |
//! | [`store`] | all SQL; the only user of rusqlite and, in `store/postgresql/client.rs`, of the PostgreSQL client | `model` |
//! | [`web`] | the lookup page and its assets | `model` |
//! | [`manual`] | the manual: the chapters in both languages, and their HTML pages | `web`, `model` |
//! | [`xml`] | a bounded reader of XML documents, and a writer | – |
//! | `zip` | a bounded, verifying reader of zip archives | – |
//! | [`model`] | the records, and everything that can be computed from a record or a text alone | – |
//!
//! `tests/answers/rooms.rs` enforces this table and rejects circular dependencies between files.
//!
//! Outside `src`: `tests/answers` compares whole answers with golden files, `tests/page` uses the
//! lookup page in a browser, `tests/service` simulates the EIS service, `tests/generate` (a
//! separate package that shares no code with this one) makes synthetic data, `tests/benches` counts
//! instructions, `tests/fuzz` contains the fuzz targets, and `data` contains the bundled
//! demonstration data and an invented document of every kind.
//!
//! # Invariants
//!
//! Data:
//!
//! - **Amounts are exact decimals** from input to output ([`model::Amount`]).
//! - **A data file is never modified in place**, and neither is a keys file. Each change writes a
//!   new file and renames it over the old one (`store/building.rs`). A request therefore sees a
//!   single state of the data, a killed import leaves either the old file or the new one, and
//!   readers need no lock. The ledger of `fetch` is different: one process locks it and updates it
//!   in place (`store/fetch_ledger.rs`).
//! - **Records are a pure function of the set of facts.** They do not depend on the order of
//!   documents or the number of imports. Only purchase cards also depend on today's date. The rules have a
//!   version ([`import::RULES`]); the first import under a new version derives all records again.
//!   In the same way, the content index is a pure function of records and items
//!   ([`model::WORDS_VERSION`]), and searched names are a pure function of suppliers and contracts
//!   ([`model::NAMES_VERSION`]).
//! - **Official documents take precedence over lines of JSON** about the same subject, whichever
//!   comes first.
//! - **The id of a contract is stable** as long as its supplier and its signing date do not change.
//!   It consists of these two and a number within the day (`store/contract_id.rs`). A page of
//!   contracts is therefore one range of rows.
//! - **Every record has a checksum**, which is verified whenever the record is read. Rows that are
//!   not derived from records have checksums too (`store/record.rs`). [`store::check`] verifies all
//!   of them.
//! - **After a release, bytes change only with their version.** This applies to stored bytes (the
//!   format of the file, `store/file.rs`), golden answers ([`render::VERSION`]) and derived records
//!   ([`import::RULES`]). `tests/released.rs` enforces it even with `GOLDEN=bless`.
//! - **A fetched cell** (a day, a region, a document type) counts as empty only if the service says
//!   so in reply to this very request (`fetch/answer.rs`). It counts as complete only when all its
//!   archives are intact on disk (`cli/fetch/run.rs`).
//!
//! Answers:
//!
//! - **An answer comes from one state of the data**, even if the file is replaced meanwhile
//!   (`api/data/followed_file.rs`, `api/inquiry.rs`).
//! - **A record has one writer** ([`render`]). The same calls produce XML, JSON, tables and
//!   schemas, so the schemas always match the answers.
//! - **A request has one canonical text** (`api/request/reader.rs`), from which the entity tag, the
//!   cache key and the receipt are computed. Reading a parameter adds it to that text, so none can
//!   be left out.
//! - **Equal entity tags mean equal bytes**, even across releases.
//! - **Today's date is a parameter**: only [`cli`] reads the clock for it.
//!
//! Safety:
//!
//! - **All input from outside is bounded** (sizes, depths, ratios) by constants next to the code
//!   that reads it. The manual lists all bounds. The memory that an import needs does not depend on
//!   the size of its input.
//! - **A client never sees** a path, SQL or an internal message, and **keys are never logged**
//!   (`api/error.rs`, `http/access.rs`). Nothing that a client sends can forge a line or a field of
//!   the log (`cli/logging.rs`).
//! - **The EIS token is sent only to addresses allowed by `fetch/address.rs`.** It is removed from
//!   every text that the service returns before that text is shown (`fetch/token.rs`).
//! - **Resources without a key contain no records** (`api/open/mod.rs`), and the page never puts
//!   the key into a URL.
//! - **A slow client costs memory, but never a thread.** With the default [`http::engine`], workers
//!   do not wait for a client to send or receive.
//! - **Large answers never occupy every worker.** One worker remains for short answers
//!   (`http/line.rs`), unless the server has only one.
//!
//! What the crate does without:
//!
//! - `unsafe`;
//! - floating point, except in workbooks, whose format has no other numbers;
//! - an async runtime, except in the PostgreSQL client, which is not in the default build;
//! - locks between readers and an import;
//! - a build step for the page.

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
