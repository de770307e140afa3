//! Refused requests and connections, and the responses to them. Refusals are counted but not
//! logged, because a flood of them would fill the disk.

use crate::http::engine::Bounds;
use crate::http::engine::response::plain;

/// Why a request is refused or a connection closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// All connections are taken.
    Connections,
    /// All connections of that address are taken.
    ConnectionsOfAddress,
    Head,
    Headers,
    Url,
    /// The head did not arrive in time.
    HeadTime,
    /// The client read the response too slowly, or not at all.
    WriteTime,
    /// Clients have left too many response bytes unread.
    Pending,
    /// Names the malformed part.
    Malformed(&'static str),
    /// A GET or HEAD with a body.
    Body,
    /// An unknown value of `Expect`.
    Expectation,
    Version,
}

impl Refusal {
    /// One refusal of each kind, in the order of [`Refusal::number`].
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

    fn row(self) -> (&'static str, (&'static str, &'static str)) {
        match self {
            Self::Connections => ("connections", ("503", "Service Unavailable")),
            Self::ConnectionsOfAddress => {
                ("connections_of_address", ("503", "Service Unavailable"))
            }
            Self::Head => ("head", ("431", "Request Header Fields Too Large")),
            Self::Headers => ("headers", ("431", "Request Header Fields Too Large")),
            Self::Url => ("url", ("414", "URI Too Long")),
            Self::HeadTime => ("head_time", ("408", "Request Timeout")),
            // In these two cases the client is not reading, so it gets no response.
            Self::WriteTime => ("write_time", ("408", "Request Timeout")),
            Self::Pending => ("pending", ("408", "Request Timeout")),
            Self::Malformed(_) => ("malformed", ("400", "Bad Request")),
            Self::Body => ("body", ("413", "Content Too Large")),
            Self::Expectation => ("expectation", ("417", "Expectation Failed")),
            Self::Version => ("version", ("505", "HTTP Version Not Supported")),
        }
    }

    /// Returns the name in the metrics.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// Returns the index in [`Refusal::ALL`].
    pub fn number(self) -> usize {
        let same = |other: &Self| other.name() == self.name();
        Self::ALL.iter().position(same).unwrap_or(0)
    }

    fn sentence(self, bounds: &Bounds) -> String {
        match self {
            Self::Connections => "Too many connections. Try again later.".to_owned(),
            Self::ConnectionsOfAddress => {
                "Too many connections from your address. Close some, or try again later.".to_owned()
            }
            Self::Head => format!("Request line and headers may have {} bytes.", bounds.head),
            Self::Headers => format!("A request may have {} headers.", Bounds::HEADERS),
            Self::Url => format!("The target of a request may have {} bytes.", bounds.url()),
            Self::HeadTime | Self::WriteTime | Self::Pending => {
                let time = humantime::format_duration(bounds.head_time);
                format!("The request was not complete within {time}.")
            }
            Self::Malformed(what) => format!("Not an HTTP request: {what}."),
            Self::Body => "A request may not have a body.".to_owned(),
            Self::Expectation => "Only the expectation 100-continue is known.".to_owned(),
            Self::Version => "This server speaks HTTP/1.1 and HTTP/1.0.".to_owned(),
        }
    }

    /// Returns a response that states the reason. The server closes the connection afterwards.
    /// Responses to HEAD have no body.
    pub fn response(self, bounds: &Bounds, with_body: bool) -> Vec<u8> {
        let (_, status) = self.row();
        plain(status, &self.sentence(bounds), with_body)
    }
}
