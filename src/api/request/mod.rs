//! Requests, as the transport passes them on.

pub(super) mod accept;
pub(super) mod groups;
pub mod parameter;
pub mod parameter_table;
mod peer;
pub(super) mod query;
pub(super) mod reader;

use std::borrow::Cow;
use std::time::Instant;

pub use peer::Peer;

#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// Method name, in upper case.
    pub method: &'a str,
    /// The path, and the query after `?`.
    pub target: &'a str,
    /// Header names, in any case, and values.
    pub headers: Vec<(&'a str, Cow<'a, str>)>,
    pub peer: Peer,
    /// Arrival time of the request; `None` means now. The answer is based on the data as of that
    /// time, or on newer data.
    pub received: Option<Instant>,
    /// The header in which a trusted proxy names the user, if the request came through such a
    /// proxy.
    pub user_header: Option<&'a str>,
}

impl Request<'_> {
    pub(super) fn is_read(&self) -> bool {
        matches!(self.method, "GET" | "HEAD")
    }

    /// `OPTIONS *` and `CONNECT host:port` have no path.
    pub(super) fn has_path(&self) -> bool {
        match self.method {
            "OPTIONS" => self.target != "*",
            method => method != "CONNECT",
        }
    }

    /// Returns the values of all headers with this name, in order.
    pub(crate) fn header<'b>(&'b self, name: &'b str) -> impl DoubleEndedIterator<Item = &'b str> {
        self.headers
            .iter()
            .filter(move |(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| &**value)
    }
}
