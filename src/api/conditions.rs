//! The conditions that a client sets on a response.

use std::time::Instant;

use super::request::Request;
use super::request::accept::AcceptEncoding;
use super::response::etag::IfNoneMatch;

#[derive(Default)]
pub struct Conditions<'a> {
    /// Entity tags of the responses that the client already has.
    pub if_none_match: IfNoneMatch<'a>,
    pub accept: AcceptEncoding,
    /// Whether the client wants only the headers.
    pub is_head: bool,
    /// Arrival time of the request. The data must not be older than this; `None` means now.
    pub received: Option<Instant>,
}

impl<'a> Conditions<'a> {
    pub fn read(request: &'a Request<'_>) -> Self {
        Self {
            if_none_match: IfNoneMatch::parse(request.header("If-None-Match")),
            accept: AcceptEncoding::parse(request.header("Accept-Encoding")),
            is_head: request.method == "HEAD",
            received: request.received,
        }
    }
}
