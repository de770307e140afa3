//! Records as JSON Lines, in the form that the import reads (the contract, "Records as
//! JSON Lines"): what comes out goes in.

use super::as_json::json_document;
use super::fields::{FieldWriter, Record, Rules, name};
use super::{Root, contracts, purchase44, purchase223, rnp};
use crate::model::{Date, EncodedContract, Purchase, Registry, RnpEntry};

/// Appends the line of a supplier.
pub fn supplier_line(out: &mut Vec<u8>, inn: &str, name: &str) {
    line(out, Rules::PAGE, &SupplierLine { inn, name });
}

/// Appends the line of a supplier's contract.
pub fn contract_line(out: &mut Vec<u8>, inn: &str, name: &str, contract: &EncodedContract<'_>) {
    let supplier = SupplierOf { inn, name };
    line(out, Rules::PAGE, &ContractLine { supplier, contract });
}

/// Appends the line of a supplier's RNP entry.
pub fn entry_line(out: &mut Vec<u8>, inn: &str, name: &str, entry: &RnpEntry) {
    let supplier = SupplierOf { inn, name };
    line(out, Rules::PAGE, &EntryLine { supplier, entry });
}

/// Appends the line of a registry, if it is declared complete.
pub fn registry_line(out: &mut Vec<u8>, registry: &Registry) {
    if registry.complete_as_of.is_some() {
        line(out, Rules::PAGE, &RegistryLine(registry));
    }
}

/// Appends the line of a purchase, as it stands on the day `today`: under 44-FZ with the
/// fields of both samples.
pub fn purchase_line(out: &mut Vec<u8>, purchase: &Purchase, today: Date) {
    match purchase {
        Purchase::Fz44(card) => {
            let card = &purchase44::WholeCard { card, today };
            let kind = "purchase44";
            line(out, Rules::CARD44, &PurchaseLine { kind, card });
        }
        Purchase::Fz223(card) => {
            let card = &purchase223::Card223 { card, today };
            let kind = "purchase223";
            line(out, Rules::TEXT_LINE, &PurchaseLine { kind, card });
        }
        Purchase::Pp615(card) => {
            let kind = "purchase615";
            let card = &**card;
            line(out, Rules::TEXT_LINE, &PurchaseLine { kind, card });
        }
    }
}

fn line(out: &mut Vec<u8>, rules: Rules, record: &impl Record) {
    json_document(out, Root::Data.name(), rules, record);
    out.push(b'\n');
}

struct SupplierOf<'a> {
    inn: &'a str,
    name: &'a str,
}

impl SupplierOf<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.object(name!("supplier"), |fields| {
            fields.text(name!("inn"), self.inn);
            fields.text(name!("name"), self.name);
        });
    }
}

struct SupplierLine<'a> {
    inn: &'a str,
    name: &'a str,
}

impl Record for SupplierLine<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("type"), "supplier");
        let Self { inn, name } = *self;
        SupplierOf { inn, name }.write(fields);
    }
}

struct ContractLine<'a> {
    supplier: SupplierOf<'a>,
    contract: &'a EncodedContract<'a>,
}

impl Record for ContractLine<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("type"), "contract");
        self.supplier.write(fields);
        fields.object(name!("contract"), |fields| {
            contracts::contract(fields, self.contract)
        });
    }
}

struct EntryLine<'a> {
    supplier: SupplierOf<'a>,
    entry: &'a RnpEntry,
}

impl Record for EntryLine<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("type"), "rnpEntry");
        self.supplier.write(fields);
        fields.object(name!("entry"), |fields| rnp::entry(fields, self.entry));
    }
}

struct RegistryLine<'a>(&'a Registry);

impl Record for RegistryLine<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("type"), "registry");
        fields.code(name!("federalLaw"), self.0.law.code());
        fields.date(name!("completeAsOf"), self.0.complete_as_of);
    }
}

struct PurchaseLine<'a, R> {
    kind: &'static str,
    card: &'a R,
}

impl<R: Record> Record for PurchaseLine<'_, R> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("type"), self.kind);
        fields.object(name!("purchase"), |fields| self.card.write(fields));
    }
}
