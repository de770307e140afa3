//! The pages of the manual as they are served: to all, in the client's language, complete.

use std::collections::{BTreeMap, BTreeSet};

use procurement_lookup::api::described::Description;
use procurement_lookup::manual::{CHAPTERS, Page, sections};
use procurement_lookup::model::Language;
use procurement_lookup::web;

use crate::described::quoted;
use crate::service::{Service, body, header};

#[test]
fn every_page_is_served_without_a_key() {
    let mut service = Service::over("");
    for page in Page::all() {
        for language in Language::ALL {
            let target = format!("{}?lang={}", page.path(), language.code());
            let response = service.get(&target);
            let content_type = header(&response, "Content-Type");
            assert_eq!(content_type, Some("text/html; charset=utf-8"));
            assert_eq!(body(&response), page.html(language), "{target}");
        }
    }
}

/// The pages in a language by their paths, each with the anchors in it.
fn anchors(language: Language) -> BTreeMap<String, BTreeSet<String>> {
    let of_page = |page: Page| {
        let html = page.html(language);
        let ids = quoted(&html, " id=\"");
        let unique: BTreeSet<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        assert_eq!(unique.len(), ids.len(), "{ids:?}");
        (page.path(), unique)
    };
    Page::all().map(of_page).collect()
}

#[test]
fn links_keep_the_language_and_lead_to_what_is_there() {
    let described: BTreeSet<String> = Description::all().map(Description::path).collect();
    for language in Language::ALL {
        let pages = anchors(language);
        let query = format!("?lang={}", language.code());
        for page in Page::all() {
            for target in quoted(&page.html(language), " href=\"") {
                if target.contains("://") || target.starts_with("/web/") {
                    continue;
                }
                let (address, anchor) = target.split_once('#').unwrap_or((target, ""));
                let decoded = percent_encoding::percent_decode_str(anchor).decode_utf8();
                let anchor = decoded.expect("UTF-8");
                let path = address.split('?').next().unwrap_or_default();
                // The switch between the languages stays on the page.
                let path = if path.is_empty() {
                    page.path()
                } else {
                    path.to_owned()
                };
                let is_switch = address.starts_with("?lang=");
                let keeps = is_switch || address.is_empty() || address.ends_with(&query);
                assert!(keeps, "{}: {target}", page.path());
                let leads = match pages.get(&path) {
                    Some(ids) => anchor.is_empty() || ids.contains(&*anchor),
                    None => path == "/" || described.contains(&path),
                };
                assert!(leads, "{}: {target}", page.path());
            }
        }
    }
}

#[test]
fn the_contents_have_every_chapter_with_its_sections() {
    for language in Language::ALL {
        let html = Page::Contents.html(language);
        let links: Vec<&str> = quoted(&html, " href=\"");
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
fn a_chapter_leads_to_the_one_before_and_the_one_after_it() {
    let beside = |topic: &str| {
        let page = Page::all().find(|page| page.path() == format!("/docs/{topic}"));
        let html = page.expect(topic).html(Language::English);
        ["prev", "next"].map(|rel| quoted(&html, &format!("rel=\"{rel}\" href=\"")).concat())
    };
    let [first, second] = [CHAPTERS[0].topic, CHAPTERS[1].topic];
    let link = |topic: &str| format!("/docs/{topic}?lang=en");
    assert_eq!(beside(first), [String::new(), link(second)]);
    assert_eq!(beside(second), [link(first), link(CHAPTERS[2].topic)]);
    let last = CHAPTERS.last().expect("a chapter");
    assert_eq!(beside(last.topic)[1], "");
}

#[test]
fn the_reference_and_the_lookup_page_lead_to_the_manual() {
    for language in Language::ALL {
        let link = format!("href=\"/docs/?lang={}\"", language.code());
        assert!(Description::Reference.body(language).contains(&link));
    }
    let mut service = Service::over("");
    let script = service.get(&web::path("page.js"));
    assert!(body(&script).contains("`/docs/?lang=${language()}`"));
}
