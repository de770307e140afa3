//! RNP checks of one supplier (specification, "RNP check result") and of several, and the
//! registries as a list (manual, "API").

use super::answer::Tabular;
use super::as_csv::CsvTable;
use super::fields::{FieldWriter, Record, name};
use super::page::{PageCounts, SupplierFields};
use super::table::{Cells, RowCount, row, table};
use crate::model::{
    Basis, Date, Ground, LawGround, Regime, RegistryState, RnpEntry, Verdict, timestamp,
};

/// The registries and the data that an answer is based on. Tables repeat them in every row, because
/// a saved file has no response headers.
#[derive(Clone, Copy, Debug)]
pub struct AnswerOrigin {
    /// The registries that the verdicts are based on, and the day of the verdicts.
    pub ground: Ground,
    /// Time of the last import that changed anything, in seconds since 1970.
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
    /// INN, as in the request.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// Entries in force on the day, newest first. `inRNP` says whether there are any.
    pub entries: &'a [RnpEntry],
    /// Written as the last columns of each row of a table.
    pub from: &'a AnswerOrigin,
}

impl<'a> RnpCheck<'a> {
    /// Returns the fields that precede the entries.
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

/// Whether the supplier has entries in force.
struct IsListed(bool);

impl Record for IsListed {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.flag(name!("inRNP"), Some(self.0));
    }
}

/// The RNP check of several suppliers.
#[derive(Clone, Copy, Debug)]
pub struct RnpCheckMany<'a> {
    /// Suppliers, in the order of the request.
    pub suppliers: &'a [CheckedSupplier],
    /// Whether past entries are included.
    pub history: bool,
    /// Written as the last columns of each row of a table.
    pub from: &'a AnswerOrigin,
}

/// One supplier in a check of several.
#[derive(Clone, Debug, Default)]
pub struct CheckedSupplier {
    /// INN, as in the request; may be malformed.
    pub inn: String,
    /// Name of the supplier; empty if unknown.
    pub name: String,
    pub verdict: Verdict,
    /// Entries in force on the day, newest first.
    pub entries: Vec<RnpEntry>,
    /// Entries that ended before the day, newest first.
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

/// Callback that writes an entry about a supplier with this INN and name.
pub type ShowEntry<'a> = dyn FnMut(&str, &str, &RnpEntry) + 'a;

/// A page of entries of the registries.
#[derive(Clone, Copy)]
pub struct EntryPage<'a> {
    pub counts: PageCounts<'a>,
    /// Passes each entry to the callback, newest first.
    pub entries: &'a dyn Fn(&mut ShowEntry<'_>),
    /// Written as the last columns of each row of a table.
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
    /// Returns the fields of an entry; `None` gives empty fields.
    fn listed(&self, inn: &'a str, name: &'a str, entry: Option<&'a RnpEntry>) -> EntryRow<'a> {
        let day = self.from.ground.day;
        EntryRow {
            supplier: SupplierFields::new(inn, name),
            entry,
            in_force: entry.map(|entry| entry.is_in_force(day)),
        }
    }
}

/// An entry in a list about several suppliers.
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

/// Writes the registries of all laws as the basis of verdicts.
pub(super) fn registries<F: FieldWriter>(fields: &mut F, ground: &Ground) {
    let laws: Vec<_> = Regime::ALL.into_iter().zip(ground.laws).collect();
    fields.list(name!("registries"), name!("registry"), &laws, registry);
}

/// Writes one law's registry. If the registry was not consulted, all fields but the law are empty.
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

/// Writes an entry that has ended, and the date of the complete registry that no longer contains
/// it.
fn previous_entry<F: FieldWriter>(fields: &mut F, entry: &RnpEntry) {
    entry.write(fields);
    fields.date(name!("removedBy"), entry.removed_by);
}

/// The fields that precede a supplier's entries.
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
            // Not among the fields of an entry: callers write the supplier's name and the day of
            // removal where needed.
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

/// Appends a supplier to the table of [`begin_suppliers`].
pub fn add_supplier(out: &mut Vec<u8>, inn: &str, name: &str) {
    row(&mut CsvTable::rows(out), &SupplierFields::new(inn, name));
}

/// Begins a CSV table of RNP entries.
pub fn begin_entries(out: &mut Vec<u8>, from: &AnswerOrigin) {
    let blank = (SupplierFields::new("", ""), RnpEntry::default());
    table(&mut CsvTable::begin(out), &(blank, from));
}

/// Appends an entry to the table of [`begin_entries`].
pub fn add_entry(out: &mut Vec<u8>, inn: &str, name: &str, entry: &RnpEntry, from: &AnswerOrigin) {
    let entry = (SupplierFields::new(inn, name), entry);
    row(&mut CsvTable::rows(out), &(entry, from));
}

impl Tabular for RnpCheck<'_> {
    /// One row per entry, or a single row without an entry.
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

    /// Writes one row per entry, or a single row with only the state of the registries.
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

/// Columns about past entries: whether the entry has ended (`None` if the row has no entry), and
/// the date of the complete registry that no longer contains it.
struct PastFields(Option<bool>, Option<Date>);

impl Record for PastFields {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.flag(name!("previous"), self.0);
        fields.date(name!("removedBy"), self.1);
    }
}

impl Tabular for RnpCheckMany<'_> {
    /// One row per entry of each supplier, or a row without an entry.
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
