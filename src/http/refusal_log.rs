//! Refused requests in the access log. The first of each kind in a second has its own line, and
//! one more line counts the others, so that a flood takes a few lines a second.

use std::time::{Duration, Instant};

use super::metrics::Exchange;
use crate::api::{Note, Status, Throttled};

/// The time that one line sums up.
const SPAN: Duration = Duration::from_secs(1);

/// The refused requests without a line.
pub struct RefusalLog {
    /// Requests without a valid key (401).
    unauthorized: Throttled<()>,
    /// Requests beyond a limit of load (429).
    limited: Throttled<()>,
    /// Requests without a valid key for an unknown path or with a wrong method (404, 405).
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
    /// Returns whether a request gets its own line: it was not refused, or it is the first refused
    /// one of its kind in a second. Counts the others.
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

    /// Logs the sums whose second is over at `now`. Regular calls also log the last requests.
    pub fn log_due(&self, now: Instant) {
        for (kind, refused) in self.kinds() {
            log(kind, refused.due(now));
        }
    }

    /// Logs the rest.
    pub fn log_rest(&self) {
        for (kind, refused) in self.kinds() {
            log(kind, refused.rest());
        }
    }

    /// Returns the kinds of refusals with their names in the log.
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
            "more requests were refused, without a line each"
        );
    }
}
