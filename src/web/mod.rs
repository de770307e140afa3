//! The lookup page and its assets, embedded: HTML, styles and scripts as they are sent,
//! without a build step. What they do in the browser is said in their own files.

pub mod reference;

use crate::model::Language;

/// A file of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asset {
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// What is sent.
    pub body: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml; charset=utf-8";

/// The files under `/web/`.
const FILES: &[(&str, &str, &str)] = &[
    ("page.css", CSS, include_str!("page.css")),
    ("docs.css", CSS, include_str!("docs.css")),
    ("page.js", SCRIPT, include_str!("page.js")),
    ("icon.svg", SVG, include_str!("icon.svg")),
];

/// The file that is called `name` under `/web/`, if there is one.
pub fn asset(name: &str) -> Option<Asset> {
    let (_, content_type, body) = FILES.iter().find(|(known, _, _)| *known == name)?;
    Some(Asset { content_type, body })
}

/// The page, which says at its start which language it is in.
pub fn page(language: Language) -> (&'static str, String) {
    let lang = format!("lang=\"{}\"", language.code());
    let page = include_str!("index.html").replacen("lang=\"ru\"", &lang, 1);
    (HTML, page)
}
