//! Failures: an error of the table with what varies in it. The text for the client and the reason for
//! the log are separate.

use std::borrow::Cow;
use std::io;

pub use super::error_kind::ErrorKind;
use super::status::Status;
use crate::model::{Ground, Language, Verdict, Words};
use crate::render::{self, Body, ErrorBody, Format, RenderError, Root, Workbook};
use crate::store::{self, TooBroad};

/// The title of a workbook with an error.
const ERROR: Words = Words("Ошибка", "Error");

/// The largest `limit` (the specification, "Limits").
pub const MAX_LIMIT: u64 = 200;

/// The largest `limit` of CSV and XLSX, which is also the default.
pub const MAX_FILE_ROWS: u64 = 100_000;

/// The reason for a response without data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: ErrorKind,
    /// What varies between failures of this kind.
    pub particulars: Particulars,
}

/// What varies between failures of one kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Particulars {
    /// Nothing.
    None,
    /// The name of the wrong parameter; of an unknown one only its first characters.
    Parameter(Cow<'static, str>),
    /// The digits of the number of rows that was asked for, and the largest one allowed.
    Limit(String, u64),
    /// The number of results that were found, at least.
    AtLeast(u64),
    /// The seconds to wait before a retry.
    Wait(u64),
    /// The verdict, which the headers of the response still state.
    Verdict(Box<Checked>),
    /// The reason, for the log alone.
    Reason(String),
}

/// A verdict with its ground, for the headers of a response whose body has no place for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// The ground of the verdict.
    pub ground: Ground,
    /// The verdict.
    pub verdict: Verdict,
}

impl Checked {
    /// Returns a sentence for a reader who does not see the headers.
    pub fn sentence(&self) -> String {
        let (verdict, day) = (self.verdict.code(), self.ground.day);
        format!(
            "RNP verdict as of {day}: {verdict}. Registries it rests on: {}.",
            self.ground
        )
    }
}

/// The seconds to wait before a retry while no server is reachable.
const RETRY_AFTER: u64 = 1;

impl Failure {
    /// Returns the failure of a parameter that is missing or wrong.
    pub fn of_parameter(kind: ErrorKind, name: impl Into<Cow<'static, str>>) -> Self {
        let particulars = Particulars::Parameter(name.into());
        Self { kind, particulars }
    }

    /// Returns the failure of a wrong parameter that has no kind of its own.
    pub fn bad_parameter(name: impl Into<Cow<'static, str>>) -> Self {
        Self::of_parameter(ErrorKind::BadParameter, name)
    }

    /// Returns the failure of a request for too many rows.
    pub fn limit_too_large(requested: String, allowed: u64) -> Self {
        Self {
            kind: ErrorKind::LimitTooLarge,
            particulars: Particulars::Limit(requested, allowed),
        }
    }

    /// Returns the failure of a request beyond a limit of load.
    pub fn too_many_requests(seconds: u64) -> Self {
        Self {
            kind: ErrorKind::TooManyRequests,
            particulars: Particulars::Wait(seconds),
        }
    }

    /// Returns the failure of a check whose verdict is known nevertheless.
    pub fn of_check(kind: ErrorKind, checked: Checked) -> Self {
        let particulars = Particulars::Verdict(Box::new(checked));
        Self { kind, particulars }
    }

    /// Returns the failure of a service whose data cannot be reached.
    pub fn unavailable(reason: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Unavailable,
            particulars: Particulars::Reason(reason.into()),
        }
    }

    /// Returns an internal failure.
    pub fn server(reason: impl Into<String>) -> Self {
        Self {
            kind: ErrorKind::Server,
            particulars: Particulars::Reason(reason.into()),
        }
    }

    /// Returns the error of a panicked handler. It omits the panic message, which may quote the
    /// client.
    pub fn panicked() -> Self {
        Self::server("a panic")
    }

    /// Returns the text for the client.
    pub fn text(&self) -> Cow<'static, str> {
        let text = self.kind.row().text;
        match &self.particulars {
            Particulars::Parameter(name) => text.replace("NAME", name).into(),
            Particulars::Limit(requested, allowed) => {
                // The largest number first, because its placeholder has no N.
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

    /// Returns the HTTP status, depending on whether the endpoint answers errors with statuses.
    pub fn status(&self, has_statuses: bool) -> Status {
        self.kind.status(has_statuses)
    }

    /// Returns whether the error is about the format itself, so that the body uses the default
    /// one.
    pub fn is_of_format(&self) -> bool {
        self.parameter() == Some("format")
    }

    /// Returns the number of results that were found, at least, if there were too many.
    pub fn at_least(&self) -> Option<u64> {
        match self.particulars {
            Particulars::AtLeast(count) => Some(count),
            _ => None,
        }
    }

    /// Returns the seconds to wait before a retry, if they are known.
    pub fn retry_after(&self) -> Option<u64> {
        match self.particulars {
            Particulars::Wait(seconds) => Some(seconds),
            _ => self.kind.row().has_wait.then_some(RETRY_AFTER),
        }
    }

    /// Appends the error body of an endpoint whose errors have `root`. A workbook is in
    /// `language`.
    pub fn write(&self, root: Root, format: Format, language: Language, out: &mut Vec<u8>) {
        write_error(self.kind, &self.text(), root, format, language, out);
    }
}

/// Appends the body of an error with this text, as [`Failure::write`].
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
    // A workbook fails only if it has no room, and two rows always fit.
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
            // An answer with a file treats it before.
            RenderError::Stopped => Self::server("a table was not written to its end"),
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
