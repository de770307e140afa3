//! Refused requests in the access log. The first in each second has its own line, and the others
//! are summed up in one, so that a flood takes a few lines a second.

use std::net::IpAddr;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use super::lock::locked;
use super::metrics::Exchange;
use crate::api::Status;

/// The time that one line sums up.
const SPAN: Duration = Duration::from_secs(1);

/// The refused requests without a line.
#[derive(Default)]
pub struct RefusalLog(Mutex<Option<Summed>>);

/// The requests that were refused since a line.
struct Summed {
    since: Instant,
    /// Requests without a valid key (401).
    unauthorized: u64,
    /// Requests beyond a limit of load (429).
    limited: u64,
    /// The client of the last request.
    client: Option<IpAddr>,
}

impl RefusalLog {
    /// Returns whether a request gets its own line: it was not refused, or it is the first refused
    /// one in a second. Counts the others.
    pub fn admit(&self, client: Option<IpAddr>, exchange: &Exchange<'_>, now: Instant) -> bool {
        let is =
            |status: Status| exchange.status == status || exchange.error == Some(status.digits());
        let (is_unauthorized, is_limited) = (is(Status::Unauthorized), is(Status::TooManyRequests));
        if !is_unauthorized && !is_limited {
            return true;
        }
        self.log_due(now);
        let mut current = locked(&self.0);
        let Some(summed) = current.as_mut() else {
            *current = Some(Summed {
                since: now,
                unauthorized: 0,
                limited: 0,
                client: None,
            });
            return true;
        };
        summed.unauthorized += u64::from(is_unauthorized);
        summed.limited += u64::from(is_limited);
        summed.client = client;
        false
    }

    /// Logs the sum if its second is over at `now`. Regular calls also log the last requests.
    pub fn log_due(&self, now: Instant) {
        let mut summed = locked(&self.0);
        let is_due = |summed: &mut Summed| now.saturating_duration_since(summed.since) >= SPAN;
        let due = summed.take_if(is_due);
        drop(summed);
        if let Some(summed) = due {
            summed.log();
        }
    }

    /// Logs the rest.
    pub fn log_rest(&self) {
        let summed = locked(&self.0).take();
        if let Some(summed) = summed {
            summed.log();
        }
    }
}

impl Summed {
    fn log(&self) {
        if self.unauthorized + self.limited == 0 {
            return;
        }
        let client = self.client.map(|client| client.to_string());
        let (unauthorized, limited) = (self.unauthorized, self.limited);
        log::info!(
            target: "access", unauthorized, limited, client;
            "more requests were refused, without a line each"
        );
    }
}
