//! The head of a response: status, properties, and the headers made from them.

use std::borrow::Cow;

use super::super::error::Checked;
use super::super::request::accept::Encoding;
use super::super::status::Status;
use super::{Headers, Quota};
use crate::model::timestamp;
use crate::render::RowCount;

/// Content Security Policy of pages: everything is loaded from this server, no scripts or styles
/// inside the HTML, no embedding in frames.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
     frame-ancestors 'none'";

/// Asks the client to authenticate (RFC 9110, 11.6.1).
const CHALLENGE: &str = "ApiKey realm=\"procurement-lookup\"";

#[derive(Debug, Default)]
pub struct ReplyHead {
    pub status: Status,
    pub content_type: Option<&'static str>,
    pub encoding: Encoding,
    /// Name under which to save the body.
    pub file: Option<String>,
    /// Entity tag, including the quotes.
    pub etag: Option<String>,
    /// Time of the last import that changed the data, in seconds since 1970.
    pub updated: Option<i64>,
    /// The number of rows in a file, and the number of rows found.
    pub rows: Option<RowCount>,
    /// The next cursor, if only a header can contain it.
    pub next: Option<String>,
    /// The verdict, if only a header can contain it.
    pub checked: Option<Checked>,
    pub cache: Option<&'static str>,
    pub receipt: Option<String>,
    /// Request headers that the response depends on.
    pub vary: Option<&'static str>,
    /// Whether browsers may display the body as a page.
    pub is_page: bool,
    /// Seconds to wait before retrying.
    pub wait: Option<u64>,
    /// An English sentence that says what is wrong with the request.
    pub detail: Option<String>,
    /// The client's quota, if a rate limit applies.
    pub quota: Option<Quota>,
    /// Names of parameters that the endpoint does not know.
    pub ignored: Option<String>,
    /// Whether this is the demonstration data.
    pub is_demonstration: bool,
}

impl ReplyHead {
    /// Returns all headers that the API sets, except the CORS headers (`guard/cors.rs`).
    pub fn headers(self) -> Headers {
        let mut headers = Headers::with_capacity(12);
        let mut add = |name, value: Option<Cow<'static, str>>| {
            headers.extend(value.map(|value| (name, value)));
        };
        let text = |text: Option<&'static str>| text.map(Cow::from);
        add("Content-Type", text(self.content_type));
        add("Content-Encoding", text(self.encoding.name()));
        let attachment = |name: String| ["attachment; filename=\"", &name, "\""].concat().into();
        let is_file = self.file.is_some();
        add("Content-Disposition", self.file.map(attachment));
        add("Accept-Ranges", text(is_file.then_some("none")));
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
            add("X-Registries", Some(checked.ground.text().into()));
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
        if let Some(quota) = self.quota {
            add("RateLimit-Limit", number(quota.limit));
            add("RateLimit-Remaining", number(quota.remaining));
            add("RateLimit-Reset", number(quota.reset));
        }
        add("X-Ignored-Parameters", self.ignored.map(Cow::from));
        add(
            "X-Data",
            text(self.is_demonstration.then_some("demonstration")),
        );
        headers
    }
}
