//! The filter of entries in the registries of unfair suppliers.

use super::{ContentRegion, Date, Laws, NameQuery, Regime};

/// A filter of entries. All conditions must hold; a condition that is `None` or empty always holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFilter {
    pub laws: Laws,
    /// The day that `in_force` refers to.
    pub day: Date,
    /// Whether the entry is in force on `day`. An entry that begins later is not.
    pub in_force: Option<bool>,
    pub registered_from: Option<Date>,
    pub registered_to: Option<Date>,
    /// The customer must be in one of these regions.
    pub regions: Vec<ContentRegion>,
    /// INN of the customer, as spelled in the entries.
    pub customer_inn: Option<String>,
    /// Words in the supplier's name.
    pub supplier_name: Option<NameQuery>,
}

impl EntryFilter {
    /// Returns whether the filter accepts entries under a law. It accepts an unknown law (`None`)
    /// only if it accepts all laws.
    pub fn has_law(&self, law: Option<Regime>) -> bool {
        self.laws == Laws::ALL || law.is_some_and(|law| self.laws.has(law))
    }
}
