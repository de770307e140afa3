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

/// The parts of a request that an answer depends on.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// The method, in capitals.
    pub method: &'a str,
    /// The target: the path, and the query after `?`.
    pub target: &'a str,
    /// The names (in any case) and values of the headers.
    pub headers: Vec<(&'a str, Cow<'a, str>)>,
    /// Who sends it.
    pub peer: Peer,
    /// The time of receipt; none means now. The answer comes from the state of the data at that
    /// time or from a later one.
    pub received: Option<Instant>,
    /// The header in which a trusted proxy names the user, for requests from such a proxy.
    pub user_header: Option<&'a str>,
}

impl Request<'_> {
    /// Returns whether the method is one that reads.
    pub(super) fn is_read(&self) -> bool {
        matches!(self.method, "GET" | "HEAD")
    }

    /// Returns whether the target has a path, which those of `OPTIONS *` and of
    /// `CONNECT host:port` have not.
    pub(super) fn has_path(&self) -> bool {
        match self.method {
            "OPTIONS" => self.target != "*",
            method => method != "CONNECT",
        }
    }

    /// Returns the values of a header, in their order.
    pub(crate) fn header<'b>(&'b self, name: &'b str) -> impl DoubleEndedIterator<Item = &'b str> {
        self.headers
            .iter()
            .filter(move |(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| &**value)
    }
}
