//! The cells of CSV: RFC 4180 with a byte order mark, by which spreadsheets
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

use super::table::{CellKind, Cells};

/// The byte order mark.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Written before a character that would begin a formula.
const APOSTROPHE: u8 = b'\'';

/// A table as CSV.
pub struct CsvTable<'a> {
    out: &'a mut Vec<u8>,
    /// Is the next cell the first of its row?
    is_first: bool,
}

impl<'a> CsvTable<'a> {
    /// Begins a table.
    pub fn begin(out: &'a mut Vec<u8>) -> Self {
        out.extend_from_slice(MARK);
        Self::rows(out)
    }

    /// Goes on with one.
    pub fn rows(out: &'a mut Vec<u8>) -> Self {
        let is_first = true;
        Self { out, is_first }
    }
}

impl Cells for CsvTable<'_> {
    fn cell(&mut self, kind: CellKind, value: &[u8]) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.out.push(b',');
        }
        cell(self.out, value, kind == CellKind::Text);
    }

    fn end_row(&mut self) {
        self.out.extend_from_slice(b"\r\n");
        self.is_first = true;
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
