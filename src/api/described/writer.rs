//! What the parts of the OpenAPI document are written by.

use serde_json::{Value, json};

use super::words::Words;
use crate::model::Language;

/// Where the schemas are.
pub const SCHEMAS: &str = "#/components/schemas/";

/// What writes the document in a language.
pub struct Writer {
    pub language: Language,
}

impl Writer {
    pub fn say(&self, words: Words) -> &'static str {
        words.to(self.language)
    }
}

/// A reference to a component.
pub fn component(kind: &str, name: &str) -> Value {
    let target = ["#/components/", kind, "/", name].concat();
    json!({ "$ref": target })
}
