//! Parameters: what one is, and those of a request, checked in the order that the manual
//! states (API), with
//! their canonical text.
//!
//! A parameter can only be set by reading a value that then stands in the canonical text.
//! The entity tag, the cache of responses and the receipt all go by that text, so that none
//! of them can overlook a parameter.

use std::borrow::Cow;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::super::error::{Failure, MAX_FILE_ROWS, MAX_LIMIT};
use super::query::{Query, QueryValue};
use crate::model::{
    ChangeCursor, ContractFilter, ContractOrder, Date, Inn, Language, PurchaseNumber, VerdictRules,
    Words,
};
use crate::render::Format;

/// The `limit` where none is given (the specification, "Limits").
pub const DEFAULT_LIMIT: u64 = 100;

/// The bytes that stand for themselves in a query.
pub(crate) const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The length that few canonical texts exceed, in bytes.
const USUAL_LENGTH: usize = 256;

/// A parameter of an endpoint.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its first spelling.
    pub name: &'static str,
    /// Another spelling that counts as well.
    pub alias: Option<&'static str>,
    /// The error where it is missing or wrong; none where it may be left out, and a wrong
    /// value is `Failure::BadParameter`.
    pub required: Option<&'static Failure>,
    /// What its values may be.
    pub values: Values,
    /// What it does.
    pub meaning: Words,
    /// A value of it.
    pub example: &'static str,
    /// Reads a value.
    pub(crate) read: ReadValue,
    /// The canonical spelling where it is not given: empty, unless the server was told to take
    /// another value than the usual one.
    pub(crate) default: fn(&Parameters<'_>) -> String,
}

/// The values of a server for requests that do not give their own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Defaults {
    /// The rules of verdicts.
    pub rules: VerdictRules,
    /// Whether an undetermined check and an unknown parameter are errors.
    pub strict: bool,
}

/// Sets what a value says, and returns its canonical spelling: two values that mean the same
/// have the same one, and that of leaving the parameter out is empty. An error is
/// none where it is the usual one of the row.
type ReadValue = for<'a> fn(&mut Parameters<'a>, &'a str) -> Result<Cow<'a, str>, Option<Failure>>;

/// What the values of a parameter may be, as it is described.
#[derive(Clone, Copy, Debug)]
pub enum Values {
    /// A text that matches a pattern, which an error says in words.
    Pattern(&'static str, &'static str),
    /// Several lines, which together match a pattern; an error says it in words.
    Lines(&'static str, &'static str),
    /// One of these, under a name for what they are; the first where none is given.
    OneOf(&'static str, &'static [&'static str]),
    /// Several of these, with commas between.
    SomeOf(&'static [&'static str]),
    /// Texts that match a pattern with commas between, so many at most.
    List(&'static str, usize),
    /// A whole number, at most the first; the second where none is given.
    Whole(Option<u64>, u64),
    /// A number of rows: of a page at most [`MAX_LIMIT`], [`DEFAULT_LIMIT`] where none is given;
    /// of a file (CSV, XLSX) at most [`MAX_FILE_ROWS`], and as many where none is given.
    Rows,
    /// A day, `YYYY-MM-DD`.
    Day,
    /// An amount: a decimal number.
    Amount,
    /// `0` or `1`; the first where none is given.
    Switch,
}

impl Values {
    /// The largest number, and the one where none is given, of values that are numbers.
    pub fn limits(self, format: Format) -> Option<(Option<u64>, u64)> {
        match self {
            Self::Whole(most, usual) => Some((most, usual)),
            Self::Rows if format.is_table() => Some((Some(MAX_FILE_ROWS), MAX_FILE_ROWS)),
            Self::Rows => Some((Some(MAX_LIMIT), DEFAULT_LIMIT)),
            _ => None,
        }
    }
}

impl Parameter {
    /// One that may be left out, with a usual default value and one spelling.
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
            required: None,
            values,
            meaning,
            example,
            read,
            default: |_| String::new(),
        }
    }

    /// The error of a value that it may not have.
    pub fn wrong(&self) -> Failure {
        self.required
            .map_or(Failure::BadParameter(self.name), Failure::clone)
    }
}

/// The parameters of a request to an endpoint; those that it does not take have their
/// defaults.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    /// The format of the response.
    pub format: Format,
    pub(crate) inn: Option<Inn>,
    pub(crate) customer_inn: Option<&'a str>,
    /// As they were given, in their order; perhaps no INNs.
    pub inns: Vec<&'a str>,
    pub(crate) purchase_number: Option<PurchaseNumber>,
    pub(crate) query: Option<&'a str>,
    /// Names to search for, in the order of the request.
    pub names: Vec<&'a str>,
    pub(crate) number: Option<&'a str>,
    /// Digits without leading zeros.
    pub skip: &'a str,
    /// How many rows were requested, if the request says so.
    pub(super) limit: Option<u64>,
    /// How many are shown where it does not.
    usual_limit: u64,
    /// Which contracts.
    pub filter: ContractFilter,
    /// In which order.
    pub order: ContractOrder,
    pub(crate) as_of: Option<Date>,
    /// The day of the request, in Moscow.
    pub(crate) today: Date,
    /// Where changes begin.
    pub(crate) after: After,
    /// The rules of verdicts.
    pub(crate) rules: VerdictRules,
    /// Whether an undetermined check and an unknown parameter are errors.
    pub(crate) strict: bool,
    /// Whether entries that are over are shown as well.
    pub history: bool,
    /// The language of headings, where there are any.
    pub(crate) language: Language,
    /// Whether a receipt is wanted.
    pub receipt: bool,
    canonical: String,
}

/// Where the changes of a page begin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum After {
    /// With the oldest that is kept.
    #[default]
    Oldest,
    /// After the newest.
    Now,
    /// After a cursor.
    Cursor(ChangeCursor),
}

impl<'a> Parameters<'a> {
    /// Reads the parameters of a request to the endpoint at `path`, which takes those in
    /// `rows`; `defaults` has what the server was told to take where they do not say.
    ///
    /// # Errors
    /// The first of them, in their order, that is missing or wrong.
    pub fn read(
        path: &str,
        rows: &[Parameter],
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
        }
        let limits = rows.iter().find(|one| one.name == "limit");
        let limits = limits.and_then(|one| one.values.limits(parameters.format));
        parameters.usual_limit = limits.map_or(DEFAULT_LIMIT, |(_, usual)| usual);
        Ok(parameters)
    }

    fn set(
        &mut self,
        parameter: &Parameter,
        path: &str,
        query: &'a Query<'_>,
    ) -> Result<(), Failure> {
        let value = match query.get(parameter.name, parameter.alias) {
            QueryValue::Missing => {
                let default = (parameter.default)(self);
                self.add_canonical(parameter.name, &default, path);
                return parameter.required.cloned().map_or(Ok(()), Err);
            }
            QueryValue::Malformed => return Err(Failure::BadParameter(parameter.name)),
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

    /// Path and query in one spelling for all requests that say the same, without the key:
    /// the parameters in the order of the endpoint's row, those with a default value left
    /// out. With the data and the day it determines the response.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// The query alone, likewise.
    pub fn canonical_query(&self) -> &str {
        self.canonical
            .split_once('?')
            .map_or("", |(_, query)| query)
    }

    /// The INNs of the suppliers that it is about, as they were given.
    pub fn suppliers(&self) -> impl Iterator<Item = &str> {
        let one = self.inn.as_ref().map(Inn::as_str);
        one.into_iter().chain(self.inns.iter().copied())
    }

    /// How many rows to show at most.
    pub fn limit(&self) -> u64 {
        self.limit.unwrap_or(self.usual_limit)
    }

    /// The supplier's INN.
    ///
    /// # Errors
    /// It is missing.
    pub fn inn(&self) -> Result<&Inn, Failure> {
        self.inn.as_ref().ok_or(Failure::BadInn)
    }

    /// The customer's INN.
    ///
    /// # Errors
    /// It is missing.
    pub fn customer_inn(&self) -> Result<&str, Failure> {
        self.customer_inn
            .ok_or(Failure::BadParameter("customerINN"))
    }

    /// How many contracts to pass over: past the end of any list, if it does not fit 64 bits.
    pub fn first(&self) -> u64 {
        self.skip.parse().unwrap_or(u64::MAX)
    }

    /// The purchase's number.
    ///
    /// # Errors
    /// It is missing.
    pub fn purchase_number(&self) -> Result<&PurchaseNumber, Failure> {
        let number = self.purchase_number.as_ref();
        number.ok_or(Failure::BadPurchaseNumber)
    }

    /// The text that is searched for.
    ///
    /// # Errors
    /// It is missing.
    pub fn query(&self) -> Result<&str, Failure> {
        self.query.ok_or(Failure::BadParameter("q"))
    }

    /// The number whose documents are asked for.
    ///
    /// # Errors
    /// It is missing.
    pub fn number(&self) -> Result<&str, Failure> {
        self.number.ok_or(Failure::BadParameter("number"))
    }

    /// The number that the response is about: the INN of the supplier or customer, or the
    /// purchase's number; none where it is about several.
    pub fn subject(&self) -> Option<&str> {
        let number = self.purchase_number.as_ref().map(PurchaseNumber::as_str);
        let inn = self.inn.as_ref().map(Inn::as_str);
        inn.or(self.customer_inn).or(number)
    }
}

#[cfg(test)]
#[path = "parameter/tests.rs"]
mod tests;
