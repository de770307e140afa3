//! `keys`: issues, rotates, limits, lists and revokes API keys; creates the key that signs
//! receipts.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use clap::Subcommand;

use super::output::{SummaryFormat, print_json};
use super::serve::limits;
use super::signing_key::SigningKeyArgs;
use super::{Outcome, key_store, ownership, values};
use crate::model::{MAX_KEY_NAME, Rate, is_key_name, timestamp};
use crate::render::{KeyEventOutput, KeyListOutput, KeyLogOutput, KeyOutput};
use crate::store::{IssuedKey, KeyEvent, KeyStore, KeyTerms};

/// Bounds on the lifetime of a key.
pub const LEAST_LIFE: Duration = Duration::from_secs(3_600);
pub const MOST_LIFE: Duration = Duration::from_secs(10 * 366 * 86_400);

/// Maximum time for which a name may have two valid keys.
pub const MOST_OVERLAP: Duration = Duration::from_secs(366 * 86_400);

/// Issue, rotate, limit, list and revoke API keys; make the key that signs receipts.
///
/// API keys are stored as hashes, in a separate file or in PostgreSQL: a key is shown only once,
/// when it is issued. A change reaches a running server within a second.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: KeyCommand,
    /// The file with the API keys, or postgresql://HOST/DATABASE [default: keys.sqlite beside the
    /// database, else in the current folder]
    #[arg(long, value_name = "FILE", global = true)]
    keys: Option<PathBuf>,
    /// The database whose folder holds the keys file
    #[arg(long, value_name = "FILE", global = true)]
    database: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Issue a key and print it; it cannot be shown again
    Issue {
        /// The name of the holder; a name has one valid key at a time
        #[arg(value_parser = name)]
        name: String,
        /// How long the key is valid, such as 90d; at most ten years [default: until it is revoked]
        #[arg(long, value_name = "SPAN", value_parser = values::duration_in(LEAST_LIFE..=MOST_LIFE))]
        expires: Option<Duration>,
        #[command(flatten)]
        limit: LimitArgs,
    },
    /// Issue a new key to a name that has one, on the same terms, and print it; the old one expires
    /// later
    Rotate {
        /// The name of the holder
        #[arg(value_parser = name)]
        name: String,
        /// How long the old key stays valid beside the new one, at most a year; 0 ends it
        /// immediately
        #[arg(long, value_name = "SPAN", default_value = "7d", value_parser = values::duration_in(Duration::ZERO..=MOST_OVERLAP))]
        overlap: Duration,
    },
    /// Set a rate limit for the keys of a name; without --rate, return to the limit for all keys
    Limit {
        /// The name of the holder
        #[arg(value_parser = name)]
        name: String,
        #[command(flatten)]
        limit: LimitArgs,
    },
    /// Print the names with the times of their keys, the last day of use and the limits
    List {
        /// The format of the list: text, or json for programs
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: SummaryFormat,
    },
    /// Print the history of keys: issued, rotated, limited, revoked
    Log {
        /// The format of the history: text, or json for programs
        #[arg(long, value_name = "FORMAT", default_value = "text")]
        format: SummaryFormat,
    },
    /// Revoke all valid keys of a name
    Revoke {
        /// The name of the holder
        #[arg(value_parser = name)]
        name: String,
    },
    /// Print the public half of the key that signs receipts, in PEM; create the key if there is
    /// none
    SigningKey(SigningKeyArgs),
}

/// The rate limit of one key, used instead of the server's limits.
#[derive(Clone, Copy, Debug, clap::Args)]
struct LimitArgs {
    /// Requests per second with this key, over all endpoints, instead of the server's limits for
    /// a key; 0 is no limit
    #[arg(long, value_name = "N", value_parser = limits::rate())]
    rate: Option<u32>,
    /// Requests with this key that may come in a burst after a pause
    #[arg(long, value_name = "N", default_value = "100", requires = "rate", value_parser = limits::burst())]
    burst: u32,
}

impl LimitArgs {
    fn limit(self) -> Option<Rate> {
        Some(Rate {
            per_second: self.rate?,
            burst: self.burst,
        })
    }
}

fn name(text: &str) -> Result<String, String> {
    match is_key_name(text) {
        true => Ok(text.to_owned()),
        false => Err(format!(
            "give a name of 1 to {MAX_KEY_NAME} characters without control characters"
        )),
    }
}

pub fn run(args: &Args) -> Outcome {
    let (keys, database) = (args.keys.as_deref(), args.database.as_deref());
    if let KeyCommand::SigningKey(signing_key) = &args.action {
        let (path, key) = signing_key.read_or_create(keys, database)?;
        print!("{}", key.public().pem());
        let (path, fingerprint) = (path.display(), key.public().fingerprint());
        eprintln!("The key is in {path}; its fingerprint is {fingerprint}.");
        return Ok(ExitCode::SUCCESS);
    }
    let keys = key_store(keys, database);
    let now = SystemTime::now();
    let mut out = io::stdout().lock();
    match &args.action {
        KeyCommand::Issue {
            name,
            expires,
            limit,
        } => {
            let terms = KeyTerms {
                lasts: expires.map(|span| i64::try_from(span.as_secs()).unwrap_or(i64::MAX)),
                limit: limit.limit(),
            };
            let key = keys.issue(name, terms, now)?;
            writeln!(out, "{key}")?;
            eprintln!("This is the key of {name}. It is not stored and cannot be shown again.");
            if let KeyStore::File(path) = &keys
                && let Some(remedy) = ownership::remedy(path)
            {
                eprintln!("{remedy}.");
            }
        }
        KeyCommand::Rotate { name, overlap } => {
            let new = keys.rotate(name, now, *overlap)?;
            writeln!(out, "{}", new.key)?;
            let old = match overlap.is_zero() {
                true => "The old one is no longer valid.".to_owned(),
                false => format!("The old one is valid until {}.", timestamp(new.end_of_old)),
            };
            let end = new
                .ends
                .map(|end| format!(" The new one is valid until {}.", timestamp(end)));
            let end = end.unwrap_or_default();
            eprintln!(
                "This is the new key of {name}. It is not stored and cannot be shown again. {old}{end}"
            );
        }
        KeyCommand::Limit { name, limit } => keys.limit(name, limit.limit(), now)?,
        KeyCommand::Revoke { name } => {
            keys.revoke(name, now)?;
            eprintln!("{name} no longer has a valid key.");
        }
        KeyCommand::SigningKey(_) => {}
        KeyCommand::List { format } => {
            let keys = keys.list()?;
            match format {
                SummaryFormat::Text => print_list(&mut out, &keys)?,
                SummaryFormat::Json => print_json(&mut out, &list_output(&keys))?,
            }
        }
        KeyCommand::Log { format } => {
            let events = keys.events()?;
            match format {
                SummaryFormat::Text => print_log(&mut out, &events)?,
                SummaryFormat::Json => print_json(&mut out, &log_output(&events))?,
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn list_output(keys: &[IssuedKey]) -> KeyListOutput {
    let time = |time: Option<i64>| time.map_or_else(String::new, timestamp);
    let key =
        |key: &IssuedKey| KeyOutput {
            name: key.name.clone(),
            issued: timestamp(key.issued),
            ends: time(key.ends),
            revoked: time(key.revoked),
            last_used: key.used,
            limit: key.limit.as_ref().ok().and_then(|limit| {
                limit.map(|limit| [limit.per_second, limit.burst].map(u64::from))
            }),
            is_limit_damaged: key.limit.is_err(),
        };
    KeyListOutput {
        keys: keys.iter().map(key).collect(),
    }
}

fn log_output(events: &[KeyEvent]) -> KeyLogOutput {
    let event = |event: &KeyEvent| KeyEventOutput {
        time: timestamp(event.at),
        action: event.action.clone(),
        name: event.name.clone(),
        details: event.details.clone(),
    };
    KeyLogOutput {
        events: events.iter().map(event).collect(),
    }
}

fn print_list(out: &mut impl Write, keys: &[IssuedKey]) -> io::Result<()> {
    let widths = keys.iter().map(|key| key.name.chars().count());
    let width = widths.max().unwrap_or(0).max(4);
    let none = || "-".to_owned();
    let time = |time: Option<i64>| time.map_or_else(none, timestamp);
    writeln!(
        out,
        "{:width$}  {:20}  {:20}  {:20}  {:10}  {:>7}  {:>7}",
        "name", "issued", "ends", "revoked", "last used", "rate", "burst"
    )?;
    for key in keys {
        let (issued, ends, revoked) = (timestamp(key.issued), time(key.ends), time(key.revoked));
        let used = key.used.map_or_else(none, |day| day.to_string());
        let number = |number: fn(Rate) -> u32| match key.limit {
            Ok(limit) => limit.map_or_else(none, |limit| number(limit).to_string()),
            Err(_) => "damaged".to_owned(),
        };
        let (rate, burst) = (
            number(|limit| limit.per_second),
            number(|limit| limit.burst),
        );
        writeln!(
            out,
            "{:width$}  {issued}  {ends:20}  {revoked:20}  {used:10}  {rate:>7}  {burst:>7}",
            key.name
        )?;
    }
    Ok(())
}

fn print_log(out: &mut impl Write, events: &[KeyEvent]) -> io::Result<()> {
    for event in events {
        let (at, action, name) = (timestamp(event.at), &event.action, &event.name);
        let separator = if event.details.is_empty() { "" } else { ": " };
        writeln!(out, "{at}  {action:7}  {name}{separator}{}", event.details)?;
    }
    Ok(())
}
