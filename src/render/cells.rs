//! A table as cells with their kinds: what an answer is before a workbook is made of it. A cell
//! is the number of its kind, the length of its value in four bytes, and the value; a row ends
//! with a zero.

/// What a cell has in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CellKind {
    /// The name of a column.
    Name,
    /// A text from outside.
    Text,
    /// A text of this program: a code, a path.
    Code,
    /// A decimal number.
    Amount,
    /// A whole number.
    Whole,
    /// A day, as its record writes it.
    Day,
    /// A day, with or without a time.
    Moment,
    /// `true` or `false`.
    Flag,
}

impl CellKind {
    const ALL: [Self; 8] = [
        Self::Name,
        Self::Text,
        Self::Code,
        Self::Amount,
        Self::Whole,
        Self::Day,
        Self::Moment,
        Self::Flag,
    ];
}

/// The number that ends a row; those of kinds are greater.
const ROW_END: u8 = 0;

/// Appends a cell, whose value is UTF-8.
pub fn cell(out: &mut Vec<u8>, kind: CellKind, value: &[u8]) {
    out.push(kind as u8 + 1);
    out.extend_from_slice(&u32::try_from(value.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend_from_slice(value);
}

/// Ends a row.
pub fn end_row(out: &mut Vec<u8>) {
    out.push(ROW_END);
}

/// The rows of a table, each with its cells; up to the first that is not whole.
pub fn rows(table: &[u8]) -> impl Iterator<Item = Vec<(CellKind, &str)>> {
    let mut rest = table;
    std::iter::from_fn(move || {
        let mut row = Vec::new();
        loop {
            let (kind, after) = rest.split_first()?;
            let Some(kind) = kind.checked_sub(1) else {
                rest = after;
                return Some(row);
            };
            let kind = CellKind::ALL.get(usize::from(kind)).copied()?;
            let (length, after) = after.split_first_chunk()?;
            let length = usize::try_from(u32::from_le_bytes(*length)).ok()?;
            let (value, after) = after.split_at_checked(length)?;
            row.push((kind, std::str::from_utf8(value).ok()?));
            rest = after;
        }
    })
}
