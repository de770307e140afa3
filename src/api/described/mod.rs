//! What describes the service: the OpenAPI document, the reference to read, the schemas of
//! the answers. All of it comes from the tables that the service itself answers by.

mod failures;
mod openapi;
mod operations;
mod parameters;
mod reference;
mod responses;
mod words;
mod writer;

use std::sync::OnceLock;

use crate::model::Language;
use crate::render::schema::{answers, json_schema};
use crate::web;

const JSON: &str = "application/json; charset=utf-8";
const JSON_SCHEMA: &str = "application/schema+json; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const XML: &str = "application/xml; charset=utf-8";

/// A resource: its path, its `Content-Type`, what is sent.
type Resource = (String, &'static str, String);

/// The resource at `path`: its `Content-Type` and what is sent; none where there is nothing
/// there. Where no language is asked for, the reference is in Russian, and what programs
/// read in English.
pub fn resource(path: &str, language: Option<Language>) -> Option<(&'static str, &'static str)> {
    let language = language.unwrap_or(match path {
        "/docs" => Language::Russian,
        _ => Language::English,
    });
    let all = resources(language);
    let (_, content_type, body) = all.iter().find(|(known, _, _)| known == path)?;
    Some((content_type, body))
}

/// The paths of all of them.
pub fn paths() -> impl Iterator<Item = &'static str> {
    let all = resources(Language::English).iter();
    all.map(|(path, _, _)| path.as_str())
}

/// All resources in a language, made once.
fn resources(language: Language) -> &'static [Resource] {
    static RUSSIAN: OnceLock<Vec<Resource>> = OnceLock::new();
    static ENGLISH: OnceLock<Vec<Resource>> = OnceLock::new();
    let kept = language.pick(&RUSSIAN, &ENGLISH);
    kept.get_or_init(|| {
        let openapi = pretty(&openapi::document(language));
        let docs = web::reference::html(&reference::reference(language));
        let mut all = vec![
            ("/openapi.json".to_owned(), JSON, openapi),
            ("/docs".to_owned(), HTML, docs),
        ];
        for answer in answers() {
            let path = |ending: &str| ["/schemas/", answer.file, ending].concat();
            all.push((path(".xsd"), XML, answer.xsd()));
            let schema = json_schema::document(answer, language);
            all.push((path(".schema.json"), JSON_SCHEMA, pretty(&schema)));
        }
        all
    })
}

fn pretty(value: &serde_json::Value) -> String {
    let mut text = serde_json::to_string_pretty(value).unwrap_or_default();
    text.push('\n');
    text
}
