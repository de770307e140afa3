//! The bounds of the bounded engine.

use std::time::Duration;

use ipnet::IpNet;

/// The bounds of a server. Each has an option of `serve`, and the manual describes its effect.
/// Bounds that no one has a reason to change are constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Connections in all; one more is answered 503. Idle ones are not closed to make room, so that
    /// the outcome does not depend on the order of clients.
    pub connections: usize,
    /// Connections from one address (of IPv6 from one network of 64 bits); one
    /// more is answered 503.
    pub connections_of_address: usize,
    /// Addresses whose connections are not counted: those of proxies, which connect for many
    /// clients.
    pub uncounted: Vec<IpNet>,
    /// Bytes of a head, request line and headers; a larger one is answered 431.
    pub head: usize,
    /// The time from a head's first byte to its last; a slower one is answered 408. The time of a
    /// connection's first head begins when the connection is accepted.
    pub head_time: Duration,
    /// The longest idle time between requests.
    pub idle_time: Duration,
    /// The time in which a client must read [`Bounds::least_read`] of a response, again and again.
    pub write_time: Duration,
    /// The slowest reading, in bytes a second over [`Bounds::write_time`]. A client that reads a
    /// file of 50 MB holds its room on the disk for 100 minutes at most.
    pub least_rate: usize,
    /// Bytes of unread responses, of all connections together. Beyond it, the connections that have
    /// read nothing for the longest time, at least a second, are closed. So a client that reads is
    /// not cut off for one that does not.
    pub pending: usize,
}

impl Bounds {
    /// Headers of a request; more are answered 431.
    pub const HEADERS: usize = 100;

    /// Returns the most bytes of a request's target, at most those of a head; a longer one is
    /// answered 414.
    pub fn url(&self) -> usize {
        self.head.min(8 << 10)
    }

    /// Returns the bytes of a response that a client must read in [`Bounds::write_time`], unless
    /// that is all of it.
    pub fn least_read(&self) -> usize {
        let millis = usize::try_from(self.write_time.as_millis()).unwrap_or(usize::MAX);
        (self.least_rate.saturating_mul(millis) / 1000).max(1)
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
            least_rate: 8 << 10,
            pending: 64 << 20,
        }
    }
}
