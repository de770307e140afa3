//! The generated parts of the manual: tables built from tables in the program. To rewrite them:
//!
//! ```sh
//! GOLDEN=bless cargo test generated
//! ```
//!
//! Some descriptions exist in the program in only one language. For the other language, the test
//! keeps the wording that the manual already has in the row of the same name. If there is none, the
//! test fails and names the row.

use std::fs;

use clap::{Arg, Command};
use procurement_lookup::api::Endpoint;
use procurement_lookup::api::described::errors;
use procurement_lookup::cli;
use procurement_lookup::manual::CHAPTERS;
use procurement_lookup::model::Language;
use procurement_lookup::render::schema::answers;

use super::sources::{self, SUBJECTS};
use super::tables::Table;
use super::{file_of, read, root};
use crate::released::is_golden;

/// Markers around a generated part.
const START: &str = "<!-- generated: ";
const END: &str = "<!-- /generated -->";

/// Returns the generated table in a language. Words that the program does not have in that language
/// are taken from `text`, the existing table. Fails with the names of the rows that lack words.
fn table(name: &str, language: Language, text: &Table) -> Result<Table, Vec<String>> {
    match name {
        "options" => options(language, text),
        "errors" => Ok(errors_table(language)),
        "schemas" => Ok(schemas(language)),
        "metrics" => metrics(language, text),
        "kinds" => Ok(sources::kinds(language)),
        "kinds not read" => Ok(sources::kinds_not_read(language)),
        "fetched types" => fetched_types(language, text),
        "fields party" => Ok(sources::party(language)),
        _ => {
            let part = SUBJECTS.iter().find(|(part, ..)| *part == name);
            let (_, subject, answer) = part.unwrap_or_else(|| panic!("nothing generates {name}"));
            Ok(sources::fields(*subject, *answer, language))
        }
    }
}

/// Returns the cell in the given column of the row that starts with `start`.
fn words(text: &Table, start: &[&str], column: usize) -> Option<String> {
    let cell = text.row(start)?.get(column)?;
    (!cell.is_empty()).then(|| cell.clone())
}

/// Groups of documents that can be fetched. The descriptions come from the existing table.
fn fetched_types(language: Language, text: &Table) -> Result<Table, Vec<String>> {
    let names = language.pick(
        ["`--what`", "документы", "видов"],
        ["`--what`", "documents", "types"],
    );
    let (mut table, mut missing) = (Table::new(&names), Vec::new());
    for (part, types) in cli::fetched_parts() {
        let part = format!("`{part}`");
        match words(text, &[&part], 1) {
            Some(words) => table.rows.push(vec![part, words, types.to_string()]),
            None => missing.push(part),
        }
    }
    match missing.is_empty() {
        true => Ok(table),
        false => Err(missing),
    }
}

fn errors_table(language: Language) -> Table {
    let names = language.pick(
        [
            "код",
            "текст",
            "HTTP: контракты, закупки",
            "HTTP: прочее и `errors=http`",
            "что значит",
            "что делать",
        ],
        [
            "code",
            "text",
            "HTTP: contracts, purchases",
            "HTTP: others, and `errors=http`",
            "what it means",
            "what to do",
        ],
    );
    let mut table = Table::new(&names);
    table.rows = errors(language).into_iter().map(Vec::from).collect();
    table
}

/// Schemas of responses, and the endpoints that return them.
fn schemas(language: Language) -> Table {
    let names = language.pick(["NAME", "чей ответ"], ["NAME", "answers of"]);
    let mut table = Table::new(&names);
    for answer in answers() {
        let endpoints = Endpoint::ALL
            .into_iter()
            .filter(|endpoint| endpoint.schemas().any(|schema| schema.file == answer.file));
        let paths: Vec<String> = endpoints.map(|one| format!("`{}`", one.path)).collect();
        // The schema of errors belongs to no endpoint.
        if !paths.is_empty() {
            let name = format!("`{}`", answer.file);
            table.rows.push(vec![name, paths.join(", ")]);
        }
    }
    table
}

/// Metric families, as declared in the output of `/metrics`, which a unit test pins.
fn metrics(language: Language, text: &Table) -> Result<Table, Vec<String>> {
    let names = language.pick(
        ["показатель", "вид", "метки", "что это"],
        ["metric", "type", "labels", "what"],
    );
    let exposition = read("src/http/metrics/golden.txt");
    let (mut table, mut missing) = (Table::new(&names), Vec::new());
    for family in exposition.split("# HELP ").skip(1) {
        let (name, rest) = family.split_once(' ').expect("a name");
        let (help, rest) = rest.split_once('\n').expect("a line");
        let (declared, samples) = rest.split_once('\n').expect("a type");
        let kind = declared.rsplit(' ').next().expect("a type");
        let name = format!("`{name}`");
        let words = match language {
            Language::English => Some(help.to_owned()),
            Language::Russian => words(text, &[&name], names.len() - 1),
        };
        match words {
            Some(words) => table
                .rows
                .push(vec![name, kind.to_owned(), labels(samples), words]),
            None => missing.push(name),
        }
    }
    if missing.is_empty() {
        Ok(table)
    } else {
        Err(missing)
    }
}

/// Returns the label names of a family's samples. The bucket bounds of histograms are left out.
fn labels(samples: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    for sample in samples.lines() {
        let labels = sample
            .split_once('{')
            .and_then(|(_, rest)| rest.split_once('}'));
        let labels = labels.map_or("", |(labels, _)| labels);
        for (name, _) in labels
            .split("\",")
            .filter_map(|label| label.split_once('='))
        {
            let name = format!("`{name}`");
            if name != "`le`" && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.join(", ")
}

/// Returns all subcommands of `command`, keyed by full names such as `keys issue`.
fn commands(command: &Command, above: &str) -> Vec<(String, Command)> {
    let named = |below: &Command| {
        let name = format!("{above} {}", below.get_name()).trim().to_owned();
        let mut all = vec![(name.clone(), below.clone())];
        all.extend(commands(below, &name));
        all
    };
    command.get_subcommands().flat_map(named).collect()
}

/// Returns the English table row of an option: its syntax, its command, its default and its
/// purpose.
fn option_row(command: &str, option: &Arg) -> Option<[String; 4]> {
    let mut shown = format!("`--{}", option.get_long()?);
    let takes_value = option.get_action().takes_values();
    let names = option.get_value_names().filter(|_| takes_value);
    for name in names.into_iter().flatten() {
        shown += &format!(" {name}");
    }
    let help = option
        .get_help()
        .map(ToString::to_string)
        .unwrap_or_default();
    // The help text contains defaults that clap does not know.
    let (mut help, mut default) = match help.split_once(" [default: ") {
        Some((help, default)) => (help.to_owned(), default.trim_end_matches(']').to_owned()),
        None => (help, String::new()),
    };
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
    Some([shown + "`", format!("`{command}`"), default, help])
}

/// Returns the options of all commands in English. Identical options share a row.
fn english_options() -> Vec<[String; 4]> {
    let mut rows: Vec<[String; 4]> = Vec::new();
    for (name, command) in commands(&cli::command(), "") {
        let new = command
            .get_arguments()
            .filter_map(|option| option_row(&name, option));
        for new in new {
            let is_same =
                |old: &&mut [String; 4]| [&old[0], &old[2], &old[3]] == [&new[0], &new[2], &new[3]];
            match rows.iter_mut().find(is_same) {
                Some(old) => old[1] += &format!(", {}", new[1]),
                None => rows.push(new),
            }
        }
    }
    rows
}

/// Returns the existing row of an option. The row may list fewer commands than there are now.
fn row_of<'t>(text: &'t Table, option: &str, commands: &str) -> Option<&'t Vec<String>> {
    let commands: Vec<&str> = commands.split(", ").collect();
    text.rows.iter().find(|row| match row.as_slice() {
        [name, old, ..] => name == option && old.split(", ").all(|one| commands.contains(&one)),
        _ => false,
    })
}

fn options(language: Language, text: &Table) -> Result<Table, Vec<String>> {
    let names = language.pick(
        ["параметр", "команда", "по умолчанию", "для чего"],
        ["option", "of", "default", "what for"],
    );
    let (mut table, mut missing) = (Table::new(&names), Vec::new());
    for row in english_options() {
        if language == Language::English {
            table.rows.push(row.into());
            continue;
        }
        let [option, of, default, _] = row;
        let old = row_of(text, &option, &of);
        let words = |column: usize| old.and_then(|row| row.get(column)).cloned();
        // Defaults that are described in words come from the existing table. Literal values, and
        // options without a default, need no translation.
        let is_value = default.is_empty() || default.starts_with('`');
        let default = if is_value { Some(default) } else { words(2) };
        match (default, words(3).filter(|help| !help.is_empty())) {
            (Some(default), Some(help)) => table.rows.push(vec![option, of, default, help]),
            _ => missing.push(format!("{option} of {of}")),
        }
    }
    if missing.is_empty() {
        Ok(table)
    } else {
        Err(missing)
    }
}

/// Regenerates the generated parts of a file. Returns the new content and the problems found.
fn regenerated(file: &str, language: Language) -> (String, Vec<String>) {
    let text = read(file);
    let (mut out, mut faults) = (String::new(), Vec::new());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(START) {
        let (before, part) = rest.split_at(at);
        let (marker, part) = part.split_once('\n').expect("a marker is a line");
        let name = marker.trim_start_matches(START).trim_end_matches(" -->");
        let (there, after) = part.split_once(END).expect("the end of a generated part");
        out += &format!("{before}{marker}\n");
        let there_table = Table::parse(there);
        match table(name, language, &there_table) {
            Ok(expected) if expected == there_table => out += there,
            Ok(expected) => {
                faults.push(format!("{file}: {name} is not as the program has it"));
                out += &expected.lines();
            }
            Err(missing) => {
                let missing = missing.join("\n  ");
                faults.push(format!("{file}: {name}: no words for\n  {missing}"));
                out += there;
            }
        }
        out += END;
        rest = after;
    }
    (out + rest, faults)
}

#[test]
fn generated_tables_are_current() {
    let bless = is_golden("bless");
    let mut all = Vec::new();
    for language in Language::ALL {
        for chapter in CHAPTERS {
            let file = file_of(chapter.topic, language);
            let (text, mut faults) = regenerated(&file, language);
            if bless {
                fs::write(root().join(&file), text).expect("written");
                faults.retain(|fault| fault.contains("no words"));
            }
            all.extend(faults);
        }
    }
    assert!(
        all.is_empty(),
        "{}\nGOLDEN=bless writes what can be written",
        all.join("\n")
    );
}

#[test]
fn every_generated_table_is_used() {
    let texts = CHAPTERS
        .iter()
        .map(|chapter| chapter.text(Language::English));
    let text = texts.collect::<Vec<_>>().concat();
    let others = [
        "options",
        "errors",
        "schemas",
        "metrics",
        "kinds",
        "kinds not read",
        "fields party",
    ];
    let fields = SUBJECTS.iter().map(|(part, ..)| *part);
    for name in others.into_iter().chain(fields) {
        let marker = format!("\n{START}{name} -->\n");
        assert_eq!(text.matches(&marker).count(), 1, "{name}");
    }
}
