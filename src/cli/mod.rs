//! The commands: arguments and environment to calls; one file a command.

mod check;
mod export;
mod generate;
mod import;
mod keys;
mod log_writer;
mod logging;
mod lookup;
mod output;
mod serve;
#[allow(dead_code)] // The options that need it come next.
mod values;
mod verify;

use std::error::Error;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::SystemTime;

use clap::{Parser, Subcommand};

use crate::api::{Calendar, DataSource};
use crate::model::Date;

/// State contracts, purchases and the registry of unfair suppliers (RNP),
/// answered from one SQLite file.
///
/// Start with `procurement-lookup serve`: it answers from bundled demonstration
/// data, to the key `demo`. Every option can also be given as an environment
/// variable, PROCUREMENT_LOOKUP_ and its name in capitals; RUST_LOG sets the log.
/// Exit status: 0 done, 1 something was wrong with the input or the data, 2 wrong
/// use.
#[derive(Debug, Parser)]
#[command(version, name = "procurement-lookup", max_term_width = 100)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// A command and its arguments.
#[derive(Debug, Subcommand)]
#[allow(missing_docs)] // The help of a command is the documentation of its arguments.
pub enum Command {
    Serve(Box<serve::Args>),
    Import(import::Args),
    Keys(keys::Args),
    Lookup(lookup::Args),
    Export(export::Args),
    Check(check::Args),
    Generate(generate::Args),
}

/// What stands below the options in the help of every command.
const ENVIRONMENT: &str = "Every option can also be given as an environment variable: \
                           PROCUREMENT_LOOKUP_ and its name in capitals, such as \
                           PROCUREMENT_LOOKUP_DATABASE.";

/// The exit status of wrong use, as clap has it: a settings file stands for options.
const WRONG_USE: i32 = 2;

/// What a command returns: the exit status, or why it could not be done.
pub type Outcome = Result<ExitCode, Box<dyn Error>>;

/// Reads the arguments, the environment and the settings file they may name; wrong use
/// ends the process with status 2 and a sentence.
pub fn parse() -> Cli {
    let mut cli = Cli::parse();
    if let Command::Serve(args) = &mut cli.command {
        **args = serve::Args::with_settings_file().unwrap_or_else(|error| wrong_use(&error));
    }
    cli
}

/// Ends the process as clap ends it where the arguments are wrong.
fn wrong_use(error: &dyn Display) -> ! {
    eprintln!("error: {error}");
    std::process::exit(WRONG_USE)
}

/// Starts the log, on standard error, as `command` wants it; `RUST_LOG` sets what is
/// in it.
pub fn start_log(command: &Command) {
    match command {
        Command::Serve(args) => logging::start(args.log_format()),
        _ => logging::start_for_people(),
    }
}

/// Does what was asked.
///
/// # Errors
/// A sentence that says what is wrong, and with what.
pub fn run(command: Command) -> Outcome {
    let outcome = match command {
        Command::Serve(args) => serve::run(*args),
        Command::Import(args) => import::run(&args),
        Command::Keys(args) => keys::run(&args),
        Command::Lookup(args) => lookup::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Generate(args) => generate::run(&args),
    };
    log_writer::flush();
    outcome
}

fn data_source(database: Option<&Path>) -> DataSource {
    database.map_or(DataSource::Bundled, |path| {
        DataSource::File(path.to_owned())
    })
}

/// The keys file: as given, else `keys.sqlite` beside the database, else in the
/// current folder.
fn keys_path(keys: Option<&Path>, database: Option<&Path>) -> PathBuf {
    let beside = |database: &Path| database.with_file_name("keys.sqlite");
    keys.map(Path::to_owned)
        .or_else(|| database.map(beside))
        .unwrap_or_else(|| "keys.sqlite".into())
}

/// Today in Moscow, by this machine's clock.
fn today() -> Date {
    Date::in_moscow(SystemTime::now())
}

/// What tells it.
fn calendar() -> Calendar {
    Box::new(today)
}
