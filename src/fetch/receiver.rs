//! Posts notifications to a receiver, over TLS or to a local address (loopback or private).
//!
//! Without TLS, requests go to local addresses only. The receiver's name is resolved once per
//! connection, and the connection is made to an address from that result after it has been checked;
//! a second lookup could return a different address. Redirects are not followed, and no proxy is
//! used.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use ureq::config::Config;
use ureq::http::Uri;
use ureq::http::uri::Scheme;
use ureq::tls::{RootCerts, TlsConfig};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Timeout};

use super::address::{UrlError, has_userinfo};
use super::failure::in_words;
use super::transport::{CertificateAdvice, certificate_error, is_connect_error};

/// Upper bound on the time from connecting to the head of the response.
pub const DELIVERY_TIMEOUT: Duration = Duration::from_secs(30);

const NOT_NEAR: &str =
    "without TLS, give a loopback or private address; to any other, give https://";

const ADVICE: CertificateAdvice = CertificateAdvice {
    unknown_authority: "give the root certificate of the authority with --ca-file",
    other_host: "check the address",
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiverAddress(Uri);

impl ReceiverAddress {
    /// Parses the URL of a receiver.
    ///
    /// # Errors
    /// Returns an error unless the URL is https, or is http with a host name or a local address. A
    /// host name is not checked until a connection is made. The URL must not contain a user name.
    pub fn parse(text: &str) -> Result<Self, UrlError> {
        let uri: Uri = text
            .parse()
            .map_err(|_| UrlError("give a URL such as https://example.org/path"))?;
        let is_https = uri.scheme() == Some(&Scheme::HTTPS);
        let host = uri.host().unwrap_or_default();
        if host.is_empty() || !(is_https || uri.scheme() == Some(&Scheme::HTTP)) {
            return Err(UrlError("give a URL that begins with https:// or http://"));
        }
        if has_userinfo(&uri) {
            return Err(UrlError("give a URL without a user's name or password"));
        }
        let address = host.trim_start_matches('[').trim_end_matches(']').parse();
        match address {
            Ok(address) if !is_https && !is_near(address) => Err(UrlError(NOT_NEAR)),
            _ => Ok(Self(uri)),
        }
    }
}

/// Leaves out path and query, which may contain a secret.
impl fmt::Display for ReceiverAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (scheme, authority) = (self.0.scheme_str(), self.0.authority());
        let authority = authority.map_or("", |authority| authority.as_str());
        write!(f, "{}://{authority}", scheme.unwrap_or_default())
    }
}

fn is_near(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => match address.to_ipv4_mapped() {
            Some(address) => is_near(address.into()),
            None => address.is_loopback() || is_unique_local(address),
        },
    }
}

/// Checks for `fc00::/7`, the IPv6 counterpart of private IPv4 addresses.
fn is_unique_local(address: Ipv6Addr) -> bool {
    address
        .segments()
        .first()
        .is_some_and(|first| first & 0xfe00 == 0xfc00)
}

/// Without TLS, drops all addresses that are not local.
#[derive(Debug, Default)]
struct CheckedResolver(DefaultResolver);

impl Resolver for CheckedResolver {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let found = self.0.resolve(uri, config, timeout)?;
        if uri.scheme() == Some(&Scheme::HTTPS) {
            return Ok(found);
        }
        let mut near = self.empty();
        let is_near = |address: &&SocketAddr| is_near(address.ip());
        found
            .iter()
            .filter(is_near)
            .for_each(|address| near.push(*address));
        match near.is_empty() {
            true => Err(std::io::Error::other(NOT_NEAR).into()),
            false => Ok(near),
        }
    }
}

/// Why a notification could not be delivered, as a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PostFailure {
    /// The receiver was unreachable, was too slow, or responded with a status other than 2xx.
    /// Another attempt may succeed.
    Passing(String),
    /// The receiver's certificate was not accepted. Another attempt fails until someone fixes the
    /// certificate or the trusted roots.
    Certificate(String),
}

impl PostFailure {
    pub fn into_text(self) -> String {
        match self {
            Self::Passing(text) | Self::Certificate(text) => text,
        }
    }
}

pub struct Receiver {
    address: ReceiverAddress,
    agent: Agent,
}

impl Receiver {
    /// With TLS, the receiver's certificate must be signed by one of `roots`, or by an authority
    /// that Mozilla trusts if `roots` is `None`.
    pub fn new(address: ReceiverAddress, roots: Option<RootCerts>) -> Self {
        let tls = TlsConfig::builder().root_certs(roots.unwrap_or(RootCerts::WebPki));
        let config = Agent::config_builder()
            .tls_config(tls.build())
            .proxy(None)
            .http_status_as_error(false)
            .max_redirects(0)
            .user_agent(concat!("procurement-lookup/", env!("CARGO_PKG_VERSION")))
            .build();
        let connector = DefaultConnector::default();
        let agent = Agent::with_parts(config, connector, CheckedResolver::default());
        Self { address, agent }
    }

    /// Posts `json` with additional headers. Gives up after `within` or [`DELIVERY_TIMEOUT`],
    /// whichever is shorter. Ignores the body of the response.
    ///
    /// # Errors
    /// Returns an error unless the response has a status from 200 to 299.
    pub fn post(
        &self,
        json: &str,
        headers: &[(&str, &str)],
        within: Duration,
    ) -> Result<(), PostFailure> {
        let within = within.min(DELIVERY_TIMEOUT);
        let mut request = self
            .agent
            .post(&self.address.0)
            .config()
            .timeout_global(Some(within))
            .build()
            .header("content-type", "application/json; charset=utf-8");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let answer = request
            .send(json)
            .map_err(|error| self.failure(error, within))?;
        let status = answer.status();
        if status.is_success() {
            return Ok(());
        }
        let mut what = format!("{} answered with status {}", self.address, status.as_u16());
        if status.is_redirection() {
            what.push_str("; no redirect is followed");
        }
        Err(PostFailure::Passing(what))
    }

    fn failure(&self, error: ureq::Error, within: Duration) -> PostFailure {
        let address = &self.address;
        if let Some(what) = certificate_error(&error, &ADVICE) {
            let what = format!("the certificate of {address} was not accepted: {what}");
            return PostFailure::Certificate(what);
        }
        PostFailure::Passing(match error {
            ureq::Error::HostNotFound => format!("{address}: there is no address of its name"),
            ureq::Error::ConnectionFailed => format!("{address}: no connection could be made"),
            ureq::Error::Timeout(Timeout::Resolve | Timeout::Connect) => {
                format!("{address}: no connection was made in time")
            }
            ureq::Error::Timeout(_) => {
                let within = humantime::format_duration(within);
                format!("{address}: no answer came within {within}")
            }
            ureq::Error::Io(error) if is_connect_error(&error) => {
                format!("{address}: no connection could be made: {error}")
            }
            ureq::Error::Io(error) => format!("{address}: {}", in_words(&error)),
            error => format!("{address}: {error}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(url: &str, is_accepted: bool) {
        assert_eq!(ReceiverAddress::parse(url).is_ok(), is_accepted, "{url}");
    }

    #[test]
    fn a_receiver_has_tls_or_is_near() {
        for near in [
            "http://127.0.0.1:8080/hook",
            "http://10.1.2.3/",
            "http://172.31.0.1/",
            "http://192.168.1.1:81/a?b=c",
            "http://[::1]:8080/",
            "http://[fd00::1]/",
            "http://[::ffff:10.0.0.1]/",
            // A name is only checked when it is resolved.
            "http://receiver.internal/",
            "https://example.org/hook?token=1",
            "https://203.0.113.7/",
        ] {
            check(near, true);
        }
        for wrong in [
            "http://203.0.113.7/",
            "http://172.32.0.1/",
            "http://169.254.169.254/",
            "http://0.0.0.0/",
            "http://[2001:db8::1]/",
            "http://[fe80::1]/",
            "http://[::ffff:203.0.113.7]/",
            "http://user:secret@127.0.0.1/",
            "ftp://127.0.0.1/",
            "127.0.0.1:80",
            "https:///path",
            "",
        ] {
            check(wrong, false);
        }
    }

    #[test]
    fn what_is_shown_of_an_address_has_no_secret() {
        let address = ReceiverAddress::parse("https://example.org:8443/s3cret?token=1");
        assert_eq!(
            address.map(|it| it.to_string()),
            Ok("https://example.org:8443".into())
        );
    }
}
