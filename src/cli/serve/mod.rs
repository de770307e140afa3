//! `serve`: answer requests over HTTP.

mod answers;
mod bounds;
mod life;
mod limits;
mod operators;
mod settings;
mod signals;
#[cfg_attr(not(target_os = "linux"), path = "no_systemd.rs")]
mod systemd;

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::SystemTime;

use crate::api::{Api, DataSource};
use crate::cli::logging::LogFormat;
use crate::cli::{ENVIRONMENT, Outcome, calendar, data_source, keys_path, log_writer};
use crate::http::engine::{Bounds, Engine};
use crate::http::{self, Address, Listening, Telemetry};
use crate::store::KeyRing;
use life::{Life, LifeArgs};
use signals::Signals;
use systemd::{Manager, Sockets};

/// The most workers that can be asked for.
const MAX_WORKERS: i64 = 256;

/// Answer requests over HTTP.
///
/// Without --database it answers from the demonstration data in the program, to
/// the key `demo`. Once it can answer, it prints `listening on http://ADDR:PORT`, or
/// `listening on unix:PATH`.
/// SIGTERM or Ctrl-C ends it when the requests under way are answered; SIGHUP has it
/// read keys and settings again.
#[derive(Debug, clap::Args)]
#[command(after_help = ENVIRONMENT)]
pub struct Args {
    /// The database to answer from [default: the bundled demonstration data]
    #[arg(
        long,
        value_name = "FILE",
        env = "PROCUREMENT_LOOKUP_DATABASE",
        hide_env = true
    )]
    database: Option<PathBuf>,
    /// The file with the API keys [default: keys.sqlite beside the database]
    #[arg(
        long,
        value_name = "FILE",
        env = "PROCUREMENT_LOOKUP_KEYS",
        hide_env = true
    )]
    keys: Option<PathBuf>,
    /// Where to listen: an address and a port, of which 0 takes a free one, or unix:PATH
    #[arg(long, value_name = "ADDR:PORT", env = "PROCUREMENT_LOOKUP_LISTEN", hide_env = true, default_value = "127.0.0.1:8044", value_parser = Address::parse)]
    listen: Address,
    /// What speaks HTTP. bounded: bounds and time limits hold whatever clients send (Linux,
    /// and the default there). tiny-http: the plain library, without those bounds, for other
    /// systems and as the way back if the bounded one should ever misbehave
    #[arg(long, value_name = "ENGINE", env = "PROCUREMENT_LOOKUP_ENGINE", hide_env = true, default_value = Engine::default().name(), value_parser = engine)]
    engine: Engine,
    /// How many requests are answered at once [default: one a core, at least 2]
    #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_WORKERS", hide_env = true, value_parser = clap::value_parser!(u16).range(1..=MAX_WORKERS))]
    workers: Option<u16>,
    #[command(flatten)]
    operators: operators::OperatorArgs,
    #[command(flatten)]
    limits: limits::LimitArgs,
    #[command(flatten)]
    bounds: bounds::BoundArgs,
    #[command(flatten)]
    answers: answers::AnswerArgs,
    #[command(flatten)]
    life: LifeArgs,
}

impl Args {
    /// How the lines of its log are written.
    pub fn log_format(&self) -> LogFormat {
        self.operators.log_format
    }
}

fn engine(text: &str) -> Result<Engine, String> {
    let names = || Engine::ALL.iter().map(|engine| engine.name());
    let found = Engine::ALL.iter().find(|engine| engine.name() == text);
    found
        .copied()
        .ok_or_else(|| format!("give {}", names().collect::<Vec<_>>().join(" or ")))
}

impl Args {
    /// The same with what the settings file says, if they name one.
    ///
    /// # Errors
    /// A sentence that names the file, the line and the remedy.
    pub fn with_settings_file() -> Result<Self, String> {
        settings::read(&std::env::args_os().collect::<Vec<_>>())
    }
}

pub fn run(args: Args) -> Outcome {
    // Before there are threads: it takes variables out of the environment.
    let sockets = Sockets::take()?;
    let manager = Manager::of_environment();
    let source = data_source(args.database.as_deref());
    let keys = keys_path(args.keys.as_deref(), args.database.as_deref());
    let demo = source == DataSource::Bundled;
    let api = Api::new(source, KeyRing::open(&keys)?, calendar());
    let api = Arc::new(api.keeping_answers(args.answers.answer_cache));
    api.set_limits(args.limits.rates());
    api.set_max_registry_age(args.operators.page_registry_age(demo));
    let workers = args.workers.map_or_else(default_workers, usize::from);
    let answerers = (0..workers)
        .map(|_| api.answerer())
        .collect::<Result<_, _>>()?;
    if !keys.exists() && !demo {
        log::warn!(
            "there are no keys yet ({}), so every request is refused; `procurement-lookup keys issue NAME --keys {}` makes one",
            keys.display(),
            keys.display()
        );
    }
    // Before the first request can come, so that a signal is never missed.
    let signals = Signals::take()?;
    let (listening, admin_listening) = listen(&args, sockets)?;
    let url = listening.address().url();
    let proxies = args.operators.proxies();
    let bounds = Bounds {
        // A proxy speaks for many.
        uncounted: args.operators.trust_proxy.clone(),
        ..args.bounds.bounds()
    };
    let telemetry = Arc::new(Telemetry::new(SystemTime::now(), workers, proxies)?);
    let running = listening.serve(answerers, &telemetry, args.engine, bounds)?;
    let admin = operators::admin(&api, &telemetry, &running, args.operators.max_ages());
    let admin_server = admin_listening
        .map(|listening| listening.serve_admin(Arc::clone(&admin)))
        .transpose()?;
    if let Some(server) = &admin_server {
        log::info!(address:% = server.address(); "health, readiness and figures");
    }
    if demo {
        log::info!("answering from the bundled demonstration data, to the key demo");
    }
    // What was logged until now is there for whoever waits for the line.
    log_writer::flush();
    let mut out = std::io::stdout();
    // Whoever started this may not read its output; it serves all the same.
    let _ = writeln!(out, "listening on {url}").and_then(|()| out.flush());
    let life = Life {
        api: &api,
        telemetry: &telemetry,
        admin: &admin,
        args,
        manager,
        status: format!("answering on {url}"),
    };
    life.live(signals, running)?;
    if let Some(server) = admin_server {
        server.stop();
    }
    Ok(ExitCode::SUCCESS)
}

/// Listens where the service manager does already, else where the options say: for
/// clients, and for operators if that is asked for.
fn listen(args: &Args, sockets: Sockets) -> Result<(Listening, Option<Listening>), String> {
    let taken = |listener, instead_of| {
        let listening = http::listen_on(listener)
            .map_err(|error| format!("cannot listen on the socket handed over: {error}"))?;
        log::info!(
            "listening on the socket handed over, {}, instead of {instead_of}",
            listening.address()
        );
        Ok::<_, String>(listening)
    };
    let http = match sockets.http {
        Some(listener) => taken(listener, "--listen")?,
        None => http::listen(&args.listen).map_err(|error| {
            format!(
                "cannot listen on {}: {error}; choose another with --listen",
                args.listen
            )
        })?,
    };
    let admin = match sockets.admin {
        Some(listener) => Some(taken(listener, "--admin-listen")?),
        None => args.operators.listen()?,
    };
    Ok((http, admin))
}

fn default_workers() -> usize {
    thread::available_parallelism().map_or(2, |cores| cores.get().max(2))
}
