//! Parameters in the OpenAPI document, generated from the rows that also validate requests.

use serde_json::{Value, json};

use super::super::error::MAX_LIMIT;
use super::super::request::parameter::Values;
use super::super::request::parameter_table::{AMOUNT_PATTERN, FORMAT_VALUES, LANGUAGE_VALUES};

/// The schema of a comma-separated list: a string with a pattern, because client generators
/// serialize arrays in different ways.
fn separated(item: &str, more: &str) -> Value {
    let pattern = format!("^({item})(,({item})){more}$");
    json!({ "type": "string", "pattern": pattern })
}

pub fn schema(values: Values) -> Value {
    if let Some((name, all)) = named_values(values) {
        let target = format!("#/components/schemas/{name}");
        // Formats and languages get no default in the schema, because a request header may select
        // another one.
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
        Values::List(item, most) => separated(item, &format!("{{0,{}}}", most - 1)),
        Values::Whole(Some(most), default) => json!({
            "type": "integer", "minimum": 0, "maximum": most, "default": default,
        }),
        // This is the maximum for a page. There is no `default`, because pages and files have
        // different ones.
        Values::Rows => json!({ "type": "integer", "minimum": 0, "maximum": MAX_LIMIT }),
        Values::Whole(None, default) => {
            json!({ "type": "integer", "minimum": 0, "default": default })
        }
        Values::Day => json!({ "type": "string", "format": "date" }),
        // An amount is a string, because most languages parse JSON numbers as floating point.
        Values::Amount => json!({ "type": "string", "pattern": AMOUNT_PATTERN }),
        // Handled above.
        Values::OneOf(..) | Values::Switch => Value::Null,
    }
}

/// All parameters with the same enumeration refer to one named component.
pub fn named_schema(values: Values) -> Option<(&'static str, Value)> {
    let (name, all) = named_values(values)?;
    Some((name, json!({ "type": "string", "enum": all })))
}

/// The name of an enumeration and its values, the default first.
pub fn named_values(values: Values) -> Option<(&'static str, &'static [&'static str])> {
    match values {
        Values::OneOf(name, all) => Some((name, all)),
        Values::Switch => Some(("Switch", &["0", "1"])),
        _ => None,
    }
}

pub fn example(values: Values, text: &str) -> Value {
    match values {
        Values::Whole(_, _) | Values::Rows => text.parse::<u64>().map_or(Value::Null, Value::from),
        _ => text.into(),
    }
}
