//! The entries of the registries of unfair suppliers as a list: filtered, newest first.

use std::collections::HashSet;

use super::super::entry_list::ListedEntry;
use super::super::error::Result;
use super::super::record::read_entry;
use super::super::suppliers::SupplierRow;
use super::Database;
use super::names::entries_without_inn;
use super::order::window;
use super::source::Source;
use crate::model::{EntryFilter, NameQuery, NameStep, RnpEntry};

/// Number of entries read per statement.
const READ_AT_ONCE: usize = 1_000;

/// A page of entries that match a filter.
#[derive(Clone, Debug)]
pub struct EntrySelection {
    /// Number of all matching entries.
    pub count: u64,
    numbers: Vec<Box<str>>,
}

impl Database {
    /// Selects up to `limit` of the entries that match a filter, after the first `skip`. Newest
    /// first: by registration date, then number, both descending.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn select_entries(
        &self,
        filter: &EntryFilter,
        skip: u64,
        limit: u64,
    ) -> Result<EntrySelection> {
        let source = self.source();
        let list = source.entry_list()?;
        let mut matches: Vec<_> = list.iter().filter(|entry| entry.matches(filter)).collect();
        if let Some(name) = &filter.supplier_name {
            let named = NamedSuppliers::new(source, name, &matches)?;
            matches.retain(|entry| named.have(entry));
        }
        let on_page = matches.get(window(matches.len(), skip, limit));
        let numbers = on_page.unwrap_or_default().iter();
        Ok(EntrySelection {
            count: matches.len() as u64,
            numbers: numbers.map(|entry| entry.number.clone()).collect(),
        })
    }

    /// Passes the entries of a selection with their suppliers to `show`, in order.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable. `show` may already have received some entries by
    /// then.
    pub fn show_entries(
        &self,
        selection: &EntrySelection,
        show: &mut dyn FnMut(&SupplierRow, &RnpEntry),
    ) -> Result<()> {
        let source = self.source();
        for numbers in selection.numbers.chunks(READ_AT_ONCE) {
            let (mut inns, mut entries) = (Vec::new(), Vec::new());
            source.entries_with_numbers(numbers, &mut |inn, record| {
                let entry = read_entry(inn.as_str(), record);
                entries.push(entry.map_err(|what| source.damaged(&what))?);
                inns.push(inn.clone());
                Ok(())
            })?;
            if entries.len() != numbers.len() {
                return Err(source.damaged("an RNP entry that is listed is missing"));
            }
            let suppliers = source.suppliers_with_inns(&inns)?;
            for (supplier, entry) in suppliers.iter().zip(&entries) {
                show(supplier, entry);
            }
        }
        Ok(())
    }
}

/// Those suppliers of the given entries whose names match a query.
struct NamedSuppliers {
    /// INNs of the suppliers that have one.
    inns: HashSet<String>,
    /// Numbers of the entries about suppliers without an INN.
    entries: HashSet<String>,
}

impl NamedSuppliers {
    /// Finds the suppliers of `entries` that match the first step of a name search.
    fn new(source: &dyn Source, name: &NameQuery, entries: &[&ListedEntry]) -> Result<Self> {
        let mut named = Self {
            inns: HashSet::new(),
            entries: HashSet::new(),
        };
        let Some(step) = name.steps().next() else {
            return Ok(named);
        };
        let listed: HashSet<&str> = entries.iter().map(|entry| entry.inn.key()).collect();
        for (at, way) in step.ways.iter().enumerate() {
            source.names(&way.parts(), &mut |row| {
                let inn = row.inn.to_string();
                let is_listed = !row.is_customer && listed.contains(inn.as_str());
                if is_listed && step.score(at, row.name).is_some() {
                    named.inns.insert(inn);
                }
                Ok(())
            })?;
        }
        for (name, entry) in entries_without_inn(source)? {
            if has_words(&step, &name) {
                named.entries.insert(entry.registration_number);
            }
        }
        Ok(named)
    }

    fn have(&self, entry: &ListedEntry) -> bool {
        match entry.inn.is_none() {
            true => self.entries.contains(&*entry.number),
            false => self.inns.contains(entry.inn.key()),
        }
    }
}

/// Returns whether a step matches a name in the form of [`crate::model::searched_name`].
fn has_words(step: &NameStep, name: &str) -> bool {
    (0..step.ways.len()).any(|way| step.score(way, name).is_some())
}
