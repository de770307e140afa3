//! Limits of the bounded engine.

use std::time::Duration;

use ipnet::IpNet;

/// Limits of a server. Each has an option of `serve`, whose effect the manual describes. Limits
/// that nobody needs to change are constants.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Maximum number of connections. Further connections get a 503. Idle connections are not
    /// closed to make room, because it would then depend on the order of arrival which clients are
    /// served.
    pub connections: usize,
    /// Maximum number of connections per address; IPv6 addresses are grouped by /64 network.
    /// Further connections get a 503.
    pub connections_of_address: usize,
    /// Addresses whose connections are not counted: proxies, which connect on behalf of many
    /// clients.
    pub uncounted: Vec<IpNet>,
    /// Maximum size of a head (request line and headers), in bytes. Larger heads get a 431.
    pub head: usize,
    /// Maximum time from the first to the last byte of a head. Slower heads get a 408. For the
    /// first head of a connection, the time starts when the connection is accepted.
    pub head_time: Duration,
    /// How long a connection may be idle between requests.
    pub idle_time: Duration,
    /// Maximum time in which a client must read the next [`Bounds::least_read`] bytes of a
    /// response.
    pub write_time: Duration,
    /// Minimum rate at which a client must read a response, in bytes per second averaged over
    /// [`Bounds::write_time`]. At the default, a file of 50 MB occupies disk space for less than
    /// two hours.
    pub least_rate: usize,
    /// Maximum number of response bytes that clients have not read, over all connections. Beyond
    /// it, the server closes the connections of clients that have not read for at least a second,
    /// starting with those that have gone longest. A client that keeps reading is never cut off for
    /// one that does not.
    pub pending: usize,
}

impl Bounds {
    /// Headers per request. More get a 431.
    pub const HEADERS: usize = 100;

    /// Returns the maximum length of a request target in bytes. It never exceeds the maximum length
    /// of a head. Longer targets get a 414.
    pub fn url(&self) -> usize {
        self.head.min(8 << 10)
    }

    /// Returns how many bytes of a response a client must read per [`Bounds::write_time`], or all
    /// that are left if there are fewer.
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
