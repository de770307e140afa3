//! Decides which proxies to believe and, based on their headers, who sent a request.

use std::time::Instant;

use super::proxies::Proxies;
use super::request_id::can_be_taken_over;
use crate::api::{Peer, Request, Throttled};

/// The trusted proxies. Anything that connects over a Unix socket is trusted too: the socket's mode
/// decides who may connect.
pub struct Trust {
    proxies: Proxies,
    /// Header in which trusted proxies name the user, if they do.
    user_header: Option<String>,
    /// Throttles the warning about requests over a Unix socket that name no client.
    nameless: Throttled<()>,
}

impl Trust {
    /// Trusts `proxies`, and their `user_header` if there is one.
    pub fn new(proxies: Proxies, user_header: Option<String>) -> Self {
        Self {
            proxies,
            user_header,
            nameless: Throttled::once(),
        }
    }

    /// Returns whether every client needs a key.
    pub fn needs_keys(&self) -> bool {
        self.user_header.is_none()
    }

    /// Returns who sent a request; `request.peer` is the other end of the connection. Logs a
    /// warning about requests over a Unix socket that name no client, but only about the first one.
    pub fn sender(&self, request: &Request<'_>) -> Peer {
        let forwarded = request.header("X-Forwarded-For");
        let sender = self.proxies.client(request.peer, forwarded);
        if sender == Peer::Local && self.nameless.occurs((), Instant::now()).is_some() {
            log::warn!(
                "a request over the Unix socket names no client in X-Forwarded-For: all such requests count as one client's"
            );
        }
        sender
    }

    /// Returns the id that a trusted proxy gave to a request. Returns `None` if the headers contain
    /// two different ids, or one that must not be logged.
    pub fn id<'a>(&self, request: &'a Request<'_>) -> Option<&'a str> {
        if !self.proxies.trusts(request.peer) {
            return None;
        }
        let mut given = request.header("X-Request-Id").map(str::trim);
        let id = given.next().filter(|id| given.all(|other| other == *id));
        id.filter(|id| can_be_taken_over(id))
    }

    /// Returns the header in which `peer` names the user. Only trusted addresses may name one,
    /// because other processes on the machine might be able to connect to a Unix socket.
    pub fn user_header(&self, peer: Peer) -> Option<&str> {
        let is_trusted = matches!(peer, Peer::Direct(_)) && self.proxies.trusts(peer);
        self.user_header.as_deref().filter(|_| is_trusted)
    }
}

#[cfg(test)]
mod tests {
    use super::super::proxies::network;
    use super::*;

    const PROXY: &str = "10.0.0.1";

    fn trust(user_header: Option<&str>) -> Trust {
        let proxies = Proxies::new(vec![network("10.0.0.0/8").expect("a network")]);
        Trust::new(proxies, user_header.map(str::to_owned))
    }

    /// Parses a peer: an IP address, or, if it is not one, a Unix socket.
    fn peer(text: &str) -> Peer {
        text.parse().map_or(Peer::Local, Peer::Direct)
    }

    fn request<'a>(from: &str, headers: &[(&'static str, &'static str)]) -> Request<'a> {
        let header = |(name, value): &(&'static str, &'static str)| (*name, (*value).into());
        Request {
            peer: peer(from),
            headers: headers.iter().map(header).collect(),
            ..Request::default()
        }
    }

    #[track_caller]
    fn check(request: &Request<'_>, sender: Peer, id: Option<&str>) {
        let trust = trust(None);
        assert_eq!((trust.sender(request), trust.id(request)), (sender, id));
    }

    #[test]
    fn only_trusted_proxies_name_client_and_id() {
        let headers = [
            ("x-forwarded-for", "6.6.6.6"),
            ("X-Forwarded-For", "203.0.113.7"),
            ("X-REQUEST-ID", " abc "),
        ];
        let client = Peer::Proxied("203.0.113.7".parse().expect("an address"));
        check(&request(PROXY, &headers), client, Some("abc"));
        check(&request("a Unix socket", &headers), client, Some("abc"));
        let stranger = peer("198.51.100.1");
        check(&request("198.51.100.1", &headers), stranger, None);
        check(&request("::ffff:198.51.100.1", &headers), stranger, None);
    }

    #[test]
    fn an_id_that_cannot_be_adopted_is_ignored() {
        for headers in [
            &[("X-Request-Id", "a b")][..],
            &[("X-Request-Id", "")],
            &[("X-Request-Id", "a"), ("X-Request-Id", "b")],
            &[],
        ] {
            check(&request(PROXY, headers), peer(PROXY), None);
        }
        let twice = [("X-Request-Id", "a"), ("X-Request-Id", "a")];
        check(&request(PROXY, &twice), peer(PROXY), Some("a"));
    }

    #[test]
    fn unix_socket_requests_without_a_client_are_logged_once() {
        let trust = trust(None);
        let named = request("a Unix socket", &[("X-Forwarded-For", "203.0.113.7")]);
        trust.sender(&named);
        assert!(!trust.nameless.ends(), "nothing to say yet");
        let nameless = request("a Unix socket", &[]);
        assert_eq!(trust.sender(&nameless), Peer::Local);
        assert_eq!(
            trust.nameless.occurs((), Instant::now()),
            None,
            "it is said"
        );
    }

    #[test]
    fn only_trusted_addresses_name_users_and_only_if_enabled() {
        assert_eq!(trust(None).user_header(peer(PROXY)), None);
        let on = trust(Some("X-Remote-User"));
        for (from, is_trusted) in [
            (PROXY, true),
            ("::ffff:10.0.0.1", true),
            ("198.51.100.1", false),
            ("127.0.0.1", false),
            ("a Unix socket", false),
        ] {
            let header = is_trusted.then_some("X-Remote-User");
            assert_eq!(on.user_header(peer(from)), header, "{from}");
        }
    }
}
