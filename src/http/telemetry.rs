//! The records about requests: ids, counts, log lines, the audit trail.

use std::io;
use std::time::{Duration, SystemTime};

use super::audit::Audit;
use super::metrics::Metrics;
use super::refusal_log::RefusalLog;
use super::request_id::RequestIds;
use crate::api::{self, Peer, Throttled};

/// The shortest time between two log lines about requests that fail for the same reason.
const REMINDER: Duration = Duration::from_secs(60);

/// The records that all workers and the admin server share.
pub struct Telemetry {
    pub(super) ids: RequestIds,
    /// The audit trail, if there is one.
    pub audit: Option<Audit>,
    pub(super) metrics: Metrics,
    /// Failed requests by endpoint and reason. The access log still has a line for each.
    pub(super) failures: Throttled<(Option<&'static str>, String)>,
    pub(super) refusals: RefusalLog,
}

impl Telemetry {
    /// Returns the telemetry of a process that started at `started` and answers with this number of
    /// workers.
    ///
    /// # Errors
    /// The system provides no random numbers for ids.
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

/// The sender and the id of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Who sent the request.
    pub peer: Peer,
    /// The id of the request.
    pub id: String,
}
