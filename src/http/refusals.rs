//! Refused requests in the access log: the first of a second has its line, the others are summed
//! up in one, so that a flood of them takes a few lines a second.

use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::metrics::Exchange;
use crate::api::Status;

/// The time that a line sums up.
const SPAN: Duration = Duration::from_secs(1);

/// The refused requests that have no line yet.
#[derive(Default)]
pub struct Refusals(Mutex<Option<Summed>>);

/// The requests refused since a line.
struct Summed {
    since: Instant,
    /// 401: without a valid key.
    unauthorized: u64,
    /// 429: past a limit of load.
    limited: u64,
    /// The client of the last one.
    client: Option<IpAddr>,
}

impl Refusals {
    /// Returns whether a request has a line of its own: it was not refused, or is the first
    /// that was refused for a second. Others are counted.
    pub fn admit(&self, client: Option<IpAddr>, exchange: &Exchange<'_>, now: Instant) -> bool {
        let is =
            |status: Status| exchange.status == status || exchange.error == Some(status.digits());
        let (is_unauthorized, is_limited) = (is(Status::Unauthorized), is(Status::TooManyRequests));
        if !is_unauthorized && !is_limited {
            return true;
        }
        self.log_due(now);
        let mut current = self.locked();
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

    /// Logs what was summed up, if its second is over at `now`. To be called now and then, so
    /// that the last ones have their line too.
    pub fn log_due(&self, now: Instant) {
        let mut summed = self.locked();
        let is_due = |summed: &mut Summed| now.saturating_duration_since(summed.since) >= SPAN;
        let due = summed.take_if(is_due);
        drop(summed);
        if let Some(summed) = due {
            summed.log();
        }
    }

    /// Logs what was summed up.
    pub fn log_rest(&self) {
        let summed = self.locked().take();
        if let Some(summed) = summed {
            summed.log();
        }
    }

    fn locked(&self) -> MutexGuard<'_, Option<Summed>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
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
