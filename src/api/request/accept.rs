//! The format and the language that a request selects by the headers `Accept` and
//! `Accept-Language` (RFC 9110, 12.5.1 and 12.5.4).

use super::encoding::weight;
use super::query::{Query, QueryValue};
use crate::model::Language;
use crate::render::Format;

/// Returns the format if its type is the only one in the values of `Accept`. Returns none if they
/// name another type or a wildcard, as HTTP libraries and browsers do by default.
pub fn only_format<'a>(values: impl Iterator<Item = &'a str>) -> Option<Format> {
    let items = values.flat_map(|value| value.split(','));
    let mut named = items.filter_map(accepted_type).map(format_of_type);
    let first = named.next()??;
    named.all(|other| other == Some(first)).then_some(first)
}

/// Returns the type of an item of the list, without its parameters. Returns none for an empty item
/// and for one that is refused by the weight 0.
fn accepted_type(item: &str) -> Option<&str> {
    let (name, parameters) = item.split_once(';').unwrap_or((item, ""));
    let is_refused = parameters.split(';').find_map(weight) == Some(0);
    Some(name.trim()).filter(|name| !name.is_empty() && !is_refused)
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

/// Returns the supported language that a request prefers: by `lang`, else by the values of
/// `Accept-Language` (RFC 9110, 12.5.4).
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
    for item in accepted.flat_map(|value| value.split(',')) {
        let (range, weight) = match item.split_once(';') {
            None => (item, 1000),
            Some((range, parameter)) => (range, weight(parameter).unwrap_or(0)),
        };
        let primary = range.trim().split('-').next().unwrap_or_default();
        if let Some(language) = Language::from_code(primary)
            && weight > best.map_or(0, |(_, weight)| weight)
        {
            best = Some((language, weight));
        }
    }
    best.map(|(language, _)| language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_language_is_the_one_that_is_asked_for_most() {
        let check = |query: &str, accepted: &'static str, expected| {
            let found = language(&Query::parse(query), [accepted].into_iter());
            assert_eq!(found, expected, "{query} {accepted}");
        };
        let (russian, english) = (Some(Language::Russian), Some(Language::English));
        check("", "", None);
        check("", "de, fr;q=0.5", None);
        check("", "en-US,en;q=0.9", english);
        check("", "ru-RU, en;q=0.9", russian);
        check("", "ru;q=0.5, en;q=0.9", english);
        check("", "en;q=0, ru;q=0.1", russian);
        check("", "en;q=x", None);
        check("", "EN", english);
        check("lang=ru", "en", russian);
        check("lang=EN", "ru", english);
        check("lang=de", "ru", russian);
    }

    #[test]
    fn a_format_is_taken_that_alone_is_named() {
        let check = |accepted: &'static str, expected| {
            let found = only_format(accepted.split('|'));
            assert_eq!(found, expected, "{accepted}");
        };
        let (json, csv, xlsx) = (Some(Format::Json), Some(Format::Csv), Some(Format::Xlsx));
        for (accepted, expected) in [
            ("application/json", json),
            ("APPLICATION/JSON ; charset=utf-8", json),
            ("application/json;q=0.5", json),
            ("application/json;q=x", json),
            ("application/json, application/json;charset=utf-8", json),
            ("application/json|application/json", json),
            (", application/json,", json),
            ("text/csv; header=present", csv),
            (
                "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
                xlsx,
            ),
            // The weight 0 refuses a type, so it does not count.
            ("application/json, */*;q=0", json),
            ("application/json, application/xml; a=b; Q = 0.000", json),
            ("text/csv, application/json;q=0.0", csv),
            ("application/json;q=0", None),
            // Another type or a wildcard, of any weight.
            ("application/json, */*;q=0.1", None),
            ("application/json, text/plain, */*", None),
            ("application/json, application/*;q=0.001", None),
            ("application/json;q=0.9, application/xml;q=0.8", None),
            ("application/json, text/csv", None),
            ("text/html|application/json", None),
            // Nothing, or no supported type.
            ("", None),
            ("*/*", None),
            ("application/*", None),
            ("application/xml", None),
            ("application/jsonp", None),
            (
                "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8",
                None,
            ),
        ] {
            check(accepted, expected);
        }
    }
}
