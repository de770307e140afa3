//! The description of parameters.

use super::super::error::{ErrorKind, Failure, MAX_FILE_ROWS, MAX_LIMIT};
use crate::model::{VerdictRules, Words};
use crate::render::Format;

/// Default of `limit` (specification, "Limits").
pub const DEFAULT_LIMIT: u64 = 100;

#[derive(Clone, Copy, Debug)]
pub struct ParameterRow {
    pub name: &'static str,
    /// Another accepted spelling.
    pub alias: Option<&'static str>,
    pub is_required: bool,
    /// Other parameters, of which one must be given if this one is missing.
    pub instead: &'static [&'static str],
    /// The error of a wrong value, or of a missing one if it is required.
    pub error: ErrorKind,
    pub values: Values,
    /// What the parameter does.
    pub meaning: Words,
    pub example: &'static str,
    /// How file names mention the value.
    pub in_file_name: InFileName,
}

/// How the name of a file states the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFileName {
    /// Name of the parameter, then the value.
    Named,
    Value,
    /// The number of items in a list.
    Count,
    /// First or last day of a period, which is mentioned as a whole.
    FirstDay,
    /// See [`InFileName::FirstDay`].
    LastDay,
    /// Not at all.
    Omitted,
}

/// The server's defaults for missing parameters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    pub rules: VerdictRules,
    /// Whether an undetermined check or an unknown parameter is an error.
    pub strict: bool,
}

/// The allowed values of a parameter, as described to clients.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A text that matches a regular expression, which is followed by its description for error
    /// messages.
    Pattern(&'static str, &'static str),
    /// Several lines that together match a regular expression, with its description.
    Lines(&'static str, &'static str),
    /// One of these values, the first of which is the default. The enumeration has a name.
    OneOf(&'static str, &'static [&'static str]),
    /// Several of these values, separated by commas.
    SomeOf(&'static [&'static str]),
    /// Comma-separated texts that match a regular expression, and how many there may be.
    List(&'static str, usize),
    /// A natural number: maximum and default.
    Whole(Option<u64>, u64),
    /// A number of rows. For a page, at most [`MAX_LIMIT`], with [`DEFAULT_LIMIT`] as the default.
    /// For a file (CSV, XLSX), at most [`MAX_FILE_ROWS`], which is also the default.
    Rows,
    /// `YYYY-MM-DD`
    Day,
    Amount,
    /// `0`, the default, or `1`.
    Switch,
}

impl Values {
    /// Returns maximum and default, for values that are numbers.
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
    /// Returns an optional parameter with one spelling.
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
