//! Responses equal their golden files, and each file belongs to a case. Files and workbooks may
//! only change if the version of the rendering is raised.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use procurement_lookup::api::{Endpoint, Response};
use procurement_lookup::model::{Date, Language};
use procurement_lookup::{render, web};

use super::cases::{Case, cases, folder};
use super::requests::{answers, places};
use super::service;
use crate::released::is_golden;
use crate::service::{Service, body, header};
use crate::workbook::parts;
use crate::{source, versions};

/// Headers whose values golden files record.
const SHOWN_HEADERS: [&str; 17] = [
    "Content-Type",
    "Content-Disposition",
    "Accept-Ranges",
    "Vary",
    "Allow",
    "Cache-Control",
    "Retry-After",
    "X-Registries",
    "X-Next",
    "X-Row-Count",
    "X-Total-Count",
    "X-RNP-Verdict",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
    "X-Error-Detail",
    "WWW-Authenticate",
];

/// Headers whose presence golden files record, without the value.
const PRESENT_HEADERS: [&str; 2] = ["ETag", "X-Data-Updated"];

/// Returns the content of a golden file: the request, the status, the relevant headers and the
/// body. The time of the import is replaced with `{updated}`.
fn golden_text(case: &Case, response: &Response) -> String {
    let mut text = format!("{} {}\n", case.method, case.target);
    for (name, value) in case.headers {
        let _ = writeln!(text, "{name}: {value}");
    }
    let _ = writeln!(text, "\n{}", response.status);
    // File names contain the day of the import in Moscow.
    let imported = Date::in_moscow(SystemTime::now()).to_string();
    for name in SHOWN_HEADERS {
        if let Some(value) = header(response, name) {
            let value = value.replace(&imported, "{imported}");
            let _ = writeln!(text, "{name}: {value}");
        }
    }
    for name in PRESENT_HEADERS {
        if header(response, name).is_some() {
            let _ = writeln!(text, "{name} is there");
        }
    }
    text.push('\n');
    text.push_str(&without_time(body(response), response));
    text
}

/// Replaces the time of the import with `{updated}`.
fn without_time(text: &str, response: &Response) -> String {
    let updated = header(response, "X-Data-Updated").unwrap_or("no time");
    text.replace(updated, "{updated}")
}

/// Replaces the time of the import with `{updated}` where a workbook states it in words.
fn without_words_of_time(mut text: String) -> String {
    for language in Language::ALL {
        let words = web::text(language, "data.updated");
        let (before, after) = words.split_once("{time}").expect("a place for the time");
        if let Some((start, rest)) = text.split_once(before)
            && let Some((_, end)) = rest.split_once(after)
        {
            text = format!("{start}{before}{{updated}}{after}{end}");
        }
    }
    text
}

/// Returns whether a response is an error. Some errors have status 200.
fn has_error(response: &Response) -> bool {
    let body = body(response);
    response.status.number() >= 400 || body.contains("<error>") || body.contains("\"error\":")
}

/// Returns the parts of the workbook for each response, in each language.
fn workbook_parts(service: &mut Service) -> Vec<String> {
    let mut texts = Vec::new();
    for [_, path, query] in answers() {
        for language in Language::ALL {
            let language = language.code();
            let target = format!("{path}?{query}&apikey=KEY&format=xlsx&lang={language}");
            let response = service.get(&target);
            for (part, name) in parts(&response.body) {
                let part = without_words_of_time(without_time(&part, &response));
                texts.push(format!("{target} {name}\n{part}"));
            }
        }
    }
    texts
}

fn files_under(folder: &Path, extension: &str, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_under(&path, extension, found);
        } else if path.extension().is_some_and(|given| given == extension) {
            found.insert(path);
        }
    }
}

#[test]
fn every_endpoint_has_golden_answers_and_errors() {
    for endpoint in Endpoint::ALL {
        let path = endpoint.path;
        let is_answered = answers().any(|[_, of_answer, _]| of_answer == path);
        assert!(is_answered, "ANSWERS in requests.rs has no {path}");
        let is_placed = places().any(|[_, of_place, ..]| of_place == path);
        assert!(is_placed, "PLACES in requests.rs has no {path}");
    }
}

#[test]
fn responses_equal_their_golden_files() {
    let bless = is_golden("bless") && !source::is_server();
    let mut service = service();
    let (mut files, mut wrong) = (BTreeSet::new(), Vec::new());
    let mut rendered = Vec::new();
    for case in cases() {
        let response = case.ask(&mut service);
        for (name, _) in &response.headers {
            let told = SHOWN_HEADERS.contains(name) || PRESENT_HEADERS.contains(name);
            assert!(told, "{}: {name}", case.target);
        }
        // Without this, blessing would record a failure as the expected response.
        assert!(
            case.is_error() || !has_error(&response),
            "{}: {} {}",
            case.target,
            response.status,
            body(&response)
        );
        let (text, file) = (golden_text(&case, &response), case.file());
        if bless {
            fs::create_dir_all(file.parent().expect("a folder")).expect("the folder is made");
            fs::write(&file, &text).expect("the file is written");
        } else if text != fs::read_to_string(&file).unwrap_or_default() {
            wrong.push(format!("{}\n{text}", file.display()));
        }
        assert!(files.insert(file), "two cases are called {}", case.name);
        rendered.push(text);
    }
    assert!(
        wrong.is_empty(),
        "{} responses are not as blessed; they are now\n\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    let mut there = BTreeSet::new();
    files_under(folder(), "http", &mut there);
    let stray: Vec<&PathBuf> = there.difference(&files).collect();
    assert!(stray.is_empty(), "no case has these files: {stray:#?}");
    rendered.extend(workbook_parts(&mut service));
    if !source::is_server() {
        let file = folder().join("rendering.version");
        let rendered = rendered.into_iter().map(String::into_bytes);
        versions::check(&file, "render::VERSION", render::VERSION.into(), rendered);
    }
}
