//! The table of errors, for the manual.

use std::mem::discriminant;

use super::super::endpoints::Endpoint;
use super::super::error::{Failure, MAX_LIMIT};
use crate::model::Language;

/// A row of the table: the code in the body if there is one, the text, the HTTP status at endpoints
/// of contracts and purchases if they have the error, the one at other endpoints and with
/// `errors=http`, the meaning, and the advice. In the text NAME stands for the name of a parameter,
/// and 500 for a requested limit.
pub type ErrorRow = [String; 6];

/// Returns one failure of each kind, in the order of the table.
fn failures() -> [Failure; 15] {
    [
        Failure::BadKey,
        Failure::BadInn,
        Failure::BadPurchaseNumber,
        Failure::LimitTooLarge("500".to_owned(), MAX_LIMIT),
        Failure::BadParameter("NAME".into()),
        Failure::PurchaseNotFound,
        Failure::SupplierNotFound,
        Failure::Undetermined,
        Failure::DocumentsNotFound,
        Failure::CursorGone,
        Failure::TooManyRequests(1),
        Failure::Unavailable(String::new()),
        Failure::Server(String::new()),
        Failure::UnknownPath,
        Failure::WrongMethod,
    ]
}

/// Returns all errors with their meanings in a language.
pub fn errors(language: Language) -> Vec<ErrorRow> {
    let row = |failure: Failure| {
        let row = failure.row();
        let mut endpoints = Endpoint::ALL.into_iter();
        let answers_200 =
            endpoints.any(|endpoint| !endpoint.group.has_statuses() && has(endpoint, &failure));
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
    failures().map(row).into()
}

/// Returns whether the endpoint can answer with this error. Any request may have a wrong path or
/// method.
fn has(endpoint: &Endpoint, failure: &Failure) -> bool {
    let kind = discriminant(failure);
    matches!(failure, Failure::UnknownPath | Failure::WrongMethod)
        || endpoint
            .failures()
            .iter()
            .any(|one| discriminant(one) == kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_of_an_endpoint_has_a_row() {
        let rows = failures().map(|failure| discriminant(&failure));
        for endpoint in Endpoint::ALL {
            for failure in endpoint.failures() {
                assert!(rows.contains(&discriminant(&failure)), "{failure:?}");
            }
        }
    }
}
