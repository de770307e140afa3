//! Filters of entries of the registries of unfair suppliers.

use super::{ContentRegion, Date, Laws, NameQuery, Regime};

/// Which entries of the registries are listed. Conditions that are `None` or empty do not narrow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFilter {
    /// The laws whose registries are asked.
    pub laws: Laws,
    /// The day for `in_force`.
    pub day: Date,
    /// Whether the entries are in force on the day; those that have not begun are not.
    pub in_force: Option<bool>,
    /// The first day of inclusion.
    pub registered_from: Option<Date>,
    /// The last day of inclusion.
    pub registered_to: Option<Date>,
    /// The regions of the entries' customers.
    pub regions: Vec<ContentRegion>,
    /// The INN of the entries' customer, as the entries have it.
    pub customer_inn: Option<String>,
    /// Words of the supplier's name.
    pub supplier_name: Option<NameQuery>,
}

impl EntryFilter {
    /// Returns whether entries of a law match; `None`: of no known law, which match only if all are
    /// asked.
    pub fn has_law(&self, law: Option<Regime>) -> bool {
        self.laws == Laws::ALL || law.is_some_and(|law| self.laws.has(law))
    }
}
