//! The admin server: health, readiness and figures, on a port of its own, without a
//! key. It has a thread of its own, so that it answers while all workers are busy,
//! and until the service has ended.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::engine::{Bounds, Engine, Figures, Request, Server};
use super::exposition;
use super::listening::SocketFile;
use super::metrics::{DataFigures, Others};
use super::telemetry::Telemetry;
use super::{Address, Listening, known_method, send};
use crate::api::{CacheFigures, Note, Reply};

/// How long the last answer may take to be written when the server ends.
const LAST_ANSWER: Duration = Duration::from_secs(1);

/// What the admin server asks the rest of the program for; each is asked anew for
/// each answer that needs it.
pub struct Sources {
    /// Is the service alive?
    pub alive: Box<dyn Fn() -> bool + Send + Sync>,
    /// The state of the data; why it cannot be read goes to the log.
    pub data: Box<dyn Fn() -> Result<DataFigures, String> + Send + Sync>,
    /// What the engine counts, if it counts.
    pub engine: Box<dyn Fn() -> Option<Figures> + Send + Sync>,
    /// How many requests each limit of load has refused, by its name.
    pub limits: Box<dyn Fn() -> Vec<(&'static str, u64)> + Send + Sync>,
    /// How the answers do that are kept.
    pub answers: Box<dyn Fn() -> CacheFigures + Send + Sync>,
}

/// How old what is answered from may be for the service to be ready; none: any age.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MaxAges {
    /// Since an import last changed anything.
    pub data: Option<Duration>,
    /// Since the day as of which a registry of unfair suppliers was complete, in whole
    /// days. Registries that nobody declared complete are not looked at.
    pub registry: Option<Duration>,
}

/// What answers to operators.
pub struct Admin {
    telemetry: Arc<Telemetry>,
    sources: Sources,
    max_ages: Mutex<MaxAges>,
    stopping: AtomicBool,
    /// Why it was not ready when last asked, so that the log tells of changes alone.
    last: Mutex<Option<Unready>>,
}

/// Why no requests should be sent here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Unready {
    Stopping,
    Unreadable,
    Old,
    OldRegistry,
}

impl Unready {
    fn text(self) -> &'static str {
        match self {
            Self::Stopping => "the service is stopping",
            Self::Unreadable => "the data cannot be read",
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
    /// Which data it is.
    version: Option<String>,
    /// When an import last changed anything, `YYYY-MM-DDTHH:MM:SSZ`.
    updated: Option<String>,
    age_seconds: Option<u64>,
}

impl Admin {
    /// One that knows what `telemetry` counts and `sources` tell. What is older than
    /// `max_ages` is not ready.
    pub fn new(telemetry: Arc<Telemetry>, sources: Sources, max_ages: MaxAges) -> Self {
        Self {
            telemetry,
            sources,
            max_ages: Mutex::new(max_ages),
            stopping: AtomicBool::new(false),
            last: Mutex::default(),
        }
    }

    /// From now on what is older than that is not ready.
    pub fn set_max_ages(&self, max_ages: MaxAges) {
        *locked(&self.max_ages) = max_ages;
    }

    /// From now on the service is not ready: it answers what it has received, and ends.
    pub fn set_stopping(&self) {
        self.stopping.store(true, Ordering::Relaxed);
    }

    /// The reply to a request; the query of its target is ignored.
    pub fn answer(&self, method: &str, target: &str, now: SystemTime) -> Reply {
        let path = target.split('?').next().unwrap_or_default();
        if !matches!(path, "/healthz" | "/readyz" | "/metrics") {
            return plain(404, "not found\n");
        }
        if !matches!(method, "GET" | "HEAD") {
            let mut reply = plain(405, "method not allowed\n");
            reply.headers.push(("Allow", "GET, HEAD".into()));
            return reply;
        }
        match path {
            "/healthz" if (self.sources.alive)() => plain(200, "ok\n"),
            "/healthz" => plain(503, "not alive\n"),
            "/readyz" => self.readiness(now),
            _ => reply(200, exposition::CONTENT_TYPE, self.figures(now)),
        }
    }

    fn figures(&self, now: SystemTime) -> String {
        let others = Others {
            engine: (self.sources.engine)(),
            limits: (self.sources.limits)(),
            answers: (self.sources.answers)(),
            data: (self.sources.data)().ok(),
        };
        self.telemetry.metrics.render(&others, now)
    }

    fn readiness(&self, now: SystemTime) -> Reply {
        let data = (self.sources.data)();
        let age = data.as_ref().ok().map(|data| data.age(now));
        let unready = if self.stopping.load(Ordering::Relaxed) {
            Some(Unready::Stopping)
        } else {
            match &data {
                Err(_) => Some(Unready::Unreadable),
                Ok(data) => self.too_old(data, now),
            }
        };
        self.tell_change(unready, data.as_ref().err());
        let data = data.ok();
        let updated = data.as_ref().map(|data| {
            // Times before 1970 cannot be written.
            let updated = data.updated.max(SystemTime::UNIX_EPOCH);
            humantime::format_rfc3339_seconds(updated).to_string()
        });
        let readiness = Readiness {
            ready: unready.is_none(),
            reason: unready.map(Unready::text),
            updated,
            age_seconds: age.map(|age| age.as_secs()),
            version: data.map(|data| data.version),
        };
        let status = if readiness.ready { 200 } else { 503 };
        // Strings and numbers can always be written.
        let body = serde_json::to_string(&readiness).unwrap_or_default() + "\n";
        reply(status, "application/json", body)
    }

    /// What is older than it may be, if anything is.
    fn too_old(&self, data: &DataFigures, now: SystemTime) -> Option<Unready> {
        let MaxAges {
            data: max_age,
            registry: max_registry_age,
        } = *locked(&self.max_ages);
        if max_age.is_some_and(|max_age| data.age(now) > max_age) {
            return Some(Unready::Old);
        }
        let registry_age = data.registry_age.zip(max_registry_age);
        let is_old = registry_age.is_some_and(|(age, max_age)| age > max_age);
        is_old.then_some(Unready::OldRegistry)
    }

    /// Tells the log when readiness has changed since it was last asked for.
    fn tell_change(&self, unready: Option<Unready>, error: Option<&String>) {
        let before = std::mem::replace(&mut *locked(&self.last), unready);
        match unready {
            _ if before == unready => {}
            None => log::info!("ready again"),
            Some(Unready::Stopping) => {}
            Some(reason) => {
                log::warn!(error = error.map(String::as_str); "not ready: {}", reason.text());
            }
        }
    }
}

fn plain(status: u16, text: &str) -> Reply {
    reply(status, "text/plain; charset=utf-8", text.to_owned())
}

fn reply(status: u16, content_type: &str, body: String) -> Reply {
    Reply {
        status,
        headers: vec![
            ("Content-Type", content_type.to_owned().into()),
            ("Cache-Control", "no-store".into()),
        ],
        body: body.into_bytes(),
        note: Note::default(),
    }
}

/// An admin server that answers.
pub struct AdminServer {
    engine: Arc<Server>,
    /// A message when the thread has ended.
    ended: Receiver<()>,
    address: Address,
    /// Removed at the end.
    _file: Option<SocketFile>,
}

/// A few connections do for operators; what they ask is short, so that one who is
/// slow makes room soon.
fn bounds() -> Bounds {
    Bounds {
        connections: 16,
        connections_of_address: 16,
        head_time: Duration::from_secs(2),
        ..Bounds::default()
    }
}

impl Listening {
    /// Answers to operators, on a thread of its own, by the default engine.
    ///
    /// # Errors
    /// The thread cannot be had, or what the engine needs of the system.
    pub fn serve_admin(self, admin: Arc<Admin>) -> io::Result<AdminServer> {
        let engine = Server::new(Engine::default(), self.listener, bounds())?;
        let engine = Arc::new(engine);
        let (end, ended) = mpsc::channel();
        let its_engine = Arc::clone(&engine);
        thread::Builder::new()
            .name("admin".to_owned())
            .spawn(move || {
                work(&its_engine, &admin);
                // Nobody waits any more where that took too long.
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
    /// Where it listens.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Ends, when the answer under way has been written, or after a second where
    /// its client does not take it. Was it written?
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
    let reply = admin.answer(method, request.url(), SystemTime::now());
    // Who has gone needs no answer.
    let _ = send(request, method, reply);
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "admin/tests.rs"]
mod tests;
