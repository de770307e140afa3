//! Requests to responses, without a socket.
//!
//! All workers share one [`Api`]. Each worker has an [`Answerer`] with its own connection to the
//! data, which may be replaced meanwhile (`data`).
//!
//! # The path of a request
//!
//! Every request takes the same path (`answerer.rs`):
//!
//! 1. **Target**: the route of the path (an endpoint, or a resource that needs no key) and the
//!    query, both read once (`target.rs`, over [`request`]).
//! 2. **Admission**: path, method, key and limits of load, in this order (`guard`). The data has
//!    not been read yet.
//! 3. **Parameters**: each endpoint has a struct of its own, read in the order of its row
//!    (`endpoints`, over `request/reader.rs`); what an endpoint does not take, its handler cannot
//!    read. Reading gives the canonical text, which makes the entity tag together with the data's
//!    version and the day. `If-None-Match` and the cache of responses are consulted here.
//! 4. **Answer** (`inquiry.rs`): the parameters' `answer` reads the data (`data`) and returns one
//!    value, `Answered`: the body, the result, and what the body has no place for. Then come the
//!    receipt, packing and the cache.
//! 5. **Reply**: a head and a body, for an answer, a resource without a key (`open`) or an error
//!    (`error.rs`, over the table in `error_kind.rs`). `response/head.rs` turns the head into
//!    headers, except for those of other origins (`guard/cors.rs`).
//!
//! [`described`] generates the descriptions from the same rows.

mod answerer;
mod conditions;
mod data;
pub mod described;
mod endpoints;
mod error;
mod error_detail;
mod error_kind;
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

/// The bounds of this module, for the manual's table.
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

/// The location of the data.
#[derive(Clone, Debug)]
pub enum DataSource {
    /// The demonstration data in the program, with the key `demo`.
    Bundled,
    /// A file.
    File(PathBuf),
    /// PostgreSQL servers with a published file.
    Server(RemoteServers),
}

/// Returns the day and the time in Moscow now.
pub type Calendar = Box<dyn Fn() -> Moment + Send + Sync>;

/// Returns the names under which requests for the service's own paths are counted and logged.
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
    /// Whether each response carries its lookup and result ([`Note::lookup`]). A response that the
    /// client already has is then read like any other.
    pub is_audited: bool,
    /// The signer of receipts; none means no receipts.
    pub signer: Option<Signer>,
    /// The defaults for missing parameters.
    pub defaults: Defaults,
    /// The documents that registries consist of. `/about.json` reports the missing ones.
    pub registry_documents: Arc<RegistryDocuments>,
}

impl Api {
    /// Returns an API over `source` for the holders of `keys`, without limits of load and without
    /// a cache of responses.
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

    /// Returns the API with a cache of up to `bytes` of responses; 0 means no cache.
    pub fn caching(self, bytes: usize) -> Self {
        Self {
            responses: ResponseCache::with_capacity(bytes),
            ..self
        }
    }

    /// Checks each new file in full before its use, as by [`store::check`]. The previous file stays
    /// in use until then, and stays if the check fails.
    pub fn check_new_files(&mut self) {
        // A publication is one transaction, and its data was read with its checksums.
        if let Data::File(file) = &mut self.data {
            file.checks_new = true;
        }
    }

    /// Lets programs of these origins read responses.
    pub fn set_cors(&mut self, cors: Cors) {
        self.guard.cors = cors;
    }

    /// Returns the figures of the cache of responses.
    pub fn cache_figures(&self) -> CacheFigures {
        self.responses.figures()
    }

    /// Returns the keys as operators see them, including the key of the bundled data.
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

    /// Returns the API with limits that count by the clock `ticks`; no limit is set yet.
    pub fn counting_in(mut self, ticks: Ticks) -> Self {
        self.guard.limits = LoadLimits::off(ticks);
        self
    }

    /// Sets the limits of load and resets all counts.
    pub fn set_limits(&self, rates: Rates) {
        self.guard.limits.set(rates);
    }

    /// Returns the number of requests that each limit has refused.
    pub fn refused(&self) -> RefusedCounts {
        self.guard.limits.refused()
    }

    /// Returns the number of large answers that have a place, and of those refused for want of one.
    pub fn places(&self) -> (usize, RefusedPlaces) {
        self.places.figures()
    }

    /// Returns an answerer with its own connection.
    ///
    /// # Errors
    /// The data cannot be opened.
    pub fn answerer(self: &Arc<Self>) -> store::Result<Answerer> {
        Answerer::new(self)
    }

    /// Looks for a new file at the data's path, and opens and checks it. Later requests use the
    /// new file, and those under way finish on the old one. A file that cannot be opened or is
    /// obviously damaged is refused until it changes. The refusal is logged once, and the old file
    /// stays in use.
    ///
    /// Each request makes this check. A regular call notices a replacement while no requests
    /// arrive. An unchanged file costs one `stat`.
    pub fn notice_replacement(&self) -> Replacement {
        self.data.notice_replacement()
    }

    /// Counts the records over a separate connection, which may take seconds.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn count_records(&self) -> store::Result<RecordCounts> {
        self.data.opened()?.counts()
    }

    /// Returns the state of the data. Any thread may call this at any time. For data on servers it
    /// is the result of the last [`Api::probe_data`].
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn data_state(&self) -> store::Result<DataState> {
        self.data.state()
    }

    /// Queries the servers for the state of the data, over a separate connection. It may take
    /// seconds while they are unreachable. Regular calls keep operators informed while no requests
    /// arrive. A file needs no query.
    ///
    /// # Errors
    /// As [`Api::data_state`].
    pub fn probe_data(&self) -> store::Result<DataState> {
        self.data.probe()
    }
}
