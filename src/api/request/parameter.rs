//! How a parameter is described: names, allowed values, texts, and the error if it is wrong.

use super::super::error::{ErrorKind, Failure, MAX_FILE_ROWS, MAX_LIMIT};
use crate::model::{VerdictRules, Words};
use crate::render::Format;

/// Default of `limit` (specification, "Limits").
pub const DEFAULT_LIMIT: u64 = 100;

#[derive(Clone, Copy, Debug)]
pub struct ParameterRow {
    pub name: &'static str,
    /// Another accepted name of the parameter.
    pub alias: Option<&'static str>,
    pub is_required: bool,
    /// Other parameters, one of which must be given if this one is missing.
    pub instead: &'static [&'static str],
    /// The error if the value is wrong, or if a required value is missing.
    pub error: ErrorKind,
    pub values: Values,
    pub meaning: Words,
    pub example: &'static str,
    pub in_file_name: InFileName,
}

/// How the name of a file mentions the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFileName {
    /// Name of the parameter, followed by the value.
    Named,
    Value,
    /// The number of items in a list.
    Count,
    /// First day of a period; both of its days are mentioned together.
    FirstDay,
    /// Last day of a period; see [`InFileName::FirstDay`].
    LastDay,
    Omitted,
}

/// The server's defaults for missing parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    pub rules: VerdictRules,
    /// Whether an undetermined verdict or an unknown parameter is an error.
    pub strict: bool,
}

/// The allowed values of a parameter, as described to clients.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A text that matches this regular expression. The second text describes it, for error
    /// messages.
    Pattern(&'static str, &'static str),
    /// Lines that together match this regular expression. The second text describes it.
    Lines(&'static str, &'static str),
    /// One of these values, the default first. The first text names the enumeration.
    OneOf(&'static str, &'static [&'static str]),
    /// Several of these values, separated by commas.
    SomeOf(&'static [&'static str]),
    /// Comma-separated texts that each match this regular expression, and the maximum number of
    /// them.
    List(&'static str, usize),
    /// A natural number, with maximum and default.
    Whole(Option<u64>, u64),
    /// A number of rows. On a page, the maximum is [`MAX_LIMIT`] and the default [`DEFAULT_LIMIT`].
    /// In a file (CSV, XLSX), both are [`MAX_FILE_ROWS`].
    Rows,
    /// A date: `YYYY-MM-DD`.
    Day,
    Amount,
    /// `0`, the default, or `1`.
    Switch,
}

impl Values {
    /// For natural numbers, returns the maximum, if any, and the default. Returns `None` for other
    /// values.
    pub fn limits(self, format: Format) -> Option<(Option<u64>, u64)> {
        match self {
            Self::Whole(most, usual) => Some((most, usual)),
            Self::Rows if format.is_table() => Some((Some(MAX_FILE_ROWS), MAX_FILE_ROWS)),
            Self::Rows => Some((Some(MAX_LIMIT), DEFAULT_LIMIT)),
            _ => None,
        }
    }
}

impl ParameterRow {
    /// Creates the row of an optional parameter without an alias.
    pub(super) const fn optional(
        name: &'static str,
        values: Values,
        meaning: Words,
        example: &'static str,
    ) -> Self {
        Self {
            name,
            alias: None,
            is_required: false,
            instead: &[],
            error: ErrorKind::BadParameter,
            values,
            meaning,
            example,
            in_file_name: InFileName::Named,
        }
    }

    pub(super) const fn in_file_name(mut self, how: InFileName) -> Self {
        self.in_file_name = how;
        self
    }

    /// Returns the error of a wrong value.
    pub fn wrong(&self) -> Failure {
        Failure::of_parameter(self.error, self.name)
    }
}
