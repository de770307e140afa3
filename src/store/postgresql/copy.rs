//! Rows as `COPY … FROM STDIN (FORMAT binary)` takes them
//! (<https://www.postgresql.org/docs/current/sql-copy.html>, "Binary Format"): a count of
//! columns, then each value with its length, as the types' own receive functions read them.

use super::super::error::Result;
use super::super::server_bounds::SERVER_SILENCE;
use super::client::{CopyIn, Session};
use super::text::stored;
use crate::model::Date;

/// What a copy begins with: the signature, no flags, no extension.
const HEAD: &[u8] = b"PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0";

/// What it ends with, in place of a count of columns.
const END: [u8; 2] = (-1_i16).to_be_bytes();

/// How many bytes are sent at once.
const AT_ONCE: usize = 64 << 10;

/// The day from which PostgreSQL counts, 1 January 2000, in days since 1970.
const EPOCH: i64 = 10_957;

/// Rows in a buffer.
#[derive(Debug, Default)]
pub struct RowBuffer {
    bytes: Vec<u8>,
    /// How many rows were begun.
    pub rows: u64,
}

impl RowBuffer {
    /// Begins a row of so many columns, which are to follow.
    pub fn begin(&mut self, columns: i16) -> &mut Self {
        self.rows += 1;
        self.bytes.extend(columns.to_be_bytes());
        self
    }

    /// How many bytes there are.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// A null.
    pub fn null(&mut self) -> &mut Self {
        self.bytes.extend((-1_i32).to_be_bytes());
        self
    }

    /// A `smallint`.
    pub fn int2(&mut self, value: i16) -> &mut Self {
        self.value(&value.to_be_bytes())
    }

    /// A `bigint`.
    pub fn int8(&mut self, value: i64) -> &mut Self {
        self.value(&value.to_be_bytes())
    }

    /// A `boolean`.
    pub fn bool(&mut self, value: bool) -> &mut Self {
        self.value(&[value.into()])
    }

    /// A `text`, as it is stored.
    pub fn text(&mut self, value: &str) -> &mut Self {
        self.value(stored(value).as_bytes())
    }

    /// A `bytea`.
    pub fn bytea(&mut self, value: &[u8]) -> &mut Self {
        self.value(value)
    }

    /// A `date`, or a null.
    pub fn date(&mut self, day: Option<Date>) -> &mut Self {
        let days = day.and_then(|day| i32::try_from(day.days_since_1970() - EPOCH).ok());
        match days {
            Some(days) => self.value(&days.to_be_bytes()),
            None => self.null(),
        }
    }

    fn value(&mut self, bytes: &[u8]) -> &mut Self {
        // No value is longer than a record, which is far below 2 GB.
        let length = i32::try_from(bytes.len()).unwrap_or(i32::MAX);
        self.bytes.extend(length.to_be_bytes());
        self.bytes.extend(bytes);
        self
    }

    fn take(&mut self) -> Vec<u8> {
        std::mem::replace(
            &mut self.bytes,
            Vec::with_capacity(AT_ONCE + (AT_ONCE >> 2)),
        )
    }

    /// Copies the rows to the table of this name after `prefix`, and forgets them.
    pub fn copy_to(
        &mut self,
        session: &mut Session,
        prefix: &'static str,
        table: &'static str,
    ) -> Result<()> {
        if self.rows == 0 {
            return Ok(());
        }
        let rows = std::mem::take(self);
        let mut copy = TableCopy::begin(session, prefix, table, "")?;
        copy.buffer.bytes.extend(rows.bytes);
        copy.finish()
    }
}

/// A copy to a table under way. Dropped, it is as if it had not begun.
pub struct TableCopy<'a> {
    copy: CopyIn<'a>,
    buffer: RowBuffer,
}

impl<'a> TableCopy<'a> {
    /// Begins a copy to the table of this name after `prefix`; `options` are further options
    /// of the statement.
    pub fn begin(
        session: &'a mut Session,
        prefix: &'static str,
        table: &'static str,
        options: &'static str,
    ) -> Result<Self> {
        let sql = format!("COPY {prefix}{table} FROM STDIN (FORMAT binary{options})");
        let mut buffer = RowBuffer::default();
        buffer.bytes.extend(HEAD);
        Ok(Self {
            copy: session.copy_in(&sql, SERVER_SILENCE)?,
            buffer,
        })
    }

    /// Sends rows, if there are enough for that.
    pub fn row(&mut self, write: impl FnOnce(&mut RowBuffer)) -> Result<()> {
        write(&mut self.buffer);
        if self.buffer.size() >= AT_ONCE {
            self.send()?;
        }
        Ok(())
    }

    fn send(&mut self) -> Result<()> {
        let bytes = self.buffer.take();
        self.copy.send(bytes)
    }

    /// Ends the copy.
    pub fn finish(mut self) -> Result<()> {
        self.buffer.bytes.extend(END);
        self.send()?;
        self.copy.finish()?;
        Ok(())
    }
}

#[cfg(test)]
#[path = "copy/tests.rs"]
mod tests;
