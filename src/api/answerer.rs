//! Turns requests into responses. Endpoints, resources without a key and preflights all follow the
//! same steps.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use percent_encoding::percent_decode_str;

use super::conditions::Conditions;
use super::endpoints::Endpoint;
use super::error::{Checked, ErrorKind, Failure};
use super::guard::keys;
use super::guard::{Admission, Admitted};
use super::inquiry::Inquiry;
use super::open::static_file::Representation;
use super::open::{self, About, Open};
use super::request::Request;
use super::request::parameter_table::SUPPLIER_INN;
use super::request::query::Query;
use super::request::reader::SharedParameters;
use super::response::answered::AnswerBody;
use super::response::etag::{EntityTag, IfNoneMatch};
use super::response::file_body::LargeBody;
use super::response::head::ReplyHead;
use super::response::large::Turn;
use super::response::packing::Packer;
use super::response::places::Place;
use super::response::signing_key::PEM;
use super::response::{AuditedLookup, LookupResult, Note, Quota, Reply, Response};
use super::status::Status;
use super::target::{Route, Target};
use super::{Api, error_detail};
use crate::render::Format;
use crate::store;
use crate::web;

pub struct Answerer {
    api: Arc<Api>,
    /// Index of this worker's connection. It is the same in every generation of the data.
    worker: usize,
    packer: Packer,
}

/// Text of `X-Error-Detail` when the lookup could not be written to the audit trail.
const UNRECORDED: &str =
    "the lookup could not be recorded in the audit trail, so it is not answered; try again later";

impl Answerer {
    pub(super) fn new(api: &Arc<Api>) -> store::Result<Self> {
        let worker = api.data.add_worker()?;
        Ok(Self {
            api: Arc::clone(api),
            worker,
            packer: Packer::default(),
        })
    }

    /// Answers a request at once: a large answer does not wait for its turn.
    pub fn answer(&mut self, request: &Request<'_>) -> Response {
        self.attempt(Vec::new(), request, &Turn::now()).0
    }

    /// Answers a request, reusing `buffer` for the body. If a handler panics or the data is
    /// unreadable, the response is a `server error` in the requested format; the answerer stays
    /// usable.
    ///
    /// # Errors
    /// Returns a [`Place`] if the answer is large and has to wait for its turn. The caller must
    /// pass the same request in again, with that place.
    pub fn answer_in_turn(
        &mut self,
        buffer: Vec<u8>,
        request: &Request<'_>,
        turn: Turn<'_>,
    ) -> Result<Response, Place> {
        let (response, quota) = self.attempt(buffer, request, &turn);
        turn.waiting(quota).map_or(Ok(response), Err)
    }

    /// Makes one attempt at an answer. If `turn` now holds a place, the request has to wait and the
    /// response is meaningless. Also returns the quota, which the place keeps for the next attempt.
    fn attempt(
        &mut self,
        mut buffer: Vec<u8>,
        request: &Request<'_>,
        turn: &Turn<'_>,
    ) -> (Response, Option<Quota>) {
        buffer.clear();
        let target = Target::read(request);
        let admission = guarded(|| Ok(self.api.guard.admit(request, &target, turn)));
        let admission = admission.unwrap_or_else(Admission::refused);
        let mut note = Note {
            endpoint: target.label(),
            key_name: admission.key_name.clone(),
            ..Note::default()
        };
        let key = admission.key_name.as_ref();
        let replied = admission.admitted.and_then(|admitted| match admitted {
            Admitted::Preflight => Ok(preflight()),
            Admitted::Open(open) => guarded(|| self.show(open, request, &target, &mut buffer)),
            Admitted::Endpoint(_) if turn.is_abandoned() => Ok(Reply {
                head: ReplyHead::default(),
                body: AnswerBody::Large(LargeBody::Abandoned),
            }),
            Admitted::Endpoint(endpoint) => {
                let (replied, audited) =
                    self.look_up(endpoint, request, &target.query, turn, key, &mut buffer);
                note.lookup = audited;
                replied
            }
        });
        let mut reply = replied.unwrap_or_else(|failure| {
            note.fail(&failure);
            failed(&failure, &target, buffer)
        });
        reply.head.quota = admission.quota;
        let response = self.finish(request, &target, reply, note);
        (response, admission.quota)
    }

    /// Builds the 503 that replaces a response whose audit line could not be written. `note` is the
    /// note of the replaced response.
    pub fn unrecorded(&self, request: &Request<'_>, mut note: Note) -> Response {
        let target = Target::read(request);
        let failure = Failure::unavailable("the audit trail cannot be written");
        note.fail(&failure);
        let mut reply = failed(&failure, &target, Vec::new());
        reply.head.detail = Some(UNRECORDED.to_owned());
        self.finish(request, &target, reply, note)
    }

    /// Answers a request to an endpoint without a server. No key is needed, because the caller can
    /// read the database file anyway.
    ///
    /// # Errors
    /// Returns the error body of the endpoint.
    pub fn look_up_offline(
        &mut self,
        endpoint: &'static Endpoint,
        parameters: &[(&str, &str)],
    ) -> Result<Vec<u8>, Vec<u8>> {
        let target = Target::offline(endpoint, parameters);
        let found = self.find_offline(endpoint, &target);
        found.map(|(body, _)| body).map_err(|failure| {
            let mut body = Vec::new();
            let root = target.error_root();
            let format = error_format(&failure, &target.query);
            failure.write(root, format, target.language.unwrap_or_default(), &mut body);
            body
        })
    }

    /// Like [`Answerer::look_up_offline`], but for callers without access to headers. The second
    /// value states the verdict and its basis in a sentence, on success or failure, if a response
    /// would have headers for them.
    ///
    /// # Errors
    /// Returns the text of `X-Error-Detail`, or the text of the error if there is no such header.
    pub fn ask_offline(
        &mut self,
        endpoint: &'static Endpoint,
        parameters: &[(&str, &str)],
    ) -> (Result<Vec<u8>, String>, Option<String>) {
        let target = Target::offline(endpoint, parameters);
        match self.find_offline(endpoint, &target) {
            Ok((body, checked)) => (Ok(body), checked.map(|checked| checked.sentence())),
            Err(failure) => {
                let detail = error_detail::of(&failure, &target);
                let detail = detail.unwrap_or_else(|| failure.text().into_owned());
                (
                    Err(detail),
                    failure.checked().map(|checked| checked.sentence()),
                )
            }
        }
    }

    fn find_offline(
        &mut self,
        endpoint: &'static Endpoint,
        target: &Target<'_>,
    ) -> Result<(Vec<u8>, Option<Checked>), Failure> {
        let mut buffer = Vec::new();
        let (conditions, turn) = (Conditions::default(), Turn::now());
        let asked = endpoint.read(&target.query, self.api.defaults, (self.api.now)());
        let found = asked.and_then(|asked| {
            let inquiry = Inquiry::new(&self.api, endpoint, &asked, &conditions, &turn, None);
            let found = inquiry.answer(self.worker, &mut self.packer, &mut buffer)?;
            let checked = found.checked();
            Ok((found.body().into_bytes()?, checked))
        });
        found.inspect_err(|failure| {
            if failure.kind == ErrorKind::Server {
                log::error!("{}", failure.reason().unwrap_or_default());
            }
        })
    }

    fn finish(
        &self,
        request: &Request<'_>,
        target: &Target<'_>,
        mut reply: Reply,
        note: Note,
    ) -> Response {
        reply.head.ignored = target.ignored_parameters();
        reply.head.is_demonstration = self.api.data.is_bundled();
        let mut response = Response::new(reply, note);
        self.api.guard.cors.allow(request, &mut response);
        response
    }

    /// The [`AuditedLookup`] is `None` if the API is not audited.
    fn look_up(
        &mut self,
        endpoint: &'static Endpoint,
        request: &Request<'_>,
        query: &Query<'_>,
        turn: &Turn<'_>,
        key: Option<&Arc<str>>,
        buffer: &mut Vec<u8>,
    ) -> (Result<Reply, Failure>, Option<AuditedLookup>) {
        let (api, packer) = (&*self.api, &mut self.packer);
        let read = guarded(|| endpoint.read(query, api.defaults, (api.now)()));
        let audited =
            || AuditedLookup::new(endpoint, read.as_ref().ok().map(|asked| &asked.shared));
        let mut audited = api.is_audited.then(audited);
        let mut asked = match read {
            Ok(asked) => asked,
            Err(failure) => return (Err(failure), audited),
        };
        asked.shared.receipt &= api.signer.is_some();
        let mut conditions = Conditions::read(request);
        if asked.shared.receipt {
            // A receipt needs a body, even if the client already has the response.
            conditions.if_none_match = IfNoneMatch::default();
        }
        let inquiry = Inquiry::new(api, endpoint, &asked, &conditions, turn, key);
        let found = guarded(|| inquiry.answer(self.worker, packer, buffer));
        if let Some(lookup) = &mut audited {
            lookup.day = asked.shared.day;
            lookup.result = match &found {
                Ok(found) => found.result().cloned(),
                Err(failure) => result_of(failure),
            };
        }
        let reply = found.map(|found| inquiry.reply(found, query, buffer));
        (reply, audited)
    }

    fn show(
        &mut self,
        resource: Open,
        request: &Request<'_>,
        target: &Target<'_>,
        buffer: &mut Vec<u8>,
    ) -> Result<Reply, Failure> {
        let conditions = Conditions::read(request);
        let mut head = ReplyHead {
            is_page: true,
            cache: Some("no-cache"),
            vary: Some("Accept-Encoding, Accept-Language"),
            ..ReplyHead::default()
        };
        let (content_type, content) = match resource {
            Open::Static(served) => {
                if served.file.is_immutable {
                    // The address changes whenever the content does (RFC 8246).
                    head.cache = Some("public, max-age=31536000, immutable");
                    head.vary = Some("Accept-Encoding");
                }
                let form = served.representation(target.language, conditions.accept);
                let content_type = served.file.content_type;
                return Ok(represented(form, content_type, &conditions, head, buffer));
            }
            Open::About => {
                let document = open::about_body(&self.api.about, self.about(request)?);
                let form = document.representation(conditions.accept);
                return Ok(represented(form, open::JSON, &conditions, head, buffer));
            }
            Open::SigningKey => match &self.api.signer {
                Some(signer) => (PEM, signer.public_key().pem()),
                None => return Err(ErrorKind::UnknownPath.into()),
            },
            Open::Page => {
                let has_user = keys::user(request).is_ok_and(|user| user.is_some());
                self.about(request)?
                    .page(target.language, &target.query, has_user)
            }
        };
        // Only the lookup page and the signing key get here. Their tags are not worth caching: both
        // are short, and the page changes with each import.
        let etag = EntityTag::from_content(content.as_bytes(), conditions.accept).text();
        if conditions.if_none_match.has(&etag) {
            head.status = Status::NotModified;
        } else {
            buffer.extend_from_slice(content.as_bytes());
            head.encoding = self.packer.pack(conditions.accept, buffer)?;
            head.content_type = Some(content_type);
        }
        head.etag = Some(etag);
        Ok(Reply::new(head, buffer))
    }

    /// Describes the service from what is already known about the data. Queries no database server,
    /// because anyone may ask.
    fn about(&self, request: &Request<'_>) -> Result<About, Failure> {
        let data = self.api.data.known(self.worker, request.received)?;
        if !data.is_reachable {
            return Err(Failure::unavailable("no server is reachable"));
        }
        Ok(About {
            demo: self.api.data.is_bundled(),
            updated: data.updated,
            contracts_updated: data.contracts_updated,
            coverage: data.coverage,
            unread: data.unread,
            contracts_without_items: data.contracts_without_items,
            registries: data.registries,
            registry_documents: Arc::clone(&self.api.registry_documents),
            has_receipts: self.api.signer.is_some(),
        })
    }
}

impl Note {
    fn fail(&mut self, failure: &Failure) {
        let code = failure.kind.code().map(|code| code.to_string());
        self.error = Some(code.unwrap_or_else(|| "error".to_owned()));
        if failure.kind == ErrorKind::Server {
            self.failure = failure.reason().map(str::to_owned);
        }
    }
}

impl AuditedLookup {
    /// `shared` is `None` if the parameters are malformed. The result is filled in later.
    fn new(endpoint: &Endpoint, shared: Option<&SharedParameters>) -> Self {
        let mut pairs = shared.into_iter().flat_map(SharedParameters::pairs);
        let given = pairs.find(|(name, _)| *name == SUPPLIER_INN.name);
        let given = given.map(|(_, inns)| percent_decode_str(inns).decode_utf8_lossy());
        let suppliers = given.iter().flat_map(|inns| inns.split(','));
        Self {
            endpoint: endpoint.path,
            query: shared.map(|shared| shared.canonical_query().to_owned()),
            day: None,
            suppliers: suppliers.map(str::to_owned).collect(),
            result: None,
        }
    }
}

/// Runs `step` and turns a panic into an internal failure.
fn guarded<T>(step: impl FnOnce() -> Result<T, Failure>) -> Result<T, Failure> {
    catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| Err(Failure::panicked()))
}

/// Some failures still have a result for the audit trail, such as a verdict.
fn result_of(failure: &Failure) -> Option<LookupResult> {
    match (failure.kind, failure.checked()) {
        (ErrorKind::PurchaseNotFound, _) => Some(LookupResult::Count(0)),
        (_, Some(checked)) => Some(LookupResult::Verdicts([checked.verdict].into())),
        _ => None,
    }
}

fn preflight() -> Reply {
    let head = ReplyHead {
        status: Status::NoContent,
        cache: Some("no-store"),
        ..ReplyHead::default()
    };
    Reply::new(head, &mut Vec::new())
}

/// XML if the `format` parameter itself is wrong, otherwise as in [`Query::error_format`].
fn error_format(failure: &Failure, query: &Query<'_>) -> Format {
    if failure.is_of_format() {
        Format::Xml
    } else {
        query.error_format()
    }
}

/// Builds the error reply, reusing `buffer` for the body. If the lookup page fails, the body is an
/// HTML page.
fn failed(failure: &Failure, target: &Target<'_>, mut buffer: Vec<u8>) -> Reply {
    buffer.clear();
    let endpoint = target.endpoint();
    debug_assert!(
        endpoint.is_none_or(|endpoint| endpoint.has(failure.kind)),
        "{failure:?} is not in Endpoint::errors"
    );
    let has_statuses = endpoint.is_some_and(|endpoint| endpoint.answers_statuses(&target.query));
    let language = target.language.unwrap_or_default();
    let format = error_format(failure, &target.query);
    let mut head = ReplyHead {
        status: failure.status(has_statuses),
        content_type: Some(format.content_type()),
        cache: Some("no-store"),
        checked: failure.checked(),
        wait: failure.retry_after(),
        detail: error_detail::of(failure, target),
        ..ReplyHead::default()
    };
    if matches!(target.route, Route::Open(Open::Page)) && failure.kind == ErrorKind::Unavailable {
        buffer.extend_from_slice(web::unavailable(language).as_bytes());
        head.content_type = Some(open::HTML);
        head.is_page = true;
    } else {
        failure.write(target.error_root(), format, language, &mut buffer);
    }
    Reply::new(head, &mut buffer)
}

/// Replies with a prepared representation, or with a 304 if the client already has it. `head`
/// provides all other headers.
fn represented(
    form: &Representation,
    content_type: &'static str,
    conditions: &Conditions<'_>,
    mut head: ReplyHead,
    buffer: &mut Vec<u8>,
) -> Reply {
    head.etag = Some(form.etag.clone());
    if conditions.if_none_match.has(&form.etag) {
        head.status = Status::NotModified;
    } else {
        buffer.extend_from_slice(&form.body);
        head.encoding = form.encoding;
        head.content_type = Some(content_type);
    }
    Reply::new(head, buffer)
}
