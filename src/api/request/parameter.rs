//! The description of parameters.

use super::super::error::{ErrorKind, Failure, MAX_FILE_ROWS, MAX_LIMIT};
use crate::model::{VerdictRules, Words};
use crate::render::Format;

/// The default `limit` (the specification, "Limits").
pub const DEFAULT_LIMIT: u64 = 100;

/// A parameter of an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct ParameterRow {
    /// The main spelling.
    pub name: &'static str,
    /// Another accepted spelling.
    pub alias: Option<&'static str>,
    /// Whether a missing value is an error.
    pub is_required: bool,
    /// The parameters of which one is required if this one is missing; empty if none is.
    pub instead: &'static [&'static str],
    /// The error of a wrong value, and of a missing one that is required.
    pub error: ErrorKind,
    /// The allowed values.
    pub values: Values,
    /// The effect of the parameter.
    pub meaning: Words,
    /// An example of a value.
    pub example: &'static str,
    /// How the name of a file states the value.
    pub in_file_name: InFileName,
}

/// How the name of a file states the value of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InFileName {
    /// The name of the parameter and the value.
    Named,
    /// The value.
    Value,
    /// The number of items in a list.
    Count,
    /// The first and the last day of a span, which one part states.
    FirstDay,
    /// See [`InFileName::FirstDay`].
    LastDay,
    /// Not at all.
    Omitted,
}

/// A server's defaults for parameters that a request does not give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// The rules of verdicts.
    pub rules: VerdictRules,
    /// Whether an undetermined check and an unknown parameter are errors.
    pub strict: bool,
}

/// The allowed values of a parameter, as described to clients.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A text that matches a pattern, with the pattern in words for errors.
    Pattern(&'static str, &'static str),
    /// Several lines that match a pattern together, with the pattern in words for errors.
    Lines(&'static str, &'static str),
    /// One of these values, with a name for the enumeration; the first is the default.
    OneOf(&'static str, &'static [&'static str]),
    /// Several of these values, separated by commas.
    SomeOf(&'static [&'static str]),
    /// Texts that match a pattern, separated by commas, with the largest number of them.
    List(&'static str, usize),
    /// A whole number: the largest one, and the default.
    Whole(Option<u64>, u64),
    /// A number of rows. For a page it is at most [`MAX_LIMIT`], [`DEFAULT_LIMIT`] by default. For
    /// a file (CSV, XLSX) it is at most [`MAX_FILE_ROWS`], which is also the default.
    Rows,
    /// A day, `YYYY-MM-DD`.
    Day,
    /// An amount: a decimal number.
    Amount,
    /// `0` or `1`; `0` is the default.
    Switch,
}

impl Values {
    /// Returns the largest number and the default, for values that are numbers.
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
