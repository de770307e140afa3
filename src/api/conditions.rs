//! The client's conditions on a response.

use std::time::Instant;

use super::request::Request;
use super::request::accept::AcceptEncoding;
use super::response::etag::IfNoneMatch;

/// The client's conditions on a response, and the state of the data that it may rest on.
#[derive(Default)]
pub struct Conditions<'a> {
    /// The responses that the client has.
    pub if_none_match: IfNoneMatch<'a>,
    /// The encoding that the client accepts.
    pub accept: AcceptEncoding,
    /// Whether the client asks for the headers alone.
    pub is_head: bool,
    /// The time of receipt; `None` means now.
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
