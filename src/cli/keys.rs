//! `keys`: issue, rotate, list and revoke API keys; and the key that signs receipts.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, SystemTime};

use clap::Subcommand;

use super::signing_key::SigningKeyArgs;
use super::{Outcome, key_store, ownership, values};
use crate::model::timestamp;
use crate::store::{IssuedKey, KeyStore};

/// How long a key's name may be, in characters.
pub const MAX_NAME: usize = 100;

/// The longest time that a name may have two valid keys.
pub const MOST_OVERLAP: Duration = Duration::from_secs(366 * 86_400);

/// Issue, rotate, list and revoke API keys; make the key that signs receipts.
///
/// API keys are stored as hashes, in a file of their own or in PostgreSQL: a key is shown once,
/// when it is issued. A change reaches a running server within a second.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: KeyCommand,
    /// The file with the API keys, or postgresql://HOST/DATABASE [default: keys.sqlite beside
    /// the database, else in the current folder]
    #[arg(long, value_name = "FILE", global = true)]
    keys: Option<PathBuf>,
    /// The database beside which the keys file lies
    #[arg(long, value_name = "FILE", global = true)]
    database: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum KeyCommand {
    /// Issue a key and print it: it cannot be shown again
    Issue {
        /// Who it is for; a name has one valid key at a time
        #[arg(value_parser = name)]
        name: String,
    },
    /// Issue a new key to a name that has one and print it; the old one ends later
    Rotate {
        /// Who it is for
        #[arg(value_parser = name)]
        name: String,
        /// How long the old key stays valid beside the new one, at most a year; 0 ends it at
        /// once
        #[arg(long, value_name = "SPAN", default_value = "7d", value_parser = values::duration_in(Duration::ZERO..=MOST_OVERLAP))]
        overlap: Duration,
    },
    /// Print the names, and when their keys were issued and revoked
    List,
    /// Revoke all valid keys of a name
    Revoke {
        /// Who it was issued to
        #[arg(value_parser = name)]
        name: String,
    },
    /// Print the public half of the key that signs receipts, in PEM; make the key if there
    /// is none
    SigningKey(SigningKeyArgs),
}

fn name(text: &str) -> Result<String, String> {
    let length = text.chars().count();
    if text.trim().is_empty() || length > MAX_NAME || text.chars().any(char::is_control) {
        return Err(format!(
            "a name has 1 to {MAX_NAME} characters, none of them a control character"
        ));
    }
    Ok(text.to_owned())
}

pub fn run(args: &Args) -> Outcome {
    let (keys, database) = (args.keys.as_deref(), args.database.as_deref());
    if let KeyCommand::SigningKey(signing_key) = &args.action {
        let (path, key) = signing_key.read_or_make(keys, database)?;
        print!("{}", key.public().pem());
        let (path, fingerprint) = (path.display(), key.public().fingerprint());
        eprintln!("The key is in {path}; its fingerprint is {fingerprint}.");
        return Ok(ExitCode::SUCCESS);
    }
    let keys = key_store(keys, database);
    let now = SystemTime::now();
    let mut out = io::stdout().lock();
    match &args.action {
        KeyCommand::Issue { name } => {
            let key = keys.issue(name, now)?;
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
            eprintln!(
                "This is the new key of {name}. It is not stored and cannot be shown again. {old}"
            );
        }
        KeyCommand::Revoke { name } => {
            keys.revoke(name, now)?;
            eprintln!("{name} has no valid key any more.");
        }
        KeyCommand::SigningKey(_) => {}
        KeyCommand::List => print_list(&mut out, &keys.list()?, now)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints a line for each key, below a header.
fn print_list(out: &mut impl Write, keys: &[IssuedKey], now: SystemTime) -> io::Result<()> {
    let widths = keys.iter().map(|key| key.name.chars().count());
    let width = widths.max().unwrap_or(0).max(4);
    writeln!(out, "{:width$}  {:20}  revoked", "name", "issued")?;
    for key in keys {
        let revoked = match key.end {
            None => "-".to_owned(),
            Some(end) if key.is_valid(now) => format!("{} (valid until then)", timestamp(end)),
            Some(end) => timestamp(end),
        };
        let issued = timestamp(key.issued);
        writeln!(out, "{:width$}  {issued}  {revoked}", key.name)?;
    }
    Ok(())
}
