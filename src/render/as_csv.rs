//! A [`FieldWriter`] of CSV: RFC 4180 with a byte order mark, by which spreadsheets
//! recognise UTF-8. Numbers, days and flags are as in XML.
//!
//! # Formulas
//!
//! A contract's subject comes from outside, and must not be executed when the file is
//! opened: no spreadsheet may see a cell in it that begins with `=`, `+`, `-`, `@`, a tab
//! or a carriage return, whether it separates cells by comma, semicolon or tab, and
//! whatever it makes of quotes. So a text has places where some reader begins a cell: its
//! start, and after a comma, a semicolon, a tab, a carriage return or a line feed, and
//! after any quotes there. At such a place an apostrophe is written
//!
//! - before one of the characters above,
//! - before an apostrophe of the text itself,
//! - where the text ends and its cell is in quotes: the closing quote would open a cell that
//!   begins with the row's end.
//!
//! So an apostrophe at such a place is never the text's own: removing each restores the
//! imported text. As one regular expression over a cell that RFC 4180 has unquoted: replace
//! `(^|[,;\t\r\n])("*)'` by `$1$2`, everywhere. It can be applied to all cells, as those
//! that are not text have no apostrophe.

use std::collections::HashSet;

use super::fields::{FieldWriter, Name, Record, Rules};
use crate::model::encoded::Encoded;
use crate::model::{Amount, Date, EncodedItems, Moment};

/// The byte order mark.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Written before a character that would begin a formula.
const APOSTROPHE: u8 = b'\'';

/// The end of a row.
const END: &[u8] = b"\r\n";

/// Separates the items of a collection in one cell, and the values of an item.
const ITEMS: &[u8] = b"; ";
const VALUES: &[u8] = b" | ";

/// Begins a table with the column names: the fields of `blank`.
pub fn table(out: &mut Vec<u8>, rules: Rules, blank: &impl Record) {
    out.extend_from_slice(MARK);
    write_row(out, rules, Cells::Names(String::new()), blank);
}

/// Appends a row.
pub fn row(out: &mut Vec<u8>, rules: Rules, record: &impl Record) {
    write_row(out, rules, Cells::Row, record);
}

fn write_row(out: &mut Vec<u8>, rules: Rules, place: Cells<'_>, record: &impl Record) {
    let mut csv = CsvWriter::new(out, rules, place);
    record.write(&mut csv);
    out.extend_from_slice(END);
}

/// The paths written so far.
#[derive(Default)]
pub struct Paths(HashSet<String>);

/// Begins a table of fields: the path of each, and its value.
pub fn fields_table(out: &mut Vec<u8>) -> Paths {
    out.extend_from_slice(MARK);
    out.extend_from_slice(b"field,value");
    out.extend_from_slice(END);
    Paths::default()
}

/// Appends a row for each field whose path has not been written yet.
pub fn write_rows(out: &mut Vec<u8>, rules: Rules, paths: &mut Paths, record: &impl Record) {
    let place = Cells::Rows {
        prefix: String::new(),
        written: &mut paths.0,
    };
    record.write(&mut CsvWriter::new(out, rules, place));
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

struct CsvWriter<'a, 'b> {
    out: &'a mut Vec<u8>,
    rules: Rules,
    place: Cells<'b>,
    /// Is the next cell the first of its row, or the next value the first of its item?
    is_first: bool,
}

impl<'a, 'b> CsvWriter<'a, 'b> {
    fn new(out: &'a mut Vec<u8>, rules: Rules, place: Cells<'b>) -> Self {
        Self {
            out,
            rules,
            place,
            is_first: true,
        }
    }

    /// Writes a number, a day, a flag or a code of this program.
    fn plain(&mut self, name: &Name, value: &[u8]) {
        self.value(name, value, false);
    }

    /// Writes a text from outside.
    fn foreign(&mut self, name: &Name, value: &[u8]) {
        self.value(name, value, true);
    }

    fn value(&mut self, name: &Name, value: &[u8], is_foreign: bool) {
        let is_first = std::mem::replace(&mut self.is_first, false);
        match &mut self.place {
            Cells::Names(prefix) => {
                if !is_first {
                    self.out.push(b',');
                }
                self.out.extend_from_slice(prefix.as_bytes());
                self.out.extend_from_slice(name.text().as_bytes());
            }
            Cells::Row => {
                if !is_first {
                    self.out.push(b',');
                }
                cell(self.out, value, is_foreign);
            }
            Cells::Cell(gathered) => {
                if !is_first {
                    gathered.extend_from_slice(VALUES);
                }
                gathered.extend_from_slice(value);
            }
            Cells::Rows { prefix, written } => {
                let path = format!("{prefix}{}", name.text());
                if !written.contains(&path) {
                    self.out.extend_from_slice(path.as_bytes());
                    self.out.push(b',');
                    cell(self.out, value, is_foreign);
                    self.out.extend_from_slice(END);
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
            Cells::Names(_) => self.plain(name, &[]),
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
                    self.foreign(name, &gathered);
                }
            }
            Cells::Cell(_) => while each(self) {},
            Cells::Rows { .. } => self.within(name.text(), |csv| csv.numbered(item, each)),
        }
    }

    /// Writes the items of a collection as rows, each under its number.
    fn numbered(&mut self, item: &Name, each: &mut dyn FnMut(&mut Self) -> bool) {
        let mut number = 1;
        let mut goes_on = true;
        while goes_on {
            let part = format!("{}[{number}]", item.text());
            self.within(&part, |csv| goes_on = each(csv));
            number += 1;
        }
    }

    fn slice<T>(&mut self, name: &Name, item: &Name, items: &[T], each: impl Fn(&mut Self, &T)) {
        let mut rest = items.iter();
        self.collection(name, item, &mut |csv| {
            let next = rest.next();
            if let Some(next) = next {
                each(csv, next);
            }
            next.is_some()
        });
    }
}

impl FieldWriter for CsvWriter<'_, '_> {
    fn text(&mut self, name: &Name, value: &str) {
        self.foreign(name, value.as_bytes());
    }

    fn code(&mut self, name: &Name, value: &'static str) {
        self.plain(name, value.as_bytes());
    }

    fn date(&mut self, name: &Name, value: Option<Date>) {
        let text = value.map(|date| self.rules.date(date));
        self.plain(name, text.as_ref().map_or(&[], |text| text.as_slice()));
    }

    fn moment(&mut self, name: &Name, value: Option<Moment>) {
        let mut text = Vec::new();
        if let Some(moment) = value {
            moment.write_dotted(&mut text);
        }
        self.plain(name, &text);
    }

    fn amount(&mut self, name: &Name, value: Option<Amount>) {
        let mut text = Vec::new();
        if let Some(amount) = value {
            amount.write_to(&mut text);
        }
        self.plain(name, &text);
    }

    fn digits(&mut self, name: &Name, value: &str) {
        self.plain(name, value.as_bytes());
    }

    fn flag(&mut self, name: &Name, value: Option<bool>) {
        let text = value.map_or("", |flag| if flag { "true" } else { "false" });
        self.plain(name, text.as_bytes());
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
        let mut next = |csv: &mut Self| {
            let next = rest.next();
            if let Some(next) = next {
                each(csv, next);
            }
            next.is_some()
        };
        match self.place {
            Cells::Rows { .. } => self.numbered(item, &mut next),
            _ => self.collection(item, item, &mut next),
        }
    }

    fn encoded(&mut self, name: &Name, value: Encoded<'_>) {
        self.foreign(name, value.text().as_bytes());
    }

    fn encoded_number(&mut self, name: &Name, value: Encoded<'_>) {
        self.plain(name, value.text().as_bytes());
    }

    fn encoded_items<const N: usize>(
        &mut self,
        name: &Name,
        item: &Name,
        mut items: EncodedItems<'_, N>,
        each: impl Fn(&mut Self, [Encoded<'_>; N]),
    ) {
        self.collection(name, item, &mut |csv| {
            let next = items.next();
            let is_some = next.is_some();
            if let Some(next) = next {
                each(csv, next);
            }
            is_some
        });
    }
}

/// Appends a cell. A foreign text must not begin a formula in any reader (see the module's
/// docs).
fn cell(out: &mut Vec<u8>, value: &[u8], is_foreign: bool) {
    let is_quoted = value
        .iter()
        .any(|byte| matches!(byte, b'"' | b',' | b'\r' | b'\n'));
    if is_quoted {
        out.push(b'"');
    }
    // Does a cell begin here, for some reader?
    let mut begins = is_foreign;
    for byte in value {
        if begins
            && matches!(
                byte,
                b'=' | b'+' | b'-' | b'@' | b'\t' | b'\r' | &APOSTROPHE
            )
        {
            out.push(APOSTROPHE);
        }
        if *byte == b'"' {
            out.push(b'"');
        }
        out.push(*byte);
        let separates = matches!(byte, b',' | b';' | b'\t' | b'\r' | b'\n');
        begins = is_foreign && (separates || (begins && *byte == b'"'));
    }
    if is_quoted {
        // The closing quote would open a cell, which begins with the end of the row.
        if begins {
            out.push(APOSTROPHE);
        }
        out.push(b'"');
    }
}

#[cfg(test)]
#[path = "as_csv/tests.rs"]
mod tests;
