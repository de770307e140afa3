//! The HTML of the lookup page: a frame that its scripts fill.

use maud::{DOCTYPE, Markup, html};

use crate::model::Language;

/// What `page.js` and the texts of a language import, and what that imports: the browser
/// fetches all of it at once instead of finding each in another.
pub const PRELOADED: [&str; 9] = [
    "client", "days", "dom", "home", "json", "routes", "storage", "texts", "trouble",
];

/// The page in `language`. `about` is what the service is, as JSON for the scripts.
///
/// Where the browser knows `blocking`, nothing is painted before both scripts have run, and
/// the first view is there: an empty page first would cost a frame, and show the other theme
/// where one was chosen.
pub fn page(language: Language, about: &str) -> String {
    let script = |name: &str| ["/web/", name, ".js"].concat();
    let texts = ["texts-", language.code()].concat();
    let page = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { "procurement-lookup" }
                meta name="about" content=(about);
                link rel="icon" href="/web/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/web/page.css";
                @for name in PRELOADED { link rel="modulepreload" href=(script(name)); }
                @for name in [&texts, "page"] {
                    script type="module" src=(script(name)) blocking="render" {}
                }
            }
            body {
                a #skip.skip href="#main" { "↓" }
                header #header {}
                main #main tabindex="-1" {}
                footer #footer {}
                div #status.unseen role="status" aria-live="polite" {}
                div #toast.toast hidden {}
                noscript { (without_scripts(language)) }
            }
        }
    };
    page.into_string()
}

/// What stands there without JavaScript: first in the page's language, then in the other.
fn without_scripts(language: Language) -> Markup {
    let other = language.pick(Language::English, Language::Russian);
    html! {
        @for language in [language, other] {
            section lang=(language.code()) {
                h1 { (language.pick("Здесь нужен JavaScript", "This page needs JavaScript")) }
                p {
                    (language.pick(
                        "Без него те же данные можно получить по API: ",
                        "Without it, the same data is available through the API: ",
                    ))
                    a href={ "/docs?lang=" (language.code()) } {
                        (language.pick("справочник с примерами", "reference with examples"))
                    }
                    "."
                }
            }
        }
    }
}
