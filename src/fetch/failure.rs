//! Reasons why fetching failed, and whether another attempt may help.

use std::fmt::Display;
use std::io;

/// Why documents could not be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchFailure {
    /// The requested documents are not available now; other requests may still succeed.
    Failed(String),
    /// No connection could be established; otherwise like [`FetchFailure::Failed`].
    Unreachable(String),
    /// The service refused the link (403). The caller must request new links.
    Forbidden(String),
    /// No request can succeed until the user does what the text says.
    Ended(String),
    /// The user stopped the run, or its time is up.
    Stopped,
}

/// Decides whether and when a request is retried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureKind {
    /// A temporary failure: documents not ready, a server error, a broken connection.
    Passing,
    Rate,
    Blocked,
    /// Another attempt would not help.
    Lasting,
}

#[derive(Debug)]
pub(super) struct RequestFailure {
    pub kind: FailureKind,
    pub failure: FetchFailure,
}

impl RequestFailure {
    pub fn new(kind: FailureKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            failure: FetchFailure::Failed(what.into()),
        }
    }

    pub fn lasting(failure: FetchFailure) -> Self {
        Self {
            kind: FailureKind::Lasting,
            failure,
        }
    }

    pub fn unreachable(host: &str, what: impl Display) -> Self {
        Self {
            kind: FailureKind::Passing,
            failure: FetchFailure::Unreachable(format!("no connection to {host}: {what}")),
        }
    }

    pub fn incomplete(what: &str, error: &io::Error) -> Self {
        let what = format!("{what} is incomplete: {}", in_words(error));
        Self::new(FailureKind::Passing, what)
    }
}

pub(super) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the connection was closed too early".to_owned(),
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            "the connection was reset".to_owned()
        }
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => "it was too slow".to_owned(),
        _ => format!("the connection broke ({error})"),
    }
}
