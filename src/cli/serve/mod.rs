//! `serve`: answer requests over HTTP.

mod bounds;
mod limits;

use std::io::Write;
use std::net::{SocketAddr, ToSocketAddrs};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::api::{Api, DataSource};
use crate::cli::{ENVIRONMENT, Outcome, calendar, data_source, keys_path};
use crate::http;
use crate::store::KeyRing;

/// The most workers that can be asked for.
const MAX_WORKERS: i64 = 256;

/// How long requests under way may take to be answered when the server ends.
const GRACE: Duration = Duration::from_secs(10);

/// Answer requests over HTTP.
///
/// Without --database it answers from the demonstration data in the program, to
/// the key `demo`. Once it can answer, it prints `listening on http://ADDR:PORT`.
/// SIGTERM or Ctrl-C ends it when the requests under way are answered.
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
    /// Where to listen; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", env = "PROCUREMENT_LOOKUP_LISTEN", hide_env = true, default_value = "127.0.0.1:8044", value_parser = address)]
    listen: SocketAddr,
    /// How many requests are answered at once [default: one a core, at least 2]
    #[arg(long, value_name = "N", env = "PROCUREMENT_LOOKUP_WORKERS", hide_env = true, value_parser = clap::value_parser!(u16).range(1..=MAX_WORKERS))]
    workers: Option<u16>,
    #[command(flatten)]
    limits: limits::LimitArgs,
    #[command(flatten)]
    bounds: bounds::BoundArgs,
}

fn address(text: &str) -> Result<SocketAddr, String> {
    let first = text
        .to_socket_addrs()
        .ok()
        .and_then(|mut addresses| addresses.next());
    first.ok_or_else(|| {
        "give an address and a port, such as 127.0.0.1:8044 or [::1]:8044".to_owned()
    })
}

pub fn run(args: &Args) -> Outcome {
    let source = data_source(args.database.as_deref());
    let keys = keys_path(args.keys.as_deref(), args.database.as_deref());
    let demo = source == DataSource::Bundled;
    let api = Arc::new(Api::new(source, KeyRing::open(&keys)?, calendar()));
    api.set_limits(args.limits.rates());
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
    let mut signals = Signals::new([SIGTERM, SIGINT])?;
    let listening = http::listen(args.listen).map_err(|error| {
        format!(
            "cannot listen on {}: {error}; choose another with --listen",
            args.listen
        )
    })?;
    let address = listening.address();
    let running = listening.serve(answerers, args.bounds.bounds())?;
    if demo {
        log::info!("answering from the bundled demonstration data, to the key demo");
    }
    let mut out = std::io::stdout();
    // Whoever started this may not read its output; it serves all the same.
    let _ = writeln!(out, "listening on http://{address}").and_then(|()| out.flush());
    signals.forever().next();
    log::info!("ending: the requests under way are answered first");
    if !running.stop(GRACE) {
        log::warn!(
            "some requests were not answered within {} s",
            GRACE.as_secs()
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn default_workers() -> usize {
    thread::available_parallelism().map_or(2, |cores| cores.get().max(2))
}
