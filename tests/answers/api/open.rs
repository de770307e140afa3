//! Resources that need no key: the lookup page, and the descriptions of the service.

use procurement_lookup::api::Response;
use procurement_lookup::web;

use super::encodings::unpacked;
use super::{Service, service};
use crate::service::{body, header};

fn page(service: &mut Service, target: &str, headers: &[(&str, &str)]) -> Response {
    let response = service.ask("GET", target, headers);
    assert_eq!(response.status, 200, "{target}");
    response
}

#[test]
fn the_page_needs_no_key_and_loads_only_its_own_files() {
    let mut service = service();
    let response = page(&mut service, "/", &[]);
    assert_eq!(
        header(&response, "Content-Type"),
        Some("text/html; charset=utf-8")
    );
    assert!(
        body(&response).starts_with("<!DOCTYPE html>"),
        "{}",
        body(&response)
    );
    let policy = header(&response, "Content-Security-Policy").expect("a policy");
    assert!(policy.starts_with("default-src 'none'; "), "{policy}");
    assert!(
        policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"),
        "{policy}"
    );
    assert_eq!(header(&response, "X-Frame-Options"), Some("DENY"));
    assert_eq!(header(&response, "Referrer-Policy"), Some("no-referrer"));
}

#[test]
fn resources_without_a_key_have_few_names_in_metrics() {
    let mut service = service();
    let html = page(&mut service, "/", &[]);
    let (_, asset) = body(&html).split_once("=\"/web/").expect("a file");
    let asset = format!("/web/{}", asset.split('"').next().expect("its name"));
    for (path, name) in [
        (asset.as_str(), "/web"),
        ("/docs", "/docs"),
        ("/docs/start", "/docs"),
        ("/openapi.json", "/openapi.json"),
        ("/schemas/error.xsd", "/schemas"),
    ] {
        assert_eq!(page(&mut service, path, &[]).note.endpoint, Some(name));
    }
}

#[test]
fn pages_are_in_the_requested_language() {
    let mut service = service();
    for path in ["/", "/docs", "/docs/", "/docs/start"] {
        for (query, accepted, expected) in [
            ("", "", "ru"),
            ("", "en-GB,en;q=0.9,ru;q=0.1", "en"),
            ("", "fr", "ru"),
            ("?lang=en", "ru", "en"),
            ("?lang=ru", "en", "ru"),
        ] {
            let target = [path, query].concat();
            let response = page(&mut service, &target, &[("Accept-Language", accepted)]);
            let html = format!("<html lang=\"{expected}\"");
            assert!(body(&response).contains(&html), "{target} {accepted}");
            let vary = header(&response, "Vary");
            assert_eq!(vary, Some("Accept-Encoding, Accept-Language"));
        }
    }
}

#[test]
fn the_page_contains_the_state_of_the_service() {
    let mut service = service();
    let about = service.get("/about.json");
    let mut about: serde_json::Value = serde_json::from_str(body(&about)).expect("JSON");
    let members = about.as_object_mut().expect("an object");
    // The page requests these separately, because they may be long.
    for name in ["coverage", "missing", "unread"] {
        assert_eq!(members.remove(name), Some(serde_json::json!([])), "{name}");
    }
    // The page does not use this member; other programs do.
    let without_items = members.remove("contractsWithoutItems");
    assert!(without_items.is_some_and(|count| count.is_u64()));
    members.insert("hasCoverage".to_owned(), false.into());
    members.insert("hasReceipts".to_owned(), false.into());
    members.insert("hasUser".to_owned(), false.into());
    let told = about.to_string().replace('"', "&quot;");
    let html = page(&mut service, "/?lang=en", &[]);
    assert!(body(&html).contains(&format!("<meta name=\"about\" content=\"{told}\">")));
}

#[test]
fn an_import_of_registries_alone_makes_no_contract_look_newer() {
    let about = |service: &mut Service| {
        let about = service.get("/about.json");
        let about: serde_json::Value = serde_json::from_str(body(&about)).expect("JSON");
        ["contractsUpdated", "registriesAsOf", "dataUpdated"].map(|name| about[name].clone())
    };
    let contract =
        r#"{"type":"contract","supplier":{"inn":"9600000103"},"contract":{"regNum":"5"}}"#;
    let mut service = Service::over(contract);
    // Backdate the contract by one hour.
    service.sql(
        "UPDATE revision SET time = time - 3600, sum = row_sum(number, time - 3600, identity)",
    );
    let [contracts, registries, _] = about(&mut service);
    assert!(contracts.is_string() && registries.is_null());
    let registry =
        |law| format!(r#"{{"type":"registry","federalLaw":"{law}","completeAsOf":"2025-03-01"}}"#);
    service.import(&["44", "223", "615"].map(registry).join("\n"));
    let [later, registries, updated] = about(&mut service);
    assert_eq!(later, contracts);
    assert_eq!(registries, "2025-03-01");
    assert!(updated.as_str() > later.as_str(), "{updated} {later}");
}

#[test]
fn an_early_search_is_in_the_field_as_text() {
    let mut service = service();
    let html = page(
        &mut service,
        "/?q=%22%3E%3Cb%3E+%D0%9E%D0%9E%D0%9E&lang=ru",
        &[],
    );
    let html = body(&html);
    assert!(
        html.contains(r#" value="&quot;&gt;&lt;b&gt; ООО""#),
        "{html}"
    );
    assert!(!html.contains("<b>"));
    let long = "я".repeat(web::MAX_QUERY + 1);
    let cut = page(&mut service, &format!("/?q={long}"), &[]);
    let kept = format!(" value=\"{}\"", "я".repeat(web::MAX_QUERY));
    assert!(body(&cut).contains(&kept));
    for nothing in ["/", "/?q=", "/?q=%ff", "/?q=a&q=b"] {
        let html = page(&mut service, nothing, &[]);
        assert!(body(&html).contains(" value=\"\""), "{nothing}");
        assert!(!body(&html).contains("http-equiv"), "{nothing}");
    }
}

#[test]
fn the_page_asks_for_a_key_only_if_there_are_keys() {
    let with_key = |is_demo| {
        let frame = web::Frame {
            is_demo,
            ..web::Frame::default()
        };
        web::page(&frame).contains("id=\"key-button\"")
    };
    assert!(with_key(false) && !with_key(true));
}

#[test]
fn only_versioned_addresses_are_immutable() {
    let mut service = service();
    for web::StaticFile { path: name, .. } in web::files() {
        let response = page(&mut service, &name, &[]);
        let kept = "public, max-age=31536000, immutable";
        assert_eq!(header(&response, "Cache-Control"), Some(kept), "{name}");
        assert_eq!(header(&response, "Vary"), Some("Accept-Encoding"), "{name}");
    }
    for target in ["/", "/about.json", "/docs", "/docs/", "/openapi.json"] {
        let response = page(&mut service, target, &[]);
        assert_eq!(header(&response, "Cache-Control"), Some("no-cache"));
    }
}

#[test]
fn every_file_of_a_page_exists_and_gives_304() {
    let mut service = service();
    let html = ["/", "/docs", "/docs/", "/docs/start"]
        .map(|target| body(&page(&mut service, target, &[])).to_owned())
        .concat();
    let names: Vec<&str> = html
        .split('"')
        .filter(|part| part.starts_with("/web/"))
        .collect();
    assert!(names.len() > 2, "{html}");
    for name in names {
        let response = page(&mut service, name, &[]);
        let etag = header(&response, "ETag").expect("a tag").to_owned();
        let again = service.ask("GET", name, &[("If-None-Match", &etag)]);
        assert_eq!((again.status.number(), body(&again)), (304, ""), "{name}");
    }
}

/// Values of `Accept-Encoding` with the encodings that a long and a short body must have.
const ENCODINGS: [(&str, Option<&str>, Option<&str>); 5] = [
    ("", None, None),
    ("gzip", Some("gzip"), None),
    ("gzip, zstd", Some("zstd"), None),
    ("gzip, identity;q=0", Some("gzip"), Some("gzip")),
    ("zstd, identity;q=0", Some("zstd"), Some("zstd")),
];

#[test]
fn each_encoding_has_a_tag_of_its_own_and_the_same_content() {
    let mut service = service();
    let (style, short) = (web::path("page.css"), web::path("docs.js"));
    for target in [
        "/",
        "/openapi.json",
        "/docs?lang=en",
        "/docs/start",
        &style,
        &short,
    ] {
        let whole = page(&mut service, target, &[]);
        let is_short = whole.body.len() < 1024;
        assert_eq!(is_short, target == short);
        let mut tags = Vec::new();
        for (accepted, of_long, of_short) in ENCODINGS {
            let accepted = ("Accept-Encoding", accepted);
            let response = page(&mut service, target, &[accepted]);
            let encoding = header(&response, "Content-Encoding");
            assert_eq!(encoding, if is_short { of_short } else { of_long });
            assert_eq!(
                unpacked(&response),
                &whole.body[..],
                "{target} {accepted:?}"
            );
            let etag = header(&response, "ETag").expect("a tag").to_owned();
            let again = service.ask("GET", target, &[accepted, ("If-None-Match", &etag)]);
            assert_eq!((again.status.number(), body(&again)), (304, ""), "{target}");
            assert_eq!(header(&again, "ETag"), Some(etag.as_str()));
            tags.push((etag, response.body));
        }
        for (etag, bytes) in &tags {
            let same = tags.iter().filter(|(other, _)| other == etag);
            assert!(same.clone().all(|(_, others)| others == bytes), "{target}");
        }
    }
}

#[test]
fn an_import_changes_only_tags_of_pages_with_its_time() {
    let mut service = service();
    let script = web::path("page.js");
    let targets = ["/", "/about.json", "/openapi.json", &script];
    let tags = |service: &mut Service| {
        targets.map(|target| {
            let response = page(service, target, &[]);
            header(&response, "ETag").expect("a tag").to_owned()
        })
    };
    let before = tags(&mut service);
    assert_eq!(tags(&mut service), before);
    service.alter(
        "UPDATE meta SET updated = updated + 60, revision = revision + 1, \
         sum = row_sum(identity, revision + 1, updated + 60)",
        "UPDATE procurement_lookup.publication SET number = number + 1, \
         updated = updated + 60, revision = revision + 1",
    );
    let after = tags(&mut service);
    let changed: Vec<bool> = (0..4).map(|place| before[place] != after[place]).collect();
    assert_eq!(changed, [true, true, false, false]);
}

#[test]
fn about_contains_no_record() {
    let mut service = service();
    let response = page(&mut service, "/about.json", &[]);
    let about: serde_json::Value = serde_json::from_str(body(&response)).expect("JSON");
    assert_eq!(about["name"], "procurement-lookup");
    assert_eq!(about["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(about["demo"], false);
    let of_data = service.get("/rnp/check-supplier?supplierINN=9600000021&apikey=KEY");
    assert_eq!(
        about["dataUpdated"].as_str(),
        header(&of_data, "X-Data-Updated")
    );
    let members = about.as_object().expect("an object").len();
    assert_eq!(members, 10, "{about}");
}
