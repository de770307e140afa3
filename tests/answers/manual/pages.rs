//! The pages of the manual, and links between them and from the reference.

use std::collections::{BTreeMap, BTreeSet};

use procurement_lookup::api::described;
use procurement_lookup::manual::{self, CHAPTERS, sections};
use procurement_lookup::model::Language;

use crate::described::quoted;

/// Returns the pages of the manual and the reference, by path.
fn pages(language: Language) -> BTreeMap<String, String> {
    let pages = manual::files().map(|page| (page.path, (page.body)(language).into_owned()));
    pages
        .chain([("/docs".to_owned(), described::reference(language))])
        .collect()
}

#[test]
fn links_keep_the_language_and_resolve() {
    let described: BTreeSet<String> = described::files().map(|file| file.path).collect();
    for language in Language::ALL {
        let pages = pages(language);
        let query = format!("?lang={}", language.code());
        for (page, html) in &pages {
            let ids = quoted(html, " id=\"");
            assert_eq!(
                BTreeSet::from_iter(&ids).len(),
                ids.len(),
                "{page}: {ids:?}"
            );
            for target in quoted(html, " href=\"") {
                if target.contains("://") || target.starts_with("/web/") {
                    continue;
                }
                let (address, anchor) = target.split_once('#').unwrap_or((target, ""));
                let decoded = percent_encoding::percent_decode_str(anchor).decode_utf8();
                let anchor = decoded.expect("UTF-8");
                // The link to the other language leads to the same page.
                let path = match address.split('?').next() {
                    None | Some("") => page,
                    Some(path) => path,
                };
                let is_in_both = path.starts_with("/docs") && !address.is_empty();
                let keeps = !is_in_both || address.ends_with(&query);
                let keeps = keeps || address.starts_with("?lang=");
                assert!(keeps, "{page}: {target}");
                let leads = match pages.get(path) {
                    Some(html) => anchor.is_empty() || quoted(html, " id=\"").contains(&&*anchor),
                    None => ["/", "/about.json"].contains(&path) || described.contains(path),
                };
                assert!(leads, "{page}: {target}");
            }
        }
    }
}

#[test]
fn the_contents_have_every_chapter_with_its_sections() {
    for language in Language::ALL {
        let html = &pages(language)["/docs/"];
        let links: Vec<&str> = quoted(html, " href=\"");
        for chapter in CHAPTERS {
            let path = format!("/docs/{}?lang={}", chapter.topic, language.code());
            assert!(links.contains(&path.as_str()), "{path}");
            for section in sections(chapter.text(language)) {
                let link = format!("{path}#{}", section.anchor);
                let is_there = links.contains(&link.as_str());
                assert_eq!(is_there, (2..=3).contains(&section.level), "{link}");
            }
        }
    }
}

#[test]
fn chapters_link_to_their_neighbours() {
    let beside = |topic: &str| {
        let html = &pages(Language::English)[&format!("/docs/{topic}")];
        ["prev", "next"].map(|rel| quoted(html, &format!("rel=\"{rel}\" href=\"")).concat())
    };
    let [first, second] = [CHAPTERS[0].topic, CHAPTERS[1].topic];
    let link = |topic: &str| format!("/docs/{topic}?lang=en");
    assert_eq!(beside(first), [String::new(), link(second)]);
    assert_eq!(beside(second), [link(first), link(CHAPTERS[2].topic)]);
    let last = CHAPTERS.last().expect("a chapter");
    assert_eq!(beside(last.topic)[1], "");
}

#[test]
fn the_reference_links_to_the_manual() {
    for language in Language::ALL {
        let link = format!("href=\"/docs/?lang={}\"", language.code());
        assert!(described::reference(language).contains(&link));
    }
}

#[test]
fn outside_code_the_english_reference_has_no_russian() {
    let html = described::reference(Language::English);
    let mut is_code = false;
    for part in html.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or_default();
        match tag.split(' ').next() {
            Some("code" | "pre") => is_code = true,
            Some("/code" | "/pre") => is_code = false,
            _ => {}
        }
        let is_russian = |word: &str| word.starts_with(|first| ('а'..='я').contains(&first));
        let is_wrong = !is_code && text.split(' ').any(is_russian);
        assert!(!is_wrong, "{text}");
    }
}
