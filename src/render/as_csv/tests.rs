use proptest::collection::vec;
use proptest::prelude::*;

use super::super::fields::{FieldWriter, Record, name};
use super::super::table::{row, table};
use super::{CsvTable, cell};

#[test]
fn cells_are_quoted_and_formulas_defused() {
    let check = |text: &str, expected: &str| {
        let mut out = Vec::new();
        cell(&mut out, text.as_bytes(), true);
        assert_eq!(String::from_utf8_lossy(&out), expected, "{text}");
    };
    check("", "");
    check("ООО \"Ромашка\"", "\"ООО \"\"Ромашка\"\"\"");
    check("a,b", "\"a,b\"");
    check("a, b; - c", "\"a, b; - c\"");
    check("a\r\nb", "\"a\r\nb\"");
    check("a;b 'c'", "a;b 'c'");
    check("=1+1", "'=1+1");
    check("+7 900", "'+7 900");
    check("-", "'-");
    check("@SUM(A1)", "'@SUM(A1)");
    check("\tx", "'\tx");
    check("\rx", "\"'\rx\"");
    check("a;=1+1;b", "a;'=1+1;b");
    check("a,=1", "\"a,'=1\"");
    check("a\n=1", "\"a\n'=1\"");
    check("a\t@x", "a\t'@x");
    check("a;\"=1", "\"a;\"\"'=1\"");
    check("x \"=1\" - 2", "\"x \"\"=1\"\" - 2\"");
    check(
        "=HYPERLINK(\"x\",\"y\")",
        "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"",
    );
    check("'", "''");
    check("'=1", "''=1");
    check("a;", "a;");
    check("a,b;", "\"a,b;'\"");
    let mut out = Vec::new();
    cell(&mut out, b"-5.10", false);
    assert_eq!(out, b"-5.10");
}

struct Texts<'a>(&'a [String]);

impl Record for Texts<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        for text in self.0 {
            fields.text(name!("text"), text);
        }
    }
}

fn document(rows: &[Vec<String>]) -> String {
    let mut out = Vec::new();
    table(&mut CsvTable::begin(&mut out), &Texts(&rows[0]));
    for texts in rows {
        row(&mut CsvTable::rows(&mut out), &Texts(texts));
    }
    let text = String::from_utf8(out).expect("UTF-8");
    text.strip_prefix('\u{feff}').expect("a mark").to_owned()
}

/// How a spreadsheet program treats quotation marks.
#[derive(Clone, Copy, Debug)]
enum Quotes {
    /// As any other character.
    Text,
    /// Dropped everywhere.
    Dropped,
    /// A cell that starts with a quotation mark ends after the closing one. This is RFC 4180,
    /// except for the separator. Malformed cells are read as Python's `csv` module reads them.
    Honoured,
    /// Each quotation mark opens or closes a quoted part, anywhere in a cell.
    Anywhere,
}

/// Parses a table as a spreadsheet program with these settings would. With `is_return`, a lone
/// carriage return ends a row like a line feed does.
fn read(text: &str, separator: char, quotes: Quotes, is_return: bool) -> Vec<Vec<String>> {
    let (mut rows, mut cells, mut cell) = (Vec::new(), Vec::new(), String::new());
    let (mut is_quoted, mut is_first) = (false, true);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let begins = std::mem::replace(&mut is_first, false);
        let ends_row = c == '\n' || (c == '\r' && (is_return || chars.peek() == Some(&'\n')));
        match (c, quotes) {
            ('"', Quotes::Dropped) => is_first = begins,
            ('"', Quotes::Honoured | Quotes::Anywhere) if is_quoted => {
                if chars.next_if_eq(&'"').is_some() {
                    cell.push('"');
                } else {
                    is_quoted = false;
                }
            }
            ('"', Quotes::Honoured) if begins => is_quoted = true,
            ('"', Quotes::Anywhere) => is_quoted = true,
            _ if is_quoted => cell.push(c),
            _ if ends_row || c == separator => {
                cells.push(std::mem::take(&mut cell));
                is_first = true;
                if ends_row {
                    if c == '\r' {
                        chars.next_if_eq(&'\n');
                    }
                    rows.push(std::mem::take(&mut cells));
                }
            }
            _ => cell.push(c),
        }
    }
    cells.push(cell);
    rows.push(cells);
    rows
}

/// Restores the text of a cell as the documentation of `as_csv` describes.
fn original(cell: &str) -> String {
    let mut text = String::new();
    let mut begins = true;
    let mut rest = cell;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        if begins && c == '\'' {
            // The writer inserted this apostrophe, so the next character belongs to the text.
            let Some(next) = rest.chars().next() else {
                break;
            };
            rest = &rest[next.len_utf8()..];
            text.push(next);
            begins = ",;\t\r\n".contains(next);
        } else {
            text.push(c);
            begins = ",;\t\r\n".contains(c) || (begins && c == '"');
        }
    }
    text
}

fn any_text() -> impl Strategy<Value = String> {
    let attack = vec(
        prop::sample::select("=+-@\t\r\n\"\"'',;; a1".chars().collect::<Vec<_>>()),
        0..8,
    );
    prop_oneof![
        4 => attack.prop_map(|chars| chars.into_iter().collect::<String>()),
        1 => any::<String>(),
    ]
}

fn any_rows() -> impl Strategy<Value = Vec<Vec<String>>> {
    (1..4_usize).prop_flat_map(|width| vec(vec(any_text(), width), 1..4))
}

proptest! {
    #[test]
    fn no_reader_sees_a_formula(rows in any_rows()) {
        let text = document(&rows);
        for separator in [',', ';', '\t'] {
            for quotes in [Quotes::Text, Quotes::Dropped, Quotes::Honoured, Quotes::Anywhere] {
                for is_return in [true, false] {
                    let read = read(&text, separator, quotes, is_return);
                    for cell in read.iter().flatten() {
                        prop_assert!(
                            !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
                            "{cell:?} by {separator:?}, {quotes:?}, {is_return}, in {text:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn cells_round_trip(rows in any_rows()) {
        let text = document(&rows);
        let mut read = read(&text, ',', Quotes::Honoured, false);
        prop_assert_eq!(read.pop(), Some(vec![String::new()]));
        let read: Vec<Vec<String>> = read
            .iter()
            .skip(1)
            .map(|cells| cells.iter().map(|cell| original(cell)).collect())
            .collect();
        prop_assert_eq!(read, rows);
    }
}
