//! The registry of unfair suppliers (RNP), of every law: `unfairSupplier`, since 2022
//! `unfairSupplier2022`, under 44-FZ; `dishonestSupplier…` under 223-FZ;
//! `pprf615UnfairContractor` under PP-615; and the exclusions.
//!
//! Entries that were archived or suspended are not listed, and make their suppliers known.
//! Founders are natural persons, and are not imported.

pub mod dishonest;
pub mod unfair;

use super::node::{Node, Result};
use crate::import::facts::{Facts, RnpFacts};
use crate::import::text::shown;
use crate::model::{CardSupplier, Date, Inn, RnpEntry, Supplier};

/// The years that an entry stays if the document names no end: by law two, from the day of
/// inclusion.
const YEARS_LISTED: u16 = 2;

/// The last day, by law, of an entry that was registered on that day.
fn by_law(registered: Option<Date>) -> Option<Date> {
    registered.and_then(|day| day.plus_years(YEARS_LISTED))
}

/// The supplier, whose INN is at `path`. It must be valid: an entry without an INN could
/// not be found, and its supplier would pass for one that is not listed.
fn supplier(document: &Node<'_>, path: &str, party: &CardSupplier) -> Result<Supplier> {
    if party.inn.is_empty() {
        return document.needed(None, path);
    }
    let inn = Inn::parse(&party.inn).ok_or_else(|| {
        let shown = shown(&party.inn);
        document.error(format!("{path}: not an INN of 10 or 12 digits: {shown}"))
    })?;
    Ok(Supplier {
        inn,
        name: party.name.clone(),
    })
}

/// The facts of an inclusion; one that was `refused` need not name a supplier.
fn inclusion(supplier: Result<Supplier>, entry: RnpEntry, refused: bool) -> Result<Facts> {
    let supplier = match supplier {
        Err(_) if refused => None,
        found => Some(found?),
    };
    Ok(Facts::RnpEntry(RnpFacts {
        supplier,
        entry,
        refused,
    }))
}

#[cfg(test)]
mod tests;
