//! Answers requests: one path leads from the target to the response.

use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::endpoints::{Endpoint, Lookup};
use super::error::{ErrorKind, Failure, MAX_LIMIT};
use super::guard::Admitted;
use super::open::static_file::Representation;
use super::open::{self, About, Open};
use super::request::Request;
use super::request::accept::AcceptEncoding;
use super::request::parameter::Parameters;
use super::request::parameter_table::{FORMAT, LANG};
use super::request::query::Query;
use super::response::draft::Draft;
use super::response::etag::{EntityTag, IfNoneMatch};
use super::response::file_name::file_name;
use super::response::packing::Packer;
use super::response::receipt::{self, Signed};
use super::response::signing_key::PEM;
use super::response::{AuditedLookup, LookupResult, Note, Response};
use super::status::Status;
use super::target::{Route, Target};
use super::{Api, error_detail};
use crate::model::{ContractFilter, ContractOrder, Date, Inn, timestamp};
use crate::render::{Format, RowCount};
use crate::store::{self, DataVersion, Database, Prefetch};
use crate::web;

/// Answers requests, one at a time.
pub struct Answerer {
    api: Arc<Api>,
    /// The index of this worker, and of its connection in each generation of the data.
    worker: usize,
    packer: Packer,
}

/// The client's conditions on a response, and the state of the data that it may rest on.
#[derive(Default)]
struct Conditions<'a> {
    /// The responses that the client has.
    if_none_match: IfNoneMatch<'a>,
    /// The encoding that the client accepts.
    accept: AcceptEncoding,
    /// The time of receipt; none means now.
    received: Option<Instant>,
}

impl<'a> Conditions<'a> {
    fn read(request: &'a Request<'_>) -> Self {
        Self {
            if_none_match: IfNoneMatch::parse(request.header("If-None-Match")),
            accept: AcceptEncoding::parse(request.header("Accept-Encoding")),
            received: request.received,
        }
    }
}

impl Answerer {
    /// Opens an answerer with its own connection.
    pub(super) fn new(api: &Arc<Api>) -> store::Result<Self> {
        let worker = api.data.add_worker()?;
        Ok(Self {
            api: Arc::clone(api),
            worker,
            packer: Packer::default(),
        })
    }

    /// Answers a request in a new buffer; see [`Answerer::answer_in`].
    pub fn answer(&mut self, request: &Request<'_>) -> Response {
        self.answer_in(Vec::new(), request)
    }

    /// Answers a request and writes the body to `buffer`. A panicking handler or unreadable data
    /// gives a `server error` in the requested format. The next request is not affected.
    pub fn answer_in(&mut self, buffer: Vec<u8>, request: &Request<'_>) -> Response {
        let target = Target::read(request);
        let note = Note {
            endpoint: target.label(),
            ..Note::default()
        };
        let mut draft = Draft::new(buffer, note);
        let filled = catch_unwind(AssertUnwindSafe(|| self.fill(request, &target, &mut draft)));
        if let Err(failure) = filled.unwrap_or_else(|_| Err(Failure::panicked())) {
            fail(&failure, &target, &mut draft);
        }
        self.finish(request, &target, draft)
    }

    /// Returns a 503 in the request's format, in place of a response whose audit line could not be
    /// written. `note` is the note of that response.
    pub fn unavailable(&self, request: &Request<'_>, note: Note) -> Response {
        let target = Target::read(request);
        let failure = Failure::unavailable("the audit trail cannot be written");
        let mut draft = Draft::new(Vec::new(), note);
        fail(&failure, &target, &mut draft);
        self.finish(request, &target, draft)
    }

    /// Answers an endpoint without a key, for someone who can read the database file.
    ///
    /// # Errors
    /// The error body of the endpoint.
    pub fn look_up_offline(
        &mut self,
        endpoint: &'static Endpoint,
        parameters: &[(&str, &str)],
    ) -> Result<Vec<u8>, Vec<u8>> {
        let target = Target {
            route: Route::Endpoint(endpoint),
            query: Query::from_pairs(parameters),
            language: None,
        };
        let mut draft = Draft::default();
        let found = endpoint
            .read(&target.query, self.api.defaults, (self.api.today)())
            .and_then(|parameters| {
                self.respond(endpoint, &parameters, &Conditions::default(), &mut draft)?;
                draft.take_body().map_err(broken)
            });
        let failure = match found {
            Ok(body) => return Ok(body),
            Err(failure) => failure,
        };
        if failure.kind == ErrorKind::Server {
            log::error!("{}", failure.reason().unwrap_or_default());
        }
        fail(&failure, &target, &mut draft);
        Err(draft.body)
    }

    /// Admits the request and fills its draft.
    fn fill(
        &mut self,
        request: &Request<'_>,
        target: &Target<'_>,
        draft: &mut Draft,
    ) -> Result<(), Failure> {
        match self.api.guard.admit(request, target, draft)? {
            Admitted::Preflight => {
                draft.status = Status::NoContent;
                draft.cache = Some("no-store");
                Ok(())
            }
            Admitted::Open(open) => self.show(open, request, target, draft),
            Admitted::Endpoint(endpoint) => self.look_up(endpoint, request, &target.query, draft),
        }
    }

    /// Finishes the response with the headers that all responses have.
    fn finish(&self, request: &Request<'_>, target: &Target<'_>, mut draft: Draft) -> Response {
        draft.ignored = target.ignored_parameters();
        draft.is_demonstration = self.api.data.is_bundled();
        let mut response = draft.finish();
        self.api.guard.cors.allow(request, &mut response);
        response
    }

    /// Fills a draft with the answer of an endpoint.
    fn look_up(
        &mut self,
        endpoint: &'static Endpoint,
        request: &Request<'_>,
        query: &Query<'_>,
        draft: &mut Draft,
    ) -> Result<(), Failure> {
        let parameters = endpoint.read(query, self.api.defaults, (self.api.today)());
        if self.api.is_audited {
            let parameters = parameters.as_ref().ok();
            draft.note.lookup = Some(AuditedLookup::new(endpoint, parameters));
        }
        let mut parameters = parameters?;
        parameters.receipt &= self.api.signer.is_some();
        let mut conditions = Conditions::read(request);
        if parameters.receipt {
            // A receipt needs a body, even if the client already has the response.
            conditions.if_none_match = IfNoneMatch::default();
        }
        let found = self.respond(endpoint, &parameters, &conditions, draft);
        if let Some(lookup) = &mut draft.note.lookup {
            lookup.day = endpoint.day(&parameters);
            lookup.result = match &found {
                Ok(found) => found.clone(),
                Err(failure) if failure.kind == ErrorKind::PurchaseNotFound => {
                    Some(LookupResult::Count(0))
                }
                Err(failure) if !failure.kind.row().has_verdict => None,
                Err(_) => {
                    let verdict = draft.checked.map(|checked| checked.verdict);
                    verdict.map(|verdict| LookupResult::Verdicts([verdict].into()))
                }
            };
        }
        let is_in_a_language = parameters.format == Format::Xlsx && !query.has(LANG.name);
        draft.vary = Some(match (query.has(FORMAT.name), is_in_a_language) {
            (true, false) => "Accept-Encoding",
            (true, true) => "Accept-Encoding, Accept-Language",
            (false, false) => "Accept-Encoding, Accept",
            (false, true) => "Accept-Encoding, Accept, Accept-Language",
        });
        found.map(drop)
    }

    /// Fills a draft with the answer to `parameters`, or with a 304 if the client has it. Returns
    /// the result; none if the data was not read.
    fn respond(
        &mut self,
        endpoint: &'static Endpoint,
        parameters: &Parameters<'_>,
        conditions: &Conditions<'_>,
        draft: &mut Draft,
    ) -> Result<Option<LookupResult>, Failure> {
        let (api, packer) = (&*self.api, &mut self.packer);
        let day = endpoint.day(parameters);
        let has = |etag: &str| conditions.if_none_match.has(etag);
        let tag = |version| EntityTag::new(version, parameters, day, conditions.accept);
        // `*` matches any existing response, and a 304 carries the verdict of its 200. Both need
        // the data.
        let needs_reading =
            conditions.if_none_match.is_any() || endpoint.has_verdict || api.is_audited;
        let is_cached = |tag| !parameters.receipt && api.responses.has(tag);
        let suppliers = OnceCell::new();
        let ahead = |database: &Database| {
            let tag = tag(database.version());
            match (!needs_reading && has(&tag.text())) || is_cached(tag) {
                true => Prefetch::Nothing,
                false => prefetch(endpoint, parameters, &suppliers),
            }
        };
        let found = api
            .data
            .answer(self.worker, conditions.received, ahead, |database| {
                draft.restart();
                let version = database.version();
                let tag = tag(version);
                let etag = tag.text();
                if !needs_reading && has(&etag) {
                    return Ok((version, etag, None));
                }
                // A receipt covers the bytes before they are packed.
                if !parameters.receipt
                    && let Some(cached) = api.responses.get(tag)
                {
                    return Ok((version, etag, Some(cached.copy_to(draft))));
                }
                let lookup = Lookup {
                    endpoint,
                    parameters,
                    database,
                };
                let result = (endpoint.handler)(&lookup, draft)?;
                if parameters.receipt {
                    let sha256 = match &draft.body_file {
                        Some(file) => file.sha256().map_err(broken)?,
                        None => receipt::sha256(&draft.body),
                    };
                    draft.receipt = api.receipt(&lookup, &sha256)?;
                }
                let accept = match parameters.format {
                    // A workbook is already packed.
                    Format::Xlsx => conditions.accept.if_required(),
                    _ => conditions.accept,
                };
                draft.encoding = match draft.body_file.take() {
                    Some(file) => {
                        let (file, encoding) = file.packed(accept).map_err(broken)?;
                        draft.body_file = Some(file);
                        encoding
                    }
                    None => packer.pack(accept, &mut draft.body).map_err(broken)?,
                };
                // An answer from data that has moved on is made again and must not be cached.
                if !database.has_moved() {
                    api.responses.insert(tag, draft, &result);
                }
                Ok((version, etag, Some(result)))
            });
        let (version, etag, result) = found?;
        if has(&etag) {
            draft.omit_body();
        } else {
            draft.content_type = Some(parameters.format.content_type());
            if parameters.format.is_table() {
                draft.rows = match &result {
                    Some(LookupResult::Rows(rows)) => Some(*rows),
                    _ => None,
                };
                draft.file = Some(file_of(endpoint, parameters, draft.rows, version));
            }
        }
        draft.etag = Some(etag);
        draft.updated = Some(version.updated);
        draft.cache = Some("private, no-cache");
        Ok(result)
    }

    /// Fills a draft with a resource that needs no key.
    fn show(
        &mut self,
        resource: Open,
        request: &Request<'_>,
        target: &Target<'_>,
        draft: &mut Draft,
    ) -> Result<(), Failure> {
        let conditions = Conditions::read(request);
        draft.is_page = true;
        draft.cache = Some("no-cache");
        draft.vary = Some("Accept-Encoding, Accept-Language");
        let (content_type, content) = match resource {
            Open::Static(served) => {
                if served.file.is_immutable {
                    // The address names the content (RFC 8246).
                    draft.cache = Some("public, max-age=31536000, immutable");
                    draft.vary = Some("Accept-Encoding");
                }
                let form = served.representation(target.language, conditions.accept);
                represent(form, served.file.content_type, &conditions, draft);
                return Ok(());
            }
            Open::About => {
                let document = open::about_body(&self.api.about, self.about()?);
                let form = document.representation(conditions.accept);
                represent(form, open::JSON, &conditions, draft);
                return Ok(());
            }
            Open::SigningKey => match &self.api.signer {
                Some(signer) => (PEM, signer.public_key().pem()),
                None => return Err(ErrorKind::UnknownPath.into()),
            },
            Open::Page => self.about()?.page(target.language, &target.query),
        };
        // The document is short and changes with each import, so its tag is not worth caching.
        let etag = EntityTag::from_content(content.as_bytes(), conditions.accept).text();
        if conditions.if_none_match.has(&etag) {
            draft.omit_body();
        } else {
            draft.body.extend_from_slice(content.as_bytes());
            let packed = self.packer.pack(conditions.accept, &mut draft.body);
            draft.encoding = packed.map_err(broken)?;
            draft.content_type = Some(content_type);
        }
        draft.etag = Some(etag);
        Ok(())
    }

    /// Returns the description of the service. It reads only the known state of the data and
    /// queries no server, because anyone may request it.
    fn about(&self) -> Result<About, Failure> {
        let data = self.api.data.state()?;
        if !data.is_reachable {
            return Err(Failure::unavailable("no server can be reached"));
        }
        Ok(About {
            demo: self.api.data.is_bundled(),
            updated: data.updated,
            coverage: data.coverage,
            unread: data.unread,
            registries: data.registries,
            registry_documents: Arc::clone(&self.api.registry_documents),
            has_receipts: self.api.signer.is_some(),
        })
    }
}

impl Api {
    /// Returns the receipt of a response whose unpacked body has this SHA-256.
    fn receipt(&self, lookup: &Lookup<'_>, sha256: &str) -> Result<Option<String>, Failure> {
        let Some(signer) = &self.signer else {
            return Ok(None);
        };
        let registries = match lookup.endpoint.is_about_rnp() {
            true => Some(lookup.ground()?.to_string()),
            false => None,
        };
        Ok(Some(signer.receipt(&Signed {
            version: lookup.database.version(),
            day: lookup.endpoint.day(lookup.parameters),
            registries: registries.as_deref(),
            request: lookup.parameters.canonical(),
            sha256,
        })))
    }
}

impl AuditedLookup {
    /// Returns a lookup without a result; `parameters` is none if they are malformed.
    fn new(endpoint: &Endpoint, parameters: Option<&Parameters<'_>>) -> Self {
        let suppliers = parameters.into_iter().flat_map(Parameters::suppliers);
        Self {
            endpoint: endpoint.path,
            query: parameters.map(|parameters| parameters.canonical_query().to_owned()),
            day: None,
            suppliers: suppliers.map(str::to_owned).collect(),
            result: None,
        }
    }
}

/// Returns the prefetch of an answer; `suppliers` stores the requested INNs for it.
fn prefetch<'s>(
    endpoint: &Endpoint,
    parameters: &'s Parameters<'_>,
    suppliers: &'s OnceCell<Vec<Inn>>,
) -> Prefetch<'s> {
    if let Some(number) = &parameters.purchase_number {
        return Prefetch::Purchase(number);
    }
    let is_newest = endpoint.is_page
        && parameters.filter == ContractFilter::default()
        && parameters.order == ContractOrder::default()
        // Files are read in parts.
        && parameters.limit() <= MAX_LIMIT;
    match &parameters.inn {
        Some(supplier) if is_newest => Prefetch::Newest {
            supplier,
            skip: parameters.first(),
            limit: parameters.limit(),
        },
        Some(supplier) => Prefetch::Suppliers(std::slice::from_ref(supplier)),
        None => {
            let given = || parameters.inns.iter().filter_map(|inn| Inn::parse(inn));
            match suppliers.get_or_init(|| given().collect()).as_slice() {
                [] => Prefetch::Nothing,
                suppliers => Prefetch::Suppliers(suppliers),
            }
        }
    }
}

/// Returns the name of a file with a table.
fn file_of(
    endpoint: &Endpoint,
    parameters: &Parameters<'_>,
    rows: Option<RowCount>,
    version: DataVersion,
) -> String {
    // The day of the data in Moscow, for answers that depend on no day.
    let updated = timestamp(version.updated.saturating_add(3 * 3600));
    let updated = updated.get(..10).and_then(Date::parse_iso);
    let day = endpoint.day(parameters).or(updated);
    let name = file_name(endpoint.file, parameters, rows, day);
    [&name, ".", parameters.format.name()].concat()
}

/// Replaces an answer in a draft with an error.
fn fail(failure: &Failure, target: &Target<'_>, draft: &mut Draft) {
    let kind = failure.kind;
    let mut note = std::mem::take(&mut draft.note);
    let code = kind.code().map(|code| code.to_string());
    note.error = Some(code.unwrap_or_else(|| "error".to_owned()));
    if kind == ErrorKind::Server {
        note.failure = failure.reason().map(str::to_owned);
    }
    let format = match failure.is_of_format() {
        true => Format::Xml,
        false => target.query.error_format(),
    };
    let endpoint = target.endpoint();
    debug_assert!(
        endpoint.is_none_or(|endpoint| endpoint.has(kind)),
        "{failure:?} is not in Endpoint::errors"
    );
    let has_statuses = endpoint.is_some_and(|endpoint| endpoint.has_statuses(&target.query));
    *draft = Draft {
        status: failure.status(has_statuses),
        content_type: Some(format.content_type()),
        cache: Some("no-store"),
        checked: draft.checked.filter(|_| kind.row().has_verdict),
        wait: failure.retry_after(),
        detail: error_detail::of(failure, target),
        quota: draft.quota,
        ..Draft::new(std::mem::take(&mut draft.body), note)
    };
    let language = target.language.unwrap_or_default();
    if matches!(target.route, Route::Open(Open::Page)) && kind == ErrorKind::Unavailable {
        draft.body = web::unavailable(language).into_bytes();
        draft.content_type = Some(open::HTML);
        draft.is_page = true;
    } else {
        failure.write(target.error_root(), format, language, &mut draft.body);
    }
}

/// Fills a draft with a finished representation.
fn represent(
    form: &Representation,
    content_type: &'static str,
    conditions: &Conditions<'_>,
    draft: &mut Draft,
) {
    draft.etag = Some(form.etag.clone());
    if conditions.if_none_match.has(&form.etag) {
        return draft.omit_body();
    }
    draft.body.extend_from_slice(&form.body);
    draft.encoding = form.encoding;
    draft.content_type = Some(content_type);
}

fn broken(error: std::io::Error) -> Failure {
    Failure::server(error.to_string())
}
