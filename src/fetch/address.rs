//! Decides which addresses requests may be sent to.
//!
//! Every request carries the access token, which must never reach a foreign host.
//! [`ServiceAddress`] is the only source of addresses, and it allows three kinds: the scheme, host
//! and port of the endpoint; hosts under the endpoint's registrable domain, if reached over TLS or
//! through the tunnel; and the tunnel itself.

use std::fmt;
use std::net::IpAddr;

use ureq::http::Uri;
use ureq::http::uri::{PathAndQuery, Scheme};

/// Upper bound on the bytes of a link.
pub const MAX_LINK: usize = 4096;

/// The URL of the document service, optionally reached through a tunnel.
#[derive(Clone, Debug)]
pub struct ServiceAddress {
    endpoint: Uri,
    tunnel: Option<Uri>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UrlError(pub(super) &'static str);

impl fmt::Display for UrlError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for UrlError {}

/// An address that [`ServiceAddress`] has approved for requests with the token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AllowedAddress(Uri);

impl AllowedAddress {
    pub fn uri(&self) -> &Uri {
        &self.0
    }
}

impl ServiceAddress {
    /// `endpoint` is a URL such as `https://int.zakupki.gov.ru/eis-integration/services/getDocsIP`.
    /// If a `tunnel` such as `http://127.0.0.1:8080` is given, all requests go there instead.
    ///
    /// # Errors
    /// Returns an error unless both are http or https URLs with a host, without a user name or
    /// query. The tunnel must not have a path.
    pub fn new(endpoint: &str, tunnel: Option<&str>) -> Result<Self, UrlError> {
        let endpoint = parsed(endpoint)?;
        let tunnel = tunnel.map(parsed).transpose()?;
        match &tunnel {
            Some(tunnel) if tunnel.path() != "/" => Err(UrlError(
                "give the tunnel without a path; the paths come from the endpoint and the links",
            )),
            _ => Ok(Self { endpoint, tunnel }),
        }
    }

    /// Returns the address for requesting documents.
    pub(super) fn service(&self) -> AllowedAddress {
        AllowedAddress(self.through_tunnel(&self.endpoint))
    }

    /// Returns the address of the interface description (WSDL).
    pub(super) fn interface(&self) -> AllowedAddress {
        let mut parts = self.endpoint.clone().into_parts();
        let path = format!("{}?wsdl", self.endpoint.path());
        parts.path_and_query = PathAndQuery::try_from(path).ok();
        let uri = Uri::from_parts(parts).unwrap_or_else(|_| self.endpoint.clone());
        AllowedAddress(self.through_tunnel(&uri))
    }

    /// Returns the address to request for a link in a response.
    ///
    /// # Errors
    /// Returns an error if the link is too long, is not a URL, contains a user name, or leads to a
    /// host that must not see the token. The message may quote the link.
    pub(super) fn resolve_link(&self, link: &str) -> Result<AllowedAddress, String> {
        if link.len() > MAX_LINK {
            return Err(format!("a link is longer than {MAX_LINK} bytes"));
        }
        let uri: Uri = link
            .parse()
            .map_err(|_| format!("a link is not a URL: {link}"))?;
        self.check_uri(&uri)
    }

    fn check_uri(&self, uri: &Uri) -> Result<AllowedAddress, String> {
        let host = uri.host().filter(|host| !host.is_empty());
        let Some((host, scheme)) = host.zip(uri.scheme_str()) else {
            return Err(format!("a link is not a URL: {uri}"));
        };
        if has_userinfo(uri) {
            return Err(format!(
                "a link to {host} contains a user name, and was not followed"
            ));
        }
        // Through a tunnel, the request goes to the tunnel and not to the host in the link.
        let is_safe = uri.scheme() == Some(&Scheme::HTTPS) || self.tunnel.is_some();
        let is_own = same_origin(uri, &self.endpoint)
            || self
                .tunnel
                .as_ref()
                .is_some_and(|tunnel| same_origin(uri, tunnel))
            || (is_safe && self.is_in_domain(host));
        if !is_own {
            let host = uri.authority().map_or(host, |authority| authority.as_str());
            return Err(format!(
                "a link that leads elsewhere, {scheme}://{host}, where the token must not go; it \
                 was not asked for"
            ));
        }
        Ok(AllowedAddress(self.through_tunnel(uri)))
    }

    /// Returns the address to request after a redirect from `from` to `location`.
    ///
    /// # Errors
    /// Returns an error if the location is not a URL, if its host is neither that of `from` nor
    /// that of the endpoint, or if it must not see the token.
    pub(super) fn resolve_redirect(
        &self,
        from: &AllowedAddress,
        location: &str,
    ) -> Result<AllowedAddress, String> {
        let from = from.uri();
        let absolute = match location {
            _ if location.starts_with("//") => {
                format!("{}:{location}", from.scheme_str().unwrap_or_default())
            }
            _ if location.starts_with('/') => {
                let authority = from.authority().map_or("", |authority| authority.as_str());
                format!(
                    "{}://{authority}{location}",
                    from.scheme_str().unwrap_or_default()
                )
            }
            _ => location.to_owned(),
        };
        let target: Uri = absolute.parse().map_err(|_| {
            "a redirect to something that is neither a URL nor an absolute path".to_owned()
        })?;
        let leads_to = |uri: &Uri| match (target.host(), uri.host()) {
            (Some(one), Some(other)) => one.eq_ignore_ascii_case(other),
            _ => false,
        };
        match leads_to(from) || leads_to(&self.endpoint) {
            true => self.check_uri(&target),
            false => Err(format!(
                "a redirect to another host, {}, which was not followed",
                target.host().unwrap_or("unnamed")
            )),
        }
    }

    fn is_in_domain(&self, host: &str) -> bool {
        let domain = self.endpoint.host().and_then(registrable_domain);
        domain.is_some() && registrable_domain(host) == domain
    }

    fn through_tunnel(&self, uri: &Uri) -> Uri {
        let Some(tunnel) = &self.tunnel else {
            return uri.clone();
        };
        let mut parts = uri.clone().into_parts();
        parts.scheme = tunnel.scheme().cloned();
        parts.authority = tunnel.authority().cloned();
        Uri::from_parts(parts).unwrap_or_else(|_| tunnel.clone())
    }
}

fn parsed(text: &str) -> Result<Uri, UrlError> {
    let uri: Uri = text
        .parse()
        .map_err(|_| UrlError("give a URL such as https://example.org/path"))?;
    let is_http = [Some(&Scheme::HTTP), Some(&Scheme::HTTPS)].contains(&uri.scheme());
    if !is_http || uri.host().is_none_or(str::is_empty) {
        return Err(UrlError("give a URL that begins with https:// or http://"));
    }
    if has_userinfo(&uri) {
        return Err(UrlError("give a URL without a user's name or password"));
    }
    match uri.query() {
        Some(_) => Err(UrlError("give a URL without a query")),
        None => Ok(uri),
    }
}

pub(super) fn has_userinfo(uri: &Uri) -> bool {
    uri.authority()
        .is_some_and(|authority| authority.as_str().contains('@'))
}

fn same_origin(one: &Uri, other: &Uri) -> bool {
    let hosts = one.host().zip(other.host());
    one.scheme() == other.scheme()
        && hosts.is_some_and(|(one, other)| one.eq_ignore_ascii_case(other))
        && port(one) == port(other)
}

fn port(uri: &Uri) -> u16 {
    let default = match uri.scheme() == Some(&Scheme::HTTPS) {
        true => 443,
        false => 80,
    };
    uri.port_u16().unwrap_or(default)
}

/// Returns the public suffix of a host (by the Public Suffix List) and the label before it, in
/// lower case. Returns `None` for IP addresses.
fn registrable_domain(host: &str) -> Option<String> {
    let host = host.to_ascii_lowercase();
    let is_address = host.starts_with('[') || host.parse::<IpAddr>().is_ok();
    let last = host.rsplit('.').next().unwrap_or_default();
    let ends_in_number = last.bytes().all(|c| c.is_ascii_digit());
    if is_address || ends_in_number {
        return None;
    }
    psl2::lookup(&host)?.registrable_domain().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENDPOINT: &str = "https://int.zakupki.gov.ru/eis-integration/services/getDocsIP";

    fn direct(endpoint: &str) -> ServiceAddress {
        ServiceAddress::new(endpoint, None).expect("an endpoint")
    }

    fn link(address: &ServiceAddress, link: &str) -> Result<String, String> {
        address
            .resolve_link(link)
            .map(|allowed| allowed.uri().to_string())
    }

    #[test]
    fn links_to_the_domain_of_the_service_over_tls_are_allowed() {
        let address = direct(ENDPOINT);
        for allowed in [
            "https://int.zakupki.gov.ru/dstore?a=1&b=%2F",
            "https://INT.zakupki.gov.ru:443/dstore",
            "https://int.zakupki.gov.ru:8443/dstore",
            "https://zakupki.gov.ru/dstore",
            "https://int44-ttls-cert.zakupki.gov.ru/dstore",
            "https://a.b.Zakupki.gov.ru/dstore",
        ] {
            assert_eq!(link(&address, allowed).map(drop), Ok(()), "{allowed}");
        }
        for refused in [
            "http://int.zakupki.gov.ru/dstore",
            "https://gov.ru/dstore",
            "https://other.gov.ru/dstore",
            "https://zakupki.gov.ru.example.org/dstore",
            "https://xzakupki.gov.ru/dstore",
            "https://int.zakupki.gov.ru@example.org/dstore",
            "https://user:word@int.zakupki.gov.ru/dstore",
            "https://127.0.0.1/dstore",
            "ftp://int.zakupki.gov.ru/dstore",
            "/dstore",
            "int.zakupki.gov.ru/dstore",
            "https://int.zakupki.gov.ru\\@example.org/",
            "https:///dstore",
            "",
            "a b",
        ] {
            assert!(link(&address, refused).is_err(), "{refused}");
        }
        assert!(link(&address, &format!("{ENDPOINT}?{}", "x".repeat(MAX_LINK))).is_err());
    }

    #[test]
    fn an_address_and_a_single_name_have_no_domain() {
        let address = direct("http://127.0.0.1:8080/services/getDocsIP");
        assert!(link(&address, "http://127.0.0.1:8080/dstore").is_ok());
        for refused in [
            "https://127.0.0.1:8080/dstore",
            "http://127.0.0.1:8081/dstore",
            "https://9.0.0.1/dstore",
            "https://1.0.0.1/dstore",
        ] {
            assert!(link(&address, refused).is_err(), "{refused}");
        }
        let address = direct("https://localhost:8443/services/getDocsIP");
        assert!(link(&address, "https://localhost:8443/dstore").is_ok());
        assert!(link(&address, "https://localhost/dstore").is_err());
        let address = direct("https://[::1]:8443/services/getDocsIP");
        assert!(link(&address, "https://[::1]:8443/dstore").is_ok());
        assert!(link(&address, "https://[::2]:8443/dstore").is_err());
    }

    #[test]
    fn a_tunnel_replaces_scheme_and_host() {
        let address = ServiceAddress::new(ENDPOINT, Some("http://127.0.0.1:8080"));
        let address = address.expect("a tunnel");
        let service = address.service().uri().to_string();
        assert_eq!(
            service,
            "http://127.0.0.1:8080/eis-integration/services/getDocsIP"
        );
        assert_eq!(
            link(
                &address,
                "https://int44-ttls-cert.zakupki.gov.ru/dstore?x=1"
            ),
            Ok("http://127.0.0.1:8080/dstore?x=1".to_owned())
        );
        assert_eq!(
            link(&address, "http://127.0.0.1:8080/dstore"),
            Ok("http://127.0.0.1:8080/dstore".to_owned())
        );
        assert_eq!(
            link(&address, "http://int.zakupki.gov.ru/dstore"),
            Ok("http://127.0.0.1:8080/dstore".to_owned())
        );
        assert!(link(&address, "https://example.org/dstore").is_err());
        assert!(ServiceAddress::new(ENDPOINT, Some("http://127.0.0.1:8080/path")).is_err());
    }

    #[test]
    fn redirects_stay_on_their_host() {
        let address = direct(ENDPOINT);
        let from = address
            .resolve_link("https://files.zakupki.gov.ru/a/b")
            .expect("a link");
        let to = |location| {
            let target = address.resolve_redirect(&from, location);
            target.map(|allowed| allowed.uri().to_string())
        };
        assert_eq!(
            to("/c?d=1"),
            Ok("https://files.zakupki.gov.ru/c?d=1".to_owned())
        );
        assert_eq!(
            to("https://files.zakupki.gov.ru/c"),
            Ok("https://files.zakupki.gov.ru/c".to_owned())
        );
        assert_eq!(
            to("//files.zakupki.gov.ru/c"),
            Ok("https://files.zakupki.gov.ru/c".to_owned())
        );
        for refused in [
            "https://other.zakupki.gov.ru/c",
            "https://example.org/c",
            "//example.org/c",
            "http://files.zakupki.gov.ru/c",
            "c",
            "",
        ] {
            assert!(to(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn only_plain_urls_are_endpoints() {
        for wrong in [
            "",
            "int.zakupki.gov.ru",
            "ftp://int.zakupki.gov.ru/",
            "https://",
            "https://user@int.zakupki.gov.ru/",
            "https://int.zakupki.gov.ru/?wsdl",
        ] {
            assert!(ServiceAddress::new(wrong, None).is_err(), "{wrong}");
        }
        let interface = direct(ENDPOINT).interface().uri().to_string();
        assert_eq!(interface, format!("{ENDPOINT}?wsdl"));
    }

    proptest::proptest! {
        #[test]
        fn no_link_leads_to_another_address(
            scheme in "(https?|ftp|HTTPS)?(:|://|//|:/)?",
            middle in "[a-z.@:\\\\/0-9%]{0,20}",
            host in "(int\\.zakupki\\.gov\\.ru|zakupki\\.gov\\.ru|example\\.org|gov\\.ru)?",
            rest in "\\PC{0,20}",
        ) {
            let link = format!("{scheme}{middle}{host}{rest}");
            if let Ok(allowed) = direct(ENDPOINT).resolve_link(&link) {
                let uri = allowed.uri();
                let host = uri.host().unwrap_or_default().to_ascii_lowercase();
                let is_own = host == "zakupki.gov.ru" || host.ends_with(".zakupki.gov.ru");
                proptest::prop_assert!(is_own, "{link}");
                proptest::prop_assert_eq!(uri.scheme_str(), Some("https"));
                proptest::prop_assert!(!uri.authority().is_some_and(|one| one.as_str().contains('@')));
            }
        }
    }
}
