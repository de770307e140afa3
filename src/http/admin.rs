//! The admin server: health, readiness and metrics, on a separate port and without a key. It runs
//! on a separate thread, so it responds even while all workers are busy, and until the service has
//! shut down. It always uses the default engine, whatever `--engine` says.

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

/// How long sending the last response may take when the admin server shuts down.
pub const LAST_ANSWER: Duration = Duration::from_secs(1);

/// How long the service stays ready while the keys are unreadable. The last known keys stay valid
/// in the meantime, but one of them may have been revoked. Replacing a keys file takes less time
/// than this.
pub const UNREADABLE_KEYS: Duration = Duration::from_secs(10);

/// Tolerated difference, in seconds, between the clocks of the importing and the serving machine.
const CLOCKS_DIFFER: i64 = 300;

const STOPPING: &str = "the service is stopping";

/// Maximum ages at which the service still counts as ready. `None` accepts any age.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaxAges {
    /// Age of the data: time since the last import that changed anything.
    pub data: Option<Duration>,
    /// Age of a complete registry of unfair suppliers, in whole days. Registries that are not known
    /// to be complete are ignored.
    pub registry: Option<Duration>,
}

/// Answers operators' requests for health, readiness and metrics.
pub struct Admin {
    api: Arc<Api>,
    telemetry: Arc<Telemetry>,
    trust: Arc<Trust>,
    pool: Arc<Pool>,
    max_ages: MaxAges,
    stopping: AtomicBool,
    /// Throttles log lines about the service not being ready.
    unready: Throttled<&'static str>,
}

impl Admin {
    /// `api`, `telemetry` and `trust` must be those of the `running` service. The service is not
    /// ready if its data exceeds `max_ages`.
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

    /// Reports the service as not ready while it finishes its requests and shuts down.
    pub fn set_stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// Logs the number of refusals that got no log line of their own, once the second in which they
    /// occurred is over. Must be called regularly.
    pub fn log_refusals(&self, now: Instant) {
        self.telemetry.refusals.log_due(now);
    }

    /// Logs the refusals that have not been logged yet, and writes the pending lines of the audit
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
        // An error means that the client has disconnected.
        let _ = request.respond(response, None);
    }

    /// Responds to a request, ignoring the query string.
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

    /// Fails if lookups are being refused because the audit trail cannot be written.
    fn check_audit(&self) -> Result<(), &'static str> {
        let is_required = self
            .telemetry
            .audit
            .as_ref()
            .is_some_and(|audit| audit.is_required);
        match self.audit_state() {
            Some(TrailState::Late | TrailState::Failing) if is_required => {
                Err("the audit trail cannot be written, so every lookup is refused")
            }
            _ => Ok(()),
        }
    }

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

/// Fails if clients need a key but none is valid, or if the server would not notice that a key was
/// revoked.
fn check_keys(keys: &KeyState, are_needed: bool) -> Result<(), &'static str> {
    match &keys.failing {
        _ if keys.is_unread => Err("the keys could not be read yet"),
        Some((span, _)) if *span >= UNREADABLE_KEYS => {
            Err("the keys cannot be read, so a revoked key may still be valid")
        }
        _ if keys.valid == 0 && are_needed => Err("no key is valid, so every client is refused"),
        _ => Ok(()),
    }
}

impl MaxAges {
    /// Fails if any part of the data is older than allowed.
    fn check(&self, data: &DataState, now: SystemTime) -> Result<(), &'static str> {
        let is_old = |age: Option<Duration>, most: Option<Duration>| {
            age.zip(most).is_some_and(|(age, most)| age > most)
        };
        let age = data.age_seconds(now);
        if self.data.is_some() && age < -CLOCKS_DIFFER {
            return Err("the clock is before the last import, so the age of the data is unknown");
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
    /// Serves operators on a separate thread. Operators need few connections and send short
    /// requests, so the bounds are tight.
    ///
    /// # Errors
    /// Returns an error if the thread cannot be started, or if the system denies the engine a
    /// resource.
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
