//! The lookup page and its assets, embedded. Styles and scripts are served unchanged, without a
//! build step. The files themselves describe what they do in the browser.
//!
//! The address of a file names its content, `/web/VERSION/NAME`. So a browser keeps it for good
//! and never mixes files of two versions of the program.

mod page;
mod texts;

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::model::Sha256;

pub use page::{Frame, MAX_QUERY, PRELOADED, page, unavailable};
pub use texts::text;

/// A file of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asset {
    /// The value of `Content-Type`.
    pub content_type: &'static str,
    /// The content.
    pub body: &'static str,
}

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml; charset=utf-8";

const TABLE: &str = "text/tab-separated-values; charset=utf-8";

/// The names of regions, for the coverage on the page.
const REGIONS: &str = include_str!("../../data/regions.tsv");

/// The script that makes elements, which contains the drawings.
const DOM: &str = include_str!("dom.js");

/// The files under `/web/VERSION/`.
const FILES: &[(&str, &str, &str)] = &[
    ("page.css", CSS, include_str!("page.css")),
    ("list.css", CSS, include_str!("list.css")),
    ("docs.css", CSS, include_str!("docs.css")),
    ("docs.js", SCRIPT, include_str!("docs.js")),
    ("manual.js", SCRIPT, include_str!("manual.js")),
    ("icon.svg", SVG, include_str!("icon.svg")),
    ("batch.js", SCRIPT, include_str!("batch.js")),
    ("charts.js", SCRIPT, include_str!("charts.js")),
    ("chips.js", SCRIPT, include_str!("chips.js")),
    ("client.js", SCRIPT, include_str!("client.js")),
    ("code-words.js", SCRIPT, include_str!("code-words.js")),
    ("codes.js", SCRIPT, include_str!("codes.js")),
    (
        "contract-details.js",
        SCRIPT,
        include_str!("contract-details.js"),
    ),
    ("contracts.js", SCRIPT, include_str!("contracts.js")),
    ("coverage.js", SCRIPT, include_str!("coverage.js")),
    ("customer.js", SCRIPT, include_str!("customer.js")),
    ("days.js", SCRIPT, include_str!("days.js")),
    ("dom.js", SCRIPT, DOM),
    ("downloads.js", SCRIPT, include_str!("downloads.js")),
    ("early.js", SCRIPT, include_str!("early.js")),
    ("evidence.js", SCRIPT, include_str!("evidence.js")),
    ("figures.js", SCRIPT, include_str!("figures.js")),
    ("file-name.js", SCRIPT, include_str!("file-name.js")),
    ("filters.js", SCRIPT, include_str!("filters.js")),
    ("find.js", SCRIPT, include_str!("find.js")),
    ("ground.js", SCRIPT, include_str!("ground.js")),
    ("grouped.js", SCRIPT, include_str!("grouped.js")),
    ("home.js", SCRIPT, include_str!("home.js")),
    ("inns.js", SCRIPT, include_str!("inns.js")),
    ("json.js", SCRIPT, include_str!("json.js")),
    ("kept.js", SCRIPT, include_str!("kept.js")),
    ("key.js", SCRIPT, include_str!("key.js")),
    ("list.js", SCRIPT, include_str!("list.js")),
    (
        "list-downloads.js",
        SCRIPT,
        include_str!("list-downloads.js"),
    ),
    ("list-files.js", SCRIPT, include_str!("list-files.js")),
    ("list-results.js", SCRIPT, include_str!("list-results.js")),
    ("list-run.js", SCRIPT, include_str!("list-run.js")),
    ("list-sheet.js", SCRIPT, include_str!("list-sheet.js")),
    ("menu.js", SCRIPT, include_str!("menu.js")),
    ("names.js", SCRIPT, include_str!("names.js")),
    ("overview.js", SCRIPT, include_str!("overview.js")),
    ("page.js", SCRIPT, include_str!("page.js")),
    ("place.js", SCRIPT, include_str!("place.js")),
    ("purchase.js", SCRIPT, include_str!("purchase.js")),
    ("record.js", SCRIPT, include_str!("record.js")),
    ("regions.tsv", TABLE, REGIONS),
    ("routes.js", SCRIPT, include_str!("routes.js")),
    ("sheet.js", SCRIPT, include_str!("sheet.js")),
    ("sources.js", SCRIPT, include_str!("sources.js")),
    ("storage.js", SCRIPT, include_str!("storage.js")),
    ("supplier.js", SCRIPT, include_str!("supplier.js")),
    (
        "supplier-sources.js",
        SCRIPT,
        include_str!("supplier-sources.js"),
    ),
    ("tabs.js", SCRIPT, include_str!("tabs.js")),
    ("texts.js", SCRIPT, include_str!("texts.js")),
    ("texts-en.js", SCRIPT, include_str!("texts-en.js")),
    ("texts-list-en.js", SCRIPT, include_str!("texts-list-en.js")),
    ("texts-list-ru.js", SCRIPT, include_str!("texts-list-ru.js")),
    ("texts-ru.js", SCRIPT, include_str!("texts-ru.js")),
    ("trouble.js", SCRIPT, include_str!("trouble.js")),
    ("verdict.js", SCRIPT, include_str!("verdict.js")),
    ("won.js", SCRIPT, include_str!("won.js")),
    ("workbook.js", SCRIPT, include_str!("workbook.js")),
];

/// Returns the address of the file of that name.
pub fn path(name: &str) -> String {
    /// The start of the SHA-256 of all files, as hexadecimal digits. It changes with each of them.
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let mut digest = Sha256::new();
        for (name, _, body) in FILES {
            for part in [name, body] {
                digest.update(part.len().to_be_bytes());
                digest.update(part);
            }
        }
        digest.finish()[..8]
            .iter()
            .fold(String::new(), |mut digits, byte| {
                // Writing to a string never fails.
                let _ = write!(digits, "{byte:02x}");
                digits
            })
    });
    ["/web/", &VERSION, "/", name].concat()
}

/// Returns the lines of a drawing of `dom.js`, each as an SVG path. Returns none for an unknown
/// drawing.
fn drawing(name: &str) -> impl Iterator<Item = &'static str> {
    let found = DOM.lines().find_map(|line| {
        let line = line.trim_start().strip_prefix(name)?;
        line.strip_prefix(": [")
    });
    found.unwrap_or_default().split('"').skip(1).step_by(2)
}

/// Returns all assets by their names under `/web/VERSION/`.
pub fn assets() -> impl Iterator<Item = (&'static str, Asset)> {
    let asset = |(name, content_type, body): &(&'static str, _, _)| {
        let (content_type, body) = (*content_type, *body);
        (*name, Asset { content_type, body })
    };
    FILES.iter().map(asset)
}
