//! The lookup page and its assets, embedded: styles and scripts are sent as they are,
//! without a build step. What they do in the browser is said in their own files.

mod page;
mod plain;
mod texts;

pub use page::{PRELOADED, page};
pub use plain::{PLAIN_PATH, PlainContent, PlainContract, PlainPage, PlainSupplier, roubles};
pub use texts::{text, text_with};

/// A file of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asset {
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// What is sent.
    pub body: &'static str,
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml; charset=utf-8";

const TABLE: &str = "text/tab-separated-values; charset=utf-8";

/// The names of regions, of which the page shows what is covered.
const REGIONS: &str = include_str!("../../data/regions.tsv");

/// The files under `/web/`.
const FILES: &[(&str, &str, &str)] = &[
    ("page.css", CSS, include_str!("page.css")),
    ("docs.css", CSS, include_str!("docs.css")),
    ("docs.js", SCRIPT, include_str!("docs.js")),
    ("manual.js", SCRIPT, include_str!("manual.js")),
    ("icon.svg", SVG, include_str!("icon.svg")),
    ("bars.js", SCRIPT, include_str!("bars.js")),
    ("batch.js", SCRIPT, include_str!("batch.js")),
    ("client.js", SCRIPT, include_str!("client.js")),
    ("contracts.js", SCRIPT, include_str!("contracts.js")),
    ("coverage.js", SCRIPT, include_str!("coverage.js")),
    ("customer.js", SCRIPT, include_str!("customer.js")),
    ("days.js", SCRIPT, include_str!("days.js")),
    ("dom.js", SCRIPT, include_str!("dom.js")),
    ("downloads.js", SCRIPT, include_str!("downloads.js")),
    ("evidence.js", SCRIPT, include_str!("evidence.js")),
    ("figures.js", SCRIPT, include_str!("figures.js")),
    ("filters.js", SCRIPT, include_str!("filters.js")),
    ("home.js", SCRIPT, include_str!("home.js")),
    ("json.js", SCRIPT, include_str!("json.js")),
    ("list.js", SCRIPT, include_str!("list.js")),
    ("page.js", SCRIPT, include_str!("page.js")),
    ("place.js", SCRIPT, include_str!("place.js")),
    ("purchase.js", SCRIPT, include_str!("purchase.js")),
    ("record.js", SCRIPT, include_str!("record.js")),
    ("regions.tsv", TABLE, REGIONS),
    ("registries.js", SCRIPT, include_str!("registries.js")),
    ("routes.js", SCRIPT, include_str!("routes.js")),
    ("storage.js", SCRIPT, include_str!("storage.js")),
    ("supplier.js", SCRIPT, include_str!("supplier.js")),
    ("texts.js", SCRIPT, include_str!("texts.js")),
    ("texts-en.js", SCRIPT, include_str!("texts-en.js")),
    ("texts-ru.js", SCRIPT, include_str!("texts-ru.js")),
    ("trouble.js", SCRIPT, include_str!("trouble.js")),
    ("verdict.js", SCRIPT, include_str!("verdict.js")),
];

/// All of them, by their names under `/web/`.
pub fn assets() -> impl Iterator<Item = (&'static str, Asset)> {
    let asset = |(name, content_type, body): &(&'static str, _, _)| {
        let (content_type, body) = (*content_type, *body);
        (*name, Asset { content_type, body })
    };
    FILES.iter().map(asset)
}
