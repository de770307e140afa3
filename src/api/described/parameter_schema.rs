//! Parameters in the OpenAPI document, generated from the rows that also validate requests.

use serde_json::{Value, json};

use super::super::error::MAX_LIMIT;
use super::super::request::parameter::Values;
use super::super::request::parameter_table::{AMOUNT_PATTERN, FORMAT_VALUES, LANGUAGE_VALUES};

/// Returns the schema of a comma-separated list. The schema is that of a string with a pattern,
/// because client generators serialize arrays in different ways.
fn separated(item: &str, more: &str) -> Value {
    let pattern = format!("^({item})(,({item})){more}$");
    json!({ "type": "string", "pattern": pattern })
}

/// Returns the schema of a parameter's values.
pub fn schema(values: Values) -> Value {
    if let Some((name, all)) = named_values(values) {
        let target = format!("#/components/schemas/{name}");
        // No default is stated for formats and languages, because a request header may select
        // another.
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
        // This is the maximum for a page. A file may have more rows and, without the parameter, has
        // all of them. The default depends on the format, so none is stated.
        Values::Rows => json!({ "type": "integer", "minimum": 0, "maximum": MAX_LIMIT }),
        Values::Whole(None, default) => {
            json!({ "type": "integer", "minimum": 0, "default": default })
        }
        Values::Day => json!({ "type": "string", "format": "date" }),
        // A string, because most languages parse JSON numbers inexactly.
        Values::Amount => json!({ "type": "string", "pattern": AMOUNT_PATTERN }),
        // Handled before the match.
        Values::OneOf(..) | Values::Switch => Value::Null,
    }
}

/// Returns the name and schema of the component that all uses of an enumeration share.
pub fn named_schema(values: Values) -> Option<(&'static str, Value)> {
    let (name, all) = named_values(values)?;
    Some((name, json!({ "type": "string", "enum": all })))
}

/// Returns the name and the values of an enumeration, the default first.
pub fn named_values(values: Values) -> Option<(&'static str, &'static [&'static str])> {
    match values {
        Values::OneOf(name, all) => Some((name, all)),
        Values::Switch => Some(("Switch", &["0", "1"])),
        _ => None,
    }
}

/// Returns an example as a JSON value.
pub fn example(values: Values, text: &str) -> Value {
    match values {
        Values::Whole(_, _) | Values::Rows => text.parse::<u64>().map_or(Value::Null, Value::from),
        _ => text.into(),
    }
}
