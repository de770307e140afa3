//! The RNP check result (the specification, "RNP check result"), of one supplier and of
//! many (the contract, "RNP").

use super::fields::{Fields, Resource, form, name};
use crate::model::{RnpEntry, Verdict};

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
        check_head(fields, self);
        fields.list(name!("entries"), name!("entry"), self.entries, entry);
    }
}

/// Tells what is said of the supplier before its entries.
pub(super) fn check_head<F: Fields>(fields: &mut F, check: &RnpCheck<'_>) {
    fields.formed(name!("supplierINN"), check.inn, form::INN);
    fields.text(name!("supplierName"), check.name);
    fields.flag(name!("inRNP"), Some(!check.entries.is_empty()));
}

/// Are these suppliers listed in it?
#[derive(Clone, Copy, Debug)]
pub struct RnpCheckMany<'a> {
    /// One for each that was asked about, in that order.
    pub suppliers: &'a [CheckedSupplier],
    /// Are the entries that are over told as well?
    pub history: bool,
}

/// What the registry says of one of several suppliers.
#[derive(Clone, Debug)]
pub struct CheckedSupplier {
    /// As asked; perhaps no INN.
    pub inn: String,
    /// Name of the supplier; empty if unknown.
    pub name: String,
    /// In one word.
    pub verdict: Verdict,
    /// The entries listed on the day, newest first; `inRNP` is that there are any.
    pub entries: Vec<RnpEntry>,
    /// Those that have begun and are over, newest first.
    pub previous: Vec<RnpEntry>,
}

impl Resource for RnpCheckMany<'_> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        fields.list(
            name!("suppliers"),
            name!("supplier"),
            self.suppliers,
            |fields, supplier| {
                checked(fields, supplier);
                fields.list(name!("entries"), name!("entry"), &supplier.entries, entry);
                let previous = &supplier.previous;
                fields.list_if(
                    self.history,
                    name!("previousEntries"),
                    name!("entry"),
                    previous,
                    entry,
                );
            },
        );
    }
}

/// Tells what is said of a supplier before its entries.
pub(super) fn checked<F: Fields>(fields: &mut F, supplier: &CheckedSupplier) {
    fields.text(name!("supplierINN"), &supplier.inn);
    fields.text(name!("supplierName"), &supplier.name);
    let verdict = supplier.verdict.code();
    fields.code_among(name!("verdict"), verdict, Verdict::CODES);
    fields.flag(name!("inRNP"), Some(!supplier.entries.is_empty()));
}

/// Tells an entry.
pub(super) fn entry<F: Fields>(fields: &mut F, entry: &RnpEntry) {
    fields.text(name!("registrationNumber"), &entry.registration_number);
    fields.date(name!("registrationDate"), entry.registration_date);
    fields.text(name!("reason"), &entry.reason);
    fields.text(name!("contractNumber"), &entry.contract_number);
    fields.date(name!("excludeDate"), entry.exclude_date);
    fields.text(name!("federalLaw"), &entry.federal_law);
    fields.text(name!("customerName"), &entry.customer_name);
    fields.text(name!("customerINN"), &entry.customer_inn);
}
