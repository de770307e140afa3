//! Finds contracts that were signed while an RNP entry about the supplier was in force.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::super::contract_id::{ids_of_day, signed_on};
use super::super::entry_list::ListedEntry;
use super::super::error::Result;
use super::super::facet_columns::FacetColumn;
use super::super::listed_contracts::ListedContracts;
use super::facets::Facets;
use super::source::Source;
use crate::model::Date;

/// Number of entries whose contracts are looked up per statement.
const ENTRIES_AT_ONCE: usize = 10_000;

/// Returns the contracts that were signed while an entry about the supplier was in force, except
/// annulled ones. They are determined once per state of the data.
pub(super) fn listed_contracts(source: &dyn Source) -> Result<Arc<ListedContracts>> {
    let entries = source.entry_list()?;
    if let Some(known) = entries.listed.get() {
        return Ok(Arc::clone(known));
    }
    let mut listed = Vec::new();
    let with_inn: Vec<&ListedEntry> = entries.iter().filter(|one| !one.inn.is_none()).collect();
    for entries in with_inn.chunks(ENTRIES_AT_ONCE) {
        let inns: Vec<_> = entries.iter().map(|one| one.inn.clone()).collect();
        let (mut with_supplier, mut days) = (Vec::new(), Vec::new());
        source.supplier_ids(&inns, &mut |at, supplier| {
            if let Some(entry) = entries.get(at) {
                with_supplier.push(entry);
                days.push(ids_in_days(entry, supplier));
            }
            Ok(())
        })?;
        source.contract_ids(&days, &mut |at, id| {
            // Ids cannot express days from 10 November 2258 on, which only entries without an end
            // reach.
            let is_in_force = |entry: &&&&ListedEntry| {
                signed_on(id).map_or(entry.days.last.is_none(), |day| entry.days.has(day))
            };
            let entry = with_supplier.get(at).filter(is_in_force);
            listed.extend(entry.map(|entry| (id, entry.law)));
            Ok(())
        })?;
    }
    let ids: Vec<i64> = listed.iter().map(|(id, _)| *id).collect();
    let (columns, mut annulled) = (&[FacetColumn::Stage], HashSet::new());
    source.facets_of(&ids, columns, &mut |row| {
        let facets = Facets::new(source, columns, row);
        if facets.is_annulled()? {
            annulled.insert(facets.id()?);
        }
        Ok(())
    })?;
    listed.retain(|(id, _)| !annulled.contains(id));
    let listed = Arc::new(ListedContracts::new(listed));
    Ok(Arc::clone(entries.listed.get_or_init(|| listed)))
}

/// Returns the range of ids of the contracts that a supplier may have signed while an entry was in
/// force.
fn ids_in_days(entry: &ListedEntry, supplier: i64) -> RangeInclusive<i64> {
    // Contracts without a day have lower ids than contracts signed on 1 January 1900.
    let first = entry.days.first.max(Date::new(1900, 1, 1));
    let last = entry.days.last.or(Date::new(9999, 12, 31));
    ids_of_day(supplier, first).start..=ids_of_day(supplier, last).end - 1
}
