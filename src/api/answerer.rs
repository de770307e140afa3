//! One that answers: the order of checks, and how an answer comes about.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use super::answer::{Answer, Terms, error_reply};
use super::asked::{Asked, Place};
use super::data::{Worker, locked};
use super::encoding::{Encoding, Packer, Wanted};
use super::endpoint::Endpoint;
use super::error::Failure;
use super::etag::{self, Tag};
use super::limits::Standing;
use super::open::{self, About, Open};
use super::query::Query;
use super::question::Question;
use super::receipt::Receipt;
use super::reply::{Headers, Note, Reply};
use super::request::Request;
use super::{Api, auth};
use crate::store;

/// One that answers requests, one at a time.
pub struct Answerer {
    api: Arc<Api>,
    /// Where each generation of the data has its connection.
    place: usize,
    packer: Packer,
}

impl Answerer {
    /// One with a connection of its own.
    pub(super) fn new(api: &Arc<Api>) -> store::Result<Self> {
        let place = api.data.add_worker()?;
        Ok(Self {
            api: Arc::clone(api),
            place,
            packer: Packer::default(),
        })
    }

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
            endpoint: asked.label(),
            ..Note::default()
        };
        let mut body = buffer;
        body.clear();
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
        body: &mut Vec<u8>,
        note: &mut Note,
        standing: &mut Option<Standing>,
    ) -> Result<(u16, Headers), Failure> {
        let reads = matches!(request.method, "GET" | "HEAD");
        let endpoint = match asked.place {
            // What names no path names none that could be unknown.
            Place::NoPath if !reads => return Err(Failure::WrongMethod),
            Place::NoPath | Place::Unknown => return Err(Failure::UnknownPath),
            _ if !reads => return Err(Failure::WrongMethod),
            Place::Open(open) => {
                if let Err(refusal) = self.api.limits.admit_open(request.client) {
                    *standing = Some(refusal.standing);
                    return Err(Failure::TooManyRequests(refusal.retry_after()));
                }
                return self.show(open, request, &asked.query, body);
            }
            Place::Endpoint(endpoint) => endpoint,
        };
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
            receipt: false,
        };
        let answer = self.look_up(endpoint, &asked.query, terms, body)?;
        Ok(answer.reply(request, body))
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
        let (body, _) = self.answer_offline(endpoint, Query::of_pairs(parameters), false)?;
        Ok(body)
    }

    /// The same with the receipt of the answer.
    ///
    /// # Errors
    /// The error body that the endpoint would answer with.
    pub fn look_up_with_receipt(
        &mut self,
        endpoint: Endpoint,
        parameters: &[(&str, &str)],
    ) -> Result<(Vec<u8>, Receipt), Vec<u8>> {
        self.answer_with_receipt(endpoint, Query::of_pairs(parameters))
    }

    /// The same of a query as it stands in a receipt.
    ///
    /// # Errors
    /// The error body that the endpoint would answer with.
    pub fn look_up_again(
        &mut self,
        endpoint: Endpoint,
        query: &str,
    ) -> Result<(Vec<u8>, Receipt), Vec<u8>> {
        self.answer_with_receipt(endpoint, Query::parse(query))
    }

    fn answer_with_receipt(
        &mut self,
        endpoint: Endpoint,
        query: Query<'_>,
    ) -> Result<(Vec<u8>, Receipt), Vec<u8>> {
        match self.answer_offline(endpoint, query, true)? {
            (body, Some(receipt)) => Ok((body, receipt)),
            // What is asked for a receipt has one.
            (body, None) => Err(body),
        }
    }

    fn answer_offline(
        &mut self,
        endpoint: Endpoint,
        query: Query<'_>,
        receipt: bool,
    ) -> Result<(Vec<u8>, Option<Receipt>), Vec<u8>> {
        let asked = Asked::at(Place::Endpoint(endpoint), query);
        let mut body = Vec::new();
        let terms = Terms {
            wanted: Wanted::default(),
            known: &|_| false,
            receipt,
        };
        match self.look_up(endpoint, &asked.query, terms, &mut body) {
            Ok(answer) => Ok((body, answer.receipt)),
            Err(failure) => {
                if let Failure::Server(reason) = &failure {
                    log::error!("{reason}");
                }
                error_reply(&failure, &asked, &mut body, &mut Note::default());
                Err(body)
            }
        }
    }

    /// Writes the answer to `body`, unless who asks has it. Where it was given before and
    /// nothing has changed since, nothing is read.
    fn look_up(
        &mut self,
        endpoint: Endpoint,
        query: &Query<'_>,
        mut terms: Terms<'_>,
        body: &mut Vec<u8>,
    ) -> Result<Answer, Failure> {
        let format = query.format()?;
        let question = Question::of(endpoint, query, &self.api.today)?;
        terms.receipt |= query.switch("receipt")?;
        // Held to the end, so that all of the answer is from one file.
        let worker = worker(&self.api, self.place)?;
        let database = &*locked(&worker.database);
        let version = database.version();
        let mut answer = Answer::new(format, version, &question, &terms);
        if endpoint == Endpoint::RnpCheck {
            answer.registries = Some(database.registries());
        }
        if answer.is_known {
            return Ok(answer);
        }
        // A receipt is of the bytes before they are packed.
        if !terms.receipt
            && let Some(kept) = self.api.answers.get(answer.tag)
        {
            body.extend_from_slice(&kept.body);
            answer.encoding = kept.encoding;
            return Ok(answer);
        }
        question.answer(database, format, body)?;
        if terms.receipt {
            let day = question.day().unwrap_or_else(&self.api.today);
            answer.receipt = Some(Receipt::of(version, day, endpoint, query, body));
        }
        answer.encoding = self.packer.pack(terms.wanted, body).map_err(broken)?;
        self.api.answers.keep(answer.tag, body, answer.encoding);
        Ok(answer)
    }

    /// Answers with a resource that is open to all.
    fn show(
        &mut self,
        resource: Open,
        request: &Request<'_>,
        query: &Query<'_>,
        body: &mut Vec<u8>,
    ) -> Result<(u16, Headers), Failure> {
        let language = open::language(query, request.header("Accept-Language"));
        let wanted = Wanted::of(request.header("Accept-Encoding"));
        let given = || request.header("If-None-Match");
        let is_known = |etag: &str| etag::is_named(given(), etag) || etag::is_any(given());
        let mut headers = open::headers();
        let (content_type, content) = match resource {
            Open::Static(resource) => {
                let form = resource.representation(language, wanted);
                headers.push(("ETag", form.etag.as_str().into()));
                if is_known(&form.etag) {
                    return Ok((304, headers));
                }
                body.extend_from_slice(&form.body);
                describe(&mut headers, resource.content_type(), form.encoding);
                return Ok((200, headers));
            }
            Open::Page => self.about()?.page(language),
            Open::About => self.about()?.document(),
        };
        // Short, and another with each import: its tag is not worth keeping.
        let etag = Tag::of_content(content.as_bytes(), wanted).text();
        let is_known = is_known(&etag);
        headers.push(("ETag", etag.into()));
        if is_known {
            return Ok((304, headers));
        }
        body.extend_from_slice(content.as_bytes());
        let encoding = self.packer.pack(wanted, body).map_err(broken)?;
        describe(&mut headers, content_type, encoding);
        Ok((200, headers))
    }

    /// What the service is.
    fn about(&self) -> Result<About, Failure> {
        let worker = worker(&self.api, self.place)?;
        let version = locked(&worker.database).version();
        Ok(About {
            demo: self.api.data.is_bundled(),
            updated: version.updated,
            max_registry_age_days: *locked(&self.api.max_registry_age),
        })
    }
}

/// Adds what is said of a body.
fn describe(headers: &mut Headers, content_type: &'static str, encoding: Encoding) {
    headers.push(("Content-Type", content_type.into()));
    let encoding = encoding.name();
    headers.extend(encoding.map(|name| ("Content-Encoding", name.into())));
}

fn worker(api: &Api, place: usize) -> Result<Worker, Failure> {
    let worker = api.data.worker(place);
    worker.ok_or_else(|| Failure::Server("no connection to the data".to_owned()))
}

fn broken(error: std::io::Error) -> Failure {
    Failure::Server(error.to_string())
}
