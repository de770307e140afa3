//! Files that need no access key and do not change while the program runs.

use std::borrow::Cow;

use crate::model::Language;

/// Renders the body of a static file in a language.
pub type Body = Box<dyn Fn(Language) -> Cow<'static, str> + Send + Sync>;

/// A file that needs no access key: an asset of the page, a chapter of the manual, or a description
/// of the API.
pub struct StaticFile {
    pub path: String,
    /// The endpoint name in metrics and logs.
    pub label: &'static str,
    pub content_type: &'static str,
    /// Whether the path identifies the content, so that clients may cache it forever.
    pub is_immutable: bool,
    /// Picks the language of the file. The argument is the language that the client prefers, if
    /// any.
    pub language: fn(Option<Language>) -> Language,
    pub body: Body,
}
