//! Files that are open to anyone and stay the same until the program ends.

use std::borrow::Cow;

use crate::model::Language;

/// Writes the content of a file in a language.
pub type Body = Box<dyn Fn(Language) -> Cow<'static, str> + Send + Sync>;

/// A file open to anyone: of the page, of the manual, or a description of the service.
pub struct StaticFile {
    /// The path on the server.
    pub path: String,
    /// The name under which requests for the file are counted and logged.
    pub label: &'static str,
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// Whether the path names the content, so that clients can keep a copy for good.
    pub is_immutable: bool,
    /// Returns the language of the file for a client's preferred language, if it has one.
    pub language: fn(Option<Language>) -> Language,
    /// The content.
    pub body: Body,
}
