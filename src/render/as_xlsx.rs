//! XLSX: the cells of a table as a workbook with one sheet. Its first row says what it is of,
//! the second has the headings, in a language; then come the rows.
//!
//! Numbers of registries, INNs and codes are texts, so that no digit is lost; no text is a
//! formula, whatever it begins with. XLSX stores a number as binary floating point: an amount
//! is a number only where that gives back each of its digits, else a text.

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Worksheet, XlsxError};

use super::meanings::heading;
use super::table::{CellKind, Cells};
use crate::model::{Date, Language, Moment};

/// The longest text of a cell, in UTF-16 units, as spreadsheets count.
pub const MAX_CELL: usize = 32_767;

/// How many significant digits of a number spreadsheets keep.
const MAX_DIGITS: usize = 15;

/// The longest amount that is a number, in characters: far within the range of one.
const MAX_NUMBER: usize = 40;

/// The widest column, in pixels.
const MAX_WIDTH: u32 = 400;

/// What a workbook with the rows of an answer says of itself.
#[derive(Clone, Debug)]
pub struct Workbook {
    /// The name of its sheet: 31 letters at most.
    pub sheet: &'static str,
    /// Its first row.
    pub title: String,
    /// The language of the headings.
    pub language: Language,
    /// Its time, in seconds since 1970, so that the same answer has the same bytes.
    pub time: i64,
}

impl Workbook {
    /// The bytes of the file with the table that `write` gives the cells of.
    ///
    /// # Errors
    /// There are more rows or columns than a sheet has: a sentence for the log.
    pub fn to_bytes(&self, write: impl FnOnce(&mut dyn Cells)) -> Result<Vec<u8>, String> {
        let mut sheet = Sheet::new(self.language);
        write(&mut sheet);
        self.finish(sheet).map_err(|error| error.to_string())
    }

    fn finish(&self, table: Sheet) -> Result<Vec<u8>, XlsxError> {
        if let Some(error) = table.error {
            return Err(error);
        }
        let mut sheet = table.sheet;
        let last_row = table.next.0.saturating_sub(1).max(1);
        sheet.set_name(self.sheet)?;
        sheet.autofilter(1, 0, last_row, table.last_column)?;
        sheet.set_freeze_panes(2, 0)?;
        sheet.set_autofit_max_width(MAX_WIDTH);
        sheet.autofit();
        // Later, as no column is to be as wide as that.
        sheet.write_string(0, 0, cell_text(&self.title))?;
        let mut book = rust_xlsxwriter::Workbook::new();
        let time = ExcelDateTime::from_timestamp(self.time)?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&time));
        book.push_worksheet(sheet);
        book.save_to_buffer()
    }
}

/// The sheet of a workbook that is being written.
struct Sheet {
    sheet: Worksheet,
    language: Language,
    bold: Format,
    day: Format,
    moment: Format,
    /// Row and column of the next cell.
    next: (u32, u16),
    last_column: u16,
    /// Why it cannot be written.
    error: Option<XlsxError>,
}

impl Cells for Sheet {
    fn cell(&mut self, kind: CellKind, value: &[u8]) {
        if self.error.is_none() {
            self.error = self.write(kind, &String::from_utf8_lossy(value)).err();
        }
        self.last_column = self.last_column.max(self.next.1);
        self.next.1 = self.next.1.saturating_add(1);
    }

    fn end_row(&mut self) {
        self.next = (self.next.0.saturating_add(1), 0);
    }
}

impl Sheet {
    fn new(language: Language) -> Self {
        let day = language.pick("dd\\.mm\\.yyyy", "yyyy\\-mm\\-dd");
        Self {
            sheet: Worksheet::new(),
            language,
            bold: Format::new().set_bold(),
            day: Format::new().set_num_format(day),
            moment: Format::new().set_num_format([day, "\\ hh:mm"].concat()),
            // The title has the first row.
            next: (1, 0),
            last_column: 0,
            error: None,
        }
    }

    fn write(&mut self, kind: CellKind, value: &str) -> Result<(), XlsxError> {
        let (sheet, (row, column)) = (&mut self.sheet, self.next);
        match kind {
            CellKind::Name => {
                let heading = heading(value, self.language);
                sheet.write_string_with_format(row, column, heading, &self.bold)?;
                return Ok(());
            }
            _ if value.is_empty() => return Ok(()),
            CellKind::Amount | CellKind::Whole => {
                if let Some((number, form)) = number(kind, value) {
                    let form = Format::new().set_num_format(form);
                    sheet.write_number_with_format(row, column, number, &form)?;
                    return Ok(());
                }
            }
            CellKind::Day | CellKind::Moment => {
                if let Some((moment, has_time)) = moment(value) {
                    let form = if has_time { &self.moment } else { &self.day };
                    sheet.write_datetime_with_format(row, column, &moment, form)?;
                    return Ok(());
                }
            }
            CellKind::Flag => {
                sheet.write_boolean(row, column, value == "true")?;
                return Ok(());
            }
            CellKind::Text | CellKind::Code => {}
        }
        sheet.write_string(row, column, cell_text(value))?;
        Ok(())
    }
}

/// A number and its format; none where spreadsheets would not keep each of its digits. Only
/// here is there floating point, as the file format has no other number.
fn number(kind: CellKind, text: &str) -> Option<(f64, String)> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = [whole.trim_start_matches('-'), decimals].concat();
    let is_exact = digits.trim_matches('0').len() <= MAX_DIGITS && text.len() <= MAX_NUMBER;
    let form = match kind {
        CellKind::Whole => "0".to_owned(),
        _ => ["#,##0.", &"0".repeat(decimals.len().max(2))].concat(),
    };
    Some((text.parse().ok().filter(|_| is_exact)?, form))
}

/// A day, `YYYY-MM-DD` or `DD.MM.YYYY`, perhaps with a time, and whether it has one; none
/// where spreadsheets have no such day, as before 1900.
fn moment(text: &str) -> Option<(ExcelDateTime, bool)> {
    let day = Date::parse_iso(text).map(Moment::from_day);
    let moment = day.or_else(|| Moment::parse_dotted(text))?;
    let (year, month, day) = moment.date().parts();
    // The day before the first of 1900 has the number 0, which to some readers is no day.
    let day = (year >= 1900).then(|| ExcelDateTime::from_ymd(year, month, day).ok())??;
    match moment.time() {
        None => Some((day, false)),
        Some((hour, minute)) => Some((day.and_hms(hour.into(), minute, 0).ok()?, true)),
    }
}

/// The character, or U+FFFD for one that XML 1.0 does not allow (its section 2.2).
fn allowed(letter: char) -> char {
    match letter {
        '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => letter,
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// The text of a cell: what XML forbids is U+FFFD, and what is too long ends in `…`.
fn cell_text(text: &str) -> String {
    let mut cell: String = text.chars().map(allowed).collect();
    if cell.len() > MAX_CELL && cell.encode_utf16().count() > MAX_CELL {
        let mut room = MAX_CELL - 1;
        let fits = |letter: &char| {
            let left = room.checked_sub(letter.len_utf16());
            room = left.unwrap_or(0);
            left.is_some()
        };
        cell = cell.chars().take_while(fits).chain(['…']).collect();
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_no_more_digits_than_spreadsheets_keep() {
        let form = |text| number(CellKind::Amount, text).map(|(_, form)| form);
        for (text, expected) in [
            ("0", "#,##0.00"),
            ("709564.02", "#,##0.00"),
            ("-5.5", "#,##0.00"),
            ("0.005", "#,##0.000"),
            ("999999999999999", "#,##0.00"),
            ("9999999999999.99", "#,##0.00"),
            ("100000000000000000000", "#,##0.00"),
            (
                "0.000000000000000000000000001",
                "#,##0.000000000000000000000000000",
            ),
        ] {
            assert_eq!(form(text).as_deref(), Some(expected), "{text}");
            // What the file has in it is the shortest text that reads as the same number.
            let (number, _) = number(CellKind::Amount, text).expect(text);
            assert_eq!(number.to_string(), text);
        }
        let long = ["1", &"0".repeat(40)].concat();
        for text in ["1234567890123456", "12345678901234.56", &long, "", "x"] {
            assert_eq!(form(text), None, "{text}");
        }
        assert_eq!(
            number(CellKind::Whole, "12")
                .map(|(_, form)| form)
                .as_deref(),
            Some("0")
        );
    }

    #[test]
    fn a_day_is_one_that_spreadsheets_have() {
        let has_time = |text| moment(text).map(|(_, has_time)| has_time);
        assert_eq!(has_time("2024-02-29"), Some(false));
        assert_eq!(has_time("29.02.2024"), Some(false));
        assert_eq!(has_time("29.02.2024 09:30"), Some(true));
        for text in ["", "1899-12-30", "2024-02-30", "завтра"] {
            assert_eq!(has_time(text), None, "{text}");
        }
    }

    #[test]
    fn a_long_text_is_cut_with_a_sign() {
        let letters = |count| "ж".repeat(count);
        assert_eq!(cell_text(&letters(MAX_CELL)), letters(MAX_CELL));
        assert_eq!(
            cell_text(&letters(MAX_CELL + 1)),
            letters(MAX_CELL - 1) + "…"
        );
        let pairs = cell_text(&"🏗".repeat(MAX_CELL));
        assert_eq!(pairs.encode_utf16().count(), MAX_CELL);
        assert_eq!(cell_text("a\u{1}\u{ffff}\tb"), "a\u{fffd}\u{fffd}\tb");
    }
}
