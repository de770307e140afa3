//! What describes the service: the OpenAPI document, the reference to read, the schemas of
//! the answers. All of it comes from the tables that the service itself answers by.

mod errors;
mod examples;
mod openapi;
mod parameters;
mod reference;
mod responses;

pub use errors::{ErrorRow, errors};

use crate::model::Language;
use crate::render::schema::{AnswerSchema, answers, json_schema, xsd};

/// Where the schemas are in the OpenAPI document.
const SCHEMAS: &str = "#/components/schemas/";

/// A document that describes the service.
#[derive(Clone, Copy, Debug)]
pub enum Description {
    /// The OpenAPI document.
    Openapi,
    /// The reference to read.
    Reference,
    /// The XML schema of an answer.
    Xsd(&'static AnswerSchema),
    /// Its JSON Schema.
    JsonSchema(&'static AnswerSchema),
}

impl Description {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        let schemas = |answer| [Self::Xsd(answer), Self::JsonSchema(answer)];
        let schemas = answers().iter().flat_map(schemas);
        [Self::Openapi, Self::Reference].into_iter().chain(schemas)
    }

    /// Where it is served.
    pub fn path(self) -> String {
        match self {
            Self::Openapi => "/openapi.json".to_owned(),
            Self::Reference => "/docs".to_owned(),
            Self::Xsd(answer) => ["/schemas/", answer.file, ".xsd"].concat(),
            Self::JsonSchema(answer) => ["/schemas/", answer.file, ".schema.json"].concat(),
        }
    }

    /// The value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Openapi => "application/json; charset=utf-8",
            Self::Reference => "text/html; charset=utf-8",
            Self::Xsd(_) => "application/xml; charset=utf-8",
            Self::JsonSchema(_) => "application/schema+json; charset=utf-8",
        }
    }

    /// The language that it is in for a client that prefers `preferred`. Without one the
    /// reference is in Russian, and what programs read in English; an XSD has no other.
    pub fn language(self, preferred: Option<Language>) -> Language {
        match self {
            Self::Reference => preferred.unwrap_or(Language::Russian),
            Self::Openapi | Self::JsonSchema(_) => preferred.unwrap_or(Language::English),
            Self::Xsd(_) => Language::English,
        }
    }

    /// What is sent. It is made anew each time.
    pub fn body(self, language: Language) -> String {
        match self {
            Self::Openapi => pretty(&openapi::document(language)),
            Self::Reference => reference::document(language),
            Self::Xsd(answer) => xsd::document(answer),
            Self::JsonSchema(answer) => pretty(&json_schema::document(answer, language)),
        }
    }
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
