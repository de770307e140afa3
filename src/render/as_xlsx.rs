//! Writes a table as an XLSX workbook with one sheet: a title, the column headings in one language,
//! and the rows.
//!
//! Registry numbers, INNs and codes are text, so they keep all digits. Text never becomes a
//! formula, whatever it starts with. Codes and flags are spelled out. XLSX stores numbers as binary
//! floating point, so an amount becomes a number only if no digit is lost; otherwise it is text.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::iter;

use rust_xlsxwriter::utility::column_number_to_name;
use rust_xlsxwriter::{
    Color, ConditionalFormatFormula, DocProperties, ExcelDateTime, Format, FormatAlign,
    FormatBorder, Worksheet, XlsxError,
};

use super::codes::code_words;
use super::fields::ValueKind;
use super::meanings::heading;
use super::table::{Bounded, Cells, RenderError, RowCount, TableFile};
use crate::model::{Date, ExecutionTerm, Language, Moment};

/// Maximum length of a cell's text in UTF-16 units, which spreadsheet programs count.
pub const MAX_CELL: usize = 32_767;

/// Number of significant digits that spreadsheet programs keep.
const MAX_DIGITS: usize = 15;

/// Maximum length of an amount that is written as a number. Keeps amounts well within the range of
/// floating point.
const MAX_NUMBER: usize = 40;

/// Maximum width of a column, in characters. Longer texts wrap.
const MAX_WIDTH: usize = 45;

const MIN_WIDTH: usize = 9;

/// Maximum height of a row, in lines.
const MAX_LINES: usize = 20;

/// Height of the heading row, in lines.
const HEADING_LINES: usize = 3;

/// Height of a line, in points.
const LINE_HEIGHT: usize = 15;

/// How many bytes to collect before a write to the file.
const PIECE: usize = 64 << 10;

/// Upper bound on rows with an explicit height. The library keeps 360 bytes for each, 5 MB in
/// total. For further rows, the program that opens the workbook chooses the height.
const MAX_HEIGHTS: usize = 14_000;

/// Width of a printed page, in characters. The text is printed at about two thirds of its normal
/// size.
const PAPER_WIDTH: usize = 200;

/// Paper size A4 (ECMA-376, part 1, 18.3.1.63).
const A4: u8 = 9;

/// Column of the execution term. Columns for its first and last day are added after it.
const TERM: &str = "deliveryTerm";
const TERM_DAYS: [&str; 2] = ["termStarts", "termEnds"];

const STAGE: &str = "contractStage";
const IN_EXECUTION: &str = "E";

const REASON: &str = "reason";

/// What a workbook contains besides the rows of an answer.
#[derive(Clone, Debug)]
pub struct Workbook {
    /// At most 31 characters, which is the limit of the format.
    pub sheet: &'static str,
    pub title: String,
    pub language: Language,
    /// Creation time stated in the file, in seconds since 1970. It does not come from the clock, so
    /// equal answers have equal bytes.
    pub time: i64,
}

impl Workbook {
    /// Appends a workbook with the table that `write` produces. A large workbook goes to `file`
    /// instead, and its rows are collected in a temporary file first. If the table has only some of
    /// the rows found (`count`), the title says so.
    ///
    /// # Errors
    /// Returns an error if the table is too large or a file cannot be written.
    pub fn write_to(
        &self,
        out: &mut Vec<u8>,
        mut file: Option<&mut (dyn TableFile + '_)>,
        count: Option<RowCount>,
        write: impl FnOnce(&mut dyn Cells),
    ) -> Result<(), RenderError> {
        let begin = |sheet| {
            let mut sheet = Sheet::new(sheet, self.language);
            sheet.write_title(&self.title, count);
            sheet
        };
        let mut rows = Rows {
            book: rust_xlsxwriter::Workbook::new(),
            kept: KeptCells::default(),
            on_disk: None,
            begin: &begin,
        };
        Bounded::write(&mut rows, file.as_deref_mut(), write)?;
        let mut book = rows.book;
        match (rows.on_disk, file) {
            (Some((sheet, to)), Some(file)) => {
                self.finish(&mut book, sheet).map_err(failed)?;
                let is_unwanted = file.is_unwanted();
                let to = BufWriter::with_capacity(PIECE, WantedFile { to, is_unwanted });
                match book.save_to_writer(to) {
                    Err(_) if is_unwanted() => Err(RenderError::Stopped),
                    saved => saved.map_err(failed),
                }
            }
            _ => {
                let mut sheet = begin(Worksheet::new());
                rows.kept.pass_to(&mut sheet);
                self.finish(&mut book, sheet).map_err(failed)?;
                book.save_to_writer(out).map_err(failed)
            }
        }
    }

    fn finish(&self, book: &mut rust_xlsxwriter::Workbook, table: Sheet) -> Result<(), XlsxError> {
        if let Some(error) = table.error {
            return Err(error);
        }
        let last_row = table.row.saturating_sub(1).max(1);
        let overdue = table.overdue();
        let mut sheet = table.sheet;
        if let Some((column, format)) = overdue {
            sheet.add_conditional_format(2, column, last_row.max(2), column, &format)?;
        }
        let last_column = u16::try_from(table.widths.len()).unwrap_or(u16::MAX);
        sheet.set_name(self.sheet)?;
        sheet.autofilter(1, 0, last_row, last_column.saturating_sub(1))?;
        sheet.set_freeze_panes(2, 0)?;
        for (column, width) in (0..).zip(&table.widths) {
            sheet.set_column_width(column, *width as f64)?;
        }
        let pages = table.widths.iter().sum::<usize>().div_ceil(PAPER_WIDTH);
        sheet.set_landscape();
        sheet.set_paper_size(A4);
        sheet.set_repeat_rows(1, 1)?;
        sheet.set_print_fit_to_pages(u16::try_from(pages).unwrap_or(u16::MAX).max(1), 0);
        sheet.set_footer("&C&P / &N");
        let time = ExcelDateTime::from_timestamp(self.time)?;
        book.set_properties(&DocProperties::new().set_creation_datetime(&time));
        book.push_worksheet(sheet);
        Ok(())
    }
}

fn failed(error: XlsxError) -> RenderError {
    RenderError::NotWritten(error.to_string())
}

/// Keeps rows in memory until the table turns out to be large. The library cannot move an existing
/// sheet to disk, so the sheet is created only once it is clear where its rows belong.
struct Rows<'a> {
    book: rust_xlsxwriter::Workbook,
    kept: KeptCells,
    /// Set once the table is large: the sheet, whose rows are in a temporary file, and the file for
    /// the workbook.
    on_disk: Option<(Sheet, File)>,
    /// Writes the sheet's title row.
    begin: &'a dyn Fn(Worksheet) -> Sheet,
}

impl Cells for Rows<'_> {
    fn name(&mut self, name: &str) {
        match &mut self.on_disk {
            Some((sheet, _)) => sheet.name(name),
            None => self.kept.keep(Kept::Name, name.as_bytes()),
        }
    }

    fn cell(&mut self, kind: ValueKind, value: &[u8]) {
        match &mut self.on_disk {
            Some((sheet, _)) => sheet.cell(kind, value),
            None => self.kept.keep(Kept::Cell(kind), value),
        }
    }

    fn end_row(&mut self) {
        match &mut self.on_disk {
            Some((sheet, _)) => sheet.end_row(),
            None => self.kept.keep(Kept::EndOfRow, &[]),
        }
    }

    fn move_to(&mut self, file: File) -> Result<(), RenderError> {
        let sheet = self.book.new_worksheet_with_constant_memory();
        let mut sheet = (self.begin)(sheet.map_err(failed)?);
        std::mem::take(&mut self.kept).pass_to(&mut sheet);
        self.on_disk = Some((sheet, file));
        Ok(())
    }
}

/// Recorded calls of [`Cells`], in a compact form.
#[derive(Default)]
struct KeptCells {
    /// The kind of each call and the length of its text in `bytes`.
    parts: Vec<(Kept, usize)>,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Kept {
    Name,
    Cell(ValueKind),
    EndOfRow,
}

impl KeptCells {
    fn keep(&mut self, part: Kept, bytes: &[u8]) {
        self.parts.push((part, bytes.len()));
        self.bytes.extend_from_slice(bytes);
    }

    fn pass_to(self, cells: &mut Sheet) {
        let mut bytes = self.bytes.as_slice();
        for (part, length) in self.parts {
            let (value, rest) = bytes.split_at_checked(length).unwrap_or_default();
            bytes = rest;
            match part {
                // The bytes come from a `&str`, so nothing is replaced.
                Kept::Name => cells.name(&String::from_utf8_lossy(value)),
                Kept::Cell(kind) => cells.cell(kind, value),
                Kept::EndOfRow => cells.end_row(),
            }
        }
    }
}

/// A file that rejects writes once the client has disconnected, which makes the library stop.
struct WantedFile<'a> {
    to: File,
    is_unwanted: &'a (dyn Fn() -> bool + Sync),
}

impl Write for WantedFile<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.is_unwanted)() {
            Err(io::ErrorKind::BrokenPipe.into())
        } else {
            self.to.write(bytes)
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

struct Sheet {
    sheet: Worksheet,
    language: Language,
    heading: Format,
    text: Format,
    day: Format,
    moment: Format,
    /// Formats for numbers, by pattern.
    numbers: HashMap<String, Format>,
    names: Vec<String>,
    /// In characters, by column.
    widths: Vec<usize>,
    row: u32,
    column: u16,
    /// Number of lines in the tallest cell of this row.
    lines: usize,
    heights: usize,
    error: Option<XlsxError>,
}

impl Sheet {
    fn new(sheet: Worksheet, language: Language) -> Self {
        let day = language.pick("dd\\.mm\\.yyyy", "d\\ mmm\\ yyyy");
        let cell = Format::new().set_align(FormatAlign::Top);
        let text = cell.clone().set_text_wrap();
        Self {
            sheet,
            language,
            heading: (text.clone().set_bold())
                .set_background_color(Color::RGB(0xEC_EFF3))
                .set_border_bottom(FormatBorder::Thin),
            text,
            day: cell.clone().set_num_format(day),
            moment: cell.set_num_format([day, "\\ hh:mm"].concat()),
            numbers: HashMap::new(),
            names: Vec::new(),
            widths: Vec::new(),
            // Row 0 is the title.
            row: 1,
            column: 0,
            lines: 1,
            heights: 0,
            error: None,
        }
    }

    /// Writes a heading. After the heading of the execution term, adds those for the term's first
    /// and last day.
    fn name(&mut self, name: &str) {
        let days = TERM_DAYS.into_iter().filter(|_| name == TERM);
        for name in iter::once(name).chain(days) {
            if self.error.is_none() {
                self.error = self.write_heading(name).err();
            }
        }
    }

    fn cell(&mut self, kind: ValueKind, value: &[u8]) {
        let value = String::from_utf8_lossy(value);
        if self.error.is_none() {
            self.error = self.write_with_term(kind, &value).err();
        }
    }

    fn end_row(&mut self) {
        // Without an explicit height, spreadsheet programs choose different ones.
        let lines = std::mem::replace(&mut self.lines, 1).min(MAX_LINES);
        if lines > 1 && self.heights < MAX_HEIGHTS && self.error.is_none() {
            self.heights += 1;
            let height = (lines * LINE_HEIGHT) as f64;
            self.error = self.sheet.set_row_height(self.row, height).err();
        }
        self.row = self.row.saturating_add(1);
        self.column = 0;
    }

    /// Writes the title, followed by "N of M rows" if the table has only some of the rows found.
    fn write_title(&mut self, title: &str, count: Option<RowCount>) {
        let mut title = title.to_owned();
        if let Some(RowCount { rows, total }) = count.filter(|count| count.is_part()) {
            title += &match self.language {
                Language::Russian => format!(" Строк {rows} из {total}."),
                Language::English => format!(" {rows} of {total} rows."),
            };
        }
        let written = self.sheet.write_string(0, 0, cell_text(&title));
        self.error = written.err();
    }

    /// Writes a cell. After an execution term, adds two cells with the term's first and last day.
    fn write_with_term(&mut self, kind: ValueKind, value: &str) -> Result<(), XlsxError> {
        let is_term = self.column_name() == TERM;
        self.write(kind, value)?;
        if is_term {
            let term = ExecutionTerm::parse(value);
            for day in [term.starts, term.ends] {
                let day = day.map_or(String::new(), |day| day.to_string());
                self.write(ValueKind::Date, &day)?;
            }
        }
        Ok(())
    }

    /// Returns the column of the stage, and a conditional format that marks overdue contracts in
    /// it. Spreadsheet programs evaluate the format when they open the file, so the file does not
    /// depend on the day on which it was made.
    fn overdue(&self) -> Option<(u16, ConditionalFormatFormula)> {
        let column = |name: &str| {
            let at = self.names.iter().position(|column| column == name)?;
            u16::try_from(at).ok()
        };
        let [_, term_ends] = TERM_DAYS;
        let (stage, ends) = (column(STAGE)?, column_number_to_name(column(term_ends)?));
        let words = (self.language).pick("@\", срок истёк\"", "@\", overdue\"");
        let format = Format::new()
            .set_num_format(words)
            .set_font_color(Color::RGB(0x8A_5A00))
            .set_background_color(Color::RGB(0xFD_F3DF));
        let rule = format!(
            "=AND(${}3=\"{}\",${ends}3<>\"\",${ends}3<TODAY())",
            column_number_to_name(stage),
            code_words(STAGE, IN_EXECUTION, self.language)?,
        );
        let rule = ConditionalFormatFormula::new().set_rule(rule.as_str());
        Some((stage, rule.set_format(format)))
    }

    fn column_name(&self) -> &str {
        let name = self.names.get(usize::from(self.column));
        name.map_or("", String::as_str)
    }

    fn write_heading(&mut self, name: &str) -> Result<(), XlsxError> {
        let heading = heading(name, self.language);
        (self.sheet).write_string_with_format(self.row, self.column, heading, &self.heading)?;
        self.names.push(name.to_owned());
        self.lines = HEADING_LINES;
        let longest = heading.split(' ').map(|word| word.chars().count()).max();
        // Leaves room for the arrow of the filter.
        let least = heading.chars().count() / HEADING_LINES + 2;
        self.end_cell(longest.unwrap_or(0).max(least) + 3);
        Ok(())
    }

    fn write(&mut self, kind: ValueKind, value: &str) -> Result<(), XlsxError> {
        let width = match value {
            "" => 0,
            _ => self.write_value(kind, value)?,
        };
        self.end_cell(width);
        Ok(())
    }

    /// Moves on to the next column. `width` is in characters.
    fn end_cell(&mut self, width: usize) {
        let width = width.clamp(MIN_WIDTH, MAX_WIDTH);
        match self.widths.get_mut(usize::from(self.column)) {
            Some(widest) => *widest = width.max(*widest),
            None => self.widths.push(width),
        }
        self.column = self.column.saturating_add(1);
    }

    /// Writes a value into the current cell and returns the width of the text in characters.
    fn write_value(&mut self, kind: ValueKind, value: &str) -> Result<usize, XlsxError> {
        let (row, column, language) = (self.row, self.column, self.language);
        let words = match kind {
            ValueKind::Amount | ValueKind::Whole => {
                if let Some((number, form)) = number(kind, value) {
                    let format = self.numbers.entry(form).or_insert_with_key(|form| {
                        Format::new()
                            .set_align(FormatAlign::Top)
                            .set_num_format(form)
                    });
                    (self.sheet).write_number_with_format(row, column, number, format)?;
                    // Spreadsheet programs add decimals and thousands separators.
                    return Ok(value.len() * 4 / 3 + 4);
                }
                None
            }
            ValueKind::Date | ValueKind::Moment => {
                if let Some((moment, has_time)) = moment(value) {
                    let form = if has_time { &self.moment } else { &self.day };
                    (self.sheet).write_datetime_with_format(row, column, &moment, form)?;
                    return Ok(value.len() + 2);
                }
                None
            }
            ValueKind::Flag => Some(match value {
                "true" => language.pick("да", "yes"),
                _ => language.pick("нет", "no"),
            }),
            ValueKind::Code(_) => code_words(self.column_name(), value, language),
            // A reason is either free text or a code of the official schema.
            ValueKind::Text(_) if self.column_name() == REASON => {
                code_words(REASON, value, language)
            }
            ValueKind::Text(_) => None,
        };
        let text = words.map_or_else(|| cell_text(value), str::to_owned);
        let lines = text.split('\n');
        let lines = lines.map(|line| (line.chars().count() + 1).div_ceil(MAX_WIDTH - 3).max(1));
        self.lines = self.lines.max(lines.sum());
        let width = text.chars().take(MAX_WIDTH).count() + 1;
        (self.sheet).write_string_with_format(row, column, text, &self.text)?;
        Ok(width)
    }
}

/// Returns a number and its format, or `None` if a digit would be lost. XLSX has only
/// floating-point numbers, so this is the one place in the program that uses them.
fn number(kind: ValueKind, text: &str) -> Option<(f64, String)> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits = [whole.trim_start_matches('-'), decimals].concat();
    let is_exact = digits.trim_matches('0').len() <= MAX_DIGITS && text.len() <= MAX_NUMBER;
    let form = match kind {
        ValueKind::Whole => "0".to_owned(),
        _ => ["#,##0.", &"0".repeat(decimals.len().max(2))].concat(),
    };
    Some((text.parse().ok().filter(|_| is_exact)?, form))
}

/// Parses a day, `YYYY-MM-DD` or `DD.MM.YYYY` with an optional time. The flag says whether there is
/// a time. Returns `None` for days that spreadsheet programs cannot represent, such as those before
/// 1900.
fn moment(text: &str) -> Option<(ExcelDateTime, bool)> {
    let day = Date::parse_iso(text).map(Moment::from_day);
    let moment = day.or_else(|| Moment::parse_dotted(text))?;
    let (year, month, day) = moment.date().parts();
    // 31 December 1899 would be day 0, which some spreadsheet programs reject.
    let day = (year >= 1900).then(|| ExcelDateTime::from_ymd(year, month, day).ok())??;
    match moment.time() {
        None => Some((day, false)),
        Some((hour, minute)) => Some((day.and_hms(hour.into(), minute, 0).ok()?, true)),
    }
}

fn allowed(letter: char) -> char {
    match letter {
        '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'.. => letter,
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Replaces characters that XML 1.0 forbids (section 2.2) with U+FFFD, and ends a text that is too
/// long with `…`.
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
    fn numbers_have_at_most_the_digits_that_spreadsheets_keep() {
        let form = |text| number(ValueKind::Amount, text).map(|(_, form)| form);
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
            // The library writes the shortest text that parses to the same number.
            let (number, _) = number(ValueKind::Amount, text).expect(text);
            assert_eq!(number.to_string(), text);
        }
        let long = ["1", &"0".repeat(40)].concat();
        for text in ["1234567890123456", "12345678901234.56", &long, "", "x"] {
            assert_eq!(form(text), None, "{text}");
        }
        assert_eq!(
            number(ValueKind::Whole, "12")
                .map(|(_, form)| form)
                .as_deref(),
            Some("0")
        );
    }

    #[test]
    fn dates_are_within_the_calendar_of_spreadsheets() {
        let has_time = |text| moment(text).map(|(_, has_time)| has_time);
        assert_eq!(has_time("2024-02-29"), Some(false));
        assert_eq!(has_time("29.02.2024"), Some(false));
        assert_eq!(has_time("29.02.2024 09:30"), Some(true));
        for text in ["", "1899-12-30", "2024-02-30", "завтра"] {
            assert_eq!(has_time(text), None, "{text}");
        }
    }

    #[test]
    fn long_texts_are_cut_visibly() {
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
