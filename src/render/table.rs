//! A [`FieldWriter`] of tables. It passes the rows of answers, cell by cell, to the writer of a
//! file. Numbers, days and flags are as in XML.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;

use super::fields::{FieldWriter, Name, Record, Rules, Sample, ValueKind};
use crate::model::encoded::Encoded;

/// Separates the items of a collection in one cell, and the values of an item.
const ITEMS: &[u8] = b"; ";
const VALUES: &[u8] = b" | ";

/// Receives the cells of a table, row by row; `as_csv.rs` and `as_xlsx.rs` each implement it.
pub trait Cells {
    /// Receives the name of the next column, in the first row.
    fn name(&mut self, name: &str);
    /// Receives the next cell of a row: its value in UTF-8, as in XML.
    fn cell(&mut self, kind: ValueKind, value: &[u8]);
    /// Ends a row.
    fn end_row(&mut self);
    /// Moves the rows so far to `file`, and writes the others there.
    ///
    /// # Errors
    /// The file cannot be written.
    fn move_to(&mut self, file: File) -> Result<(), RenderError>;
}

/// The file of a table that is too large for memory.
pub trait TableFile {
    /// Returns the file, which is empty.
    ///
    /// # Errors
    /// There cannot be one, or nobody waits for it.
    fn open(&mut self) -> Result<File, RenderError>;
    /// Returns whether nobody waits for the table any more.
    fn is_unwanted(&self) -> &(dyn Fn() -> bool + Sync);
}

/// The most bytes of a table's cells. A row of a contract has some 700.
pub const MAX_TABLE: usize = 256 << 20;

/// The most rows of a table that is made in memory: some 700 bytes a contract as CSV, and 3 KB as a
/// workbook. A larger one is written to a file row by row.
pub const MAX_ROWS_IN_MEMORY: u64 = 2_000;

/// The most bytes of such a table's cells.
pub const MAX_BYTES_IN_MEMORY: usize = 8 << 20;

/// The rows between two questions whether a table is still wanted.
const ASK_EVERY: u64 = 1_024;

/// The reason why an answer cannot be written.
#[derive(Debug)]
pub enum RenderError {
    /// The table exceeds [`MAX_TABLE`]: the number of rows that fit.
    TooLarge(u64),
    /// A file cannot be written: a sentence for the log.
    NotWritten(String),
    /// The table was not written to its end, as [`TableFile`] had it.
    Stopped,
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLarge(rows) => {
                write!(f, "a table of more bytes than allowed after {rows} rows")
            }
            Self::NotWritten(what) => f.write_str(what),
            Self::Stopped => f.write_str("a table that is not wanted"),
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

/// Passes cells on until the bound of a table is reached, and moves a large table to its file.
pub struct Bounded<'a, 'f> {
    cells: &'a mut dyn Cells,
    /// None for a table that stays in memory.
    file: Option<&'a mut (dyn TableFile + 'f)>,
    is_moved: bool,
    bytes: usize,
    /// The complete rows, including the names.
    rows: u64,
    /// The first error of the file.
    error: Option<RenderError>,
}

impl<'a, 'f> Bounded<'a, 'f> {
    /// Writes a table to `cells`, which a large one leaves for its file.
    ///
    /// # Errors
    /// The table is too large, or an error of its file.
    pub fn write(
        cells: &'a mut dyn Cells,
        file: Option<&'a mut (dyn TableFile + 'f)>,
        write: impl FnOnce(&mut dyn Cells),
    ) -> Result<(), RenderError> {
        let mut bounded = Self {
            cells,
            file,
            is_moved: false,
            bytes: 0,
            rows: 0,
            error: None,
        };
        write(&mut bounded);
        match bounded.error {
            None => Ok(()),
            Some(error) => Err(error),
        }
    }

    /// Counts a cell. Returns whether it fits.
    fn takes(&mut self, value: &[u8]) -> bool {
        self.bytes = self.bytes.saturating_add(value.len() + 1);
        if self.bytes > MAX_TABLE && self.error.is_none() {
            self.error = Some(RenderError::TooLarge(self.rows.saturating_sub(1)));
        }
        self.error.is_none()
    }

    /// Moves the rows to the file if there are too many for memory.
    fn check_file(&mut self) -> Result<(), RenderError> {
        let Some(file) = self.file.as_deref_mut() else {
            return Ok(());
        };
        // The first row has the names.
        let is_large = self.rows > MAX_ROWS_IN_MEMORY + 1 || self.bytes > MAX_BYTES_IN_MEMORY;
        if is_large && !self.is_moved {
            self.is_moved = true;
            return self.cells.move_to(file.open()?);
        }
        if self.is_moved && self.rows.is_multiple_of(ASK_EVERY) && file.is_unwanted()() {
            return Err(RenderError::Stopped);
        }
        Ok(())
    }
}

impl Cells for Bounded<'_, '_> {
    fn name(&mut self, name: &str) {
        if self.takes(name.as_bytes()) {
            self.cells.name(name);
        }
    }

    fn cell(&mut self, kind: ValueKind, value: &[u8]) {
        if self.takes(value) {
            self.cells.cell(kind, value);
        }
    }

    fn end_row(&mut self) {
        if self.error.is_none() {
            self.cells.end_row();
            self.rows += 1;
            self.error = self.check_file().err();
        }
    }

    fn move_to(&mut self, file: File) -> Result<(), RenderError> {
        self.cells.move_to(file)
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
    out.name("field");
    out.name("value");
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
        buffer: Vec::new(),
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
    /// A buffer for values.
    buffer: Vec<u8>,
}

impl RowWriter<'_> {
    fn cell(&mut self, name: &Name, kind: ValueKind, value: &[u8]) {
        match &mut self.form {
            ValueForm::Names(prefix) => {
                self.out.name(&[prefix.as_str(), name.text()].concat());
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
                    self.out.cell(ValueKind::Code(&[]), path.as_bytes());
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
    fn rules(&self) -> Rules {
        self.rules
    }

    fn sample(&self) -> Sample {
        match self.form {
            ValueForm::Rows { sample, .. } => sample,
            _ => Sample::Both,
        }
    }

    fn text(&mut self, name: &Name, value: &str) {
        self.cell(name, ValueKind::Text(None), value.as_bytes());
    }

    fn value(&mut self, name: &Name, kind: ValueKind, write: Option<impl FnOnce(&mut Vec<u8>)>) {
        let mut value = std::mem::take(&mut self.buffer);
        value.clear();
        if let Some(write) = write {
            write(&mut value);
        }
        self.cell(name, kind, &value);
        self.buffer = value;
    }

    fn object(&mut self, name: &Name, fields: impl FnOnce(&mut Self)) {
        self.within(name.text(), fields);
    }

    /// Writes the field even if it is omitted elsewhere, because a row has all columns.
    fn optional(&mut self, is_present: bool, write: impl FnOnce(&mut Self)) {
        if is_present || !matches!(self.form, ValueForm::Rows { .. }) {
            write(self);
        }
    }

    /// Writes a collection as one cell, or as the rows of its items.
    fn stream(&mut self, name: &Name, items: impl FnOnce(&mut Self)) {
        match &self.form {
            ValueForm::Names(_) => self.text(name, ""),
            ValueForm::Row => {
                self.form = ValueForm::Cell(Vec::new(), true);
                items(self);
                let form = std::mem::replace(&mut self.form, ValueForm::Row);
                if let ValueForm::Cell(gathered, _) = form {
                    self.cell(name, ValueKind::Text(None), &gathered);
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
        self.text(name, &value.text());
    }
}
