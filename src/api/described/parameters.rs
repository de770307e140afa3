//! Parameters in the OpenAPI document, of the rows that the checks have.

use serde_json::{Value, json};

use super::super::error::MAX_FILE_ROWS;
use super::super::request::parameter::Values;
use super::super::request::parameter_table::{AMOUNT_PATTERN, FORMAT_VALUES, LANGUAGE_VALUES};
use super::SCHEMAS;

/// Values that match a pattern, with commas between: one text, as generated clients part a
/// list in ways of their own.
fn separated(item: &str, more: &str) -> Value {
    let pattern = ["^(", item, ")(,(", item, "))", more, "$"].concat();
    json!({ "type": "string", "pattern": pattern })
}

/// The schema of a parameter's values.
pub fn schema(values: Values) -> Value {
    if let Some((name, all)) = named_values(values) {
        let target = [SCHEMAS, name].concat();
        // Another one may be given by a header.
        let by_header = [FORMAT_VALUES, LANGUAGE_VALUES];
        let default = all.first().filter(|_| !by_header.contains(&name));
        return match default {
            Some(default) => json!({ "$ref": target, "default": default }),
            None => json!({ "$ref": target }),
        };
    }
    match values {
        Values::Pattern(pattern, _) | Values::Lines(pattern, _) => {
            json!({ "type": "string", "pattern": pattern })
        }
        Values::SomeOf(all) => separated(&all.join("|"), "*"),
        Values::List(item, most) => {
            separated(item, &["{0,", &(most - 1).to_string(), "}"].concat())
        }
        Values::Whole(Some(most), default) => json!({
            "type": "integer", "minimum": 0, "maximum": most, "default": default,
        }),
        // The usual number depends on the format.
        Values::Rows => json!({ "type": "integer", "minimum": 0, "maximum": MAX_FILE_ROWS }),
        Values::Whole(None, default) => {
            json!({ "type": "integer", "minimum": 0, "default": default })
        }
        Values::Day => json!({ "type": "string", "format": "date" }),
        // A text, as a number of JSON is not exact in most languages.
        Values::Amount => json!({ "type": "string", "pattern": AMOUNT_PATTERN }),
        // Done above.
        Values::OneOf(..) | Values::Switch => Value::Null,
    }
}

/// The schema that theirs refers to, and its name.
pub fn named_schema(values: Values) -> Option<(&'static str, Value)> {
    let (name, all) = named_values(values)?;
    Some((name, json!({ "type": "string", "enum": all })))
}

/// The values of an enumeration, the default one first, and its name.
pub fn named_values(values: Values) -> Option<(&'static str, &'static [&'static str])> {
    match values {
        Values::OneOf(name, all) => Some((name, all)),
        Values::Switch => Some(("Switch", &["0", "1"])),
        _ => None,
    }
}

/// An example as JSON has it.
pub fn example(values: Values, text: &str) -> Value {
    match values {
        Values::Whole(_, _) | Values::Rows => text.parse::<u64>().map_or(Value::Null, Value::from),
        _ => text.into(),
    }
}
