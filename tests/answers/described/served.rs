//! How the server delivers the descriptions: without a key, in the requested language, and as HTML
//! that its content security policy allows.

use std::collections::BTreeSet;

use procurement_lookup::api::Endpoint;
use procurement_lookup::api::described;
use procurement_lookup::manual;
use procurement_lookup::model::Language;
use procurement_lookup::render::schema::answers;
use procurement_lookup::render::schema::tree::Field;
use procurement_lookup::web;

use crate::service::{Service, body, header};

#[test]
fn descriptions_need_no_key() {
    let mut service = Service::over("");
    for document in described::files() {
        let path = &document.path;
        for (accepted, language) in [("ru", Language::Russian), ("en", Language::English)] {
            let response = service.ask("GET", path, &[("Accept-Language", accepted)]);
            let content_type = header(&response, "Content-Type");
            assert_eq!(response.status, 200, "{path}");
            assert_eq!(body(&response), (document.body)(language), "{path}");
            assert_eq!(content_type, Some(document.content_type), "{path}");
        }
    }
}

#[test]
fn english_is_the_default_language() {
    let mut service = Service::over("");
    let mut first = |path| body(&service.get(path)).to_owned();
    let document = |language| described::openapi(language);
    assert_eq!(first("/openapi.json"), document(Language::English));
    assert_eq!(first("/openapi.json?lang=ru"), document(Language::Russian));
}

#[test]
fn html_has_no_inline_styles_scripts_or_pictures() {
    for language in Language::ALL {
        let reference = (described::reference(language), "docs.js");
        let pages = manual::files().map(|page| ((page.body)(language).into_owned(), "manual.js"));
        for (html, file) in pages.chain([reference]) {
            let source = web::path(file);
            let script = format!("<script type=\"module\" src=\"{source}\"></script>");
            assert!(html.matches(&script).count() < 2, "one script, from a file");
            let html = html.replace(&script, "");
            for tag in html
                .split('<')
                .filter_map(|rest| Some(rest.split_once('>')?.0))
            {
                let element = ["script", "style", "img", "iframe"];
                assert!(!element.iter().any(|name| tag.starts_with(name)), "<{tag}>");
                let attribute = [" style=", " on", "javascript:"];
                assert!(!attribute.iter().any(|name| tag.contains(name)), "<{tag}>");
            }
        }
    }
}

fn add_names_and_meanings<'f>(
    fields: &'f [Field],
    language: Language,
    words: &mut BTreeSet<&'f str>,
) {
    for field in fields {
        words.extend([field.name, field.meaning.words.to(language)]);
        add_names_and_meanings(field.within().0, language, words);
    }
}

#[test]
fn the_reference_has_every_endpoint_parameter_and_field_with_its_meaning() {
    for language in Language::ALL {
        let html = described::reference(language);
        for endpoint in Endpoint::ALL {
            assert!(html.contains(endpoint.path), "{}", endpoint.path);
            for parameter in endpoint.parameters() {
                let name = parameter.name;
                assert!(html.contains(&format!("<code>{name}</code>")), "{name}");
            }
        }
        let mut words = BTreeSet::new();
        for answer in answers() {
            add_names_and_meanings(&answer.xml, language, &mut words);
            add_names_and_meanings(&answer.json, language, &mut words);
        }
        assert!(words.len() > 400, "{} words", words.len());
        for words in words {
            assert!(html.contains(words), "{words}");
        }
    }
}
