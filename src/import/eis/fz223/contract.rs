//! Reads contracts under 223-FZ: records of the contract registry and contracts signed on trading
//! platforms (`contract.xsd`), and until 2015 contracts published with their purchase
//! (`purchaseContract` in `purchase.xsd`).
//!
//! A contract ends its purchase and names the winners. It has no effect as long as there is no
//! notice. `performanceContract`, `contractCancellation` (a termination) and
//! `purchaseContractAccount` are not read, because they do not name a purchase and change no
//! response.

use super::currency::roubles;
use super::lots::reference;
use crate::import::eis::kind::Kind;
use crate::import::eis::node::{KEY, NUMBER, Node, Paths, Result};
use crate::import::eis::value::joined;
use crate::import::facts::{Contract223Facts, Fact, Facts, LotReference223, SupplierFacts};
use crate::model::{PurchaseNumber, Regime};

/// Upper bound on suppliers per contract. Real contracts have a few.
const MAX_SUPPLIERS: usize = 100;

/// Reads a record of the contract registry.
///
/// # Errors
/// Returns an error if an element is missing or malformed, or if there are more than
/// [`MAX_SUPPLIERS`] suppliers.
pub fn contract(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    // A change of a contract is a separate record with its own versions.
    let numbers = [
        data.text(KEY, &["contractRegNumber"]),
        data.text(KEY, &["registrationNumber"]),
    ];
    let key = match joined(numbers, "/") {
        numbers if numbers.is_empty() => data.string(KEY, &["guid"]),
        numbers => numbers,
    };
    let facts = Contract223Facts {
        is_of_registry: true,
        lot: LotReference223 {
            number: data.string("winners.name", &["lotNum"]),
            guid: data.string("winners.name", &["lotGuid"]),
        },
        date: data.day("winners.date", &["contractDate"])?,
        price: roubles(data, "winners.price", &["price"], &["rubPrice"])?,
        ..common(data, &["supplierInfo"])
    };
    read(kind, data, &key, facts)
}

/// Reads a contract signed on a trading platform.
pub fn electronic_contract(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let key = data.required(KEY, &["guid"])?;
    let facts = Contract223Facts {
        lot: lot(data),
        date: data.day("winners.date", &["contractDate"])?,
        price: roubles(data, "winners.price", &["price"], &[])?,
        ..common(data, &["supplierInfo"])
    };
    read(kind, data, key, facts)
}

/// Reads a contract that was published together with its purchase.
pub fn purchase_contract(kind: &Kind, data: &Node<'_>) -> Result<Vec<Fact>> {
    let key = data.required(KEY, &["registrationNumber", "guid"])?;
    let mut facts = Contract223Facts {
        lot: LotReference223 {
            number: String::new(),
            guid: data.string("winners.name", &["lot/guid"]),
        },
        date: data.day("winners.date", &["contractCreateDate"])?,
        price: roubles(data, "winners.price", &["sum"], &[])?,
        ..common(data, &["supplier/mainInfo"])
    };
    let name = data.verbatim("winners.name", &["nonResidentInfo/name"]);
    if !name.is_empty() {
        facts.suppliers.push(SupplierFacts {
            name,
            ..SupplierFacts::default()
        });
    }
    read(kind, data, key, facts)
}

/// Reads what all contracts have: whether they are void, and the suppliers.
fn common(data: &Node<'_>, suppliers: Paths<'_>) -> Contract223Facts {
    let suppliers = data.all(suppliers).into_iter().map(|one| supplier(&one));
    let is_named = |one: &SupplierFacts| *one != SupplierFacts::default();
    Contract223Facts {
        annulled: data.text("stage", &["status"]) == "I",
        suppliers: suppliers.filter(is_named).collect(),
        ..Contract223Facts::default()
    }
}

fn lot(data: &Node<'_>) -> LotReference223 {
    let lot = data.first(&["lot"]);
    lot.map_or_else(LotReference223::default, |lot| reference(&lot))
}

/// Reads a supplier. A foreign supplier has only a name: its `code` is a foreign identification
/// number.
pub fn supplier(holder: &Node<'_>) -> SupplierFacts {
    SupplierFacts {
        name: holder.verbatim("winners.name", &["name"]),
        inn: holder.string("winners.inn", &["inn"]),
        kpp: holder.string("winners.kpp", &["kpp"]),
    }
}

fn read(kind: &Kind, data: &Node<'_>, key: &str, facts: Contract223Facts) -> Result<Vec<Fact>> {
    if facts.suppliers.len() > MAX_SUPPLIERS {
        return Err(data.error(format!("supplierInfo: more than {MAX_SUPPLIERS}")));
    }
    let number = data.text(NUMBER, kind.number);
    let Some(number) = PurchaseNumber::parse_under(Regime::Fz223, number) else {
        return Ok(Vec::new());
    };
    Ok(vec![kind.fact(
        data,
        number,
        key,
        Facts::Contract223(facts),
    )?])
}
