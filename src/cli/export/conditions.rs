//! The options of `export` that are conditions: the parameters of the endpoints that search.

use clap::{Arg, ArgMatches, Args, Command, FromArgMatches};

use crate::api::request::parameter::ParameterRow;
use crate::api::request::parameter_table::{LAWS, SUPPLIER};
use crate::api::{ExportFilter, ExportKind};
use crate::cli::parameters::{argument, kebab, value};
use crate::model::{Inn, Moment, VerdictRules};

/// The heading of the conditions in the help.
const HEADING: &str = "Conditions";

/// The help of options that mean the parameters of several endpoints, which describe each its own.
const SHARED: [(&str, &str); 4] = [
    (
        "q",
        "Words, all of them, up to 10, in any order and any form: of the subject and the items of \
         contracts and purchases, with items of the item's name, with rnp of the supplier's name",
    ),
    (
        "customer-inn",
        "Only records about the customer with this INN",
    ),
    (
        "price-from",
        "Only contracts with this price, or purchases with this initial price, or a higher one, in \
         roubles",
    ),
    (
        "price-to",
        "Only contracts with this price, or purchases with this initial price, or a lower one",
    ),
];

/// The conditions that were given, by the names of their options.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Conditions(Vec<(String, String)>);

impl Conditions {
    /// Returns whether none was given.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the filter of an export of this kind, at the time `now`.
    ///
    /// # Errors
    /// A sentence about a wrong value, or an option that is no condition of this kind.
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
                format!("--{option} is no condition of --what {name}")
            })?;
            parameters.push((row.name, value));
        }
        kind.filter(&parameters, rules, now)
    }
}

/// Returns the name of a kind as `--what` has it.
pub fn name(kind: ExportKind) -> &'static str {
    match kind {
        ExportKind::Contracts => "contracts",
        ExportKind::Items => "items",
        ExportKind::Purchases => "purchases",
        ExportKind::Entries => "rnp",
    }
}

/// Returns the parameters, of several with the same option the first. The command has options of its
/// own for the supplier and the laws.
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

/// Returns the option of a parameter. Its help says to which records it applies.
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
