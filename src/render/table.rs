//! Writes records as rows of a table, cell by cell. Numbers, days and flags are written as in XML.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;

use super::fields::{FieldWriter, Name, Record, Rules, Sample, ValueKind};
use crate::model::encoded::Encoded;

/// Separators within a cell: between the items of a collection, and between the fields of an item.
const ITEMS: &[u8] = b"; ";
const VALUES: &[u8] = b" | ";

/// Receives the cells of a table, row by row. Implemented by `as_csv.rs` and `as_xlsx.rs`.
pub trait Cells {
    /// Receives the name of the next column. Called in the first row only.
    fn name(&mut self, name: &str);
    /// Receives the next cell of a row: the UTF-8 text that XML would contain.
    fn cell(&mut self, kind: ValueKind, value: &[u8]);
    fn end_row(&mut self);
    /// Moves the rows received so far to `file`. All later rows go there too.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    fn move_to(&mut self, file: File) -> Result<(), RenderError>;
}

/// Provides the file for a table that is too large for memory.
pub trait TableFile {
    /// Returns an empty file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created, or if the client has disconnected.
    fn open(&mut self) -> Result<File, RenderError>;
    /// Returns a function that tells whether the client has disconnected, so that nobody needs the
    /// table.
    fn is_unwanted(&self) -> &(dyn Fn() -> bool + Sync);
}

/// Upper bound on the total size of a table's cells, in bytes. The cells of a contract take about
/// 700.
pub const MAX_TABLE: usize = 256 << 20;

/// Upper bound on the rows of a table that is built in memory. A contract takes about 700 bytes as
/// CSV and 3 KB as a workbook. Larger tables are written to a file row by row.
pub const MAX_ROWS_IN_MEMORY: u64 = 2_000;

/// Upper bound on the size of a table that is built in memory, in bytes.
pub const MAX_BYTES_IN_MEMORY: usize = 8 << 20;

/// How many rows are written between checks whether the table is still wanted.
const ASK_EVERY: u64 = 1_024;

/// Why an answer could not be written.
#[derive(Debug)]
pub enum RenderError {
    /// The table exceeds [`MAX_TABLE`]. Contains the number of rows that fit.
    TooLarge(u64),
    /// A file could not be written. Contains a sentence for the log.
    NotWritten(String),
    /// The client has disconnected, so nobody needs the table.
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

/// How many of the rows found a table contains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowCount {
    pub rows: u64,
    pub total: u64,
}

impl RowCount {
    /// Counts the rows after the first `skip`, up to `limit`.
    pub fn new(total: u64, skip: u64, limit: u64) -> Self {
        let rows = total.saturating_sub(skip).min(limit);
        Self { rows, total }
    }

    /// Returns whether rows are missing.
    pub fn is_part(self) -> bool {
        self.rows < self.total
    }
}

/// Passes cells on, enforces the size limits, and moves a large table to a file.
pub struct Bounded<'a, 'f> {
    cells: &'a mut dyn Cells,
    /// `None` for a table that stays in memory.
    file: Option<&'a mut (dyn TableFile + 'f)>,
    is_moved: bool,
    bytes: usize,
    /// Completed rows, including the header row.
    rows: u64,
    /// The first error from the file.
    error: Option<RenderError>,
}

impl<'a, 'f> Bounded<'a, 'f> {
    /// Writes a table to `cells`, which moves to `file` if it is large.
    ///
    /// # Errors
    /// Returns an error if the table is too large or the file cannot be written.
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

    /// Counts a cell. Returns whether the table still fits.
    fn takes(&mut self, value: &[u8]) -> bool {
        self.bytes = self.bytes.saturating_add(value.len() + 1);
        if self.bytes > MAX_TABLE && self.error.is_none() {
            self.error = Some(RenderError::TooLarge(self.rows.saturating_sub(1)));
        }
        self.error.is_none()
    }

    /// Moves the rows to the file once there are too many for memory.
    fn check_file(&mut self) -> Result<(), RenderError> {
        let Some(file) = self.file.as_deref_mut() else {
            return Ok(());
        };
        // The header row does not count.
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

/// Starts a table with the names of the columns, which are the fields of `blank`.
pub fn table(out: &mut dyn Cells, blank: &impl Record) {
    write(out, Rules::Page, ValueForm::Names(String::new()), blank);
    out.end_row();
}

pub fn row(out: &mut dyn Cells, record: &impl Record) {
    write(out, Rules::Page, ValueForm::Row, record);
    out.end_row();
}

/// Writes a card as a table with one row per field: path and value. The fields of the JSON sample
/// come first, then those that only the XML sample has.
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

/// What a value is turned into.
enum ValueForm<'a> {
    /// The field's name becomes a cell, after a prefix with the names of the enclosing objects.
    Names(String),
    /// The value becomes a cell.
    Row,
    /// The value is appended to the current cell. The flag marks the first value of an item.
    Cell(Vec<u8>, bool),
    /// Path and value become a row of their own, unless the path already has one.
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
    /// Number of the last item in the current collection.
    number: usize,
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

    /// Writes the fields. Where names are written, prepends `part.` to them.
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

    /// Numbers the items of a collection, for the paths of their rows.
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

    /// Writes the field even if it is not present, because every row has the same columns. Only the
    /// table of a card leaves it out.
    fn optional(&mut self, is_present: bool, write: impl FnOnce(&mut Self)) {
        if is_present || !matches!(self.form, ValueForm::Rows { .. }) {
            write(self);
        }
    }

    /// Writes a collection as one cell or, in the table of a card, as rows for the fields of each
    /// item.
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
