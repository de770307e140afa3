//! The table of errors, for the manual.

use super::super::endpoints::Endpoint;
use super::super::error::Failure;
use crate::model::Language;

/// A row of the table: the code in the body if there is one, the text, the HTTP status at endpoints
/// of contracts and purchases if they have the error, the one at other endpoints and with
/// `errors=http`, the meaning, and the advice. In the text NAME stands for the name of a parameter,
/// and 500 for a requested limit.
pub type ErrorRow = [String; 6];

/// Returns one failure of each kind that an endpoint can answer with, by HTTP status.
fn failures() -> Vec<Failure> {
    let mut all = vec![
        Failure::BadParameter("NAME".into()),
        Failure::UnknownPath,
        Failure::WrongMethod,
    ];
    for failure in Endpoint::ALL.iter().flat_map(|one| one.failures()) {
        if !all.iter().any(|known| known.same_kind(&failure)) {
            all.push(failure);
        }
    }
    all.sort_by_key(|failure| failure.status(true));
    all
}

/// Returns all errors with their meanings in a language.
pub fn errors(language: Language) -> Vec<ErrorRow> {
    let row = |failure: Failure| {
        let row = failure.row();
        let mut endpoints = Endpoint::ALL.into_iter();
        let answers_200 =
            endpoints.any(|endpoint| !endpoint.group.has_statuses() && endpoint.has(&failure));
        let code = failure.code().map(|code| code.to_string());
        let status = answers_200.then(|| failure.status(false).to_string());
        [
            code.unwrap_or_default(),
            row.text.into_owned(),
            status.unwrap_or_default(),
            failure.status(true).to_string(),
            row.meaning.to(language).to_owned(),
            row.remedy.to(language).to_owned(),
        ]
    };
    failures().into_iter().map(row).collect()
}
