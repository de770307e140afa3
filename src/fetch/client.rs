//! Requests lists of archives from the document service, and downloads the archives.
//!
//! Requests are sent one at a time. [`Retries`] decides which are retried. Before any text from the
//! service is shown, the token and control characters are removed.

use std::io::Read;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use ureq::Body;
use ureq::http::{Response, StatusCode};
use ureq::tls::RootCerts;

use super::address::{AllowedAddress, ServiceAddress};
use super::answer::{self, AnswerError, DocumentsFound, MAX_ANSWER};
use super::archive::{self, FetchedArchive};
use super::failure::{FailureKind, FetchFailure, RequestFailure};
use super::request::{DocumentsOf, envelope};
use super::retries::{MAX_ATTEMPTS, Retries};
use super::stop::StopSignal;
use super::token::AccessToken;
use super::transport::{Payload, Proxy, Transport, is_passing, read_body};

/// Error codes (`errorInfo`) that the client handles individually.
mod code {
    pub const NO_TOKEN: i64 = 5;
    pub const RATE: i64 = 13;
    pub const TOKEN_EXPIRED: i64 = 24;
    pub const SCHEMA_VIOLATION: i64 = 28;
    pub const UNCLEAR_REQUEST: i64 = 34;
}

/// In characters.
const MAX_SHOWN: usize = 300;

/// How often a wait checks for the stop signal.
const TICK: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub struct ClientOptions {
    pub address: ServiceAddress,
    /// Access token; `None` if the tunnel adds one.
    pub token: Option<AccessToken>,
    /// Trusted root certificates; `None` means the authorities that Mozilla trusts.
    pub roots: Option<RootCerts>,
    /// Proxy for all requests. Environment variables such as `https_proxy` are ignored.
    pub proxy: Option<Proxy>,
    /// Upper bound on requests per minute; 0 means unlimited.
    pub per_minute: u32,
    /// Unit of waiting: waits before retries are multiples of it.
    pub pause: Duration,
    /// Source of the time stated in requests.
    pub clock: fn() -> SystemTime,
    pub stop: StopSignal,
}

/// Progress of a request.
#[derive(Clone, Copy, Debug)]
pub enum ServiceEvent<'a> {
    /// This many more bytes of an archive have arrived.
    Bytes(u64),
    /// The client is waiting before a retry.
    Waiting { reason: &'a str, span: Duration },
}

pub struct Client<'a> {
    options: ClientOptions,
    transport: Transport,
    report: &'a dyn Fn(ServiceEvent<'_>),
    /// Number of requests refused because there had been too many before.
    pub(super) rate_refusals: u32,
}

impl<'a> Client<'a> {
    /// Creates a client that reports progress to `report`.
    pub fn new(mut options: ClientOptions, report: &'a dyn Fn(ServiceEvent<'_>)) -> Self {
        let transport = Transport::new(
            options.token.clone(),
            options.roots.take(),
            options.proxy.take(),
            options.per_minute,
            &options.stop,
        );
        Self {
            options,
            transport,
            report,
            rate_refusals: 0,
        }
    }

    /// Returns links to the archives that contain the documents. The list is empty if the service
    /// has none.
    ///
    /// # Errors
    /// See [`FetchFailure`].
    pub fn ask(&mut self, documents: DocumentsOf<'_>) -> Result<Vec<String>, FetchFailure> {
        self.retried(|client| client.request_once(documents))
    }

    /// Downloads the archive behind a link into `folder`.
    ///
    /// # Errors
    /// See [`FetchFailure`]. `Ended` is also returned if `folder` cannot be written to.
    pub fn download(&mut self, link: &str, folder: &Path) -> Result<FetchedArchive, FetchFailure> {
        let address = self.options.address.resolve_link(link);
        let address = address.map_err(|what| FetchFailure::Failed(self.redacted(&what)))?;
        self.retried(|client| client.download_once(&address, folder))
    }

    /// Returns the interface description (WSDL), which needs no token.
    ///
    /// # Errors
    /// See [`FetchFailure`].
    pub fn interface(&mut self) -> Result<Vec<u8>, FetchFailure> {
        self.retried(|client| {
            let address = client.options.address.interface();
            let response = client.exchange(&address, Payload::None)?;
            client.successful(response, MAX_ANSWER)
        })
    }

    pub fn contains_token(&self, text: &str) -> bool {
        let token = self.options.token.as_ref();
        token.is_some_and(|token| token.is_in(text))
    }

    /// Prepares a text from the service for display: on one line, without the token, truncated.
    pub(super) fn redacted(&self, text: &str) -> String {
        let text = match &self.options.token {
            Some(token) => token.redact(text),
            None => text.to_owned(),
        };
        let visible = |c: char| if is_invisible(c) { ' ' } else { c };
        let mut shown: String = text.chars().take(MAX_SHOWN).map(visible).collect();
        if text.chars().nth(MAX_SHOWN).is_some() {
            shown.push('…');
        }
        shown
    }

    fn retried<T>(
        &mut self,
        mut attempt: impl FnMut(&mut Self) -> Result<T, RequestFailure>,
    ) -> Result<T, FetchFailure> {
        let mut retries = Retries::default();
        loop {
            self.wait_for(self.transport.wait())?;
            let trouble = match attempt(self) {
                Ok(value) => return Ok(value),
                // A stop closes the connections, so the error is only its consequence.
                Err(_) if self.is_stopped() => return Err(FetchFailure::Stopped),
                Err(trouble) => trouble,
            };
            self.rate_refusals += u32::from(trouble.kind == FailureKind::Rate);
            let Some(pauses) = retries.pauses_after(trouble.kind) else {
                return Err(match trouble.kind {
                    FailureKind::Lasting => trouble.failure,
                    _ => after_all(trouble.failure, trouble.kind),
                });
            };
            let span = self.options.pause.saturating_mul(pauses);
            if let FetchFailure::Failed(reason) | FetchFailure::Unreachable(reason) =
                &trouble.failure
            {
                (self.report)(ServiceEvent::Waiting { reason, span });
            }
            self.wait_for(span)?;
        }
    }

    fn wait_for(&self, span: Duration) -> Result<(), FetchFailure> {
        let until = Instant::now() + span;
        loop {
            if self.is_stopped() {
                return Err(FetchFailure::Stopped);
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(());
            }
            thread::sleep(left.min(TICK));
        }
    }

    fn is_stopped(&self) -> bool {
        self.options.stop.is_given()
    }

    fn request_once(&mut self, documents: DocumentsOf<'_>) -> Result<Vec<String>, RequestFailure> {
        let id = guid().map_err(RequestFailure::lasting)?;
        let moment = in_moscow((self.options.clock)());
        let envelope = envelope(documents, &id, &moment, self.options.token.as_ref());
        let service = self.options.address.service();
        let response = self.exchange(&service, Payload::Envelope(&envelope))?;
        let body = self.successful(response, MAX_ANSWER)?;
        match answer::read(&body, documents.operation(), &id) {
            Ok(DocumentsFound::Archives(links)) => Ok(links),
            Ok(DocumentsFound::Nothing) => Ok(Vec::new()),
            Err(AnswerError::Unreadable) => Err(RequestFailure::new(
                FailureKind::Passing,
                "the answer is empty, cut short or damaged",
            )),
            Err(AnswerError::Service { code, message }) => Err(self.refusal(code, &message)),
            Err(AnswerError::Other(what)) => Err(RequestFailure::new(
                FailureKind::Lasting,
                self.redacted(&what),
            )),
        }
    }

    fn refusal(&self, code: i64, message: &str) -> RequestFailure {
        let said = format!(
            "the service says: {} (error {code})",
            self.redacted(message)
        );
        let ended =
            |what: &str| RequestFailure::lasting(FetchFailure::Ended(format!("{what}; {said}")));
        match code {
            code::RATE => {
                RequestFailure::new(FailureKind::Rate, format!("too many requests; {said}"))
            }
            code::NO_TOKEN => ended(
                "the token was not accepted: check that it is the one that the service shows, \
                 or get a new one",
            ),
            code::TOKEN_EXPIRED => {
                ended("the token has expired: get a new one, then give the same command again")
            }
            code::SCHEMA_VIOLATION | code::UNCLEAR_REQUEST => ended(
                "the service does not take requests of this form: its interface may have \
                 changed; --probe shows what it is, and a newer release may know it",
            ),
            _ => RequestFailure::new(FailureKind::Lasting, said),
        }
    }

    fn download_once(
        &mut self,
        address: &AllowedAddress,
        folder: &Path,
    ) -> Result<FetchedArchive, RequestFailure> {
        let response = self.exchange(address, Payload::None)?;
        if response.status() == StatusCode::FORBIDDEN {
            return Err(RequestFailure::lasting(FetchFailure::Forbidden(
                "the service does not let a link be followed (403)".to_owned(),
            )));
        }
        let body = self.require_success(response)?.into_body().into_reader();
        let mut on_bytes = |count| {
            (self.report)(ServiceEvent::Bytes(count));
            self.is_stopped()
        };
        archive::save(body, folder, &mut on_bytes).map_err(|failure| self.shown(failure))
    }

    fn exchange(
        &mut self,
        address: &AllowedAddress,
        payload: Payload<'_>,
    ) -> Result<Response<Body>, RequestFailure> {
        let response = self
            .transport
            .exchange(&self.options.address, address, payload);
        response.map_err(|failure| self.shown(failure))
    }

    /// Redacts texts that may come from the service.
    fn shown(&self, failure: RequestFailure) -> RequestFailure {
        RequestFailure {
            failure: match failure.failure {
                FetchFailure::Failed(what) => FetchFailure::Failed(self.redacted(&what)),
                FetchFailure::Unreachable(what) => FetchFailure::Unreachable(self.redacted(&what)),
                other => other,
            },
            ..failure
        }
    }

    fn successful(&self, response: Response<Body>, limit: u64) -> Result<Vec<u8>, RequestFailure> {
        let response = self.require_success(response)?;
        let body = read_body(response, limit)
            .map_err(|error| self.shown(RequestFailure::incomplete("the answer", &error)))?;
        match body.len() as u64 > limit {
            true => Err(RequestFailure::new(
                FailureKind::Lasting,
                format!("an answer longer than {} MiB", limit >> 20),
            )),
            false => Ok(body),
        }
    }

    fn require_success(&self, response: Response<Body>) -> Result<Response<Body>, RequestFailure> {
        let status = response.status();
        if status == StatusCode::OK {
            return Ok(response);
        }
        let kind = match is_passing(status) {
            true => FailureKind::Passing,
            false => FailureKind::Lasting,
        };
        let what = match status.as_u16() {
            424 | 425 => "the archive is not ready yet",
            _ => "the service answered with an error",
        };
        let said = fault_message(response).map_or(String::new(), |said| format!(": {said}"));
        let what = format!("{what} (status {}){said}", status.as_u16());
        Err(RequestFailure::new(kind, self.redacted(&what)))
    }
}

fn fault_message(response: Response<Body>) -> Option<String> {
    const MAX: u64 = 64 << 10;
    let mut body = Vec::new();
    let reader = response.into_body().into_reader();
    reader.take(MAX).read_to_end(&mut body).ok()?;
    match answer::read(&body, "", "") {
        Err(AnswerError::Other(what)) if what.starts_with("a SOAP fault") => Some(what),
        _ => None,
    }
}

/// Covers control characters, zero-width characters and characters that change the direction of
/// text.
fn is_invisible(c: char) -> bool {
    let changes_order =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}');
    c.is_control() || changes_order || c == '\u{feff}'
}

fn after_all(failure: FetchFailure, kind: FailureKind) -> FetchFailure {
    let times = match kind {
        FailureKind::Passing => format!("; {MAX_ATTEMPTS} requests"),
        _ => "; it was asked again twenty times".to_owned(),
    };
    match failure {
        FetchFailure::Failed(what) => FetchFailure::Failed(what + &times),
        FetchFailure::Unreachable(what) => FetchFailure::Unreachable(what + &times),
        other => other,
    }
}

fn guid() -> Result<String, FetchFailure> {
    let mut bytes = [0_u8; 16];
    getrandom::fill(&mut bytes).map_err(|error| {
        FetchFailure::Ended(format!("the system gives no random bytes: {error}"))
    })?;
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let parts = [
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..],
    ];
    Ok(parts.join("-"))
}

/// Formats the time in Moscow as `YYYY-MM-DDTHH:MM:SS`. Moscow is at UTC+3 all year.
fn in_moscow(now: SystemTime) -> String {
    let seconds = now.duration_since(SystemTime::UNIX_EPOCH);
    let seconds = seconds.map_or(0, |seconds| seconds.as_secs()) + 3 * 3600;
    let mut moment = crate::model::timestamp(seconds.try_into().unwrap_or(i64::MAX));
    moment.truncate("YYYY-MM-DDTHH:MM:SS".len());
    moment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_distinct_guids() {
        let ids: Vec<String> = (0..100).map(|_| guid().expect("an id")).collect();
        for id in &ids {
            let parts: Vec<usize> = id.split('-').map(str::len).collect();
            assert_eq!(parts, [8, 4, 4, 4, 12], "{id}");
            assert_eq!(&id[14..15], "4");
            assert!("89ab".contains(&id[19..20]), "{id}");
        }
        let different: std::collections::HashSet<_> = ids.iter().collect();
        assert_eq!(different.len(), ids.len());
    }

    #[test]
    fn times_are_in_moscow() {
        let midnight = SystemTime::UNIX_EPOCH + Duration::from_secs(1_795_305_600);
        assert_eq!(in_moscow(midnight), "2026-11-22T03:00:00");
    }
}
