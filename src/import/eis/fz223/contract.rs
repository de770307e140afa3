//! Contracts under 223-FZ, and reports of their execution (`contract.xsd`). All that is
//! stored is that the purchase ended in a contract; without a notice this has no effect.

use super::fact;
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, NUMBER, Node, Paths, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::{PurchaseNumber, Regime};

/// Paths of the notice's number in contracts: flat since 2025 (`contractCutted`).
pub const NOTICE: &[&str] = &[
    "purchaseNoticeInfo/purchaseNoticeNumber",
    "purchaseNoticeNumber",
    "purchaseInfo/purchaseNoticeNumber",
];

/// Reads a contract.
///
/// # Errors
/// The element that is missing or malformed.
pub fn contract(_: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let is_void = data.text("stage", &["status"]) == "I";
    read(data, CONTRACTS, is_void)
}

/// Reads another document about a contract, which has versions of its own.
///
/// # Errors
/// As [`contract`].
pub fn report(_: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let is_void = data.text("stage", &["status"]) == "I";
    read(data, REPORTS, is_void)
}

/// Reads the cancellation of a contract: no version of the contract counts any more.
///
/// # Errors
/// As [`contract`].
pub fn cancelled_contract(_: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let mut facts = read(data, CONTRACTS, true)?;
    for fact in &mut facts {
        fact.version = i64::MAX;
    }
    Ok(facts)
}

/// Paths of the key of a contract.
const CONTRACTS: &[&str] = &["contractRegNumber", "guid"];

/// Paths of the key of another document about a contract.
const REPORTS: &[&str] = &["registrationNumber", "guid", "contractRegNumber"];

fn read(data: &Node<'_>, keys: Paths<'_>, annulled: bool) -> Result<Vec<Fact>> {
    let number = PurchaseNumber::parse(data.text(NUMBER, NOTICE));
    let number = number.filter(|number| number.regime() == Regime::Fz223);
    let fact = |number| {
        let facts = Facts::Contract223 { annulled };
        fact(data, &number, data.text(KEY, keys), facts)
    };
    number.map_or(Ok(Vec::new()), |number| Ok(vec![fact(number)?]))
}
