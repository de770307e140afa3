//! Descriptions of the service: the OpenAPI document, the reference, and the schemas of the
//! answers. All of them are generated from the tables that the service itself uses.

mod error_table;
mod examples;
mod headers;
mod openapi;
mod openapi_responses;
mod parameter_schema;
mod reference;
mod tool;

pub use error_table::{ErrorRow, errors};
pub use tool::{tool, tool_name, tool_parameters};

use serde_json::{Value, json};

use crate::model::Language;
use crate::render::schema::{AnswerSchema, answers, json_schema, outputs, xsd};
use crate::web::{Body, StaticFile};

const REFERENCE: &str = "/docs";

/// Returns the descriptions as files. If the client prefers no language, the reference is in
/// Russian and all other files are in English. XSD files are always in English.
pub fn files() -> impl Iterator<Item = StaticFile> {
    let reference = StaticFile {
        label: REFERENCE,
        language: Option::unwrap_or_default,
        ..file(
            REFERENCE,
            "text/html; charset=utf-8",
            Box::new(|language| reference(language).into()),
        )
    };
    let openapi = StaticFile {
        label: "/openapi.json",
        ..file(
            "/openapi.json",
            "application/json; charset=utf-8",
            Box::new(|language| openapi(language).into()),
        )
    };
    let schemas = answers().iter().flat_map(|answer| {
        let path = |end| ["/schemas/", answer.file, end].concat();
        let xsd = StaticFile {
            language: |_| Language::English,
            ..file(
                &path(".xsd"),
                "application/xml; charset=utf-8",
                Box::new(|_| xsd::document(answer).into()),
            )
        };
        [xsd, json_schema_file(answer)]
    });
    let outputs = outputs().iter().map(json_schema_file);
    let described = [openapi, reference].into_iter().chain(schemas);
    described.chain(outputs)
}

fn file(path: &str, content_type: &'static str, body: Body) -> StaticFile {
    StaticFile {
        path: path.to_owned(),
        label: "/schemas",
        content_type,
        is_immutable: false,
        language: |preferred| preferred.unwrap_or(Language::English),
        body,
    }
}

fn json_schema_file(described: &'static AnswerSchema) -> StaticFile {
    file(
        &["/schemas/", described.file, ".schema.json"].concat(),
        "application/schema+json; charset=utf-8",
        Box::new(|language| pretty(&json_schema::document(described, language)).into()),
    )
}

pub fn openapi(language: Language) -> String {
    pretty(&openapi::document(language))
}

pub fn reference(language: Language) -> String {
    reference::document(language)
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

fn component(kind: &str, name: &str) -> Value {
    let target = ["#/components/", kind, "/", name].concat();
    json!({ "$ref": target })
}
