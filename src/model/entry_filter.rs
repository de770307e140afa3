//! Filter of entries of the registries of unfair suppliers.

use super::{ContentRegion, Date, Laws, NameQuery, Regime};

/// Conditions are joined by AND; those that are `None` or empty match everything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryFilter {
    pub laws: Laws,
    /// The day that `in_force` refers to.
    pub day: Date,
    /// Whether the entry is in force on `day`. Entries that begin later are not.
    pub in_force: Option<bool>,
    /// First day of inclusion.
    pub registered_from: Option<Date>,
    /// Last day of inclusion.
    pub registered_to: Option<Date>,
    /// Regions of the customer; any may match.
    pub regions: Vec<ContentRegion>,
    /// INN of the customer, spelled as in the entries.
    pub customer_inn: Option<String>,
    /// Words of the supplier's name.
    pub supplier_name: Option<NameQuery>,
}

impl EntryFilter {
    /// Returns whether entries under a law match. Entries under an unknown law (`None`) match only
    /// if all laws are asked for.
    pub fn has_law(&self, law: Option<Regime>) -> bool {
        self.laws == Laws::ALL || law.is_some_and(|law| self.laws.has(law))
    }
}
