//! Reasons for failed requests, in the log. A new reason is logged at once, a repeated one once a
//! minute with the number of requests, so that damaged data or a refused publication does not fill
//! the disk. The access log still has a line for each request.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::lock::locked;
use crate::api::Note;

/// The shortest time between two lines with the same reason.
const REMINDER: Duration = Duration::from_secs(60);

/// The last logged failure.
#[derive(Default)]
pub struct FailureLog(Mutex<Option<LoggedFailure>>);

struct LoggedFailure {
    endpoint: Option<&'static str>,
    reason: String,
    at: Instant,
    /// The number of requests that have failed for the same reason since then.
    more: u64,
}

impl FailureLog {
    /// Logs the reason why the request with this id failed, if it did, at the level `error`.
    pub fn log(&self, id: &str, note: &Note) {
        if let Some(reason) = &note.failure
            && let Some(more) = self.due(note.endpoint, reason, Instant::now())
        {
            let endpoint = note.endpoint.unwrap_or("a request");
            match more {
                0 => log::error!(id = id; "{endpoint} failed: {reason}"),
                more => log::error!(id = id; "{endpoint} failed, and {more} before it: {reason}"),
            }
        }
    }

    /// Returns the number of failures without a line since the last one, if this failure must be
    /// logged at `now`.
    fn due(&self, endpoint: Option<&'static str>, reason: &str, now: Instant) -> Option<u64> {
        let mut last = locked(&self.0);
        let same = last
            .as_mut()
            .filter(|last| last.endpoint == endpoint && last.reason == reason);
        let more = match same {
            Some(same) if now.saturating_duration_since(same.at) < REMINDER => {
                same.more += 1;
                return None;
            }
            Some(same) => same.more,
            None => 0,
        };
        *last = Some(LoggedFailure {
            endpoint,
            reason: reason.to_owned(),
            at: now,
            more: 0,
        });
        Some(more)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_that_stays_is_logged_once_a_minute() {
        let failures = FailureLog::default();
        let start = Instant::now();
        let due = |endpoint, reason, seconds| {
            failures.due(Some(endpoint), reason, start + Duration::from_secs(seconds))
        };
        assert_eq!(due("/find", "damaged", 0), Some(0));
        assert_eq!(due("/find", "damaged", 1), None);
        assert_eq!(due("/find", "damaged", 59), None);
        assert_eq!(due("/find", "damaged", 60), Some(2));
        assert_eq!(due("/find", "damaged", 61), None);
        // Another one is not held back by it.
        assert_eq!(due("/find", "out of memory", 62), Some(0));
        assert_eq!(due("/changes", "out of memory", 62), Some(0));
    }
}
