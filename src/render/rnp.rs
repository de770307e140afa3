//! The RNP check result (the specification, "RNP check result").

use super::fields::{Fields, Resource};
use crate::model::RnpEntry;

/// Is a supplier listed in the registry of unfair suppliers?
#[derive(Clone, Copy, Debug)]
pub struct RnpCheck<'a> {
    /// INN of the supplier, as asked.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// The entries listed on the day, newest first; `inRNP` is that there are any.
    pub entries: &'a [RnpEntry],
}

impl Resource for RnpCheck<'_> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        fields.text("supplierINN", self.inn);
        fields.text("supplierName", self.name);
        fields.flag("inRNP", Some(!self.entries.is_empty()));
        fields.list("entries", "entry", self.entries, |fields, entry| {
            fields.text("registrationNumber", &entry.registration_number);
            fields.date("registrationDate", entry.registration_date);
            fields.text("reason", &entry.reason);
            fields.text("contractNumber", &entry.contract_number);
            fields.date("excludeDate", entry.exclude_date);
            fields.text("federalLaw", &entry.federal_law);
            fields.text("customerName", &entry.customer_name);
            fields.text("customerINN", &entry.customer_inn);
        });
    }
}
