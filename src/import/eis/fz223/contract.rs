//! Contracts under 223-FZ, and reports of their execution (`contract.xsd`). All that is
//! stored is that the purchase ended in a contract; without a notice this has no effect.

use super::{fact, number_of};
use crate::import::eis::element::Element;
use crate::import::eis::value::Result;
use crate::import::facts::{Fact, Facts};

/// Paths of the notice's number in contracts: flat since 2025 (`contractCutted`).
const NOTICE: &[&str] = &[
    "purchaseNoticeInfo/purchaseNoticeNumber",
    "purchaseNoticeNumber",
    "purchaseInfo/purchaseNoticeNumber",
];

/// Reads a document about a contract.
pub fn read(kind: &str, data: &Element<'_>) -> Result<Vec<Fact>> {
    let Some(number) = number_of(data.first_text(NOTICE)) else {
        return Ok(Vec::new());
    };
    // Other documents have versions of their own.
    let key = match kind {
        "contract" | "contractCutted" => data.first_text(&["contractRegNumber", "guid"]),
        _ => data.first_text(&["registrationNumber", "guid", "contractRegNumber"]),
    };
    let annulled = kind == "contractCancellation" || data.text_at("status") == "I";
    let facts = Facts::Contract223 { annulled };
    Ok(vec![fact(data, &number, key, facts)?])
}
