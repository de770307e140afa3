//! The sources follow the code map in the crate documentation: which top-level module ("room") may
//! import which others, and which names are confined to certain modules.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Each top-level module and the modules that it may import. `cli` and `main.rs` may import all.
const ROOMS: &[(&str, &[&str])] = &[
    ("http", &["api"]),
    ("api", &["render", "store", "web", "manual", "model"]),
    ("render", &["xml", "model"]),
    ("import", &["store", "xml", "zip", "model"]),
    ("fetch", &["xml", "zip", "model"]),
    ("store", &["model"]),
    ("web", &["model"]),
    ("manual", &["web", "model"]),
    ("xml", &[]),
    ("zip", &[]),
    ("model", &[]),
];

/// Names that may occur only in certain modules or files.
const KEPT: &[(&str, &[&str])] = &[
    ("tiny_http", &["http"]),
    ("httparse", &["http"]),
    ("rustix", &["http", "cli", "store"]),
    ("rusqlite", &["store"]),
    ("rayon", &["import"]),
    ("rawzip", &["zip"]),
    ("rust_xlsxwriter", &["render/as_xlsx"]),
    // Only workbooks use floating point, because they have no other number type. An amount is
    // stored as a number only if the conversion preserves every digit, and otherwise as text.
    ("f64", &["render/as_xlsx"]),
    ("f32", &[]),
    ("quick_xml", &["xml"]),
    ("ureq", &["fetch"]),
    ("rustls", &["fetch", "store/postgresql"]),
    ("ring::signature", &["api/response/signing_key"]),
    ("ring::digest", &["model/sha256"]),
    ("md5::", &["render/card"]),
    ("tokio", &["store/postgresql/client"]),
    ("futures_util", &["store/postgresql/client"]),
    ("psl2", &["fetch"]),
    ("clap", &["cli"]),
    ("clap_complete", &["cli/completions"]),
    ("clap_mangen", &["cli/man_pages"]),
    ("pulldown_cmark", &["manual"]),
    ("std::env", &["cli", "main"]),
    ("process::exit", &["cli", "main"]),
    ("println!", &["cli", "main"]),
    ("SystemTime::now", &["cli", "http", "store"]),
    ("Costomer", &["render", "model/contract"]),
    ("canceld", WIRE),
    ("preferense", WIRE),
    ("mposibility", WIRE),
    ("deliveriPlace", WIRE),
    ("supplierIName", WIRE),
];

/// Modules in which the misspelt names of the wire format may occur. Document readers name the
/// fields that they fill, and some documents contain the same misspellings.
const WIRE: &[&str] = &["render", "model/card_fields", "import/eis"];

fn sources() -> Vec<(String, String)> {
    fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    collect(&root, &mut found);
    let read = |path: PathBuf| {
        let name = path
            .strip_prefix(&root)
            .expect("under src")
            .to_string_lossy()
            .into_owned();
        (name, fs::read_to_string(&path).expect("a source"))
    };
    found.into_iter().map(read).collect()
}

/// Returns the source without comments and tests.
fn code(source: &str) -> String {
    // If the tests are in a separate file, code may follow their declaration.
    let source = source.replace("#[cfg(test)]\nmod tests;", "");
    let without_tests = source
        .split("#[cfg(test)]\nmod test")
        .next()
        .unwrap_or_default();
    // In a string such as `http://host`, `//` does not start a comment.
    let code = |line: &str| {
        let comment = line
            .match_indices("//")
            .map(|(at, _)| at)
            .find(|at| !line[..*at].ends_with(':'));
        line[..comment.unwrap_or(line.len())].to_owned()
    };
    without_tests
        .lines()
        .map(code)
        .collect::<Vec<_>>()
        .join("\n")
}

fn room_of(file: &str) -> &str {
    file.split('/')
        .next()
        .unwrap_or_default()
        .trim_end_matches(".rs")
}

/// Returns the top-level modules that the code imports as `crate::NAME` or in `crate::{NAME…}`.
fn imports(code: &str) -> Vec<String> {
    let name = |text: &str| -> String {
        let part = text.trim_start().chars();
        part.take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect()
    };
    let mut rooms = Vec::new();
    for rest in code.split("crate::").skip(1) {
        let Some(group) = rest.strip_prefix('{') else {
            rooms.push(name(rest));
            continue;
        };
        rooms.push(name(group));
        let mut depth = 1;
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => rooms.push(name(&group[at + 1..])),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    rooms
}

/// Returns whether a chain of `super::` leads out of the top-level module.
fn leaves_by_super(file: &str, code: &str) -> bool {
    let within = file.matches('/').count() - usize::from(file.ends_with("/mod.rs"));
    code.contains(&"super::".repeat(within + 1))
}

fn violations(file: &str, source: &str) -> Vec<String> {
    let code = code(source);
    let room = room_of(file);
    let mut found = Vec::new();
    if let Some((_, allowed)) = ROOMS.iter().find(|(name, _)| *name == room) {
        for import in imports(&code) {
            let other_room = import != room && ROOMS.iter().any(|(name, _)| *name == import);
            if (other_room && !allowed.contains(&import.as_str())) || import == "cli" {
                found.push(format!("{file} imports {import}"));
            }
        }
    }
    if leaves_by_super(file, &code) {
        found.push(format!("{file} leaves its room by super"));
    }
    for (word, places) in KEPT {
        let kept = places.iter().any(|place| {
            room == *place
                || file.starts_with(&format!("{place}/"))
                || file == format!("{place}.rs")
        });
        if !kept && code.contains(word) {
            found.push(format!("{file} names {word}"));
        }
    }
    found
}

/// Returns the dependencies between siblings within a folder: the folder, the file or subfolder
/// that contains `super::`, and the one that it names.
fn names(file: &str, code: &str) -> Vec<(String, String, String)> {
    let path: Vec<&str> = file.trim_end_matches(".rs").split('/').collect();
    let path = path.strip_suffix(&["mod"]).unwrap_or(&path);
    let mut found = Vec::new();
    for (at, _) in code.match_indices("super::") {
        let rest = &code[at..];
        // Only the first `super::` of a chain is evaluated.
        if code[..at].ends_with("super::") {
            continue;
        }
        let target = rest.trim_start_matches("super::");
        let up = (rest.len() - target.len()) / "super::".len();
        let named: String = target
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        if let Some((from, folder)) = path[..=path.len().saturating_sub(up)].split_last() {
            found.push((folder.join("/"), (*from).to_owned(), named));
        }
    }
    found
}

/// Returns the files and folders that are part of a circular dependency.
fn circles(sources: &[(String, String)]) -> Vec<String> {
    let mut edges: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (file, source) in sources.iter().filter(|(file, _)| !is_tests(file)) {
        for (folder, from, to) in names(file, &code(source)) {
            let is_there = |name: &str| {
                let node = format!("{folder}/{name}");
                sources.iter().any(|(file, _)| {
                    *file == format!("{node}.rs") || file.starts_with(&format!("{node}/"))
                })
            };
            if from != to && is_there(&to) {
                let node = |name: &str| format!("{folder}/{name}");
                edges.entry(node(&from)).or_default().insert(node(&to));
            }
        }
    }
    let reaches = |start: &String| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(node) = open.pop() {
            for next in edges.get(node).into_iter().flatten() {
                if seen.insert(next) {
                    open.push(next);
                }
            }
        }
        seen.contains(start)
    };
    edges.keys().filter(|node| reaches(node)).cloned().collect()
}

#[test]
fn no_files_depend_on_each_other_circularly() {
    assert_eq!(circles(&sources()), Vec::<String>::new());
}

#[test]
fn a_circular_dependency_is_found() {
    let files = [
        ("store/a.rs", "use super::b::B;"),
        ("store/b.rs", "use super::lines::C;"),
        ("store/lines/c.rs", "use super::super::a::A;"),
        ("store/d.rs", "use super::a::A;"),
    ];
    let files = files.map(|(file, code)| (file.to_owned(), code.to_owned()));
    assert_eq!(circles(&files), ["store/a", "store/b", "store/lines"]);
}

/// Test modules in separate files may import any module.
fn is_tests(file: &str) -> bool {
    file.ends_with("/tests.rs") || file.contains("/tests/")
}

#[test]
fn every_source_file_follows_the_table() {
    let sources = sources();
    assert!(sources.len() > 40, "the sources were not found");
    let found: Vec<String> = sources
        .iter()
        .filter(|(file, _)| !is_tests(file))
        .flat_map(|(file, source)| violations(file, source))
        .collect();
    assert!(found.is_empty(), "{found:#?}");
}

#[test]
fn every_top_level_module_is_in_the_table() {
    for (file, _) in sources() {
        let room = room_of(&file);
        let known = ROOMS.iter().any(|(name, _)| *name == room);
        assert!(known || matches!(room, "cli" | "main" | "lib"), "{file}");
    }
}

#[test]
fn a_violation_is_found() {
    let after_tests = "#[cfg(test)]\nmod tests;\nuse crate::cli;\n#[cfg(test)]\nmod tests {\n}";
    assert_eq!(
        violations("api/mod.rs", after_tests),
        ["api/mod.rs imports cli"]
    );
    // Each case has a file, its source, and the expected violation, if any.
    for case in [
        "store/a.rs | use crate::import::Summary; | imports import",
        "store/a.rs | use super::super::import::A; | leaves its room by super",
        "store/a.rs | use crate::model::Inn; // crate::import |",
        "http/mod.rs | use crate::{api::Response, store}; | imports store",
        "http/mod.rs | use crate::{api::{Response, Request}, store}; | imports store",
        "model/a.rs | fn f() -> crate::xml::X {} | imports xml",
        "api/mod.rs | let c = rusqlite::Connection; | names rusqlite",
        "import/eis/mod.rs | \"terminationCostomer\" | names Costomer",
        "model/card_fields.rs | \"canceld\" |",
        "render/mod.rs | let x: f64 = 1.0; | names f64",
    ] {
        let parts: Vec<&str> = case.split('|').map(str::trim).collect();
        let [file, source, wrong] = parts[..] else {
            panic!("{case}");
        };
        let expected = Some(format!("{file} {wrong}")).filter(|_| !wrong.is_empty());
        assert_eq!(violations(file, source), Vec::from_iter(expected), "{case}");
    }
}

/// Returns the files of `data` that are compiled into the program.
fn included_data() -> BTreeSet<String> {
    let sources = sources();
    let includes = sources
        .iter()
        .flat_map(|(_, source)| source.split("include_").skip(1));
    let file = |text: &str| {
        let (path, _) = text.split_once("\")")?;
        let (_, file) = path.split_once("../data/")?;
        Some(file.to_owned())
    };
    includes.filter_map(file).collect()
}

#[test]
fn the_build_of_the_image_is_given_the_data_that_the_program_includes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let given = ["Dockerfile", "Dockerfile.dockerignore"].map(|file| {
        let path = root.join("scripts/deploy").join(file);
        fs::read_to_string(path).expect(file)
    });
    let included = included_data();
    assert!(included.len() >= 4, "{included:?}");
    for file in included {
        let all_tables = file.ends_with(".tsv").then_some("data/*.tsv");
        let named = format!("data/{file}");
        for text in &given {
            let is_given = all_tables.is_some_and(|pattern| text.contains(pattern));
            assert!(is_given || text.contains(&named), "{file}");
        }
    }
}
