//! The format, language and encoding that `Accept`, `Accept-Language` and `Accept-Encoding` select
//! (RFC 9110, 12.5).

use super::query::{Query, QueryValue};
use crate::model::Language;
use crate::render::Format;

/// Returns a format if its media type is the only one that `Accept` allows. Returns `None` if it
/// also allows another type or a wildcard, which HTTP libraries and browsers do by default.
pub fn only_format<'a>(values: impl Iterator<Item = &'a str>) -> Option<Format> {
    let is_accepted = |(name, weight): &(&str, Option<u16>)| !name.is_empty() && *weight != Some(0);
    let accepted = items(values).filter(is_accepted);
    let mut named = accepted.map(|(name, _)| format_of_type(name));
    let first = named.next()??;
    named.all(|other| other == Some(first)).then_some(first)
}

fn format_of_type(name: &str) -> Option<Format> {
    let is_of = |format: &Format| {
        let known = format.content_type().split(';').next();
        known.is_some_and(|known| known.eq_ignore_ascii_case(name))
    };
    [Format::Json, Format::Csv, Format::Xlsx]
        .into_iter()
        .find(is_of)
}

/// Returns the supported language that a request prefers: by `lang`, or else by `Accept-Language`.
pub fn language<'a>(
    query: &Query<'_>,
    accepted: impl Iterator<Item = &'a str>,
) -> Option<Language> {
    if let QueryValue::One(code) = query.get("lang", None)
        && let Some(language) = Language::from_code(code)
    {
        return Some(language);
    }
    let mut best = None;
    for (range, weight) in items(accepted) {
        let weight = weight.unwrap_or(0);
        let primary = range.split('-').next().unwrap_or_default();
        if let Some(language) = Language::from_code(primary)
            && weight > best.map_or(0, |(_, weight)| weight)
        {
            best = Some((language, weight));
        }
    }
    best.map(|(language, _)| language)
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    #[default]
    Identity,
    Gzip,
    Zstd,
}

impl Encoding {
    /// Returns the value of `Content-Encoding`; `None` for an unencoded body.
    pub fn name(self) -> Option<&'static str> {
        match self {
            Self::Identity => None,
            Self::Gzip => Some("gzip"),
            Self::Zstd => Some("zstd"),
        }
    }
}

/// The encoding that the client accepts for the response. Responses depend on this value, not on
/// the wording of the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct AcceptEncoding {
    /// The best encoding for the client.
    pub encoding: Encoding,
    /// Whether even a short body must be encoded because the client rejects unencoded ones.
    pub always: bool,
}

impl AcceptEncoding {
    /// Returns the encoding of a body that compression would not shorten: unencoded, unless the
    /// client rejects that.
    pub fn if_required(self) -> Self {
        if self.always { self } else { Self::default() }
    }

    /// Returns a distinct number for each value, for hashing.
    pub fn number(self) -> u8 {
        (self.encoding as u8) << 1 | u8::from(self.always)
    }

    /// Parses `Accept-Encoding`. Among encodings of equal weight, picks the one that compresses
    /// best. Bodies stay unencoded if the header is missing or accepts no supported encoding.
    pub fn parse<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut weights = Weights::default();
        for (name, weight) in items(values) {
            weights.set(name, weight);
        }
        let of = |weight: Option<u16>| weight.or(weights.any).unwrap_or(0);
        let (gzip, zstd) = (of(weights.gzip), of(weights.zstd));
        let (encoding, weight) = if zstd >= gzip {
            (Encoding::Zstd, zstd)
        } else {
            (Encoding::Gzip, gzip)
        };
        // An unencoded body is acceptable even if the header does not mention it, but an encoding
        // that the header mentions is preferred.
        if weight == 0 || weights.identity.is_some_and(|identity| identity > weight) {
            return Self::default();
        }
        Self {
            encoding,
            always: weights.identity.or(weights.any) == Some(0),
        }
    }
}

/// Weights of the supported encodings, in thousandths.
#[derive(Default)]
struct Weights {
    gzip: Option<u16>,
    zstd: Option<u16>,
    identity: Option<u16>,
    any: Option<u16>,
}

impl Weights {
    /// Sets the weight of an encoding; ignores a malformed one.
    fn set(&mut self, name: &str, weight: Option<u16>) {
        let is = |known: &str| name.eq_ignore_ascii_case(known);
        let slot = if is("gzip") || is("x-gzip") {
            &mut self.gzip
        } else if is("zstd") {
            &mut self.zstd
        } else if is("identity") {
            &mut self.identity
        } else if name == "*" {
            &mut self.any
        } else {
            return;
        };
        *slot = weight.or(*slot);
    }
}

/// Splits a list header into items and their weights in thousandths. An item without parameters has
/// the weight 1000; `None` means that the parameters contain no well-formed weight.
fn items<'a>(
    values: impl Iterator<Item = &'a str>,
) -> impl Iterator<Item = (&'a str, Option<u16>)> {
    let items = values.flat_map(|value| value.split(','));
    items.map(|item| match item.split_once(';') {
        None => (item.trim(), Some(1000)),
        Some((name, parameters)) => (name.trim(), parameters.split(';').find_map(weight)),
    })
}

/// Parses `q=0.123` into thousandths. Accepts at most three decimals and at most 1.
fn weight(parameter: &str) -> Option<u16> {
    let (name, value) = parameter.split_once('=')?;
    if !name.trim().eq_ignore_ascii_case("q") {
        return None;
    }
    let value = value.trim();
    let (whole, part) = value.split_once('.').unwrap_or((value, ""));
    if part.len() > 3 || !part.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let thousandths = format!("{part:0<3}").parse::<u16>().ok()?;
    match whole {
        "0" => Some(thousandths),
        "1" if thousandths == 0 => Some(1000),
        _ => None,
    }
}

#[cfg(test)]
#[path = "accept/tests.rs"]
mod tests;
