//! The README is true, in both languages: its tour shows what the program answers, its
//! table of options is that of the program, its troubles have the program's words, its
//! links lead somewhere, and every path, command and crate is named in it.
//!
//! The table of options in English is written by
//!
//! ```sh
//! GOLDEN=bless cargo test --test program readme
//! ```
//!
//! and the Russian one by hand, row for row.

use std::fs;
use std::process::Command;
use std::sync::Arc;

use clap::{Arg, Command as Declared};
use procurement_lookup::api::{Api, DataSource, Endpoint, Request};
use procurement_lookup::cli;
use procurement_lookup::model::Date;
use procurement_lookup::store::KeyRing;

const PROMPT: &str = "$ curl -s 'http://127.0.0.1:8044";

fn file(path: &str) -> String {
    let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
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
            let response = answerer.answer(&request);
            let below = lines[at + 1..].iter().take_while(|line| **line != "```");
            let below: Vec<&str> = below.copied().collect();
            let body = String::from_utf8_lossy(&response.body).replace("\r\n", "\n");
            assert_eq!(body.trim_end(), below.join("\n"), "{name}: {target}");
            shown.extend(response.note.endpoint);
        }
        for endpoint in Endpoint::ALL {
            let path = endpoint.path;
            assert!(shown.contains(&path), "{name}: no tour of {path}");
            let row = format!("| `{path}` |");
            assert!(readme.contains(&row), "{name}: no row of {path}");
        }
    }
}

/// Each command below `command` by its whole name, such as `keys issue`.
fn commands(command: &Declared, above: &str) -> Vec<(String, Declared)> {
    let named = |below: &Declared| {
        let name = format!("{above} {}", below.get_name()).trim().to_owned();
        let mut all = vec![(name.clone(), below.clone())];
        all.extend(commands(below, &name));
        all
    };
    command.get_subcommands().flat_map(named).collect()
}

#[test]
fn every_command_is_named() {
    let all = commands(&cli::command(), "");
    assert!(all.len() >= 15, "{all:?}");
    for name in READMES {
        let readme = file(name);
        for (command, _) in &all {
            assert!(readme.contains(&format!("`{command}")), "{name}: {command}");
        }
    }
}

/// A row of the table of options: what stands on the command line, of which commands, the
/// default, what for.
type Row = [String; 4];

fn row(command: &str, option: &Arg) -> Option<Row> {
    let mut shown = format!("`--{}", option.get_long()?);
    let takes_value = option.get_action().takes_values();
    for name in option
        .get_value_names()
        .filter(|_| takes_value)
        .into_iter()
        .flatten()
    {
        shown += &format!(" {name}");
    }
    let help = option
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    // A default that is not of clap is told in the help.
    let (help, default) = match help.split_once(" [default: ") {
        Some((help, default)) => (help.to_owned(), default.trim_end_matches(']').to_owned()),
        None => (help, String::new()),
    };
    let mut help = help;
    let mut default = default;
    if takes_value {
        let values: Vec<_> = option.get_default_values().iter().collect();
        if let [value] = values.as_slice() {
            default = format!("`{}`", value.to_string_lossy());
        }
        let possible = option.get_possible_values();
        let possible: Vec<_> = possible.iter().map(|value| value.get_name()).collect();
        if !possible.is_empty() {
            help += &format!(": `{}`", possible.join("`, `"));
        }
    }
    let row = [shown + "`", format!("`{command}`"), default, help];
    Some(row.map(|cell| cell.replace('|', "\\|")))
}

/// The options of all commands; those that are the same have one row.
fn options() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (name, command) in commands(&cli::command(), "") {
        for new in command
            .get_arguments()
            .filter_map(|option| row(&name, option))
        {
            let same = |old: &&mut Row| [&old[0], &old[2], &old[3]] == [&new[0], &new[2], &new[3]];
            match rows.iter_mut().find(same) {
                Some(old) => old[1] += &format!(", {}", new[1]),
                None => rows.push(new),
            }
        }
    }
    rows
}

const OPTIONS: [&str; 2] = ["<!-- options -->\n", "<!-- end of options -->\n"];

/// A document before, in and after its table of options.
fn around_options(readme: &str) -> [&str; 3] {
    let (before, rest) = readme.split_once(OPTIONS[0]).expect("the table of options");
    let (table, after) = rest.split_once(OPTIONS[1]).expect("its end");
    [before, table, after]
}

#[test]
fn the_table_of_options_is_that_of_the_program() {
    let readme = file("README.md");
    let [before, table, after] = around_options(&readme);
    let mut expected = "| option | of | default | what for |\n|---|---|---|---|\n".to_owned();
    for row in options() {
        expected += &format!("| {} |\n", row.join(" | "));
    }
    if std::env::var("GOLDEN").is_ok_and(|value| value == "bless") {
        let readme = [before, OPTIONS[0], &expected, OPTIONS[1], after].concat();
        let path = format!("{}/README.md", env!("CARGO_MANIFEST_DIR"));
        fs::write(path, readme).expect("written");
        return;
    }
    assert_eq!(table, expected, "GOLDEN=bless writes it");
}

#[test]
fn the_russian_table_of_options_has_the_same_rows() {
    let readme = file("README.ru.md");
    let [_, table, _] = around_options(&readme);
    let rows: Vec<Vec<&str>> = table
        .lines()
        .skip(2)
        .map(|line| line.trim_matches(['|', ' ']).split(" | ").collect())
        .collect();
    let options = options();
    for (row, [option, of, default, _]) in rows.iter().zip(&options) {
        assert_eq!(row.len(), 4, "{row:?}");
        assert_eq!(row[..2], [option, of], "{row:?}");
        // A default in words is translated.
        let is_value = default.is_empty() || default.starts_with('`');
        assert!(!is_value || row[2] == default, "{row:?}: {default}");
        let russian = row[3].chars().filter(|c| ('а'..='я').contains(c)).count();
        assert!(russian > 5, "{row:?}");
    }
    assert_eq!(rows.len(), options.len());
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
    let (missing, text) = (path("missing"), path("text"));
    let (lines, fresh, keys) = (path("lines.jsonl"), path("fresh"), path("keys"));
    fs::write(&text, "a text that is not empty").expect("written");
    fs::write(&lines, "nonsense\n{}").expect("written");
    let here = folder.path().to_str().expect("UTF-8");
    let cases: [(&[&str], &str); 12] = [
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
