//! Changes made by imports (manual, "API", "What changed"), and changes of watched suppliers
//! (manual, "Watching suppliers").

use super::answer::Tabular;
use super::as_csv::CsvTable;
use super::as_json::json_line;
use super::fields::{FieldWriter, Record, Rules, name};
use super::page::SupplierFields;
use super::rnp::AnswerOrigin;
use super::table::{Cells, row, table};
use crate::model::{ChangedPart, ChangedSubject, LoggedChange, Verdict};

/// A page of the changes after a cursor.
#[derive(Clone, Copy, Debug)]
pub struct ChangePage<'a> {
    /// Cursor for requesting the next page.
    pub next: &'a str,
    pub revision: u64,
    /// Oldest first.
    pub changes: &'a [LoggedChange],
}

impl Record for ChangePage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("next"), self.next);
        fields.count(name!("revision"), Some(self.revision));
        let changes = self.changes;
        fields.list(name!("changes"), name!("change"), changes, |to, change| {
            ChangeRow(Some(change)).write(to);
        });
    }
}

impl Tabular for ChangePage<'_> {
    fn write_table(&self, out: &mut dyn Cells) {
        table(out, &ChangeRow(None));
        for change in self.changes {
            row(out, &ChangeRow(Some(change)));
        }
    }
}

/// `None` writes empty fields.
struct ChangeRow<'a>(Option<&'a LoggedChange>);

impl Record for ChangeRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let change = self.0;
        let kind = change.map_or("", |change| change.subject.kind());
        let what = change.map_or("", |change| change.part.code());
        fields.count(name!("revision"), change.map(|change| change.revision));
        fields.code(name!("kind"), kind, ChangedSubject::KINDS);
        fields.text(name!("key"), change.map_or("", |one| one.subject.key()));
        fields.code(name!("what"), what, ChangedPart::CODES);
    }
}

/// A change that concerns a watched supplier, with the supplier's current state.
#[derive(Clone, Copy, Debug)]
pub struct WatchedChange<'a> {
    /// The supplier's line number in the user's list, from 1.
    pub row: u64,
    pub inn: &'a str,
    /// Empty if unknown.
    pub name: &'a str,
    pub part: ChangedPart,
    pub revision: u64,
    /// Time of the import that made the change, `YYYY-MM-DDTHH:MM:SSZ`.
    pub changed_at: &'a str,
    pub contracts: u64,
    pub verdict: Verdict,
    pub from: &'a AnswerOrigin,
}

impl Record for WatchedChange<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.count(name!("row"), Some(self.row));
        SupplierFields::new(self.inn, self.name).write(fields);
        fields.code(name!("what"), self.part.code(), ChangedPart::CODES);
        fields.count(name!("revision"), Some(self.revision));
        fields.text(name!("changedAt"), self.changed_at);
        fields.count(name!("contracts"), Some(self.contracts));
        fields.code(name!("verdict"), self.verdict.code(), Verdict::CODES);
        fields.flag(name!("inRNP"), self.verdict.is_listed());
        self.from.write(fields);
    }
}

/// Begins a CSV table of changes that concern watched suppliers.
pub fn begin_watched(out: &mut Vec<u8>, from: &AnswerOrigin) {
    let blank = WatchedChange {
        row: 0,
        inn: "",
        name: "",
        part: ChangedPart::Contracts,
        revision: 0,
        changed_at: "",
        contracts: 0,
        verdict: Verdict::Invalid,
        from,
    };
    table(&mut CsvTable::begin(out), &blank);
}

/// Appends a row to the table begun by [`begin_watched`].
pub fn add_watched(out: &mut Vec<u8>, change: &WatchedChange<'_>) {
    row(&mut CsvTable::rows(out), change);
}

/// Appends a change as a JSON line.
pub fn watched_line(out: &mut Vec<u8>, change: &WatchedChange<'_>) {
    json_line(out, Rules::Page, change);
}
