//! Requests to replies, without a socket: the route table, the order of checks,
//! who may ask, and one file an endpoint.
//!
//! [`Api`] is what all workers share; each has an [`Answerer`] with its own
//! connection to the data, which may be replaced as a whole meanwhile (`data`).
//! The order of checks is the contract's: path, method, key, rate limit,
//! parameters, the lookup itself.

mod answer_cache;
mod auth;
mod contracts;
mod data;
pub mod described;
mod encoding;
mod endpoint;
mod error;
mod etag;
mod limits;
mod purchase;
mod query;
mod question;
mod reply;
mod request;
mod rnp;

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;

use crate::model::{Date, timestamp};
use crate::render::{self, Format, Root};
use crate::store::{self, DataVersion, KeyRing};

use answer_cache::AnswerCache;
pub use answer_cache::CacheFigures;
use data::{Data, locked};
pub use data::{DataState, Replacement};
use encoding::{Encoding, Packer, Wanted};
pub use endpoint::Endpoint;
use error::Failure;
use etag::Tag;
use limits::{Limits, Standing};
pub use limits::{Rate, Rates, Refused, Ticks};
use query::{Query, Value};
use question::Question;
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
    answers: AnswerCache,
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
            packer: Packer::default(),
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
    packer: Packer,
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
        asked: &Asked<'_>,
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
        let terms = Terms {
            wanted: Wanted::of(request.header("Accept-Encoding")),
            known: &|tag| etag::is_named(request.header("If-None-Match"), tag),
        };
        let answer = self.look_up(endpoint, &asked.query, &terms, body)?;
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
        let terms = Terms {
            wanted: Wanted::default(),
            known: &|_| false,
        };
        match self.look_up(endpoint, &asked.query, &terms, &mut body) {
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

    /// Writes the answer to `body`, unless who asks has it. Where it was given before and
    /// nothing has changed since, nothing is read.
    fn look_up(
        &mut self,
        endpoint: Endpoint,
        query: &Query<'_>,
        terms: &Terms<'_>,
        body: &mut Body,
    ) -> Result<Answer, Failure> {
        let format = query.format()?;
        let question = Question::of(endpoint, query, &self.api.today)?;
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
        let answer = Answer::new(format, database.version()?, &question, terms);
        if answer.is_known {
            return Ok(answer);
        }
        if let Some(kept) = self.api.answers.get(answer.tag) {
            body.out().extend_from_slice(&kept.body);
            let encoding = kept.encoding;
            return Ok(Answer { encoding, ..answer });
        }
        let snapshot = database.snapshot()?;
        // Another than a moment ago, if something was committed since.
        let version = snapshot.version()?;
        let answer = if version == answer.version {
            answer
        } else {
            Answer::new(format, version, &question, terms)
        };
        if answer.is_known {
            return Ok(answer);
        }
        question.answer(&snapshot, format, body.out())?;
        drop(snapshot);
        let encoding = self
            .packer
            .pack(terms.wanted, body)
            .map_err(|error| Failure::Server(error.to_string()))?;
        self.api.answers.keep(answer.tag, body, encoding);
        Ok(Answer { encoding, ..answer })
    }
}

/// On what terms an answer is asked for.
struct Terms<'a> {
    wanted: Wanted,
    /// Has who asks the answer with that tag?
    known: &'a dyn Fn(&str) -> bool,
}

/// What can be told of a request before anything is checked.
struct Asked<'a> {
    endpoint: Option<Endpoint>,
    /// Does the target name a path at all?
    has_path: bool,
    query: Query<'a>,
    /// The format to answer an error in: the one asked for, where it can be told.
    format: Format,
}

impl<'a> Asked<'a> {
    fn of(request: &Request<'a>) -> Self {
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
    tag: Tag,
    /// The tag as a client sees it.
    etag: String,
    /// Who asked has it, so that there is no body.
    is_known: bool,
    /// How the body is encoded.
    encoding: Encoding,
}

impl Answer {
    /// The answer to a question, as far as it can be told before anything is read: also
    /// whether who asked has it, as a tag was only given with an answer there was.
    fn new(
        format: Format,
        version: DataVersion,
        question: &Question<'_>,
        terms: &Terms<'_>,
    ) -> Self {
        let tag = Tag::of(version, format, terms.wanted, |parts| question.tell(parts));
        let etag = tag.text();
        Self {
            format,
            version,
            tag,
            is_known: (terms.known)(&etag),
            etag,
            encoding: Encoding::Identity,
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
        let encoding = answer.encoding.name();
        headers.extend(encoding.map(|name| ("Content-Encoding", name.into())));
    }
    headers.push(("ETag", answer.etag.into()));
    headers.push(("X-Data-Updated", timestamp(answer.version.updated).into()));
    headers.push(("Cache-Control", "private, no-cache".into()));
    headers.push(("Vary", "Accept-Encoding".into()));
    (if is_known { 304 } else { 200 }, headers)
}

fn error_reply(
    failure: &Failure,
    asked: &Asked<'_>,
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

/// The root element of an error there (the contract, "Error bodies").
fn error_shape(endpoint: Option<Endpoint>, query: &Query<'_>) -> Root {
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
