//! An entry of the registry of unfair suppliers (the manual, Fields): its inclusion,
//! and its exclusion if there is one.

use super::StoredFacts;
use crate::import::facts::Facts;
use crate::model::{RnpEntry, Supplier};

/// The entry and its supplier, and the time of publication of its document; no entry if the
/// inclusion was refused, or the supplier has no INN. None without a document of the inclusion.
pub fn derive(stored: &[StoredFacts]) -> Option<(Option<(Supplier, RnpEntry)>, i64)> {
    let (facts, published) = stored.iter().find_map(|stored| match &*stored.facts {
        Facts::RnpEntry(facts) => Some((facts, stored.published)),
        _ => None,
    })?;
    let excluded = stored.iter().find_map(|stored| match *stored.facts {
        Facts::RnpExclusion(day) => day,
        _ => None,
    });
    let supplier = facts.supplier.clone().filter(|_| !facts.refused);
    let entry = supplier.map(|supplier| {
        let entry = RnpEntry {
            exclude_date: excluded.or(facts.entry.exclude_date),
            ..facts.entry.clone()
        };
        (supplier, entry)
    });
    Some((entry, published))
}
