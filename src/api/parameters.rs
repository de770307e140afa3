//! What a request to an endpoint says: its parameters, checked in the contract's order, and
//! their canonical text.
//!
//! A parameter can only be set by reading a value that then stands in the canonical text.
//! The entity tag, the cache of responses and the receipt all go by that text, so that none
//! of them can overlook a parameter.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::Calendar;
use super::endpoint::{Endpoint, Handler};
use super::error::Failure;
use super::parameter::{DEFAULT_LIMIT, Parameter};
use super::query::{Query, QueryValue};
use crate::model::{ContractFilter, ContractOrder, Date, Inn, PurchaseNumber};
use crate::render::Format;

/// The bytes that stand for themselves in a query.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The length that few canonical texts exceed, in bytes.
const USUAL_LENGTH: usize = 256;

/// The parameters of a request to an endpoint; those that it does not take have their
/// defaults.
#[derive(Clone, Debug)]
pub struct Parameters<'a> {
    pub endpoint: &'static Endpoint,
    pub format: Format,
    pub(super) inn: Option<Inn>,
    /// As they were given, in their order; perhaps no INNs.
    pub inns: Vec<&'a str>,
    pub(super) purchase_number: Option<PurchaseNumber>,
    /// Digits without leading zeros.
    pub skip: &'a str,
    pub limit: u64,
    pub filter: ContractFilter,
    pub order: ContractOrder,
    pub(super) as_of: Option<Date>,
    /// Whether entries that are over are shown as well.
    pub history: bool,
    /// Whether a receipt is wanted.
    pub receipt: bool,
    canonical: String,
}

impl<'a> Parameters<'a> {
    /// Reads the parameters of a request to `endpoint`.
    ///
    /// # Errors
    /// The first of its parameters, in the order of its row, that is missing or wrong.
    pub fn read(endpoint: &'static Endpoint, query: &'a Query<'_>) -> Result<Self, Failure> {
        let mut parameters = Self {
            endpoint,
            format: Format::Xml,
            inn: None,
            inns: Vec::new(),
            purchase_number: None,
            skip: "0",
            limit: DEFAULT_LIMIT,
            filter: ContractFilter::default(),
            order: ContractOrder::default(),
            as_of: None,
            history: false,
            receipt: false,
            canonical: String::with_capacity(USUAL_LENGTH),
        };
        parameters.canonical.push_str(endpoint.path);
        for parameter in endpoint.parameters {
            parameters.set(parameter, query)?;
        }
        Ok(parameters)
    }

    fn set(&mut self, parameter: &Parameter, query: &'a Query<'_>) -> Result<(), Failure> {
        let value = match query.get(parameter.name, parameter.alias) {
            QueryValue::Missing => return parameter.required.cloned().map_or(Ok(()), Err),
            QueryValue::Malformed => return Err(Failure::BadParameter(parameter.name)),
            QueryValue::One(value) => value,
        };
        let canonical = (parameter.read)(self, value)
            .map_err(|failure| failure.unwrap_or_else(|| parameter.wrong()))?;
        if !canonical.is_empty() {
            let is_first = self.canonical.len() == self.endpoint.path.len();
            self.canonical.push(if is_first { '?' } else { '&' });
            self.canonical.push_str(parameter.name);
            self.canonical.push('=');
            self.canonical
                .extend(utf8_percent_encode(&canonical, ENCODED));
        }
        Ok(())
    }

    /// Path and query in one spelling for all requests that say the same, without the key:
    /// the parameters in the order of the endpoint's row, those with a default value left
    /// out. With the data and the day it determines the response.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// The supplier's INN.
    ///
    /// # Errors
    /// It is missing.
    pub fn inn(&self) -> Result<&Inn, Failure> {
        self.inn.as_ref().ok_or(Failure::BadInn)
    }

    /// The purchase's number.
    ///
    /// # Errors
    /// It is missing.
    pub fn purchase_number(&self) -> Result<&PurchaseNumber, Failure> {
        let number = self.purchase_number.as_ref();
        number.ok_or(Failure::BadPurchaseNumber)
    }

    /// The day that the response is about, where it depends on one: `asOf`, else today.
    pub fn day(&self, today: &Calendar) -> Option<Date> {
        match self.endpoint.handler {
            Handler::OfAnyDay(_) => None,
            Handler::OfDay(_) => Some(self.as_of.unwrap_or_else(today)),
        }
    }

    /// A name for a file with the response on `day`, without its extension.
    pub fn file_name(&self, day: Option<Date>) -> String {
        let number = self.purchase_number.as_ref().map(|number| number.as_str());
        let subject = self.inn.as_ref().map(|inn| inn.as_str()).or(number);
        let subject = subject.map(str::to_owned);
        let subject = subject.or_else(|| day.map(|day| day.to_string()));
        [self.endpoint.file, "-", &subject.unwrap_or_default()].concat()
    }
}

#[cfg(test)]
#[path = "parameters/tests.rs"]
mod tests;
