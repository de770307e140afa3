//! `lookup`: print one response, without a server.
//!
//! Its commands and their options are the endpoints and their parameters.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, Command, FromArgMatches, Subcommand};

use super::verdict_args::RegistryAgeArgs;
use super::{Outcome, calendar, data_source};
use crate::api::request::parameter::{ParameterRow, Values};
use crate::api::request::parameter_table::{AFTER, ERRORS, FORMAT, RECEIPT};
use crate::api::{Api, Endpoint, LookupCommand};
use crate::model::{Date, Language, VerdictRules};
use crate::render::Format;
use crate::store::KeyRing;

/// Print one answer, without a server.
///
/// Prints exactly the body that the endpoint would answer. The exit status is 1 if that is
/// an error.
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

/// A request to an endpoint.
#[derive(Debug)]
struct LookupRequest {
    endpoint: &'static Endpoint,
    /// Values of its parameters, by their names on the wire.
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
        // The endpoint reports a malformed number.
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

/// Returns the endpoint of a command.
fn endpoint(command: &str) -> Option<&'static Endpoint> {
    named(command)
        .find(|(_, command)| command.lengths.is_empty())
        .map(|(endpoint, _)| endpoint)
}

/// Returns the endpoint that answers a command for numbers of this length, if another one answers
/// it otherwise.
fn for_length(command: &str, length: usize) -> Option<&'static Endpoint> {
    named(command)
        .find(|(_, command)| command.lengths.contains(&length))
        .map(|(endpoint, _)| endpoint)
}

/// Returns the endpoints that answer a command.
fn named(name: &str) -> impl Iterator<Item = (&'static Endpoint, LookupCommand)> {
    let all = Endpoint::ALL.into_iter();
    let all = all.filter_map(|endpoint| Some((endpoint, endpoint.command?)));
    all.filter(move |(_, command)| command.name == name)
}

/// Returns the parameters that are specific to a command.
fn options(endpoint: &'static Endpoint) -> impl Iterator<Item = &'static ParameterRow> {
    let is_general = |name| [FORMAT.name, ERRORS.name, RECEIPT.name].contains(&name);
    endpoint
        .parameters()
        .filter(move |parameter| !is_general(parameter.name))
}

/// Returns the command of an endpoint.
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

/// Returns a parameter as an argument or an option.
fn argument(parameter: &'static ParameterRow) -> Arg {
    let long = kebab(parameter.name);
    let last = long.rsplit('-').next().unwrap_or_default();
    let arg = Arg::new(parameter.name).help(help(parameter));
    // Before the options of all commands.
    let arg = arg.display_order(0);
    let arg = match parameter.values {
        Values::Whole(..) | Values::Rows => arg.value_name("N").value_parser(number),
        Values::Day => arg.value_name("YYYY-MM-DD").value_parser(day),
        Values::Amount => arg.value_name("AMOUNT").allow_negative_numbers(true),
        _ => arg.value_name(last.to_uppercase()),
    };
    match parameter.values {
        // A cursor may begin with a hyphen.
        _ if parameter.name == AFTER.name => {
            let arg = arg.value_name("CURSOR").allow_hyphen_values(true);
            arg.long(long)
        }
        Values::Lines(..) => arg.required(true).num_args(1..),
        Values::List(..) => arg.required(true).num_args(1..).value_delimiter(','),
        _ if parameter.is_required => arg.required(true),
        Values::Switch => arg.long(long).action(ArgAction::SetTrue),
        // An order may begin with a minus.
        Values::OneOf(..) => arg.long(long).allow_hyphen_values(true),
        _ => arg.long(long),
    }
}

/// Returns the help of a parameter: its meaning and its values.
fn help(parameter: &ParameterRow) -> String {
    let meaning = parameter
        .meaning
        .to(Language::English)
        .trim_end_matches('.');
    match parameter.values {
        Values::Switch => sentence(meaning.trim_start_matches("1: ")),
        Values::OneOf(_, all) => {
            let default = all.first().copied().unwrap_or_default();
            format!("{meaning}. Values: {} [default: {default}]", all.join(", "))
        }
        Values::SomeOf(all) => format!("{meaning}. Values: {}", all.join(", ")),
        Values::Whole(Some(most), default) => {
            format!("{meaning}; at most {most} [default: {default}]")
        }
        // The meaning contains the values.
        Values::Rows => meaning.to_owned(),
        Values::Whole(None, default) => format!("{meaning} [default: {default}]"),
        Values::Lines(..) => meaning.split('(').next().unwrap_or(meaning).to_owned(),
        Values::Day | Values::Amount | Values::Pattern(..) | Values::List(..) => meaning.to_owned(),
    }
}

/// Returns the text with a capital first letter.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters.clone()).collect()
}

/// Returns the given value of a parameter in its form for a query.
fn value(parameter: &ParameterRow, matches: &ArgMatches) -> Option<String> {
    match parameter.values {
        Values::Switch => matches.get_flag(parameter.name).then(|| "1".to_owned()),
        _ => {
            let values: Vec<&String> = matches.get_many(parameter.name)?.collect();
            let values: Vec<&str> = values.into_iter().map(String::as_str).collect();
            let separator = match parameter.values {
                Values::Lines(..) => "\n",
                _ => ",",
            };
            Some(values.join(separator))
        }
    }
}

/// Turns `signedFrom` into `signed-from`.
fn kebab(name: &str) -> String {
    let mut kebab = String::new();
    let mut after_lower = false;
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && after_lower {
            kebab.push('-');
        }
        after_lower = letter.is_ascii_lowercase();
        kebab.push(letter.to_ascii_lowercase());
    }
    kebab
}

fn format(text: &str) -> Result<Format, String> {
    Format::parse(text).ok_or_else(|| "give xml, json, csv or xlsx".to_owned())
}

fn number(text: &str) -> Result<String, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits {
        Ok(text.to_owned())
    } else {
        Err("give a whole number from 0 on".to_owned())
    }
}

fn day(text: &str) -> Result<String, String> {
    match Date::parse_iso(text) {
        Some(_) => Ok(text.to_owned()),
        None => Err("give a date of the calendar as YYYY-MM-DD".to_owned()),
    }
}
