//! Parameters: their description, and those of a request, checked in the order that the manual
//! states (API), with their canonical text.
//!
//! Only reading a value sets a parameter, and the value is then part of the canonical text. The
//! entity tag, the cache of responses and the receipt use that text, so none of them can miss a
//! parameter.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::super::error::{ErrorKind, Failure, MAX_FILE_ROWS, MAX_LIMIT};
use super::query::{Query, QueryValue};
use crate::model::{
    ChangeCursor, ContractFilter, ContractOrder, Date, Inn, Language, PurchaseNumber, VerdictRules,
    Words,
};
use crate::render::Format;

/// The default `limit` (the specification, "Limits").
pub const DEFAULT_LIMIT: u64 = 100;

/// The bytes that are percent-encoded in a query.
pub(crate) const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The usual length of a canonical text, in bytes; few are longer.
const USUAL_LENGTH: usize = 256;

/// A parameter of an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct ParameterRow {
    /// The main spelling.
    pub name: &'static str,
    /// Another accepted spelling.
    pub alias: Option<&'static str>,
    /// Whether a missing value is an error.
    pub is_required: bool,
    /// The error of a wrong value, and of a missing one that is required.
    pub error: ErrorKind,
    /// The allowed values.
    pub values: Values,
    /// The effect of the parameter.
    pub meaning: Words,
    /// An example of a value.
    pub example: &'static str,
    /// Reads a value.
    pub(crate) read: ReadValue,
    /// The canonical spelling of a missing value. It is empty unless the server has its own
    /// default.
    pub(crate) default: fn(&Parameters<'_>) -> String,
}

/// A server's defaults for parameters that a request does not give.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// The rules of verdicts.
    pub rules: VerdictRules,
    /// Whether an undetermined check and an unknown parameter are errors.
    pub strict: bool,
}

/// Sets a value and returns its canonical spelling. Values with the same meaning have the same
/// spelling, and the default has an empty one. An error of none stands for the usual error of the
/// row.
type ReadValue = for<'a> fn(&mut Parameters<'a>, &'a str) -> Result<Cow<'a, str>, Option<Failure>>;

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
    /// Returns an optional parameter with the usual default and one spelling.
    pub(super) const fn optional(
        name: &'static str,
        values: Values,
        meaning: Words,
        example: &'static str,
        read: ReadValue,
    ) -> Self {
        Self {
            name,
            alias: None,
            is_required: false,
            error: ErrorKind::BadParameter,
            values,
            meaning,
            example,
            read,
            default: |_| String::new(),
        }
    }

    /// Returns the value of a required parameter.
    ///
    /// # Errors
    /// It is missing.
    pub(crate) fn given<T>(&self, value: Option<T>) -> Result<T, Failure> {
        value.ok_or_else(|| self.wrong())
    }

    /// Returns the error of a wrong value.
    pub fn wrong(&self) -> Failure {
        Failure::of_parameter(self.error, self.name)
    }
}

/// The parameters of a request to an endpoint. Those that the endpoint does not take have their
/// defaults.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    /// The format of the response.
    pub format: Format,
    pub(crate) inn: Option<Inn>,
    pub(crate) customer_inn: Option<&'a str>,
    /// The requested INNs in their order; they may be malformed.
    pub inns: Vec<&'a str>,
    pub(crate) purchase_number: Option<PurchaseNumber>,
    pub(crate) query: Option<&'a str>,
    /// The requested names in their order.
    pub names: Vec<&'a str>,
    pub(crate) number: Option<&'a str>,
    /// Decimal digits without leading zeros.
    pub skip: &'a str,
    /// The requested number of rows; none if it is not given.
    pub(super) limit: Option<u64>,
    /// The default number of rows.
    usual_limit: u64,
    /// The filter of contracts.
    pub filter: ContractFilter,
    /// The order of contracts.
    pub order: ContractOrder,
    pub(crate) as_of: Option<Date>,
    /// The day of the request, in Moscow.
    pub(crate) today: Date,
    /// The start of the changes.
    pub(crate) after: After,
    /// The rules of verdicts.
    pub(crate) rules: VerdictRules,
    /// Whether an undetermined check and an unknown parameter are errors.
    pub(crate) strict: bool,
    /// Whether past entries are included.
    pub history: bool,
    /// The language of headings.
    pub(crate) language: Language,
    /// Whether a receipt is requested.
    pub receipt: bool,
    canonical: String,
}

/// The start of a page of changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum After {
    /// The oldest stored change.
    #[default]
    Oldest,
    /// After the newest change.
    Now,
    /// After a cursor.
    Cursor(ChangeCursor),
}

impl<'a> Parameters<'a> {
    /// Reads the parameters of a request to the endpoint at `path`, which takes those of `rows`.
    /// `defaults` holds the server's defaults.
    ///
    /// # Errors
    /// The first parameter, in their order, that is missing or wrong.
    pub fn read(
        path: &str,
        rows: impl Iterator<Item = &'static ParameterRow>,
        query: &'a Query<'_>,
        defaults: Defaults,
        today: Date,
    ) -> Result<Self, Failure> {
        let mut parameters = Self {
            format: Format::Xml,
            inn: None,
            customer_inn: None,
            inns: Vec::new(),
            purchase_number: None,
            query: None,
            names: Vec::new(),
            number: None,
            skip: "0",
            limit: None,
            usual_limit: DEFAULT_LIMIT,
            filter: ContractFilter::default(),
            order: ContractOrder::default(),
            as_of: None,
            today,
            after: After::default(),
            rules: defaults.rules,
            strict: defaults.strict,
            history: false,
            language: Language::default(),
            receipt: false,
            canonical: String::with_capacity(USUAL_LENGTH),
        };
        parameters.canonical.push_str(path);
        for parameter in rows {
            parameters.set(parameter, path, query)?;
            if parameter.name == "limit"
                && let Some((_, usual)) = parameter.values.limits(parameters.format)
            {
                parameters.usual_limit = usual;
            }
        }
        Ok(parameters)
    }

    fn set(
        &mut self,
        parameter: &ParameterRow,
        path: &str,
        query: &'a Query<'_>,
    ) -> Result<(), Failure> {
        let value = match query.get(parameter.name, parameter.alias) {
            QueryValue::Missing => {
                let default = (parameter.default)(self);
                self.add_canonical(parameter.name, &default, path);
                return match parameter.is_required {
                    true => Err(parameter.wrong()),
                    false => Ok(()),
                };
            }
            QueryValue::Malformed => return Err(Failure::bad_parameter(parameter.name)),
            QueryValue::One(value) => value,
        };
        let canonical = (parameter.read)(self, value)
            .map_err(|failure| failure.unwrap_or_else(|| parameter.wrong()))?;
        self.add_canonical(parameter.name, &canonical, path);
        Ok(())
    }

    fn add_canonical(&mut self, name: &str, value: &str, path: &str) {
        if !value.is_empty() {
            let is_first = self.canonical.len() == path.len();
            self.canonical.push(if is_first { '?' } else { '&' });
            self.canonical.push_str(name);
            self.canonical.push('=');
            self.canonical.extend(utf8_percent_encode(value, ENCODED));
        }
    }

    /// Returns path and query in one spelling for all requests with the same meaning. It has the
    /// parameters in the order of the endpoint's row, without the key and without defaults.
    /// Together with the data and the day it determines the response.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// Returns the query of the canonical text.
    pub fn canonical_query(&self) -> &str {
        self.canonical
            .split_once('?')
            .map_or("", |(_, query)| query)
    }

    /// Returns the INNs of the suppliers in the request, as given.
    pub fn suppliers(&self) -> impl Iterator<Item = &str> {
        let one = self.inn.as_ref().map(Inn::as_str);
        one.into_iter().chain(self.inns.iter().copied())
    }

    /// Returns the largest number of rows to show.
    pub fn limit(&self) -> u64 {
        self.limit.unwrap_or(self.usual_limit)
    }

    /// Returns the number of contracts to skip. A number beyond 64 bits becomes the largest one,
    /// which is past the end of any list.
    pub fn first(&self) -> u64 {
        self.skip.parse().unwrap_or(u64::MAX)
    }

    /// Returns the number that the response is about: the INN of the supplier or customer, or the
    /// purchase's number. Returns none for a response about several.
    pub fn subject(&self) -> Option<&str> {
        let number = self.purchase_number.as_ref().map(PurchaseNumber::as_str);
        let inn = self.inn.as_ref().map(Inn::as_str);
        inn.or(self.customer_inn).or(number)
    }
}

#[cfg(test)]
#[path = "parameter/tests.rs"]
mod tests;
