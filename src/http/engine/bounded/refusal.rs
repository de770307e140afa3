//! Refusals of requests and connections, with their responses. They are counted but not in the
//! access log, because a flood of them would fill the disk.

use std::time::SystemTime;

use crate::http::engine::{Bounds, date};

/// The reason for a refused request or a closed connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The bound of connections is reached.
    Connections,
    /// The bound of connections from that address is reached.
    ConnectionsOfAddress,
    /// The head is too large.
    Head,
    /// The head has too many headers.
    Headers,
    /// The target is too long.
    Url,
    /// The head was not complete in time.
    HeadTime,
    /// The client did not read the response in time.
    WriteTime,
    /// Too many bytes of responses were unread.
    Pending,
    /// The head is malformed, with its fault.
    Malformed(&'static str),
    /// A GET or HEAD with a body.
    Body,
    /// An unknown expectation.
    Expectation,
    /// An unsupported version of HTTP.
    Version,
}

impl Refusal {
    /// One of each kind, in the order of [`Refusal::number`].
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

    /// Returns the name in the metrics.
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

    /// Returns the index in [`Refusal::ALL`].
    pub fn number(self) -> usize {
        let same = |other: &Self| other.name() == self.name();
        Self::ALL.iter().position(same).unwrap_or(0)
    }

    /// Returns the response with the reason in a sentence. The connection is closed after it. A
    /// response to HEAD has no body.
    pub fn response(self, bounds: &Bounds, with_body: bool) -> Vec<u8> {
        let (status, sentence) = match self {
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
                format!("A request may have {} headers.", Bounds::HEADERS),
            ),
            Self::Url => (
                "414 URI Too Long",
                format!("The target of a request may have {} bytes.", bounds.url()),
            ),
            // The client reads nothing in the last two cases, so they have no words of their own.
            Self::HeadTime | Self::WriteTime | Self::Pending => (
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
        };
        response(status, &sentence, with_body)
    }
}

/// Returns a response of the engine itself: a line of plain text. The connection is closed after
/// it. A response to HEAD has no body.
pub fn response(status: &str, sentence: &str, with_body: bool) -> Vec<u8> {
    let mut bytes = format!("HTTP/1.1 {status}\r\nDate: ").into_bytes();
    date::with(SystemTime::now(), |date| {
        bytes.extend_from_slice(date.as_bytes())
    });
    if status.starts_with("503") {
        bytes.extend_from_slice(b"\r\nRetry-After: 1");
    }
    let rest = format!(
        "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n\
         Connection: close\r\n\r\n",
        sentence.len() + 1
    );
    bytes.extend_from_slice(rest.as_bytes());
    if with_body {
        bytes.extend_from_slice(sentence.as_bytes());
        bytes.push(b'\n');
    }
    bytes
}
