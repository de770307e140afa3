//! Faults: what goes wrong, for what, and how often.

use std::sync::Mutex;
use std::time::Duration;

use crate::selection::matches;

/// What is wrong with the answer to a request for documents.
#[derive(Clone, Debug)]
pub enum AnswerFault {
    /// The request itself, with HTTP 200.
    Echo,
    /// A SOAP fault with this HTTP status.
    SoapFault(u16),
    /// A page of HTML, with HTTP 200.
    Html,
    /// The right answer to another request: another `refId`.
    ForeignRefId,
    /// The right answer without `refId`.
    NoRefId,
    /// `errorInfo` with a code and a message, in which `{token}` stands for the token that
    /// came.
    ErrorInfo(i32, String),
    /// The right answer cut in the middle, which is all that its length says.
    Cut,
    /// The right answer with so many bytes of white space in it.
    Huge(usize),
    /// The right answer with links to another scheme and host, such as `http://127.0.0.1:9`.
    LinksTo(String),
    /// The right answer with links to plain HTTP.
    PlainLinks,
    /// The right answer with a name and a password in its links.
    LinksWithUserinfo,
}

/// What is wrong with an archive.
#[derive(Clone, Debug)]
pub enum ArchiveFault {
    /// A page of HTML, with HTTP 200.
    Html,
    /// The sentence that says that the link is blocked, in HTML, with HTTP 200.
    Blocked,
    /// The first half of the archive, which is all that its length says.
    Truncated,
    /// The archive within gzip.
    Gzip,
}

/// What is wrong with how an answer or an archive is sent.
#[derive(Clone, Debug)]
pub enum DeliveryFault {
    /// This HTTP status, with a few words.
    Status(u16),
    /// A redirect to another address of the same host, where everything is as it should be.
    RedirectWithin,
    /// A redirect to this address.
    RedirectTo(String),
    /// A redirect to the very same address.
    RedirectLoop,
    /// The connection is reset once the request is read.
    ResetBeforeHead,
    /// The connection is reset in the middle of the head.
    ResetInHead,
    /// The connection is reset in the middle of the body.
    ResetInBody,
    /// Nothing is sent, and the connection stays open.
    Stall,
    /// The first half of the body is sent, and the connection stays open.
    StallInBody,
    /// `Content-Length` is longer than the body, and the connection is closed after it.
    LongContentLength,
    /// As chunks.
    Chunked,
    /// As chunks, without the last.
    ChunkedCut,
    /// Neither `Content-Length` nor chunks: until the connection is closed.
    NoContentLength,
    /// So many bytes at a time, with a pause after each.
    Slow(usize, Duration),
}

/// How often a fault happens, for each selection or link on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// To each request.
    Always,
    /// To the first so many requests.
    First(u32),
}

/// Faults of one sort, by patterns of keys; the newest that matches counts.
#[derive(Debug)]
pub(crate) struct Faults<F>(Mutex<Vec<Rule<F>>>);

#[derive(Debug)]
struct Rule<F> {
    pattern: String,
    fault: F,
    times: Times,
    /// How often each key was asked for since.
    asked: std::collections::HashMap<String, u32>,
}

impl<F: Clone> Faults<F> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub(crate) fn add(&self, pattern: &str, fault: F, times: Times) {
        let rule = Rule {
            pattern: pattern.to_owned(),
            fault,
            times,
            asked: std::collections::HashMap::new(),
        };
        self.0.lock().expect("no panic").push(rule);
    }

    pub(crate) fn clear(&self) {
        self.0.lock().expect("no panic").clear();
    }

    /// The fault of this request for `key`, which it counts.
    pub(crate) fn next(&self, key: &str) -> Option<F> {
        let mut rules = self.0.lock().expect("no panic");
        let mut fault = None;
        for rule in rules.iter_mut().rev() {
            if !matches(&rule.pattern, key) {
                continue;
            }
            let asked = rule.asked.entry(key.to_owned()).or_default();
            *asked += 1;
            let is_now = match rule.times {
                Times::Always => true,
                Times::First(count) => *asked <= count,
            };
            if is_now && fault.is_none() {
                fault = Some(rule.fault.clone());
            }
        }
        fault
    }
}
