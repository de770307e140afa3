//! Query strings: decoded names and values, some of which may be malformed.

use std::borrow::Cow;

use memchr::memchr2;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode};

use crate::model::Language;
use crate::render::Format;

/// The bytes that are percent-encoded in a query.
pub(crate) const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_');

/// The parameters for which request headers can provide a default.
const FORMAT: &str = "format";
const LANG: &str = "lang";

#[derive(Clone, Debug, Default)]
pub struct Query<'a> {
    /// Decoded names and values, in order. A malformed value is `None`.
    pairs: Vec<(Cow<'a, str>, Option<Cow<'a, str>>)>,
    /// Format and language from the request headers, used if the query does not set them.
    format: Option<Format>,
    language: Option<Language>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QueryValue<'a> {
    /// Missing or empty.
    Missing,
    /// Decoded, without surrounding white space.
    One(&'a str),
    /// Given several times with different values, or not valid percent-encoded UTF-8.
    Malformed,
}

impl<'a> Query<'a> {
    /// Parses a query string, which may contain unknown parameters.
    pub fn parse(query: &'a str) -> Self {
        let pair = |pair: &'a str| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            Some((decode(name)?, decode(value).map(trimmed)))
        };
        Self {
            pairs: query
                .split('&')
                .filter(|pair| !pair.is_empty())
                .filter_map(pair)
                .collect(),
            format: None,
            language: None,
        }
    }

    /// Builds a query from decoded parameters.
    pub fn from_pairs(pairs: &[(&'a str, &'a str)]) -> Self {
        let pair = |(name, value): &(&'a str, &'a str)| ((*name).into(), Some(value.trim().into()));
        Self {
            pairs: pairs.iter().map(pair).collect(),
            format: None,
            language: None,
        }
    }

    /// Adds the format and language from the request headers.
    pub fn with_preferences(self, format: Option<Format>, language: Option<Language>) -> Self {
        Self {
            format,
            language,
            ..self
        }
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.pairs.iter().map(|(name, _)| &**name)
    }

    /// Returns whether the query itself states a value, which then overrides the headers.
    pub fn has(&self, name: &str) -> bool {
        self.values(name, None).next().is_some()
    }

    /// Returns all values of a parameter under both spellings. Empty values count as missing.
    pub fn values<'b>(
        &'b self,
        name: &'b str,
        alias: Option<&'b str>,
    ) -> impl Iterator<Item = Option<&'b str>> {
        let named = self
            .pairs
            .iter()
            .filter(move |(given, _)| given == name || Some(&**given) == alias);
        named
            .map(|(_, value)| value.as_deref())
            .filter(|value| *value != Some(""))
    }

    pub fn get<'b>(&'b self, name: &'b str, alias: Option<&'b str>) -> QueryValue<'b> {
        let mut values = self.values(name, alias);
        match values.next() {
            None => {
                let preferred = match name {
                    FORMAT => self.format.map(Format::name),
                    LANG => self.language.map(Language::code),
                    _ => None,
                };
                preferred.map_or(QueryValue::Missing, QueryValue::One)
            }
            Some(first) if values.any(|other| other != first) => QueryValue::Malformed,
            Some(None) => QueryValue::Malformed,
            Some(Some(value)) => QueryValue::One(value),
        }
    }

    /// Returns the format of an error body: the requested one if it is valid, otherwise XML.
    pub fn error_format(&self) -> Format {
        match self.get(FORMAT, None) {
            QueryValue::One(text) => Format::parse(text).unwrap_or(Format::Xml),
            QueryValue::Missing | QueryValue::Malformed => Format::Xml,
        }
    }
}

/// Splits a target, which may be in absolute form, into path and query.
pub fn split_target(target: &str) -> (&str, &str) {
    let target = target.split_once('#').map_or(target, |(target, _)| target);
    let absolute = (!target.starts_with('/')).then(|| target.split_once("://"));
    let origin_form = match absolute.flatten() {
        Some((scheme, rest)) if scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            rest.find(['/', '?']).map_or("/", |path| &rest[path..])
        }
        _ => target,
    };
    origin_form.split_once('?').unwrap_or((origin_form, ""))
}

/// Decodes percent-encoding, in which `+` is a space. Returns `None` if the result is not UTF-8 or
/// an escape is malformed. Does not copy a text without escapes.
fn decode(part: &str) -> Option<Cow<'_, str>> {
    if memchr2(b'%', b'+', part.as_bytes()).is_none() {
        return Some(part.into());
    }
    let mut rest = part.as_bytes();
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        let well = matches!(rest.get(at + 1..at + 3), Some([a, b]) if a.is_ascii_hexdigit() && b.is_ascii_hexdigit());
        if !well {
            return None;
        }
        rest = &rest[at + 3..];
    }
    let spaced = part.replace('+', " ");
    let text = percent_decode(spaced.as_bytes()).decode_utf8().ok()?;
    Some(text.into_owned().into())
}

fn trimmed(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => text.trim().into(),
        Cow::Owned(text) => text.trim().to_owned().into(),
    }
}
