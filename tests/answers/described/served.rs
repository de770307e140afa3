//! What is served: without a key, in the language that is asked for, nothing in the HTML
//! that its policy forbids.

use std::collections::BTreeSet;

use procurement_lookup::api::Endpoint;
use procurement_lookup::api::described::Description;
use procurement_lookup::model::Language;
use procurement_lookup::render::schema::answers;
use procurement_lookup::render::schema::tree::Field;
use procurement_lookup::web;

use crate::service::{Service, body, header};

#[test]
fn all_of_it_is_served_without_a_key() {
    let mut service = Service::over("");
    for document in Description::all() {
        let path = &document.path();
        for (accepted, language) in [("ru", Language::Russian), ("en", Language::English)] {
            let response = service.ask("GET", path, &[("Accept-Language", accepted)]);
            let content_type = header(&response, "Content-Type");
            assert_eq!(response.status, 200, "{path}");
            assert_eq!(body(&response), document.body(language), "{path}");
            assert_eq!(content_type, Some(document.content_type()), "{path}");
            let etag = header(&response, "ETag").expect("a tag");
            let again = service.ask(
                "GET",
                path,
                &[("Accept-Language", accepted), ("If-None-Match", etag)],
            );
            assert_eq!(again.status, 304, "{path}");
        }
    }
}

#[test]
fn who_asks_for_no_language_reads_russian_and_programs_english() {
    let mut service = Service::over("");
    let mut first = |path| body(&service.get(path)).to_owned();
    let document = |language| Description::Openapi.body(language);
    assert_eq!(first("/openapi.json"), document(Language::English));
    assert_eq!(first("/openapi.json?lang=ru"), document(Language::Russian));
    assert!(first("/docs").contains("<html lang=\"ru\">"));
    assert!(first("/docs?lang=en").contains("<html lang=\"en\">"));
    assert!(first("/openapi.json").contains("INN of the supplier"));
    assert!(first("/openapi.json?lang=ru").contains("ИНН поставщика"));
}

#[test]
fn nothing_is_served_where_there_is_nothing() {
    let mut service = Service::over("");
    for path in [
        "/openapi",
        "/openapi.json/",
        "/schemas",
        "/schemas/",
        "/schemas/x.xsd",
        "",
    ] {
        assert_eq!(service.get(path).status, 404, "{path}");
    }
}

/// What stands between `before` and the next quote, wherever it does.
fn quoted<'a>(html: &'a str, before: &str) -> Vec<&'a str> {
    let rest = html.split(before).skip(1);
    rest.map(|rest| rest.split('"').next().unwrap_or_default())
        .collect()
}

#[test]
fn the_reference_has_no_style_and_no_script_in_it_and_its_links_lead_somewhere() {
    for language in Language::ALL {
        let html = Description::Reference.body(language);
        let source = web::path("docs.js");
        let script = format!("<script type=\"module\" src=\"{source}\"></script>");
        assert_eq!(html.matches(&script).count(), 1, "one script, from a file");
        let html = &html.replace(&script, "");
        for forbidden in ["<script", "<style", " style=", " on", "javascript:"] {
            let in_tags = html.split('<').filter_map(|tag| tag.split_once('>'));
            let found = in_tags.filter(|(tag, _)| format!("<{tag}").contains(forbidden));
            assert_eq!(found.count(), 0, "{forbidden}");
        }
        let ids: Vec<&str> = quoted(html, " id=\"");
        let unique: BTreeSet<&str> = ids.iter().copied().collect();
        assert_eq!(unique.len(), ids.len(), "{ids:?}");
        let known: BTreeSet<String> = Description::all().map(Description::path).collect();
        for target in quoted(html, " href=\"") {
            let leads = match target.strip_prefix('#') {
                Some(id) => unique.contains(id),
                None => {
                    known.contains(target)
                        || target.starts_with("/web/")
                        || target.starts_with("?lang=")
                        || target.starts_with("/docs/")
                        || matches!(target, "/" | "/about.json")
                }
            };
            assert!(leads, "{target}");
        }
    }
}

fn each_name(fields: &[Field], visit: &mut impl FnMut(&Field)) {
    for field in fields {
        visit(field);
        each_name(field.within().0, visit);
    }
}

#[test]
fn the_reference_has_every_endpoint_parameter_and_field_with_its_meaning() {
    for language in Language::ALL {
        let html = Description::Reference.body(language);
        for endpoint in Endpoint::ALL {
            assert!(html.contains(endpoint.path), "{}", endpoint.path);
            for parameter in endpoint.parameters() {
                let name = parameter.name;
                assert!(html.contains(&format!("<code>{name}</code>")), "{name}");
            }
        }
        for answer in answers() {
            for fields in [&answer.xml, &answer.json] {
                each_name(fields, &mut |field| {
                    assert!(html.contains(field.name), "{}", field.name);
                    let meaning = field.meaning.words.to(language);
                    assert!(html.contains(meaning), "{meaning}");
                });
            }
        }
    }
}
