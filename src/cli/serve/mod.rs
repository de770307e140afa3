//! `serve`: answers requests over HTTP.

pub(super) mod bounds;
mod checking;
mod key_use;
pub(super) mod limits;
mod operators;
mod signals;
mod stages;
mod starting;
mod supervisor;
#[cfg_attr(not(target_os = "linux"), path = "no_systemd.rs")]
mod systemd;

use std::path::PathBuf;
use std::time::Duration;

use crate::api::response::receipt::server_name;
use crate::cli::logging::LogFormat;
use crate::cli::signing_key::SigningKeyArgs;
use crate::cli::verdict_args::VerdictArgs;
use crate::cli::{Outcome, key_store, values};
use crate::http::Address;
use crate::http::engine::Engine;
use crate::store::KeyStore;
use stages::{Inherited, Prepared};

/// Maximum configurable number of workers.
pub const MAX_WORKERS: i64 = 256;

/// Range of the memory for cached responses, in bytes; 0 turns the cache off. A smaller cache would
/// hold hardly any responses.
pub const LEAST_CACHE: usize = 1 << 20;
pub const MOST_CACHE: usize = 1 << 36;

/// Maximum grace period.
pub const MOST_GRACE: Duration = Duration::from_secs(3600);

/// Answer requests over HTTP.
///
/// Without --database, the server answers from bundled demonstration data, with the API key `demo`.
/// When it is ready, it prints `listening on http://ADDR:PORT` or `listening on unix:PATH`. SIGTERM
/// or Ctrl-C stops it once the requests under way are answered. New and revoked keys take effect
/// within a second, a replaced database with the next request, and changed options after a restart;
/// test these with --check first.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Check the settings, the keys and the database as at a start, then exit without listening or
    /// writing any file. With --check-new, check the whole database
    #[arg(long)]
    check: bool,
    /// The database to answer from: a file, or postgresql://HOST,…/DATABASE [default: the
    /// bundled demonstration data]
    #[arg(long, value_name = "FILE")]
    database: Option<PathBuf>,
    /// Check a new database file in full before answering from it, as the command `check` does. If
    /// it is damaged, continue with the previous file
    #[arg(long)]
    check_new: bool,
    /// The file with the API keys, or postgresql://HOST/DATABASE [default: keys.sqlite beside
    /// the database, else in the current folder]
    #[arg(long, value_name = "FILE")]
    keys: Option<PathBuf>,
    /// The address to listen on: ADDR:PORT, where port 0 picks a free one, or unix:PATH
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8044", value_parser = Address::parse)]
    listen: Address,
    /// The HTTP engine. bounded runs only on Linux, and enforces limits and timeouts whatever clients
    /// send. tiny-http is for other systems and has no such limits: do not use it behind a proxy or
    /// with untrusted clients
    #[arg(long, value_name = "ENGINE", default_value = Engine::default().name(), value_parser = engine)]
    engine: Engine,
    /// The number of requests answered concurrently, 1 to 256 [default: one per core, at least 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=MAX_WORKERS))]
    workers: Option<u16>,
    /// Memory for cached answers; 0 turns the cache off
    #[arg(long, value_name = "SIZE", default_value = "16MB", value_parser = cache_size)]
    answer_cache: usize,
    /// How long a stopping server waits for requests in progress, at most an hour
    #[arg(long, value_name = "SPAN", default_value = "10s", value_parser = values::duration_in(Duration::ZERO..=MOST_GRACE))]
    grace: Duration,
    /// Origins whose pages may use the API in a browser, separated by commas, such as
    /// https://example.org; * is any [default: none]
    #[allow(rustdoc::bare_urls, reason = "the help has no markup")]
    #[arg(long, value_name = "ORIGIN,…", value_delimiter = ',')]
    cors: Vec<String>,
    #[command(flatten)]
    signing_key: SigningKeyArgs,
    /// The name of this server in its receipts [default: the host's name]
    #[arg(long, value_name = "NAME", value_parser = server_name)]
    server_name: Option<String>,
    #[command(flatten)]
    verdicts: VerdictArgs,
    /// Treat every request as if it had strict=1: an unknown parameter is an error, and so is a
    /// check for which the registry data is not sufficient
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    operators: operators::OperatorArgs,
    #[command(flatten)]
    limits: limits::LimitArgs,
    #[command(flatten)]
    bounds: bounds::BoundArgs,
}

impl Args {
    pub fn log_format(&self) -> LogFormat {
        self.operators.log_format
    }

    fn key_store(&self) -> KeyStore {
        key_store(self.keys.as_deref(), self.database.as_deref())
    }
}

fn engine(text: &str) -> Result<Engine, String> {
    let names = || Engine::ALL.iter().map(|engine| engine.name());
    let found = Engine::ALL.iter().find(|engine| engine.name() == text);
    found
        .copied()
        .ok_or_else(|| format!("give {}", names().collect::<Vec<_>>().join(" or ")))
}

fn cache_size(text: &str) -> Result<usize, String> {
    match values::size(text)? {
        0 => Ok(0),
        _ => values::size_in(LEAST_CACHE..=MOST_CACHE)(text)
            .map_err(|error| format!("{error}, or 0")),
    }
}

pub fn run(args: &Args) -> Outcome {
    if args.check {
        return checking::run(args);
    }
    let prepared = Prepared::new(args, Inherited::take()?)?;
    prepared.listen()?.serve()?.run()
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct TestCli {
        #[command(flatten)]
        args: Args,
    }

    fn given(argument: &str) -> Option<Args> {
        let parsed = TestCli::try_parse_from(["serve", argument]).ok()?;
        Some(parsed.args)
    }

    #[test]
    fn the_size_of_the_cache_is_in_range_or_zero() {
        let size = |argument: &str| given(argument).map(|args| args.answer_cache);
        assert_eq!(size("--answer-cache=0"), Some(0));
        assert_eq!(size("--answer-cache=64MB"), Some(64 << 20));
        for bad in ["1KB", "65GB", "-1", "much"] {
            assert_eq!(size(&format!("--answer-cache={bad}")), None, "{bad}");
        }
    }

    #[test]
    fn the_grace_period_is_at_most_an_hour() {
        let grace = |argument: &str| given(argument).map(|args| args.grace);
        assert_eq!(grace("--grace=0"), Some(Duration::ZERO));
        assert_eq!(grace("--grace=1h"), Some(MOST_GRACE));
        assert_eq!(grace("--grace=3601"), None);
    }
}
