//! Makes a single HTTP/1.1 exchange with the service and classifies failures.

use std::io::{self, Read};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use ureq::http::{Response, StatusCode};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, RequestBuilder, Timeout};

use super::address::{AllowedAddress, ServiceAddress};
use super::failure::{FailureKind, FetchFailure, RequestFailure, in_words};
use super::request::ACTION;
use super::stop::StopSignal;
use super::token::AccessToken;

pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(30);

/// Upper bound on the time without any data, both before and during a response.
pub const IDLE_TIMEOUT: Duration = Duration::from_secs(60);

/// Upper bound on the time until the list of archives has been received.
pub const ANSWER_TIMEOUT: Duration = Duration::from_secs(300);

/// How often a running request checks for the stop signal.
const LOOK: Duration = Duration::from_millis(100);

/// Upper bound on consecutive redirects, each to the same host.
pub const MAX_REDIRECTS: usize = 5;

/// Name of both the HTTP header and the element in the SOAP header that hold the token.
const TOKEN_HEADER: &str = "individualPerson_token";

/// Log targets of crates that might log requests, and with them the token. The program drops all
/// log records with these targets.
pub const CONNECTION_LOG_TARGETS: [&str; 3] = ["ureq", "rustls", "webpki"];

pub use ureq::Proxy;

/// Parses a PEM file of root certificates, which replace the default ones. Returns `None` if the
/// file contains no certificate.
pub fn roots_of_pem(pem: &[u8]) -> Option<RootCerts> {
    let certificates: Vec<Certificate<'static>> = parse_pem(pem)
        .filter_map(|item| match item {
            Ok(PemItem::Certificate(certificate)) => Some(certificate),
            _ => None,
        })
        .collect();
    (!certificates.is_empty()).then(|| certificates.into())
}

#[derive(Clone, Copy)]
pub(super) enum Payload<'a> {
    None,
    Envelope(&'a [u8]),
}

/// Sends requests one at a time, at a limited rate.
pub(super) struct Transport {
    agent: Agent,
    token: Option<AccessToken>,
    /// Minimum time from the start of one request to the start of the next.
    interval: Duration,
    next: Instant,
    /// The thread that watches for the stop signal ends when this is dropped.
    _alive: Arc<()>,
}

impl Transport {
    /// Makes a transport. `per_minute` limits the number of requests; 0 means unlimited. `stop`
    /// aborts the current request. Environment variables such as `https_proxy` are ignored.
    pub fn new(
        token: Option<AccessToken>,
        roots: Option<RootCerts>,
        proxy: Option<Proxy>,
        per_minute: u32,
        stop: &StopSignal,
    ) -> Self {
        let tls = TlsConfig::builder().root_certs(roots.unwrap_or(RootCerts::WebPki));
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .proxy(proxy)
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("procurement-lookup/", env!("CARGO_PKG_VERSION")))
            .timeout_resolve(Some(CONNECT_TIMEOUT))
            .timeout_connect(Some(CONNECT_TIMEOUT))
            .timeout_recv_response(Some(IDLE_TIMEOUT))
            .timeout_per_read(Some(IDLE_TIMEOUT))
            .timeout_per_write(Some(IDLE_TIMEOUT))
            .build();
        let agent = Agent::from(config);
        let alive = Arc::new(());
        abort_on(stop, &agent, &alive);
        Self {
            _alive: alive,
            agent,
            token,
            interval: Duration::from_secs(60)
                .checked_div(per_minute)
                .unwrap_or_default(),
            next: Instant::now(),
        }
    }

    pub fn wait(&self) -> Duration {
        self.next.saturating_duration_since(Instant::now())
    }

    /// Sends a request and returns the head of the response. Follows redirects on the same host.
    /// The caller must have waited for [`Self::wait`]. The messages of failures may contain
    /// unredacted texts of the service.
    pub fn exchange(
        &mut self,
        service: &ServiceAddress,
        address: &AllowedAddress,
        payload: Payload<'_>,
    ) -> Result<Response<Body>, RequestFailure> {
        let host = address.uri().host().unwrap_or_default();
        let refused = |what: String| RequestFailure::new(FailureKind::Lasting, what);
        let mut address = address.clone();
        for _ in 0..=MAX_REDIRECTS {
            self.next = Instant::now() + self.interval;
            let response = self.send(&address, payload);
            let response = response.map_err(|error| failure(error, host))?;
            let is_redirect = matches!(response.status().as_u16(), 301 | 302 | 307 | 308);
            let location = response.headers().get("location");
            let Some(location) = location.filter(|_| is_redirect) else {
                return Ok(response);
            };
            let location = String::from_utf8_lossy(location.as_bytes()).into_owned();
            address = service
                .resolve_redirect(&address, &location)
                .map_err(refused)?;
        }
        Err(refused(format!("more than {MAX_REDIRECTS} redirects")))
    }

    fn send(
        &self,
        address: &AllowedAddress,
        payload: Payload<'_>,
    ) -> Result<Response<Body>, ureq::Error> {
        let uri = address.uri();
        match payload {
            Payload::None => self.with_token(self.agent.get(uri)).call(),
            Payload::Envelope(envelope) => {
                let request = self
                    .agent
                    .post(uri)
                    .config()
                    .timeout_recv_body(Some(ANSWER_TIMEOUT))
                    .build()
                    .header("content-type", "text/xml; charset=utf-8")
                    .header_raw("SOAPAction", ACTION.as_bytes());
                self.with_token(request).send(envelope)
            }
        }
    }

    fn with_token<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        match &self.token {
            Some(token) => request.header_raw(TOKEN_HEADER, token.secret().as_bytes()),
            None => request,
        }
    }
}

/// Starts a thread that closes all connections once `stop` is given, because a read on a silent
/// connection would not notice the signal. The thread ends when `alive` is dropped.
fn abort_on(stop: &StopSignal, agent: &Agent, alive: &Arc<()>) {
    let (stop, agent, alive) = (stop.clone(), agent.clone(), Arc::downgrade(alive));
    thread::spawn(move || {
        while alive.strong_count() > 0 {
            if stop.is_given() {
                agent.shutdown();
                return;
            }
            thread::sleep(LOOK);
        }
    });
}

/// Reads up to `limit + 1` bytes of a body. The extra byte tells the caller that the body exceeds
/// `limit`.
pub(super) fn read_body(response: Response<Body>, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let body = response.into_body().into_reader();
    body.take(limit + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns whether a later request may succeed although this one was answered with `status`.
pub(super) fn is_passing(status: StatusCode) -> bool {
    matches!(status.as_u16(), 424 | 425) || status.is_server_error()
}

fn failure(error: ureq::Error, host: &str) -> RequestFailure {
    if let Some(what) = certificate_error(&error, &EIS_ADVICE) {
        let what = format!("the certificate of {host} is not accepted: {what}");
        return RequestFailure::lasting(FetchFailure::Ended(what));
    }
    let unreachable = |what: &str| RequestFailure::unreachable(host, what);
    let broken = |what: String| RequestFailure::new(FailureKind::Passing, what);
    match error {
        ureq::Error::HostNotFound => unreachable("its name has no address"),
        ureq::Error::ConnectionFailed => unreachable("no connection is possible"),
        ureq::Error::ConnectProxyFailed(_) => unreachable("the proxy made no connection to it"),
        ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
            let within = CONNECT_TIMEOUT.as_secs();
            unreachable(&format!("no connection within {within} s"))
        }
        ureq::Error::Timeout(_) => {
            let within = IDLE_TIMEOUT.as_secs();
            broken(format!("no data for {within} s"))
        }
        ureq::Error::Io(error) if is_connect_error(&error) => unreachable(&error.to_string()),
        ureq::Error::Io(error) => broken(in_words(&error)),
        error => broken(error.to_string()),
    }
}

pub(super) fn is_connect_error(error: &io::Error) -> bool {
    use io::ErrorKind::{
        AddrNotAvailable, ConnectionRefused, HostUnreachable, NetworkDown, NetworkUnreachable,
    };
    // A failed name lookup has no error kind of its own.
    let is_of_name = error.to_string().contains("lookup address");
    is_of_name
        || matches!(
            error.kind(),
            AddrNotAvailable
                | ConnectionRefused
                | HostUnreachable
                | NetworkDown
                | NetworkUnreachable
        )
}

/// What users should do about a certificate that was not accepted.
pub(super) struct CertificateAdvice {
    pub unknown_authority: &'static str,
    pub other_host: &'static str,
}

const EIS_ADVICE: CertificateAdvice = CertificateAdvice {
    unknown_authority: "give the root certificate of the Ministry of Digital Development with \
                        --ca-file",
    other_host: "check the address, the proxy and the tunnel",
};

/// Describes why the server's certificate was not accepted. Returns `None` for any other error.
pub(super) fn certificate_error(error: &ureq::Error, advice: &CertificateAdvice) -> Option<String> {
    use rustls::CertificateError as Wrong;
    let tls = match error {
        ureq::Error::Rustls(error) => error,
        ureq::Error::Io(error) => error.get_ref()?.downcast_ref::<rustls::Error>()?,
        _ => return None,
    };
    let rustls::Error::InvalidCertificate(wrong) = tls else {
        return None;
    };
    let clock = "if this machine's clock is right, the service's certificate is not to be trusted";
    Some(match wrong {
        Wrong::UnknownIssuer => format!(
            "it is signed by an unknown authority; {}",
            advice.unknown_authority
        ),
        Wrong::Expired | Wrong::ExpiredContext { .. } => {
            format!("it has expired by this machine's clock; {clock}")
        }
        Wrong::NotValidYet | Wrong::NotValidYetContext { .. } => {
            format!("it is not valid yet by this machine's clock; {clock}")
        }
        Wrong::Other(other) if format!("{other:?}").contains("CaUsedAsEndEntity") => {
            "it is the certificate of an authority, not of a server".to_owned()
        }
        Wrong::NotValidForName | Wrong::NotValidForNameContext { .. } => {
            format!("it is for another host; {}", advice.other_host)
        }
        other => format!("{other}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_ready_and_server_errors_are_transient() {
        let passing = |status| is_passing(StatusCode::from_u16(status).expect("a status"));
        assert!([424, 425, 500, 502, 503, 504, 599].into_iter().all(passing));
        assert!(
            ![200, 204, 302, 400, 401, 403, 404, 413, 429]
                .into_iter()
                .any(passing)
        );
    }
}
