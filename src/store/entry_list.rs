//! The entries of the registries of unfair suppliers in memory, for requests about all of them. An
//! entry takes about 150 bytes. The list is read once per state of the data, when a request first
//! needs it.

use std::sync::{Arc, OnceLock};

use super::listed_contracts::ListedContracts;
use crate::model::{ContentRegion, Date, EntryDays, EntryFilter, Inn, Regime, RnpEntry};

/// All entries, newest first: by registration date, then number, both descending.
#[derive(Debug, Default)]
pub(super) struct EntryList {
    entries: Vec<ListedEntry>,
    /// The contracts that were signed while an entry was in force; empty until they have been
    /// determined.
    pub listed: OnceLock<Arc<ListedContracts>>,
}

/// The fields of an entry that requests about all entries need.
#[derive(Debug)]
pub(super) struct ListedEntry {
    pub number: Box<str>,
    pub inn: Inn,
    /// `None` if the law is unknown.
    pub law: Option<Regime>,
    pub days: EntryDays,
    pub customer_inn: Box<str>,
}

impl EntryList {
    pub fn new(mut entries: Vec<ListedEntry>) -> Self {
        entries.sort_unstable_by(|one, other| other.key().cmp(&one.key()));
        entries.shrink_to_fit();
        Self {
            entries,
            listed: OnceLock::new(),
        }
    }

    pub fn iter(&self) -> impl Iterator<Item = &ListedEntry> {
        self.entries.iter()
    }
}

impl ListedEntry {
    pub fn new(inn: Inn, entry: &RnpEntry) -> Self {
        Self {
            number: entry.registration_number.as_str().into(),
            inn,
            law: Regime::from_code(&entry.federal_law),
            days: entry.days(),
            customer_inn: entry.customer_inn.as_str().into(),
        }
    }

    /// Returns whether the entry matches a filter, ignoring the supplier's name.
    pub fn matches(&self, filter: &EntryFilter) -> bool {
        let first = self.days.first;
        let customer = filter.customer_inn.as_deref();
        filter.has_law(self.law)
            && filter
                .in_force
                .is_none_or(|is| self.days.has(filter.day) == is)
            && filter
                .registered_from
                .is_none_or(|from| first >= Some(from))
            && filter
                .registered_to
                .is_none_or(|to| first.is_some_and(|first| first <= to))
            && customer.is_none_or(|inn| *inn == *self.customer_inn)
            && self.is_in(&filter.regions)
    }

    fn is_in(&self, regions: &[ContentRegion]) -> bool {
        let region = || ContentRegion::of_inn(&self.customer_inn);
        regions.is_empty() || region().is_some_and(|region| regions.contains(&region))
    }

    fn key(&self) -> (Option<Date>, &str) {
        (self.days.first, &self.number)
    }
}
