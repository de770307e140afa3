//! The records about requests: the client, the id, how many there are and how fast they are
//! answered.

use std::io;
use std::net::IpAddr;
use std::time::{Duration, SystemTime};

use super::audit::Audit;
use super::metrics::Metrics;
use super::proxies::Proxies;
use super::refusal_log::RefusalLog;
use super::request_id::{RequestIds, can_be_taken_over};
use crate::api::{self, Request, Throttled};

/// The shortest time between two log lines about requests that fail for the same reason.
const REMINDER: Duration = Duration::from_secs(60);

/// The records that all workers and the admin server share.
pub struct Telemetry {
    ids: RequestIds,
    proxies: Proxies,
    /// The header in which trusted proxies name the user, if they do.
    pub user_header: Option<String>,
    /// The audit trail, if there is one.
    pub audit: Option<Audit>,
    pub(super) metrics: Metrics,
    /// Failed requests by endpoint and reason. The access log still has a line for each.
    pub(super) failures: Throttled<(Option<&'static str>, String)>,
    pub(super) refusals: RefusalLog,
}

impl Telemetry {
    /// Returns the telemetry of a process that started at `started` and answers with this number of
    /// workers, behind `proxies`.
    ///
    /// # Errors
    /// The system provides no random numbers for ids.
    pub fn new(started: SystemTime, workers: usize, proxies: Proxies) -> io::Result<Self> {
        Ok(Self {
            ids: RequestIds::random()?,
            proxies,
            user_header: None,
            metrics: Metrics::new(started, api::labels(), workers),
            audit: None,
            refusals: RefusalLog::default(),
            failures: Throttled::every(REMINDER),
        })
    }

    /// Returns the header in which `peer` names the user. Only a trusted address may, because
    /// anyone on the machine may be able to connect to a Unix socket.
    pub fn user_header(&self, peer: Option<IpAddr>) -> Option<&str> {
        let is_trusted = peer.is_some_and(|peer| self.proxies.trusts(peer));
        self.user_header.as_deref().filter(|_| is_trusted)
    }

    /// Returns whether every client needs a key.
    pub fn needs_keys(&self) -> bool {
        self.user_header.is_none()
    }

    /// Returns the client and the id of a request from `peer`. The request's headers count only
    /// from a trusted proxy. A peer without an address, at a Unix socket, is trusted.
    pub fn identify(&self, request: &Request<'_>, peer: Option<IpAddr>) -> Identity {
        if peer.is_some_and(|peer| !self.proxies.trusts(peer)) {
            return Identity {
                client: peer.map(|peer| peer.to_canonical()),
                id: self.ids.next(),
            };
        }
        // Two different ids are ignored.
        let mut given = request.header("X-Request-Id").map(str::trim);
        let id = given.next().filter(|id| given.all(|other| other == *id));
        let id = id.filter(|id| can_be_taken_over(id)).map(str::to_owned);
        Identity {
            client: self.proxies.client(peer, request.header("X-Forwarded-For")),
            id: id.unwrap_or_else(|| self.ids.next()),
        }
    }
}

/// The client and the id of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// The address of the client; none if a proxy at a Unix socket does not name it.
    pub client: Option<IpAddr>,
    /// The id of the request.
    pub id: String,
}

#[cfg(test)]
mod tests {
    use super::super::proxies::network;
    use super::*;

    const PROXY: &str = "10.0.0.1";

    fn telemetry() -> Telemetry {
        let proxies = Proxies::new(vec![network("10.0.0.0/8").expect("a network")]);
        Telemetry::new(SystemTime::UNIX_EPOCH, 1, proxies).expect("random numbers")
    }

    fn identify(
        telemetry: &Telemetry,
        peer: &str,
        headers: &[(&'static str, &'static str)],
    ) -> (String, String) {
        let header = |(name, value): &(&'static str, &'static str)| (*name, (*value).into());
        let request = Request {
            headers: headers.iter().map(header).collect(),
            ..Request::default()
        };
        let identity = telemetry.identify(&request, peer.parse().ok());
        let client = identity
            .client
            .map_or_else(|| "-".to_owned(), |client| client.to_string());
        (client, identity.id)
    }

    #[test]
    fn client_and_id_are_taken_from_headers_of_a_trusted_proxy_alone() {
        let headers = [
            ("x-forwarded-for", "6.6.6.6"),
            ("X-Forwarded-For", "203.0.113.7"),
            ("X-REQUEST-ID", " abc "),
        ];
        let telemetry = telemetry();
        let expected = ("203.0.113.7".to_owned(), "abc".to_owned());
        assert_eq!(identify(&telemetry, PROXY, &headers), expected);
        let (client, id) = identify(&telemetry, "198.51.100.1", &headers);
        assert_eq!(client, "198.51.100.1");
        assert_ne!(id, "abc");
    }

    #[test]
    fn what_comes_through_a_unix_socket_is_from_a_trusted_proxy() {
        let telemetry = telemetry();
        let through_socket = |headers| identify(&telemetry, "no address", headers);
        let headers = [
            ("X-Forwarded-For", "6.6.6.6, 203.0.113.7"),
            ("X-Request-Id", "abc"),
        ];
        assert_eq!(
            through_socket(&headers),
            ("203.0.113.7".to_owned(), "abc".to_owned())
        );
        let (client, _) = through_socket(&[]);
        assert_eq!(client, "-");
    }

    #[test]
    fn an_id_that_cannot_be_taken_over_is_replaced() {
        let telemetry = telemetry();
        for headers in [
            &[("X-Request-Id", "a b")][..],
            &[("X-Request-Id", "")],
            &[("X-Request-Id", "a"), ("X-Request-Id", "b")],
            &[],
        ] {
            let (_, id) = identify(&telemetry, PROXY, headers);
            let own = telemetry.ids.next();
            let (process, _) = own.split_once('-').expect("two parts");
            assert!(id.starts_with(process), "{id}");
        }
        let twice = [("X-Request-Id", "a"), ("X-Request-Id", "a")];
        assert_eq!(identify(&telemetry, PROXY, &twice).1, "a");
    }

    #[test]
    fn only_an_address_that_is_trusted_names_users_and_only_where_that_is_switched_on() {
        let header = |telemetry: &Telemetry, peer: &str| {
            let header = telemetry.user_header(peer.parse().ok());
            header.map(str::to_owned)
        };
        let mut on = telemetry();
        assert_eq!(header(&on, PROXY), None);
        on.user_header = Some("X-Remote-User".to_owned());
        assert_eq!(header(&on, PROXY).as_deref(), Some("X-Remote-User"));
        assert_eq!(
            header(&on, "::ffff:10.0.0.1").as_deref(),
            Some("X-Remote-User")
        );
        for other in ["198.51.100.1", "127.0.0.1", "a Unix socket"] {
            assert_eq!(header(&on, other), None, "{other}");
        }
    }
}
