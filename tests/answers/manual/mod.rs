//! The manual and the READMEs are whole: the chapters in both languages alike, their links,
//! the pages that are served of them, and the tables that follow from the program's own. What
//! they say that can be run is in `tests/program/manual.rs`.

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

/// The READMEs, in English and in Russian.
const READMES: [&str; 2] = ["README.md", "README.ru.md"];

/// The repository's folder.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The file of a chapter, from the repository's folder.
fn file_of(topic: &str, language: Language) -> String {
    format!("src/manual/{}/{topic}.md", language.code())
}

/// All chapters and the READMEs, as files.
fn texts() -> Vec<String> {
    let languages = Language::ALL.into_iter();
    let chapters = languages.flat_map(|one| {
        CHAPTERS
            .iter()
            .map(move |chapter| file_of(chapter.topic, one))
    });
    chapters.chain(READMES.map(str::to_owned)).collect()
}
