//! Markdown tables.

/// A table; its first row names the columns.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub names: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn new(names: &[&str]) -> Self {
        Self {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Parses a table; the result is empty if the lines contain none.
    pub fn parse(lines: &str) -> Self {
        let mut rows = lines
            .lines()
            .filter(|line| line.starts_with('|'))
            .map(cells);
        let names = rows.next().unwrap_or_default();
        Self {
            names,
            rows: rows.skip(1).collect(),
        }
    }

    pub fn lines(&self) -> String {
        let line = |cells: &Vec<String>| {
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        let rule = format!("|{}\n", "---|".repeat(self.names.len()));
        let rows: String = self.rows.iter().map(line).collect();
        [line(&self.names), rule, rows].concat()
    }

    /// Returns the row that starts with these cells.
    pub fn row(&self, start: &[&str]) -> Option<&Vec<String>> {
        self.rows
            .iter()
            .find(|row| row.iter().zip(start).all(|(cell, given)| cell == given))
    }
}

/// Splits a line into cells. `\|` stands for a literal character.
fn cells(line: &str) -> Vec<String> {
    let line = line.trim().trim_start_matches('|').replace("\\|", "\0");
    let line = line.trim_end_matches('|');
    line.split('|')
        .map(|cell| cell.trim().replace('\0', "|"))
        .collect()
}
