//! A [`FieldWriter`] of tables. It passes the rows of answers, cell by cell, to the writer of a
//! file. Numbers, days and flags are as in XML.

use std::collections::HashSet;
use std::fmt;

use super::fields::{FieldWriter, Name, Record, Rules, Sample};
use crate::model::encoded::Encoded;
use crate::model::{Amount, Date, Moment};

/// Separates the items of a collection in one cell, and the values of an item.
const ITEMS: &[u8] = b"; ";
const VALUES: &[u8] = b" | ";

/// Receives the cells of a table, row by row; `as_csv.rs` and `as_xlsx.rs` each implement it.
pub trait Cells {
    /// Receives the next cell of a row: its value in UTF-8, as in XML.
    fn cell(&mut self, kind: CellKind, value: &[u8]);
    /// Ends a row.
    fn end_row(&mut self);
}

/// The content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// The name of a column.
    Name,
    /// A text from outside.
    Text,
    /// A text of this program: a code, a path.
    Code,
    /// A decimal number.
    Amount,
    /// A whole number.
    Whole,
    /// A day, as its record writes it.
    Day,
    /// A day, with or without a time.
    Moment,
    /// `true` or `false`.
    Flag,
}

/// The most bytes of a table's cells. A row of a contract has some 700.
pub const MAX_TABLE: usize = 256 << 20;

/// The most rows of a table that is made in memory: some 700 bytes a contract as CSV, and 3 KB as a
/// workbook. A larger one is written to a file row by row.
pub const MAX_ROWS_IN_MEMORY: u64 = 2_000;

/// The reason why an answer cannot be written.
#[derive(Debug)]
pub enum RenderError {
    /// The table exceeds [`MAX_TABLE`]: the number of rows that fit.
    TooLarge(u64),
    /// A file cannot be written: a sentence for the log.
    NotWritten(String),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(rows) => {
                write!(f, "a table of more bytes than allowed after {rows} rows")
            }
            Self::NotWritten(what) => f.write_str(what),
        }
    }
}

/// The rows of a table, out of the found ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowCount {
    /// The rows in the table.
    pub rows: u64,
    /// The found rows.
    pub total: u64,
}

impl RowCount {
    /// Returns the rows after the first `skip`, up to `limit`.
    pub fn new(total: u64, skip: u64, limit: u64) -> Self {
        let rows = total.saturating_sub(skip).min(limit);
        Self { rows, total }
    }

    /// Returns whether rows are missing.
    pub fn is_part(self) -> bool {
        self.rows < self.total
    }
}

/// Passes cells on until the bound of a table is reached.
pub struct Bounded<'a> {
    cells: &'a mut dyn Cells,
    bytes: usize,
    /// The complete rows, including the names.
    rows: u64,
}

impl<'a> Bounded<'a> {
    /// Writes a table to `cells`.
    ///
    /// # Errors
    /// The table is too large.
    pub fn write(
        cells: &'a mut dyn Cells,
        write: impl FnOnce(&mut dyn Cells),
    ) -> Result<(), RenderError> {
        let mut bounded = Self {
            cells,
            bytes: 0,
            rows: 0,
        };
        write(&mut bounded);
        match bounded.has_room() {
            true => Ok(()),
            false => Err(RenderError::TooLarge(bounded.rows.saturating_sub(1))),
        }
    }

    fn has_room(&self) -> bool {
        self.bytes <= MAX_TABLE
    }
}

impl Cells for Bounded<'_> {
    fn cell(&mut self, kind: CellKind, value: &[u8]) {
        self.bytes = self.bytes.saturating_add(value.len() + 1);
        if self.has_room() {
            self.cells.cell(kind, value);
        }
    }

    fn end_row(&mut self) {
        if self.has_room() {
            self.cells.end_row();
            self.rows += 1;
        }
    }
}

/// Begins a table with the column names: the fields of `blank`.
pub fn table(out: &mut dyn Cells, blank: &impl Record) {
    write(out, Rules::Page, ValueForm::Names(String::new()), blank);
    out.end_row();
}

/// Appends a row.
pub fn row(out: &mut dyn Cells, record: &impl Record) {
    write(out, Rules::Page, ValueForm::Row, record);
    out.end_row();
}

/// Appends a table of the fields of a card, with a row for the path and the value of each. The
/// fields of the JSON sample precede those that only the XML sample has.
pub fn fields_table(out: &mut dyn Cells, rules: Rules, card: &impl Record) {
    out.cell(CellKind::Name, b"field");
    out.cell(CellKind::Name, b"value");
    out.end_row();
    let written = &mut HashSet::new();
    for sample in [Sample::Json, Sample::Xml] {
        let prefix = String::new();
        let form = ValueForm::Rows {
            sample,
            prefix,
            written,
        };
        write(out, rules, form, card);
    }
}

fn write(out: &mut dyn Cells, rules: Rules, form: ValueForm<'_>, record: &impl Record) {
    record.write(&mut RowWriter {
        out,
        rules,
        form,
        number: 0,
    });
}

/// The form of a written value.
enum ValueForm<'a> {
    /// The name as a cell, after the names of the enclosing objects.
    Names(String),
    /// The value as a cell.
    Row,
    /// A part of a cell, collected here, and whether it is the first of its item.
    Cell(Vec<u8>, bool),
    /// A row with the path and the value, unless there is one of that path.
    Rows {
        sample: Sample,
        prefix: String,
        written: &'a mut HashSet<String>,
    },
}

struct RowWriter<'a> {
    out: &'a mut dyn Cells,
    rules: Rules,
    form: ValueForm<'a>,
    /// The number of the last item of the current collection.
    number: usize,
}

impl RowWriter<'_> {
    fn value(&mut self, name: &Name, kind: CellKind, value: &[u8]) {
        match &mut self.form {
            ValueForm::Names(prefix) => {
                let name = [prefix.as_str(), name.text()].concat();
                self.out.cell(CellKind::Name, name.as_bytes());
            }
            ValueForm::Row => self.out.cell(kind, value),
            ValueForm::Cell(gathered, is_first) => {
                if !std::mem::replace(is_first, false) {
                    gathered.extend_from_slice(VALUES);
                }
                gathered.extend_from_slice(value);
            }
            ValueForm::Rows {
                prefix, written, ..
            } => {
                let path = [prefix.as_str(), name.text()].concat();
                if !written.contains(&path) {
                    self.out.cell(CellKind::Code, path.as_bytes());
                    self.out.cell(kind, value);
                    self.out.end_row();
                    written.insert(path);
                }
            }
        }
    }

    /// Writes `fields` with `part` before their names.
    fn within(&mut self, part: &str, fields: impl FnOnce(&mut Self)) {
        let length = match &mut self.form {
            ValueForm::Names(prefix) | ValueForm::Rows { prefix, .. } => {
                let length = prefix.len();
                prefix.push_str(part);
                prefix.push('.');
                length
            }
            ValueForm::Row | ValueForm::Cell(..) => 0,
        };
        fields(self);
        if let ValueForm::Names(prefix) | ValueForm::Rows { prefix, .. } = &mut self.form {
            prefix.truncate(length);
        }
    }

    /// Writes the items of a collection, as rows under their indexes.
    fn numbered(&mut self, items: impl FnOnce(&mut Self)) {
        let before = std::mem::replace(&mut self.number, 0);
        items(self);
        self.number = before;
    }
}

impl FieldWriter for RowWriter<'_> {
    fn sample(&self) -> Sample {
        match self.form {
            ValueForm::Rows { sample, .. } => sample,
            _ => Sample::Both,
        }
    }

    fn text(&mut self, name: &Name, value: &str) {
        self.value(name, CellKind::Text, value.as_bytes());
    }

    fn code(&mut self, name: &Name, value: &'static str, _: &'static [&'static str]) {
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

    /// Writes a collection as one cell, or as the rows of its items.
    fn stream(&mut self, name: &Name, items: impl FnOnce(&mut Self)) {
        match &self.form {
            ValueForm::Names(_) => self.value(name, CellKind::Name, &[]),
            ValueForm::Row => {
                self.form = ValueForm::Cell(Vec::new(), true);
                items(self);
                let form = std::mem::replace(&mut self.form, ValueForm::Row);
                if let ValueForm::Cell(gathered, _) = form {
                    self.value(name, CellKind::Text, &gathered);
                }
            }
            ValueForm::Cell(..) => items(self),
            ValueForm::Rows { .. } => self.within(name.text(), |row| row.numbered(items)),
        }
    }

    fn item(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        match &mut self.form {
            ValueForm::Rows { .. } => {
                self.number += 1;
                let part = format!("{}[{}]", name.text(), self.number);
                return self.within(&part, fields);
            }
            ValueForm::Cell(gathered, is_first) => {
                *is_first = true;
                if !gathered.is_empty() {
                    gathered.extend_from_slice(ITEMS);
                }
            }
            ValueForm::Names(_) | ValueForm::Row => {}
        }
        fields(self);
    }

    fn items<T>(&mut self, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        let write = |row: &mut Self| {
            for value in items {
                row.item(item, |row| each(row, value));
            }
        };
        match self.form {
            ValueForm::Rows { .. } => self.numbered(write),
            _ => self.stream(item, write),
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
}
