//! Completeness of the manual and the READMEs: chapters in both languages, links, pages, and
//! generated tables. `tests/program/manual.rs` runs the examples.

mod chapters;
mod file_tables;
mod generated;
mod links;
mod pages;
mod sources;
mod tables;

use std::fs;
use std::path::Path;

use procurement_lookup::manual::CHAPTERS;
use procurement_lookup::model::Language;

const READMES: [&str; 2] = ["README.md", "README.ru.md"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Returns the file of a chapter, relative to the root.
fn file_of(topic: &str, language: Language) -> String {
    format!("src/manual/{}/{topic}.md", language.code())
}

/// Returns the files of all chapters and READMEs.
fn texts() -> Vec<String> {
    let languages = Language::ALL.into_iter();
    let chapters = languages.flat_map(|one| {
        CHAPTERS
            .iter()
            .map(move |chapter| file_of(chapter.topic, one))
    });
    chapters.chain(READMES.map(str::to_owned)).collect()
}
