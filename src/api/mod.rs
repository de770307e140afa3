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
mod reply;
mod request;
mod rnp;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{Date, timestamp};
use crate::render::{self, Format, Root};
use crate::store::{self, DataVersion, Database, KeyRing, Snapshot};

use data::{Data, locked};
pub use data::{DataState, Replacement};
pub use endpoint::Endpoint;
use error::Failure;
use limits::{Limits, Standing};
pub use limits::{Rate, Rates, Refused, Ticks};
use query::{Query, Value};
pub use reply::{Body, Note, Reply};
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
    /// The reply to a request: [`Answerer::answer_in`], in a new buffer.
    pub fn answer(&mut self, request: &Request<'_>) -> Reply {
        self.answer_in(Vec::new(), request)
    }

    /// The reply to a request, its body in `buffer`. A handler that panics, or whose
    /// data cannot be read, is a `server error` in the right format; the next request
    /// finds all as before.
    pub fn answer_in(&mut self, buffer: Vec<u8>, request: &Request<'_>) -> Reply {
        let asked = Asked::of(request);
        let mut note = Note {
            endpoint: asked.endpoint.map(Endpoint::path),
            ..Note::default()
        };
        let mut body = Body::new(buffer);
        let mut standing = None;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            self.try_answer(request, &asked, &mut body, &mut note, &mut standing)
        }));
        let outcome = outcome.unwrap_or_else(|_| Err(Failure::panicked()));
        let (status, mut headers) = match outcome {
            Ok(found) => found,
            Err(failure) => {
                if let Failure::Server(reason) = &failure {
                    note.failure = Some(reason.clone());
                }
                error_reply(&failure, &asked, &mut body, &mut note)
            }
        };
        headers.extend(standing.iter().flat_map(Standing::headers));
        Reply {
            status,
            headers,
            body,
            note,
        }
    }

    fn try_answer(
        &mut self,
        request: &Request<'_>,
        asked: &Asked,
        body: &mut Body,
        note: &mut Note,
        standing: &mut Option<Standing>,
    ) -> Result<(u16, Headers), Failure> {
        let reads = matches!(request.method, "GET" | "HEAD");
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
        let known = |tag: &str| etag::is_named(request.header("If-None-Match"), tag);
        let answer = self.look_up(endpoint, &asked.query, &known, body)?;
        Ok(data_reply(request, answer, body))
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
        let mut body = Body::new(Vec::new());
        match self.look_up(endpoint, &asked.query, &|_| false, &mut body) {
            Ok(_) => Ok(body.to_vec()),
            Err(failure) => {
                if let Failure::Server(reason) = &failure {
                    log::error!("{reason}");
                }
                error_reply(&failure, &asked, &mut body, &mut Note::default());
                Err(body.to_vec())
            }
        }
    }

    /// Writes the answer to `body`, unless `known` is true of its tag.
    fn look_up(
        &mut self,
        endpoint: Endpoint,
        query: &Query,
        known: &dyn Fn(&str) -> bool,
        body: &mut Body,
    ) -> Result<Answer, Failure> {
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
        let today = &self.api.today;
        match endpoint {
            Endpoint::Contracts => contracts::answer(database, query, known, body),
            Endpoint::RnpCheck => rnp::answer(database, query, today, known, body),
            Endpoint::Purchase44 | Endpoint::Purchase223 | Endpoint::Purchase615 => {
                purchase::answer(database, query, endpoint, today, known, body)
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
    fn of(request: &Request<'_>) -> Self {
        let (path, query) = query::split_target(request.target);
        let query = Query::parse(query);
        Self {
            endpoint: Endpoint::of_path(path),
            has_path: match request.method {
                "OPTIONS" => request.target != "*",
                method => method != "CONNECT",
            },
            format: query::readable_format(&query),
            query,
        }
    }
}

/// Headers, in the order they are sent.
type Headers = Vec<(&'static str, Cow<'static, str>)>;

/// An answer with data, beside its body.
struct Answer {
    format: Format,
    version: DataVersion,
    etag: String,
    /// Who asked has it, so that there is no body.
    is_known: bool,
}

impl Answer {
    /// The answer to a request whose parameters, as far as the body depends on them,
    /// are `parts`; `known` tells whether who asked has it by its tag. It can be told
    /// before anything is read, as a tag was only given with an answer there was.
    fn new(
        format: Format,
        version: DataVersion,
        parts: &[&str],
        known: &dyn Fn(&str) -> bool,
    ) -> Self {
        let etag = etag::of(version, format, parts);
        Self {
            format,
            version,
            is_known: known(&etag),
            etag,
        }
    }
}

fn data_reply(request: &Request<'_>, answer: Answer, body: &mut Body) -> (u16, Headers) {
    let is_known = answer.is_known || etag::is_any(request.header("If-None-Match"));
    let mut headers = Vec::with_capacity(8);
    if is_known {
        body.clear();
    } else {
        headers.push(("Content-Type", answer.format.content_type().into()));
    }
    headers.push(("ETag", answer.etag.into()));
    headers.push(("X-Data-Updated", timestamp(answer.version.updated).into()));
    headers.push(("Cache-Control", "private, no-cache".into()));
    (if is_known { 304 } else { 200 }, headers)
}

fn error_reply(
    failure: &Failure,
    asked: &Asked,
    body: &mut Body,
    note: &mut Note,
) -> (u16, Headers) {
    let format = if failure.is_of_format() {
        Format::Xml
    } else {
        asked.format
    };
    let shape = error_shape(asked.endpoint, &asked.query);
    let mut headers: Headers = vec![("Content-Type", format.content_type().into())];
    headers.push(("Cache-Control", "no-store".into()));
    if matches!(failure, Failure::WrongMethod) {
        headers.push(("Allow", "GET, HEAD".into()));
    }
    if let Failure::TooManyRequests(seconds) = failure {
        headers.push(("Retry-After", seconds.to_string().into()));
    }
    let text = failure.text();
    let error = render::ErrorBody {
        root: failure.root(shape),
        code: failure.code(),
        text: &text,
    };
    note.error = Some(
        failure
            .code()
            .map_or_else(|| "error".to_owned(), |code| code.to_string()),
    );
    // A part of an answer may be there, before what could not be read.
    body.clear();
    render::error(body.out(), &error, format);
    (failure.status(asked.endpoint), headers)
}

/// The state of the data that one request is answered from, and which it is.
fn state(database: &mut Database) -> Result<(Snapshot<'_>, DataVersion), Failure> {
    let snapshot = database.snapshot()?;
    let version = snapshot.version()?;
    Ok((snapshot, version))
}

/// The root element of an error there (the contract, "Error bodies").
fn error_shape(endpoint: Option<Endpoint>, query: &Query) -> Root {
    match endpoint {
        None | Some(Endpoint::Contracts | Endpoint::RnpCheck) => Root::Data,
        Some(Endpoint::Purchase44) => Root::Purchase44,
        Some(Endpoint::Purchase615) => Root::Purchase615,
        Some(Endpoint::Purchase223) => match query.get("purchaseNumber") {
            Value::One(number) if is_18_digits(number) => Root::Purchase615,
            _ => Root::Purchase223,
        },
    }
}

fn is_18_digits(text: &str) -> bool {
    text.len() == 18 && text.bytes().all(|byte| byte.is_ascii_digit())
}
