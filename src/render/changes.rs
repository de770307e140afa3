//! What imports changed (the manual, API, "What changed"), and what changed of watched
//! suppliers (Watching suppliers).

use super::answer::{Root, Tabular};
use super::as_csv::CsvTable;
use super::as_json::json_document;
use super::fields::{FieldWriter, Record, Rules, form, name};
use super::rnp::AnswerOrigin;
use super::table::{Cells, row, table};
use crate::model::{ChangedPart, ChangedSubject, LoggedChange, Verdict};

/// A page of the changes after a cursor.
#[derive(Clone, Copy, Debug)]
pub struct ChangePage<'a> {
    /// The cursor to go on with.
    pub next: &'a str,
    /// The revision of the data.
    pub revision: u64,
    /// The changes, oldest first.
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
    /// A row for each change.
    fn write_table(&self, out: &mut dyn Cells) {
        table(out, &ChangeRow(None));
        for change in self.changes {
            row(out, &ChangeRow(Some(change)));
        }
    }
}

/// A change; none for the names of its fields.
struct ChangeRow<'a>(Option<&'a LoggedChange>);

impl Record for ChangeRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let change = self.0;
        let kind = change.map_or("", |change| change.subject.kind());
        let what = change.map_or("", |change| change.part.code());
        fields.count(name!("revision"), change.map(|change| change.revision));
        fields.code_among(name!("kind"), kind, ChangedSubject::KINDS);
        fields.text(name!("key"), change.map_or("", |one| one.subject.key()));
        fields.code_among(name!("what"), what, ChangedPart::CODES);
    }
}

/// What changed of a watched supplier, and what is true of it now.
#[derive(Clone, Copy, Debug)]
pub struct WatchedChange<'a> {
    /// The row of the list that it stands in, from 1.
    pub row: u64,
    /// Its INN.
    pub inn: &'a str,
    /// Its name; may be empty.
    pub name: &'a str,
    /// What changed.
    pub part: ChangedPart,
    /// In which revision.
    pub revision: u64,
    /// When that was made, `YYYY-MM-DDTHH:MM:SSZ`.
    pub changed_at: &'a str,
    /// How many contracts it has.
    pub contracts: u64,
    /// Whether it is in the RNP.
    pub verdict: Verdict,
    /// The day of the verdict, and the data.
    pub from: &'a AnswerOrigin,
}

impl Record for WatchedChange<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.count(name!("row"), Some(self.row));
        fields.formed(name!("supplierINN"), self.inn, form::INN);
        fields.text(name!("supplierName"), self.name);
        fields.code(name!("what"), self.part.code());
        fields.count(name!("revision"), Some(self.revision));
        fields.text(name!("changedAt"), self.changed_at);
        fields.count(name!("contracts"), Some(self.contracts));
        fields.code(name!("verdict"), self.verdict.code());
        fields.flag(name!("inRNP"), self.verdict.is_listed());
        self.from.write(fields);
    }
}

/// Begins a table of such changes.
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

/// Appends a row to it.
pub fn add_watched(out: &mut Vec<u8>, change: &WatchedChange<'_>) {
    row(&mut CsvTable::rows(out), change);
}

/// Appends a change as a line of JSON.
pub fn watched_line(out: &mut Vec<u8>, change: &WatchedChange<'_>) {
    json_document(out, Root::Response.name(), Rules::PAGE, change);
    out.push(b'\n');
}
