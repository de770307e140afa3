//! Requests to responses, without a socket: the table of endpoints, the order of checks,
//! keys, limits, and one file an endpoint.
//!
//! [`Api`] is what all workers share; each has an [`Answerer`] with its own
//! connection to the data, which may be replaced as a whole meanwhile (`data`).
//! The order of checks (the manual, API, "Order of checks"): path, method, key, rate limit,
//! parameters, the lookup itself.
//!
//! | step | where |
//! |---|---|
//! | what the target names | `target` |
//! | the request's parts: query, parameters, what is accepted | [`request`] |
//! | key and limits of load, other origins | `guard` |
//! | the data: files, PostgreSQL servers | `data` |
//! | an endpoint's answer | `endpoints`: the table, and a file a kind of answer |
//! | what needs no key | `open` |
//! | the response: tag, cache, packing, receipt | [`response`] |
//! | errors, and their HTTP statuses | `error`, `error_detail`, `status` |
//! | the order of all that | `answerer` |
//! | its description | [`described`] |

mod answerer;
mod data;
pub mod described;
mod endpoints;
mod error;
mod error_detail;
mod guard;
mod open;
pub mod request;
pub mod response;
mod status;
mod target;

use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{Date, RegistryDocuments};
use crate::store::{self, KeyRing, RemoteServers};

pub use crate::model::Rate;
pub use crate::store::{DiskState, KeyHash, KeyState, RecordCounts, UpdateStatus};
pub use answerer::Answerer;
use data::Data;
pub use data::generations::Replacement;
pub use data::state::{DataState, NewFile};
pub use endpoints::rnp::{answered_from, check_supplier};
pub use endpoints::{Endpoint, Group};
pub use guard::cors::Cors;
use guard::limits::Limits;
pub use guard::limits::{Rates, RefusedCounts, Ticks};
use open::{AboutDocument, Open};
pub use request::Request;
pub use request::parameter::Defaults;
pub use response::cache::CacheFigures;
use response::cache::ResponseCache;
pub use response::receipt::{Clock, Signer};
pub use response::{Finding, Headers, Lookup, Note, Response};
pub use status::Status;

/// What this room bounds, for the manual's table.
pub mod bounds {
    pub use crate::api::error::{MAX_FILE_ROWS, MAX_LIMIT};
    pub use crate::api::guard::cors::MAX_ORIGINS;
    pub use crate::api::request::parameter_table::{
        MAX_CHANGES_ON_A_PAGE, MAX_DECIMALS, MAX_HITS, MAX_NAMES, MAX_SEARCH_TEXT, MAX_SUPPLIERS,
        MAX_WHOLE_DIGITS,
    };
}

/// Where the data is.
#[derive(Clone, Debug)]
pub enum DataSource {
    /// The demonstration data in the program; the key `demo` is valid with it.
    Bundled,
    /// A file.
    File(PathBuf),
    /// PostgreSQL servers, to which a file was published.
    Server(RemoteServers),
}

/// Returns today's date in Moscow.
pub type Calendar = Box<dyn Fn() -> Date + Send + Sync>;

/// The names that requests are counted and logged under, where the path is one of the
/// service's.
pub fn labels() -> impl Iterator<Item = &'static str> {
    Endpoint::ALL
        .into_iter()
        .map(|endpoint| endpoint.path)
        .chain(Open::LABELS)
}

/// What all workers share.
pub struct Api {
    data: Data,
    keys: KeyRing,
    today: Calendar,
    limits: Limits,
    responses: ResponseCache,
    is_audited: bool,
    cors: Cors,
    signer: Option<Signer>,
    defaults: Defaults,
    about: AboutDocument,
    registry_documents: Arc<RegistryDocuments>,
}

impl Api {
    /// An API over `source`, open to the holders of `keys`, without limits of load and without
    /// a cache of responses.
    pub fn new(source: DataSource, keys: KeyRing, today: Calendar) -> Self {
        Self {
            data: Data::new(source),
            keys,
            today,
            limits: Limits::off(Limits::machine_ticks()),
            responses: ResponseCache::default(),
            is_audited: false,
            cors: Cors::Off,
            signer: None,
            defaults: Defaults::default(),
            about: AboutDocument::default(),
            registry_documents: Arc::new([]),
        }
    }

    /// The same with a cache of up to `bytes` of responses; none where it is 0.
    pub fn caching(self, bytes: usize) -> Self {
        Self {
            responses: ResponseCache::with_capacity(bytes),
            ..self
        }
    }

    /// The same, where responses come with what was looked up and found ([`Note::lookup`]),
    /// also those that the client has already: these are then read like any other.
    pub fn audited(self) -> Self {
        Self {
            is_audited: true,
            ..self
        }
    }

    /// The same, where all of a new file is checked, as by [`store::check`], before it is
    /// answered from. The one before goes on until then, and for good if the check fails.
    pub fn checking_new_files(self) -> Self {
        Self {
            data: self.data.checking_new_files(),
            ..self
        }
    }

    /// The same, with responses that programs of these origins may read.
    pub fn with_cors(self, cors: Cors) -> Self {
        Self { cors, ..self }
    }

    /// The same, where `/about.json` says which documents registries lack: `documents` are
    /// those that they consist of.
    pub fn with_registry_documents(self, documents: &RegistryDocuments) -> Self {
        Self {
            registry_documents: documents.into(),
            ..self
        }
    }

    /// The same, with receipts that `signer` makes; without one there are none.
    pub fn signing(self, signer: Option<Signer>) -> Self {
        Self { signer, ..self }
    }

    /// What makes receipts, if there are any.
    pub fn signer(&self) -> Option<&Signer> {
        self.signer.as_ref()
    }

    /// How the cache of responses has done so far.
    pub fn cache_figures(&self) -> CacheFigures {
        self.responses.figures()
    }

    /// How many keys are valid.
    pub fn valid_keys(&self) -> usize {
        self.keys.count()
    }

    /// The keys as operators see them; that of the bundled data counts.
    pub fn key_state(&self) -> KeyState {
        let state = self.keys.state();
        match self.data.is_bundled() {
            true => KeyState {
                valid: state.valid + 1,
                is_missing: false,
                ..state
            },
            false => state,
        }
    }

    /// The keys that were used since this was last called.
    pub fn used_keys(&self) -> Vec<KeyHash> {
        self.keys.used()
    }

    /// Why the keys could not be read, if they never could be.
    pub fn unread_keys(&self) -> Option<String> {
        self.keys.unread()
    }

    /// The same, with limits that count by the clock `ticks`; none yet.
    pub fn counting_in(self, ticks: Ticks) -> Self {
        Self {
            limits: Limits::off(ticks),
            ..self
        }
    }

    /// Limits the load from now on; the counts of all limits begin anew.
    pub fn set_limits(&self, rates: Rates) {
        self.limits.set(rates);
    }

    /// The same, where requests that do not say otherwise are answered so.
    pub fn with_defaults(self, defaults: Defaults) -> Self {
        Self { defaults, ..self }
    }

    fn defaults(&self) -> Defaults {
        self.defaults
    }

    /// How many requests each limit has refused.
    pub fn refused(&self) -> RefusedCounts {
        self.limits.refused()
    }

    /// One that answers, with a connection of its own.
    ///
    /// # Errors
    /// The data cannot be opened.
    pub fn answerer(self: &Arc<Self>) -> store::Result<Answerer> {
        Answerer::new(self)
    }

    /// Checks whether another file has taken the place of the one that is answered from.
    /// If so it is opened and checked, and answers the requests that come from then on;
    /// those under way end on the old one. A file that cannot be opened or is obviously
    /// damaged is refused until it changes; that is logged once, and the old one goes on. Each
    /// request checks; to be called now and then as well, so that a replacement is noticed
    /// while no requests come. It costs a `stat` where nothing has changed.
    pub fn notice_replacement(&self) -> Replacement {
        self.data.notice_replacement()
    }

    /// How many records there are, counted over a connection of its own, which may take seconds.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn count_records(&self) -> store::Result<RecordCounts> {
        self.data.opened()?.counts()
    }

    /// Which data is answered from, and since when. Any thread may call it at any time. Of
    /// servers it is what [`Api::probe_data`] found last.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn data_state(&self) -> store::Result<DataState> {
        self.data.state()
    }

    /// The same, asked of servers now, over a connection of its own, which may take seconds
    /// where they cannot be reached. To be called now and then, so that operators learn what
    /// servers have while no requests come; a file needs no asking.
    ///
    /// # Errors
    /// As [`Api::data_state`].
    pub fn probe_data(&self) -> store::Result<DataState> {
        self.data.probe()
    }
}
