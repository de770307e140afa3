//! State contracts, purchases and the registry of unfair suppliers (RNP), answered
//! from one SQLite file over HTTP GET; or from PostgreSQL, to which the file's data is
//! published (the feature `postgresql`).
//!
//! # Bird's-eye view
//!
//! [`fetch`] obtains official documents from EIS as archives in a folder; [`import`] reads
//! them, and JSON Lines; [`store`] keeps what
//! documents say (facts) and the records that follow from it in one SQLite file;
//! [`http`] takes requests from sockets and hands them to [`api`], which checks them,
//! looks the answer up and has [`render`] write it in the specification's wire format,
//! XML or JSON, or as CSV. [`web`] is the lookup page, a client like any other;
//! [`manual`] the manual, which anyone may read.
//!
//! ```text
//! documents ─ import ── facts ──┐                       ┌─ http ─ api ─ render ─ xml
//!               └── derive ─────┼─ store (one file) ────┤
//! JSON lines ─ import ─ records ┘          │            └─ cli lookup ─ api
//!                                     cli publish            │
//!                                          └─ PostgreSQL ────┘
//! ```
//!
//! # From documents to records
//!
//! 1. `import/source` finds files, and gives pieces of them: documents (also of
//!    archives, as they are packed), lines.
//!    An archive that was imported is known by what it looks like on the disk
//!    (`store/archives.rs`), and is not opened.
//! 2. `import/parse` unpacks and reads them on all cores: `import/eis` turns each
//!    document into facts (`import/facts.rs`), each about one contract, purchase or RNP
//!    entry. Nothing of another document is looked at here.
//! 3. `store/documents.rs` stores the newest version of each (number, kind, key), and returns
//!    what the new ones touch.
//! 4. `import/derive` takes all facts about each thing that is touched, and sets its
//!    record: a contract from its snapshot, its procedures and the notice of its
//!    purchase; a card from its notice, its protocols and its contracts.
//! 5. The store writes records that differ from what is there (`store/batch.rs`), and notes
//!    whose answers change, in a log (`store/changes.rs`).
//!
//! Lines are records already: they wait as sorted runs in temporary files (`store/lines.rs`,
//! `store/sorter.rs`), and are merged into the file in its order (`store/line_merge.rs`).
//!
//! All of that is written to `FILE-building`, a copy of the file that takes its place when
//! the import ends (`store/building.rs`). The reading thread runs ahead of the writing one
//! by a round or two.
//!
//! **To read another kind of document:** its row in the register (`import/eis/kinds.rs`), its
//! reader (a function over a `Node`, which names each field and the paths where documents
//! have it), and an invented document in `data/documents`, whose facts `GOLDEN=bless cargo
//! test --lib import::eis` writes beside it. Dispatch, the memory of archives, the manual's
//! tables, the comparison with the official schemas and the fuzzers' seeds follow. Only a kind
//! that says what no other does needs a variant of `import::facts::Facts` and what follows
//! from it in `import/derive`. A test in `kinds.rs` adds one.
//!
//! # What an answer costs
//!
//! 1. The engine hands over a request whose parts are read where they came in; the worker
//!    gives a buffer that an answer was sent from before (`http/engine/buffers.rs`).
//! 2. `api` admits it by its key ([its map](api) has a request's way), reads its parameters,
//!    which gives its canonical text (`api/request/parameter.rs`), and checks with one `stat`
//!    whether the file is still the one it has open, unless another request did so after this one
//!    was received (`api/data/generations.rs`); its version was read when it was opened. Version and canonical text make the entity tag: a 304 is sent
//!    before anything is read (an RNP check is read for its verdict, which the 304 has too), and
//!    a response that was sent before, if it is not long, is copied from the cache
//!    (`api/response/cache.rs`).
//! 3. Otherwise it is read, without a transaction or a lock, as the file never changes. A
//!    page is one range of rows (`store/contracts.rs`), whose records are read in SQLite's
//!    memory, which is the file's (`store/record.rs`); their values stand there as they are
//!    written ([`model::encoded`]), and [`render`] copies them between tags that are
//!    constants, into the buffer.
//! 4. `http` writes the head into a buffer of its own, and one write sends both. What is to
//!    be packed (`api/response/packing.rs`) is packed before that, in a buffer of the worker's.
//!
//! `scripts/bench answers` measures it beside nginx, `scripts/bench replace` what it costs
//! that an import makes the file anew; the benchmarks of `tests/benches` count instructions.
//!
//! # PostgreSQL
//!
//! Answers are made once, in `store/query`: filters, orders, ties, pages, sums, search, the
//! log, and what damage means, over the primitives of a source (`store/query/source.rs`). There
//! are two sources: a file (`store/file_source.rs`), and a server (`store/postgresql`; its map is
//! in `mod.rs` there). Importing and deriving know the file alone; `publish` sends what follows
//! from it. A program without the feature refuses the address of servers, and has no more of
//! them than their name ([`store::RemoteServers`]).
//!
//! **Tables** (`tables.sql`) have the file's records as they are, checksums included, so that
//! answers are the same to the byte, and beside them the columns of the file's facets, by the
//! same names and with the same values, so that a filter is one condition for both. Every key
//! begins with an INN or a number. A contract has no place among its supplier's, as it has in
//! the file, so a late one adds a row and changes no other. A deep page skips keys in the
//! index, from the nearer end, and then reads its records alone.
//!
//! **A filtered page and a summary** are a stream of the facets that match, from an index that
//! has them all, which the core orders or sums up as it does over the file; then the page's
//! records by their keys. An answer whose stream is cut off begins again on another session.
//!
//! **A publication is one transaction**, whose last change is the one row of the table
//! `publication`: its number, the schema with the data, the version of the data. A delta
//! changes the tables of the current schema; what is sent in full goes to a schema of its own,
//! which the row then names. What changed is known from the file's log of changes, whose
//! revisions have the identities that the data had: by these it is known whether what was
//! published is an earlier state of this file.
//!
//! **An answer needs no transaction.** Each of its statements reads the number of the
//! publication beside its rows, in the same snapshot; statements that saw the same number saw
//! the same state, whichever host they were sent to. Where the number differs, the answer is
//! begun anew ([`store::Database::has_moved`], `api/answerer.rs`). The usual answers are one
//! statement: what they ask is known before they begin ([`store::Prefetch`]). A process never
//! answers from a publication older than one that it has seen.
//!
//! **An error of a server** is the store's [`store::Error`]: unreachable where another session may
//! do what was asked, else a refusal, with the server's code.
//!
//! **The client is asynchronous**, since only so each step has a deadline. It is named in one
//! file (`client.rs`), and runs on a runtime of the session's own, on the worker's thread,
//! while that waits. Other threads look at readiness each second, and at the keys if they are
//! in PostgreSQL, so that no request waits for that.
//!
//! # Rooms
//!
//! | room | what for | may import |
//! |---|---|---|
//! | [`cli`] | one file a command; the only one that knows arguments and environment | all |
//! | [`http`] | sockets, workers, access log, metrics, the operator's port; `http/engine` is the only place that names epoll or tiny_http | `api` |
//! | [`api`] | request to response, no sockets: endpoints, parameters and errors as rows, keys, limits of load | `render`, `store`, `web`, `manual`, `model` |
//! | [`render`] | records to bytes; the rules in which the formats differ, side by side | `xml`, `model` |
//! | [`import`] | files to facts to records; the only one that names rayon | `store`, `xml`, `zip`, `model` |
//! | [`fetch`] | the service of EIS that gives out documents; the only one that names an HTTP client | `xml`, `zip`, `model` |
//! | [`store`] | all SQL; the only one that names rusqlite; `store/postgresql/client.rs` alone names the client of PostgreSQL | `model` |
//! | [`web`] | the lookup page: its HTML, and its files as they are sent | `model` |
//! | [`manual`] | the manual: its chapters in both languages, and their pages | `web`, `model` |
//! | [`xml`] | documents as trees of elements, with their bounds; the emitter: elements, escaping, balance | nothing of ours |
//! | `zip` | zip archives, with their bounds and checks | nothing of ours |
//! | [`model`] | the records: plain data | nothing of ours |
//!
//! `tests/answers/rooms.rs` holds the sources to this table, and finds files and folders that name
//! one another in a circle: there are none.
//!
//! # Where to begin
//!
//! - A field of a contract: its line (name, name on the wire, kind) in the one list in
//!   `model/contract.rs`, which its record, lines, answers, schemas and property tests follow;
//!   what it means, and what its column is called, in `render/meanings.rs`, what documents say
//!   of it in `import/eis/contract.rs` and `import/derive/contract.rs`. Any change of the list
//!   changes the record, and so the format of the file.
//! - A field of another answer: the record's file in `render` writes the fields in their
//!   order. `render/fields.rs` says how a value is written.
//! - An endpoint: its row beside its handler in `api/endpoints`, and its name in the list in
//!   `mod.rs` there. A parameter: its row in `api/request/parameter_table.rs`. An error: its row
//!   in `api/error.rs`. A header of responses: its field in `api/response/draft.rs`. Checks,
//!   OpenAPI, `/docs`, `lookup`'s commands and options, entity tag, cache and receipt follow.
//! - A format: what a client asks for is read in `api/request/accept.rs`; workbooks are
//!   `api/response/workbook.rs` over `render/as_xlsx.rs`. A receipt is `api/response/receipt.rs`, the
//!   key that signs it `api/response/signing_key.rs`, and `cli/verify.rs` checks one.
//! - What describes the answers (XSD, JSON Schema, OpenAPI, `/docs`): `render/schema` makes
//!   trees of the fields that records write, whose meanings are `render/meanings.rs`;
//!   `api/described` makes the documents of these and of the rows.
//! - The manual (`/docs/`, `procurement-lookup manual`): a chapter is a file in `manual/en` and
//!   one in `manual/ru`, in the list in `manual/mod.rs`. Its tables of options, bounds, errors
//!   and figures follow from the code: `tests/answers/manual/generated.rs` compares them, and
//!   writes them on `GOLDEN=bless`; a bound's row is in `cli/manual/bounds.rs`.
//! - Which documents are read: the register, `import/eis/kinds.rs`. What a document says:
//!   its reader in `import/eis`, one file or folder a family, over `import/eis/node.rs`;
//!   what follows from several: `import/derive`, one file a record.
//! - How documents are obtained: `fetch` ([its map](fetch)) is the service, `cli/fetch` which
//!   cells (day, region, type of documents) are asked for and what is said of it,
//!   `store/fetch_ledger.rs` what is remembered of them; which types, the register of kinds.
//!   `cli/update.rs` is fetch and import as one job. `tests/service` simulates the service.
//! - How much of the registry of unfair suppliers is here, so that "not listed" may be said:
//!   `model/registry.rs`, `store/registries.rs`; the verdict and its ground, `model/verdict.rs`;
//!   the registry in memory, `store/rnp_index.rs`; how the page shows them, `web/ground.js`; which
//!   documents it consists of, the register of kinds, and which of them are missing,
//!   `model/registry.rs` and `web/coverage.js`.
//! - Whose answers changed, and when: `model/change.rs`, `store/changes.rs`, `api/endpoints/changes.rs`;
//!   how far a client has read that, `model/change_cursor.rs`; for the suppliers of a list,
//!   `cli/watch`.
//! - Which official documents were obtained, of which regions and days, and where the gaps
//!   are: `model/coverage.rs`, `store/coverage.rs`, `web/coverage.js`.
//! - Which official documents an answer follows from: `store/query/sources.rs`, `api/endpoints/documents.rs`,
//!   `web/sources.js`; their pages at EIS `model/official_page.rs`.
//! - Keys: their rows and changes, `store/keys.rs` (a file) and `store/postgresql/keys.rs`, over
//!   `store/key_rows.rs`; those of a running server, `store/key_ring.rs`; their last days of use,
//!   `cli/serve/key_use.rs`; whom a request is from, `api/guard/keys.rs`.
//! - What an operator sees: `http/metrics.rs` and `http/process.rs` (figures), `http/admin.rs` (health),
//!   `http/telemetry.rs` (clients and ids of requests), `http/audit.rs` (who looked up what),
//!   `cli/logging.rs` (the log's form), `cli/serve/starting.rs` (what the start says). Alert rules
//!   and a dashboard are in `scripts/deploy/monitoring`; a test compares the metrics they name.
//! - What the file holds: `store/schema.sql`; most statements on a table, reading and
//!   writing, stand in the file with its name. Stored bytes and their checksums are
//!   `store/record.rs`, kinds of files and the open connection `store/file.rs`.
//! - How a page is found, and where a contract's row goes: `store/contracts.rs`; how lines
//!   get there by the million: `store/lines.rs` and `store/sorter.rs`, then
//!   `store/line_merge.rs`.
//! - The purchases that a supplier won: who won is read from a card in `model/purchase.rs`, and
//!   found by `store/winners.rs`; `render/won.rs` writes them.
//! - What codes mean in words: `render/codes.rs`, from which a test writes `web/codes.js`.
//! - A filter of contracts: its field in `model/contract_filter.rs`, without whose row in
//!   `store/query/filter.rs` (column, comparison, value) nothing compiles; its column, if it is a
//!   new one, in `store/query/columns.rs` and in `store/schema.sql` (the published table follows);
//!   its parameter in `api/request/parameter_table.rs`, in the one list of `api/endpoints/contracts.rs`.
//! - Orders, pages and sums: `store/query/pages.rs` and `store/query/summary.rs`.
//! - The statements that read a data file: `store/file_source.rs`. Those that read a server,
//!   and publishing: `store/postgresql`. Both implement `store/query/source.rs`.
//! - Search by a name or a number: `api/endpoints/find.rs`. Differences between names that do not
//!   matter, legal forms among them: `model/search_name.rs`; matching, mistakes and the score:
//!   `model/name_query.rs`; the index: `store/searched_names.rs`; ranking: `store/query/names.rs`.
//!   Contracts of a customer are found by an index of the facets.
//! - How an import begins, commits and ends: `store/writer.rs`; `store/building.rs` is the
//!   file that takes the old one's place.
//! - What a person sees: `web/page.rs` is the page's frame, `web/page.js` where the scripts
//!   that fill it begin, `web/client.js` what they request, `web/list.js` and `web/inns.js` how
//!   a list of INNs is read, `web/contracts.js` the table of a supplier's or a customer's
//!   contracts, `web/find.js` the hits while one types, `web/place.js` where Back returns to,
//!   `web/key.js` who asks, `web/evidence.js` a check as one sheet of paper; `web/texts-ru.js`
//!   and `web/texts-en.js` have the words. `tests/page` uses the page as a person would.
//! - What a client may do to a connection, and what ends it: `http/engine` ([its
//!   map](http::engine)), above all the table of `http/engine/bounded/state.rs`.
//! - Synthetic data, for tests and benchmarks: a package of its own, `tests/generate`, that
//!   knows nothing of this one. `world.rs` there is the order of the lines, one file a kind of
//!   line the rest; the vocabulary is its folder `words`.
//! - The demonstration data: its lines are that package's too, the special cases in
//!   `cases.jsonl`; `tests/answers/demo.rs` imports them into `data/demo.sqlite`.
//! - How the service starts, is watched and ends: `cli/serve`. Options get their environment
//!   variables in `cli/mod.rs`, and their rows in the manual by its generated parts.
//!
//! # Invariants
//!
//! - **Amounts are exact decimals** from the input to the output
//!   ([`model::Amount`]); there is no floating point number anywhere.
//! - **A page is one range of rows**: a contract's row id is its supplier's id and
//!   its place in time, without gaps. `check` proves it of a file.
//! - **A data file never changes once it has its name**, nor does a file of keys: who
//!   changes it makes another that takes its place by a rename (`store/building.rs`). So a
//!   request sees one state of the data ([`store::Database`]), an import that is killed
//!   leaves the old file or the new one, and readers need no lock and nothing but the file.
//!   What `fetch` remembers of its folder is no such file: one process holds it alone, and
//!   changes it in place (`store/fetch_ledger.rs`).
//! - **An answer is of one file**, also while another takes its place (`api/data/generations.rs`).
//! - **Every record has a checksum** that is proved when it is read, as has every row that
//!   does not follow from records (`store/record.rs`); [`store::check`] proves all of them,
//!   and that keys, facets and searched names are what records make. **From the
//!   first release on, who changes a stored byte raises the format** (`store/file.rs`).
//! - **Records are a pure function of the set of facts** (and cards of today's day):
//!   whatever order documents come in, in however many imports, the answers are the
//!   same to the byte. Of a document the newest version counts. The rules have a version
//!   ([`import::RULES`]), which the file has, too: an import by other rules derives all
//!   records again (`store/derivation.rs`, [`store::Writer::derive_again`]).
//! - **Official documents outrank lines** about the same thing, in whatever order they
//!   come; so importing again changes nothing.
//! - **Everything read from outside has a bound**, stated beside the code that reads it
//!   and in the manual: sizes, depths, ratios; an import's memory does not depend on
//!   the size of its input.
//! - **A client never sees** a path, SQL or an internal message, and **a key is
//!   never logged** ([`api`], `api/error.rs`, `http/access.rs`, `http/request_id.rs`);
//!   nothing a client sends makes a line or a field of the log (`cli/logging.rs`).
//! - **A record is written once** ([`render`]): XML, JSON, CSV and the schemas take
//!   the same calls, so that what is written and what is described cannot part.
//! - **A rendering has a version** ([`render::VERSION`]), part of every entity tag: equal tags
//!   are of equal bytes, whichever release answers.
//! - **Bytes change only with their version**: stored forms with the format of the file, golden
//!   responses with the rendering, derived records with the rules. Tests hold
//!   their goldens to it, also when they are blessed (`tests/released.rs`).
//! - **What a request says is one canonical text** (`api/request/parameter.rs`): a parameter can only
//!   be set by reading a value that then stands in it, and entity tag, cache and receipt go by
//!   it. A response that depends on the day says so in its endpoint's row.
//! - **A cell is empty only if the service says so of our own request** (`fetch/answer.rs`),
//!   and settled only when all its archives are whole on the disk (`cli/fetch/run.rs`).
//! - **The token of EIS goes to no address but those that `fetch/address.rs` gives out**, and
//!   no text of the service's is shown with it (`fetch/token.rs`, `cli/logging.rs`).
//! - **What is open to all has no record in it** (`api/open/mod.rs`), and the key of the page is
//!   in no URL.
//! - **Today is a parameter**: only [`cli`] reads the clock for it.
//! - **A slow client costs bytes, never a thread**: workers only read what has come and
//!   send what is taken ([`http::engine`], by default).
//! - There is no `unsafe`, and no async runtime but in the client of PostgreSQL, which is not
//!   in the default build.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

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
