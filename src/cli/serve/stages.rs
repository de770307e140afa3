//! The stages of a start. Each stage is a type that only the previous stage can produce, so the
//! order cannot be changed by mistake. The stages are [`Inherited`], created before any thread
//! starts; [`Prepared`], which `serve --check` also creates; [`Bound`], whose sockets accept
//! connections; and [`Serving`], which answers.

use std::io::Write;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use super::key_use::KeyUse;
use super::signals::Signals;
use super::supervisor::Supervisor;
use super::systemd::{ServiceManager, Sockets};
use super::{Args, starting};
use crate::api::response::receipt::server_name;
use crate::api::{Answerer, Api, Cors, DataSource, Defaults, Signer};
use crate::cli::{BoxedError, Outcome, calendar, data_source, log_writer, ownership, wrong_use};
use crate::http::engine::Bounds;
use crate::http::{
    self, Admin, LAST_ANSWER, Listening, MaxAges, Proxies, Running, Telemetry, Trust,
};
use crate::import::registry_documents;
use crate::store::{self, KeyRing};

#[derive(Default)]
pub struct Inherited {
    sockets: Sockets,
    manager: ServiceManager,
}

/// The API over the data and the keys. A thread of the API keeps the keys up to date.
pub struct Prepared<'a> {
    args: &'a Args,
    inherited: Inherited,
    pub source: DataSource,
    pub api: Arc<Api>,
}

/// Sockets that accept connections. From this stage on, no signal is missed.
pub struct Bound<'a> {
    args: &'a Args,
    manager: ServiceManager,
    source: DataSource,
    api: Arc<Api>,
    answerers: Vec<Answerer>,
    signals: Signals,
    http: Listening,
    admin: Option<Listening>,
}

pub struct Serving<'a> {
    args: &'a Args,
    manager: ServiceManager,
    api: Arc<Api>,
    signals: Signals,
    url: String,
    running: Running,
    admin: Arc<Admin>,
    admin_server: Option<Running>,
    key_use: KeyUse,
}

impl Inherited {
    /// Takes over the sockets and settings from the service manager. No other thread may be
    /// running, because this changes environment variables.
    ///
    /// # Errors
    /// Returns a sentence if the sockets cannot be used.
    pub fn take() -> Result<Self, String> {
        Ok(Self {
            sockets: Sockets::take()?,
            manager: ServiceManager::from_env(),
        })
    }
}

impl<'a> Prepared<'a> {
    /// Reads the settings, the keys and the signing key.
    ///
    /// # Errors
    /// Returns an error if the server cannot start with these settings, keys or signing key.
    pub fn new(args: &'a Args, inherited: Inherited) -> Result<Self, BoxedError> {
        let source = data_source(args.database.as_deref());
        Ok(Self {
            args,
            inherited,
            api: api(args, source.clone())?,
            source,
        })
    }

    /// Opens the data for each worker, installs signal handlers and listens.
    ///
    /// # Errors
    /// Returns an error if the data cannot be read, or if an address is not available.
    pub fn listen(self) -> Result<Bound<'a>, BoxedError> {
        let Self {
            args,
            inherited: Inherited { sockets, manager },
            source,
            api,
        } = self;
        starting::follow_servers(&source, &api)?;
        let workers = args.workers.map_or_else(default_workers, usize::from);
        let answerers = (0..workers)
            .map(|_| api.answerer())
            .collect::<Result<_, _>>()?;
        let signals = Signals::take()?;
        let (http, admin) = listen(args, sockets)?;
        Ok(Bound {
            args,
            manager,
            source,
            api,
            answerers,
            signals,
            http,
            admin,
        })
    }
}

impl<'a> Bound<'a> {
    /// Starts answering clients and operators.
    ///
    /// # Errors
    /// Returns an error if the audit trail cannot be written, or if the system refuses a resource.
    pub fn serve(self) -> Result<Serving<'a>, BoxedError> {
        let (args, operators) = (self.args, &self.args.operators);
        let url = self.http.address().url();
        let telemetry = telemetry(args, self.answerers.len())?;
        let proxies = Proxies::new(operators.trust_proxy.clone());
        let trust = Arc::new(Trust::new(proxies, operators.user_header.clone()));
        let bounds = Bounds {
            // A proxy opens connections for many clients, so these do not count towards the limit
            // per address.
            uncounted: operators.trust_proxy.clone(),
            ..args.bounds.bounds()
        };
        let running = self
            .http
            .serve(self.answerers, &telemetry, &trust, args.engine, bounds)?;
        let max_ages = MaxAges {
            data: operators.max_data_age,
            registry: args.verdicts.age.max_registry_age,
        };
        let admin = Admin::new(Arc::clone(&self.api), telemetry, trust, &running, max_ages);
        let admin = Arc::new(admin);
        let serve_admin = |listening: Listening| {
            log::info!(address:% = listening.address(); "serving health, readiness and metrics");
            listening.serve_admin(Arc::clone(&admin))
        };
        let admin_server = self.admin.map(serve_admin).transpose()?;
        starting::log_start(args, &self.source, &self.api)?;
        Ok(Serving {
            args,
            manager: self.manager,
            key_use: KeyUse::begin(&self.api, args.key_store())?,
            api: self.api,
            signals: self.signals,
            url,
            running,
            admin,
            admin_server,
        })
    }
}

impl Serving<'_> {
    /// Prints the address and runs until the service has stopped.
    ///
    /// # Errors
    /// Returns the reason why the service has stopped, unless it was a signal.
    pub fn run(self) -> Outcome {
        let url = self.url;
        // Write all earlier log lines before the line that supervisors wait for.
        log_writer::flush();
        let mut out = std::io::stdout();
        // If nobody reads standard output, the service runs anyway.
        let _ = writeln!(out, "listening on {url}").and_then(|()| out.flush());
        let supervisor = Supervisor {
            api: &self.api,
            admin: &self.admin,
            grace: self.args.grace,
            manager: self.manager,
        };
        let status = format!("answering on {url}");
        let outcome = supervisor.run(self.signals, self.running, &status);
        if let Some(server) = self.admin_server {
            server.stop(LAST_ANSWER);
        }
        self.key_use.end();
        outcome.map(|()| ExitCode::SUCCESS)
    }
}

fn telemetry(args: &Args, workers: usize) -> Result<Arc<Telemetry>, BoxedError> {
    let operators = &args.operators;
    let mut telemetry = Telemetry::new(SystemTime::now(), workers)?;
    telemetry.audit = operators.audit(args.database.as_deref())?;
    Ok(Arc::new(telemetry))
}

fn api(args: &Args, source: DataSource) -> Result<Arc<Api>, BoxedError> {
    let store = args.key_store();
    let keys = KeyRing::new(&store).map_err(|error| ownership::explained(&store, error))?;
    let cors =
        Cors::parse(&args.cors).unwrap_or_else(|error| wrong_use(&format!("--cors: {error}")));
    let mut api = Api::new(source, keys, calendar()).caching(args.answer_cache);
    api.set_cors(cors);
    api.registry_documents = registry_documents().into();
    api.defaults = Defaults {
        rules: args.verdicts.rules(),
        strict: args.strict,
    };
    api.signer = signer(args)?;
    api.is_audited = args.operators.audit.is_some();
    if args.check_new {
        api.check_new_files();
    }
    api.set_limits(args.limits.rates());
    Ok(Arc::new(api))
}

fn signer(args: &Args) -> Result<Option<Signer>, BoxedError> {
    let (keys, database) = (args.keys.as_deref(), args.database.as_deref());
    let Some(key) = args.signing_key.read(keys, database)? else {
        return Ok(None);
    };
    let server = args.server_name.clone().unwrap_or_else(host_name);
    let now = Box::new(|| store::seconds(SystemTime::now()));
    Ok(Some(Signer::new(key, server, now)))
}

/// Returns the host's name, or `localhost` if that name is not valid in a receipt.
#[cfg(target_os = "linux")]
fn host_name() -> String {
    let host = rustix::system::uname();
    let name = host.nodename().to_str().ok();
    let name = name.and_then(|name| server_name(name).ok());
    name.unwrap_or_else(|| "localhost".to_owned())
}

#[cfg(not(target_os = "linux"))]
fn host_name() -> String {
    "localhost".to_owned()
}

/// Listens for clients and, if the admin server is enabled, for operators. Uses the service
/// manager's sockets if there are any, and otherwise the addresses in the options.
fn listen(args: &Args, sockets: Sockets) -> Result<(Listening, Option<Listening>), String> {
    let inherited = |listener, instead_of| {
        let listening = http::listen_on(listener)
            .map_err(|error| format!("cannot listen on the inherited socket: {error}"))?;
        log::info!(
            "listening on the inherited socket {} instead of {instead_of}",
            listening.address()
        );
        Ok::<_, String>(listening)
    };
    let http = match sockets.http {
        Some(listener) => inherited(listener, "--listen")?,
        None => http::listen(&args.listen).map_err(|error| {
            format!(
                "cannot listen on {}: {error}; choose another with --listen",
                args.listen
            )
        })?,
    };
    let admin = match sockets.admin {
        Some(listener) => Some(inherited(listener, "--admin-listen")?),
        None => args.operators.listen()?,
    };
    Ok((http, admin))
}

fn default_workers() -> usize {
    thread::available_parallelism().map_or(2, |cores| cores.get().max(2))
}
