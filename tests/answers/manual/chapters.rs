//! Each chapter exists in both languages, with the same structure.

use std::fs;

use procurement_lookup::api::Endpoint;
use procurement_lookup::manual::{CHAPTERS, Chapter, sections};
use procurement_lookup::model::Language;
use pulldown_cmark::{Event, Options, Parser};

use super::{file_of, read, root, texts};

#[test]
fn every_file_is_a_chapter() {
    for language in Language::ALL {
        let folder = root().join("src/manual").join(language.code());
        for entry in fs::read_dir(folder).expect("a folder") {
            let file = entry.expect("an entry").file_name();
            let topic = file.to_str().and_then(|name| name.strip_suffix(".md"));
            assert!(
                topic.is_some_and(|topic| Chapter::on(topic).is_some()),
                "{file:?}"
            );
        }
    }
}

/// Returns the structure of a chapter: the levels of its headings, and the names of its generated
/// parts.
fn form(text: &str) -> (Vec<u8>, Vec<&str>) {
    let levels = sections(text).iter().map(|section| section.level).collect();
    let markers = text
        .lines()
        .filter(|line| line.starts_with("<!--"))
        .collect();
    (levels, markers)
}

#[test]
fn both_languages_have_the_same_structure() {
    for chapter in CHAPTERS {
        let [russian, english] = Language::ALL.map(|language| form(chapter.text(language)));
        assert_eq!(russian, english, "{}", chapter.topic);
    }
}

#[test]
fn a_chapter_starts_with_its_only_title() {
    for chapter in CHAPTERS {
        for language in Language::ALL {
            let sections = sections(chapter.text(language));
            let levels: Vec<u8> = sections.iter().map(|section| section.level).collect();
            let file = file_of(chapter.topic, language);
            assert_eq!(levels.first(), Some(&1), "{file}");
            assert!(
                levels[1..].iter().all(|level| (2..=4).contains(level)),
                "{file}"
            );
            assert_eq!(sections[0].title, chapter.title(language), "{file}");
        }
    }
}

#[test]
fn the_api_chapter_has_a_row_for_every_endpoint() {
    for language in Language::ALL {
        let file = file_of("api", language);
        let text = read(&file);
        for endpoint in Endpoint::ALL {
            let row = format!("\n| `{}` |", endpoint.path);
            assert_eq!(text.matches(&row).count(), 1, "{file}: {}", endpoint.path);
        }
    }
}

#[test]
fn there_is_no_html_except_comments() {
    for file in texts() {
        let text = read(&file);
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            if let Event::Html(html) | Event::InlineHtml(html) = event {
                assert!(html.trim().starts_with("<!--"), "{file}: {html}");
            }
        }
    }
}
