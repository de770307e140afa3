//! A response in the making.

use std::borrow::Cow;

use super::super::error::Checked;
use super::super::request::encoding::Encoding;
use super::super::status::Status;
use super::{Headers, Note, Response};
use crate::model::timestamp;
use crate::render::RowCount;

/// What a page may load and do: what comes from here, nothing else; no script or style
/// within the HTML; and nobody may frame it.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

/// How a client is to authenticate itself (RFC 9110, 11.6.1).
const CHALLENGE: &str = "ApiKey realm=\"procurement-lookup\"";

/// A response in the making. The steps of an answer fill its fields, and
/// [`Draft::finish`] alone writes headers, those for other origins aside (`guard/cors.rs`).
#[derive(Debug, Default)]
pub struct Draft {
    /// The HTTP status.
    pub status: Status,
    /// The body; none where the client has it.
    pub body: Vec<u8>,
    /// The media type of the body, if there is one.
    pub content_type: Option<&'static str>,
    /// How the body is encoded.
    pub encoding: Encoding,
    /// The name of a file with the body.
    pub file: Option<String>,
    /// The entity tag, with its quotes.
    pub etag: Option<String>,
    /// When an import last changed the data, in seconds since 1970.
    pub updated: Option<i64>,
    /// How many rows a file has, and how many were found.
    pub rows: Option<RowCount>,
    /// The cursor to go on with, where the body has no place for it.
    pub next: Option<String>,
    /// The verdict with its ground, where the body has no place for them.
    pub checked: Option<Checked>,
    /// Who may cache the response, and for how long.
    pub cache: Option<&'static str>,
    /// The receipt.
    pub receipt: Option<String>,
    /// The headers of the request that it depends on.
    pub vary: Option<&'static str>,
    /// Whether a browser may show it as a page.
    pub is_page: bool,
    /// After how many seconds the request is worth another try.
    pub wait: Option<u64>,
    /// What is wrong with the request, in a sentence.
    pub detail: Option<String>,
    /// How the client stands with a limit of load.
    pub standing: Option<Standing>,
    /// The parameters that the endpoint does not know.
    pub ignored: Option<String>,
    /// Whether the data is the demonstration's.
    pub is_demonstration: bool,
    /// What the access log says.
    pub note: Note,
}

/// How a client stands with a limit of load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How many requests can be made at once after a pause: the burst.
    pub limit: u64,
    /// How many of these can be made now.
    pub remaining: u64,
    /// Seconds until all of them can be made again, if none is made until then.
    pub reset: u64,
}

impl Draft {
    /// A draft whose body is written to `buffer`.
    pub fn new(mut buffer: Vec<u8>, note: Note) -> Self {
        buffer.clear();
        Self {
            body: buffer,
            note,
            ..Self::default()
        }
    }

    /// Takes back what a handler has written: a part of a response may be there, from data
    /// that has moved on or cannot be read.
    pub fn restart(&mut self) {
        self.body.clear();
        self.next = None;
        self.checked = None;
    }

    /// Leaves the body out, as the client has it.
    pub fn omit_body(&mut self) {
        self.status = Status::NotModified;
        self.encoding = Encoding::Identity;
        self.body.clear();
    }

    /// The response.
    pub fn finish(self) -> Response {
        let mut headers = Headers::with_capacity(12);
        let mut add = |name, value: Option<Cow<'static, str>>| {
            headers.extend(value.map(|value| (name, value)));
        };
        let text = |text: Option<&'static str>| text.map(Cow::from);
        add("Content-Type", text(self.content_type));
        add("Content-Encoding", text(self.encoding.name()));
        let attachment = |name: String| ["attachment; filename=\"", &name, "\""].concat().into();
        add("Content-Disposition", self.file.map(attachment));
        add("ETag", self.etag.map(Cow::from));
        let number = |number: u64| Some(Cow::from(number.to_string()));
        add("X-Row-Count", self.rows.and_then(|rows| number(rows.rows)));
        add(
            "X-Total-Count",
            self.rows.and_then(|rows| number(rows.total)),
        );
        let updated = self.updated.map(timestamp);
        add("X-Data-Updated", updated.map(Cow::from));
        add("X-Next", self.next.map(Cow::from));
        if let Some(checked) = self.checked {
            add("X-Registries", Some(checked.ground.to_string().into()));
            add("X-RNP-Verdict", text(Some(checked.verdict.code())));
        }
        add("Cache-Control", text(self.cache));
        add("X-Receipt", self.receipt.map(Cow::from));
        add("Vary", text(self.vary));
        if self.is_page {
            add(
                "Content-Security-Policy",
                text(Some(CONTENT_SECURITY_POLICY)),
            );
            add("X-Frame-Options", text(Some("DENY")));
            add("Referrer-Policy", text(Some("no-referrer")));
        }
        let is = |status| self.status == status;
        add(
            "Allow",
            is(Status::MethodNotAllowed).then_some("GET, HEAD".into()),
        );
        add(
            "WWW-Authenticate",
            is(Status::Unauthorized).then_some(CHALLENGE.into()),
        );
        add("Retry-After", self.wait.and_then(number));
        add("X-Error-Detail", self.detail.map(Cow::from));
        if let Some(standing) = self.standing {
            add("RateLimit-Limit", number(standing.limit));
            add("RateLimit-Remaining", number(standing.remaining));
            add("RateLimit-Reset", number(standing.reset));
        }
        add("X-Ignored-Parameters", self.ignored.map(Cow::from));
        add(
            "X-Data",
            text(self.is_demonstration.then_some("demonstration")),
        );
        Response {
            status: self.status,
            headers,
            body: self.body,
            note: self.note,
        }
    }
}
