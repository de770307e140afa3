//! The README is true, in both languages: its tour shows what the program answers, its
//! troubles have the program's words, its links lead somewhere, and every option, path,
//! command and crate is named in it.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use procurement_lookup::api::{Api, DataSource, Endpoint, Request};
use procurement_lookup::model::Date;
use procurement_lookup::store::KeyRing;

const PROMPT: &str = "$ curl -s 'http://127.0.0.1:8044";

fn file(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn help(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_procurement-lookup"))
        .args(arguments)
        .arg("--help")
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{arguments:?} --help");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// In each language the same is said of what a user needs.
const READMES: [&str; 2] = ["README.md", "README.ru.md"];

#[test]
fn the_tours_show_real_answers_one_for_each_endpoint() {
    let day = Date::parse_iso("2026-11-21").expect("a date");
    let api = Api::new(DataSource::Bundled, KeyRing::empty(), Box::new(move || day));
    let mut answerer = Arc::new(api).answerer().expect("the bundled data");
    for name in READMES {
        let readme = file(name);
        let mut shown = Vec::new();
        let lines: Vec<&str> = readme.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some(target) = line
                .strip_prefix(PROMPT)
                .and_then(|rest| rest.strip_suffix('\''))
            else {
                continue;
            };
            let request = Request {
                method: "GET",
                target,
                ..Request::default()
            };
            let reply = answerer.answer(&request);
            let below = lines[at + 1..].iter().take_while(|line| **line != "```");
            let below: Vec<&str> = below.copied().collect();
            let body = String::from_utf8_lossy(&reply.body).replace("\r\n", "\n");
            assert_eq!(body.trim_end(), below.join("\n"), "{name}: {target}");
            shown.extend(reply.note.endpoint);
        }
        for endpoint in Endpoint::ALL {
            let path = endpoint.path;
            assert!(shown.contains(&path), "{name}: no tour of {path}");
            let row = format!("| `{path}` |");
            assert!(readme.contains(&row), "{name}: no row of {path}");
        }
    }
}

/// The commands that a help text lists, without `help`.
fn commands_of(help: &str) -> Vec<String> {
    let Some((_, listed)) = help.split_once("Commands:\n") else {
        return Vec::new();
    };
    listed
        .lines()
        .take_while(|line| !line.trim().is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_option_and_command_is_named() {
    let readmes = READMES.map(|name| (name, file(name)));
    let mut asked = vec![Vec::new()];
    let mut told = 0;
    while let Some(command) = asked.pop() {
        let arguments: Vec<&str> = command.iter().map(String::as_str).collect();
        let help = help(&arguments);
        let words = help.split([' ', '\n', ',', '[', ']', '=']);
        for option in words.filter(|word| word.starts_with("--") && word.len() > 2) {
            let option = option.trim_end_matches(['.', ';', ':', '`']);
            if matches!(option, "--help" | "--version") {
                continue;
            }
            for (name, readme) in &readmes {
                assert!(readme.contains(option), "{name}: {option} of {command:?}");
            }
        }
        for below in commands_of(&help) {
            let command = [&command[..], &[below]].concat();
            for (name, readme) in &readmes {
                let words = format!("`{}", command.join(" "));
                assert!(readme.contains(&words), "{name}: the command {command:?}");
            }
            asked.push(command);
            told += 1;
        }
    }
    assert!(
        told >= 15,
        "the list of commands was not understood: {told}"
    );
}

/// The lines of a document that are no code.
fn prose(readme: &str) -> impl Iterator<Item = &str> {
    let mut in_code = false;
    readme.lines().filter(move |line| {
        let fence = line.starts_with("```");
        in_code ^= fence;
        !in_code && !fence
    })
}

/// How a heading is linked to: small letters and digits, `-` for each space.
fn anchors(readme: &str) -> Vec<String> {
    prose(readme)
        .filter_map(|line| line.trim_start_matches('#').strip_prefix(' '))
        .map(|heading| {
            let kept = heading.chars().filter_map(|c| match c {
                ' ' => Some('-'),
                '-' | '_' => Some(c),
                _ => c.is_alphanumeric().then_some(c),
            });
            kept.flat_map(char::to_lowercase).collect()
        })
        .collect()
}

#[test]
fn every_link_leads_somewhere() {
    for name in READMES {
        let readme = file(name);
        let mut links = 0;
        for line in prose(&readme) {
            // What stands between backquotes is code.
            let text: String = line.split('`').step_by(2).collect();
            for link in text.split("](").skip(1) {
                let (link, _) = link.split_once(')').expect("a link has an end");
                if link.starts_with("https://") {
                    continue;
                }
                let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
                let path = if path.is_empty() { name } else { path };
                let place = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
                assert!(place.exists(), "{name}: no {path}");
                if !anchor.is_empty() {
                    let there = anchors(&file(path));
                    let there = there.iter().any(|known| known == anchor);
                    assert!(there, "{name}: no #{anchor} in {path}");
                }
                links += 1;
            }
        }
        assert!(links > 0, "{name} leads nowhere");
    }
}

/// Between a heading and the next one that is as large.
fn section<'a>(readme: &'a str, heading: &str) -> &'a str {
    let start = format!("\n## {heading}\n");
    let (_, rest) = readme.split_once(&start).expect("a section");
    rest.split_once("\n## ")
        .map_or(rest, |(section, _)| section)
}

/// What stands between backquotes in the tables of a section.
fn quoted(section: &str) -> Vec<&str> {
    section
        .lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| line.split('`').skip(1).step_by(2))
        .collect()
}

#[test]
fn both_languages_name_the_same_fields_and_elements() {
    let (english, russian) = (file("README.md"), file("README.ru.md"));
    let russian = section(&russian, "Откуда берётся каждое поле");
    let english = section(&english, "Where each field comes from");
    let mut count = 0;
    for name in quoted(english) {
        // The first of them is told in words there; the flags of termination in full.
        let otherwise = matches!(name, "START..END" | "code-name") || name.starts_with('…');
        assert!(otherwise || russian.contains(name), "{name}");
        count += 1;
    }
    assert!(count > 150, "the tables were not understood: {count}");
}

#[test]
fn both_languages_name_the_same_troubles() {
    let (english, russian) = (file("README.md"), file("README.ru.md"));
    let russian = section(&russian, "Если что-то не так");
    let english = section(&english, "Troubleshooting");
    let first_cells = |section: &str| -> Vec<String> {
        let rows = section.lines().filter(|line| line.starts_with("| "));
        rows.map(|row| row.split(" | ").next().unwrap_or_default())
            .map(|cell| quoted(cell).join(" "))
            .filter(|cell| !cell.is_empty())
            .collect()
    };
    let rows = first_cells(english);
    assert_eq!(rows, first_cells(russian));
    assert!(rows.len() > 50, "the tables were not understood: {rows:?}");
}

#[test]
fn both_languages_have_the_same_recipes() {
    let recipes = |name: &str| -> Vec<String> {
        let readme = file(name);
        let parts = readme.split("```bash\n").skip(1);
        parts
            .filter_map(|part| Some(part.split_once("```")?.0.to_owned()))
            .collect()
    };
    let english = recipes("README.md");
    assert_eq!(english, recipes("README.ru.md"));
    assert!(!english.is_empty(), "no recipe");
}

#[test]
fn troubles_have_the_words_of_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (missing, text, settings) = (path("missing"), path("text"), path("settings"));
    let (lines, fresh, keys) = (path("lines.jsonl"), path("fresh"), path("keys"));
    fs::write(&text, "a text that is not empty").expect("written");
    fs::write(&settings, "NOTHING=1").expect("written");
    fs::write(&lines, "nonsense\n{}").expect("written");
    let here = folder.path().to_str().expect("UTF-8");
    let cases: [(&[&str], &str); 13] = [
        (
            &["check", "--database", &missing],
            "there is no such file; give the path of an existing one",
        ),
        (
            &["check", "--database", &text],
            "this is not a SQLite file; ",
        ),
        (
            &["check", "--database", here],
            "this is a folder; give the path of a file",
        ),
        (
            &[
                "lookup",
                "supplier",
                "9602007779",
                "--database",
                "/dev/null",
            ],
            "this is not a regular file",
        ),
        (
            &["import", "--database", here, &lines],
            "this is a folder; give the path of a file",
        ),
        (&["export", "--out", here], "is a folder; name a file"),
        (
            &["serve", "--settings", &settings],
            "serve has no such setting; ",
        ),
        (
            &["import", "--database", &fresh, &lines],
            "not a JSON object",
        ),
        (
            &["import", "--database", &fresh, &missing],
            "cannot be read: ",
        ),
        (
            &["export", "--what", "all", "--format", "csv"],
            "csv is one table: give --what contracts, rnp or suppliers",
        ),
        (
            &["export", "--supplier", "7707083893"],
            "nothing is known of a supplier with INN ",
        ),
        (
            &["lookup", "--verify", &text],
            "there is no receipt in it: ",
        ),
        (
            &["keys", "revoke", "nobody", "--keys", &keys],
            "nobody has no valid key; ",
        ),
    ];
    let issued = run(&["keys", "issue", "office", "--keys", &keys]);
    assert!(issued.status.success());
    let readmes = READMES.map(|name| (name, file(name)));
    for (arguments, words) in cases {
        let output = run(arguments);
        assert!(!output.status.success(), "{arguments:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(words), "{arguments:?}: {said}");
        for (name, readme) in &readmes {
            assert!(readme.contains(words), "{name}: {words}");
        }
    }
}

fn run(arguments: &[&str]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_procurement-lookup"))
        .args(arguments)
        .output()
        .expect("the program runs")
}

#[test]
fn every_dependency_has_its_line() {
    let (readme, manifest) = (file("README.md"), file("Cargo.toml"));
    let (_, dependencies) = readme.split_once("## Dependencies").expect("a section");
    let mut count = 0;
    let sections = manifest
        .split("\n[")
        .filter(|section| section.contains("dependencies]"));
    for line in sections.flat_map(|section| section.lines().skip(1)) {
        let Some((name, _)) = line.split_once(" = ") else {
            continue;
        };
        assert!(dependencies.contains(name), "{name}");
        count += 1;
    }
    assert!(count > 15, "the manifest was not understood: {count}");
}

/// Only with the documents at hand: the answer shown under "Real data".
#[test]
fn the_answer_from_real_documents_is_shown_as_it_is() {
    let Some(documents) = std::env::var_os("EIS_DOCUMENTS") else {
        eprintln!("skipped: EIS_DOCUMENTS is not set");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("real.sqlite");
    let documents = std::path::Path::new(&documents);
    let run = |arguments: &[&std::ffi::OsStr]| {
        let output = Command::new(env!("CARGO_BIN_EXE_procurement-lookup"))
            .args(arguments)
            .output()
            .expect("the program runs");
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let readme = file("README.md");
    let summary = run(&[
        "import".as_ref(),
        "--database".as_ref(),
        database.as_ref(),
        documents.as_ref(),
    ]);
    assert!(readme.contains(&summary), "{summary}");
    let answer = run(&[
        "lookup".as_ref(),
        "contracts".as_ref(),
        "0105070446".as_ref(),
        "--database".as_ref(),
        database.as_ref(),
    ]);
    assert!(readme.contains(&answer), "{answer}");
}
