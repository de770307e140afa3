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
use head::ReplyHead;

pub use file_body::{FileBody, LargeBody};

/// Names and values, in the order of sending.
pub type Headers = Vec<(&'static str, Cow<'static, str>)>;

/// A response without the headers that the transport adds (length and connection).
#[derive(Debug, PartialEq, Eq)]
pub struct Response {
    pub status: Status,
    pub headers: Headers,
    /// The body. For a HEAD request, this is the body of the corresponding GET.
    pub body: Vec<u8>,
    /// The body of a large answer, in which case `body` is empty.
    pub large: Option<LargeBody>,
    /// What the access log records.
    pub note: Note,
}

/// A response whose headers have not been written yet.
pub(super) struct Reply {
    pub head: ReplyHead,
    pub body: AnswerBody,
}

impl Reply {
    /// Takes the body from `buffer`.
    pub fn new(head: ReplyHead, buffer: &mut Vec<u8>) -> Self {
        let body = AnswerBody::Memory(mem::take(buffer));
        Self { head, body }
    }
}

impl Response {
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

    /// Returns whether the response is incomplete because the client has disconnected.
    pub fn is_cut(&self, method: &str) -> bool {
        match self.large {
            Some(LargeBody::Abandoned) => true,
            Some(LargeBody::Unwritten) => self.status.has_body() && method != "HEAD",
            Some(LargeBody::File(_)) | None => false,
        }
    }

    /// Returns the length of the body in bytes; `None` if the body was not written.
    pub fn length(&self) -> Option<u64> {
        match &self.large {
            None => Some(self.body.len() as u64),
            Some(LargeBody::File(file)) => Some(file.length()),
            Some(LargeBody::Unwritten | LargeBody::Abandoned) => None,
        }
    }
}

/// The quota of a client with a rate limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// The burst: how many requests are accepted at once after a pause.
    pub limit: u64,
    /// Number of requests that the limit would still accept now.
    pub remaining: u64,
    /// Seconds without requests until the burst is complete again.
    pub reset: u64,
}

/// What logs record about a request. Nothing in it can be forged by a client, and it contains no
/// key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The request's path, if it is one of the service's own.
    pub endpoint: Option<&'static str>,
    /// Code in an error body; `error` if the body has no code.
    pub error: Option<String>,
    pub key_name: Option<Arc<str>>,
    /// Why the request failed internally. This is only logged.
    pub failure: Option<String>,
    /// The lookup, if the API is audited. No other field of a note names a supplier.
    pub lookup: Option<AuditedLookup>,
}

/// What the audit trail records about a lookup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedLookup {
    pub endpoint: &'static str,
    /// Canonical query without the key; `None` if the query is malformed.
    pub query: Option<String>,
    /// The day that the response depends on, if any.
    pub day: Option<Date>,
    /// INNs of the suppliers, as given.
    pub suppliers: Vec<String>,
    /// Result of the lookup; `None` for an error without one.
    pub result: Option<LookupResult>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LookupResult {
    /// Number of results on all pages together.
    Count(u64),
    /// Row counts of an answer that may contain only some of the rows found.
    Rows(RowCount),
    /// The verdict on each supplier, in order.
    Verdicts(Arc<[Verdict]>),
}

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
