use super::super::endpoints::Endpoint;
use super::super::error::ErrorKind;
use crate::model::Language;

/// One row of the table of errors: code in the body; text; HTTP status at contract and purchase
/// endpoints; HTTP status at all other endpoints and with `errors=http`; meaning; advice. Cells
/// that do not apply are empty.
pub type ErrorRow = [String; 6];

/// All kinds of errors that a request can cause, ordered by HTTP status.
fn kinds() -> Vec<ErrorKind> {
    let mut all = vec![
        ErrorKind::BadParameter,
        ErrorKind::UnknownPath,
        ErrorKind::WrongMethod,
    ];
    for kind in Endpoint::ALL.iter().flat_map(|one| one.errors()) {
        if !all.contains(&kind) {
            all.push(kind);
        }
    }
    all.sort_by_key(|kind| kind.status(true));
    all
}

/// Returns all errors with their meanings in a language.
pub fn errors(language: Language) -> Vec<ErrorRow> {
    let row = |kind: ErrorKind| {
        let row = kind.row();
        let mut endpoints = Endpoint::ALL.into_iter();
        let answers_200 = endpoints.any(|endpoint| !endpoint.has_statuses && endpoint.has(kind));
        let code = kind.code().map(|code| code.to_string());
        let status = answers_200.then(|| kind.status(false).to_string());
        [
            code.unwrap_or_default(),
            row.text.to_owned(),
            status.unwrap_or_default(),
            row.status.to_string(),
            row.meaning.to(language).to_owned(),
            row.remedy.to(language).to_owned(),
        ]
    };
    kinds().into_iter().map(row).collect()
}
