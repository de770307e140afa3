//! The HTML of the lookup page: a header with a search form, which works before the scripts have
//! loaded, and empty elements that the scripts fill.

use std::collections::HashMap;
use std::sync::LazyLock;

use maud::{DOCTYPE, Markup, html};

use super::texts::text;
use super::{ICONS, path};
use crate::model::Language;

/// Scripts that `page.js` and the texts import, directly or indirectly. Preloading lets the browser
/// fetch them in parallel rather than discover them one by one.
pub const PRELOADED: [&str; 12] = [
    "client",
    "days",
    "dom",
    "error-panel",
    "figures",
    "home",
    "json",
    "key",
    "recent",
    "routes",
    "storage",
    "texts",
];

/// Upper bound on the length of a query, in characters.
pub const MAX_QUERY: usize = 200;

/// The parts of the page that vary between responses.
#[derive(Clone, Copy, Debug, Default)]
pub struct Frame<'a> {
    pub language: Language,
    /// The description of the service, as JSON for the scripts.
    pub about: &'a str,
    /// Whether the data is the demonstration data. The page then needs no key.
    pub is_demo: bool,
    /// Whether a trusted proxy names the user. The page then needs no key.
    pub has_user: bool,
    /// The text of the search field, if the form was submitted before the scripts had loaded;
    /// otherwise empty.
    pub query: &'a str,
}

/// Returns the lookup page.
///
/// The browser shows it, with a working form, as soon as the styles and `early.js` have loaded. If
/// the form is submitted before the other scripts have loaded, its text is the `query` of the next
/// page.
pub fn page(frame: &Frame<'_>) -> String {
    let code = frame.language.code();
    let script = |name: &str| path(&[name, ".js"].concat());
    let texts = ["texts-", code].concat();
    let page = html! {
        (DOCTYPE)
        html lang=(code) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="description" content=(text(frame.language, "description"));
                title { "procurement-lookup" }
                meta name="about" content=(frame.about);
                link rel="icon" href=(path("icon.svg")) type="image/svg+xml";
                // This script precedes the styles, because a later script would have to wait for
                // them.
                script src=(script("early")) {}
                link rel="stylesheet" href=(path("page.css"));
                @for name in PRELOADED { link rel="modulepreload" href=(script(name)); }
                @for name in [&texts, "icons", "page"] { script type="module" src=(script(name)) {} }
            }
            body {
                a #skip.skip href="#main" data-text="skip" { (text(frame.language, "skip")) }
                (header(frame))
                noscript { (without_scripts(frame.language)) }
                main #main tabindex="-1" {}
                footer #footer {}
                div #status.unseen role="status" aria-live="polite" {}
                // The toast is hidden from screen readers, because `#status` announces the same
                // message.
                div #toast.toast aria-hidden="true" hidden {}
            }
        }
    };
    page.into_string()
}

/// Returns the page for when the data cannot be reached: one sentence, without scripts.
pub fn unavailable(language: Language) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "procurement-lookup" }
                link rel="icon" href=(path("icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(path("page.css"));
            }
            body { main { h1 { (text(language, "error.unavailable")) } } }
        }
    };
    page.into_string()
}

fn shortened(text: &str) -> &str {
    let end = text.char_indices().nth(MAX_QUERY);
    end.map_or(text, |(end, _)| &text[..end])
}

/// Renders the header. When the language changes, the scripts replace the texts of elements with
/// `data-text`, `data-title`, `data-label` or `data-placeholder`.
fn header(frame: &Frame<'_>) -> Markup {
    let &Frame {
        language,
        is_demo,
        has_user,
        ..
    } = frame;
    let t = |name| text(language, name);
    html! {
        header #header {
            div.top {
                a.brand href="#/" title=(t("brand.title")) data-title="brand.title" {
                    img src=(path("icon.svg")) alt="" width="28" height="28";
                    span data-text="brand" { (t("brand")) }
                }
                (form(frame))
                nav aria-label=(t("nav.sections")) data-label="nav.sections" {
                    a.quiet href="#/rnp" title=(t("nav.rnp.title")) data-title="nav.rnp.title" {
                        (icon("rnp")) span data-text="nav.rnp" { (t("nav.rnp")) }
                    }
                    a.quiet href="#/batch" { (icon("batch")) span data-text="nav.batch" { (t("nav.batch")) } }
                }
                div.settings {
                    @if !is_demo && !has_user {
                        button #key-button.quiet type="button" title=(t("nav.key")) data-title="nav.key" {
                            (icon("key")) span data-text="nav.key" { (t("nav.key")) }
                        }
                    }
                    select #language aria-label=(t("nav.language")) data-label="nav.language" {
                        @for other in Language::ALL {
                            option value=(other.code()) lang=(other.code()) selected[other == language] {
                                (other.pick("Русский", "English"))
                            }
                        }
                    }
                }
            }
            p.data {
                @if is_demo { span.demo data-text="data.demo" { (t("data.demo")) } }
                span #updated {}
            }
        }
    }
}

fn form(frame: &Frame<'_>) -> Markup {
    let language = frame.language;
    let t = |name| text(language, name);
    html! {
        form #form.search role="search" action="/" {
            label for="search" data-text="search.label" { (t("search.label")) }
            div.joined {
                input #search name="q" type="text" value=(shortened(frame.query))
                    placeholder=(t("search.placeholder")) data-placeholder="search.placeholder"
                    enterkeyhint="search" autocomplete="off" autocapitalize="off" spellcheck="false"
                    aria-describedby="search-said";
                button.main type="submit" title=(t("search.go")) data-title="search.go" {
                    (icon("search")) span data-text="search.go" { (t("search.go")) }
                }
            }
            input type="hidden" name="lang" value=(language.code());
            p #search-said.said role="alert" hidden {}
        }
    }
}

/// Renders an icon. It always accompanies text, so screen readers skip it.
fn icon(name: &str) -> Markup {
    static PATHS: LazyLock<HashMap<String, Vec<String>>> =
        LazyLock::new(|| serde_json::from_str(ICONS).expect("a file of icons"));
    html! {
        svg.icon viewBox="0 0 24 24" aria-hidden="true" focusable="false" {
            @for path in &PATHS[name] { path d=(path) {} }
        }
    }
}

/// Renders the message for browsers without JavaScript, first in the page's language, then in the
/// other one.
fn without_scripts(language: Language) -> Markup {
    let other = language.pick(Language::English, Language::Russian);
    html! {
        @for language in [language, other] {
            section lang=(language.code()) {
                h1 { (language.pick("Без JavaScript", "Without JavaScript")) }
                p {
                    (language.pick(
                        "Для этой страницы нужен JavaScript. Без него те же данные отдаёт API: ",
                        "This page needs JavaScript. The API serves the same data without it: ",
                    ))
                    a href={ "/docs?lang=" (language.code()) } {
                        (language.pick("справочник с примерами", "reference with examples"))
                    }
                    "."
                }
                @if language == other {
                    p { a href={ "/?lang=" (language.code()) } { (language.pick("Эта страница по-русски", "This page in English")) } }
                }
            }
        }
    }
}
