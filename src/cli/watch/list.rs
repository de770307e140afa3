//! The list of suppliers to watch: one INN a line, or a table with a column of them.

use std::path::Path;

use super::BoxedError;
use super::input::{self, named};
use crate::model::Inn;

/// The largest list, in bytes.
pub const MAX_SIZE: u64 = 64 << 20;

/// The most rows of a list.
pub const MAX_ROWS: usize = 1_000_000;

/// The possible separators of columns.
const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// The most shown characters of a text that is no INN.
const SHOWN: usize = 40;

/// A list of suppliers.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct List {
    /// The suppliers, each with its line in the file, from 1.
    pub suppliers: Vec<(u64, Inn)>,
    /// The cells that are no INN, with their positions.
    pub problems: Vec<String>,
}

/// Reads the list at `path`, or from standard input for `-`.
///
/// # Errors
/// The list cannot be read, is too large, is not UTF-8, or has no INN.
pub fn read(path: &Path) -> Result<List, BoxedError> {
    let bytes = input::read(path, MAX_SIZE).map_err(|error| named(path, &error))?;
    let text = String::from_utf8(bytes).map_err(|_| named(path, &"save the list as UTF-8"))?;
    let mut list = parse(&text).map_err(|error| named(path, &error))?;
    for problem in &mut list.problems {
        *problem = format!("{}:{problem}", path.display());
    }
    Ok(list)
}

fn parse(text: &str) -> Result<List, String> {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().next().unwrap_or_default();
    let is_table = |by: &u8| first.split(char::from(*by)).any(is_heading);
    let cells = match DELIMITERS.into_iter().find(is_table) {
        Some(delimiter) => column(text, delimiter)?,
        None => lines(text),
    };
    if cells.len() > MAX_ROWS {
        return Err(format!("a list may have {MAX_ROWS} rows"));
    }
    let mut list = List::default();
    for (row, cell) in cells {
        match Inn::parse(&cell) {
            Some(inn) => list.suppliers.push((row, inn)),
            None if cell.is_empty() => list.problems.push(format!("{row}: no INN")),
            None => {
                let shown: String = cell.chars().take(SHOWN).collect();
                let problem = format!("{row}: {shown:?} is not an INN: it has 10 or 12 digits");
                list.problems.push(problem);
            }
        }
    }
    if list.suppliers.is_empty() {
        let remedy = "give one INN a line, or a table with a column named ИНН or INN";
        let problems = list
            .problems
            .first()
            .map_or(String::new(), |first| format!(" ({first})"));
        return Err(format!("not one INN{problems}: {remedy}"));
    }
    Ok(list)
}

/// Returns whether the text is the name of the column with INNs.
fn is_heading(cell: &str) -> bool {
    let name = cell.trim().trim_matches('"').trim().to_uppercase();
    // The service's own tables have the last one.
    ["ИНН", "INN", "SUPPLIERINN"].contains(&name.as_str())
}

/// Returns the lines that are not blank, with their numbers.
fn lines(text: &str) -> Vec<(u64, String)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let filled = lines.filter(|(_, line)| !line.is_empty());
    filled.map(|(row, line)| (row, line.to_owned())).collect()
}

/// Returns the cells in the column of INNs, without blank rows.
fn column(text: &str, delimiter: u8) -> Result<Vec<(u64, String)>, String> {
    let wrong = |error: csv::Error| format!("not a table: {error}");
    let mut table = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .flexible(true)
        .from_reader(text.as_bytes());
    let column = table.headers().map_err(wrong)?.iter().position(is_heading);
    let column = column.ok_or("no column is named ИНН or INN")?;
    let mut cells = Vec::new();
    for record in table.records() {
        let record = record.map_err(wrong)?;
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if let Some(at) = record.position() {
            // It begins after the line ends that stand there.
            let rest = text.get(at.byte() as usize..).unwrap_or_default();
            let line_ends = rest
                .bytes()
                .take_while(|byte| matches!(byte, b'\r' | b'\n'));
            let row = at.line() + line_ends.filter(|byte| *byte == b'\n').count() as u64;
            let cell = record.get(column).unwrap_or_default().trim();
            cells.push((row, cell.to_owned()));
        }
    }
    Ok(cells)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[(u64, &str)], problems: &[&str]) {
        let list = parse(text).expect("a list");
        let found: Vec<_> = list
            .suppliers
            .iter()
            .map(|(row, inn)| (*row, inn.as_str()))
            .collect();
        assert_eq!(found, expected, "{text:?}");
        assert_eq!(list.problems, problems, "{text:?}");
    }

    #[test]
    fn one_inn_a_line_blank_lines_passed_over() {
        check(
            "\u{feff}9602000445\r\n\r\n  960000000400 \nООО «Сад»\n",
            &[(1, "9602000445"), (3, "960000000400")],
            &["4: \"ООО «Сад»\" is not an INN: it has 10 or 12 digits"],
        );
    }

    #[test]
    fn a_table_has_a_column_of_inns_whatever_separates_its_columns() {
        for by in [",", ";", "\t"] {
            let text = format!(
                "\u{feff}Имя{by}\"Инн\"\r\n\"Сад{by}\"\"Огород\"\"\"{by}9602000445\r\n{by}\r\nПоле{by}77\r\nЛес{by}\r\nДом"
            );
            check(
                &text,
                &[(2, "9602000445")],
                &[
                    "4: \"77\" is not an INN: it has 10 or 12 digits",
                    "5: no INN",
                    "6: no INN",
                ],
            );
        }
        check("INN\n9602000445\n", &[(2, "9602000445")], &[]);
    }

    #[test]
    fn a_row_is_the_line_where_it_begins() {
        let text = "inn,name\n9602000445,\"one\ntwo\"\n\n9602000446,x\n";
        check(text, &[(2, "9602000445"), (5, "9602000446")], &[]);
    }

    #[test]
    fn a_list_without_an_inn_is_refused() {
        for text in ["", "\n", "name;number\nx;9602000445", "ИНН\n1\n"] {
            let error = parse(text).expect_err(text);
            assert!(error.starts_with("not one INN"), "{error}");
        }
    }
}
