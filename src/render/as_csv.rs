//! The cells of CSV: RFC 4180 with a byte order mark, from which spreadsheets recognise UTF-8.
//! Numbers, days and flags are as in XML.
//!
//! # Formulas
//!
//! A contract's subject comes from outside, and opening the file must not execute it. No
//! spreadsheet may see a cell in it that begins with `=`, `+`, `-`, `@`, a tab or a carriage
//! return. This holds for spreadsheets that separate cells by comma, semicolon or tab, and for any
//! treatment of quotes. A reader may begin a cell at these places in a text: its start, and after
//! a comma, a semicolon, a tab, a carriage return or a line feed, and after any quotes there. At
//! such a place an apostrophe is written
//!
//! - before one of the characters above,
//! - before an apostrophe of the text itself,
//! - at the end of a text in a quoted cell, because the closing quote would open a cell that
//!   begins with the row's end.
//!
//! So an apostrophe at such a place is never the text's own, and removing each one restores the
//! imported text. As one regular expression over an unquoted cell of RFC 4180: replace
//! `(^|[,;\t\r\n])("*)'` by `$1$2`, everywhere. It can be applied to all cells, because only texts
//! contain apostrophes.

use std::fs::File;
use std::io::{self, Write};

use super::fields::ValueKind;
use super::table::{Cells, RenderError};

/// The byte order mark.
const MARK: &[u8] = "\u{feff}".as_bytes();

/// Written before a character that would begin a formula.
const APOSTROPHE: u8 = b'\'';

/// The bytes that are written to a file at once.
const PIECE: usize = 64 << 10;

/// A table as CSV.
pub struct CsvTable<'a> {
    out: &'a mut Vec<u8>,
    /// The file that complete rows are moved to from `out`; without one they stay.
    file: Option<File>,
    /// Whether the next cell is the first of its row.
    is_first: bool,
    /// The first error of the file.
    error: Option<io::Error>,
}

impl<'a> CsvTable<'a> {
    /// Begins a table.
    pub fn begin(out: &'a mut Vec<u8>) -> Self {
        out.extend_from_slice(MARK);
        Self::rows(out)
    }

    /// Continues a table.
    pub fn rows(out: &'a mut Vec<u8>) -> Self {
        Self {
            out,
            file: None,
            is_first: true,
            error: None,
        }
    }

    /// Ends a table.
    ///
    /// # Errors
    /// Its file cannot be written.
    pub fn finish(mut self) -> io::Result<()> {
        self.move_rows();
        self.error.map_or(Ok(()), Err)
    }

    fn move_rows(&mut self) {
        if let Some(file) = &mut self.file {
            if self.error.is_none() {
                self.error = file.write_all(self.out).err();
            }
            self.out.clear();
        }
    }
}

impl Cells for CsvTable<'_> {
    fn name(&mut self, name: &str) {
        self.cell(ValueKind::Code(&[]), name.as_bytes());
    }

    fn cell(&mut self, kind: ValueKind, value: &[u8]) {
        if !std::mem::replace(&mut self.is_first, false) {
            self.out.push(b',');
        }
        cell(self.out, value, matches!(kind, ValueKind::Text(_)));
    }

    fn end_row(&mut self) {
        self.out.extend_from_slice(b"\r\n");
        self.is_first = true;
        if self.out.len() >= PIECE {
            self.move_rows();
        }
    }

    fn move_to(&mut self, file: File) -> Result<(), RenderError> {
        self.file = Some(file);
        Ok(())
    }
}

/// Appends a cell. No reader may see a formula in a foreign text (see the module's docs).
fn cell(out: &mut Vec<u8>, value: &[u8], is_foreign: bool) {
    let is_quoted = value
        .iter()
        .any(|byte| matches!(byte, b'"' | b',' | b'\r' | b'\n'));
    if is_quoted {
        out.push(b'"');
    }
    // Whether some reader begins a cell here.
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
        // The closing quote would open a cell that begins with the end of the row.
        if begins {
            out.push(APOSTROPHE);
        }
        out.push(b'"');
    }
}

#[cfg(test)]
#[path = "as_csv/tests.rs"]
mod tests;
