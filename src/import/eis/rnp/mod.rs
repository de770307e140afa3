//! Reads the registries of unfair suppliers (RNP) under all laws: inclusions and their later
//! versions, exclusions, and refusals.
//!
//! The founders and managers named in an entry are natural persons, and are not imported.

pub mod dishonest;
pub mod unfair;
pub mod unread;

use super::node::{Node, Paths, Result};
use crate::import::facts::{Facts, RnpFacts, RnpState};
use crate::import::text::shown;
use crate::model::{Date, Inn};

/// How many years an entry stays if the document states no end. The law says two years from the
/// inclusion.
const YEARS_LISTED: u16 = 2;

fn by_law(registered: Option<Date>) -> Option<Date> {
    registered.and_then(|day| day.plus_years(YEARS_LISTED))
}

#[derive(Debug)]
struct RnpSupplier {
    /// `None` for a foreign supplier, or if the document states no INN.
    inn: Option<Inn>,
    name: String,
}

impl RnpSupplier {
    /// Reads the supplier of an inclusion.
    ///
    /// # Errors
    /// Returns an error if there is neither an INN nor a name, if the INN is malformed, or if an
    /// INN is in an unexpected place. Accepting such an entry would make the supplier seem not to
    /// be listed.
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

/// Makes the facts of an inclusion. Only a refused inclusion may lack a supplier.
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
