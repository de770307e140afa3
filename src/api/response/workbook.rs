//! The heading of a workbook: the request, the day and the data.

use percent_encoding::percent_decode_str;

use super::super::request::parameter::Parameters;
use super::super::request::parameter_table::{FORMAT, LANG};
use super::super::request::query::split_target;
use crate::model::{Date, Words, timestamp};
use crate::render::Workbook;
use crate::store::Database;

/// The subject of a workbook.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// The title of the endpoint.
    pub title: Words,
    /// The name of the file.
    pub file: &'static str,
    /// The day of the answer, if it depends on one.
    pub day: Option<Date>,
}

/// Returns the workbook of an answer.
pub fn for_answer(subject: Subject, parameters: &Parameters<'_>, database: &Database) -> Workbook {
    let updated = database.version().updated;
    let language = parameters.language;
    let mut title = subject.title.to(language).to_owned();
    title.push_str(if title.ends_with('?') { " " } else { ": " });
    title.push_str(&filters(parameters.canonical()).join(", "));
    let say = |russian: &str, english: &str| language.pick(russian, english).to_owned();
    if let Some(day) = subject.day {
        title += &[say(". На ", ". As of "), day.to_string()].concat();
    }
    title += &say(". Данные от ", ". Data of ");
    title += &timestamp(updated);
    title.push('.');
    if database.is_bundled() {
        title += &say(" Демонстрационные данные.", " Demonstration data.");
    }
    Workbook {
        sheet: subject.file,
        title,
        language,
        time: updated,
    }
}

/// Returns the parameters of a canonical text in readable form: `supplierINN=9602003012`.
fn filters(canonical: &str) -> Vec<String> {
    let (_, query) = split_target(canonical);
    let is_shown = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        ![FORMAT.name, LANG.name].contains(&name)
    };
    let decoded = |pair: &str| percent_decode_str(pair).decode_utf8_lossy().into_owned();
    query.split('&').filter(is_shown).map(decoded).collect()
}
