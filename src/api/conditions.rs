//! What a client says about the response it wants.

use std::time::Instant;

use super::request::Request;
use super::request::accept::AcceptEncoding;
use super::response::etag::IfNoneMatch;

#[derive(Default)]
pub struct Conditions<'a> {
    /// Responses that the client already has.
    pub if_none_match: IfNoneMatch<'a>,
    pub accept: AcceptEncoding,
    /// Whether the client wants only the headers.
    pub is_head: bool,
    /// When the request arrived, which is the oldest state of the data that may be used. `None`
    /// means now.
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
