//! What the bounded engine bounds.

use std::time::Duration;

use ipnet::IpNet;

/// The bounds of a server. Each has an option of `serve`; the manual's table says what
/// happens past it. Bounds that no one has a reason to change are constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Connections in all; one more is answered 503. No idle one is closed to make room, so
    /// that what happens does not depend on who came first.
    pub connections: usize,
    /// Connections from one address (of IPv6 from one network of 64 bits); one
    /// more is answered 503.
    pub connections_of_address: usize,
    /// Addresses whose connections are not counted: those of proxies, which speak for many.
    pub uncounted: Vec<IpNet>,
    /// Bytes of a head, request line and headers; a larger one is answered 431.
    pub head: usize,
    /// From a head's first byte (of a connection's first head: from when the
    /// connection was accepted) to its last; a slower one is answered 408.
    pub head_time: Duration,
    /// How long a connection may be idle between requests.
    pub idle_time: Duration,
    /// How long a client may take nothing of a response.
    pub write_time: Duration,
    /// Bytes of responses, of all connections together, that wait to be taken by
    /// their clients. Past it the connections go that have taken nothing for the
    /// longest, at least a second: a client that reads, however slowly, is not cut off for
    /// one that does not.
    pub pending: usize,
}

impl Bounds {
    /// Headers of a request; more are answered 431.
    pub const HEADERS: usize = 100;

    /// Bytes of a request's target, which is no longer than a head; a longer one is
    /// answered 414.
    pub fn url(&self) -> usize {
        self.head.min(8 << 10)
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_of_address: 1024,
            uncounted: Vec::new(),
            head: 16 << 10,
            head_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(30),
            write_time: Duration::from_secs(20),
            pending: 64 << 20,
        }
    }
}
