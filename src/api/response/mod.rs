//! Responses: what the transport sends.

pub(super) mod cache;
pub(super) mod draft;
pub(super) mod etag;
pub(super) mod file_name;
pub(super) mod packing;
pub mod receipt;
pub mod signing_key;
pub(super) mod workbook;

use std::borrow::Cow;
use std::sync::Arc;

use super::status::Status;
use crate::model::{Date, Verdict};
use crate::render::RowCount;

/// Headers, in the order they are sent.
pub type Headers = Vec<(&'static str, Cow<'static, str>)>;

/// A response, save what the transport adds (length, connection).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The HTTP status.
    pub status: Status,
    /// The headers, in the order they are sent.
    pub headers: Headers,
    /// The body; of a HEAD request the one a GET would have.
    pub body: Vec<u8>,
    /// What the access log says of it.
    pub note: Note,
}

/// What the log says of a request: nothing a client could forge, no key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Note {
    /// The path, if it is one of the service's.
    pub endpoint: Option<&'static str>,
    /// The code of an error body; `error` for one without a code.
    pub error: Option<String>,
    /// The name of the key.
    pub key_name: Option<Arc<str>>,
    /// Why there is no answer, where the fault is here: for the log alone.
    pub failure: Option<String>,
    /// What was looked up, where the API is audited; nothing else names a supplier.
    pub lookup: Option<AuditedLookup>,
}

/// A lookup, for the audit trail alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditedLookup {
    /// The endpoint's path.
    pub endpoint: &'static str,
    /// What was asked, in one spelling, without the key; none where it cannot be read.
    pub query: Option<String>,
    /// The day that the response is about, where it depends on one.
    pub day: Option<Date>,
    /// The suppliers' INNs, as they were given.
    pub suppliers: Vec<String>,
    /// What was found; none where an error was answered that does not say.
    pub finding: Option<Finding>,
}

/// What a lookup found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// So many, of all pages.
    Count(u64),
    /// Some rows of all that were found.
    Rows(RowCount),
    /// A verdict on each supplier, in their order.
    Verdicts(Arc<[Verdict]>),
}
