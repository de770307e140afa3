//! RNP checks of one supplier (specification, "RNP check result") and of several suppliers, and the
//! list of all RNP entries (manual, "API").

use super::answer::Tabular;
use super::as_csv::CsvTable;
use super::fields::{FieldWriter, Record, name};
use super::page::{PageCounts, SupplierFields};
use super::table::{Cells, RowCount, row, table};
use crate::model::{
    Basis, Date, Ground, LawGround, Regime, RegistryState, RnpEntry, Verdict, timestamp,
};

/// What an answer is based on. Tables repeat it in every row, because a saved file has no response
/// headers.
#[derive(Clone, Copy, Debug)]
pub struct AnswerOrigin {
    /// The state of the registries, and the day for which verdicts hold.
    pub ground: Ground,
    /// Time of the last import that changed any data, in seconds since 1970.
    pub updated: i64,
}

impl Record for AnswerOrigin {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let cell = |law: Option<LawGround>| law.map_or_else(String::new, |law| law.cell());
        let [fz44, fz223, pp615] = self.ground.laws.map(cell);
        fields.text(name!("registry44"), &fz44);
        fields.text(name!("registry223"), &fz223);
        fields.text(name!("registry615"), &pp615);
        fields.date(name!("asOf"), Some(self.ground.day));
        fields.text(name!("dataUpdated"), &timestamp(self.updated));
    }
}

/// The RNP check of one supplier.
#[derive(Clone, Copy, Debug)]
pub struct RnpCheck<'a> {
    pub inn: &'a str,
    /// Empty if unknown.
    pub name: &'a str,
    /// Entries in force on the day of the check, newest first. `inRNP` says whether there are any.
    pub entries: &'a [RnpEntry],
    pub from: &'a AnswerOrigin,
}

impl<'a> RnpCheck<'a> {
    /// Returns the fields before the entries.
    fn head(&self) -> (SupplierFields<'a>, IsListed) {
        let supplier = SupplierFields::new(self.inn, self.name);
        (supplier, IsListed(!self.entries.is_empty()))
    }
}

impl Record for RnpCheck<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.head().write(fields);
        fields.list(name!("entries"), name!("entry"), self.entries, entry);
    }
}

struct IsListed(bool);

impl Record for IsListed {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.flag(name!("inRNP"), Some(self.0));
    }
}

/// The RNP check of several suppliers.
#[derive(Clone, Copy, Debug)]
pub struct RnpCheckMany<'a> {
    /// In the order of the request.
    pub suppliers: &'a [CheckedSupplier],
    /// Whether the answer includes entries that are no longer in force.
    pub history: bool,
    pub from: &'a AnswerOrigin,
}

/// One supplier in a check of several.
#[derive(Clone, Debug, Default)]
pub struct CheckedSupplier {
    /// As in the request; may be malformed.
    pub inn: String,
    /// Empty if unknown.
    pub name: String,
    pub verdict: Verdict,
    /// Entries in force on the day of the check, newest first.
    pub entries: Vec<RnpEntry>,
    /// Entries that ended before the day of the check, newest first.
    pub previous: Vec<RnpEntry>,
}

impl Record for RnpCheckMany<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.list(
            name!("suppliers"),
            name!("supplier"),
            self.suppliers,
            |fields, supplier| {
                supplier.write(fields);
                fields.list(name!("entries"), name!("entry"), &supplier.entries, entry);
                let previous = &supplier.previous;
                fields.optional(self.history, |fields| {
                    let name = name!("previousEntries");
                    fields.list(name, name!("entry"), previous, previous_entry);
                });
            },
        );
        registries(fields, &self.from.ground);
    }
}

/// Callback that writes an entry. Its arguments are the supplier's INN and name, and the entry.
pub type ShowEntry<'a> = dyn FnMut(&str, &str, &RnpEntry) + 'a;

/// A page of entries of the registries.
#[derive(Clone, Copy)]
pub struct EntryPage<'a> {
    pub counts: PageCounts<'a>,
    /// Passes each entry to the callback, newest first.
    pub entries: &'a dyn Fn(&mut ShowEntry<'_>),
    pub from: &'a AnswerOrigin,
}

impl Record for EntryPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.counts.write(fields);
        registries(fields, &self.from.ground);
        fields.stream(name!("entries"), |fields| {
            (self.entries)(&mut |inn, name, entry| {
                let listed = self.listed(inn, name, Some(entry));
                fields.item(name!("entry"), |fields| listed.write(fields));
            });
        });
    }
}

impl<'a> EntryPage<'_> {
    /// If `entry` is `None`, the entry's fields stay empty.
    fn listed(&self, inn: &'a str, name: &'a str, entry: Option<&'a RnpEntry>) -> EntryRow<'a> {
        let day = self.from.ground.day;
        EntryRow {
            supplier: SupplierFields::new(inn, name),
            entry,
            in_force: entry.map(|entry| entry.is_in_force(day)),
        }
    }
}

struct EntryRow<'a> {
    supplier: SupplierFields<'a>,
    entry: Option<&'a RnpEntry>,
    in_force: Option<bool>,
}

impl Record for EntryRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let blank = RnpEntry::default();
        self.supplier.write(fields);
        self.entry.unwrap_or(&blank).write(fields);
        fields.flag(name!("inForce"), self.in_force);
    }
}

/// Writes the state of the registry under each law.
pub(super) fn registries<F: FieldWriter>(fields: &mut F, ground: &Ground) {
    let laws: Vec<_> = Regime::ALL.into_iter().zip(ground.laws).collect();
    fields.list(name!("registries"), name!("registry"), &laws, registry);
}

/// If the request did not ask about the law, all fields but the law are empty.
fn registry<F: FieldWriter>(fields: &mut F, (law, ground): &(Regime, Option<LawGround>)) {
    let state = ground.map_or("", |ground| ground.state().code());
    let basis = ground.and_then(|ground| ground.basis);
    fields.code(name!("federalLaw"), law.code(), Regime::CODES);
    fields.code(name!("state"), state, RegistryState::CODES);
    fields.code(name!("basis"), basis.map_or("", Basis::code), Basis::CODES);
    fields.date(
        name!("completeSince"),
        ground.and_then(|ground| ground.complete_since),
    );
    fields.date(
        name!("completeAsOf"),
        ground.and_then(|ground| ground.complete_as_of),
    );
    fields.flag(name!("covers"), ground.map(|ground| ground.covers()));
    fields.count(name!("entries"), ground.map(|ground| ground.entries));
    fields.count(name!("unread"), ground.map(|ground| ground.unread));
}

/// Writes an entry that is no longer in force. `removedBy` is the day of the complete registry that
/// no longer contained the entry.
fn previous_entry<F: FieldWriter>(fields: &mut F, entry: &RnpEntry) {
    entry.write(fields);
    fields.date(name!("removedBy"), entry.removed_by);
}

/// Writes only the fields before the entries.
impl Record for CheckedSupplier {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("supplierINN"), &self.inn);
        fields.text(name!("supplierName"), &self.name);
        let verdict = self.verdict.code();
        fields.code(name!("verdict"), verdict, Verdict::CODES);
        fields.flag(name!("inRNP"), self.verdict.is_listed());
    }
}

fn entry<F: FieldWriter>(fields: &mut F, entry: &RnpEntry) {
    entry.write(fields);
}

impl Record for RnpEntry {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let Self {
            registration_number,
            registration_date,
            reason,
            contract_number,
            exclude_date,
            federal_law,
            customer_name,
            customer_inn,
            // Callers write these fields where they are needed.
            supplier_name: _,
            suspensions: _,
            removed_by: _,
        } = self;
        fields.text(name!("registrationNumber"), registration_number);
        fields.date(name!("registrationDate"), *registration_date);
        fields.text(name!("reason"), reason);
        fields.text(name!("contractNumber"), contract_number);
        fields.date(name!("excludeDate"), *exclude_date);
        fields.text(name!("federalLaw"), federal_law);
        fields.text(name!("customerName"), customer_name);
        fields.text(name!("customerINN"), customer_inn);
    }
}

/// Begins a CSV table of suppliers.
pub fn begin_suppliers(out: &mut Vec<u8>) {
    table(&mut CsvTable::begin(out), &SupplierFields::new("", ""));
}

/// Appends a row to the table begun by [`begin_suppliers`].
pub fn add_supplier(out: &mut Vec<u8>, inn: &str, name: &str) {
    row(&mut CsvTable::rows(out), &SupplierFields::new(inn, name));
}

/// Begins a CSV table of RNP entries.
pub fn begin_entries(out: &mut Vec<u8>, from: &AnswerOrigin) {
    let blank = (SupplierFields::new("", ""), RnpEntry::default());
    table(&mut CsvTable::begin(out), &(blank, from));
}

/// Appends a row to the table begun by [`begin_entries`].
pub fn add_entry(out: &mut Vec<u8>, inn: &str, name: &str, entry: &RnpEntry, from: &AnswerOrigin) {
    let entry = (SupplierFields::new(inn, name), entry);
    row(&mut CsvTable::rows(out), &(entry, from));
}

impl Tabular for RnpCheck<'_> {
    /// Writes one row per entry, or one row without an entry if there are none.
    fn write_table(&self, out: &mut dyn Cells) {
        let blank = RnpEntry::default();
        let entry_row = |entry| ((self.head(), entry), self.from);
        table(out, &entry_row(&blank));
        let none = self.entries.is_empty().then_some(&blank);
        for entry in self.entries.iter().chain(none) {
            row(out, &entry_row(entry));
        }
    }
}

impl Tabular for EntryPage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.counts.rows)
    }

    /// Writes one row per entry, or one row with only the state of the registries if there are
    /// none.
    fn write_table(&self, out: &mut dyn Cells) {
        let blank = self.listed("", "", None);
        table(out, &(&blank, self.from));
        if self.counts.rows.rows == 0 {
            row(out, &(&blank, self.from));
        }
        (self.entries)(&mut |inn, name, entry| {
            row(out, &(self.listed(inn, name, Some(entry)), self.from));
        });
    }
}

/// Whether the row's entry is no longer in force, and the day of the complete registry that no
/// longer contained the entry. The first is `None` in a row without an entry.
struct PastFields(Option<bool>, Option<Date>);

impl Record for PastFields {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.flag(name!("previous"), self.0);
        fields.date(name!("removedBy"), self.1);
    }
}

impl Tabular for RnpCheckMany<'_> {
    /// Writes one row per entry, or one row without an entry for a supplier that has none.
    fn write_table(&self, out: &mut dyn Cells) {
        let blank = RnpEntry::default();
        let nobody = CheckedSupplier::default();
        let entry_row = |supplier, entry, past: PastFields| {
            let past = self.history.then_some(past);
            ((supplier, entry), (past, self.from))
        };
        table(out, &entry_row(&nobody, &blank, PastFields(None, None)));
        for supplier in self.suppliers {
            for entry in &supplier.entries {
                row(
                    out,
                    &entry_row(supplier, entry, PastFields(Some(false), None)),
                );
            }
            let previous = supplier.previous.iter().filter(|_| self.history);
            for entry in previous.clone() {
                let past = PastFields(Some(true), entry.removed_by);
                row(out, &entry_row(supplier, entry, past));
            }
            if supplier.entries.is_empty() && previous.count() == 0 {
                row(out, &entry_row(supplier, &blank, PastFields(None, None)));
            }
        }
    }
}
