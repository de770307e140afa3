//! The responses equal the files, and each file has its case.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use procurement_lookup::api::Response;
use procurement_lookup::model::Date;

use super::cases::{Case, cases, folder};
use super::service;
use crate::service::{body, header};
use crate::source;

/// Headers whose values are in the files.
const SHOWN_HEADERS: [&str; 10] = [
    "Content-Type",
    "Content-Disposition",
    "Vary",
    "Allow",
    "Cache-Control",
    "Retry-After",
    "X-Registries",
    "RateLimit-Limit",
    "RateLimit-Remaining",
    "RateLimit-Reset",
];

/// Headers of which only the presence is in the files.
const PRESENT_HEADERS: [&str; 2] = ["ETag", "X-Data-Updated"];

/// The contents of a file: the request, the status, the headers that matter, and the body,
/// with `{updated}` for the time of the import, which varies.
fn golden_text(case: &Case, response: &Response) -> String {
    let mut text = format!("{} {}\n", case.method, case.target);
    for (name, value) in case.headers {
        let _ = writeln!(text, "{name}: {value}");
    }
    let _ = writeln!(text, "\n{}", response.status);
    // The day of the import, in Moscow, that names of files have.
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
    let updated = header(response, "X-Data-Updated").unwrap_or("no time");
    text.push_str(&body(response).replace(updated, "{updated}"));
    text
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
fn replies_are_as_blessed() {
    let bless = std::env::var("GOLDEN").is_ok_and(|value| value == "bless") && !source::is_server();
    let mut service = service();
    let (mut files, mut wrong) = (BTreeSet::new(), Vec::new());
    for case in cases() {
        let response = case.ask(&mut service);
        for (name, _) in &response.headers {
            let told = SHOWN_HEADERS.contains(name) || PRESENT_HEADERS.contains(name);
            assert!(told, "{}: {name}", case.target);
        }
        let (text, file) = (golden_text(&case, &response), case.file());
        if bless {
            fs::create_dir_all(file.parent().expect("a folder")).expect("the folder is made");
            fs::write(&file, &text).expect("the file is written");
        } else if text != fs::read_to_string(&file).unwrap_or_default() {
            wrong.push(format!("{}\n{text}", file.display()));
        }
        assert!(files.insert(file), "two cases are called {}", case.name);
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
}
