//! A file that is open: its connection, and its path for what messages say of it. What
//! statements need, with errors that name the file.

use std::path::{Path, PathBuf};

use rusqlite::{Connection, OptionalExtension, Params, Row};

use super::error::{Error, Result};

/// A connection, and the path of its file.
#[derive(Debug)]
pub(super) struct OpenFile {
    pub connection: Connection,
    pub path: PathBuf,
}

impl OpenFile {
    /// The file at `path`, which `connection` has open.
    pub fn new(connection: Connection, path: &Path) -> Self {
        Self {
            connection,
            path: path.to_owned(),
        }
    }

    /// The first row that a query gives, if it gives any.
    pub fn one<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(params, read).optional())
            .map_err(|error| self.failed(error))
    }

    /// All rows that a query gives.
    pub fn all<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_map(params, read)?.collect())
            .map_err(|error| self.failed(error))
    }

    /// Gives each row of a query to `each`.
    pub fn each<T, E: From<Error>>(
        &self,
        sql: &'static str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
        mut each: impl FnMut(T) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sqlite = |error| self.failed(error);
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
        &self,
        sql: &'static str,
        params: impl Params,
        mut each: impl FnMut(&[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sqlite = |error| self.failed(error);
        let mut statement = self.connection.prepare_cached(sql).map_err(sqlite)?;
        let mut rows = statement.query(params).map_err(sqlite)?;
        while let Some(row) = rows.next().map_err(sqlite)? {
            let value = row.get_ref(0).map_err(sqlite)?;
            let bytes = value
                .as_blob()
                .map_err(|error| self.damaged(error.to_string()))?;
            each(bytes)?;
        }
        Ok(())
    }

    /// Gives each row of a query to `each`, as it is.
    pub fn each_row(
        &self,
        sql: &'static str,
        params: impl Params,
        mut each: impl FnMut(&Row<'_>) -> Result<()>,
    ) -> Result<()> {
        let mut statement = self
            .connection
            .prepare_cached(sql)
            .map_err(|error| self.failed(error))?;
        let mut rows = statement
            .query(params)
            .map_err(|error| self.failed(error))?;
        while let Some(row) = rows.next().map_err(|error| self.failed(error))? {
            each(row)?;
        }
        Ok(())
    }

    /// Executes a statement; how many rows did it change?
    pub fn change(&self, sql: &'static str, params: impl Params) -> Result<usize> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(params))
            .map_err(|error| self.failed(error))
    }

    /// Executes a statement.
    pub fn execute(&self, sql: &'static str, params: impl Params) -> Result<()> {
        self.change(sql, params).map(drop)
    }

    /// Executes statements.
    pub fn batch(&self, sql: &str) -> Result<()> {
        self.connection
            .execute_batch(sql)
            .map_err(|error| self.failed(error))
    }

    /// What SQLite says of this file.
    pub fn failed(&self, error: rusqlite::Error) -> Error {
        Error::sqlite(&self.path, error)
    }

    /// Something in it is not as this program writes it.
    #[cold]
    pub fn damaged(&self, what: impl Into<String>) -> Error {
        Error::damaged(&self.path, what)
    }
}
