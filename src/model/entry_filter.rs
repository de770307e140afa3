//! The filter of a search for entries in the registries of unfair suppliers.

use super::{ContentRegion, Date, Laws, NameQuery, Regime};

/// All conditions must hold. A condition that is `None` or empty holds for every entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFilter {
    pub laws: Laws,
    pub day: Date,
    /// Whether the entry is in force on `day`. An entry that begins later is not.
    pub in_force: Option<bool>,
    pub registered_from: Option<Date>,
    pub registered_to: Option<Date>,
    /// The customer must be in one of these regions.
    pub regions: Vec<ContentRegion>,
    /// INN as spelled in the entries.
    pub customer_inn: Option<String>,
    /// Matched against the supplier's name.
    pub supplier_name: Option<NameQuery>,
}

impl EntryFilter {
    /// Returns whether the filter accepts entries under a law. Entries under an unknown law
    /// (`None`) are accepted only if all laws are.
    pub fn has_law(&self, law: Option<Regime>) -> bool {
        self.laws == Laws::ALL || law.is_some_and(|law| self.laws.has(law))
    }
}
