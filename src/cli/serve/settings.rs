//! The settings file: what the environment variables say, in a file that is read
//! again on SIGHUP.
//!
//! There is no second list of options here: the command itself tells which option a
//! variable stands for, and checks its value as if it stood on the command line.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, CommandFactory, FromArgMatches};

use super::Args;
use crate::cli::Cli;

/// The longest settings file that is read, in bytes.
const MAX_FILE: u64 = 64 * 1024;

/// Each option's name, as `grace`, and its values as they were written, those of
/// defaults included.
pub type Written = BTreeMap<String, Vec<OsString>>;

/// What the command line, the environment and the settings file say together; of two,
/// the one named first here counts. `command_line` begins with the program's name.
///
/// # Errors
/// A sentence: what is wrong, in which file and line, and what to do.
pub fn read(command_line: &[OsString]) -> Result<Args, String> {
    let given = parse(command_line)?;
    let Some(file) = given.get_one::<PathBuf>("settings") else {
        return args(&given);
    };
    let text = read_file(file)?;
    let after_command = command_line
        .iter()
        .position(|argument| argument == COMMAND)
        .map_or(command_line.len(), |at| at + 1);
    let mut all = command_line.to_vec();
    let from_file = arguments(&given, file, &text)?;
    all.splice(after_command..after_command, from_file);
    let given = parse(&all).map_err(|error| format!("{}: {error}", file.display()))?;
    args(&given)
}

fn args(given: &ArgMatches) -> Result<Args, String> {
    let mut args = Args::from_arg_matches(given).map_err(|error| reason(&error))?;
    let written = |option: &Arg| {
        let values = given.try_get_raw(option.get_id().as_str()).ok()??;
        let name = option.get_long()?.to_owned();
        Some((name, values.map(OsStr::to_owned).collect()))
    };
    args.life.written = command().get_arguments().filter_map(written).collect();
    Ok(args)
}

/// The names of the options that differ.
pub fn differing(old: &Written, new: &Written) -> Vec<String> {
    let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let differ = |name: &&String| old.get(*name) != new.get(*name);
    names.into_iter().filter(differ).cloned().collect()
}

const COMMAND: &str = "serve";

/// The command `serve`, with what clap knows of its options.
fn command() -> clap::Command {
    let program = Cli::command();
    program.find_subcommand(COMMAND).cloned().unwrap_or(program)
}

fn parse(command_line: &[OsString]) -> Result<ArgMatches, String> {
    let all = Cli::command()
        .try_get_matches_from(command_line)
        .map_err(|error| reason(&error))?;
    let given = all.subcommand_matches(COMMAND).cloned();
    given.ok_or_else(|| "the command is not serve".to_owned())
}

/// clap's sentence, without what it says to a person at a terminal.
fn reason(error: &clap::Error) -> String {
    let text = error.to_string();
    let first = text.split("\n\n").next().unwrap_or_default();
    let words: Vec<&str> = first.split_whitespace().collect();
    let words = words.join(" ");
    words.strip_prefix("error: ").unwrap_or(&words).to_owned()
}

fn read_file(path: &Path) -> Result<String, String> {
    let name = path.display();
    let wrong = |error: std::io::Error| format!("{name}: {error}; --settings names this file");
    // A pipe could be read once only, and would keep who reads it waiting.
    if !path.metadata().map_err(wrong)?.is_file() {
        return Err(format!("{name}: --settings takes a regular file"));
    }
    let mut bytes = Vec::new();
    let mut file = File::open(path).map_err(wrong)?.take(MAX_FILE + 1);
    file.read_to_end(&mut bytes).map_err(wrong)?;
    if bytes.len() as u64 > MAX_FILE {
        return Err(format!(
            "{name}: a settings file has at most {MAX_FILE} bytes"
        ));
    }
    String::from_utf8(bytes).map_err(|_| format!("{name}: not UTF-8 text"))
}

/// The file's lines as arguments, save those whose option the command line or the
/// environment gives; all are checked.
fn arguments(given: &ArgMatches, path: &Path, text: &str) -> Result<Vec<OsString>, String> {
    let command = command();
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut arguments = Vec::new();
    for (number, line) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let at = |what: String| format!("{}:{number}: {what}", path.display());
        let Some((name, value)) = setting(line).map_err(at)? else {
            continue;
        };
        let at = |what: String| at(format!("{name}: {what}"));
        let named = |option: &&Arg| option.get_env() == Some(OsStr::new(name));
        let option = command.get_arguments().find(named).ok_or_else(|| {
            at(
                "serve has no such setting; `procurement-lookup serve --help` lists its options"
                    .to_owned(),
            )
        })?;
        if option.get_id() == "settings" {
            return Err(at(
                "give it on the command line or in the environment".to_owned()
            ));
        }
        if let Some(before) = seen.insert(name, number) {
            return Err(at(format!(
                "given in line {before} already; keep one of the two"
            )));
        }
        let Some(argument) = argument(option, &value).map_err(at)? else {
            continue;
        };
        let alone = [
            "procurement-lookup".into(),
            COMMAND.into(),
            argument.clone(),
        ];
        parse(&alone).map_err(at)?;
        let source = given.value_source(option.get_id().as_str());
        let is_given = matches!(
            source,
            Some(ValueSource::CommandLine | ValueSource::EnvVariable)
        );
        if !is_given {
            arguments.push(argument);
        }
    }
    Ok(arguments)
}

/// `--name=value`; a switch is `--name` where the value says yes.
fn argument(option: &Arg, value: &str) -> Result<Option<OsString>, String> {
    let long = option.get_long().unwrap_or_default();
    if option.get_action().takes_values() {
        return Ok(Some(format!("--{long}={value}").into()));
    }
    match value.to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" | "1" => Ok(Some(format!("--{long}").into())),
        "false" | "no" | "off" | "0" => Ok(None),
        _ => Err("give true or false".to_owned()),
    }
}

/// A line's name and value; none of a blank line or a comment.
fn setting(line: &str) -> Result<Option<(&str, String)>, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', ';']) {
        return Ok(None);
    }
    let (name, value) = line
        .split_once('=')
        .ok_or("a line is NAME=VALUE, a # comment, or blank")?;
    let name = name.trim_end();
    if name.is_empty() || name.contains(char::is_whitespace) {
        return Err("a name has no space in it; a line is NAME=VALUE".to_owned());
    }
    Ok(Some((name, unquoted(value.trim_start())?)))
}

/// A value as systemd's `EnvironmentFile` has it: within double quotes a backslash
/// takes the meaning from `"`, `\`, `$` and a backquote; within single quotes all
/// stands for itself.
fn unquoted(value: &str) -> Result<String, String> {
    let mut rest = value.chars();
    let quote = match rest.next() {
        Some(quote @ ('"' | '\'')) => quote,
        _ if value.contains(['\\', '"', '\'']) => {
            return Err(
                "put a value with a quote or a backslash in it within single quotes".to_owned(),
            );
        }
        _ => return Ok(value.to_owned()),
    };
    let mut text = String::new();
    loop {
        match rest.next() {
            None => return Err(format!("the closing {quote} is missing")),
            Some(c) if c == quote => break,
            Some('\\') if quote == '"' => match rest.next() {
                Some(c @ ('"' | '\\' | '$' | '`')) => text.push(c),
                Some(c) => text.extend(['\\', c]),
                None => {}
            },
            Some(c) => text.push(c),
        }
    }
    if !rest.as_str().trim().is_empty() {
        return Err(format!("nothing may follow the closing {quote}"));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_systemd_reads_it() {
        for (line, value) in [
            ("NAME=a b ", "a b"),
            ("NAME = a=b", "a=b"),
            ("NAME=", ""),
            (r#"NAME="a \"b\" \\ \$ \n" "#, r#"a "b" \ $ \n"#),
            (r#"NAME='a \b # "c"'"#, r#"a \b # "c""#),
            ("NAME=a # no comment", "a # no comment"),
            ("NAME='документы.sqlite'", "документы.sqlite"),
        ] {
            assert_eq!(
                setting(line),
                Ok(Some(("NAME", value.to_owned()))),
                "{line}"
            );
        }
        for line in ["", "  ", "# NAME=a", "; NAME=a"] {
            assert_eq!(setting(line), Ok(None), "{line}");
        }
        for line in [
            "NAME",
            "=a",
            "A NAME=a",
            "NAME=\"a",
            "NAME='a'b",
            "NAME=a\"b",
            "NAME=\"a\\",
        ] {
            assert!(setting(line).is_err(), "{line}");
        }
    }

    #[test]
    fn options_that_differ_are_found_whatever_they_are() {
        let written = |pairs: &[(&str, &str)]| -> Written {
            let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), vec![value.into()]);
            pairs.iter().map(pair).collect()
        };
        let old = written(&[("grace", "1s"), ("keys", "a"), ("listen", "b")]);
        let new = written(&[("grace", "2s"), ("listen", "b"), ("workers", "3")]);
        assert_eq!(differing(&old, &new), ["grace", "keys", "workers"]);
        assert!(differing(&old, &old.clone()).is_empty());
    }
}
