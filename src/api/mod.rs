//! Requests to responses, without a socket.
//!
//! [`Api`] is what all workers share; each has an [`Answerer`] with its own
//! connection to the data, which may be replaced as a whole meanwhile (`data`).
//!
//! # A request's way
//!
//! Every request goes the same way (`answerer.rs`):
//!
//! 1. **Target**: the path's route (an endpoint, or what is open to all), and the query, both
//!    read once (`target.rs`, over [`request`]).
//! 2. **Admission**: path, method, key, limits of load, in this order (`guard`). Nothing has
//!    looked at the data yet.
//! 3. **Parameters**: of an endpoint, checked in the order of its row (`endpoints`); they give
//!    the canonical text. With the data's version and the day it makes the entity tag.
//!    `If-None-Match` is looked at here, and the cache of responses.
//! 4. **Draft**: the endpoint's handler, `fn(&Lookup, &mut Draft)`, reads the data (`data`) and
//!    fills the draft of the response ([`response`]): the body, and what the body has no place
//!    for. What is open to all fills one too (`open`), and so does an error (`error.rs`).
//! 5. **Packing**, then the response: `Draft::finish` alone
//!    writes headers, and `guard/cors.rs` those for other origins.
//!
//! [`described`] makes the descriptions of all that from the same rows.

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
pub use endpoints::{Endpoint, Group, answered_from, check_supplier};
use guard::Guard;
pub use guard::cors::Cors;
use guard::limits::Limits;
pub use guard::limits::{Rates, RefusedCounts, Ticks};
use open::{AboutDocument, Open};
pub use request::Request;
pub use request::parameter::Defaults;
pub use response::cache::CacheFigures;
use response::cache::ResponseCache;
pub use response::receipt::{Clock, Signer};
pub use response::{AuditedLookup, Finding, Headers, Note, Response};
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
    guard: Guard,
    today: Calendar,
    responses: ResponseCache,
    is_audited: bool,
    signer: Option<Signer>,
    defaults: Defaults,
    about: AboutDocument,
    registry_documents: Arc<RegistryDocuments>,
}

impl Api {
    /// An API over `source`, open to the holders of `keys`, without limits of load and without
    /// a cache of responses.
    pub fn new(source: DataSource, keys: KeyRing, today: Calendar) -> Self {
        let data = Data::new(source);
        Self {
            guard: Guard {
                keys,
                is_demonstration: data.is_bundled(),
                limits: Limits::off(Limits::machine_ticks()),
                cors: Cors::Off,
            },
            data,
            today,
            responses: ResponseCache::default(),
            is_audited: false,
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
    pub fn with_cors(mut self, cors: Cors) -> Self {
        self.guard.cors = cors;
        self
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
        self.guard.keys.count()
    }

    /// The keys as operators see them; that of the bundled data counts.
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

    /// The keys that were used since this was last called.
    pub fn used_keys(&self) -> Vec<KeyHash> {
        self.guard.keys.used()
    }

    /// Why the keys could not be read, if they never could be.
    pub fn unread_keys(&self) -> Option<String> {
        self.guard.keys.unread()
    }

    /// The same, with limits that count by the clock `ticks`; none yet.
    pub fn counting_in(mut self, ticks: Ticks) -> Self {
        self.guard.limits = Limits::off(ticks);
        self
    }

    /// Limits the load from now on; the counts of all limits begin anew.
    pub fn set_limits(&self, rates: Rates) {
        self.guard.limits.set(rates);
    }

    /// The same, where requests that do not say otherwise are answered so.
    pub fn with_defaults(self, defaults: Defaults) -> Self {
        Self { defaults, ..self }
    }

    /// How many requests each limit has refused.
    pub fn refused(&self) -> RefusedCounts {
        self.guard.limits.refused()
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
