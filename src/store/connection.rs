//! A connection within the transaction under way, and the file it is to: what
//! statements need, with errors that name the file.

use std::path::Path;

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::error::{Error, Result};

/// A connection, and the path of its file.
#[derive(Clone, Copy)]
pub(super) struct Connected<'a> {
    pub connection: &'a Connection,
    pub path: &'a Path,
}

impl Connected<'_> {
    /// The first row that a query gives, if it gives any.
    pub fn one<T>(
        self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(params, read).optional())
            .map_err(|error| Error::sqlite(self.path, error))
    }

    /// All rows that a query gives.
    pub fn all<T>(
        self,
        sql: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map(params, read)?.collect())
            .map_err(|error| Error::sqlite(self.path, error))
    }

    /// Gives each row of a query to `each`.
    pub fn each<T, E: From<Error>>(
        self,
        sql: &'static str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
        mut each: impl FnMut(T) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sqlite = |error| Error::sqlite(self.path, error);
        let mut statement = self.connection.prepare_cached(sql).map_err(sqlite)?;
        let mut rows = statement.query(params).map_err(sqlite)?;
        while let Some(row) = rows.next().map_err(sqlite)? {
            each(read(row).map_err(sqlite)?)?;
        }
        Ok(())
    }

    /// Gives the bytes in the first column of each row to `each`.
    #[inline]
    pub fn each_blob<E: From<Error>>(
        self,
        sql: &'static str,
        params: impl Params,
        mut each: impl FnMut(&[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sqlite = |error| Error::sqlite(self.path, error);
        let mut statement = self.connection.prepare_cached(sql).map_err(sqlite)?;
        let mut rows = statement.query(params).map_err(sqlite)?;
        while let Some(row) = rows.next().map_err(sqlite)? {
            let value = row.get_ref(0).map_err(sqlite)?;
            let bytes = value
                .as_blob()
                .map_err(|error| Error::damaged(self.path, error.to_string()))?;
            each(bytes)?;
        }
        Ok(())
    }

    /// Gives each row of a query to `each`.
    pub fn each_row(
        self,
        sql: &'static str,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> rusqlite::Result<()>,
    ) -> Result<()> {
        self.each(sql, params, |row| each(row), Ok)
    }

    /// Executes a statement; how many rows did it change?
    pub fn change(self, sql: &'static str, params: impl Params) -> Result<usize> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params))
            .map_err(|error| Error::sqlite(self.path, error))
    }

    /// Executes a statement.
    pub fn execute(self, sql: &'static str, params: impl Params) -> Result<()> {
        self.change(sql, params).map(drop)
    }
}
