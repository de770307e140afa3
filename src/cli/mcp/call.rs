//! Tool calls: turns arguments into a request, and the answer into a result.

use std::collections::BTreeMap;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::excerpt::{Excerpt, excerpt};
use super::message::RpcError;
use crate::api::request::parameter::{ParameterRow, Values};
use crate::api::request::parameter_table::{FORMAT, SKIP};
use crate::api::{Answerer, Endpoint, described};
use crate::render::Format;

/// Maximum length of an answer that is not shortened, in bytes.
const MAX_ANSWER: usize = 100_000;

/// Calls the tool of an endpoint with `arguments`, which must be a JSON object. As the protocol
/// requires, errors of the endpoint are returned as results.
///
/// # Errors
/// Returns an error if the arguments are not an object.
pub fn call(
    answerer: &mut Answerer,
    endpoint: &'static Endpoint,
    arguments: &str,
) -> Result<String, RpcError> {
    let arguments: BTreeMap<String, &RawValue> = serde_json::from_str(arguments)
        .map_err(|_| RpcError::wrong_params("\"arguments\" must be an object"))?;
    let parameters = match parameters(endpoint, &arguments) {
        Ok(parameters) => parameters,
        Err(sentence) => return Ok(failed([sentence])),
    };
    let given = parameters.iter();
    let given = given.map(|(name, value)| (*name, value.as_str()));
    let given: Vec<_> = given.chain([(FORMAT.name, Format::Json.name())]).collect();
    let (answer, verdict) = answerer.ask_offline(endpoint, &given);
    let answer = match answer {
        Ok(answer) => answer,
        Err(sentence) => return Ok(failed([sentence].into_iter().chain(verdict))),
    };
    let short = String::from_utf8(answer).ok();
    let short = short.and_then(|answer| Some((answer.len(), excerpt(&answer, MAX_ANSWER)?)));
    Ok(match short {
        Some((length, short)) => {
            let cut = (!short.cuts.is_empty()).then(|| rest(endpoint, &parameters, length, &short));
            succeeded(&short.text, verdict.into_iter().chain(cut))
        }
        None => failed([format!(
            "the answer has more than {} KB and no lists to shorten; use the service directly",
            MAX_ANSWER / 1000
        )]),
    })
}

/// # Errors
/// Returns a sentence about an argument that is unknown or has an unsupported type.
fn parameters(
    endpoint: &'static Endpoint,
    arguments: &BTreeMap<String, &RawValue>,
) -> Result<Vec<(&'static str, String)>, String> {
    let all: Vec<_> = described::tool_parameters(endpoint).collect();
    let mut parameters = Vec::new();
    for (name, value) in arguments {
        let Some(row) = all.iter().find(|row| row.name == *name) else {
            let shown: String = name.chars().take(60).collect();
            let names: Vec<_> = all.iter().map(|row| row.name).collect();
            let names = names.join(", ");
            return Err(format!(
                "{shown}: unknown argument; the arguments are {names}"
            ));
        };
        if let Some(value) = text(row, value.get())? {
            parameters.push((row.name, value));
        }
    }
    Ok(parameters)
}

/// Returns a value as it would appear in a query string, or `None` for null.
fn text(row: &ParameterRow, value: &str) -> Result<Option<String>, String> {
    let wrong = || {
        format!(
            "{}: give a string, a number, true or false, or a list of these",
            row.name
        )
    };
    let scalar = |value: &Value, raw: &str| match value {
        Value::String(text) => Some(text.clone()),
        // Keep the digits as the client wrote them.
        Value::Number(_) => Some(raw.to_owned()),
        Value::Bool(is) if matches!(row.values, Values::Switch) => Some(u8::from(*is).to_string()),
        Value::Bool(is) => Some(is.to_string()),
        _ => None,
    };
    match serde_json::from_str(value) {
        Ok(Value::Null) => Ok(None),
        Ok(Value::Array(_)) => {
            let items: Vec<&RawValue> = serde_json::from_str(value).map_err(|_| wrong())?;
            let items = items.into_iter().map(|item| {
                let parsed = serde_json::from_str(item.get()).map_err(|_| wrong())?;
                scalar(&parsed, item.get()).ok_or_else(wrong)
            });
            let separator = match row.values {
                Values::Lines(..) => "\n",
                _ => ",",
            };
            let items: Vec<String> = items.collect::<Result<_, _>>()?;
            Ok(Some(items.join(separator)))
        }
        Ok(other) => scalar(&other, value).map(Some).ok_or_else(wrong),
        Err(_) => Err(wrong()),
    }
}

/// Returns sentences that say what was left out of an excerpt and how to get it.
fn rest(
    endpoint: &'static Endpoint,
    parameters: &[(&'static str, String)],
    length: usize,
    short: &Excerpt,
) -> String {
    let lists = short.cuts.iter().map(|cut| {
        let (kept, all) = (cut.kept, cut.all);
        format!("{}, the first {kept} of {all}", cut.path)
    });
    let lists: Vec<String> = lists.collect();
    let mut sentence = format!(
        "The answer has {} KB. Only a part is shown: {}.",
        length.div_ceil(1000),
        lists.join("; ")
    );
    let is_paged = described::tool_parameters(endpoint).any(|row| row.name == SKIP.name);
    match short.cuts.as_slice() {
        [cut] if is_paged && cut.is_in_root => {
            let given = parameters.iter().find(|(name, _)| *name == SKIP.name);
            let skipped = given.and_then(|(_, skip)| skip.parse::<usize>().ok());
            let next = skipped.unwrap_or(0).saturating_add(cut.kept);
            sentence += &format!(" For the rest, call again with {}={next}.", SKIP.name);
        }
        _ => sentence += " For the rest, narrow the query or use the service directly.",
    }
    sentence
}

fn succeeded(answer: &str, sentences: impl IntoIterator<Item = String>) -> String {
    let texts = [answer.to_owned()].into_iter().chain(sentences);
    let content = content(texts);
    // Insert the answer without parsing it, so that numbers keep all digits.
    format!("{{\"content\":{content},\"structuredContent\":{answer},\"isError\":false}}")
}

fn failed(sentences: impl IntoIterator<Item = String>) -> String {
    json!({ "content": content(sentences), "isError": true }).to_string()
}

fn content(texts: impl IntoIterator<Item = String>) -> Value {
    let text = |text| json!({ "type": "text", "text": text });
    texts.into_iter().map(text).collect()
}
