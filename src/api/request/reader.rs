//! Reads the parameters of a request in the order stated in the manual ("API"), and writes their
//! canonical text.
//!
//! Handlers get parameters only through the reader, and everything read becomes part of the
//! canonical text. Entity tag, response cache and receipt are based on that text, so none of them
//! can miss a parameter. The current day also comes from the reader, which thus knows whether an
//! answer depends on the day.

use std::borrow::Cow;

use percent_encoding::utf8_percent_encode;

use super::super::error::Failure;
use super::parameter::{Defaults, ParameterRow};
use super::parameter_table as table;
use super::query::{ENCODED, Query, QueryValue};
use crate::model::{Date, Language, Moment};
use crate::render::Format;

/// Initial capacity of a canonical text. Most texts are shorter.
const USUAL_LENGTH: usize = 256;

/// A value and its canonical spelling; `None` if the value is wrong. Values with the same meaning
/// have the same spelling, and the default has an empty one.
pub(super) type ReadValue<'q, T> = Option<(T, Cow<'q, str>)>;

pub struct Reader<'q> {
    query: &'q Query<'q>,
    path: &'static str,
    canonical: String,
    /// The format of the response, which is read first.
    pub(super) format: Format,
    pub(super) defaults: Defaults,
    /// Time of the request, in Moscow.
    now: Moment,
    /// The day that the answer depends on, if any.
    pub(super) day: Option<Date>,
    /// The minute that the answer depends on, if any.
    minute: Option<Moment>,
    #[cfg(debug_assertions)]
    names: Vec<&'static str>,
}

/// The parameters that all endpoints share, the canonical text of the request, and everything else
/// that the answer depends on.
#[derive(Clone, Debug)]
pub struct SharedParameters {
    pub format: Format,
    /// Language of a workbook's headings.
    pub language: Language,
    pub receipt: bool,
    /// Whether an undetermined verdict or an unknown parameter is an error.
    pub strict: bool,
    /// Maximum age of registries, in days. Verdicts depend on it although it is not a parameter.
    pub max_age: u64,
    /// The day that the answer depends on, if any.
    pub day: Option<Date>,
    /// The minute that the answer depends on, if any.
    pub minute: Option<Moment>,
    path: &'static str,
    canonical: String,
}

impl<'q> Reader<'q> {
    /// Starts reading the parameters of a request to the endpoint at `path`, beginning with the
    /// format.
    pub fn begin(
        path: &'static str,
        query: &'q Query<'_>,
        defaults: Defaults,
        now: Moment,
    ) -> Result<Self, Failure> {
        let mut reader = Self {
            query,
            path,
            canonical: String::with_capacity(USUAL_LENGTH),
            format: Format::Xml,
            defaults,
            now,
            day: None,
            minute: None,
            #[cfg(debug_assertions)]
            names: Vec::new(),
        };
        reader.canonical.push_str(path);
        let format = reader.optional(&table::FORMAT, |text| {
            let format = Format::parse(text)?;
            Some((format, unless_default(format.name(), "xml")))
        })?;
        reader.format = format.unwrap_or(Format::Xml);
        Ok(reader)
    }

    /// Returns today's date in Moscow and makes the answer depend on it.
    pub fn today(&mut self) -> Date {
        let today = self.now.date();
        self.day = Some(today);
        today
    }

    /// Returns the current time in Moscow and makes the answer depend on it, to the minute.
    pub fn now(&mut self) -> Moment {
        self.today();
        self.minute = Some(self.now);
        self.now
    }

    /// Reads the parameters that all endpoints share, after the endpoint's own. With `has_errors`,
    /// the shared parameters include `errors`.
    pub fn finish(mut self, has_errors: bool) -> Result<SharedParameters, Failure> {
        let is_in_a_language = self.format == Format::Xlsx;
        let language = self.optional(&table::LANG, |text| {
            let language = Language::from_code(text)?;
            // Only workbooks depend on the language.
            let canonical = if is_in_a_language {
                language.code()
            } else {
                ""
            };
            Some((language, unless_default(canonical, "ru")))
        })?;
        if has_errors {
            // Only check the value: `Endpoint::answers_statuses` reads it from the query, because
            // an error may occur before this point. The parameter does not affect the data, so the
            // canonical text omits it.
            self.optional(&table::ERRORS, |text| {
                (text == "http").then(|| ((), "".into()))
            })?;
        }
        // The body is the same with and without a receipt, so the canonical text omits the
        // parameter.
        let receipt = self.optional(&table::RECEIPT, |text| Some((switch(text)?, "".into())))?;
        let strict = self.switch(&table::STRICT)?;
        let strict = match strict {
            Some(strict) => strict,
            None => {
                let default = if self.defaults.strict { "1" } else { "" };
                self.add_canonical(&table::STRICT, default);
                self.defaults.strict
            }
        };
        Ok(SharedParameters {
            format: self.format,
            language: language.unwrap_or_default(),
            receipt: receipt.unwrap_or(false),
            strict,
            max_age: self.defaults.rules.max_age,
            day: self.day,
            minute: self.minute,
            path: self.path,
            canonical: self.canonical,
        })
    }

    pub(super) fn required<T>(
        &mut self,
        row: &ParameterRow,
        read: impl FnOnce(&'q str) -> ReadValue<'q, T>,
    ) -> Result<T, Failure> {
        self.optional(row, read)?.ok_or_else(|| row.wrong())
    }

    pub(super) fn optional<T>(
        &mut self,
        row: &ParameterRow,
        read: impl FnOnce(&'q str) -> ReadValue<'q, T>,
    ) -> Result<Option<T>, Failure> {
        let Some(text) = self.text(row)? else {
            return Ok(None);
        };
        let (value, canonical) = read(text).ok_or_else(|| row.wrong())?;
        self.add_canonical(row, &canonical);
        Ok(Some(value))
    }

    pub(super) fn switch(&mut self, row: &ParameterRow) -> Result<Option<bool>, Failure> {
        self.optional(row, |text| Some((switch(text)?, unless_default(text, "0"))))
    }

    /// Returns the text of a parameter, if it is given. The caller adds the canonical spelling.
    pub(super) fn text(&mut self, row: &ParameterRow) -> Result<Option<&'q str>, Failure> {
        #[cfg(debug_assertions)]
        self.names.push(row.name);
        match self.query.get(row.name, row.alias) {
            QueryValue::Missing => Ok(None),
            QueryValue::Malformed => Err(Failure::bad_parameter(row.name)),
            QueryValue::One(text) => Ok(Some(text)),
        }
    }

    /// Adds the canonical spelling of a value, which is empty for the default.
    pub(super) fn add_canonical(&mut self, row: &ParameterRow, value: &str) {
        if !value.is_empty() {
            let is_first = self.canonical.len() == self.path.len();
            self.canonical.push(if is_first { '?' } else { '&' });
            self.canonical.push_str(row.name);
            self.canonical.push('=');
            self.canonical.extend(utf8_percent_encode(value, ENCODED));
        }
    }

    /// In debug builds, asserts that the endpoint's own parameters were read in the order of the
    /// rows.
    pub fn assert_read(&self, rows: impl Iterator<Item = &'static ParameterRow>) {
        #[cfg(debug_assertions)]
        assert!(
            rows.map(|row| row.name)
                .eq(self.names.iter().copied().skip(1)),
            "{} reads {:?}",
            self.path,
            self.names
        );
        #[cfg(not(debug_assertions))]
        drop(rows);
    }
}

impl SharedParameters {
    /// Returns path and query in a spelling that all requests with the same meaning share:
    /// parameters in the order of the endpoint's rows, without the key and without defaults.
    /// Together with the data, the day and minute, and the maximum age of registries, this text
    /// determines the body.
    pub fn canonical(&self) -> &str {
        &self.canonical
    }

    /// Returns the query part of the canonical text.
    pub fn canonical_query(&self) -> &str {
        self.canonical.get(self.path.len() + 1..).unwrap_or("")
    }

    /// Returns the names and percent-encoded values in the canonical text.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.canonical_query().split('&');
        pairs.filter_map(|pair| pair.split_once('='))
    }
}

pub(super) fn unless_default<'q>(text: &'q str, default: &str) -> Cow<'q, str> {
    if text == default { "" } else { text }.into()
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

#[cfg(test)]
#[path = "reader/tests.rs"]
mod tests;
