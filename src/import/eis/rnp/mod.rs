//! The registry of unfair suppliers (RNP), of every law, and what documents say of its entries:
//! inclusions, their later versions, exclusions and refusals.
//!
//! Other persons of an entry (founders, managers) are natural persons, and are not imported.

pub mod dishonest;
pub mod unfair;
pub mod unread;

use super::node::{Node, Paths, Result};
use crate::import::facts::{Facts, RnpFacts, RnpState};
use crate::import::text::shown;
use crate::model::{Date, Inn};

/// The years that an entry stays if the document names no end: by law two, from the day of
/// inclusion.
const YEARS_LISTED: u16 = 2;

/// The last day, by law, of an entry that was registered on that day.
fn by_law(registered: Option<Date>) -> Option<Date> {
    registered.and_then(|day| day.plus_years(YEARS_LISTED))
}

/// The supplier of an entry.
#[derive(Debug)]
struct RnpSupplier {
    /// `None` for a supplier of another country, and where the document states none.
    inn: Option<Inn>,
    name: String,
}

impl RnpSupplier {
    /// Reads the supplier at `node`.
    ///
    /// # Errors
    /// The INN is malformed, or stands where no schema has it: the supplier would pass for one that
    /// is not listed. Neither an INN nor a name is there.
    fn read(node: &Node<'_>, names: Paths<'_>, inns: Paths<'_>, is_foreign: bool) -> Result<Self> {
        let name = node.verbatim("supplierName", names);
        let text = match is_foreign {
            true => "",
            false => node.text("supplierINN", inns),
        };
        if text.is_empty() {
            if !is_foreign && unread::has_inn_elsewhere(node) {
                return Err(node.error("INN: stands in an unknown place"));
            }
            let name = Some(name).filter(|name| !name.trim().is_empty());
            let name = node.needed(name, "INN")?;
            return Ok(Self { inn: None, name });
        }
        let inn = Inn::parse(text).ok_or_else(|| {
            let shown = shown(text);
            node.error(format!("INN: not 10 or 12 digits: {shown}"))
        })?;
        Ok(Self {
            inn: Some(inn),
            name,
        })
    }
}

/// The facts of an inclusion; a refused one need not name a supplier.
fn inclusion(supplier: Result<RnpSupplier>, entry: RnpFacts, state: RnpState) -> Result<Facts> {
    let supplier = match supplier {
        Err(_) if state == RnpState::Refused => RnpSupplier {
            inn: None,
            name: String::new(),
        },
        found => found?,
    };
    Ok(Facts::RnpEntry(RnpFacts {
        inn: supplier.inn,
        name: supplier.name,
        state,
        ..entry
    }))
}

#[cfg(test)]
mod tests;
