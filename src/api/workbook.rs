//! What a workbook says of itself: what was asked, as of when, from which data.

use percent_encoding::percent_decode_str;

use super::error::Failure;
use super::parameter::Parameters;
use super::parameters::{FORMAT, LANG};
use super::query::split_target;
use super::words::Words;
use crate::model::{Date, Language, timestamp};
use crate::render::Workbook;
use crate::store::Database;

/// What a workbook with an error in it is called.
const ERROR: Words = Words("Ошибка", "Error");

/// What a workbook is of.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// What the endpoint gives.
    pub title: Words,
    /// What a file of it is called.
    pub file: &'static str,
    /// The day that it is about, where it depends on one.
    pub day: Option<Date>,
}

/// Makes a workbook of the cells in `body`.
///
/// # Errors
/// They are more than a sheet has.
pub fn make(
    subject: Subject,
    parameters: &Parameters<'_>,
    database: &Database,
    body: &mut Vec<u8>,
) -> Result<(), Failure> {
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
    let book = Workbook {
        sheet: subject.file,
        title: &title,
        language,
        time: updated,
    };
    *body = book.to_bytes(body).map_err(Failure::Server)?;
    Ok(())
}

/// Makes a workbook of the cells of an error.
pub fn make_of_error(language: Language, body: &mut Vec<u8>) {
    let book = Workbook {
        sheet: "error",
        title: ERROR.to(language),
        language,
        time: 0,
    };
    // Two rows always fit.
    *body = book.to_bytes(body).unwrap_or_default();
}

/// The parameters of a canonical text as people read them: `supplierINN=9602003012`.
fn filters(canonical: &str) -> Vec<String> {
    let (_, query) = split_target(canonical);
    let is_shown = |pair: &&str| {
        let name = pair.split('=').next().unwrap_or_default();
        ![FORMAT.name, LANG.name].contains(&name)
    };
    let decoded = |pair: &str| percent_decode_str(pair).decode_utf8_lossy().into_owned();
    query.split('&').filter(is_shown).map(decoded).collect()
}
