//! The descriptions of the service: the OpenAPI document, the reference and the schemas of the
//! answers. They come from the tables that the service itself uses.

mod error_table;
mod examples;
mod headers;
mod openapi;
mod openapi_responses;
mod parameter_schema;
mod reference;

pub use error_table::{ErrorRow, errors};

use serde_json::{Value, json};

use crate::model::Language;
use crate::render::schema::{AnswerSchema, answers, json_schema, xsd};

/// A document that describes the service.
#[derive(Clone, Copy, Debug)]
pub enum Description {
    /// The OpenAPI document.
    Openapi,
    /// The reference for readers.
    Reference,
    /// The XML schema of an answer.
    Xsd(&'static AnswerSchema),
    /// The JSON Schema of an answer.
    JsonSchema(&'static AnswerSchema),
}

impl Description {
    /// Returns all descriptions.
    pub fn all() -> impl Iterator<Item = Self> {
        let schemas = |answer| [Self::Xsd(answer), Self::JsonSchema(answer)];
        let schemas = answers().iter().flat_map(schemas);
        [Self::Openapi, Self::Reference].into_iter().chain(schemas)
    }

    /// Returns the path on the server.
    pub fn path(self) -> String {
        match self {
            Self::Openapi => "/openapi.json".to_owned(),
            Self::Reference => "/docs".to_owned(),
            Self::Xsd(answer) => ["/schemas/", answer.file, ".xsd"].concat(),
            Self::JsonSchema(answer) => ["/schemas/", answer.file, ".schema.json"].concat(),
        }
    }

    /// Returns the value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Openapi => "application/json; charset=utf-8",
            Self::Reference => "text/html; charset=utf-8",
            Self::Xsd(_) => "application/xml; charset=utf-8",
            Self::JsonSchema(_) => "application/schema+json; charset=utf-8",
        }
    }

    /// Returns the language of the document for a client that prefers `preferred`. Without a
    /// preference the reference is in Russian and the documents for programs are in English. An
    /// XSD is always in English.
    pub fn language(self, preferred: Option<Language>) -> Language {
        match self {
            Self::Reference => preferred.unwrap_or(Language::Russian),
            Self::Openapi | Self::JsonSchema(_) => preferred.unwrap_or(Language::English),
            Self::Xsd(_) => Language::English,
        }
    }

    /// Generates the body.
    pub fn body(self, language: Language) -> String {
        match self {
            Self::Openapi => pretty(&openapi::document(language)),
            Self::Reference => reference::document(language),
            Self::Xsd(answer) => xsd::document(answer),
            Self::JsonSchema(answer) => pretty(&json_schema::document(answer, language)),
        }
    }
}

fn pretty(value: &Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}

/// Returns a reference to a component of the OpenAPI document.
fn component(kind: &str, name: &str) -> Value {
    let target = ["#/components/", kind, "/", name].concat();
    json!({ "$ref": target })
}
