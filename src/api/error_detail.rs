//! The header `X-Error-Detail`, an English sentence that says what is wrong with a request. The
//! specification fixes the bodies of errors, so it cannot go there.

use std::fmt::Write;

use percent_encoding::{CONTROLS, utf8_percent_encode};

use super::error::{Failure, MAX_FILE_ROWS, MAX_LIMIT};
use super::error_kind::ErrorDetail;
use super::request::parameter::{ParameterRow, Values};
use super::request::parameter_table::{MAX_DECIMALS, MAX_WHOLE_DIGITS};
use super::request::query::{Query, QueryValue};
use super::target::Target;

/// A wrong value is quoted up to this many characters.
const MAX_SHOWN: usize = 40;

/// Returns the sentence, or `None` if the service or its data is at fault.
pub fn of(failure: &Failure, target: &Target<'_>) -> Option<String> {
    match failure.kind.row().detail {
        ErrorDetail::None => None,
        ErrorDetail::Sentence(sentence) => {
            let seconds = failure.retry_after().unwrap_or(0);
            let sentence = sentence.replace("SECONDS", &seconds.to_string());
            let count = failure.at_least().unwrap_or(0);
            Some(sentence.replace("COUNT", &count.to_string()))
        }
        ErrorDetail::Parameter => {
            let name = failure.parameter()?;
            let mut rows = target.endpoint()?.parameters();
            Some(match rows.find(|row| row.name == name) {
                Some(row) => format!("{name}: {}", wrong_value(row, &target.query)),
                None => format!("{}: unknown parameter", shown(name)),
            })
        }
    }
}

/// The part of the sentence after the parameter's name: the wrong value and the allowed values.
fn wrong_value(parameter: &ParameterRow, query: &Query<'_>) -> String {
    let allowed = allowed(parameter.values);
    let mut values = query.values(parameter.name, parameter.alias);
    match query.get(parameter.name, parameter.alias) {
        QueryValue::Missing if parameter.instead.is_empty() => format!("missing; give {allowed}"),
        QueryValue::Missing => {
            let instead = parameter.instead.join(", ");
            format!("missing; give {allowed}, or one of: {instead}")
        }
        QueryValue::Malformed if values.any(|value| value.is_none()) => {
            "not percent-encoded UTF-8".to_owned()
        }
        QueryValue::Malformed => "given twice, with different values".to_owned(),
        QueryValue::One(text) => match parameter.values {
            Values::List(_, most) => {
                let items = text.split(',').filter(|item| !item.trim().is_empty());
                format!("{} numbers, at most {most}", items.count())
            }
            _ => format!("{}, allowed is {allowed}", shown(text)),
        },
    }
}

fn allowed(values: Values) -> String {
    match values {
        Values::Pattern(_, words) | Values::Lines(_, words) => words.to_owned(),
        Values::OneOf(_, all) => format!("one of {}", all.join(", ")),
        Values::SomeOf(all) => format!("any of {}, separated by commas", all.join(", ")),
        Values::List(_, most) => format!("1 to {most} numbers, separated by commas"),
        Values::Rows => format!(
            "a whole number, at most {MAX_LIMIT} on a page and {MAX_FILE_ROWS} in CSV and XLSX"
        ),
        Values::Whole(None, _) => "a whole number".to_owned(),
        Values::Whole(Some(most), _) => format!("a whole number, at most {most}"),
        Values::Day => "a date, YYYY-MM-DD".to_owned(),
        Values::Amount => format!(
            "a number with at most {MAX_WHOLE_DIGITS} digits before and {MAX_DECIMALS} after the \
             decimal point"
        ),
        Values::Switch => "0 or 1".to_owned(),
    }
}

/// Returns the beginning of a value, percent-encoded for use in a header.
fn shown(text: &str) -> String {
    let mut chars = text.chars();
    let first: String = chars.by_ref().take(MAX_SHOWN).collect();
    let mut shown = utf8_percent_encode(&first, CONTROLS).to_string();
    if chars.next().is_some() {
        let _ = write!(shown, "...");
    }
    shown
}
