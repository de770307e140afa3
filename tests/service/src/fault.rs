//! Faults that the service can simulate, and rules for when they occur.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::patterns::matches;

/// A fault in the response to a request for documents or for an archive.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The response repeats the body of the request.
    Echo,
    /// A SOAP fault with HTTP 500.
    SoapFault,
    /// `errorInfo` with a code and a message, in which `{token}` is replaced by the received token.
    ErrorInfo(i32, String),
    /// An HTML page with HTTP 200.
    Page,
    /// The correct response, but with this `refId` or without one.
    Reference(Option<String>),
    /// The correct response, with links in CDATA sections surrounded by white space.
    Cdata,
    /// The correct archive, compressed with gzip.
    Gzip,
    /// The first half of the correct response, with a matching `Content-Length`.
    Cut,
    /// The correct response with this number of spaces inserted.
    Huge(usize),
    /// The HTML page with HTTP 200 with which the real service says that a link is blocked.
    Blocked,
    /// This HTTP status with a short body.
    Status(u16),
    /// A redirect to this address, or to the requested one.
    Redirect(Option<String>),
    /// The connection is reset after the request has been read.
    ResetBeforeHead,
    /// The connection is reset in the middle of the body.
    ResetInBody,
    /// Nothing is sent, and the connection stays open.
    Stall,
    /// Only the first half of the body is sent, and the connection stays open.
    StallInBody,
    /// The correct response in chunks of one byte.
    Chunked,
}

/// How often a fault occurs. Requests are counted separately for each selection or link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// For every request.
    Always,
    /// For this number of requests.
    First(u32),
}

/// Faults by pattern of keys. If several rules match and have not run out, the newest one applies.
#[derive(Default)]
pub(crate) struct Faults(Mutex<Vec<Rule>>);

struct Rule {
    pattern: String,
    fault: Fault,
    times: Times,
    /// Number of requests for each key since the rule was added.
    requests: HashMap<String, u32>,
}

impl Faults {
    pub(crate) fn add(&self, pattern: &str, fault: Fault, times: Times) {
        let rule = Rule {
            pattern: pattern.to_owned(),
            fault,
            times,
            requests: HashMap::new(),
        };
        self.0.lock().expect("no panic").push(rule);
    }

    pub(crate) fn clear(&self) {
        self.0.lock().expect("no panic").clear();
    }

    /// Counts a request for `key` and returns the fault that applies to it.
    pub(crate) fn next(&self, key: &str) -> Option<Fault> {
        let mut rules = self.0.lock().expect("no panic");
        let mut fault = None;
        for rule in rules.iter_mut().rev() {
            if !matches(&rule.pattern, key) {
                continue;
            }
            let requests = rule.requests.entry(key.to_owned()).or_default();
            *requests += 1;
            let is_now = match rule.times {
                Times::Always => true,
                Times::First(count) => *requests <= count,
            };
            if is_now && fault.is_none() {
                fault = Some(rule.fault.clone());
            }
        }
        fault
    }
}
