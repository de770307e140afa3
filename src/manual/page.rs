//! Renders the manual as web pages: a table of contents, in which readers can search the headings,
//! and a page for each chapter. Only the search needs JavaScript (`web/manual.js`). The content
//! security policy forbids inline styles, so all styles are in `web/docs.css`.

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::markdown::{Section, sections, to_html};
use super::{CHAPTERS, Chapter, FOLDER};
use crate::model::Language;
use crate::web::{self, Body, StaticFile};

const DEEPEST: u8 = 3;

/// Returns the table of contents and the pages of all chapters.
pub fn files() -> impl Iterator<Item = StaticFile> {
    let file = |path, body: Body| StaticFile {
        path,
        label: "/docs",
        content_type: "text/html; charset=utf-8",
        is_immutable: false,
        language: Option::unwrap_or_default,
        body,
    };
    let chapters = CHAPTERS.iter().map(move |chapter| {
        let path = [FOLDER, chapter.topic].concat();
        file(path, Box::new(|language| page(chapter, language).into()))
    });
    let contents = file(
        FOLDER.to_owned(),
        Box::new(|language| contents(language).into()),
    );
    [contents].into_iter().chain(chapters)
}

fn manual_title(language: Language) -> &'static str {
    language.pick(
        "Руководство procurement-lookup",
        "procurement-lookup manual",
    )
}

/// Wraps `body` in an HTML document in the style of the manual. `script` is the address of a script
/// to load.
pub fn frame(language: Language, title: &str, script: Option<&str>, body: Markup) -> String {
    let page = html! {
        (DOCTYPE)
        html lang=(language.code()) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href=(web::path("icon.svg"));
                link rel="stylesheet" href=(web::path("docs.css"));
                @if let Some(name) = script { script type="module" src=(web::path(name)) {} }
            }
            body { (body) }
        }
    };
    page.into_string()
}

/// Returns links to the current page in every language.
pub fn languages(language: Language) -> Markup {
    html! {
        p {
            @for one in Language::ALL {
                a href={ "?lang=" (one.code()) } lang=(one.code())
                    aria-current=[(one == language).then_some("true")]
                { (one.pick("Русский", "English")) }
                " "
            }
        }
    }
}

fn elsewhere(language: Language) -> Markup {
    let code = language.code();
    html! {
        p.elsewhere {
            a href={ "/docs?lang=" (code) } { (language.pick("Справочник API", "API reference")) }
            " "
            a href={ "/?lang=" (code) } { (language.pick("Страница поиска", "Lookup page")) }
        }
    }
}

fn listed(sections: &[Section]) -> impl Iterator<Item = &Section> {
    let levels = 2..=DEEPEST;
    sections
        .iter()
        .filter(move |section| levels.contains(&section.level))
}

fn contents(language: Language) -> String {
    let search = language.pick("Поиск по заголовкам", "Search the headings");
    let body = html! {
        header {
            h1 { (manual_title(language)) }
            (languages(language))
        }
        main id="main" {
            (elsewhere(language))
            div #search hidden {
                label for="words" { (search) }
                input #words type="search" autocomplete="off" spellcheck="false";
                p #found role="status"
                    data-found=(language.pick("Найдено: ", "Found: "))
                    data-nothing=(language.pick("Ничего не найдено", "Nothing found")) {}
            }
            ul.contents #contents {
                @for chapter in CHAPTERS {
                    li {
                        @let path = chapter.link(language);
                        a href=(path) { (chapter.title(language)) }
                        ul {
                            @for section in listed(&sections(chapter.text(language))) {
                                li {
                                    a.deep[section.level == DEEPEST] href={ (path) "#" (section.anchor) }
                                        { (section.title) }
                                }
                            }
                        }
                    }
                }
            }
        }
    };
    frame(language, manual_title(language), Some("manual.js"), body)
}

fn page(chapter: &Chapter, language: Language) -> String {
    let text = chapter.text(language);
    let title = [chapter.title(language), " — ", manual_title(language)].concat();
    let contents_path = [FOLDER, "?lang=", language.code()].concat();
    let body = html! {
        header {
            p.manual { a href=(contents_path) { (manual_title(language)) } }
            (languages(language))
        }
        nav aria-label=(language.pick("Содержание", "Contents")) {
            ul.chapters {
                @for one in CHAPTERS {
                    li.here[one == chapter] {
                        a href=(one.link(language)) aria-current=[(one == chapter).then_some("page")]
                            { (one.title(language)) }
                        @if one == chapter {
                            ul {
                                @for section in listed(&sections(text)) {
                                    li {
                                        a.deep[section.level == DEEPEST] href={ "#" (section.anchor) }
                                            { (section.title) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
            (elsewhere(language))
        }
        main id="main" {
            (PreEscaped(to_html(text, language)))
            (neighbours(chapter, language))
        }
    };
    frame(language, &title, None, body)
}

fn neighbours(chapter: &Chapter, language: Language) -> Markup {
    let at = CHAPTERS.iter().position(|one| one == chapter);
    let beside = |step: fn(usize) -> Option<usize>| CHAPTERS.get(step(at?)?);
    let before = beside(|at| at.checked_sub(1));
    let after = beside(|at| at.checked_add(1));
    html! {
        p.neighbours {
            @if let Some(one) = before {
                a rel="prev" href=(one.link(language)) { "← " (one.title(language)) }
            }
            " "
            @if let Some(one) = after {
                a rel="next" href=(one.link(language)) { (one.title(language)) " →" }
            }
        }
    }
}
