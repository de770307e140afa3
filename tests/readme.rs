//! The README is true: its tour shows what the program answers, and every option,
//! path, command and crate is named in it.

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

#[test]
fn the_tour_shows_real_answers_one_for_each_endpoint() {
    let readme = file("README.md");
    let day = Date::parse_iso("2026-11-21").expect("a date");
    let api = Api::new(DataSource::Bundled, KeyRing::empty(), Box::new(move || day));
    let mut answerer = Arc::new(api).answerer().expect("the bundled data");
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
        assert_eq!(body.trim_end(), below.join("\n"), "{target}");
        shown.extend(reply.note.endpoint);
    }
    for endpoint in Endpoint::ALL {
        assert!(
            shown.contains(&endpoint.path()),
            "no tour of {}",
            endpoint.path()
        );
    }
}

#[test]
fn every_option_and_command_is_named() {
    let readme = file("README.md");
    let main = help(&[]);
    let listed = main.split("Commands:").nth(1).expect("a list of commands");
    let commands: Vec<&str> = listed
        .lines()
        .map_while(|line| {
            if line.trim().is_empty() {
                None
            } else {
                Some(line)
            }
        })
        .chain(listed.lines().skip(1))
        .take_while(|line| !line.starts_with("Options"))
        .filter_map(|line| line.strip_prefix("  ")?.split(' ').next())
        .filter(|name| !name.is_empty() && *name != "help")
        .collect();
    assert!(
        commands.contains(&"serve") && commands.contains(&"check"),
        "{commands:?}"
    );
    for command in commands {
        assert!(
            readme.contains(&format!("`{command}")),
            "the command {command}"
        );
        let help = help(&[command]);
        let words = help.split([' ', '\n', ',', '[', ']', '=']);
        for option in words.filter(|word| word.starts_with("--") && word.len() > 2) {
            let option = option.trim_end_matches(['.', ';', ':', '`']);
            if !matches!(option, "--help" | "--version") {
                assert!(readme.contains(option), "{option} of {command}");
            }
        }
    }
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
