//! The RNP check result (the specification, "RNP check result") for one supplier and for several
//! (the manual, API).

use super::answer::Tabular;
use super::as_csv::CsvTable;
use super::fields::{FieldWriter, Record, name};
use super::page::{PageCounts, SupplierFields};
use super::table::{Cells, RowCount, row, table};
use crate::model::{
    Basis, Date, Ground, LawGround, Regime, RegistryState, RnpEntry, Verdict, timestamp,
};

/// The ground and the data of an answer. Each row of a table repeats them, because a stored file
/// lacks the response's headers.
#[derive(Clone, Copy, Debug)]
pub struct AnswerOrigin {
    /// The ground of the verdicts.
    pub ground: Ground,
    /// The time of the last import that changed anything, in seconds since 1970.
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

/// The check of one supplier.
#[derive(Clone, Copy, Debug)]
pub struct RnpCheck<'a> {
    /// INN of the supplier, as requested.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// The entries listed on the day, newest first; `inRNP` states whether the list has any.
    pub entries: &'a [RnpEntry],
    /// The last columns of each row of a table.
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

/// Whether the supplier has entries.
struct IsListed(bool);

impl Record for IsListed {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.flag(name!("inRNP"), Some(self.0));
    }
}

/// The check of several suppliers.
#[derive(Clone, Copy, Debug)]
pub struct RnpCheckMany<'a> {
    /// The requested suppliers, in the order of the request.
    pub suppliers: &'a [CheckedSupplier],
    /// Whether past entries are included.
    pub history: bool,
    /// The last columns of each row of a table.
    pub from: &'a AnswerOrigin,
}

/// The check of one of several suppliers.
#[derive(Clone, Debug, Default)]
pub struct CheckedSupplier {
    /// The INN as requested; it may be malformed.
    pub inn: String,
    /// Name of the supplier; empty if unknown.
    pub name: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The entries listed on the day, newest first.
    pub entries: Vec<RnpEntry>,
    /// Past entries, which were in force before the day, newest first.
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

/// Appends an entry about a supplier with this INN and name.
pub type ShowEntry<'a> = dyn FnMut(&str, &str, &RnpEntry) + 'a;

/// A page of the registries as a list.
#[derive(Clone, Copy)]
pub struct EntryPage<'a> {
    /// The rows of the page.
    pub counts: PageCounts<'a>,
    /// Passes the entries, newest first, to its argument.
    pub entries: &'a dyn Fn(&mut ShowEntry<'_>),
    /// The last columns of each row of a table.
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
    /// Returns the fields of an entry; all empty for `None`.
    fn listed(&self, inn: &'a str, name: &'a str, entry: Option<&'a RnpEntry>) -> ListedEntry<'a> {
        let day = self.from.ground.day;
        ListedEntry {
            supplier: SupplierFields::new(inn, name),
            entry,
            in_force: entry.map(|entry| entry.is_in_force(day)),
        }
    }
}

/// An entry in a list of entries of several suppliers.
struct ListedEntry<'a> {
    supplier: SupplierFields<'a>,
    entry: Option<&'a RnpEntry>,
    in_force: Option<bool>,
}

impl Record for ListedEntry<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let blank = RnpEntry::default();
        self.supplier.write(fields);
        self.entry.unwrap_or(&blank).write(fields);
        fields.flag(name!("inForce"), self.in_force);
    }
}

/// Writes the registries of all laws as the ground of verdicts.
pub(super) fn registries<F: FieldWriter>(fields: &mut F, ground: &Ground) {
    let laws: Vec<_> = Regime::ALL.into_iter().zip(ground.laws).collect();
    fields.list(name!("registries"), name!("registry"), &laws, registry);
}

/// Writes the registry of a law as the ground of a verdict. All fields except the law are empty
/// for a registry that was not checked.
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

/// Writes a past entry with the day of the complete registry that no longer contains it.
fn previous_entry<F: FieldWriter>(fields: &mut F, entry: &RnpEntry) {
    entry.write(fields);
    fields.date(name!("removedBy"), entry.removed_by);
}

/// The fields of a supplier before its entries.
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
            // The caller writes them where an answer has them.
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

/// Begins a table of suppliers as CSV.
pub fn begin_suppliers(out: &mut Vec<u8>) {
    table(&mut CsvTable::begin(out), &SupplierFields::new("", ""));
}

/// Appends a supplier to that table.
pub fn add_supplier(out: &mut Vec<u8>, inn: &str, name: &str) {
    row(&mut CsvTable::rows(out), &SupplierFields::new(inn, name));
}

/// Begins a table of RNP entries as CSV.
pub fn begin_entries(out: &mut Vec<u8>, from: &AnswerOrigin) {
    let blank = (SupplierFields::new("", ""), RnpEntry::default());
    table(&mut CsvTable::begin(out), &(blank, from));
}

/// Appends an entry to that table.
pub fn add_entry(out: &mut Vec<u8>, inn: &str, name: &str, entry: &RnpEntry, from: &AnswerOrigin) {
    let entry = (SupplierFields::new(inn, name), entry);
    row(&mut CsvTable::rows(out), &(entry, from));
}

impl Tabular for RnpCheck<'_> {
    /// Writes a row for each entry, or one without an entry.
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

    /// Writes a row for each entry, or one with the ground alone.
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

/// The columns of past entries: whether the row's entry is past, none without an entry, and the
/// day of the complete registry that no longer contains it.
struct PastFields(Option<bool>, Option<Date>);

impl Record for PastFields {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.flag(name!("previous"), self.0);
        fields.date(name!("removedBy"), self.1);
    }
}

impl Tabular for RnpCheckMany<'_> {
    /// Writes such rows for each supplier.
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
