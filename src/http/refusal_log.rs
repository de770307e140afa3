//! Logs refused requests. The first of each kind in a second gets its own line, and one more line
//! counts the rest, so a flood writes only a few lines per second.

use std::time::{Duration, Instant};

use super::metrics::Exchange;
use crate::api::{Note, Status, Throttled};

/// The period that a summary line covers.
const SPAN: Duration = Duration::from_secs(1);

/// Refused requests that have not been logged.
pub struct RefusalLog {
    /// Requests without a valid key (401).
    unauthorized: Throttled<()>,
    /// Requests over a rate limit or quota (429).
    limited: Throttled<()>,
    /// Requests without a valid key, for an unknown path or with a wrong method (404 or 405).
    unknown: Throttled<()>,
}

impl Default for RefusalLog {
    fn default() -> Self {
        Self {
            unauthorized: Throttled::every(SPAN),
            limited: Throttled::every(SPAN),
            unknown: Throttled::every(SPAN),
        }
    }
}

impl RefusalLog {
    /// Returns whether a request gets a line of its own: it was not refused, or it is the first of
    /// its kind in a second. Any other request is only counted.
    pub fn admit(&self, note: &Note, exchange: &Exchange<'_>, now: Instant) -> bool {
        let is =
            |status: Status| exchange.status == status || exchange.error == Some(status.digits());
        let is_unknown = || {
            let statuses = [Status::NotFound, Status::MethodNotAllowed];
            note.key_name.is_none() && statuses.contains(&exchange.status)
        };
        let [unauthorized, limited, unknown] = self.kinds();
        let (kind, refused) = if is(Status::Unauthorized) {
            unauthorized
        } else if is(Status::TooManyRequests) {
            limited
        } else if is_unknown() {
            unknown
        } else {
            return true;
        };
        let more = refused.occurs((), now);
        log(kind, more);
        more.is_some()
    }

    /// Logs the counts of the seconds that are over. Must be called regularly, or the last requests
    /// of a burst are never logged.
    pub fn log_due(&self, now: Instant) {
        for (kind, refused) in self.kinds() {
            log(kind, refused.due(now));
        }
    }

    pub fn log_rest(&self) {
        for (kind, refused) in self.kinds() {
            log(kind, refused.rest());
        }
    }

    fn kinds(&self) -> [(&'static str, &Throttled<()>); 3] {
        [
            ("unauthorized", &self.unauthorized),
            ("limited", &self.limited),
            ("unknown", &self.unknown),
        ]
    }
}

fn log(refused: &str, more: Option<u64>) {
    if let Some(more) = more.filter(|more| *more > 0) {
        log::info!(
            target: "access", refused, more;
            "more requests were refused than were logged"
        );
    }
}
