//! The RNP check result (the specification, "RNP check result").

use super::fields::{Fields, Resource, form, name};
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
        fields.formed(name!("supplierINN"), self.inn, form::INN);
        fields.text(name!("supplierName"), self.name);
        fields.flag(name!("inRNP"), Some(!self.entries.is_empty()));
        fields.list(
            name!("entries"),
            name!("entry"),
            self.entries,
            |fields, entry| {
                fields.text(name!("registrationNumber"), &entry.registration_number);
                fields.date(name!("registrationDate"), entry.registration_date);
                fields.text(name!("reason"), &entry.reason);
                fields.text(name!("contractNumber"), &entry.contract_number);
                fields.date(name!("excludeDate"), entry.exclude_date);
                fields.text(name!("federalLaw"), &entry.federal_law);
                fields.text(name!("customerName"), &entry.customer_name);
                fields.text(name!("customerINN"), &entry.customer_inn);
            },
        );
    }
}
