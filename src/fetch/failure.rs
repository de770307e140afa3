//! Why documents were not obtained, and the kinds of failures of a request.

use std::fmt::Display;
use std::io;

/// Why documents were not obtained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchFailure {
    /// These documents are not available now; others may be.
    Failed(String),
    /// The same, as no connection could be made.
    Unreachable(String),
    /// A link is refused (403); the caller has to request new links.
    Forbidden(String),
    /// No request can succeed before the user acts: a sentence that says how.
    Ended(String),
    /// The run was stopped, or its time is over.
    Stopped,
}

/// The kind of a failure; it decides whether and when a request is repeated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureKind {
    /// Something that passes by itself: not ready, a server's error, a broken connection.
    Passing,
    /// Too many requests.
    Rate,
    /// The link is blocked for a while.
    Blocked,
    /// A failure that asking again does not change.
    Lasting,
}

/// The failure of one request.
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

    /// No connection could be made to `host`.
    pub fn unreachable(host: &str, what: impl Display) -> Self {
        Self {
            kind: FailureKind::Passing,
            failure: FetchFailure::Unreachable(format!("no connection to {host}: {what}")),
        }
    }

    /// A body did not come to its end.
    pub fn incomplete(what: &str, error: &io::Error) -> Self {
        let what = format!("{what} did not come whole: {}", in_words(error));
        Self::new(FailureKind::Passing, what)
    }
}

/// Describes a failure of a connection.
pub(super) fn in_words(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => "the connection was closed too early".to_owned(),
        io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe => {
            "the connection was reset".to_owned()
        }
        io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock => "it came too slowly".to_owned(),
        _ => format!("the connection broke ({error})"),
    }
}
