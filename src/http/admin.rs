//! The admin server: health, readiness and metrics, on its own port and without a key. It has its
//! own thread, so it answers while all workers are busy, and until the service has ended. It uses
//! the default engine for every `--engine`.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant, SystemTime};

use serde_json::json;

use super::audit::{Audit, TrailState};
use super::engine::{Bounds, Engine, Request};
use super::exposition;
use super::metrics::{LargeFigures, Observed};
use super::process::ProcessFigures;
use super::telemetry::Telemetry;
use super::trust::Trust;
use super::{Listening, Pool, Running};
use crate::api::{Api, DataState, KeyState, NewFile, Note, Response, Status, Throttled};

/// The longest wait for the last answer when the server of operators ends.
pub const LAST_ANSWER: Duration = Duration::from_secs(1);

/// The longest time with unreadable keys in which the service stays ready. The last known keys
/// remain valid, and one of them may have been revoked meanwhile. Restoring a file takes less
/// time.
pub const UNREADABLE_KEYS: Duration = Duration::from_secs(10);

/// The tolerated clock difference between the importing and the serving machine, in seconds.
const CLOCKS_DIFFER: i64 = 300;

/// The reason why the server should get no requests while it ends.
const STOPPING: &str = "the service is stopping";

/// The largest ages at which the service is ready; none means any age.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaxAges {
    /// The age of the data since the last import that changed anything.
    pub data: Option<Duration>,
    /// The age of a complete registry of unfair suppliers, in whole days. Registries that are not
    /// declared complete do not count.
    pub registry: Option<Duration>,
}

/// Answers operators.
pub struct Admin {
    api: Arc<Api>,
    telemetry: Arc<Telemetry>,
    trust: Arc<Trust>,
    pool: Arc<Pool>,
    max_ages: MaxAges,
    stopping: AtomicBool,
    /// The reason for the last unreadiness.
    unready: Throttled<&'static str>,
}

impl Admin {
    /// Returns an admin for a running server, which answers from `api`, counts in `telemetry`
    /// and trusts `trust`.
    /// Anything older than `max_ages` makes it unready.
    pub fn new(
        api: Arc<Api>,
        telemetry: Arc<Telemetry>,
        trust: Arc<Trust>,
        running: &Running,
        max_ages: MaxAges,
    ) -> Self {
        Self {
            api,
            telemetry,
            trust,
            pool: Arc::clone(&running.pool),
            max_ages,
            stopping: AtomicBool::new(false),
            unready: Throttled::once(),
        }
    }

    /// Makes the service unready while it answers the received requests and ends.
    pub fn set_stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Logs the refused requests of the last second, if it is over. It should be called regularly.
    pub fn log_refusals(&self, now: Instant) {
        self.telemetry.refusals.log_due(now);
    }

    /// Logs the refused requests that are not logged yet, and writes the last lines of the audit
    /// trail.
    pub fn end_records(&self) {
        self.telemetry.refusals.log_rest();
        if let Some(audit) = &self.telemetry.audit {
            audit.end();
        }
    }

    fn handle(&self, request: Request<'_>) {
        let parts = request.parts();
        let response = self.answer(parts.method, parts.target, SystemTime::now());
        drop(parts);
        // A write to a client that has gone may fail.
        let _ = request.respond(response, None);
    }

    /// Answers a request; the query of its target is ignored.
    pub fn answer(&self, method: &str, target: &str, now: SystemTime) -> Response {
        let path = target.split('?').next().unwrap_or_default();
        if !matches!(path, "/healthz" | "/readyz" | "/metrics") {
            return plain(Status::NotFound, "not found\n");
        }
        if !matches!(method, "GET" | "HEAD") {
            let mut response = plain(Status::MethodNotAllowed, "method not allowed\n");
            response.headers.push(("Allow", "GET, HEAD".into()));
            return response;
        }
        match path {
            "/healthz" if self.pool.is_alive() => plain(Status::Ok, "ok\n"),
            "/healthz" => plain(Status::ServiceUnavailable, "not alive\n"),
            "/readyz" => self.readiness(now),
            _ => response(Status::Ok, exposition::CONTENT_TYPE, self.figures(now)),
        }
    }

    fn figures(&self, now: SystemTime) -> String {
        let observed = Observed {
            process: ProcessFigures::read(),
            busy_workers: self.pool.busy(),
            engine: self.pool.engine.figures(),
            refused: self.api.refused(),
            large: self.large_figures(),
            cache: self.api.cache_figures(),
            unaudited: self.telemetry.audit.as_ref().map_or(0, Audit::failed),
            is_audit_late: self.audit_state() == Some(TrailState::Late),
            keys: self.api.key_state(),
            needs_keys: self.trust.needs_keys(),
            data: self.api.data_state().ok(),
        };
        self.telemetry.metrics.render(&observed, now)
    }

    /// Returns the state of the audit trail, if there is one.
    fn audit_state(&self) -> Option<TrailState> {
        let audit = self.telemetry.audit.as_ref();
        audit.map(|audit| audit.state(Instant::now()))
    }

    fn large_figures(&self) -> LargeFigures {
        let (waiting, in_turn) = self.pool.line.lengths();
        let (all, refused) = self.api.places();
        LargeFigures {
            all,
            waiting,
            in_turn,
            refused,
        }
    }

    fn readiness(&self, now: SystemTime) -> Response {
        let (data, error) = match self.api.data_state() {
            Ok(data) => (Some(data), None),
            Err(error) => (None, Some(error)),
        };
        let is_reachable = data.as_ref().is_none_or(|data| data.is_reachable)
            && !error.as_ref().is_some_and(|error| error.is_outage());
        let keys = self.api.key_state();
        let unready = if self.stopping.load(Ordering::Relaxed) {
            Some(STOPPING)
        } else {
            match &data {
                _ if !is_reachable => Some("no PostgreSQL server can answer"),
                None => Some("the data cannot be read"),
                Some(data) => {
                    let checked = check_keys(&keys, self.trust.needs_keys());
                    let checked = checked.and_then(|()| self.max_ages.check(data, now));
                    checked.and_then(|()| self.check_audit()).err()
                }
            }
        };
        let error = error.map(|error| error.to_string());
        let error = error.or(keys.failing.map(|(_, error)| error));
        self.log_change(unready, error.as_deref());
        let data = data.as_ref();
        let readiness = json!({
            "ready": unready.is_none(),
            "reason": unready,
            "version": data.map(DataState::version),
            "updated": data.map(DataState::updated_at),
            "age_seconds": data.map(|data| data.age_seconds(now)),
            "new_file": data.and_then(|data| data.new_file).map(NewFile::name),
            "audit": self.audit_state().map(TrailState::name),
        });
        let status = match unready {
            None => Status::Ok,
            Some(_) => Status::ServiceUnavailable,
        };
        response(status, "application/json", format!("{readiness}\n"))
    }

    /// Checks that lookups are not refused for want of their lines in the audit trail.
    ///
    /// # Errors
    /// As [`check_keys`].
    fn check_audit(&self) -> Result<(), &'static str> {
        let is_required = self
            .telemetry
            .audit
            .as_ref()
            .is_some_and(|audit| audit.is_required);
        match self.audit_state() {
            Some(TrailState::Late | TrailState::Failing) if is_required => {
                Err("the audit trail cannot be written, so that every lookup is refused")
            }
            _ => Ok(()),
        }
    }

    /// Logs a change of readiness since the last request for it.
    fn log_change(&self, unready: Option<&'static str>, error: Option<&str>) {
        match unready {
            None if self.unready.ends() => log::info!("ready again"),
            None | Some(STOPPING) => {}
            Some(reason) => {
                if self.unready.occurs(reason, Instant::now()).is_some() {
                    log::warn!(error = error; "not ready: {reason}");
                }
            }
        }
    }
}

/// Checks that valid keys exist, if clients need them, and that the server can notice a
/// revocation.
///
/// # Errors
/// The reason why the server should get no requests.
fn check_keys(keys: &KeyState, are_needed: bool) -> Result<(), &'static str> {
    match &keys.failing {
        _ if keys.is_unread => Err("the keys could not be read yet"),
        Some((span, _)) if *span >= UNREADABLE_KEYS => {
            Err("the keys cannot be read, so that one may be valid that was revoked")
        }
        _ if keys.valid == 0 && are_needed => {
            Err("no key is valid, so that every client is refused")
        }
        _ => Ok(()),
    }
}

impl MaxAges {
    /// Checks that no part of the data is too old.
    ///
    /// # Errors
    /// As [`check_keys`].
    fn check(&self, data: &DataState, now: SystemTime) -> Result<(), &'static str> {
        let is_old = |age: Option<Duration>, most: Option<Duration>| {
            age.zip(most).is_some_and(|(age, most)| age > most)
        };
        let age = data.age_seconds(now);
        if self.data.is_some() && age < -CLOCKS_DIFFER {
            return Err(
                "the clock is before the last import, so that the age of the data is not known",
            );
        }
        if is_old(u64::try_from(age).ok().map(Duration::from_secs), self.data) {
            return Err("the data is older than --max-data-age");
        }
        if is_old(data.registry_age(now), self.registry) {
            return Err("a registry of unfair suppliers is older than --max-registry-age");
        }
        Ok(())
    }
}

fn plain(status: Status, text: &str) -> Response {
    response(status, "text/plain; charset=utf-8", text.to_owned())
}

fn response(status: Status, content_type: &str, body: String) -> Response {
    Response {
        status,
        headers: vec![
            ("Content-Type", content_type.to_owned().into()),
            ("Cache-Control", "no-store".into()),
        ],
        body: body.into_bytes(),
        large: None,
        note: Note::default(),
    }
}

impl Listening {
    /// Answers operators on a separate thread with the default engine. They need few connections,
    /// and their requests are short.
    ///
    /// # Errors
    /// The thread cannot be started, or the system refuses a resource of the engine.
    pub fn serve_admin(self, admin: Arc<Admin>) -> io::Result<Running> {
        let bounds = Bounds {
            connections: 16,
            connections_of_address: 16,
            head_time: Duration::from_secs(2),
            ..Bounds::default()
        };
        let handle = move |request: Request<'_>, _| {
            admin.handle(request);
            None
        };
        self.start(
            Engine::default(),
            bounds,
            vec![("admin".to_owned(), handle)],
        )
    }
}

#[cfg(test)]
#[path = "admin/tests.rs"]
mod tests;
