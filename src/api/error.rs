//! Failures: a kind of error, plus what varies. The text for the client and the reason for the log
//! are kept apart.

use std::borrow::Cow;
use std::io;

pub use super::error_kind::ErrorKind;
use super::status::Status;
use crate::model::{Ground, Language, Verdict, Words};
use crate::render::{self, Body, ErrorBody, Format, RenderError, Root, Workbook};
use crate::store::{self, TooBroad};

/// Title of a workbook that contains an error.
const ERROR: Words = Words("Ошибка", "Error");

/// Upper bound on `limit` (specification, "Limits").
pub const MAX_LIMIT: u64 = 200;

/// Upper bound on `limit` in CSV and XLSX, and its default there.
pub const MAX_FILE_ROWS: u64 = 100_000;

/// Why a response has no data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: ErrorKind,
    /// What differs between failures of this kind.
    pub particulars: Particulars,
}

/// What varies between failures of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Particulars {
    None,
    /// Name of the wrong parameter; cut short if the parameter is unknown.
    Parameter(Cow<'static, str>),
    /// The number of rows requested (its digits), and the maximum.
    Limit(String, u64),
    /// Lower bound on the number of results found.
    AtLeast(u64),
    /// Seconds to wait before retrying.
    Wait(u64),
    /// The verdict, which the response headers still contain.
    Verdict(Box<Checked>),
    /// The reason, for the log only.
    Reason(String),
}

/// A verdict and what it is based on, for headers of responses whose body has no room for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    pub ground: Ground,
    pub verdict: Verdict,
}

impl Checked {
    /// Returns a sentence for someone who does not see the headers.
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
    /// For a missing or wrong parameter.
    pub fn of_parameter(kind: ErrorKind, name: impl Into<Cow<'static, str>>) -> Self {
        let particulars = Particulars::Parameter(name.into());
        Self { kind, particulars }
    }

    /// For a wrong parameter without an error of its own.
    pub fn bad_parameter(name: impl Into<Cow<'static, str>>) -> Self {
        Self::of_parameter(ErrorKind::BadParameter, name)
    }

    /// For a request for too many rows.
    pub fn limit_too_large(requested: String, allowed: u64) -> Self {
        Self {
            kind: ErrorKind::LimitTooLarge,
            particulars: Particulars::Limit(requested, allowed),
        }
    }

    /// For a request over a rate limit.
    pub fn too_many_requests(seconds: u64) -> Self {
        Self {
            kind: ErrorKind::TooManyRequests,
            particulars: Particulars::Wait(seconds),
        }
    }

    /// For a check that fails although its verdict is known.
    pub fn of_check(kind: ErrorKind, checked: Checked) -> Self {
        let particulars = Particulars::Verdict(Box::new(checked));
        Self { kind, particulars }
    }

    /// For data that cannot be reached.
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

    /// For a handler that panicked. Leaves out the panic message, which may quote the client.
    pub fn panicked() -> Self {
        Self::server("a panic")
    }

    /// Returns the text of the body.
    pub fn text(&self) -> Cow<'static, str> {
        let text = self.kind.row().text;
        match &self.particulars {
            Particulars::Parameter(name) => text.replace("NAME", name).into(),
            Particulars::Limit(requested, allowed) => {
                // `MAX` first: once `N` is replaced, the digits could not be told apart from a
                // placeholder, and `MAX` has no N.
                let text = text.replace("MAX", &allowed.to_string());
                text.replace('N', requested).into()
            }
            _ => text.into(),
        }
    }

    /// Returns the name of the wrong parameter.
    pub fn parameter(&self) -> Option<&str> {
        match &self.particulars {
            Particulars::Parameter(name) => Some(name),
            Particulars::Limit(..) => Some("limit"),
            _ => None,
        }
    }

    /// Returns the reason for the log.
    pub fn reason(&self) -> Option<&str> {
        match &self.particulars {
            Particulars::Reason(reason) => Some(reason),
            _ => None,
        }
    }

    /// Returns the verdict, if it is known nevertheless.
    pub fn checked(&self) -> Option<Checked> {
        match &self.particulars {
            Particulars::Verdict(checked) => Some(**checked),
            _ => None,
        }
    }

    /// Returns the HTTP status, which depends on whether the endpoint uses statuses for errors.
    pub fn status(&self, has_statuses: bool) -> Status {
        self.kind.status(has_statuses)
    }

    /// Returns whether the format itself is wrong, in which case the body has the default format.
    pub fn is_of_format(&self) -> bool {
        self.parameter() == Some("format")
    }

    /// Returns a lower bound on the number of results, if there were too many.
    pub fn at_least(&self) -> Option<u64> {
        match self.particulars {
            Particulars::AtLeast(count) => Some(count),
            _ => None,
        }
    }

    /// Returns how many seconds to wait before retrying, if known.
    pub fn retry_after(&self) -> Option<u64> {
        match self.particulars {
            Particulars::Wait(seconds) => Some(seconds),
            _ => self.kind.row().has_wait.then_some(RETRY_AFTER),
        }
    }

    /// Writes the body of the error for an endpoint whose errors have `root`. A workbook is in
    /// `language`.
    pub fn write(&self, root: Root, format: Format, language: Language, out: &mut Vec<u8>) {
        write_error(self.kind, &self.text(), root, format, language, out);
    }
}

/// Writes the body of an error with this text; see [`Failure::write`].
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
    // Only fails if a workbook has no room, and two rows always fit.
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
            // Answers that use a file handle this before.
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
