//! The list of suppliers to watch: one INN per line, or a table with a column of INNs.

use std::path::Path;

use super::BoxedError;
use super::input::{self, named};
use crate::model::Inn;

/// Maximum size of a list, in bytes.
pub const MAX_SIZE: u64 = 64 << 20;

/// Maximum number of rows in a list.
pub const MAX_ROWS: usize = 1_000_000;

const DELIMITERS: [u8; 3] = [b',', b';', b'\t'];

/// Maximum number of characters of an invalid INN that a message shows.
const SHOWN_CHARACTERS: usize = 40;

#[derive(Debug, Default, PartialEq, Eq)]
pub struct SupplierList {
    /// INNs of the suppliers, each with the line number in the file, from 1.
    pub suppliers: Vec<(u64, Inn)>,
    /// One message for each cell that should contain an INN but does not.
    pub problems: Vec<String>,
}

/// Reads the list at `path`, or from standard input for `-`.
///
/// # Errors
/// Returns an error if the list cannot be read, is too large, is not UTF-8, or contains no INN.
pub fn read(path: &Path) -> Result<SupplierList, BoxedError> {
    let bytes = input::read(path, MAX_SIZE).map_err(|error| named(path, &error))?;
    let text = String::from_utf8(bytes).map_err(|_| named(path, &"save the list as UTF-8"))?;
    let mut list = parse(&text).map_err(|error| named(path, &error))?;
    for problem in &mut list.problems {
        *problem = format!("{}:{problem}", path.display());
    }
    Ok(list)
}

fn parse(text: &str) -> Result<SupplierList, String> {
    let text = text.trim_start_matches('\u{feff}');
    let first = text.lines().next().unwrap_or_default();
    let is_table = |by: &u8| first.split(char::from(*by)).any(is_heading);
    let cells = match DELIMITERS.into_iter().find(is_table) {
        Some(delimiter) => column(text, delimiter)?,
        None => lines(text),
    };
    if cells.len() > MAX_ROWS {
        return Err(format!("the list has more than {MAX_ROWS} rows"));
    }
    let mut list = SupplierList::default();
    for (row, cell) in cells {
        match Inn::parse(&cell) {
            Some(inn) => list.suppliers.push((row, inn)),
            None if cell.is_empty() => list.problems.push(format!("{row}: no INN")),
            None => {
                let shown: String = cell.chars().take(SHOWN_CHARACTERS).collect();
                let problem = format!("{row}: {shown:?} is not an INN, which has 10 or 12 digits");
                list.problems.push(problem);
            }
        }
    }
    if list.suppliers.is_empty() {
        let remedy = "give one INN per line, or a table with a column named ИНН or INN";
        let problems = list
            .problems
            .first()
            .map_or(String::new(), |first| format!(" ({first})"));
        return Err(format!("there is no INN{problems}: {remedy}"));
    }
    Ok(list)
}

fn is_heading(cell: &str) -> bool {
    let name = cell.trim().trim_matches('"').trim().to_uppercase();
    // This program's own tables use `supplierINN`.
    ["ИНН", "INN", "SUPPLIERINN"].contains(&name.as_str())
}

/// Returns the lines that are not blank, with their numbers.
fn lines(text: &str) -> Vec<(u64, String)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    let filled = lines.filter(|(_, line)| !line.is_empty());
    filled.map(|(row, line)| (row, line.to_owned())).collect()
}

/// Returns the cells in the column of INNs, with line numbers. Skips blank rows.
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
            // The position may be that of line breaks before the record.
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
    fn a_list_has_one_inn_per_line_and_blank_lines_are_skipped() {
        check(
            "\u{feff}9602000445\r\n\r\n  960000000400 \nООО «Сад»\n",
            &[(1, "9602000445"), (3, "960000000400")],
            &["4: \"ООО «Сад»\" is not an INN, which has 10 or 12 digits"],
        );
    }

    #[test]
    fn a_table_may_separate_columns_by_comma_semicolon_or_tab() {
        for by in [",", ";", "\t"] {
            let text = format!(
                "\u{feff}Имя{by}\"Инн\"\r\n\"Сад{by}\"\"Огород\"\"\"{by}9602000445\r\n{by}\r\nПоле{by}77\r\nЛес{by}\r\nДом"
            );
            check(
                &text,
                &[(2, "9602000445")],
                &[
                    "4: \"77\" is not an INN, which has 10 or 12 digits",
                    "5: no INN",
                    "6: no INN",
                ],
            );
        }
        check("INN\n9602000445\n", &[(2, "9602000445")], &[]);
    }

    #[test]
    fn the_number_of_a_row_is_the_line_where_it_begins() {
        let text = "inn,name\n9602000445,\"one\ntwo\"\n\n9602000446,x\n";
        check(text, &[(2, "9602000445"), (5, "9602000446")], &[]);
    }

    #[test]
    fn a_list_without_an_inn_is_rejected() {
        for text in ["", "\n", "name;number\nx;9602000445", "ИНН\n1\n"] {
            let error = parse(text).expect_err(text);
            assert!(error.starts_with("there is no INN"), "{error}");
        }
    }
}
