//! Contracts under 223-FZ, and word of their execution (`contract.xsd`). All that
//! is kept is that the purchase ended in one; without a notice it is nothing.

use super::{fact, number_of};
use crate::import::eis::element::Element;
use crate::import::eis::value::Result;
use crate::import::facts::{Fact, Facts};

/// Where contracts name the notice: flat since 2025 (`contractCutted`).
const NOTICE: &[&str] = &[
    "purchaseNoticeInfo/purchaseNoticeNumber",
    "purchaseNoticeNumber",
    "purchaseInfo/purchaseNoticeNumber",
];

/// Reads what a document about a contract says.
pub fn read(kind: &str, data: &Element<'_>) -> Result<Vec<Fact>> {
    let Some(number) = number_of(data.first_text(NOTICE)) else {
        return Ok(Vec::new());
    };
    // The versions of other documents are not those of the contract.
    let key = match kind {
        "contract" | "contractCutted" => data.first_text(&["contractRegNumber", "guid"]),
        _ => data.first_text(&["registrationNumber", "guid", "contractRegNumber"]),
    };
    let annulled = kind == "contractCancellation" || data.text_at("status") == "I";
    let said = Facts::Contract223 { annulled };
    Ok(vec![fact(data, &number, key, said)?])
}
