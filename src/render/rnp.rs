//! The RNP check result (the specification, "RNP check result"), of one supplier and of
//! many (the contract, "RNP").

use super::fields::{FieldWriter, Record, form, name};
use crate::model::{Date, Regime, Registries, Registry, RegistryState, RnpEntry, Verdict};

/// As of which day an answer is, and from which data: what a row of a table says, that
/// is kept without the headers it came with.
#[derive(Clone, Debug)]
pub struct AnsweredFrom {
    /// The day that entries are listed on.
    pub day: Date,
    /// When an import last changed anything, `YYYY-MM-DDTHH:MM:SSZ`.
    pub updated: String,
}

/// Is a supplier listed in the registry of unfair suppliers?
#[derive(Clone, Copy, Debug)]
pub struct RnpCheck<'a> {
    /// INN of the supplier, as asked.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// The entries listed on the day, newest first; `inRNP` is that there are any.
    pub entries: &'a [RnpEntry],
    /// What each row of a table ends in.
    pub from: &'a AnsweredFrom,
}

impl Record for RnpCheck<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        check_head(fields, self);
        fields.list(name!("entries"), name!("entry"), self.entries, entry);
    }
}

/// Writes what is said of the supplier before its entries.
pub(super) fn check_head<F: FieldWriter>(fields: &mut F, check: &RnpCheck<'_>) {
    fields.formed(name!("supplierINN"), check.inn, form::INN);
    fields.text(name!("supplierName"), check.name);
    fields.flag(name!("inRNP"), Some(!check.entries.is_empty()));
}

/// Are these suppliers listed in it?
#[derive(Clone, Copy, Debug)]
pub struct RnpCheckMany<'a> {
    /// One for each that was asked about, in that order.
    pub suppliers: &'a [CheckedSupplier],
    /// What is known of the registries they were looked for in.
    pub registries: &'a Registries,
    /// Are the entries that are over told as well?
    pub history: bool,
    /// What each row of a table ends in.
    pub from: &'a AnsweredFrom,
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
    /// The entries listed on the day, newest first.
    pub entries: Vec<RnpEntry>,
    /// Those that have begun and are over, newest first.
    pub previous: Vec<RnpEntry>,
}

impl Record for RnpCheckMany<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
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
        let registries = &self.registries.0;
        fields.list(name!("registries"), name!("registry"), registries, registry);
    }
}

/// Writes what is known of a registry.
fn registry<F: FieldWriter>(fields: &mut F, registry: &Registry) {
    let (law, state) = (registry.law.code(), registry.state().code());
    fields.code_among(name!("federalLaw"), law, Regime::CODES);
    fields.code_among(name!("state"), state, RegistryState::CODES);
    fields.date(name!("completeAsOf"), registry.complete_as_of);
    fields.count(name!("entries"), Some(registry.entries));
}

/// Writes what a row of a table ends in.
pub(super) fn answered_from<F: FieldWriter>(fields: &mut F, from: &AnsweredFrom) {
    fields.date(name!("asOf"), Some(from.day));
    fields.text(name!("dataUpdated"), &from.updated);
}

/// Writes what is said of a supplier before its entries.
pub(super) fn checked<F: FieldWriter>(fields: &mut F, supplier: &CheckedSupplier) {
    fields.text(name!("supplierINN"), &supplier.inn);
    fields.text(name!("supplierName"), &supplier.name);
    let verdict = supplier.verdict.code();
    fields.code_among(name!("verdict"), verdict, Verdict::CODES);
    fields.flag(name!("inRNP"), supplier.verdict.is_listed());
}

/// Writes an entry.
pub(super) fn entry<F: FieldWriter>(fields: &mut F, entry: &RnpEntry) {
    fields.text(name!("registrationNumber"), &entry.registration_number);
    fields.date(name!("registrationDate"), entry.registration_date);
    fields.text(name!("reason"), &entry.reason);
    fields.text(name!("contractNumber"), &entry.contract_number);
    fields.date(name!("excludeDate"), entry.exclude_date);
    fields.text(name!("federalLaw"), &entry.federal_law);
    fields.text(name!("customerName"), &entry.customer_name);
    fields.text(name!("customerINN"), &entry.customer_inn);
}
