//! Responses, as the transport sends them.

pub(super) mod answered;
pub(super) mod cache;
pub(super) mod etag;
pub(super) mod file_body;
pub(super) mod file_name;
pub(super) mod head;
pub(super) mod large;
pub(super) mod packing;
pub(super) mod places;
pub mod receipt;
pub mod signing_key;
pub(super) mod workbook;

use std::borrow::Cow;
use std::mem;
use std::sync::Arc;

use super::status::Status;
use crate::model::{Date, Verdict};
use crate::render::RowCount;
use answered::AnswerBody;
use head::Head;

pub use file_body::{FileBody, LargeBody};

/// Headers, in sending order.
pub type Headers = Vec<(&'static str, Cow<'static, str>)>;

/// A response without the headers that the transport adds (length, connection).
#[derive(Debug, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: Status,
    /// The headers, in sending order.
    pub headers: Headers,
    /// The body. For a HEAD request it is the body of the GET.
    pub body: Vec<u8>,
    /// The body of a large answer; `body` is then empty.
    pub large: Option<LargeBody>,
    /// The data for the access log.
    pub note: Note,
}

/// A response before its headers are written.
pub(super) struct Reply {
    pub head: Head,
    pub body: AnswerBody,
}

impl Reply {
    /// Returns a reply with the body in `buffer`, which it takes.
    pub fn new(head: Head, buffer: &mut Vec<u8>) -> Self {
        let body = AnswerBody::Memory(mem::take(buffer));
        Self { head, body }
    }
}

impl Response {
    /// Returns the response with this reply.
    pub(super) fn new(Reply { head, body }: Reply, note: Note) -> Self {
        let (body, large) = match body {
            AnswerBody::Memory(body) => (body, None),
            AnswerBody::Large(large) => (Vec::new(), Some(large)),
        };
        Self {
            status: head.status,
            headers: head.headers(),
            body,
            large,
            note,
        }
    }

    /// Returns whether a body is missing that the request with this method needs, because its client
    /// is gone.
    pub fn is_cut(&self, method: &str) -> bool {
        let is_unwritten = self.large == Some(LargeBody::Unwritten);
        is_unwritten && self.status.has_body() && method != "HEAD"
    }

    /// Returns the length of the body in bytes; `None` if the body was not written.
    pub fn length(&self) -> Option<u64> {
        match &self.large {
            None => Some(self.body.len() as u64),
            Some(LargeBody::File(file)) => Some(file.length()),
            Some(LargeBody::Unwritten) => None,
        }
    }
}

/// The quota of a client with a limit of load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The burst: requests that pass at once after a pause.
    pub limit: u64,
    /// The requests that can be made now.
    pub remaining: u64,
    /// Seconds until the whole burst is available again without further requests.
    pub reset: u64,
}

/// The data of a request for the log: nothing that a client could forge, and no key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The path, if it is one of the service's.
    pub endpoint: Option<&'static str>,
    /// The code of an error body; `error` for one without a code.
    pub error: Option<String>,
    /// The name of the key.
    pub key_name: Option<Arc<str>>,
    /// The reason of an internal failure, only for the log.
    pub failure: Option<String>,
    /// The lookup, if the API is audited. No other field names a supplier.
    pub lookup: Option<AuditedLookup>,
}

/// A lookup, only for the audit trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedLookup {
    /// The endpoint's path.
    pub endpoint: &'static str,
    /// The canonical query without the key; none if it is malformed.
    pub query: Option<String>,
    /// The day of the response, if it depends on one.
    pub day: Option<Date>,
    /// The suppliers' INNs, as they were given.
    pub suppliers: Vec<String>,
    /// The result; none for an error without one.
    pub result: Option<LookupResult>,
}

/// The result of a lookup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupResult {
    /// A number of results over all pages.
    Count(u64),
    /// Some of the found rows.
    Rows(RowCount),
    /// A verdict on each supplier, in their order.
    Verdicts(Arc<[Verdict]>),
}

/// Returns bytes as lower-case hexadecimal digits.
fn hexadecimal(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        for half in [byte >> 4, byte & 15] {
            let first = if half < 10 { b'0' } else { b'a' - 10 };
            text.push(char::from(first + half));
        }
    }
    text
}
