//! The table of errors, for the manual.

use super::super::endpoints::Endpoint;
use super::super::error::{Failure, MAX_LIMIT};
use crate::model::Language;

/// An error as a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorRow {
    /// The code in the body; some errors have none.
    pub code: Option<u16>,
    /// The text in the body, with NAME for the name of a parameter and 500 for a requested limit.
    pub text: String,
    /// The HTTP status at endpoints of contracts and purchases.
    pub status: Option<u16>,
    /// The HTTP status at other endpoints, and at those of contracts and purchases with
    /// `errors=http`.
    pub other_status: u16,
    /// The meaning of the error.
    pub meaning: &'static str,
    /// The advice to the client.
    pub remedy: &'static str,
}

/// Returns one failure of each kind, in the order of the table.
fn failures() -> [Failure; 15] {
    [
        Failure::BadKey,
        Failure::BadInn,
        Failure::BadPurchaseNumber,
        Failure::LimitTooLarge("500".to_owned(), MAX_LIMIT),
        Failure::BadParameter("NAME"),
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
        ErrorRow {
            code: row.code,
            status: answers_200.then(|| row.status(false).number()),
            other_status: row.status(true).number(),
            meaning: row.meaning.to(language),
            remedy: row.remedy.to(language),
            text: row.text.into_owned(),
        }
    };
    failures().map(row).into()
}

/// Returns whether the endpoint can answer with this error. Any request may have a wrong path or
/// method.
fn has(endpoint: &Endpoint, failure: &Failure) -> bool {
    let same = |one: &Failure| one.row().name == failure.row().name;
    matches!(failure, Failure::UnknownPath | Failure::WrongMethod)
        || endpoint.failures().iter().any(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_error_of_an_endpoint_has_a_row() {
        let rows = failures().map(|failure| failure.row().name);
        for endpoint in Endpoint::ALL {
            for failure in endpoint.failures() {
                assert!(rows.contains(&failure.row().name), "{failure:?}");
            }
        }
    }

    #[test]
    fn statuses_are_those_of_the_endpoints() {
        let rows = errors(Language::English);
        let check = |text: &str, expected: (Option<u16>, u16)| {
            let row = rows.iter().find(|row| row.text == text).expect(text);
            assert_eq!((row.status, row.other_status), expected, "{text}");
        };
        check("Некорректный API_KEY.", (Some(200), 401));
        check("purchase not found", (Some(200), 404));
        check("Поставщик не найден.", (None, 404));
        check("Сервис временно недоступен.", (Some(503), 503));
        check("server error", (Some(500), 500));
        check("Not found.", (Some(404), 404));
    }
}
