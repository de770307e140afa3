//! Requests, as the transport hands them over.

pub(super) mod accept;
pub(super) mod encoding;
pub mod parameter;
pub mod parameter_table;
pub(super) mod query;

use std::borrow::Cow;
use std::net::IpAddr;
use std::time::Instant;

/// A request, as far as an answer depends on it.
#[derive(Clone, Debug, Default)]
pub struct Request<'a> {
    /// The method, in capitals.
    pub method: &'a str,
    /// The target: path, and the query after a `?`.
    pub target: &'a str,
    /// Names (in any case) and values of the headers.
    pub headers: Vec<(&'a str, Cow<'a, str>)>,
    /// The client's address, where the transport has one.
    pub client: Option<IpAddr>,
    /// When it had been received; none: now. It is answered from the state that the data had
    /// at that time, or from a later one.
    pub received: Option<Instant>,
    /// The header in which a trusted proxy names the user, if it came from such a proxy.
    pub user_header: Option<&'a str>,
}

impl Request<'_> {
    /// The values of a header, in their order.
    pub(crate) fn header<'b>(&'b self, name: &'b str) -> impl DoubleEndedIterator<Item = &'b str> {
        self.headers
            .iter()
            .filter(move |(given, _)| given.eq_ignore_ascii_case(name))
            .map(|(_, value)| &**value)
    }
}
