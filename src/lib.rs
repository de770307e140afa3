//! State contracts, purchases and the registry of unfair suppliers (RNP), answered over HTTP GET
//! from one SQLite file, or from PostgreSQL with the file's published data (the feature
//! `postgresql`).
//!
//! # Bird's-eye view
//!
//! [`fetch`] obtains official documents from EIS as archives in a folder. [`import`] reads them,
//! and JSON Lines. [`store`] holds the facts of documents and the records derived from them in one
//! SQLite file. [`http`] takes requests from sockets and passes them to [`api`], which checks them
//! and looks up the answer. [`render`] writes it in the specification's wire format, XML or JSON,
//! or its rows alone, in CSV or XLSX. [`web`] is the lookup page, a client like any other.
//! [`manual`] is the manual, open to anyone.
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
//! 1. `import/source` finds files and splits them into documents (those of archives still packed) and
//!    lines. An imported archive is recognized by its metadata on the disk (`store/archives.rs`), and
//!    is not opened.
//! 2. `import/parse` unpacks and reads them on all cores: `import/eis` turns each
//!    document into facts (`import/facts`), each about one contract, purchase or RNP entry, without
//!    any other document.
//! 3. `store/documents.rs` stores the newest version of each (number, kind, key), and returns the
//!    subjects of the new ones.
//! 4. `import/derive` derives the record of each subject from all its facts: a contract from its
//!    snapshot, its procedures and the notice of its purchase; a card from its notice, its protocols
//!    and its contracts. A purchase with many contracts waits for the end of the import
//!    (`store/postponed_purchases.rs`).
//! 5. The store writes the records that changed (`store/batch.rs`), and notes the changed answers in a
//!    log (`store/changes.rs`).
//!
//! Lines are already records. They are written in the same batches, behind the documents
//! (`store/batch_lines.rs`); those that replace something are counted and logged when all are written
//! (`store/replaced_lines.rs`).
//!
//! All of this is written to `FILE-building`, a copy that replaces the file at the end of the
//! import (`store/building.rs`). The reading thread is a round or two ahead of the writing one.
//!
//! **To read another kind of document:** its row in the register (`import/eis/kinds`), its
//! reader (a function over a `Node`, which names each field and the paths where documents have it),
//! and an invented document in `data/documents`, whose facts `GOLDEN=bless cargo test --lib
//! import::eis` writes beside it. Dispatch, the memory of archives, the manual's tables, the
//! comparison with the official schemas and the fuzzers' seeds follow. Only a kind with new facts
//! needs a variant of `import::facts::Facts` and its derivation in `import/derive`.
//!
//! # The cost of an answer
//!
//! 1. The engine passes on a request whose parts stay in the input buffer. The worker provides a used
//!    buffer for the answer (`http/engine/buffers.rs`).
//! 2. `api` admits it by its key ([its map](api) has a request's way), reads its parameters,
//!    which gives its canonical text (`api/request/reader.rs`), and looks up whether the path
//!    still leads to the open file, unless a request did so within the millisecond before this one
//!    was received (`api/data/followed_file.rs`). The file's version was read when it was opened. Version and canonical text
//!    make the entity tag: a 304 is sent before anything is read (an RNP check is read for its
//!    verdict, which the 304 has too), and a response that was sent before, if it is not long, is
//!    copied from the cache (`api/response/cache.rs`).
//! 3. Otherwise it is read, without a transaction or a lock, as the file never changes. A
//!    page is one stretch of rows (`store/newest_records.rs`), whose records are read in SQLite's
//!    memory, which is the file's (`store/record.rs`); their values stand there as they are
//!    written ([`model::encoded`]), and [`render`] copies them between tags that are
//!    constants, into the buffer.
//! 4. `http` writes the head into a buffer of its own, and one write sends both. A body is
//!    packed before that, if at all, in a buffer of the worker (`api/response/packing.rs`).
//!
//! `scripts/bench answers` measures answers beside nginx, and the benchmarks of `tests/benches`
//! count instructions.
//!
//! # PostgreSQL
//!
//! `store/query` has the only implementation of answers: filters, orders, ties, pages, sums,
//! searches, the log and the treatment of damage, over the primitives of a source
//! (`store/query/source.rs`). There are two sources: a file (`store/file_source.rs`), and a server
//! (`store/postgresql`; its map is in `mod.rs` there). Import and derivation use the file alone,
//! and `publish` sends the results. A program without the feature knows only the name of servers
//! ([`store::RemoteServers`]) and refuses their addresses.
//!
//! **Tables** (`tables.sql`) have the file's records as they are, checksums included, so that
//! answers are the same to the byte, and beside them the columns of the file's facets, by the
//! same names and with the same values, so that a filter is one condition for both. Every key
//! begins with an INN or a number. A contract has no place among its supplier's, as it has in
//! the file, so a late one adds a row and changes no other but its supplier's. That row has the
//! key of each 500th contract, from which a page at any depth is counted.
//!
//! **A filtered page and a summary** are a stream of the facets that match, from an index that
//! has them all, which the core orders or sums up as it does over the file; then the page's
//! records by their keys. An answer whose stream is cut off begins again on another session.
//!
//! **A publication is one transaction**, whose last change is the one row of the table
//! `publication`: its number, the schema with the data, the version of the data. A delta changes
//! the tables of the current schema. A full publication goes to its own schema, which the row then
//! names. The changes come from the file's log, whose revisions carry the identities of the data.
//! They show whether the published data is an earlier state of this file. Before a delta is
//! committed, and before nothing is sent, counts and digests of the tables are compared with the
//! file's (`totals.rs`); if they differ, everything is sent.
//!
//! **An answer needs no transaction.** Each of its statements reads the number of the
//! publication beside its rows, in the same snapshot; statements that saw the same number saw
//! the same state, whichever host they were sent to. If the number differs, the answer
//! begins again ([`store::Database::has_moved`], `api/inquiry.rs`). The usual answers are one
//! statement, because their queries are known in advance ([`store::Prefetch`]). A process never
//! answers from a publication older than one that it has seen.
//!
//! **An error of a server** is the store's [`store::Error`]: unreachable if another session may
//! succeed, another release's publication (both are answered 503), or a refusal with the server's
//! code.
//!
//! **The client is asynchronous**, since only so each step has a deadline. It is named in one
//! file (`client.rs`), and runs on a runtime of the session's own, on the worker's thread,
//! while that waits. Other threads look at readiness each second, and at the keys if they are
//! in PostgreSQL, so that no request waits for that.
//!
//! # Rooms
//!
//! | room | purpose | may import |
//! |---|---|---|
//! | [`cli`] | one file a command; the only one that knows arguments and environment | all |
//! | [`http`] | sockets, workers, access log, metrics, the operator's port; `http/engine` is the only place that names epoll or tiny_http | `api` |
//! | [`api`] | request to response, no sockets: endpoints, parameters and errors as rows, keys, limits of load | `render`, `store`, `web`, `manual`, `model` |
//! | [`render`] | records to bytes; the differing rules of the formats, side by side | `xml`, `model` |
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
//! - A field of a contract: in the struct and in the list of wire names in `model/contract.rs`,
//!   which its record, lines, answers, schemas and property tests follow; its meaning and the name
//!   of its column in `render/meanings.rs`, its example in `render/schema/samples.rs`. If a
//!   `contract` states it, it is a field of the facts with a new number, and in `on_page`
//!   (`import/facts/contract.rs`), which its reader fills (`import/eis/contract.rs`); if it follows
//!   from other documents, `import/derive/contract.rs` derives it. Stored facts stay readable, and
//!   so do stored records if the field is the last of the list (`model/encoded_contract.rs`).
//! - An item of a contract: its fields, in `model/contract.rs`; what the contract page shows of it
//!   is in the contract's record, all of it in `store/contract_items.rs`.
//! - The facts of documents, as stored: `import/facts`, one file a family. `encoding.rs` says how
//!   a struct is stored, by field numbers, and `values.rs` how single values are.
//! - A field of another answer: the record's file in `render` writes the fields in their
//!   order. `render/fields.rs` says how a value is written.
//! - An endpoint: its row in `api/endpoints`, beside the struct of its parameters, which answers;
//!   its name in the list in `mod.rs` there. A parameter: its row in
//!   `api/request/parameter_table.rs`, its reading in `api/request/groups.rs`. An error: its row in
//!   `api/error_kind.rs`, and its name in the rows of the endpoints that have it. A header of
//!   responses: its field in `api/response/head.rs`. Checks, OpenAPI, `/docs`, `lookup`'s commands
//!   and options, entity tag, cache and receipt follow.
//! - A format: its row in `render/answer.rs`; its selection in `api/request/accept.rs`; workbooks in `api/response/workbook.rs` over
//!   `render/as_xlsx.rs`. A receipt is `api/response/receipt.rs`, the
//!   key that signs it `api/response/signing_key.rs`, and `cli/verify.rs` checks one.
//! - A large answer, its file and its turn: `api/response/large.rs`, `places.rs` there, and the line
//!   of the workers, `http/line.rs`; when a table becomes large, `render/table.rs`.
//! - What describes the answers (XSD, JSON Schema, OpenAPI, `/docs`): `render/schema` makes
//!   trees of the fields that records write, whose meanings are `render/meanings.rs`;
//!   `api/described` makes the documents of these and of the rows.
//! - The manual (`/docs/`, `procurement-lookup manual`): a chapter is a file in `manual/en` and
//!   one in `manual/ru`, in the list in `manual/mod.rs`. Its tables of options, errors
//!   and figures follow from the code: `tests/answers/manual/generated.rs` compares them, and
//!   writes them on `GOLDEN=bless`. The bounds are written by hand; `cli/manual/tests.rs` compares
//!   their numbers with the constants.
//! - The kinds of documents: the register, `import/eis/kinds`, one file a family. The facts of a document: its reader in
//!   `import/eis`, one file or folder a family, over `import/eis/node.rs`. The records derived from
//!   several: `import/derive`, one file a record.
//! - Fetching: `fetch` ([its map](fetch)) is the client of the service, `cli/fetch` selects the cells
//!   (day, region, type of documents) and reports on them, `store/fetch_ledger.rs` remembers them;
//!   the types are in the register of kinds. `cli/update.rs` is fetch and import as one job.
//!   `tests/service` simulates the service.
//! - The completeness of the registry of unfair suppliers, the condition of "not listed":
//!   `model/registry.rs`, `store/registries.rs`; the verdict and its ground, `model/verdict.rs`; the
//!   registry in memory, `store/rnp_index.rs`; the inclusions that could not be read,
//!   `import/eis/rnp/unread.rs`, `store/unread_entries.rs` and `store/unread_settlement.rs`; their display on the page, `web/ground.js`; its
//!   documents, the register of kinds; the missing ones, `model/registry.rs` and `web/coverage.js`.
//! - The registry of unfair suppliers as a list: `store/entry_list.rs` holds all entries in memory,
//!   `store/query/entries.rs` selects them. Purchases by their contents: `store/query/purchases.rs`;
//!   what a list says of a purchase, `model/purchase.rs`.
//! - The log of changed answers: `model/change.rs`, `store/changes.rs`, `api/endpoints/changes.rs`; the
//!   position of a client in it, `model/change_cursor.rs`; for the suppliers of a list, `cli/watch`.
//! - The coverage of official documents by region and day, and its gaps: `model/coverage.rs`,
//!   `store/coverage.rs`, `web/coverage.js`.
//! - The official documents behind an answer: `store/query/sources.rs`, `api/endpoints/documents.rs`,
//!   `web/sources.js`; their pages at EIS, `model/official_page.rs`.
//! - Keys: their rows and changes, `store/keys.rs` (a file) and `store/postgresql/keys.rs`, over
//!   `store/key_rows.rs`; those of a running server, `store/key_ring.rs`; their last days of use,
//!   `cli/serve/key_use.rs`; the client of a request, `api/guard/keys.rs`.
//! - The view of operators: `http/metrics.rs` and `http/process.rs` (figures), `http/admin.rs` (health),
//!   `http/trust.rs` (who sends a request), `http/telemetry.rs` (what is recorded), `http/audit` (the audit trail),
//!   `cli/logging.rs` (the log's form), `cli/serve/starting.rs` (the lines of a start). Alert rules
//!   and a dashboard are in `scripts/deploy/monitoring`; a test compares the metrics they name.
//! - The content of the file: `store/schema.sql`, and for people who open it `store/views.sql`; most
//!   statements on a table, reading and writing, stand in the file with its name. Stored bytes and their checksums are
//!   `store/record.rs`, kinds of files and the open connection `store/file.rs`.
//! - A format of a kind of file: a step in `store/migrations.rs`, which `store/upgrade.rs` runs in
//!   the copy that replaces the file. The release that last wrote a file: `store/release.rs`.
//! - The ids of contracts: `store/contract_id.rs`; writing them, `store/contracts.rs`; the rows of a
//!   page, `store/newest_records.rs`.
//! - The purchases that a supplier won: `model/purchase.rs` reads the winner from a card,
//!   `store/winners.rs` finds the purchases, `render/won.rs` writes them.
//! - The meanings of codes: `render/codes.rs`; a test writes `web/codes.js` from it.
//! - A filter of contracts: its field in `model/contract_filter.rs`, without whose row in
//!   `store/query/filter.rs` (column, comparison, value) nothing compiles; its column, if it is a new
//!   one, in `store/facet_columns.rs` (both tables follow); its
//!   parameter in `api/request/parameter_table.rs`, in the one list of `api/endpoints/contracts.rs`.
//! - Orders, pages and sums: `store/query/pages.rs` and `store/query/summary.rs`.
//! - The statements that read a data file: `store/file_source.rs`. Those that read a server,
//!   and publishing: `store/postgresql`. Both implement `store/query/source.rs`.
//! - Search by a name or a number: `api/endpoints/find.rs`. Differences between names that do not
//!   matter: `model/search_name.rs`; legal forms and abbreviations: `model/legal_forms.rs` and its
//!   tables in `data`; the steps of a search and the score: `model/name_query.rs`; the words of a
//!   text beside those of a name: `model/name_comparison.rs`; transliteration and keyboard layouts:
//!   `model/other_script.rs`; the index: `store/searched_names.rs`; ranking:
//!   `store/query/names.rs`.
//!   Contracts of a customer are found by an index of the facets.
//! - Search by content: the tokens of records and of questions, `model/content_tokens.rs`, with their
//!   words (`content_words.rs`) and codes (`content_code.rs`); the index of tokens,
//!   `store/content_index.rs`, which each batch of an import changes, and `store/content_rebuild.rs`
//!   writes again by other rules, and checks; the facets of purchases, `store/purchase_facets.rs`.
//!   Contracts that match: `store/query/search.rs`; their sums, `store/query/summary.rs`; the prices
//!   of their items, `store/query/prices.rs`, with exact statistics in `model/price_statistics.rs`.
//! - Facts of risk: `model/risk_fact.rs`; those that a record states, `model/record_fact.rs`;
//!   contracts signed while their suppliers were listed, `store/query/listed.rs`.
//! - How an import begins, commits and ends: `store/writer.rs`; `store/building.rs` is the
//!   file that takes the old one's place.
//! - The lookup page: `web/page.rs` is its frame, `web/page.js` the start of its scripts,
//!   `web/client.js` their requests, `web/list.js` and `web/inns.js` the reading of a list of INNs,
//!   `web/contracts.js` the table of a supplier's or a customer's contracts, `web/find.js` the hits
//!   during typing, `web/place.js` the target of Back, `web/key.js` the key, `web/evidence.js` a
//!   check as one sheet of paper. Its words are the JSON files in `web/texts`, from
//!   which the server also takes those that it writes itself. `tests/page` uses the page as a person would.
//! - The life of a connection: `http/engine` ([its map](http::engine)), above all the table of
//!   `http/engine/bounded/state.rs`. A header of every response, refusals included:
//!   `http/engine/response.rs`. `tests/answers/engine/raw.txt` has requests byte for byte, with the
//!   outcome of each engine.
//! - Synthetic data for tests and benchmarks: a separate package, `tests/generate`, which does not
//!   depend on this one. `world.rs` there is the order of the lines, one file a kind of
//!   line the rest; the vocabulary is its folder `words`.
//! - The demonstration data: its lines are that package's too, the special cases in
//!   `cases.jsonl`; `tests/answers/demo.rs` imports them into `data/demo.sqlite`.
//! - The start, supervision and end of the service: `cli/serve` (`stages.rs` is the order of a start). Options get their environment
//!   variables in `cli/mod.rs`, and their rows in the manual by its generated parts.
//!
//! # Invariants
//!
//! - **Amounts are exact decimals** from the input to the output
//!   ([`model::Amount`]); there is no floating point number anywhere.
//! - **A contract's id stays** while its supplier and its day of signing do: it consists of both and a
//!   number within the day (`store/contract_id.rs`). So a page is one stretch of rows, and other tables
//!   can refer to a contract. `check` proves the ids of a file.
//! - **A data file never changes once it has its name**, nor does a file of keys. A change makes
//!   another file that replaces it by a rename (`store/building.rs`). So a request sees one state of
//!   the data ([`store::Database`]), a killed import leaves the old file or the new one, and readers
//!   need no lock and nothing but the file. The ledger of `fetch` is no such file: one process holds
//!   it alone and changes it in place (`store/fetch_ledger.rs`).
//! - **An answer comes from one file**, even while another replaces it (`api/data/followed_file.rs`).
//! - **Every record has a checksum** that is proved when it is read, and so does every row that is not
//!   derived from records (`store/record.rs`). [`store::check`] proves all of them, and compares
//!   keys, facets and searched names with the records. **From the first release on, a change of a
//!   stored byte raises the format** (`store/file.rs`).
//! - **Records are a pure function of the set of facts** (and cards of today's day):
//!   for any order of documents and any number of imports, the answers are the same to the byte. The
//!   newest version of a document counts. The rules have a version ([`import::RULES`]), which the
//!   file has, too: an import by other rules derives all records again (`store/derivation.rs`,
//!   [`store::Writer::derive_again`]).
//! - **The index of contents is a pure function of the records and items** by rules that have a
//!   version ([`model::WORDS_VERSION`]), which the file has, too: an import or an upgrade by other rules
//!   writes it again. `check` compares all of it.
//! - **Official documents outrank lines** about the same subject in any order, so a repeated import
//!   changes nothing.
//! - **Everything read from outside has a bound**, stated beside the code that reads it
//!   and in the manual: sizes, depths, ratios; an import's memory does not depend on
//!   the size of its input.
//! - **A client never sees** a path, SQL or an internal message, and **a key is
//!   never logged** ([`api`], `api/error.rs`, `http/access.rs`, `http/request_id.rs`);
//!   no input of a client forms a line or a field of the log (`cli/logging.rs`).
//! - **A record is written once** ([`render`]): XML, JSON, CSV and the schemas result from the same
//!   calls, so the schemas always match the answers.
//! - **A rendering has a version** ([`render::VERSION`]), part of every entity tag: equal tags mean
//!   equal bytes in all releases.
//! - **Bytes change only with their version**: stored forms with the format of the file, golden
//!   responses with the rendering, derived records with the rules. Tests enforce
//!   this for their goldens, even when they are blessed (`tests/released.rs`).
//! - **A request has one canonical text** (`api/request/reader.rs`). Only reading a value sets a
//!   parameter, and the value is then part of that text, on which entity tag, cache and receipt
//!   depend. An endpoint's row states whether its response depends on the day.
//! - **A cell is empty only if the service reports it for our own request** (`fetch/answer.rs`), and
//!   settled only when all its archives are whole on the disk (`cli/fetch/run.rs`).
//! - **The token of EIS goes only to the addresses from `fetch/address.rs`**, and no text of the
//!   service is shown with it (`fetch/token.rs`, `cli/logging.rs`).
//! - **Open resources contain no record** (`api/open/mod.rs`), and the key of the page is in no URL.
//! - **Today is a parameter**: only [`cli`] reads the clock for it.
//! - **A large answer leaves a worker to short ones** (`http/line.rs`), unless there is only one.
//! - **A slow client costs bytes, never a thread**: workers never wait for one client's input or output
//!   ([`http::engine`], by default).
//! - There is no `unsafe`, and no async runtime but in the client of PostgreSQL, which is not
//!   in the default build.

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
