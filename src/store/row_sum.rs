//! Checksums of rows, so that what a disk or a hand has changed is found before it is
//! answered with.
//!
//! A record or a fact carries its checksum behind its bytes ([`seal`]), made over what
//! owns it as well, so that one that stands in another's row is found too. Rows of
//! ordinary columns have a column `sum`, which statements set and [`super::check`]
//! compares by the SQL function `row_sum`.

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;

/// The CRC-32 of the values of a row, each with its kind and length.
#[derive(Debug, Default)]
pub(super) struct RowSum(crc32fast::Hasher);

impl RowSum {
    /// Adds a number.
    pub fn number(mut self, number: i64) -> Self {
        self.part(1, &number.to_le_bytes());
        self
    }

    /// Adds a text.
    pub fn text(mut self, text: &[u8]) -> Self {
        self.part(2, text);
        self
    }

    fn part(&mut self, kind: u8, bytes: &[u8]) {
        self.0.update(&[kind]);
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
    }

    /// The checksum.
    pub fn finish(self) -> u32 {
        self.0.finalize()
    }
}

/// Gives a connection the function `row_sum`: the checksum of its arguments.
///
/// # Errors
/// Out of memory.
pub fn register(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("row_sum", -1, flags, sum_of)
}

fn sum_of(row: &Context<'_>) -> rusqlite::Result<u32> {
    let mut sum = RowSum::default();
    for at in 0..row.len() {
        match row.get_raw(at) {
            ValueRef::Null => sum.part(0, &[]),
            ValueRef::Integer(number) => sum = sum.number(number),
            ValueRef::Real(number) => sum.part(3, &number.to_le_bytes()),
            ValueRef::Text(text) => sum = sum.text(text),
            ValueRef::Blob(bytes) => sum.part(4, bytes),
        }
    }
    Ok(sum.finish())
}

/// How many bytes [`seal`] adds.
const SEAL: usize = 4;

/// Puts the checksum of the bytes, and of what owns them, behind them.
pub(super) fn seal(bytes: &mut Vec<u8>, owner: RowSum) {
    let sum = owner.text(bytes).finish();
    bytes.extend_from_slice(&sum.to_le_bytes());
}

/// The bytes before a checksum that is theirs; none if it is not.
pub(super) fn unseal(bytes: &[u8], owner: RowSum) -> Option<&[u8]> {
    let (bytes, sum) = bytes.split_at_checked(bytes.len().checked_sub(SEAL)?)?;
    (owner.text(bytes).finish().to_le_bytes() == sum).then_some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sealed_bytes_come_back_to_their_owner_alone() {
        let owner = || RowSum::default().text(b"7700000000");
        let mut bytes = b"record".to_vec();
        seal(&mut bytes, owner());
        assert_eq!(unseal(&bytes, owner()), Some(&b"record"[..]));
        let other = RowSum::default().text(b"7700000001");
        assert_eq!(unseal(&bytes, other), None);
        for bit in 0..bytes.len() * 8 {
            let mut damaged = bytes.clone();
            if let Some(byte) = damaged.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
            assert_eq!(unseal(&damaged, owner()), None, "bit {bit}");
        }
        assert_eq!(unseal(b"abc", owner()), None);
    }

    #[test]
    fn the_sql_function_is_the_same_sum() {
        let connection = Connection::open_in_memory().expect("a connection");
        register(&connection).expect("the function");
        let sum = |sql: &str| -> u32 {
            connection
                .query_row(sql, (), |row| row.get(0))
                .expect("a sum")
        };
        let expected = RowSum::default().number(-7).text("имя".as_bytes());
        assert_eq!(sum("SELECT row_sum(-7, 'имя')"), expected.finish());
        // Values do not run into one another, and a number is not its digits.
        assert_ne!(
            sum("SELECT row_sum('ab', 'c')"),
            sum("SELECT row_sum('a', 'bc')")
        );
        assert_ne!(sum("SELECT row_sum(1)"), sum("SELECT row_sum('1')"));
        assert_ne!(sum("SELECT row_sum(NULL)"), sum("SELECT row_sum('')"));
    }
}
