//! `/receipt/verify`, and `lookup --verify`: is a receipt of what the data answers?

use super::endpoint::{Endpoint, Handler};
use super::error::Failure;
use super::parameter::Parameters;
use super::parameters::GIVEN_RECEIPT;
use super::query::{Query, QueryValue, split_target};
use super::receipt::Receipt;
use super::response::Finding;
use super::workbook;
use crate::render::{self, Format, ReceiptOutcome, VerifiedReceipt};
use crate::store::Database;

/// The error of a text that is no receipt of an answer.
const BAD: Failure = Failure::BadParameter(GIVEN_RECEIPT.name);

/// A receipt, and what the data answers now.
#[derive(Clone, Debug)]
pub struct Verification {
    /// What they say of each other.
    pub outcome: ReceiptOutcome,
    /// The receipt, its request in the canonical spelling.
    pub receipt: Receipt,
    /// Is the answer an error now?
    pub is_error: bool,
    /// Which data there is now.
    pub data_now: String,
    /// When an import last changed anything in it, `YYYY-MM-DDTHH:MM:SSZ`.
    pub updated_now: String,
}

/// The endpoint that a request about a receipt has answered again, if it is one.
pub fn endpoint_again(endpoint: &Endpoint, query: &Query<'_>) -> Option<&'static Endpoint> {
    match (endpoint.handler, query.get(GIVEN_RECEIPT.name, None)) {
        (Handler::AboutReceipt, QueryValue::One(text)) => {
            request(&Receipt::parse(text).ok()?).map(|(endpoint, _)| endpoint)
        }
        _ => None,
    }
}

/// The endpoint and the query of a receipt's request; none where no endpoint gives receipts
/// at its path.
fn request(receipt: &Receipt) -> Option<(&'static Endpoint, &str)> {
    let (path, query) = split_target(&receipt.ask);
    let endpoint = Endpoint::at(path)?;
    (!matches!(endpoint.handler, Handler::AboutReceipt)).then_some((endpoint, query))
}

/// Answers the request of a receipt again, as of its day, and compares.
///
/// # Errors
/// No answer has such a receipt, or the data cannot be read.
pub fn verify(receipt: &Receipt, database: &Database) -> Result<Verification, Failure> {
    let (endpoint, query) = request(receipt).ok_or(BAD)?;
    let query = Query::parse(query);
    let parameters = endpoint.read(&query).map_err(|_| BAD)?;
    if parameters.as_of.is_some_and(|day| day != receipt.day) {
        return Err(BAD);
    }
    let mut body = Vec::new();
    let answered = match endpoint.handler {
        Handler::OfAnyDay(write) => write(&parameters, database, &mut body),
        Handler::OfDay(write) => write(&parameters, receipt.day, database, &mut body),
        Handler::AboutReceipt => Err(BAD),
    };
    if answered.is_ok() && parameters.format == Format::Xlsx {
        let day = endpoint.day(&parameters, || receipt.day);
        workbook::make(endpoint.subject(day), &parameters, database, &mut body)?;
    }
    if let Err(failure @ (Failure::Server(_) | Failure::Unavailable(_))) = answered {
        return Err(failure);
    }
    let version = database.version();
    let now = Receipt::new(version, receipt.day, parameters.canonical(), &body);
    let is_error = answered.is_err();
    let is_same = !is_error && now.sha256 == receipt.sha256;
    let outcome = match (receipt.data == now.data, is_same) {
        (true, true) if receipt.updated == now.updated => ReceiptOutcome::Same,
        (true, _) => ReceiptOutcome::Mismatch,
        (false, true) => ReceiptOutcome::SameAnswer,
        (false, false) => ReceiptOutcome::Changed,
    };
    Ok(Verification {
        outcome,
        receipt: Receipt {
            ask: now.ask,
            ..receipt.clone()
        },
        is_error,
        data_now: now.data,
        updated_now: now.updated,
    })
}

/// Appends what a receipt and the data say of each other.
pub fn write(
    parameters: &Parameters<'_>,
    database: &Database,
    out: &mut Vec<u8>,
) -> Result<Finding, Failure> {
    let receipt = parameters.given_receipt.as_ref().ok_or(BAD)?;
    let Verification {
        outcome,
        receipt,
        data_now,
        updated_now,
        ..
    } = verify(receipt, database)?;
    let answer = VerifiedReceipt {
        outcome,
        ask: &receipt.ask,
        day: receipt.day,
        sha256: &receipt.sha256,
        data: &receipt.data,
        updated: &receipt.updated,
        data_now: &data_now,
        updated_now: &updated_now,
    };
    render::answer(out, &answer, parameters.format);
    Ok(Finding::Receipt(outcome))
}
