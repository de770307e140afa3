//! Answers requests: the order of checks, and how a response comes about.

use std::cell::OnceCell;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::Instant;

use super::endpoints::{Endpoint, Handler, rnp};
use super::error::{Failure, MAX_LIMIT};
use super::guard::cors::Preflight;
use super::guard::keys;
use super::guard::limits::Standing;
use super::open::static_resource::Representation;
use super::open::{self, About, AboutDocument, Open};
use super::request::Request;
use super::request::accept;
use super::request::encoding::{AcceptEncoding, Encoding};
use super::request::parameter::Parameters;
use super::request::parameter_table::{FORMAT, LANG};
use super::request::query::Query;
use super::response::etag::{self, EntityTag};
use super::response::file_name::file_name;
use super::response::packing::Packer;
use super::response::receipt::Signed;
use super::response::signing_key::PEM;
use super::response::workbook;
use super::response::{Finding, Headers, Lookup, Note, Response};
use super::status::Status;
use super::target::{Route, Target};
use super::{Api, error_detail};
use crate::model::{ContractFilter, ContractOrder, Date, Ground, Inn, Verdict, timestamp};
use crate::render::{Body, Format, RowCount};
use crate::store::{self, Database, KeyHolder, Prefetch};
use crate::web;

/// How a client is to authenticate itself (RFC 9110, 11.6.1).
const CHALLENGE: &str = "ApiKey realm=\"procurement-lookup\"";

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

    /// The response to a request: [`Answerer::answer_in`], in a new buffer.
    pub fn answer(&mut self, request: &Request<'_>) -> Response {
        self.answer_in(Vec::new(), request)
    }

    /// The response to a request, its body in `buffer`. A handler that panics, or whose
    /// data cannot be read, is a `server error` in the right format; the next request
    /// finds all as before.
    pub fn answer_in(&mut self, buffer: Vec<u8>, request: &Request<'_>) -> Response {
        let target = Target::read(request);
        let mut body = buffer;
        body.clear();
        let mut note = Note {
            endpoint: target.label(),
            ..Note::default()
        };
        let mut standing = None;
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            self.try_answer(request, &target, &mut body, &mut note, &mut standing)
        }));
        let outcome = outcome.unwrap_or_else(|_| Err(Failure::panicked()));
        let (status, mut headers) = match outcome {
            Ok(found) => found,
            Err(failure) => {
                if let Failure::Server(reason) = &failure {
                    note.failure = Some(reason.clone());
                }
                let (status, mut headers) = error(&failure, &target, &mut body, &mut note);
                let is_page = matches!(target.route, Route::Open(Open::Page));
                if is_page && matches!(failure, Failure::Unavailable(_)) {
                    let accepted = request.header("Accept-Language");
                    let language = accept::language(&target.query, accepted).unwrap_or_default();
                    body = web::unavailable(language).into_bytes();
                    headers.retain(|(name, _)| *name != "Content-Type");
                    headers.push(("Content-Type", open::HTML.into()));
                    headers.extend(open::restrictions());
                }
                (status, headers)
            }
        };
        headers.extend(standing.iter().flat_map(Standing::headers));
        headers.extend(target.ignored_parameters());
        self.response(request, (status, headers), body, note)
    }

    /// The response with these parts, and the headers that all responses have.
    fn response(
        &self,
        request: &Request<'_>,
        (status, mut headers): (Status, Headers),
        body: Vec<u8>,
        note: Note,
    ) -> Response {
        if self.api.data.is_bundled() {
            headers.push(("X-Data", "demonstration".into()));
        }
        self.api.cors.allow(request, &mut headers);
        Response {
            status,
            headers,
            body,
            note,
        }
    }

    /// The response in place of one that may not be sent, as its audit line could not be written:
    /// 503, in the request's format. `note` is that of the other.
    pub fn unavailable(&self, request: &Request<'_>, mut note: Note) -> Response {
        let target = Target::read(request);
        let failure = Failure::Unavailable("the audit trail cannot be written".to_owned());
        let mut body = Vec::new();
        let head = error(&failure, &target, &mut body, &mut note);
        self.response(request, head, body, note)
    }

    fn try_answer(
        &mut self,
        request: &Request<'_>,
        target: &Target<'_>,
        body: &mut Vec<u8>,
        note: &mut Note,
        standing: &mut Option<Standing>,
    ) -> Result<(Status, Headers), Failure> {
        let reads = matches!(request.method, "GET" | "HEAD");
        let preflight = self.api.cors.preflight(request);
        let is_open = matches!(target.route, Route::Open(_)) || preflight.is_some();
        match target.route {
            // What names no path names none that could be unknown.
            Route::NoPath if !reads => return Err(Failure::WrongMethod),
            Route::NoPath | Route::Unknown => return Err(Failure::UnknownPath),
            _ if !reads && preflight.is_none() => return Err(Failure::WrongMethod),
            Route::Open(_) | Route::Endpoint(_) => {}
        }
        if is_open && let Err(refusal) = self.api.limits.admit_open(request.client) {
            *standing = Some(refusal.standing);
            return Err(Failure::TooManyRequests(refusal.retry_after()));
        }
        let endpoint = match (target.route, preflight) {
            (_, Some(Preflight)) => return Ok((Status::NoContent, Preflight::headers())),
            (Route::Open(open), None) => {
                return self.show(open, request, &target.query, body);
            }
            (Route::Endpoint(endpoint), None) => endpoint,
            (Route::Unknown | Route::NoPath, None) => return Err(Failure::UnknownPath),
        };
        self.admit(endpoint, request, target, note, standing)?;
        self.look_up(endpoint, request, &target.query, body, note)
    }

    /// Checks the key and the limits of load.
    fn admit(
        &self,
        endpoint: &Endpoint,
        request: &Request<'_>,
        target: &Target<'_>,
        note: &mut Note,
        standing: &mut Option<Standing>,
    ) -> Result<(), Failure> {
        let demo = self.api.data.is_bundled();
        let key = keys::holder(request, &target.query, &self.api.keys, demo);
        self.admit_key(key, endpoint.is_about_rnp(), request, note, standing)
    }

    /// Checks the limits of load for the holder of a key, or for who has none; then the key.
    fn admit_key(
        &self,
        key: Result<KeyHolder, Failure>,
        is_rnp: bool,
        request: &Request<'_>,
        note: &mut Note,
        standing: &mut Option<Standing>,
    ) -> Result<(), Failure> {
        let limits = &self.api.limits;
        let admitted = match &key {
            Ok(key) => limits.admit(is_rnp, key),
            // It may be a valid one.
            Err(Failure::Unavailable(_)) => Ok(None),
            Err(_) => limits.admit_wrong_key(request.client).map(|()| None),
        };
        note.key_name = key.as_ref().ok().map(|holder| Arc::clone(&holder.name));
        *standing = admitted.unwrap_or_else(|refusal| Some(refusal.standing));
        admitted.map_err(|refusal| Failure::TooManyRequests(refusal.retry_after()))?;
        key.map(drop)
    }

    /// Answers a request to an endpoint: with 304 where the client has the response.
    fn look_up(
        &mut self,
        endpoint: &'static Endpoint,
        request: &Request<'_>,
        query: &Query<'_>,
        body: &mut Vec<u8>,
        note: &mut Note,
    ) -> Result<(Status, Headers), Failure> {
        let today = (self.api.today)();
        let parameters = endpoint.read(query, self.api.defaults(), today);
        if self.api.is_audited {
            note.lookup = Some(Lookup::new(endpoint, parameters.as_ref().ok()));
        }
        let mut parameters = parameters?;
        parameters.receipt &= self.api.signer.is_some();
        let day = endpoint.day(&parameters);
        let accept = AcceptEncoding::parse(request.header("Accept-Encoding"));
        let given = || request.header("If-None-Match");
        // With a receipt there is a body, whatever the client has.
        let is_known = |tag: &str| !parameters.receipt && etag::is_named(given(), tag);
        let wanted = Wanted {
            endpoint,
            parameters: &parameters,
            day,
            accept,
            received: request.received,
        };
        let found = self.respond(&wanted, is_known, body);
        if let Some(lookup) = &mut note.lookup {
            lookup.day = day;
            lookup.finding = finding(&found);
        }
        let found = found?;
        // `*` names the response that there is: it has to be made first.
        let not_modified = found.is_known || (!parameters.receipt && etag::is_any(given()));
        if not_modified {
            body.clear();
        }
        let status = match not_modified {
            true => Status::NotModified,
            false => Status::Ok,
        };
        let mut headers = found.headers(endpoint, &parameters, not_modified);
        let is_in_a_language = parameters.format == Format::Xlsx && !query.has(LANG.name);
        let depends_on = match (query.has(FORMAT.name), is_in_a_language) {
            (true, false) => "Accept-Encoding",
            (true, true) => "Accept-Encoding, Accept-Language",
            (false, false) => "Accept-Encoding, Accept",
            (false, true) => "Accept-Encoding, Accept, Accept-Language",
        };
        headers.push(("Vary", depends_on.into()));
        Ok((status, headers))
    }

    /// Writes the response to `body`, unless the client has it.
    fn respond(
        &mut self,
        wanted: &Wanted<'_>,
        is_known: impl Fn(&str) -> bool,
        body: &mut Vec<u8>,
    ) -> Result<Found, Failure> {
        let (api, packer) = (&*self.api, &mut self.packer);
        let suppliers = OnceCell::new();
        let ahead = |database: &Database| {
            let tag = wanted.tag(database.version());
            match is_known(&tag.text()) || (!wanted.parameters.receipt && api.responses.has(tag)) {
                true => Prefetch::Nothing,
                false => wanted.ahead(&suppliers),
            }
        };
        api.data
            .answer(self.place, wanted.received, ahead, |database| {
                // A part of a response may be there, from data that has moved on.
                body.clear();
                wanted.respond(api, packer, database, &is_known, body)
            })
    }

    /// The response of an endpoint without a key: for the holder of the file.
    ///
    /// # Errors
    /// The error body that the endpoint would answer with.
    pub fn look_up_offline(
        &mut self,
        endpoint: &'static Endpoint,
        parameters: &[(&str, &str)],
    ) -> Result<Vec<u8>, Vec<u8>> {
        let target = Target::new(Route::Endpoint(endpoint), Query::from_pairs(parameters));
        let mut body = Vec::new();
        let found = endpoint
            .read(&target.query, self.api.defaults(), (self.api.today)())
            .and_then(|parameters| {
                let wanted = Wanted {
                    endpoint,
                    parameters: &parameters,
                    day: endpoint.day(&parameters),
                    accept: AcceptEncoding::default(),
                    received: None,
                };
                self.respond(&wanted, |_| false, &mut body)
            });
        let Err(failure) = found else {
            return Ok(body);
        };
        if let Failure::Server(reason) = &failure {
            log::error!("{reason}");
        }
        error(&failure, &target, &mut body, &mut Note::default());
        Err(body)
    }

    /// Answers with a resource that is open to all.
    fn show(
        &mut self,
        resource: Open,
        request: &Request<'_>,
        query: &Query<'_>,
        body: &mut Vec<u8>,
    ) -> Result<(Status, Headers), Failure> {
        let language = accept::language(query, request.header("Accept-Language"));
        let accept = AcceptEncoding::parse(request.header("Accept-Encoding"));
        let given = || request.header("If-None-Match");
        let is_known = |etag: &str| etag::is_named(given(), etag) || etag::is_any(given());
        let mut headers = open::headers(resource);
        let (content_type, content) = match resource {
            Open::Static(resource) => {
                let form = resource.representation(language, accept);
                return Ok(represent(
                    form,
                    resource.content_type(),
                    is_known,
                    headers,
                    body,
                ));
            }
            Open::About => {
                let document = self.api.about.body(self.about()?);
                let form = document.representation(accept);
                return Ok(represent(
                    form,
                    AboutDocument::CONTENT_TYPE,
                    is_known,
                    headers,
                    body,
                ));
            }
            Open::SigningKey => match &self.api.signer {
                Some(signer) => (PEM, signer.public_key().pem()),
                None => return Err(Failure::UnknownPath),
            },
            Open::Page => self.about()?.page(language, query),
        };
        // Short, and another with each import: its tag is not worth caching.
        let etag = EntityTag::of_content(content.as_bytes(), accept).text();
        let is_known = is_known(&etag);
        headers.push(("ETag", etag.into()));
        if is_known {
            return Ok((Status::NotModified, headers));
        }
        body.extend_from_slice(content.as_bytes());
        let encoding = self.packer.pack(accept, body).map_err(broken)?;
        describe(&mut headers, content_type, encoding);
        Ok((Status::Ok, headers))
    }

    /// What the service is. No server is asked for it: it needs no key, and must not cost one.
    fn about(&self) -> Result<About, Failure> {
        let data = self.api.data.state()?;
        if !data.is_reachable {
            return Err(Failure::Unavailable("no server can be reached".to_owned()));
        }
        Ok(About {
            demo: self.api.data.is_bundled(),
            updated: data.updated,
            coverage: data.coverage,
            registries: data.registries,
            registry_documents: Arc::clone(&self.api.registry_documents),
            has_receipts: self.api.signer.is_some(),
        })
    }
}

/// What an endpoint is asked for.
struct Wanted<'a> {
    endpoint: &'static Endpoint,
    parameters: &'a Parameters<'a>,
    day: Option<Date>,
    accept: AcceptEncoding,
    /// When the request had been received; none: now.
    received: Option<Instant>,
}

impl Wanted<'_> {
    fn tag(&self, version: store::DataVersion) -> EntityTag {
        EntityTag::new(version, self.parameters, self.day, self.accept)
    }

    /// What the response reads first; `suppliers` is where they are stored for it.
    fn ahead<'s>(&'s self, suppliers: &'s OnceCell<Vec<Inn>>) -> Prefetch<'s> {
        let parameters = self.parameters;
        if let Some(number) = &parameters.purchase_number {
            return Prefetch::Purchase(number);
        }
        let is_newest = self.endpoint == Endpoint::CONTRACTS
            && parameters.filter == ContractFilter::default()
            && parameters.order == ContractOrder::default()
            // A file is read in parts.
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

    /// Writes the response to `body`, unless the client has it. Where it was sent before and
    /// nothing has changed since, nothing is read.
    fn respond(
        &self,
        api: &Api,
        packer: &mut Packer,
        database: &Database,
        is_known: impl Fn(&str) -> bool,
        body: &mut Vec<u8>,
    ) -> Result<Found, Failure> {
        let version = database.version();
        let tag = self.tag(version);
        let ground = |day| rnp::ground(self.parameters, day, database);
        let etag = tag.text();
        let mut found = Found {
            version,
            is_known: is_known(&etag),
            etag,
            encoding: Encoding::Identity,
            day: self.day,
            ground: self.day.filter(|_| self.endpoint.has_verdict).map(ground),
            receipt: None,
            finding: None,
        };
        if found.is_known && !api.is_audited {
            return Ok(found);
        }
        // A receipt is of the bytes before they are packed.
        if !self.parameters.receipt
            && let Some(cached) = api.responses.get(tag)
        {
            body.extend_from_slice(&cached.body);
            found.encoding = cached.encoding;
            found.finding = Some(cached.finding);
            return Ok(found);
        }
        self.make(api, packer, database, &mut found, body)?;
        // What the data has moved on from is not to be kept: it is made once more.
        if !database.has_moved()
            && let Some(finding) = &found.finding
        {
            api.responses.insert(tag, body, found.encoding, finding);
        }
        Ok(found)
    }

    /// Reads what is wanted, and writes it to `body`, packed.
    fn make(
        &self,
        api: &Api,
        packer: &mut Packer,
        database: &Database,
        found: &mut Found,
        body: &mut Vec<u8>,
    ) -> Result<(), Failure> {
        let Self {
            endpoint,
            parameters,
            day,
            mut accept,
            ..
        } = *self;
        let on = || day.unwrap_or(parameters.today);
        let to = &mut Body {
            out: body,
            format: parameters.format,
            workbook: &|| workbook::of_answer(endpoint.subject(day), parameters, database),
        };
        let finding = match endpoint.handler {
            Handler::OfAnyDay(write) => write(parameters, database, to)?,
            Handler::OfDay(write) => write(parameters, on(), database, to)?,
        };
        // A workbook is packed already.
        if parameters.format == Format::Xlsx {
            accept = accept.if_required();
        }
        if parameters.receipt
            && let Some(signer) = &api.signer
        {
            let ground = |day| rnp::ground(parameters, day, database).to_string();
            let registries = day.filter(|_| endpoint.is_about_rnp()).map(ground);
            found.receipt = Some(signer.receipt(&Signed {
                version: found.version,
                day,
                registries: registries.as_deref(),
                request: parameters.canonical(),
                body,
            }));
        }
        found.encoding = packer.pack(accept, body).map_err(broken)?;
        found.finding = Some(finding);
        Ok(())
    }
}

/// A response with data, beside its body.
struct Found {
    version: store::DataVersion,
    /// The tag as a client sees it.
    etag: String,
    /// The client has it, so that there is no body.
    is_known: bool,
    encoding: Encoding,
    /// The day that it is about, where it depends on one.
    day: Option<Date>,
    /// The ground of the verdict, where headers say it.
    ground: Option<Ground>,
    /// The value of `X-Receipt`.
    receipt: Option<String>,
    /// What it says, in short; none where it was not read, as the client has it.
    finding: Option<Finding>,
}

impl Lookup {
    /// One that has found nothing yet; `parameters` is none where they cannot be read.
    fn new(endpoint: &Endpoint, parameters: Option<&Parameters<'_>>) -> Self {
        let suppliers = parameters.into_iter().flat_map(Parameters::suppliers);
        Self {
            endpoint: endpoint.path,
            query: parameters.map(|parameters| parameters.canonical_query().to_owned()),
            day: None,
            suppliers: suppliers.map(str::to_owned).collect(),
            finding: None,
        }
    }
}

/// What a lookup found, also where an error says that.
fn finding(found: &Result<Found, Failure>) -> Option<Finding> {
    match found {
        Ok(found) => found.finding.clone(),
        Err(Failure::PurchaseNotFound) => Some(Finding::Count(0)),
        Err(failure) if let Some(checked) = failure.checked() => {
            Some(Finding::Verdicts([checked.verdict].into()))
        }
        Err(_) => None,
    }
}

impl Found {
    fn headers(
        self,
        endpoint: &Endpoint,
        parameters: &Parameters<'_>,
        not_modified: bool,
    ) -> Headers {
        let mut headers = Vec::with_capacity(8);
        if !not_modified {
            describe(
                &mut headers,
                parameters.format.content_type(),
                self.encoding,
            );
            if parameters.format.is_table() {
                let count = match &self.finding {
                    Some(Finding::Rows(count)) => Some(*count),
                    _ => None,
                };
                headers.extend(count.iter().flat_map(count_headers));
                // Where it is of any day, that of the data, in Moscow.
                let updated = timestamp(self.version.updated.saturating_add(3 * 3600));
                let updated = updated.get(..10).and_then(Date::parse_iso);
                let day = self.day.or(updated);
                let name = file_name(endpoint.file, parameters, count, day);
                let ending = parameters.format.name();
                let value = ["attachment; filename=\"", &name, ".", ending, "\""].concat();
                headers.push(("Content-Disposition", value.into()));
            }
        }
        headers.push(("ETag", self.etag.into()));
        headers.push(("X-Data-Updated", timestamp(self.version.updated).into()));
        // Tables have no place for it.
        if parameters.format.is_table()
            && let Some(Finding::Changes(_, next)) = &self.finding
        {
            headers.push(("X-Next", next.to_string().into()));
        }
        if let Some(ground) = self.ground {
            let verdict = match &self.finding {
                Some(Finding::Verdicts(verdicts)) => verdicts.first().copied(),
                _ => None,
            };
            headers.extend(verdict_headers(&ground, verdict));
        }
        headers.push(("Cache-Control", "private, no-cache".into()));
        headers.extend(self.receipt.map(|receipt| ("X-Receipt", receipt.into())));
        headers
    }
}

/// The headers that say how many rows a file has, and how many were found.
fn count_headers(count: &RowCount) -> Headers {
    vec![
        ("X-Row-Count", count.rows.to_string().into()),
        ("X-Total-Count", count.total.to_string().into()),
    ]
}

/// The headers that say the ground of a verdict on one supplier, and the verdict; none where
/// it was not read, as the client has the response.
fn verdict_headers(ground: &Ground, verdict: Option<Verdict>) -> Headers {
    let verdict = verdict.map(|verdict| ("X-RNP-Verdict", verdict.code().into()));
    // As long as three complete registries are.
    let mut registries = String::with_capacity(74);
    // A text takes all that it is given.
    let _ = write!(registries, "{ground}");
    let registries = ("X-Registries", registries.into());
    [registries].into_iter().chain(verdict).collect()
}

/// Status and headers of an error, and its body.
fn error(
    failure: &Failure,
    target: &Target<'_>,
    body: &mut Vec<u8>,
    note: &mut Note,
) -> (Status, Headers) {
    let format = if failure.is_of_format() {
        Format::Xml
    } else {
        target.error_format
    };
    let mut headers: Headers = vec![("Content-Type", format.content_type().into())];
    headers.push(("Cache-Control", "no-store".into()));
    if matches!(failure, Failure::WrongMethod) {
        headers.push(("Allow", "GET, HEAD".into()));
    }
    if let Some(checked) = failure.checked() {
        headers.extend(verdict_headers(&checked.ground, Some(checked.verdict)));
    }
    let wait = failure.retry_after();
    headers.extend(wait.map(|seconds| ("Retry-After", seconds.to_string().into())));
    let row = failure.row();
    let code = row.code.map(|code| code.to_string());
    note.error = Some(code.unwrap_or_else(|| "error".to_owned()));
    let endpoint = target.endpoint();
    let has_statuses = endpoint.is_some_and(|endpoint| endpoint.has_statuses(&target.query));
    let status = row.status(has_statuses);
    if status == Status::Unauthorized {
        headers.push(("WWW-Authenticate", CHALLENGE.into()));
    }
    let detail = error_detail::of(failure, target);
    headers.extend(detail.map(|detail| ("X-Error-Detail", detail.into())));
    // A part of a response may be there, before what could not be read.
    body.clear();
    failure.write(target.error_root(), format, target.language(), body);
    (status, headers)
}

/// Status and headers of a response that is made already, and its body unless the client
/// has it.
fn represent(
    form: &Representation,
    content_type: &'static str,
    is_known: impl FnOnce(&str) -> bool,
    mut headers: Headers,
    body: &mut Vec<u8>,
) -> (Status, Headers) {
    headers.push(("ETag", form.etag.clone().into()));
    if is_known(&form.etag) {
        return (Status::NotModified, headers);
    }
    body.extend_from_slice(&form.body);
    describe(&mut headers, content_type, form.encoding);
    (Status::Ok, headers)
}

/// Adds the headers that describe a body.
fn describe(headers: &mut Headers, content_type: &'static str, encoding: Encoding) {
    headers.push(("Content-Type", content_type.into()));
    let encoding = encoding.name();
    headers.extend(encoding.map(|name| ("Content-Encoding", name.into())));
}

fn broken(error: std::io::Error) -> Failure {
    Failure::Server(error.to_string())
}
