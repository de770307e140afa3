//! What the parts of the OpenAPI document share.

use serde_json::{Value, json};

use crate::api::words::Words;
use crate::model::Language;

/// Writes the document in a language.
pub struct OpenApi {
    pub language: Language,
}

impl OpenApi {
    pub fn say(&self, words: Words) -> &'static str {
        words.to(self.language)
    }
}

/// A reference to a component.
pub fn component(kind: &str, name: &str) -> Value {
    let target = ["#/components/", kind, "/", name].concat();
    json!({ "$ref": target })
}
