//! Faults: what goes wrong, for what, and how often.

use std::collections::HashMap;
use std::sync::Mutex;

use crate::patterns::matches;

/// What is wrong with the answer to a request for documents, or with an archive.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The request itself.
    Echo,
    /// A SOAP fault, with HTTP 500.
    SoapFault,
    /// `errorInfo` with a code and a message, in which `{token}` stands for the token that
    /// came.
    ErrorInfo(i32, String),
    /// A page of HTML, with HTTP 200.
    Page,
    /// The right answer, to the request with this id or to none.
    Reference(Option<String>),
    /// The right answer, its links in CDATA sections among white space.
    Cdata,
    /// The right archive within gzip.
    Gzip,
    /// The right answer cut in the middle, which is all that its length says.
    Cut,
    /// The right answer with so many bytes of white space in it.
    Huge(usize),
    /// The sentence that says that a link is blocked, in HTML, with HTTP 200.
    Blocked,
    /// This HTTP status, with a few words.
    Status(u16),
    /// A redirect to this address, without one to the very same.
    Redirect(Option<String>),
    /// The connection is reset once the request is read.
    ResetBeforeHead,
    /// The connection is reset in the middle of the body.
    ResetInBody,
    /// Nothing is sent, and the connection stays open.
    Stall,
    /// The first half of the body is sent, and the connection stays open.
    StallInBody,
    /// All is right, and sent as chunks of a byte.
    Chunked,
}

/// How often a fault happens, for each selection or link on its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Times {
    /// To each request.
    Always,
    /// To the first so many requests.
    First(u32),
}

/// Faults by patterns of keys; the newest that matches counts.
#[derive(Default)]
pub(crate) struct Faults(Mutex<Vec<Rule>>);

struct Rule {
    pattern: String,
    fault: Fault,
    times: Times,
    /// How often each key was asked for since.
    asked: HashMap<String, u32>,
}

impl Faults {
    pub(crate) fn add(&self, pattern: &str, fault: Fault, times: Times) {
        let rule = Rule {
            pattern: pattern.to_owned(),
            fault,
            times,
            asked: HashMap::new(),
        };
        self.0.lock().expect("no panic").push(rule);
    }

    pub(crate) fn clear(&self) {
        self.0.lock().expect("no panic").clear();
    }

    /// The fault of this request for `key`, which it counts.
    pub(crate) fn next(&self, key: &str) -> Option<Fault> {
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
