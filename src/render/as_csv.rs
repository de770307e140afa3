//! Writes CSV by RFC 4180, with a byte order mark by which spreadsheet programs recognize UTF-8.
//! Numbers, days and flags are written as in XML.
//!
//! # Formulas
//!
//! The subject of a contract comes from outside, and opening the file must not execute it as a
//! formula. Spreadsheet programs separate cells by comma, semicolon or tab, and treat quotation
//! marks in different ways. The text must not contain anything that one of them would take for a
//! cell starting with `=`, `+`, `-`, `@`, a tab or a carriage return. Depending on the program, a
//! cell may start at the beginning of the text, or after a comma, semicolon, tab, carriage return or
//! line feed, and after any quotation marks that follow. At each such place, the writer inserts an
//! apostrophe
//!
//! - before any of the characters above,
//! - before an apostrophe that belongs to the text,
//! - at the end of the text if the cell is quoted, because the closing quotation mark would start a
//!   cell that continues with the rest of the row.
//!
//! An apostrophe at such a place therefore never belongs to the text, and removing all of them
//! restores the text. As a regular expression for the unquoted content of an RFC 4180 cell: replace
//! `(^|[,;\t\r\n])("*)'` with `$1$2` everywhere. The replacement can be applied to every cell,
//! because only texts contain apostrophes.

use std::fs::File;
use std::io::{self, Write};

use super::fields::ValueKind;
use super::table::{Cells, RenderError};

const MARK: &[u8] = "\u{feff}".as_bytes();

/// Inserted where a formula could start.
const APOSTROPHE: u8 = b'\'';

/// How many bytes to collect before a write to the file.
const PIECE: usize = 64 << 10;

pub struct CsvTable<'a> {
    out: &'a mut Vec<u8>,
    /// Where completed rows are moved. Without a file, they stay in `out`.
    file: Option<File>,
    is_first: bool,
    error: Option<io::Error>,
}

impl<'a> CsvTable<'a> {
    /// Starts a table with the byte order mark.
    pub fn begin(out: &'a mut Vec<u8>) -> Self {
        out.extend_from_slice(MARK);
        Self::rows(out)
    }

    /// Continues a table begun with [`Self::begin`].
    pub fn rows(out: &'a mut Vec<u8>) -> Self {
        Self {
            out,
            file: None,
            is_first: true,
            error: None,
        }
    }

    /// Moves the remaining rows to the file, if there is one.
    ///
    /// # Errors
    /// Returns the first error from writing to the file.
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

/// Appends a cell. With `is_foreign`, the text comes from outside and gets apostrophes (see the
/// documentation of this module).
fn cell(out: &mut Vec<u8>, value: &[u8], is_foreign: bool) {
    let is_quoted = value
        .iter()
        .any(|byte| matches!(byte, b'"' | b',' | b'\r' | b'\n'));
    if is_quoted {
        out.push(b'"');
    }
    // Whether some spreadsheet program may start a cell here.
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
        // The closing quotation mark would start a cell that continues with the rest of the row.
        if begins {
            out.push(APOSTROPHE);
        }
        out.push(b'"');
    }
}

#[cfg(test)]
#[path = "as_csv/tests.rs"]
mod tests;
