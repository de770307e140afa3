//! The lookup page and its assets, embedded in the program. Styles and scripts are served
//! unchanged, without a build step; each file begins with a description.
//!
//! Assets are served as `/web/VERSION/NAME`, where `VERSION` is a digest of all assets. Browsers
//! can therefore cache them forever and never mix files of two versions of the program.
//!
//! `page.rs` renders the frame of the page, and `page.js` is the entry point of the scripts.
//! `page.js` loads the module of a view on first use: `home.js`, `find.js`, `supplier.js`,
//! `customer.js`, `purchase.js`, `search.js`, `rnp.js`, `batch.js` (a list check), `evidence.js`
//! (the record of a check) and `price-sheet.js`. `client.js` sends the requests, `routes.js` knows
//! the addresses, `key.js` stores the access key, and `list.js` and `inns.js` parse lists.
//!
//! The texts are JSON files in `texts`; the server uses some of them too. `tests/page` tests the
//! page in browsers.

mod page;
mod static_file;
#[macro_use]
mod texts;

use std::fmt::Write as _;
use std::sync::LazyLock;

use crate::model::{Language, Sha256};

pub use page::{Frame, MAX_QUERY, PRELOADED, page, unavailable};
pub use static_file::{Body, StaticFile};
pub use texts::{filter_text, text};

const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml; charset=utf-8";
const TABLE: &str = "text/tab-separated-values; charset=utf-8";

/// Icons as SVG paths, by name. Used by the HTML and by the scripts.
const ICONS: &str = include_str!("icons.json");

macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_str!($name))),*] };
}

const SCRIPTS: &[(&str, &str)] = &files! {
        "docs.js" "manual.js" "batch.js" "bounds.js" "charts.js" "chips.js" "classes.js" "client.js"
        "code-words.js" "codes.js" "conditions.js" "contract-details.js" "contract-items.js"
        "contract-table.js" "contracts.js" "contracts-tab.js" "coverage.js" "customer.js"
        "customer-purchases.js" "customer-sources.js" "days.js" "density.js" "dom.js" "downloads.js"
        "early.js" "error-panel.js" "evidence.js" "facts-card.js" "figures.js" "file-name.js" "filters.js" "find.js"
        "found.js" "found-contracts.js" "found-purchases.js" "ground.js" "grouped.js" "home.js"
        "inns.js" "json.js" "kept.js" "key.js" "lazy-tab.js" "list.js" "list-columns.js"
        "list-downloads.js" "list-files.js" "list-names.js" "list-results.js" "list-run.js"
        "list-sheet.js" "list-watch.js" "long-table.js" "menu.js" "names.js" "nothing-found.js"
        "organisation.js" "overview.js" "page.js" "pager.js" "parties.js" "parties-tab.js" "place.js"
        "price-chart.js" "price-choice.js" "price-data.js" "price-sheet.js" "price-sheet-words.js"
        "price-tables.js" "price-units.js" "price-words.js" "price-workbook.js" "prices.js"
        "purchase.js" "recent.js" "record.js" "regions.js" "risk.js" "rnp.js" "rnp-chips.js"
        "rnp-conditions.js" "routes.js" "search.js" "search-chips.js" "sheet.js" "sources.js"
        "statistics.js" "storage.js" "styles.js" "subjects.js" "supplier.js" "supplier-sources.js"
        "tables.js" "tabs.js" "texts.js" "updates.js" "verdict.js" "verdict-marks.js" "won.js"
        "workbook.js"
};

/// Scripts that only wrap JSON, because JSON modules require newer browsers than the page supports.
const DATA_SCRIPTS: &[(&str, &str)] = &[
    (
        "icons.js",
        concat!(
            "import { addIcons } from \"./dom.js\";\n\naddIcons(",
            include_str!("icons.json"),
            ");\n"
        ),
    ),
    ("texts-en.js", texts_script!("en", "")),
    ("texts-list-en.js", texts_script!("en", "list-")),
    ("texts-list-ru.js", texts_script!("ru", "list-")),
    ("texts-market-en.js", texts_script!("en", "market-")),
    ("texts-market-ru.js", texts_script!("ru", "market-")),
    ("texts-prices-en.js", texts_script!("en", "prices-")),
    ("texts-prices-ru.js", texts_script!("ru", "prices-")),
    ("texts-rnp-en.js", texts_script!("en", "rnp-")),
    ("texts-rnp-ru.js", texts_script!("ru", "rnp-")),
    ("texts-ru.js", texts_script!("ru", "")),
    ("texts-search-en.js", texts_script!("en", "search-")),
    ("texts-search-ru.js", texts_script!("ru", "search-")),
];

/// Returns the name, `Content-Type` and content of each asset.
fn contents() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let typed = |content_type| move |&(name, body)| (name, content_type, body);
    let styles = files! {
        "page.css" "list.css" "market.css" "search.css" "rnp.css" "prices.css" "docs.css"
    };
    let scripts = SCRIPTS.iter().chain(DATA_SCRIPTS).map(typed(SCRIPT));
    let others = [
        ("icon.svg", SVG, include_str!("icon.svg")),
        ("okpd2.tsv", TABLE, include_str!("../../data/okpd2.tsv")),
        ("regions.tsv", TABLE, include_str!("../../data/regions.tsv")),
    ];
    scripts
        .chain(styles.map(|(name, body)| (name, CSS, body)))
        .chain(others)
}

/// Returns the URL path at which an asset is served.
pub fn path(name: &str) -> String {
    /// The first digits of the SHA-256 over the names and contents of all assets, in hexadecimal.
    static VERSION: LazyLock<String> = LazyLock::new(|| {
        let mut digest = Sha256::new();
        for (name, _, body) in contents() {
            for part in [name, body] {
                digest.update(part.len().to_be_bytes());
                digest.update(part);
            }
        }
        digest.finish()[..8]
            .iter()
            .fold(String::new(), |mut digits, byte| {
                // Writing to a `String` never fails.
                let _ = write!(digits, "{byte:02x}");
                digits
            })
    });
    ["/web/", &VERSION, "/", name].concat()
}

/// Returns the assets as files to serve.
pub fn files() -> impl Iterator<Item = StaticFile> {
    contents().map(|(name, content_type, body)| StaticFile {
        path: path(name),
        label: "/web",
        content_type,
        is_immutable: true,
        language: |_| Language::English,
        body: Box::new(move |_| body.into()),
    })
}
