//! A [`FieldWriter`] of tables: the rows of answers as cells, in CSV or for a workbook. Numbers,
//! days and flags are written as in XML.

use std::collections::HashSet;

use super::as_csv;
use super::cells::{self, CellKind};
use super::fields::{FieldWriter, Name, Record, Rules};
use crate::model::encoded::Encoded;
use crate::model::{Amount, Date, EncodedItems, Moment};

/// Separates the items of a collection in one cell, and the values of an item.
const ITEMS: &[u8] = b"; ";
const VALUES: &[u8] = b" | ";

/// A table that is being written.
pub struct TableWriter<'a> {
    out: &'a mut Vec<u8>,
    form: TableForm,
}

#[derive(Clone, Copy)]
enum TableForm {
    Csv,
    Cells,
}

impl<'a> TableWriter<'a> {
    /// Appends CSV.
    pub fn csv(out: &'a mut Vec<u8>) -> Self {
        let form = TableForm::Csv;
        Self { out, form }
    }

    /// Appends cells, of which `as_xlsx.rs` makes a workbook.
    pub fn cells(out: &'a mut Vec<u8>) -> Self {
        let form = TableForm::Cells;
        Self { out, form }
    }

    fn begin(&mut self) {
        match self.form {
            TableForm::Csv => self.out.extend_from_slice(as_csv::MARK),
            TableForm::Cells => {}
        }
    }

    fn cell(&mut self, is_first: bool, kind: CellKind, value: &[u8]) {
        match self.form {
            TableForm::Csv => {
                if !is_first {
                    self.out.push(b',');
                }
                match kind {
                    CellKind::Name => self.out.extend_from_slice(value),
                    kind => as_csv::cell(self.out, value, kind == CellKind::Text),
                }
            }
            TableForm::Cells => cells::cell(self.out, kind, value),
        }
    }

    fn end_row(&mut self) {
        match self.form {
            TableForm::Csv => self.out.extend_from_slice(as_csv::END),
            TableForm::Cells => cells::end_row(self.out),
        }
    }
}

/// Begins a table with the column names: the fields of `blank`.
pub fn table(out: &mut TableWriter<'_>, rules: Rules, blank: &impl Record) {
    out.begin();
    write_row(out, rules, Cells::Names(String::new()), blank);
}

/// Appends a row.
pub fn row(out: &mut TableWriter<'_>, rules: Rules, record: &impl Record) {
    write_row(out, rules, Cells::Row, record);
}

fn write_row(out: &mut TableWriter<'_>, rules: Rules, place: Cells<'_>, record: &impl Record) {
    record.write(&mut RowWriter::new(out, rules, place));
    out.end_row();
}

/// The paths written so far.
#[derive(Default)]
pub struct Paths(HashSet<String>);

/// Begins a table of fields: the path of each, and its value.
pub fn fields_table(out: &mut TableWriter<'_>) -> Paths {
    out.begin();
    out.cell(true, CellKind::Name, b"field");
    out.cell(false, CellKind::Name, b"value");
    out.end_row();
    Paths::default()
}

/// Appends a row for each field whose path has not been written yet.
pub fn write_rows(
    out: &mut TableWriter<'_>,
    rules: Rules,
    paths: &mut Paths,
    record: &impl Record,
) {
    let place = Cells::Rows {
        prefix: String::new(),
        written: &mut paths.0,
    };
    record.write(&mut RowWriter::new(out, rules, place));
}

/// What a value is written as.
enum Cells<'a> {
    /// Its name as a cell, after the names of the enclosing objects.
    Names(String),
    /// A cell.
    Row,
    /// A part of a cell, collected here.
    Cell(Vec<u8>),
    /// A row with its path.
    Rows {
        prefix: String,
        written: &'a mut HashSet<String>,
    },
}

struct RowWriter<'a, 'b, 'c> {
    out: &'a mut TableWriter<'b>,
    rules: Rules,
    place: Cells<'c>,
    /// Is the next cell the first of its row, or the next value the first of its item?
    is_first: bool,
}

impl<'a, 'b, 'c> RowWriter<'a, 'b, 'c> {
    fn new(out: &'a mut TableWriter<'b>, rules: Rules, place: Cells<'c>) -> Self {
        Self {
            out,
            rules,
            place,
            is_first: true,
        }
    }

    fn value(&mut self, name: &Name, kind: CellKind, value: &[u8]) {
        let is_first = std::mem::replace(&mut self.is_first, false);
        match &mut self.place {
            Cells::Names(prefix) => {
                let name = [prefix.as_str(), name.text()].concat();
                self.out.cell(is_first, CellKind::Name, name.as_bytes());
            }
            Cells::Row => self.out.cell(is_first, kind, value),
            Cells::Cell(gathered) => {
                if !is_first {
                    gathered.extend_from_slice(VALUES);
                }
                gathered.extend_from_slice(value);
            }
            Cells::Rows { prefix, written } => {
                let path = [prefix.as_str(), name.text()].concat();
                if !written.contains(&path) {
                    self.out.cell(true, CellKind::Code, path.as_bytes());
                    self.out.cell(false, kind, value);
                    self.out.end_row();
                    written.insert(path);
                }
            }
        }
    }

    /// Writes `fields` with `part` before their names.
    fn within(&mut self, part: &str, fields: impl FnOnce(&mut Self)) {
        let length = match &mut self.place {
            Cells::Names(prefix) | Cells::Rows { prefix, .. } => {
                let length = prefix.len();
                prefix.push_str(part);
                prefix.push('.');
                length
            }
            Cells::Row | Cells::Cell(_) => 0,
        };
        fields(self);
        if let Cells::Names(prefix) | Cells::Rows { prefix, .. } = &mut self.place {
            prefix.truncate(length);
        }
    }

    /// Writes a collection: one cell, or the rows of its items.
    fn collection(&mut self, name: &Name, item: &Name, each: &mut dyn FnMut(&mut Self) -> bool) {
        match &mut self.place {
            Cells::Names(_) => self.value(name, CellKind::Name, &[]),
            Cells::Row => {
                self.place = Cells::Cell(Vec::new());
                let is_first = std::mem::replace(&mut self.is_first, true);
                let mut length = 0;
                loop {
                    self.is_first = true;
                    if let Cells::Cell(gathered) = &mut self.place {
                        length = gathered.len();
                        if length > 0 {
                            gathered.extend_from_slice(ITEMS);
                        }
                    }
                    if !each(self) {
                        break;
                    }
                }
                self.is_first = is_first;
                if let Cells::Cell(mut gathered) = std::mem::replace(&mut self.place, Cells::Row) {
                    gathered.truncate(length);
                    self.value(name, CellKind::Text, &gathered);
                }
            }
            Cells::Cell(_) => while each(self) {},
            Cells::Rows { .. } => self.within(name.text(), |row| row.numbered(item, each)),
        }
    }

    /// Writes the items of a collection as rows, each under its number.
    fn numbered(&mut self, item: &Name, each: &mut dyn FnMut(&mut Self) -> bool) {
        let mut number = 1;
        let mut goes_on = true;
        while goes_on {
            let part = format!("{}[{number}]", item.text());
            self.within(&part, |row| goes_on = each(row));
            number += 1;
        }
    }

    fn slice<T>(&mut self, name: &Name, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        let mut rest = items.iter();
        self.collection(name, item, &mut |row| {
            let next = rest.next();
            if let Some(next) = next {
                each(row, next);
            }
            next.is_some()
        });
    }
}

impl FieldWriter for RowWriter<'_, '_, '_> {
    fn text(&mut self, name: &Name, value: &str) {
        self.value(name, CellKind::Text, value.as_bytes());
    }

    fn code(&mut self, name: &Name, value: &'static str) {
        self.value(name, CellKind::Code, value.as_bytes());
    }

    fn date(&mut self, name: &Name, value: Option<Date>) {
        let text = value.map(|date| self.rules.date(date));
        let text = text.as_ref().map_or(&[][..], |text| text.as_slice());
        self.value(name, CellKind::Day, text);
    }

    fn moment(&mut self, name: &Name, value: Option<Moment>) {
        let mut text = Vec::new();
        if let Some(moment) = value {
            moment.write_dotted(&mut text);
        }
        self.value(name, CellKind::Moment, &text);
    }

    fn amount(&mut self, name: &Name, value: Option<Amount>) {
        let mut text = Vec::new();
        if let Some(amount) = value {
            amount.write_to(&mut text);
        }
        self.value(name, CellKind::Amount, &text);
    }

    fn digits(&mut self, name: &Name, value: &str) {
        self.value(name, CellKind::Whole, value.as_bytes());
    }

    fn count(&mut self, name: &Name, value: Option<u64>) {
        let text = value.map_or(String::new(), |value| value.to_string());
        self.value(name, CellKind::Whole, text.as_bytes());
    }

    fn flag(&mut self, name: &Name, value: Option<bool>) {
        let text = value.map_or("", |flag| if flag { "true" } else { "false" });
        self.value(name, CellKind::Flag, text.as_bytes());
    }

    fn object(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        self.within(name.text(), fields);
    }

    fn list<T>(&mut self, name: &Name, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        self.slice(name, item, items, each);
    }

    fn stream(&mut self, _: &Name, items: impl FnOnce(&mut Self)) {
        items(self);
    }

    fn item(&mut self, _: &Name, fields: impl FnOnce(&mut Self)) {
        fields(self);
    }

    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        let mut rest = items.iter();
        let mut next = |row: &mut Self| {
            let next = rest.next();
            if let Some(next) = next {
                each(row, next);
            }
            next.is_some()
        };
        match self.place {
            Cells::Rows { .. } => self.numbered(item, &mut next),
            _ => self.collection(item, item, &mut next),
        }
    }

    fn encoded(&mut self, name: &Name, value: Encoded<'_>) {
        self.value(name, CellKind::Text, value.text().as_bytes());
    }

    fn encoded_number(&mut self, name: &Name, value: Encoded<'_>) {
        self.value(name, CellKind::Amount, value.text().as_bytes());
    }

    fn encoded_count(&mut self, name: &Name, value: Encoded<'_>) {
        self.value(name, CellKind::Whole, value.text().as_bytes());
    }

    fn encoded_date(&mut self, name: &Name, value: Encoded<'_>) {
        self.value(name, CellKind::Day, value.text().as_bytes());
    }

    fn encoded_items<const N: usize>(
        &mut self,
        name: &Name,
        item: &Name,
        mut items: EncodedItems<'_, N>,
        each: impl Fn(&mut Self, [Encoded<'_>; N]),
    ) {
        self.collection(name, item, &mut |row| {
            let next = items.next();
            let is_some = next.is_some();
            if let Some(next) = next {
                each(row, next);
            }
            is_some
        });
    }
}
