//! The table of errors, for the manual.

use crate::api::endpoint::Endpoint;
use crate::api::error::Failure;
use crate::model::Language;

/// An error as a row of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErrorRow {
    /// The code in the body; some errors have none.
    pub code: Option<u16>,
    /// The text in the body. NAME in it is the parameter's name, 500 the limit that was
    /// requested.
    pub text: String,
    /// The HTTP status where contracts and purchases answer so.
    pub status: Option<u16>,
    /// The same where the others do.
    pub other_status: Option<u16>,
    /// What it means.
    pub meaning: &'static str,
    /// What to do about it.
    pub remedy: &'static str,
}

/// One of each error, in the order of the table.
fn failures() -> [Failure; 11] {
    [
        Failure::BadKey,
        Failure::BadInn,
        Failure::BadPurchaseNumber,
        Failure::LimitTooLarge("500".to_owned()),
        Failure::BadParameter("NAME"),
        Failure::PurchaseNotFound,
        Failure::SupplierNotFound,
        Failure::TooManyRequests(1),
        Failure::Server(String::new()),
        Failure::UnknownPath,
        Failure::WrongMethod,
    ]
}

/// All errors, with what they mean in a language.
pub fn errors(language: Language) -> Vec<ErrorRow> {
    let row = |failure: Failure| {
        let row = failure.row();
        let status = |has_statuses: bool| {
            let mut endpoints = Endpoint::ALL.into_iter();
            let answers = endpoints.any(|endpoint| {
                endpoint.group.has_statuses() == has_statuses && has(endpoint, &failure)
            });
            answers.then(|| row.status(has_statuses))
        };
        ErrorRow {
            code: row.code,
            status: status(false),
            other_status: status(true),
            meaning: row.meaning.to(language),
            remedy: row.remedy.to(language),
            text: row.text.into_owned(),
        }
    };
    failures().map(row).into()
}

/// May the endpoint answer so? Any path may be wrong, and any method.
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
        let check = |text: &str, expected: (Option<u16>, Option<u16>)| {
            let row = rows.iter().find(|row| row.text == text).expect(text);
            assert_eq!((row.status, row.other_status), expected, "{text}");
        };
        check("Некорректный API_KEY.", (Some(200), Some(401)));
        check("purchase not found", (Some(200), None));
        check("Поставщик не найден.", (None, Some(404)));
        check("server error", (Some(500), Some(500)));
        check("Not found.", (Some(404), Some(404)));
    }
}
