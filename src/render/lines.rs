//! Writes records as the JSON Lines that `import` reads (manual, "Importing", "JSON Lines").

use super::answer::Root;
use super::as_json::json_line;
use super::contracts::ContractOfLine;
use super::fields::{FieldWriter, Name, Record, Rules, name};
use super::purchase_fields::Card;
use std::collections::BTreeSet;

use crate::model::{
    Coverage, Date, EncodedContract, EncodedContractItems, Purchase, Regime, Registry, RnpEntry,
};

pub fn supplier_line(out: &mut Vec<u8>, inn: &str, name: &str) {
    line(out, Rules::Page, "supplier", &SupplierOfLine { inn, name });
}

/// Appends the line of a contract. If `items` is empty, takes the items from the contract's record.
pub fn contract_line(
    out: &mut Vec<u8>,
    inn: &str,
    name: &str,
    contract: &EncodedContract<'_>,
    items: EncodedContractItems<'_>,
) {
    let contract = Named(name!("contract"), &ContractOfLine { contract, items });
    line(
        out,
        Rules::Page,
        "contract",
        &(SupplierOfLine { inn, name }, contract),
    );
}

pub fn entry_line(out: &mut Vec<u8>, inn: &str, name: &str, entry: &RnpEntry) {
    let entry = Named(name!("entry"), entry);
    line(
        out,
        Rules::Page,
        "rnpEntry",
        &(SupplierOfLine { inn, name }, entry),
    );
}

/// Appends lines that declare a registry complete as of the first and the last day for which that
/// is known. Appends nothing if there is no such day.
pub fn registry_lines(out: &mut Vec<u8>, registry: &Registry) {
    let days = registry
        .complete
        .map(|days| BTreeSet::from([days.since, days.as_of]));
    for day in days.unwrap_or_default() {
        line(out, Rules::Page, "registry", &(registry.law, day));
    }
}

/// Appends the line of a run of days that have been fetched.
pub fn coverage_line(out: &mut Vec<u8>, run: &Coverage) {
    line(out, Rules::Page, "coverage", run);
}

/// Appends the line of a purchase as of `today`. For a 44-FZ purchase, the line has the fields of
/// both samples.
pub fn purchase_line(out: &mut Vec<u8>, purchase: &Purchase, today: Date) {
    let rules = Root::of_card(purchase).rules();
    let kind = purchase.number().regime().purchase_kind();
    let card = Card::new(purchase, today);
    line(out, rules, kind, &Named(name!("purchase"), &card));
}

fn line(out: &mut Vec<u8>, rules: Rules, kind: &'static str, rest: &impl Record) {
    json_line(out, rules, &(LineType(kind), rest));
}

struct LineType(&'static str);

impl Record for LineType {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("type"), self.0);
    }
}

struct SupplierOfLine<'a> {
    inn: &'a str,
    name: &'a str,
}

impl Record for SupplierOfLine<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.object(name!("supplier"), |fields| {
            fields.text(name!("inn"), self.inn);
            fields.text(name!("name"), self.name);
            // The import rejects a line without an INN unless it states that the supplier has none.
            if self.inn.is_empty() {
                fields.flag(name!("withoutINN"), Some(true));
            }
        });
    }
}

struct Named<'a, R>(&'static Name, &'a R);

impl<R: Record> Record for Named<'_, R> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.object(self.0, |fields| self.1.write(fields));
    }
}

/// Declares the registry under a law complete as of a day.
impl Record for (Regime, Date) {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.code(name!("federalLaw"), self.0.code(), Regime::CODES);
        fields.date(name!("completeAsOf"), Some(self.1));
    }
}

impl Record for Coverage {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("subsystem"), &self.subsystem);
        fields.text(name!("documents"), &self.documents);
        fields.text(name!("region"), &self.region);
        fields.date(name!("from"), Some(self.from));
        fields.date(name!("to"), Some(self.to));
    }
}
