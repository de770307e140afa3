//! Contracts under 223-FZ, and reports of their execution (`contract.xsd`). They are
//! stored as the end of the purchase and its supplier; without a notice they have no effect.

use super::{fact, outcome::winner};
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, NUMBER, Node, Paths, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::{PurchaseNumber, Regime, Winner223};

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
    let supplier = Winner223 {
        date: data.day("winners.date", &["contractDate"])?,
        price: data.roubles("winners.price", &[], &["price"], "currency/code")?,
        ..winner(data)
    };
    let suppliers = Some(supplier).filter(|supplier| !supplier.inn.is_empty());
    read(data, CONTRACTS, is_void, suppliers.into_iter().collect())
}

/// Reads another document about a contract, which has versions of its own.
///
/// # Errors
/// As [`contract`].
pub fn report(_: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let is_void = data.text("stage", &["status"]) == "I";
    read(data, REPORTS, is_void, Vec::new())
}

/// Reads the cancellation of a contract: no version of the contract counts any more.
///
/// # Errors
/// As [`contract`].
pub fn cancelled_contract(_: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let mut facts = read(data, CONTRACTS, true, Vec::new())?;
    for fact in &mut facts {
        fact.version = i64::MAX;
    }
    Ok(facts)
}

/// Paths of the key of a contract.
const CONTRACTS: &[&str] = &["contractRegNumber", "guid"];

/// Paths of the key of another document about a contract.
const REPORTS: &[&str] = &["registrationNumber", "guid", "contractRegNumber"];

fn read(
    data: &Node<'_>,
    keys: Paths<'_>,
    annulled: bool,
    suppliers: Vec<Winner223>,
) -> Result<Vec<Fact>> {
    let number = PurchaseNumber::parse(data.text(NUMBER, NOTICE));
    let number = number.filter(|number| number.regime() == Regime::Fz223);
    let fact = |number| {
        let facts = Facts::Contract223 {
            annulled,
            suppliers,
        };
        fact(data, &number, data.text(KEY, keys), facts)
    };
    number.map_or(Ok(Vec::new()), |number| Ok(vec![fact(number)?]))
}
