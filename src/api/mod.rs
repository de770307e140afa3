//! Requests to replies, without a socket: the route table, the order of checks,
//! who may ask, and one file an endpoint.
//!
//! [`Api`] is what all workers share; each has an [`Answerer`] with its own
//! connection to the data, which may be replaced as a whole meanwhile (`data`).
//! The order of checks is the contract's: path, method, key, rate limit,
//! parameters, the lookup itself.

mod auth;
mod contracts;
mod data;
mod endpoint;
mod error;
mod etag;
mod limits;
mod purchase;
mod query;
mod rnp;

use std::net::IpAddr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{Date, timestamp};
use crate::render::{self, Format};
use crate::store::{self, DataVersion, Database, KeyRing, Snapshot};

use data::{Data, locked};
pub use data::{DataState, Replacement};
pub use endpoint::Endpoint;
use error::Failure;
use limits::{Limits, Standing};
pub use limits::{Rate, Rates, Refused, Ticks};
use query::{Query, Value};

/// A request, as far as an answer depends on it.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The target: path, and the query after a `?`.
    pub target: String,
    /// Names (in any case) and values of the headers.
    pub headers: Vec<(String, String)>,
    /// Who asks, as far as the transport can tell.
    pub client: Option<IpAddr>,
}

impl Request {
    /// The values of a header, in their order.
    fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = move |(given, _): &&(String, String)| given.eq_ignore_ascii_case(name);
        self.headers
            .iter()
            .filter(named)
            .map(|(_, value)| value.as_str())
    }
}

/// A reply, save what the transport adds (length, connection).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The HTTP status.
    pub status: u16,
    /// The headers, in the order they are sent.
    pub headers: Vec<(&'static str, String)>,
    /// The body; of a HEAD request the one a GET would have.
    pub body: Vec<u8>,
    /// What the access log says of it.
    pub note: Note,
}

/// What the log says of a request: nothing a client could forge, no key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The path, if it is one of the service's.
    pub endpoint: Option<&'static str>,
    /// The code of an error body; `error` for one without a code.
    pub error: Option<String>,
    /// The name of the key.
    pub key_name: Option<Arc<str>>,
    /// Why there is no answer, where the fault is here: for the log alone.
    pub failure: Option<String>,
}

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

/// What all workers share.
pub struct Api {
    data: Data,
    keys: KeyRing,
    today: Calendar,
    limits: Limits,
}

impl Api {
    /// An API over `source`, open to the holders of `keys`, without limits of load.
    pub fn new(source: DataSource, keys: KeyRing, today: Calendar) -> Self {
        Self {
            data: Data::new(source),
            keys,
            today,
            limits: Limits::off(Limits::machine_ticks()),
        }
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
        let place = self.data.add_worker()?;
        Ok(Answerer {
            api: Arc::clone(self),
            place,
        })
    }

    /// Looks whether another file has taken the place of the one that is answered from.
    /// If so it is opened and checked, and answers the requests that come from then on;
    /// those under way end on the old one. A file that cannot be opened or is not whole
    /// as far as a quick look tells is refused, until it changes; that is logged once, and
    /// the old one goes on. To be called twice a second or so, by any thread; it costs
    /// four `stat` where nothing has changed, and never waits for a request.
    pub fn notice_replacement(&self) -> Replacement {
        self.data.notice_replacement()
    }

    /// Which data is answered from, and since when. Any thread may ask at any time; it
    /// reads by a connection that no worker uses.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn data_state(&self) -> store::Result<DataState> {
        self.data.state()
    }
}

/// One that answers requests, one at a time.
pub struct Answerer {
    api: Arc<Api>,
    /// Where each generation of the data has its connection.
    place: usize,
}

impl Answerer {
    /// The reply to a request. A handler that panics, or whose data cannot be
    /// read, is a `server error` in the right format; the next request finds all
    /// as before.
    pub fn answer(&mut self, request: &Request) -> Reply {
        let asked = Asked::of(request);
        let mut note = Note {
            endpoint: asked.endpoint.map(Endpoint::path),
            ..Note::default()
        };
        let mut standing = None;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            self.try_answer(request, &asked, &mut note, &mut standing)
        }));
        let outcome = outcome.unwrap_or_else(|_| Err(Failure::panicked()));
        let mut reply = match outcome {
            Ok(reply) => Reply { note, ..reply },
            Err(failure) => {
                if let Failure::Server(reason) = &failure {
                    note.failure = Some(reason.clone());
                }
                error_reply(&failure, &asked, note)
            }
        };
        reply
            .headers
            .extend(standing.iter().flat_map(Standing::headers));
        reply
    }

    fn try_answer(
        &mut self,
        request: &Request,
        asked: &Asked,
        note: &mut Note,
        standing: &mut Option<Standing>,
    ) -> Result<Reply, Failure> {
        let reads = matches!(request.method.as_str(), "GET" | "HEAD");
        let endpoint = match asked.endpoint {
            Some(endpoint) => endpoint,
            // `OPTIONS *` and `CONNECT host:port` name no path that could be unknown.
            None if !reads && !asked.has_path => return Err(Failure::WrongMethod),
            None => return Err(Failure::UnknownPath),
        };
        if !reads {
            return Err(Failure::WrongMethod);
        }
        let demo = self.api.data.is_bundled();
        let limits = &self.api.limits;
        let key = auth::key_name(request, &asked.query, &self.api.keys, demo);
        let admitted = match &key {
            Ok(key) => limits.admit(endpoint.is_rnp(), key, request.client),
            Err(_) => limits.admit_wrong_key(request.client).map(|()| None),
        };
        note.key_name = key.as_ref().ok().cloned();
        *standing = admitted.unwrap_or_else(|refusal| Some(refusal.standing));
        admitted.map_err(|refusal| Failure::TooManyRequests(refusal.retry_after()))?;
        key?;
        let answer = self.look_up(endpoint, &asked.query)?;
        Ok(data_reply(request, answer))
    }

    /// Answers an endpoint without asking for a key: for whoever has the file.
    ///
    /// # Errors
    /// The error body that the endpoint would answer with.
    pub fn look_up_offline(
        &mut self,
        endpoint: Endpoint,
        parameters: &[(&str, &str)],
    ) -> Result<Vec<u8>, Vec<u8>> {
        let query = Query::of_pairs(parameters);
        let asked = Asked {
            format: query::readable_format(&query),
            endpoint: Some(endpoint),
            has_path: true,
            query,
        };
        self.look_up(endpoint, &asked.query)
            .map(|answer| answer.body)
            .map_err(|failure| {
                if let Failure::Server(reason) = &failure {
                    log::error!("{reason}");
                }
                error_reply(&failure, &asked, Note::default()).body
            })
    }

    fn look_up(&mut self, endpoint: Endpoint, query: &Query) -> Result<Answer, Failure> {
        // Held to the end, so that all of the answer is from one file.
        let generation = self.api.data.current();
        let worker = generation.and_then(|generation| {
            let worker = generation.worker(self.place)?;
            Some((generation, worker))
        });
        let Some((_generation, worker)) = worker else {
            return Err(Failure::Server("no connection to the data".to_owned()));
        };
        let database = &mut *locked(&worker);
        match endpoint {
            Endpoint::Contracts => contracts::answer(database, query),
            Endpoint::RnpCheck => rnp::answer(database, query, &self.api.today),
            Endpoint::Purchase44 | Endpoint::Purchase223 | Endpoint::Purchase615 => {
                purchase::answer(database, query, endpoint, &self.api.today)
            }
        }
    }
}

/// What can be told of a request before anything is checked.
struct Asked {
    endpoint: Option<Endpoint>,
    /// Does the target name a path at all?
    has_path: bool,
    query: Query,
    /// The format to answer an error in: the one asked for, where it can be told.
    format: Format,
}

impl Asked {
    fn of(request: &Request) -> Self {
        let (path, query) = query::split_target(&request.target);
        let query = Query::parse(query);
        Self {
            endpoint: Endpoint::of_path(path),
            has_path: match request.method.as_str() {
                "OPTIONS" => request.target != "*",
                method => method != "CONNECT",
            },
            format: query::readable_format(&query),
            query,
        }
    }
}

/// An answer with data.
struct Answer {
    body: Vec<u8>,
    format: Format,
    version: DataVersion,
    /// What the body is a function of, beside the data.
    etag: String,
}

impl Answer {
    /// The answer `body` to a request whose parameters, as far as the body
    /// depends on them, are `parts`.
    fn new(body: Vec<u8>, format: Format, version: DataVersion, parts: &[&str]) -> Self {
        Self {
            body,
            format,
            version,
            etag: etag::of(version, format, parts),
        }
    }
}

fn data_reply(request: &Request, answer: Answer) -> Reply {
    let mut headers = vec![
        ("ETag", answer.etag.clone()),
        ("X-Data-Updated", timestamp(answer.version.updated)),
        ("Cache-Control", "private, no-cache".to_owned()),
    ];
    if etag::matches(request.header("If-None-Match"), &answer.etag) {
        return Reply {
            status: 304,
            headers,
            body: Vec::new(),
            note: Note::default(),
        };
    }
    headers.insert(0, ("Content-Type", answer.format.content_type().to_owned()));
    Reply {
        status: 200,
        headers,
        body: answer.body,
        note: Note::default(),
    }
}

fn error_reply(failure: &Failure, asked: &Asked, mut note: Note) -> Reply {
    let format = if failure.is_of_format() {
        Format::Xml
    } else {
        asked.format
    };
    let shape = error_shape(asked.endpoint, &asked.query);
    let mut headers = vec![("Content-Type", format.content_type().to_owned())];
    headers.push(("Cache-Control", "no-store".to_owned()));
    if matches!(failure, Failure::WrongMethod) {
        headers.push(("Allow", "GET, HEAD".to_owned()));
    }
    if let Failure::TooManyRequests(seconds) = failure {
        headers.push(("Retry-After", seconds.to_string()));
    }
    let text = failure.text();
    let body = render::ErrorBody {
        root: failure.root(shape),
        code: failure.code(),
        text: &text,
    };
    note.error = Some(
        failure
            .code()
            .map_or_else(|| "error".to_owned(), |code| code.to_string()),
    );
    Reply {
        status: failure.status(asked.endpoint),
        headers,
        body: render::error(&body, format),
        note,
    }
}

/// The state of the data that one request is answered from, and which it is.
fn state(database: &mut Database) -> Result<(Snapshot<'_>, DataVersion), Failure> {
    let snapshot = database.snapshot()?;
    let version = snapshot.version()?;
    Ok((snapshot, version))
}

/// The root element of an error there (the contract, "Error bodies").
fn error_shape(endpoint: Option<Endpoint>, query: &Query) -> &'static str {
    match endpoint {
        None | Some(Endpoint::Contracts | Endpoint::RnpCheck) => "data",
        Some(Endpoint::Purchase44) => "Purchase44",
        Some(Endpoint::Purchase615) => "Purchase615",
        Some(Endpoint::Purchase223) => match query.get("purchaseNumber") {
            Value::One(number) if is_18_digits(number) => "Purchase615",
            _ => "Purchase223",
        },
    }
}

fn is_18_digits(text: &str) -> bool {
    text.len() == 18 && text.bytes().all(|byte| byte.is_ascii_digit())
}
