//! The admin server: health, readiness and metrics, on its own port and without a key. It has its
//! own thread, so it answers while all workers are busy, and until the service has ended. It uses
//! the default engine for every `--engine`.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;

use super::audit::Audit;
use super::engine::{Bounds, Engine, Request, Server};
use super::exposition;
use super::listening::SocketFile;
use super::metrics::Observed;
use super::process::ProcessFigures;
use super::telemetry::Telemetry;
use super::{Address, Listening, Pool, Running, known_method, send};
use crate::api::{Api, DataState, KeyState, NewFile, Note, Response, Status};

/// The longest wait for the last answer when the server ends.
const LAST_ANSWER: Duration = Duration::from_secs(1);

/// The longest time with unreadable keys in which the service stays ready. The last known keys
/// remain valid, and one of them may have been revoked meanwhile. Restoring a file takes less
/// time.
pub const UNREADABLE_KEYS: Duration = Duration::from_secs(10);

/// The tolerated clock difference between the importing and the serving machine, in seconds.
const CLOCKS_DIFFER: i64 = 300;

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
    pool: Arc<Pool>,
    max_ages: MaxAges,
    stopping: AtomicBool,
    /// The reason for the last unreadiness, held so that only changes are logged.
    last: Mutex<Option<Unready>>,
}

/// The reason why the server should get no requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unready {
    Stopping,
    Unreadable,
    Unreachable,
    KeysUnread,
    KeysUnreadable,
    NoKeys,
    ClockBehind,
    Old,
    OldRegistry,
}

impl Unready {
    fn text(self) -> &'static str {
        match self {
            Self::Stopping => "the service is stopping",
            Self::Unreadable => "the data cannot be read",
            Self::Unreachable => "no PostgreSQL server can be reached",
            Self::KeysUnread => "the keys could not be read yet",
            Self::KeysUnreadable => {
                "the keys cannot be read, so that one may be valid that was revoked"
            }
            Self::NoKeys => "no key is valid, so that every client is refused",
            Self::ClockBehind => {
                "the clock is before the last import, so that the age of the data is not known"
            }
            Self::Old => "the data is older than --max-data-age",
            Self::OldRegistry => "a registry of unfair suppliers is older than --max-registry-age",
        }
    }
}

/// The body of `/readyz`.
#[derive(Serialize)]
struct Readiness {
    ready: bool,
    reason: Option<&'static str>,
    /// The version of the data.
    version: Option<String>,
    /// The time of the last import that changed anything, `YYYY-MM-DDTHH:MM:SSZ`.
    updated: Option<String>,
    /// Negative if the clock has gone back.
    age_seconds: Option<i64>,
    /// `checking` or `refused`, for an unused file at the database's path.
    new_file: Option<&'static str>,
}

impl Admin {
    /// Returns an admin for a running server, which answers from `api` and counts in `telemetry`.
    /// Anything older than `max_ages` makes it unready.
    pub fn new(
        api: Arc<Api>,
        telemetry: Arc<Telemetry>,
        running: &Running,
        max_ages: MaxAges,
    ) -> Self {
        Self {
            api,
            telemetry,
            pool: Arc::clone(&running.pool),
            max_ages,
            stopping: AtomicBool::new(false),
            last: Mutex::default(),
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

    /// Logs the refused requests that are not logged yet, at the end.
    pub fn log_last_refusals(&self) {
        self.telemetry.refusals.log_rest();
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
            engine: self.pool.figures(),
            refused: self.api.refused(),
            cache: self.api.cache_figures(),
            unaudited: self.telemetry.audit.as_ref().map_or(0, Audit::failed),
            keys: self.api.key_state(),
            needs_keys: self.telemetry.needs_keys(),
            data: self.api.data_state().ok(),
        };
        self.telemetry.metrics.render(&observed, now)
    }

    fn readiness(&self, now: SystemTime) -> Response {
        let (data, error) = match self.api.data_state() {
            Ok(data) => (Some(data), None),
            Err(error) => (None, Some(error)),
        };
        let is_reachable = data.as_ref().is_none_or(|data| data.is_reachable)
            && !error.as_ref().is_some_and(|error| error.is_unreachable());
        let keys = self.api.key_state();
        let unready = if self.stopping.load(Ordering::Relaxed) {
            Some(Unready::Stopping)
        } else {
            match &data {
                _ if !is_reachable => Some(Unready::Unreachable),
                None => Some(Unready::Unreadable),
                Some(data) => {
                    let checked = check_keys(&keys, self.telemetry.needs_keys());
                    checked.and_then(|()| self.max_ages.check(data, now)).err()
                }
            }
        };
        let error = error.map(|error| error.to_string());
        let error = error.or(keys.failing.map(|(_, error)| error));
        self.log_change(unready, error.as_deref());
        let readiness = Readiness {
            ready: unready.is_none(),
            reason: unready.map(Unready::text),
            version: data.as_ref().map(DataState::version),
            updated: data.as_ref().map(DataState::updated_at),
            age_seconds: data.as_ref().map(|data| data.age_seconds(now)),
            new_file: data
                .as_ref()
                .and_then(|data| data.new_file)
                .map(NewFile::name),
        };
        let status = match readiness.ready {
            true => Status::Ok,
            false => Status::ServiceUnavailable,
        };
        // Strings and numbers always serialise.
        let body = serde_json::to_string(&readiness).unwrap_or_default() + "\n";
        response(status, "application/json", body)
    }

    /// Logs a change of readiness since the last request for it.
    fn log_change(&self, unready: Option<Unready>, error: Option<&str>) {
        let before = {
            let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            std::mem::replace(&mut *last, unready)
        };
        match unready {
            _ if before == unready => {}
            None => log::info!("ready again"),
            Some(Unready::Stopping) => {}
            Some(reason) => log::warn!(error = error; "not ready: {}", reason.text()),
        }
    }
}

/// Checks that valid keys exist, if clients need them, and that the server can notice a
/// revocation.
fn check_keys(keys: &KeyState, are_needed: bool) -> Result<(), Unready> {
    match &keys.failing {
        _ if keys.is_unread => Err(Unready::KeysUnread),
        Some((span, _)) if *span >= UNREADABLE_KEYS => Err(Unready::KeysUnreadable),
        _ if keys.valid == 0 && are_needed => Err(Unready::NoKeys),
        _ => Ok(()),
    }
}

impl MaxAges {
    /// Fails if a part of the data is too old.
    fn check(&self, data: &DataState, now: SystemTime) -> Result<(), Unready> {
        let is_old = |age: Option<Duration>, most: Option<Duration>| {
            age.zip(most).is_some_and(|(age, most)| age > most)
        };
        let age = data.age_seconds(now);
        if self.data.is_some() && age < -CLOCKS_DIFFER {
            return Err(Unready::ClockBehind);
        }
        if is_old(u64::try_from(age).ok().map(Duration::from_secs), self.data) {
            return Err(Unready::Old);
        }
        if is_old(data.registry_age(now), self.registry) {
            return Err(Unready::OldRegistry);
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
        file: None,
        note: Note::default(),
    }
}

/// An admin server that answers.
pub struct AdminServer {
    engine: Arc<Server>,
    /// Receives a message when the thread has ended.
    ended: Receiver<()>,
    address: Address,
    /// The socket file, which is removed at the end.
    _file: Option<SocketFile>,
}

/// Returns the bounds of the admin server. Operators need few connections, and their requests are
/// short.
fn bounds() -> Bounds {
    Bounds {
        connections: 16,
        connections_of_address: 16,
        head_time: Duration::from_secs(2),
        ..Bounds::default()
    }
}

impl Listening {
    /// Answers operators on a separate thread with the default engine.
    ///
    /// # Errors
    /// The thread cannot be started, or the system refuses a resource of the engine.
    pub fn serve_admin(self, admin: Arc<Admin>) -> io::Result<AdminServer> {
        let engine = Server::new(Engine::default(), self.listener, bounds())?;
        let engine = Arc::new(engine);
        let (end, ended) = mpsc::channel();
        let its_engine = Arc::clone(&engine);
        thread::Builder::new()
            .name("admin".to_owned())
            .spawn(move || {
                work(&its_engine, &admin);
                // After a timeout the receiver is gone.
                let _ = end.send(());
            })?;
        Ok(AdminServer {
            engine,
            ended,
            address: self.address,
            _file: self.file,
        })
    }
}

impl AdminServer {
    /// Returns the address.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Ends the server when the answer under way is written, or after a second if its client does
    /// not read it. Returns whether it was written.
    pub fn stop(self) -> bool {
        self.engine.unblock();
        self.ended.recv_timeout(LAST_ANSWER).is_ok()
    }
}

fn work(engine: &Server, admin: &Admin) {
    while let Ok(request) = engine.recv() {
        let handled = catch_unwind(AssertUnwindSafe(|| handle(request, admin)));
        if handled.is_err() {
            log::error!("a request of an operator could not be handled: a panic");
        }
    }
}

fn handle(request: Request<'_>, admin: &Admin) {
    let method = known_method(request.method());
    let response = admin.answer(method, request.url(), SystemTime::now());
    // A write to a client that has gone may fail.
    let _ = send(request, method, response);
}

#[cfg(test)]
#[path = "admin/tests.rs"]
mod tests;
