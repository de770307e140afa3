//! Turns records into rows of cells. Numbers, days and flags are written as in XML.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;

use super::fields::{FieldWriter, Name, Record, Rules, Sample, ValueKind};
use crate::model::encoded::Encoded;

/// Separators within a cell: first between the items of a list, then between the fields of an item.
const ITEMS: &[u8] = b"; ";
const VALUES: &[u8] = b" | ";

/// Receives the cells of a table, row by row. Implemented by `as_csv.rs` and `as_xlsx.rs`.
pub trait Cells {
    /// Adds the name of the next column. Called in the first row only.
    fn name(&mut self, name: &str);
    /// Adds the next cell of a row. `value` is UTF-8, as XML would write it but without escaping.
    fn cell(&mut self, kind: ValueKind, value: &[u8]);
    fn end_row(&mut self);
    /// Moves the rows written so far to `file`, where all later rows will also go.
    ///
    /// # Errors
    /// Returns an error if the file cannot be written.
    fn move_to(&mut self, file: File) -> Result<(), RenderError>;
}

/// Creates the file for a table that is too large for memory.
pub trait TableFile {
    /// Returns a new empty file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be created, or if the client has disconnected.
    fn open(&mut self) -> Result<File, RenderError>;
    /// Returns a function that says whether the client has disconnected, so that the table can be
    /// dropped.
    fn is_unwanted(&self) -> &(dyn Fn() -> bool + Sync);
}

/// Upper bound on the total size of a table's cells, in bytes. A contract takes about 700.
pub const MAX_TABLE: usize = 256 << 20;

/// Upper bound on the rows of a table kept in memory. A contract takes about 700 bytes as CSV and 3
/// KB as a workbook. Larger tables are written to a file row by row.
pub const MAX_ROWS_IN_MEMORY: u64 = 2_000;

/// Upper bound on the bytes of a table kept in memory.
pub const MAX_BYTES_IN_MEMORY: usize = 8 << 20;

/// How many rows to write before checking again whether the client is still connected.
const ASK_EVERY: u64 = 1_024;

/// Why an answer could not be written.
#[derive(Debug)]
pub enum RenderError {
    /// The table exceeds [`MAX_TABLE`]. Contains the number of rows that fit.
    TooLarge(u64),
    /// Contains a sentence for the log.
    NotWritten(String),
    /// The client has disconnected.
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
    /// Counts the rows of a page that starts after `skip` rows and has at most `limit`.
    pub fn new(total: u64, skip: u64, limit: u64) -> Self {
        let rows = total.saturating_sub(skip).min(limit);
        Self { rows, total }
    }

    /// Returns whether some of the rows found are missing.
    pub fn is_part(self) -> bool {
        self.rows < self.total
    }
}

/// Passes cells on, enforces the size limits, and moves a table to a file once it is large.
pub struct Bounded<'a, 'f> {
    cells: &'a mut dyn Cells,
    /// `None` keeps the table in memory.
    file: Option<&'a mut (dyn TableFile + 'f)>,
    is_moved: bool,
    bytes: usize,
    /// Includes the header row.
    rows: u64,
    /// The first error, after which cells are ignored.
    error: Option<RenderError>,
}

impl<'a, 'f> Bounded<'a, 'f> {
    /// Writes a table to `cells`. A large table is moved to `file`.
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

    fn takes(&mut self, value: &[u8]) -> bool {
        self.bytes = self.bytes.saturating_add(value.len() + 1);
        if self.bytes > MAX_TABLE && self.error.is_none() {
            self.error = Some(RenderError::TooLarge(self.rows.saturating_sub(1)));
        }
        self.error.is_none()
    }

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

/// Starts a table. The column names are those of the fields that `blank` writes.
pub fn table(out: &mut dyn Cells, blank: &impl Record) {
    write(out, Rules::Page, ValueForm::Names(String::new()), blank);
    out.end_row();
}

pub fn row(out: &mut dyn Cells, record: &impl Record) {
    write(out, Rules::Page, ValueForm::Row, record);
    out.end_row();
}

/// Writes a card as a table with one row per field, consisting of path and value. The fields of the
/// JSON sample come first, then those that only the XML sample has.
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

/// What to do with a value, or with its name.
enum ValueForm<'a> {
    /// Write the field's name as a cell, after a prefix made of the names of the enclosing objects.
    Names(String),
    /// Write the value as a cell.
    Row,
    /// Append the value to the current cell. The flag is set for the first value of an item.
    Cell(Vec<u8>, bool),
    /// Write path and value as a row, unless that path already has a row.
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
    /// Number of the last item in the current list, for the paths of rows.
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

    /// Writes fields with `part.` in front of their names.
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

    /// Numbers the items of a list from 1, for the paths of their rows.
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

    /// Writes the field even if it is not present, because every row needs the same columns. Only
    /// the table of a card leaves the field out.
    fn optional(&mut self, is_present: bool, write: impl FnOnce(&mut Self)) {
        if is_present || !matches!(self.form, ValueForm::Rows { .. }) {
            write(self);
        }
    }

    /// Writes a list as one cell. In the table of a card, each field of each item gets a row
    /// instead.
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
