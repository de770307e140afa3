//! Turns requests into responses, without sockets.
//!
//! All workers share one [`Api`]. Each worker has an [`Answerer`] with its own connection to the
//! data. The data may be replaced at any time (`data`).
//!
//! # The path of a request
//!
//! Every request takes the same path (`answerer.rs`):
//!
//! 1. **Target**: the path's route (an endpoint, or a resource that needs no key) and the query,
//!    each parsed once (`target.rs`, over [`request`]).
//! 2. **Admission**: path, method, key and rate limits, in this order (`guard`). The data is not
//!    touched yet.
//! 3. **Parameters**: each endpoint has its own struct, read in the order of its row (`endpoints`,
//!    over `request/reader.rs`). A handler cannot read a parameter that its endpoint does not
//!    accept. Reading yields the canonical text, which together with the data's version and the day
//!    gives the entity tag. `If-None-Match` and the response cache are checked here.
//! 4. **Answer** (`inquiry.rs`): the struct of parameters has a method `answer`, which reads the
//!    data (`data`) and returns one value, `Answered`: the body, the result, and whatever the body
//!    has no field for. Receipt, compression and cache follow.
//! 5. **Reply**: head and body, whether for an answer, a resource without a key (`open`) or an
//!    error (`error.rs`, over the table in `error_kind.rs`). `response/head.rs` turns the head into
//!    headers; `guard/cors.rs` adds the CORS headers.
//!
//! [`described`] generates the descriptions from the same tables.
//!
//! # The cost of an answer
//!
//! - A request is parsed in place in the input buffer, and the worker lends a used buffer for the
//!   body (`http/engine/buffers.rs`).
//! - The path is looked up at most once per millisecond, to see whether it still leads to the open
//!   file (`data/followed_file.rs`).
//! - The entity tag follows from the version of the data and the canonical text. So a 304 is sent
//!   without reading anything, except for an RNP check, whose verdict must be read. A short response
//!   that was sent before is copied from the cache (`response/cache.rs`).
//! - Other answers are read without a transaction or a lock, because the file never changes. A page
//!   is one range of rows (`store/newest_records.rs`), whose records are read in place in the
//!   memory-mapped file (`store/record.rs`). Values are stored as they are written
//!   ([`encoded`](crate::model::encoded)), so that [`render`](crate::render) copies them between
//!   constant tags.
//! - Head and body are sent in a single write. If a body is compressed, the worker reuses a buffer
//!   for that (`response/packing.rs`).
//!
//! `scripts/bench answers` compares answers with nginx; the benchmarks in `tests/benches` count
//! instructions.
//!
//! # Where to begin
//!
//! - An endpoint: its row in `endpoints`, next to the struct of its parameters, and its name in the
//!   list there. A parameter: its row in `request/parameter_table.rs`, and how it is read in
//!   `request/groups.rs`. An error: its row in `error_kind.rs`, and its name in the rows of the
//!   endpoints that return it. A response header: its field in `response/head.rs`. Validation,
//!   OpenAPI, `/docs`, the commands and options of `lookup`, entity tag, cache and receipt are
//!   derived from these rows.
//! - A format: its row in `render/answer.rs`, and its selection in `request/accept.rs`. Workbooks
//!   are in `response/workbook.rs`, over `render/as_xlsx.rs`.
//! - Receipts: `response/receipt.rs`; the key that signs them, `response/signing_key.rs`;
//!   the command that verifies them, `cli/verify.rs`.
//! - Large answers: `response/large.rs` and `response/places.rs`; when a table is large,
//!   `render/table.rs`; the workers' queue, `http/line.rs`.

mod answerer;
mod conditions;
mod data;
pub mod described;
mod endpoints;
mod error;
mod error_detail;
mod error_kind;
mod export;
mod guard;
mod inquiry;
mod open;
pub mod request;
pub mod response;
mod status;
mod target;

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{Moment, RegistryDocuments};
use crate::store::{self, KeyRing, RemoteServers};

pub use crate::model::{Rate, Throttled};
pub use crate::store::{DiskState, KeyHash, KeyState, RecordCounts, UpdateStatus};
pub use answerer::Answerer;
use data::Data;
pub use data::followed_file::Replacement;
pub use data::state::{DataState, NewFile};
pub use endpoints::{Endpoint, Group, LookupCommand, check_supplier, response_origin};
pub use export::{ExportFilter, ExportKind};
use guard::Guard;
pub use guard::cors::Cors;
use guard::limits::LoadLimits;
pub use guard::limits::{Rates, RefusedCounts, Ticks, client_network};
use open::{Open, SentAbout};
pub use request::parameter::Defaults;
pub use request::{Peer, Request};
pub use response::cache::CacheFigures;
use response::cache::ResponseCache;
pub use response::large::Turn;
use response::places::Places;
pub use response::places::{Place, RefusedPlaces};
pub use response::receipt::{Clock, Signer};
pub use response::{AuditedLookup, FileBody, Headers, LargeBody, LookupResult, Note, Response};
pub use status::Status;

/// The limits of this module, which the manual lists.
pub mod bounds {
    pub use crate::api::error::{MAX_FILE_ROWS, MAX_LIMIT};
    pub use crate::api::guard::cors::MAX_ORIGINS;
    pub use crate::api::request::parameter_table::{
        MAX_CHANGES_ON_A_PAGE, MAX_DECIMALS, MAX_HITS, MAX_NAMES, MAX_SEARCH_TEXT, MAX_SUPPLIERS,
        MAX_WHOLE_DIGITS,
    };
    pub use crate::api::response::large::CONTRACTS_OUT_OF_TURN;
    pub use crate::api::response::places::{MAX_PLACES, MAX_PLACES_OF_KEY};
}

#[derive(Clone, Debug)]
pub enum DataSource {
    /// The demonstration data inside the program, whose key is `demo`.
    Bundled,
    File(PathBuf),
    /// PostgreSQL servers to which a file was published.
    Server(RemoteServers),
}

/// Returns the current date and time in Moscow.
pub type Calendar = Box<dyn Fn() -> Moment + Send + Sync>;

/// Returns the names of the service's own paths in metrics and logs.
pub fn labels() -> impl Iterator<Item = &'static str> {
    Endpoint::ALL
        .into_iter()
        .map(|endpoint| endpoint.path)
        .chain(Open::LABELS)
}

/// The state that all workers share.
pub struct Api {
    data: Data,
    guard: Guard,
    now: Calendar,
    responses: ResponseCache,
    places: Arc<Places>,
    about: SentAbout,
    /// Whether each response carries the lookup and its result ([`Note::lookup`]) for the audit
    /// trail. The data is then read even if the client already has the response.
    pub is_audited: bool,
    /// Signs receipts; `None` if receipts are off.
    pub signer: Option<Signer>,
    /// Values of parameters that a request omits.
    pub defaults: Defaults,
    /// The document types from which registries are built. `/about.json` reports which of them are
    /// missing.
    pub registry_documents: Arc<RegistryDocuments>,
}

impl Api {
    /// Creates an API that serves `source` to the holders of `keys`, without rate limits and
    /// without a response cache.
    pub fn new(source: DataSource, keys: KeyRing, now: Calendar) -> Self {
        let data = Data::new(source);
        Self {
            guard: Guard {
                keys,
                is_demonstration: data.is_bundled(),
                limits: LoadLimits::off(LoadLimits::machine_ticks()),
                cors: Cors::Off,
            },
            data,
            now,
            responses: ResponseCache::default(),
            places: Arc::default(),
            about: SentAbout::default(),
            is_audited: false,
            signer: None,
            defaults: Defaults::default(),
            registry_documents: Arc::new([]),
        }
    }

    /// Adds a response cache of up to `bytes`; 0 means none.
    pub fn caching(self, bytes: usize) -> Self {
        Self {
            responses: ResponseCache::with_capacity(bytes),
            ..self
        }
    }

    /// From now on, checks each new file completely before it is used, like [`store::check`]. The
    /// previous file stays in use during the check, and also afterwards if the check fails.
    pub fn check_new_files(&mut self) {
        // A publication is a single transaction and its rows have checksums, so only files are
        // checked.
        if let Data::File(file) = &mut self.data {
            file.checks_new = true;
        }
    }

    /// Lets pages of the given origins read responses.
    pub fn set_cors(&mut self, cors: Cors) {
        self.guard.cors = cors;
    }

    pub fn cache_figures(&self) -> CacheFigures {
        self.responses.figures()
    }

    /// Describes the keys for operators, including the key of the bundled data.
    pub fn key_state(&self) -> KeyState {
        let state = self.guard.keys.state();
        match self.data.is_bundled() {
            true => KeyState {
                valid: state.valid + 1,
                is_missing: false,
                ..state
            },
            false => state,
        }
    }

    /// Returns the keys that were used since the last call.
    pub fn used_keys(&self) -> Vec<KeyHash> {
        self.guard.keys.used()
    }

    /// Replaces the clock of the rate limits, and removes all limits set so far.
    pub fn counting_in(mut self, ticks: Ticks) -> Self {
        self.guard.limits = LoadLimits::off(ticks);
        self
    }

    /// Sets the rate limits and resets all counts.
    pub fn set_limits(&self, rates: Rates) {
        self.guard.limits.set(rates);
    }

    pub fn refused(&self) -> RefusedCounts {
        self.guard.limits.refused()
    }

    /// Returns how many large answers have a place, and how many were refused.
    pub fn places(&self) -> (usize, RefusedPlaces) {
        self.places.figures()
    }

    /// Creates an answerer with its own connection.
    ///
    /// # Errors
    /// Returns an error if the data cannot be opened.
    pub fn answerer(self: &Arc<Self>) -> store::Result<Answerer> {
        Answerer::new(self)
    }

    /// Checks whether there is a new file at the data's path. If there is one, opens and checks it.
    /// Later requests use the new file; requests in progress finish on the old one. A file that
    /// cannot be opened or is obviously damaged is refused until it changes: this is logged once,
    /// and the old file stays in use.
    ///
    /// Each request does this as well; regular calls notice a replacement while there are no
    /// requests. An unchanged file costs one `stat`.
    pub fn notice_replacement(&self) -> Replacement {
        self.data.notice_replacement()
    }

    /// Counts the records on a separate connection, which may take seconds.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn count_records(&self) -> store::Result<RecordCounts> {
        self.data.opened()?.counts()
    }

    /// Returns the state of the data. May be called from any thread at any time. For data on
    /// servers, returns the result of the last [`Api::probe_data`].
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn data_state(&self) -> store::Result<DataState> {
        self.data.state()
    }

    /// Queries the servers for the state of the data on a separate connection, which may take
    /// seconds if they are unreachable. Call regularly, so that operators stay informed while there
    /// are no requests. For a file, does the same as [`Api::data_state`].
    ///
    /// # Errors
    /// See [`Api::data_state`].
    pub fn probe_data(&self) -> store::Result<DataState> {
        self.data.probe()
    }
}
