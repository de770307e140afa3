//! Checks the files of the lookup page without a browser. `scripts/checking/page` tests the page in
//! browsers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use procurement_lookup::model::Language;
use procurement_lookup::web;
use serde_json::Value;

use crate::released::is_golden;

/// Returns the files of the page, except those of the reference and the manual.
fn files() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/web");
    let mut files: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .map(|path| {
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, fs::read_to_string(&path).unwrap())
        })
        .filter(|(name, _)| !name.starts_with("docs") && name != "manual.js")
        .filter(|(name, _)| !name.ends_with(".rs"))
        .collect();
    files.sort();
    assert!(files.len() > 10, "the page has files");
    files
}

/// Returns the page of a service that requires keys.
fn page(language: Language) -> String {
    web::page(&web::Frame {
        language,
        about: r#"{"demo":"&"}"#,
        ..web::Frame::default()
    })
}

fn scripts() -> Vec<(String, String)> {
    let mut files = files();
    files.retain(|(name, _)| name.ends_with(".js"));
    files
}

/// Returns the strings of a language by table and key, such as `texts.brand`.
fn texts(language: Language) -> BTreeMap<String, Value> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/web/texts");
    let end = format!("{}.json", language.code());
    let mut texts = BTreeMap::new();
    for file in fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let file = path.file_name().unwrap().to_str().unwrap().to_owned();
        if file != end && !file.ends_with(&format!("-{end}")) {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let tables: BTreeMap<String, BTreeMap<String, Value>> =
            serde_json::from_str(&text).unwrap();
        for (table, entries) in tables {
            for (key, said) in entries {
                let key = format!("{table}.{key}");
                assert!(texts.insert(key.clone(), said).is_none(), "{file}: {key}");
            }
        }
    }
    texts
}

/// Returns the placeholders in a string, or in all of its plural forms.
fn placeholders(said: &Value) -> BTreeSet<String> {
    let text = said.to_string();
    let filled = text.split('{').filter_map(|part| part.split_once('}'));
    filled
        .map(|(placeholder, _)| placeholder)
        .filter(|placeholder| placeholder.chars().all(char::is_alphanumeric))
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_text_exists_in_both_languages_with_the_same_placeholders() {
    let [russian, english] = Language::ALL.map(|language| {
        let texts = texts(language).into_iter();
        texts
            .map(|(key, said)| (key, placeholders(&said)))
            .collect::<BTreeSet<_>>()
    });
    assert!(russian.len() > 250, "{} keys", russian.len());
    let differing: Vec<_> = russian.symmetric_difference(&english).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn every_text_named_by_a_script_exists() {
    let known = texts(Language::Russian);
    let mut named = 0;
    for (file, script) in scripts() {
        for call in ["t(\"", "forms(\""] {
            for (at, _) in script.match_indices(call) {
                // The letter before the match belongs to a longer name: `part("` is not a call of
                // `t`.
                let is_longer_name =
                    script[..at].ends_with(|c: char| c.is_alphanumeric() || c == '.');
                let (key, _) = script[at + call.len()..].split_once('"').unwrap();
                if !is_longer_name {
                    named += 1;
                    assert!(known.contains_key(&format!("texts.{key}")), "{file}: {key}");
                }
            }
        }
    }
    assert!(named > 100, "{named} texts are named");
}

#[test]
fn every_text_is_used() {
    let mut sources: String = scripts().into_iter().map(|(_, script)| script).collect();
    sources += &page(Language::Russian);
    sources += include_str!("../../src/web/page.rs");
    sources += include_str!("../../src/api/response/workbook.rs");
    // If a template builds the key, only the part before the first placeholder is known.
    let starts: Vec<&str> = sources
        .split('`')
        .filter_map(|part| part.split_once("${"))
        .map(|(start, _)| start)
        .filter(|start| start.len() > 2 && start.contains('.'))
        .collect();
    let quoted: BTreeSet<&str> = sources.split(['"', '`']).collect();
    for key in texts(Language::Russian).keys() {
        let Some(key) = key.strip_prefix("texts.") else {
            continue;
        };
        let is_named = |start: &&str| key.starts_with(start);
        let is_used = quoted.contains(key) || starts.iter().any(is_named);
        assert!(is_used, "nothing names {key}");
    }
}

/// Returns the content of `codes.js`, generated from the table of codes.
fn words_of_codes() -> String {
    let mut text = "// The names of codes, generated from src/render/codes.rs by a test.\n\nexport const CODES = {\n".to_owned();
    for language in Language::ALL {
        text += &format!("  {}: {{\n", language.code());
        for codes in procurement_lookup::render::codes::ALL {
            for code in codes.codes {
                let key = format!("{}.{}", codes.field, code.code);
                text += &format!("    {key:?}: {:?},\n", code.words.to(language));
            }
        }
        text += "  },\n";
    }
    text + "};\n"
}

#[test]
fn codes_have_the_same_words_on_pages_and_in_workbooks() {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/web/codes.js");
    let words = words_of_codes();
    if is_golden("bless") {
        fs::write(&file, &words).unwrap();
    }
    assert_eq!(fs::read_to_string(file).unwrap(), words);
}

#[test]
fn the_page_preloads_what_the_first_view_needs() {
    let scripts = scripts();
    let imports = |name: &str| {
        let file = format!("{name}.js");
        let (_, script) = scripts.iter().find(|(known, _)| *known == file).unwrap();
        let lines = script.lines().filter(|line| line.starts_with("import {"));
        let names = lines.map(|line| {
            let (_, from) = line.split_once("\"./").unwrap();
            from.split_once(".js").unwrap().0.to_owned()
        });
        names.collect::<Vec<_>>()
    };
    // Everything that `page.js` imports when it starts, directly or indirectly.
    let mut needed = BTreeSet::new();
    let mut open = imports("page");
    while let Some(name) = open.pop() {
        if needed.insert(name.clone()) {
            open.extend(imports(&name));
        }
    }
    assert_eq!(BTreeSet::from(web::PRELOADED.map(str::to_owned)), needed);
}

#[test]
fn no_script_turns_text_into_markup_or_code() {
    let banned = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "createContextualFragment",
        "setHTML",
        "srcdoc",
        "cssText",
        "document.cookie",
    ];
    for (name, script) in scripts() {
        for word in banned {
            assert!(!script.contains(word), "{name}: {word}");
        }
        assert!(!script.contains("style:"), "{name}: a style attribute");
        // Browsers may throw when a script accesses storage that the user has blocked.
        let guards = ["storage.js", "early.js"].contains(&name.as_str());
        let names_storage = ["sessionStorage", "localStorage"].map(|word| script.contains(word));
        assert!(
            guards || names_storage == [false; 2],
            "{name}: storage past storage.js"
        );
    }
}

#[test]
fn the_page_works_in_its_language_without_scripts() {
    for (language, texts, words) in [
        (Language::Russian, "texts-ru.js", "Без JavaScript"),
        (Language::English, "texts-en.js", "Without JavaScript"),
    ] {
        let page = page(language);
        let code = language.code();
        assert!(page.contains(&format!("<html lang=\"{code}\">")), "{page}");
        assert!(page.contains(r#"content="{&quot;demo&quot;:&quot;&amp;&quot;}""#));
        let script = format!("<script type=\"module\" src=\"{}\"", web::path(texts));
        assert!(page.contains(&script), "{page}");
        assert!(page.starts_with("<!DOCTYPE html>") && page.contains("</form>"));
        let (_, without_scripts) = page.split_once("<noscript>").expect("it is there");
        let first = format!("<section lang=\"{code}\"><h1>{words}</h1>");
        assert!(without_scripts.starts_with(&first), "{without_scripts}");
        let reference = format!("<a href=\"/docs?lang={code}\">");
        assert!(without_scripts.contains(&reference), "{without_scripts}");
    }
}

#[test]
fn goods_classes_are_listed_below_their_section_in_code_order() {
    let table = include_str!("../../data/okpd2.tsv");
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(1)
        .map(|row| row.split('\t').collect())
        .collect();
    let codes: BTreeSet<&str> = rows.iter().map(|row| row[0]).collect();
    assert!(rows.is_sorted_by(|one, next| one[0] < next[0]));
    for row in &rows {
        let [code, name, english] = row[..] else {
            panic!("{row:?}");
        };
        let is_code = matches!(code.len(), 2 | 4 | 5) && code[..2].parse::<u8>().is_ok();
        assert!(is_code && name.len() > 3, "{row:?}");
        assert!(codes.contains(&code[..2]), "{code} has no class");
        assert_eq!(code.len() == 2, !english.is_empty(), "{row:?}");
    }
    assert_eq!(codes.iter().filter(|code| code.len() == 2).count(), 88);
}
