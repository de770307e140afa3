//! `manual`: prints the manual.

#[cfg(test)]
mod tests;

use std::path::Path;
use std::process::ExitCode;

use clap::builder::PossibleValuesParser;

use super::{Outcome, output};

use crate::manual::{self, CHAPTERS, Chapter};
use crate::model::Language;

/// Print the manual: the list of topics, or the chapter on one.
///
/// A running server shows the same chapters at /docs/.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The topic of the chapter; without one, the topics are listed
    #[arg(value_parser = PossibleValuesParser::new(manual::topics()))]
    topic: Option<String>,
    /// The language [default: that of LC_ALL, LC_MESSAGES or LANG]
    #[arg(long, value_name = "LANG", value_parser = PossibleValuesParser::new(Language::ALL.map(Language::code)))]
    lang: Option<String>,
}

/// Environment variables for the user's language, by precedence (POSIX).
const VARIABLES: [&str; 3] = ["LC_ALL", "LC_MESSAGES", "LANG"];

pub fn run(args: &Args) -> Outcome {
    let given = args.lang.as_deref().and_then(Language::from_code);
    let language = given.unwrap_or_else(|| {
        let mut values = VARIABLES.iter().filter_map(std::env::var_os);
        let value = values.find(|value| !value.is_empty());
        locale_language(&value.unwrap_or_default().to_string_lossy())
    });
    let chapter = args.topic.as_deref().and_then(Chapter::on);
    output::write_to(Path::new("-"), |out| {
        match chapter {
            Some(chapter) => {
                for line in chapter.lines(language) {
                    writeln!(out, "{line}")?;
                }
            }
            None => {
                for chapter in CHAPTERS {
                    writeln!(out, "{:16}{}", chapter.topic, chapter.title(language))?;
                }
            }
        }
        Ok(())
    })?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the manual's language for a locale such as `ru_RU.UTF-8`.
fn locale_language(locale: &str) -> Language {
    match locale.get(..2) {
        Some("ru") => Language::Russian,
        _ => Language::English,
    }
}
