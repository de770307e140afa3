//! The lookup page and its assets, embedded: HTML, styles and scripts as they are sent,
//! without a build step. What they do in the browser is said in their own files.

mod first;

use crate::model::Language;

pub use first::Shown;

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
    ("docs.js", SCRIPT, include_str!("docs.js")),
    ("icon.svg", SVG, include_str!("icon.svg")),
    ("answers.js", SCRIPT, include_str!("answers.js")),
    ("ask.js", SCRIPT, include_str!("ask.js")),
    ("bars.js", SCRIPT, include_str!("bars.js")),
    ("batch.js", SCRIPT, include_str!("batch.js")),
    ("contracts.js", SCRIPT, include_str!("contracts.js")),
    ("days.js", SCRIPT, include_str!("days.js")),
    ("dom.js", SCRIPT, include_str!("dom.js")),
    ("figures.js", SCRIPT, include_str!("figures.js")),
    ("filters.js", SCRIPT, include_str!("filters.js")),
    ("home.js", SCRIPT, include_str!("home.js")),
    ("json.js", SCRIPT, include_str!("json.js")),
    ("list.js", SCRIPT, include_str!("list.js")),
    ("page.js", SCRIPT, include_str!("page.js")),
    ("purchase.js", SCRIPT, include_str!("purchase.js")),
    ("question.js", SCRIPT, include_str!("question.js")),
    ("record.js", SCRIPT, include_str!("record.js")),
    ("registries.js", SCRIPT, include_str!("registries.js")),
    ("start.js", SCRIPT, include_str!("start.js")),
    ("supplier.js", SCRIPT, include_str!("supplier.js")),
    ("texts.js", SCRIPT, include_str!("texts.js")),
    ("texts-en.js", SCRIPT, include_str!("texts-en.js")),
    ("texts-ru.js", SCRIPT, include_str!("texts-ru.js")),
    ("trouble.js", SCRIPT, include_str!("trouble.js")),
];

/// All of them, by their names under `/web/`.
pub fn assets() -> impl Iterator<Item = (&'static str, Asset)> {
    let asset = |(name, content_type, body): &(&'static str, _, _)| {
        let (content_type, body) = (*content_type, *body);
        (*name, Asset { content_type, body })
    };
    FILES.iter().map(asset)
}

/// The page, which says at its start which language it is in, with its first view and
/// what the service is: as shown, and as JSON for the scripts.
pub fn page(language: Language, shown: Shown, about: &str) -> (&'static str, String) {
    let code = language.code();
    let page = include_str!("index.html").replacen("lang=\"ru\"", &format!("lang=\"{code}\""), 1);
    let about = about.replace('&', "&amp;").replace('"', "&quot;");
    let view = first::view(language, shown);
    let page = page
        .replacen("content=\"\"", &format!("content=\"{about}\""), 1)
        .replacen(EMPTY_VIEW, &view, 1);
    (HTML, page)
}

/// The parts of the page that its scripts fill, without anything in them.
const EMPTY_VIEW: &str = "\
<a id=\"skip\" class=\"skip\" href=\"#main\">↓</a>
<header id=\"header\"></header>
<main id=\"main\" tabindex=\"-1\"></main>
<footer id=\"footer\"></footer>
";
