//! Failures: the kind of error, and the details of the case. What the client is told and what is
//! only logged are kept apart.

use std::borrow::Cow;
use std::io;

pub use super::error_kind::ErrorKind;
use super::status::Status;
use crate::model::{Ground, Language, Verdict, Words};
use crate::render::{self, Body, ErrorBody, Format, RenderError, Root, Workbook};
use crate::store::{self, TooBroad};

const ERROR: Words = Words("Ошибка", "Error");

/// Upper bound on `limit` in XML and JSON (specification, "Limits").
pub const MAX_LIMIT: u64 = 200;

/// Upper bound on `limit` in CSV and XLSX, and the default there.
pub const MAX_FILE_ROWS: u64 = 100_000;

/// Why a request gets no data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: ErrorKind,
    pub particulars: Particulars,
}

/// Details in which failures of the same kind differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Particulars {
    None,
    /// Name of the wrong parameter, shortened if the parameter is unknown.
    Parameter(Cow<'static, str>),
    /// The requested number of rows, in digits, and the maximum.
    Limit(String, u64),
    /// A search is too broad: it has at least this many results.
    AtLeast(u64),
    /// Seconds to wait before retrying.
    Wait(u64),
    /// The verdict, which the response headers state despite the failure.
    Verdict(Box<Checked>),
    /// Reason for the log. The client never sees it.
    Reason(String),
}

/// A verdict and its basis. Sent in headers, because the body has no fields for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    pub ground: Ground,
    pub verdict: Verdict,
}

impl Checked {
    /// States the verdict and its basis in a sentence, for callers without access to headers.
    pub fn sentence(&self) -> String {
        let (verdict, day) = (self.verdict.code(), self.ground.day);
        format!(
            "RNP verdict as of {day}: {verdict}. Registries it rests on: {}.",
            self.ground
        )
    }
}

/// Seconds to wait before retrying while no server is reachable.
const RETRY_AFTER: u64 = 1;

impl Failure {
    pub fn of_parameter(kind: ErrorKind, name: impl Into<Cow<'static, str>>) -> Self {
        let particulars = Particulars::Parameter(name.into());
        Self { kind, particulars }
    }

    /// Creates the failure for a wrong parameter that has no error of its own.
    pub fn bad_parameter(name: impl Into<Cow<'static, str>>) -> Self {
        Self::of_parameter(ErrorKind::BadParameter, name)
    }

    pub fn limit_too_large(requested: String, allowed: u64) -> Self {
        Self {
            kind: ErrorKind::LimitTooLarge,
            particulars: Particulars::Limit(requested, allowed),
        }
    }

    pub fn too_many_requests(seconds: u64) -> Self {
        Self {
            kind: ErrorKind::TooManyRequests,
            particulars: Particulars::Wait(seconds),
        }
    }

    /// Creates the failure for a check that fails although the verdict is known.
    pub fn of_check(kind: ErrorKind, checked: Checked) -> Self {
        let particulars = Particulars::Verdict(Box::new(checked));
        Self { kind, particulars }
    }

    pub fn unavailable(reason: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Unavailable,
            particulars: Particulars::Reason(reason.into()),
        }
    }

    pub fn server(reason: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Server,
            particulars: Particulars::Reason(reason.into()),
        }
    }

    /// The panic message is left out, because it may quote the request.
    pub fn panicked() -> Self {
        Self::server("a panic")
    }

    /// Returns the text for the client, with its placeholders filled in.
    pub fn text(&self) -> Cow<'static, str> {
        let text = self.kind.row().text;
        match &self.particulars {
            Particulars::Parameter(name) => text.replace("NAME", name).into(),
            Particulars::Limit(requested, allowed) => {
                // Replace `MAX` first: it contains no `N`. The client's digits must come last,
                // because anything in them would be taken for a placeholder.
                let text = text.replace("MAX", &allowed.to_string());
                text.replace('N', requested).into()
            }
            _ => text.into(),
        }
    }

    pub fn parameter(&self) -> Option<&str> {
        match &self.particulars {
            Particulars::Parameter(name) => Some(name),
            Particulars::Limit(..) => Some("limit"),
            _ => None,
        }
    }

    pub fn reason(&self) -> Option<&str> {
        match &self.particulars {
            Particulars::Reason(reason) => Some(reason),
            _ => None,
        }
    }

    pub fn checked(&self) -> Option<Checked> {
        match &self.particulars {
            Particulars::Verdict(checked) => Some(**checked),
            _ => None,
        }
    }

    /// Returns the HTTP status. `has_statuses` says whether the endpoint reports errors by status.
    pub fn status(&self, has_statuses: bool) -> Status {
        self.kind.status(has_statuses)
    }

    /// Returns whether the `format` parameter is wrong. The error body then has the default format.
    pub fn is_of_format(&self) -> bool {
        self.parameter() == Some("format")
    }

    pub fn at_least(&self) -> Option<u64> {
        match self.particulars {
            Particulars::AtLeast(count) => Some(count),
            _ => None,
        }
    }

    pub fn retry_after(&self) -> Option<u64> {
        match self.particulars {
            Particulars::Wait(seconds) => Some(seconds),
            _ => self.kind.row().has_wait.then_some(RETRY_AFTER),
        }
    }

    /// Writes the error body with the root element `root`. `language` is that of a workbook's
    /// headings.
    pub fn write(&self, root: Root, format: Format, language: Language, out: &mut Vec<u8>) {
        write_error(self.kind, &self.text(), root, format, language, out);
    }
}

/// See [`Failure::write`].
pub fn write_error(
    kind: ErrorKind,
    text: &str,
    root: Root,
    format: Format,
    language: Language,
    out: &mut Vec<u8>,
) {
    let (root, code) = (kind.root(root), kind.code());
    let workbook = &|| Workbook {
        sheet: "error",
        title: ERROR.to(language).to_owned(),
        language,
        time: 0,
    };
    let body = &mut Body {
        out,
        file: None,
        format,
        workbook,
    };
    // The only possible error is a workbook that is too large, and two rows always fit.
    let _ = render::answer(body, &ErrorBody { root, code, text });
}

impl From<ErrorKind> for Failure {
    fn from(kind: ErrorKind) -> Self {
        let particulars = Particulars::None;
        Self { kind, particulars }
    }
}

impl From<TooBroad> for Failure {
    fn from(TooBroad { at_least }: TooBroad) -> Self {
        Self {
            kind: ErrorKind::TooBroad,
            particulars: Particulars::AtLeast(at_least),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::server(error.to_string())
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        match error {
            RenderError::TooLarge(rows) => Self::limit_too_large(MAX_FILE_ROWS.to_string(), rows),
            RenderError::NotWritten(what) => Self::server(what),
            // Unreachable, because callers that write to a file handle this case themselves.
            RenderError::Stopped => Self::server("a table was not written completely"),
        }
    }
}

impl From<store::Error> for Failure {
    fn from(error: store::Error) -> Self {
        match error.is_outage() {
            true => Self::unavailable(error.to_string()),
            false => Self::server(error.to_string()),
        }
    }
}
