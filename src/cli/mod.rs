//! The commands, one file each. Each turns arguments and environment variables into calls.
//!
//! # Where to begin
//!
//! - Starting, supervising and stopping the service: `serve`. The startup sequence is in
//!   `serve/stages.rs`, the log lines of a start in `serve/starting.rs`, and the record of when
//!   each key was last used in `serve/key_use.rs`.
//! - A new option: this file derives the environment variable, and the row in the manual is
//!   generated.
//! - `fetch` selects the cells (day, region, document type) and reports on them, `watch` follows a
//!   list of suppliers, and `logging.rs` defines the log format.

mod check;
mod completions;
mod export;
mod fetch;
mod health;
mod import;
mod input;
mod keys;
mod log_writer;
mod logging;
mod lookup;
mod man_pages;
mod manual;
mod mcp;
mod output;
mod ownership;
mod parameters;
mod progress_bar;
mod publish;
mod serve;
mod signals;
mod signing_key;
mod update;
mod upgrade;
mod values;
mod verdict_args;
mod verify;
mod watch;

use std::error::Error;
use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;
use std::time::SystemTime;

use clap::builder::FalseyValueParser;
use clap::{Arg, ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::api::{Calendar, DataSource};
use crate::model::{Date, Moment};
use crate::store::{self, Database, KeyStore, RemoteServers};

use fetch::TOKEN_VARIABLE;
pub use fetch::parts as fetched_parts;

/// Look up state contracts, purchases and the registry of unfair suppliers (RNP) in one SQLite
/// file.
///
/// To begin, run `procurement-lookup serve`: it answers from bundled demonstration data, with the
/// API key `demo`. Every option can also be set by an environment variable: PROCUREMENT_LOOKUP_ and
/// the option's name in capitals. RUST_LOG sets the log level. Exit status: 0 success, 1 a problem
/// with the input or the data, 2 wrong usage.
#[derive(Debug, Parser)]
#[command(version, name = NAME, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

const NAME: &str = "procurement-lookup";

#[derive(Debug, Subcommand)]
pub enum Command {
    Serve(Box<serve::Args>),
    Fetch(Box<fetch::Args>),
    Import(import::Args),
    Update(Box<update::Args>),
    Keys(keys::Args),
    Lookup(lookup::Args),
    Verify(verify::Args),
    Export(export::Args),
    Publish(publish::Args),
    Check(check::Args),
    Upgrade(upgrade::Args),
    Watch(watch::Args),
    Mcp(mcp::Args),
    Manual(manual::Args),
    Health(health::Args),
    Completions(completions::Args),
    ManPages(man_pages::Args),
}

/// Printed at the end of each command's help.
const ENVIRONMENT: &str = "Every option can also be set by an environment variable: \
                           PROCUREMENT_LOOKUP_ and the option's name in capitals, such as PROCUREMENT_LOOKUP_DATABASE.";

/// Exit status for wrong usage, the same as clap's.
const WRONG_USE: i32 = 2;

/// Why a command failed: a sentence that states what is wrong and names the file or value.
pub type BoxedError = Box<dyn Error>;

/// The result of a command: the exit status, or the reason for the failure.
pub type Outcome = Result<ExitCode, BoxedError>;

/// Returns the commands with all their options, each with its environment variable.
pub fn command() -> clap::Command {
    let with_help = |command: clap::Command| with_variables(command).after_help(ENVIRONMENT);
    Cli::command().mut_subcommands(with_help)
}

/// Gives every option an environment variable. This is done in one place, so that none is
/// forgotten.
fn with_variables(command: clap::Command) -> clap::Command {
    let with_variable = |option: Arg| {
        let Some(name) = option.get_long() else {
            return option;
        };
        let name = name.to_ascii_uppercase().replace('-', "_");
        let option = option.env([PREFIX, &name].concat()).hide_env(true);
        match option.get_action() {
            // A flag is on unless the variable is empty, 0, n, no, f, false or off.
            ArgAction::SetTrue => option.value_parser(FalseyValueParser::new()),
            _ => option,
        }
    };
    command
        .mut_args(with_variable)
        .mut_subcommands(with_variables)
}

/// Variables that the program reads although they belong to no option.
const OTHER_VARIABLES: [&str; 1] = [TOKEN_VARIABLE];

/// The prefixes of variables that Kubernetes sets for a service with this program's name.
const KUBERNETES_PREFIXES: [&str; 2] = ["PROCUREMENT_LOOKUP_SERVICE_", "PROCUREMENT_LOOKUP_PORT"];

/// Maximum edit distance at which an option is suggested for an unknown variable. For short option
/// names, the maximum is half their length.
const MOST_WRONG: usize = 3;

/// Prefix of the environment variables of options.
const PREFIX: &str = "PROCUREMENT_LOOKUP_";

/// Logs a warning about each variable that starts with PROCUREMENT_LOOKUP_ but that no command
/// reads, so that an operator notices a typo.
fn warn_of_meaningless(variables: impl Iterator<Item = String>) {
    let options = variables_of(&command());
    for variable in variables {
        if let Some(warning) = meaningless(&variable, &options) {
            log::warn!("{warning}");
        }
    }
}

/// Returns a warning if no command reads the variable. `options` are the variables of all options.
fn meaningless(variable: &str, options: &[String]) -> Option<String> {
    let is_ours = variable.starts_with(PREFIX);
    let is_known = OTHER_VARIABLES.contains(&variable) || options.iter().any(|one| one == variable);
    if !is_ours
        || is_known
        || KUBERNETES_PREFIXES
            .iter()
            .any(|start| variable.starts_with(start))
    {
        return None;
    }
    let distance = |option: &&String| strsim::osa_distance(variable, option);
    let nearest = options.iter().min_by_key(distance);
    let most = |option: &str| MOST_WRONG.min(option.len().saturating_sub(PREFIX.len()) / 2);
    let nearest = nearest.filter(|option| distance(option) <= most(option));
    let meant = nearest.map(|option| format!("; did you mean {option}?"));
    let meant = meant.unwrap_or_default();
    Some(format!("unknown environment variable {variable}{meant}"))
}

/// Returns the variables of all options of a command and its subcommands.
fn variables_of(command: &clap::Command) -> Vec<String> {
    let own = command.get_arguments().filter_map(Arg::get_env);
    let own = own.filter_map(|name| name.to_str()).map(str::to_owned);
    own.chain(command.get_subcommands().flat_map(variables_of))
        .collect()
}

/// Parses the arguments and the environment. Wrong usage prints a message and ends the process with
/// status 2.
pub fn parse() -> Cli {
    let mut command = command();
    let matches = command.get_matches_mut();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.format(&mut command).exit())
}

/// Ends the process as clap does for wrong arguments.
fn wrong_use(error: &dyn Display) -> ! {
    eprintln!("error: {error}");
    std::process::exit(WRONG_USE)
}

/// Starts the log of `command` on standard error; `RUST_LOG` filters it.
pub fn start_log(command: &Command) {
    match command {
        Command::Serve(args) => logging::start(args.log_format()),
        _ => logging::start_for_people(),
    }
}

/// Runs the command. Its errors are sentences for the user.
pub fn run(command: Command) -> Outcome {
    let variables = std::env::vars_os().map(|(name, _)| name.into_string());
    warn_of_meaningless(variables.filter_map(Result::ok));
    let outcome = match command {
        Command::Serve(args) => serve::run(&args),
        Command::Fetch(args) => fetch::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Update(args) => update::run(&args),
        Command::Keys(args) => keys::run(&args),
        Command::Lookup(args) => lookup::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Publish(args) => publish::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Upgrade(args) => upgrade::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Mcp(args) => mcp::run(&args),
        Command::Manual(args) => manual::run(&args),
        Command::Health(args) => health::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::ManPages(args) => man_pages::run(&args),
    };
    log_writer::flush();
    outcome
}

/// Returns what `--database` names: PostgreSQL servers or a file. Without the option, the bundled
/// data.
fn data_source(database: Option<&Path>) -> DataSource {
    let Some(path) = database else {
        return DataSource::Bundled;
    };
    match server_address("database", path) {
        Some(address) => DataSource::Server(address),
        None => DataSource::File(path.to_owned()),
    }
}

/// Opens the data that `--database` names, and holds its current state for the rest of the command.
fn open_database(database: Option<&Path>) -> Result<Database, store::Error> {
    open_with(database, Database::open)
}

/// Opens the data that `--database` names, calling `open` if that is a file.
fn open_with(
    database: Option<&Path>,
    open: impl FnOnce(&Path) -> Result<Database, store::Error>,
) -> Result<Database, store::Error> {
    match data_source(database) {
        DataSource::Bundled => Database::bundled(),
        DataSource::File(path) => open(&path),
        DataSource::Server(servers) => {
            let mut database = servers.database();
            database.hold()?;
            Ok(database)
        }
    }
}

/// Ends the process if `--database` is an address of PostgreSQL servers although the command needs
/// a file. The message does not quote the address, which may contain a password.
fn refuse_address(database: &Path) {
    if address_text(database).is_some() {
        wrong_use(&"--database: this command takes a file, not the address of a server");
    }
}

/// Parses the value of `--OPTION` as an address of PostgreSQL servers. Returns `None` for a path. A
/// malformed address ends the process with status 2.
fn server_address(option: &str, value: &Path) -> Option<RemoteServers> {
    let text = address_text(value)?;
    let address = RemoteServers::parse(text, &|name| std::env::var(name).ok());
    Some(address.unwrap_or_else(|error| wrong_use(&format!("--{option}: {error}"))))
}

/// Returns the value as text if it looks like an address of PostgreSQL servers.
fn address_text(value: &Path) -> Option<&str> {
    value
        .to_str()
        .filter(|text| RemoteServers::is_address(text))
}

/// Returns the key store: the given one, or else `keys.sqlite` beside the database. If the database
/// is not a file, this is `keys.sqlite` in the current folder.
fn key_store(keys: Option<&Path>, database: Option<&Path>) -> KeyStore {
    match keys.and_then(|keys| server_address("keys", keys)) {
        Some(address) => KeyStore::Server(address),
        None => {
            let file = database.filter(|database| address_text(database).is_none());
            let beside = file.map(|file| file.with_file_name("keys.sqlite"));
            let given = keys.map(Path::to_owned).or(beside);
            KeyStore::File(given.unwrap_or_else(|| "keys.sqlite".into()))
        }
    }
}

fn today() -> Date {
    Date::in_moscow(SystemTime::now())
}

fn calendar() -> Calendar {
    Box::new(|| Moment::in_moscow(SystemTime::now()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the options of `command` and of its subcommands, each with its environment variable.
    fn variables(command: &clap::Command) -> Vec<(String, String)> {
        let variable = |option: &Arg| {
            let name = option.get_long()?.to_owned();
            let variable = option.get_env().and_then(|variable| variable.to_str());
            Some((name, variable.unwrap_or_default().to_owned()))
        };
        let own = command.get_arguments().filter_map(variable);
        own.chain(command.get_subcommands().flat_map(variables))
            .collect()
    }

    #[test]
    fn the_environment_variable_of_every_option_follows_from_its_name() {
        let all = variables(&command());
        for (option, expected) in [
            ("database", "PROCUREMENT_LOOKUP_DATABASE"),
            (
                "max-connections-per-address",
                "PROCUREMENT_LOOKUP_MAX_CONNECTIONS_PER_ADDRESS",
            ),
            ("signed-from", "PROCUREMENT_LOOKUP_SIGNED_FROM"),
        ] {
            let found = all.iter().find(|(name, _)| name == option);
            assert_eq!(found.map(|(_, variable)| variable.as_str()), Some(expected));
        }
        for (option, variable) in &all {
            let words = variable.strip_prefix("PROCUREMENT_LOOKUP_");
            let name = words.map(|words| words.to_ascii_lowercase().replace('_', "-"));
            assert_eq!(name.as_ref(), Some(option), "{variable}");
        }
        assert!(all.len() > 50, "the commands were not walked: {all:?}");
    }

    #[test]
    fn the_warning_about_an_unknown_variable_suggests_the_nearest_option() {
        let options = variables_of(&command());
        let check = |variable: &str, expected: Option<&str>| {
            let words = "unknown environment variable ";
            let warning = meaningless(variable, &options);
            let expected = expected.map(|end| format!("{words}{variable}{end}"));
            assert_eq!(warning, expected);
        };
        check(
            "PROCUREMENT_LOOKUP_DATABSE",
            Some("; did you mean PROCUREMENT_LOOKUP_DATABASE?"),
        );
        check(
            "PROCUREMENT_LOOKUP_LISTNE",
            Some("; did you mean PROCUREMENT_LOOKUP_LISTEN?"),
        );
        check("PROCUREMENT_LOOKUP_SOMETHING_ELSE", Some(""));
        check("PROCUREMENT_LOOKUP_", Some(""));
        for known in [
            "PROCUREMENT_LOOKUP_DATABASE",
            "PROCUREMENT_LOOKUP_OVERLAP",
            "PROCUREMENT_LOOKUP_TOKEN",
            "PROCUREMENT_LOOKUP_SERVICE_PORT_HTTP",
            "PROCUREMENT_LOOKUP_PORT",
            "PROCUREMENTLOOKUP_DATABSE",
            "PATH",
        ] {
            check(known, None);
        }
    }

    #[test]
    fn clap_accepts_the_commands_and_options() {
        command().debug_assert();
    }
}
