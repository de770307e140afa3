//! The troubleshooting chapter quotes the program's messages correctly, in both languages.

use std::fs;

use procurement_lookup::manual::Chapter;
use procurement_lookup::model::Language;

use super::{run, stderr, succeed};

fn chapter(language: Language) -> &'static str {
    let chapter = Chapter::on("troubleshooting").expect("a chapter");
    chapter.text(language)
}

#[test]
fn the_chapter_quotes_the_messages_of_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    fs::write(folder.join("empty"), "").expect("written");
    fs::write(folder.join("text"), "a text that is not empty").expect("written");
    fs::write(folder.join("lines.jsonl"), "nonsense\n{}").expect("written");
    succeed(folder, "keys issue office --keys keys");
    let texts = Language::ALL.map(chapter);
    for (line, words) in [
        (
            "check --database missing",
            "there is no such file; give the path of an existing one",
        ),
        ("check --database text", "this is not a SQLite file; "),
        (
            "check --database .",
            "this is a folder; give the path of a file",
        ),
        (
            "lookup supplier 9602007779 --database /dev/null",
            "this is not a regular file",
        ),
        (
            "import --database . lines.jsonl",
            "this is a folder; give the path of a file",
        ),
        ("export --out .", "this is a folder; give a file"),
        ("import --database fresh lines.jsonl", "not a JSON object"),
        ("import --database fresh missing", "cannot be read: "),
        (
            "export --what all --format csv",
            "csv is one table: give --what contracts, items, purchases, rnp or suppliers",
        ),
        (
            "export --supplier 7707083893",
            "there is no data on a supplier with INN ",
        ),
        (
            "keys signing-key --signing-key text",
            "other users can access this file, ",
        ),
        (
            "keys issue office --keys keys",
            "office already has a valid key; ",
        ),
        (
            "keys issue office --keys nowhere/keys",
            "there is no folder ",
        ),
        (
            "check --database empty",
            "this is not a procurement-lookup database file; ",
        ),
        (
            "check --database keys",
            "this is a procurement-lookup keys file, not a procurement-lookup database file; ",
        ),
        (
            "keys revoke nobody --keys keys",
            "nobody has no valid key; ",
        ),
    ] {
        let output = run(folder, line);
        assert!(!output.status.success(), "{line}");
        let printed = stderr(&output);
        assert!(printed.contains(words), "{line}: {printed}");
        for text in &texts {
            assert!(text.contains(words), "{words}");
        }
    }
}

/// Returns the quoted messages in the first column of the chapter's tables.
fn quoted_messages(language: Language) -> Vec<String> {
    let rows = chapter(language)
        .lines()
        .filter(|line| line.starts_with("| "));
    let first = rows.map(|row| row.split(" | ").next().unwrap_or_default());
    let quoted = |cell: &str| {
        cell.split('`')
            .skip(1)
            .step_by(2)
            .collect::<Vec<_>>()
            .join(" ")
    };
    first
        .map(quoted)
        .filter(|words| !words.is_empty())
        .collect()
}

#[test]
fn both_languages_quote_the_same_messages() {
    let [russian, english] = Language::ALL.map(quoted_messages);
    assert_eq!(russian, english);
    assert!(
        english.len() > 50,
        "the tables were not understood: {english:?}"
    );
}
