//! Options of `export` that select records: the parameters of the search endpoints.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::api::request::parameter::ParameterRow;
use crate::api::request::parameter_table::{LAWS, SUPPLIER};
use crate::api::{ExportFilter, ExportKind};
use crate::cli::parameters::{argument, kebab, value};
use crate::model::{Inn, Moment, VerdictRules};

const HEADING: &str = "Conditions";

/// Help texts of options that stand for parameters of several endpoints. The text of an endpoint
/// would describe only its own parameter.
const SHARED: [(&str, &str); 4] = [
    (
        "q",
        "Up to 10 words, in any order and grammatical form. All of them must occur in the \
         subject or items of the contract or purchase; for items, in the name of the item; for \
         rnp, in the name of the supplier",
    ),
    (
        "customer-inn",
        "Only records about the customer with this INN",
    ),
    (
        "price-from",
        "Only contracts with at least this price, or purchases with at least this initial price, \
         in roubles",
    ),
    (
        "price-to",
        "Only contracts with at most this price, or purchases with at most this initial price, \
         in roubles",
    ),
];

/// Names and values of the given options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions(Vec<(String, String)>);

impl Conditions {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Turns the conditions into a filter for an export of this kind, at the time `now`.
    ///
    /// # Errors
    /// Returns a sentence about a wrong value, or about an option that does not apply to this kind.
    pub fn filter(
        &self,
        kind: ExportKind,
        supplier: Option<&Inn>,
        rules: VerdictRules,
        now: Moment,
    ) -> Result<ExportFilter, String> {
        let mut parameters: Vec<(&str, &str)> = Vec::new();
        parameters.extend(supplier.map(|inn| (SUPPLIER.name, inn.as_str())));
        for (option, value) in &self.0 {
            let row = kind.conditions().find(|row| kebab(row.name) == *option);
            let row = row.ok_or_else(|| {
                let name = name(kind);
                format!("--{option} does not apply to --what {name}")
            })?;
            parameters.push((row.name, value));
        }
        kind.filter(&parameters, rules, now)
    }
}

/// Returns the value of `--what` for a kind.
pub fn name(kind: ExportKind) -> &'static str {
    match kind {
        ExportKind::Contracts => "contracts",
        ExportKind::Items => "items",
        ExportKind::Purchases => "purchases",
        ExportKind::Entries => "rnp",
    }
}

/// Returns the parameters that become options. If several parameters share an option, returns only
/// the first. The parameters for the supplier and the laws are left out, because the command has
/// separate options for them.
fn rows() -> Vec<&'static ParameterRow> {
    let mut rows: Vec<&ParameterRow> = Vec::new();
    let all = ExportKind::ALL.into_iter().flat_map(ExportKind::conditions);
    for row in all.filter(|row| ![SUPPLIER.name, LAWS.name].contains(&row.name)) {
        if rows
            .iter()
            .all(|other| kebab(other.name) != kebab(row.name))
        {
            rows.push(row);
        }
    }
    rows
}

/// Returns the option of a parameter. The help names the records to which it applies.
fn option(row: &'static ParameterRow) -> Arg {
    let takes = |kind: &ExportKind| {
        kind.conditions()
            .any(|other| kebab(other.name) == kebab(row.name))
    };
    let kinds = ExportKind::ALL.into_iter().filter(takes);
    let kinds: Vec<&str> = kinds.map(name).collect();
    let argument = argument(row);
    let shared = SHARED.iter().find(|(name, _)| *name == kebab(row.name));
    let help = match shared {
        Some((_, help)) => Some((*help).to_owned()),
        None => argument.get_help().map(ToString::to_string),
    };
    let help = format!("{} ({})", help.unwrap_or_default(), kinds.join(", "));
    argument.help(help).help_heading(HEADING)
}

impl Args for Conditions {
    fn augment_args(command: Command) -> Command {
        command.args(rows().into_iter().map(option))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Conditions {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = rows()
            .into_iter()
            .filter_map(|row| Some((row, value(row, matches)?)));
        Ok(Self(
            given.map(|(row, value)| (kebab(row.name), value)).collect(),
        ))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
