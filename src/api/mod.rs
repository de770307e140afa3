//! Requests to replies, without a socket: the route table, the order of checks,
//! who may ask, and one file an endpoint.
//!
//! [`Api`] is what all workers share; each has an [`Answerer`] with its own
//! connection to the data, which may be replaced as a whole meanwhile (`data`).
//! The order of checks is the contract's: path, method, key, rate limit,
//! parameters, the lookup itself.

mod answer;
mod answer_cache;
mod answerer;
mod asked;
mod auth;
mod contract_filter;
mod contracts;
mod data;
pub mod described;
mod encoding;
mod endpoint;
mod error;
mod etag;
mod limits;
mod open;
mod purchase;
mod query;
mod question;
mod receipt;
mod reply;
mod request;
mod rnp;
mod static_resource;
mod summary;

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use crate::model::Date;
use crate::store::{self, KeyRing};

use answer_cache::AnswerCache;
pub use answer_cache::CacheFigures;
pub use answerer::Answerer;
use data::Data;
pub use data::{DataState, Replacement};
pub use endpoint::Endpoint;
use limits::Limits;
pub use limits::{Rate, Rates, Refused, Ticks};
use open::Open;
pub use receipt::{LONGEST as LONGEST_RECEIPT, Receipt, sha256, sha256_of};
pub use reply::{Headers, Note, Reply};
pub use request::Request;

/// Where the data is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataSource {
    /// The demonstration data in the program; the key `demo` is valid with it.
    Bundled,
    /// A file.
    File(PathBuf),
}

/// What tells today's day in Moscow.
pub type Calendar = Box<dyn Fn() -> Date + Send + Sync>;

/// The names that requests are counted and logged under, where the path is one of the
/// service's.
pub fn labels() -> impl Iterator<Item = &'static str> {
    Endpoint::ALL
        .into_iter()
        .map(Endpoint::path)
        .chain(Open::LABELS)
}

/// What all workers share.
pub struct Api {
    data: Data,
    keys: KeyRing,
    today: Calendar,
    limits: Limits,
    answers: AnswerCache,
    /// In days; see [`Api::set_max_registry_age`].
    max_registry_age: Mutex<Option<u64>>,
}

impl Api {
    /// An API over `source`, open to the holders of `keys`, without limits of load, which
    /// keeps no answers.
    pub fn new(source: DataSource, keys: KeyRing, today: Calendar) -> Self {
        Self {
            data: Data::new(source),
            keys,
            today,
            limits: Limits::off(Limits::machine_ticks()),
            answers: AnswerCache::default(),
            max_registry_age: Mutex::default(),
        }
    }

    /// The same, keeping up to `bytes` of answers to give them again; none where it is 0.
    pub fn keeping_answers(self, bytes: usize) -> Self {
        Self {
            answers: AnswerCache::of(bytes),
            ..self
        }
    }

    /// How the answers do that are kept.
    pub fn cache_figures(&self) -> CacheFigures {
        self.answers.figures()
    }

    /// The same, with limits that count in the time that `ticks` tells; none yet.
    pub fn counting_in(self, ticks: Ticks) -> Self {
        Self {
            limits: Limits::off(ticks),
            ..self
        }
    }

    /// Limits the load from now on, also that of the answerers there are. If a number
    /// is another than before, the counts of all limits begin anew.
    pub fn set_limits(&self, rates: Rates) {
        self.limits.set(rates);
    }

    /// From now on the page says that a registry is out of date which was complete more
    /// than so many days ago; none: any age will do.
    pub fn set_max_registry_age(&self, days: Option<u64>) {
        *data::locked(&self.max_registry_age) = days;
    }

    /// How many requests each limit has refused.
    pub fn refused(&self) -> Refused {
        self.limits.refused()
    }

    /// Reads the keys again now, as their file may not show that it has changed. Keys
    /// that cannot be read change nothing, and the log says so.
    pub fn read_keys_again(&self) {
        self.keys.read_again();
    }

    /// One that answers, with a connection of its own.
    ///
    /// # Errors
    /// The data cannot be opened.
    pub fn answerer(self: &Arc<Self>) -> store::Result<Answerer> {
        Answerer::new(self)
    }

    /// Looks whether another file has taken the place of the one that is answered from.
    /// If so it is opened and checked, and answers the requests that come from then on;
    /// those under way end on the old one. A file that cannot be opened or is not whole
    /// as far as a quick look tells is refused, until it changes; that is logged once, and
    /// the old one goes on. Each request looks; to be called now and then as well, so that
    /// it is noticed where nobody asks. It costs a `stat` where nothing has changed.
    pub fn notice_replacement(&self) -> Replacement {
        self.data.notice_replacement()
    }

    /// Which data is answered from, and since when. Any thread may ask at any time.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn data_state(&self) -> store::Result<DataState> {
        self.data.state()
    }
}
