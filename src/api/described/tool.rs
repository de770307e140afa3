//! Endpoints as tools for assistants (Model Context Protocol), generated from the same tables as
//! the other descriptions.

use serde_json::{Map, Value, json};

use super::super::endpoints::Endpoint;
use super::super::request::parameter::{ParameterRow, Values};
use super::super::request::parameter_table::{ERRORS, FORMAT, LANG, RECEIPT};
use super::parameter_schema;
use crate::model::Language;
use crate::render::schema::json_schema::{self, Schemas};

/// Where a tool's output schema keeps the schemas that it refers to.
const PARTS: &str = "#/$defs/";

/// For example, `/contract/by-number` becomes `contract_by_number`.
pub fn tool_name(endpoint: &Endpoint) -> String {
    endpoint
        .path
        .trim_start_matches('/')
        .replace(['/', '-'], "_")
}

/// Returns the parameters that an assistant may set. Tools always answer in JSON, report errors as
/// tool errors and sign nothing, so the parameters for format, language, errors and receipts are
/// left out.
pub fn tool_parameters(endpoint: &Endpoint) -> impl Iterator<Item = &'static ParameterRow> {
    let fixed = [FORMAT.name, ERRORS.name, LANG.name, RECEIPT.name];
    let all = endpoint.parameters();
    all.filter(move |parameter| !fixed.contains(&parameter.name))
}

/// Describes an endpoint as a tool, in English.
pub fn tool(endpoint: &Endpoint) -> Value {
    let title = endpoint.title.to(Language::English);
    json!({
        "name": tool_name(endpoint),
        "title": title,
        "description": endpoint.text.to(Language::English),
        "inputSchema": input(endpoint),
        "outputSchema": output(endpoint),
        "annotations": { "title": title, "readOnlyHint": true, "openWorldHint": false },
    })
}

fn input(endpoint: &Endpoint) -> Value {
    let property = |parameter: &ParameterRow| (parameter.name.to_owned(), property(parameter));
    let properties: Map<_, _> = tool_parameters(endpoint).map(property).collect();
    let required = tool_parameters(endpoint).filter(|parameter| parameter.is_required);
    let required: Vec<_> = required.map(|parameter| parameter.name).collect();
    json!({
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

fn property(parameter: &ParameterRow) -> Value {
    let mut schema = match parameter_schema::named_values(parameter.values) {
        Some((_, all)) => json!({ "type": "string", "enum": all, "default": all.first() }),
        None => parameter_schema::schema(parameter.values),
    };
    if let Some(members) = schema.as_object_mut() {
        let mut meaning = parameter.meaning.to(Language::English).to_owned();
        if let Values::Pattern(_, words) | Values::Lines(_, words) = parameter.values {
            meaning = format!("{} ({words})", meaning.trim_end_matches('.'));
        }
        let example = parameter_schema::example(parameter.values, parameter.example);
        members.insert("description".to_owned(), meaning.into());
        members.insert("examples".to_owned(), json!([example]));
    }
    schema
}

/// The schema of an endpoint's answers. It does not name its dialect, because some clients know
/// only one dialect and reject all others.
fn output(endpoint: &Endpoint) -> Value {
    let mut parts = Schemas::new();
    let mut add = |answer| json_schema::add(answer, Language::English, PARTS, &mut parts);
    let answers: Vec<Value> = endpoint.schemas().map(&mut add).collect();
    match answers.as_slice() {
        [one] => json!({ "type": "object", "$ref": one.get("$ref"), "$defs": parts }),
        _ => json!({ "type": "object", "anyOf": answers, "$defs": parts }),
    }
}
