//! The files of the lookup page, as far as they can be judged without a browser; what they
//! do in one is tested by `scripts/try-page`.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use procurement_lookup::web;

/// The page's own files: those of the reference at `/docs` are judged where it is tested.
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
        .filter(|(name, _)| {
            let described = name.starts_with("reference") || name.starts_with("docs");
            !described && !name.ends_with(".rs")
        })
        .collect();
    files.sort();
    assert!(files.len() > 10, "the page has files");
    files
}

fn scripts() -> Vec<(String, String)> {
    let mut files = files();
    files.retain(|(name, _)| name.ends_with(".js"));
    files
}

/// The keys of a file of texts, with the placeholders in each text: `key {n}`.
fn keys(name: &str) -> BTreeSet<String> {
    let all = files();
    let (_, text) = all.iter().find(|(file, _)| file == name).unwrap();
    let entries = text.lines().filter_map(|line| line.strip_prefix("  "));
    entries
        .map(|line| {
            let (key, said) = line
                .strip_prefix('"')
                .and_then(|line| line.split_once("\": "))
                .or_else(|| line.split_once(": "))
                .unwrap_or_else(|| panic!("{name}: {line}"));
            let mut filled: Vec<_> = said
                .split('{')
                .filter_map(|part| part.split_once('}'))
                .map(|(placeholder, _)| placeholder)
                .filter(|placeholder| placeholder.chars().all(char::is_alphanumeric))
                .collect();
            filled.sort_unstable();
            filled.dedup();
            format!("{key} {filled:?}")
        })
        .collect()
}

#[test]
fn every_text_is_there_in_both_languages_with_the_same_placeholders() {
    let (russian, english) = (keys("texts-ru.js"), keys("texts-en.js"));
    assert!(russian.len() > 250, "{} keys", russian.len());
    let differing: Vec<_> = russian.symmetric_difference(&english).collect();
    assert!(differing.is_empty(), "{differing:?}");
}

#[test]
fn every_text_that_a_script_names_is_there() {
    let known: BTreeSet<String> = keys("texts-ru.js")
        .iter()
        .filter_map(|key| key.split(' ').next().map(str::to_owned))
        .collect();
    let mut named = 0;
    for (file, script) in scripts() {
        for call in ["t(\"", "forms(\""] {
            for rest in script.split(call).skip(1) {
                let Some((key, _)) = rest.split_once('"') else {
                    continue;
                };
                if key.contains(['.', '/']) && !key.contains(['/', ' ']) {
                    named += 1;
                    assert!(known.contains(key), "{file}: {key}");
                }
            }
        }
    }
    assert!(named > 100, "{named} texts are named");
}

#[test]
fn every_file_is_part_of_the_program() {
    for (name, text) in files() {
        if name != "index.html" {
            let served = web::assets().find(|(known, _)| *known == name);
            let (_, asset) = served.unwrap_or_else(|| panic!("{name} is not served"));
            assert_eq!(asset.body, text, "{name}");
        }
    }
}

#[test]
fn what_is_loaded_after_the_first_paint_is_what_the_first_view_needs() {
    let (_, start) = scripts()
        .into_iter()
        .find(|(n, _)| n == "start.js")
        .unwrap();
    let (_, list) = start.split_once("of [").unwrap();
    let (list, _) = list.split_once(']').unwrap();
    let named: BTreeSet<String> = list
        .split(", ")
        .map(|name| name.trim_matches(['"', '`']).replace("${language}", "ru"))
        .collect();
    // What `page.js` imports at its start, and what that imports.
    let mut needed = BTreeSet::from(["texts-ru".to_owned()]);
    let mut open = vec!["page".to_owned()];
    while let Some(name) = open.pop() {
        let (_, script) = scripts()
            .into_iter()
            .find(|(file, _)| *file == format!("{name}.js"))
            .unwrap_or_else(|| panic!("{name}.js"));
        for line in script.lines().filter(|line| line.starts_with("import {")) {
            let (_, from) = line.split_once("\"./").unwrap();
            let (imported, _) = from.split_once(".js").unwrap();
            if needed.insert(imported.to_owned()) {
                open.push(imported.to_owned());
            }
        }
    }
    assert_eq!(named, needed);
}

#[test]
fn no_file_asks_for_anything_elsewhere() {
    for (name, text) in files() {
        let text = text
            .replace("http://www.w3.org/2000/svg", "")
            .replace("http://127.0.0.1:8044/", "");
        for elsewhere in ["http://", "https://", "ws://", "wss://", "@import"] {
            // A pattern of addresses, as `/^https?:\/\//`, has no `://` in it.
            assert!(!text.contains(elsewhere), "{name}: {elsewhere}");
        }
    }
}

#[test]
fn nothing_makes_markup_or_code_of_text() {
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
        "localStorage",
        "document.cookie",
    ];
    for (name, script) in scripts() {
        for word in banned {
            assert!(!script.contains(word), "{name}: {word}");
        }
        assert!(!script.contains("style:"), "{name}: a style attribute");
    }
}

#[test]
fn the_page_has_no_script_style_or_handler_within_it() {
    let all = files();
    let (_, page) = all.iter().find(|(name, _)| name == "index.html").unwrap();
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap_or_default();
        assert!(!tag.contains(" style="), "{tag}");
        assert!(!tag.contains(" on"), "{tag}");
        if tag.starts_with("script") {
            assert!(tag.contains("src=\"/web/"), "{tag}");
        }
        assert!(!tag.starts_with("style"), "{tag}");
    }
    assert!(
        page.contains("lang=\"ru\">\n<head>"),
        "the place of the language"
    );
}

#[test]
fn the_page_comes_with_its_start() {
    use procurement_lookup::model::Language;

    for (language, words) in [
        (Language::Russian, "Данные обновлены 01.01.1970, 03:01"),
        (Language::English, "Data updated 1 Jan 1970, 03:01"),
    ] {
        for demo in [false, true] {
            let shown = web::Shown { demo, updated: 60 };
            let (_, page) = web::page(language, shown, r#"{"demo":"&"}"#);
            assert!(page.contains("content=\"{&quot;demo&quot;:&quot;&amp;&quot;}\""));
            assert!(page.contains(&format!("<html lang=\"{}\">", language.code())));
            assert!(page.contains(words), "{page}");
            assert_eq!(page.contains("9602000445</span>"), demo, "{page}");
            for part in ["id=\"skip\"", "<header id=", "<main id=", "<footer id="] {
                assert_eq!(page.matches(part).count(), 1, "{part}");
            }
            for open in ["{version}", "{updated}", "<script>", " style=", " onclick"] {
                assert!(!page.contains(open), "{open}");
            }
        }
    }
}

#[test]
fn amounts_do_not_become_floating_point_numbers() {
    for (name, script) in scripts() {
        for word in ["parseFloat", "toFixed", "Intl.NumberFormat", "Math.round"] {
            assert!(!script.contains(word), "{name}: {word}");
        }
    }
}
