//! Contracts under 223-FZ, and reports of their execution (`contract.xsd`). They are
//! stored as the end of the purchase and its supplier; without a notice they have no effect.

use super::outcome::winner;
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, NUMBER, Node, Paths, Result};
use crate::import::facts::{Fact, Facts};
use crate::model::{PurchaseNumber, Regime, Winner223, is_rouble};

/// Reads a contract.
///
/// # Errors
/// The element that is missing or malformed.
pub fn contract(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let is_void = data.text("stage", &["status"]) == "I";
    let in_roubles = is_rouble(data.text("winners.price", &["currency/code"]));
    let price = data.amount("winners.price", &["price"])?;
    let supplier = Winner223 {
        date: data.day("winners.date", &["contractDate"])?,
        price: price.filter(|_| in_roubles),
        ..winner(data)
    };
    let suppliers = Some(supplier).filter(|supplier| !supplier.inn.is_empty());
    let suppliers = suppliers.into_iter().collect();
    read(kind, data, CONTRACTS, is_void, suppliers)
}

/// Reads another document about a contract, which has versions of its own.
///
/// # Errors
/// As [`contract`].
pub fn report(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let is_void = data.text("stage", &["status"]) == "I";
    read(kind, data, REPORTS, is_void, Vec::new())
}

/// Reads the cancellation of a contract: no version of the contract counts any more.
///
/// # Errors
/// As [`contract`].
pub fn cancelled_contract(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let mut facts = read(kind, data, CONTRACTS, true, Vec::new())?;
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
    kind: &Kind,
    data: &Node<'_>,
    keys: Paths<'_>,
    annulled: bool,
    suppliers: Vec<Winner223>,
) -> Result<Vec<Fact>> {
    let number = data.text(NUMBER, kind.number);
    let Some(number) = PurchaseNumber::parse_under(Regime::Fz223, number) else {
        return Ok(Vec::new());
    };
    let facts = Facts::Contract223 {
        annulled,
        suppliers,
    };
    let key = data.text(KEY, keys);
    Ok(vec![kind.fact(data, number, key, facts)?])
}
