//! `keys`: issue, list and revoke API keys.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::Subcommand;

use super::{Outcome, keys_path};
use crate::model::timestamp;
use crate::store::KeyFile;

/// How long a key's name may be, in characters.
pub const MAX_NAME: usize = 100;

/// Issue, list and revoke API keys.
///
/// Keys are stored as hashes, in a file of their own: a key is shown once, when it is
/// issued. A change reaches a running server within a second.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    action: KeyCommand,
    /// The file with the API keys [default: keys.sqlite beside the database, else in the
    /// current folder]
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
    /// Print the names, and when their keys were issued and revoked
    List,
    /// Revoke the valid key of a name
    Revoke {
        /// Who it was issued to
        #[arg(value_parser = name)]
        name: String,
    },
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
    let path = keys_path(args.keys.as_deref(), args.database.as_deref());
    let file = KeyFile::new(&path);
    let now = SystemTime::now();
    let mut out = io::stdout().lock();
    match &args.action {
        KeyCommand::Issue { name } => {
            let key = file.issue(name, now)?;
            writeln!(out, "{key}")?;
            eprintln!("This is the key of {name}. It is not kept, and cannot be shown again.");
        }
        KeyCommand::Revoke { name } => {
            file.revoke(name, now)?;
            eprintln!("The key of {name} is revoked.");
        }
        KeyCommand::List => {
            let keys = file.list()?;
            let width = keys
                .iter()
                .map(|key| key.name.chars().count())
                .max()
                .unwrap_or(0)
                .max(4);
            writeln!(out, "{:width$}  {:20}  revoked", "name", "issued")?;
            for key in keys {
                let revoked = key.revoked.map_or_else(|| "-".to_owned(), timestamp);
                writeln!(
                    out,
                    "{:width$}  {}  {revoked}",
                    key.name,
                    timestamp(key.issued)
                )?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
