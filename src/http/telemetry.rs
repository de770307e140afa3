//! Everything that is recorded about requests: ids, counters, log lines, the audit trail.

use std::io;
use std::time::{Duration, SystemTime};

use super::audit::Audit;
use super::metrics::Metrics;
use super::refusal_log::RefusalLog;
use super::request_id::RequestIds;
use crate::api::{self, Peer, Throttled};

/// Minimum time between log lines about requests that fail for the same reason.
const REMINDER: Duration = Duration::from_secs(60);

/// Shared by all workers and the admin server.
pub struct Telemetry {
    pub(super) ids: RequestIds,
    pub audit: Option<Audit>,
    pub(super) metrics: Metrics,
    /// Throttles the log lines about failed requests, by endpoint and reason. The access log has a
    /// line for each failed request regardless.
    pub(super) failures: Throttled<(Option<&'static str>, String)>,
    pub(super) refusals: RefusalLog,
}

impl Telemetry {
    /// Creates the telemetry of a process that started at `started`.
    ///
    /// # Errors
    /// Returns an error if the system provides no random numbers.
    pub fn new(started: SystemTime, workers: usize) -> io::Result<Self> {
        Ok(Self {
            ids: RequestIds::random()?,
            metrics: Metrics::new(started, api::labels(), workers),
            audit: None,
            refusals: RefusalLog::default(),
            failures: Throttled::every(REMINDER),
        })
    }
}

/// Who sent a request, and its id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    pub peer: Peer,
    pub id: String,
}
