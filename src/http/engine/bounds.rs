//! What the engine bounds, and what it tells a client that is past a bound.

use std::time::Duration;

use ipnet::IpNet;

/// The bounds of a server. Each has an option of `serve`; the README's table
/// says what happens past it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Connections in all; one more is told 503.
    pub connections: usize,
    /// Connections from one address (of IPv6 from one network of 64 bits); one
    /// more is told 503.
    pub connections_of_address: usize,
    /// Addresses whose connections are not counted one address at a time: those
    /// of proxies, which speak for many.
    pub uncounted: Vec<IpNet>,
    /// Bytes of a head, request line and headers; a larger one is told 431.
    pub head: usize,
    /// Headers of a request; more are told 431.
    pub headers: usize,
    /// Bytes of a request's target; a longer one is told 414.
    pub url: usize,
    /// From a head's first byte (of a connection's first head: from when the
    /// connection was accepted) to its last; a slower one is told 408.
    pub head_time: Duration,
    /// How long a connection may be idle between requests.
    pub idle_time: Duration,
    /// How long a client may take nothing of an answer.
    pub write_time: Duration,
    /// Bytes of answers, of all connections together, that wait to be taken by
    /// their clients. Past it the connections go that have taken nothing for the
    /// longest.
    pub pending: usize,
    /// Requests of one connection, none: any number.
    pub requests: Option<u64>,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            connections: 4096,
            connections_of_address: 1024,
            uncounted: Vec::new(),
            head: 16 << 10,
            headers: 100,
            url: 8 << 10,
            head_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(30),
            write_time: Duration::from_secs(20),
            pending: 64 << 20,
            requests: None,
        }
    }
}

/// Why a request was not passed on, or a connection not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// As many connections as there may be.
    Connections,
    /// As many connections from that address as there may be.
    ConnectionsOfAddress,
    /// The head is too large.
    Head,
    /// The head has too many headers.
    Headers,
    /// The target is too long.
    Url,
    /// The head was not complete in time.
    HeadTime,
    /// The answer was not taken in time.
    WriteTime,
    /// Too many bytes were waiting for clients.
    Pending,
    /// The head is not one: what is wrong with it.
    Malformed(&'static str),
    /// A GET or HEAD with a body.
    Body,
    /// An expectation that is not known.
    Expectation,
    /// A version that is not spoken.
    Version,
}

impl Refusal {
    /// One of each kind, in the order of their numbers.
    pub const ALL: [Self; 12] = [
        Self::Connections,
        Self::ConnectionsOfAddress,
        Self::Head,
        Self::Headers,
        Self::Url,
        Self::HeadTime,
        Self::WriteTime,
        Self::Pending,
        Self::Malformed(""),
        Self::Body,
        Self::Expectation,
        Self::Version,
    ];

    /// Its name, for figures and for the log.
    pub fn name(self) -> &'static str {
        match self {
            Self::Connections => "connections",
            Self::ConnectionsOfAddress => "connections_of_address",
            Self::Head => "head",
            Self::Headers => "headers",
            Self::Url => "url",
            Self::HeadTime => "head_time",
            Self::WriteTime => "write_time",
            Self::Pending => "pending",
            Self::Malformed(_) => "malformed",
            Self::Body => "body",
            Self::Expectation => "expectation",
            Self::Version => "version",
        }
    }

    /// Its place in [`Refusal::ALL`].
    pub(super) fn number(self) -> usize {
        let same = |other: &Self| other.name() == self.name();
        Self::ALL.iter().position(same).unwrap_or(0)
    }

    /// The status, with its reason, and the sentence that the client is told; none
    /// where it can be told nothing more.
    pub(super) fn answer(self, bounds: &Bounds) -> Option<(&'static str, String)> {
        let answer = match self {
            Self::Connections => (
                "503 Service Unavailable",
                "Too many connections. Try again later.".to_owned(),
            ),
            Self::ConnectionsOfAddress => (
                "503 Service Unavailable",
                "Too many connections from your address. Close some, or try again later."
                    .to_owned(),
            ),
            Self::Head => (
                "431 Request Header Fields Too Large",
                format!("Request line and headers may have {} bytes.", bounds.head),
            ),
            Self::Headers => (
                "431 Request Header Fields Too Large",
                format!("A request may have {} headers.", bounds.headers),
            ),
            Self::Url => (
                "414 URI Too Long",
                format!("The target of a request may have {} bytes.", bounds.url),
            ),
            Self::HeadTime => (
                "408 Request Timeout",
                format!(
                    "The request was not complete within {}.",
                    humantime::format_duration(bounds.head_time)
                ),
            ),
            Self::Malformed(what) => ("400 Bad Request", format!("Not an HTTP request: {what}.")),
            Self::Body => (
                "413 Content Too Large",
                "A request may not have a body.".to_owned(),
            ),
            Self::Expectation => (
                "417 Expectation Failed",
                "Only the expectation 100-continue is known.".to_owned(),
            ),
            Self::Version => (
                "505 HTTP Version Not Supported",
                "HTTP/1.1 and HTTP/1.0 are spoken here.".to_owned(),
            ),
            Self::WriteTime | Self::Pending => return None,
        };
        Some(answer)
    }
}
