//! `lookup`: prints one answer, without a server.
//!
//! Its subcommands and their options are generated from the endpoints and their parameters.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{ArgMatches, Command, FromArgMatches, Subcommand};

use super::parameters::{argument, value};
use super::verdict_args::RegistryAgeArgs;
use super::{Outcome, calendar, data_source};
use crate::api::request::parameter::ParameterRow;
use crate::api::request::parameter_table::{ERRORS, FORMAT, RECEIPT};
use crate::api::{Api, Endpoint, LookupCommand};
use crate::model::{Language, VerdictRules};
use crate::render::Format;
use crate::store::KeyRing;

/// Print one answer, without a server.
///
/// Prints exactly the body that the server would send. The exit status is 1 if that is an error.
#[derive(Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    request: LookupRequest,
    /// The database to answer from: a file, or postgresql://HOST,…/DATABASE [default: the
    /// bundled demonstration data]
    #[arg(long, value_name = "FILE", global = true)]
    database: Option<PathBuf>,
    /// The format of the answer: xml, json, csv or xlsx
    #[arg(long, value_name = "FORMAT", default_value = "xml", value_parser = format, global = true)]
    format: Format,
    #[command(flatten)]
    age: RegistryAgeArgs,
}

#[derive(Debug)]
struct LookupRequest {
    endpoint: &'static Endpoint,
    /// The values of parameters, by the parameters' names in requests.
    parameters: Vec<(&'static str, String)>,
}

pub fn run(args: &Args) -> Outcome {
    let source = data_source(args.database.as_deref());
    let rules = VerdictRules {
        max_age: args.age.days(),
        ..VerdictRules::default()
    };
    let given = args.request.parameters.iter();
    let given = given.map(|(name, value)| (*name, value.as_str()));
    let parameters: Vec<_> = given.chain([(FORMAT.name, args.format.name())]).collect();
    let mut api = Api::new(source, KeyRing::empty(), calendar());
    api.defaults.rules = rules;
    let answer = Arc::new(api)
        .answerer()?
        .look_up_offline(args.request.endpoint, &parameters);
    let (body, status) = match answer {
        Ok(body) => (body, ExitCode::SUCCESS),
        Err(body) => (body, ExitCode::FAILURE),
    };
    let mut out = io::stdout().lock();
    out.write_all(&body).and_then(|()| out.flush())?;
    Ok(status)
}

impl Subcommand for LookupRequest {
    fn augment_subcommands(command: Command) -> Command {
        command.subcommands(Endpoint::ALL.into_iter().filter_map(subcommand))
    }

    fn augment_subcommands_for_update(command: Command) -> Command {
        Self::augment_subcommands(command)
    }

    fn has_subcommand(name: &str) -> bool {
        endpoint(name).is_some()
    }
}

impl FromArgMatches for LookupRequest {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let missing = || clap::Error::new(ErrorKind::MissingSubcommand);
        let (name, matches) = matches.subcommand().ok_or_else(missing)?;
        let endpoint = endpoint(name).ok_or_else(missing)?;
        let value = |parameter: &ParameterRow| Some((parameter.name, value(parameter, matches)?));
        let parameters: Vec<_> = options(endpoint).filter_map(value).collect();
        // Only the length matters: the endpoint validates the number.
        let number = parameters.first().map_or("", |(_, value)| value.trim());
        Ok(Self {
            endpoint: for_length(name, number.len()).unwrap_or(endpoint),
            parameters,
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// Returns the endpoint of a command, except for the lengths of number that [`for_length`] handles.
fn endpoint(command: &str) -> Option<&'static Endpoint> {
    named(command)
        .find(|(_, command)| command.lengths.is_empty())
        .map(|(endpoint, _)| endpoint)
}

/// Returns the endpoint for numbers of this length, if several endpoints share the command.
fn for_length(command: &str, length: usize) -> Option<&'static Endpoint> {
    named(command)
        .find(|(_, command)| command.lengths.contains(&length))
        .map(|(endpoint, _)| endpoint)
}

fn named(name: &str) -> impl Iterator<Item = (&'static Endpoint, LookupCommand)> {
    let all = Endpoint::ALL.into_iter();
    let all = all.filter_map(|endpoint| Some((endpoint, endpoint.command?)));
    all.filter(move |(_, command)| command.name == name)
}

/// Returns the parameters of an endpoint that the command takes. The format is an option of
/// `lookup` itself; HTTP statuses of errors and receipts have no effect offline.
fn options(endpoint: &'static Endpoint) -> impl Iterator<Item = &'static ParameterRow> {
    let is_general = |name| [FORMAT.name, ERRORS.name, RECEIPT.name].contains(&name);
    endpoint
        .parameters()
        .filter(move |parameter| !is_general(parameter.name))
}

fn subcommand(endpoint: &'static Endpoint) -> Option<Command> {
    let command = endpoint
        .command
        .filter(|command| command.lengths.is_empty())?;
    let title = endpoint.title.to(Language::English);
    let arguments = options(endpoint).map(|parameter| {
        let argument = argument(parameter);
        let number = command.number.filter(|_| parameter.is_required);
        number.map_or(argument.clone(), |number| argument.help(number))
    });
    let shown = Command::new(command.name).about(command.about.unwrap_or(title));
    Some(shown.args(arguments))
}

fn format(text: &str) -> Result<Format, String> {
    Format::parse(text).ok_or_else(|| "give xml, json, csv or xlsx".to_owned())
}
