//! The rows of suppliers that a batch touches.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::error::{Error, Result};
use crate::model::{Inn, Supplier};

/// A supplier's row as it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub id: i64,
    pub contracts: u64,
    pub stated: bool,
    pub given_name: String,
    pub official_name: String,
    official_since: i64,
    official_by: String,
}

impl Row {
    /// Forgets the name if the document about `key` gave it. When was it published?
    pub fn forget_name_by(&mut self, key: &str) -> Option<i64> {
        if self.official_name.is_empty() || self.official_by != key {
            return None;
        }
        self.official_name.clear();
        self.official_by.clear();
        Some(std::mem::take(&mut self.official_since))
    }

    /// Does the document about `key` give the name, published at `since` or later?
    pub fn is_named_by(&self, key: &str, since: i64) -> bool {
        self.official_by == key && self.official_since >= since
    }
}

/// The rows that a batch has touched; they are written at its end.
pub(super) struct Suppliers<'a> {
    connection: &'a Connection,
    path: &'a Path,
    /// By INN: the row as it was, and as it is to be.
    touched: BTreeMap<Inn, (Row, Row)>,
    inns: BTreeMap<i64, Inn>,
}

impl<'a> Suppliers<'a> {
    pub fn new(connection: &'a Connection, path: &'a Path) -> Self {
        Self {
            connection,
            path,
            touched: BTreeMap::new(),
            inns: BTreeMap::new(),
        }
    }

    /// The row of `inn`, made if there is none.
    pub fn row(&mut self, inn: &Inn) -> Result<&mut Row> {
        if !self.touched.contains_key(inn) {
            let row = match self.load(inn)? {
                Some(row) => row,
                None => self.make(inn)?,
            };
            self.inns.insert(row.id, inn.clone());
            self.touched.insert(inn.clone(), (row.clone(), row));
        }
        match self.touched.get_mut(inn) {
            Some((_, row)) => Ok(row),
            None => Err(Error::damaged(self.path, "a supplier's row is missing")),
        }
    }

    /// The row with this id, which is there.
    pub fn row_of_id(&mut self, id: i64) -> Result<&mut Row> {
        if !self.inns.contains_key(&id) {
            let inn: Option<String> = self
                .connection
                .prepare_cached("SELECT inn FROM supplier WHERE id = ?1")
                .and_then(|mut statement| statement.query_row([id], |row| row.get(0)).optional())
                .map_err(|error| Error::sqlite(self.path, error))?;
            let inn = inn.as_deref().and_then(Inn::parse);
            let inn =
                inn.ok_or_else(|| Error::damaged(self.path, "a supplier's row is missing"))?;
            self.inns.insert(id, inn);
        }
        let inn = self.inns.get(&id).cloned();
        match inn {
            Some(inn) => self.row(&inn),
            None => Err(Error::damaged(self.path, "a supplier's row is missing")),
        }
    }

    /// A document published at `published` about `key` names this supplier: of
    /// several names that of the newest counts, of equally new ones that of the
    /// greatest key ("Names" in the mapping's section 7).
    pub fn official_name(&mut self, supplier: &Supplier, published: i64, key: &str) -> Result<()> {
        let row = self.row(&supplier.inn)?;
        let newer = (row.official_since, row.official_by.as_str()) <= (published, key);
        if !supplier.name.is_empty() && (row.official_name.is_empty() || newer) {
            row.official_name.clone_from(&supplier.name);
            row.official_since = published;
            key.clone_into(&mut row.official_by);
        }
        Ok(())
    }

    /// Writes the rows that differ from what they were; did any?
    pub fn write(self) -> Result<bool> {
        let mut changed = false;
        for (was, row) in self.touched.values() {
            if was == row {
                continue;
            }
            changed = true;
            self.connection
                .prepare_cached(
                    "UPDATE supplier SET contracts = ?2, stated = ?3, given_name = ?4, \
                     official_name = ?5, official_since = ?6, official_by = ?7 WHERE id = ?1",
                )
                .and_then(|mut statement| {
                    statement.execute(params![
                        row.id,
                        row.contracts,
                        row.stated,
                        row.given_name,
                        row.official_name,
                        row.official_since,
                        row.official_by
                    ])
                })
                .map_err(|error| Error::sqlite(self.path, error))?;
        }
        Ok(changed)
    }

    fn load(&self, inn: &Inn) -> Result<Option<Row>> {
        self.connection
            .prepare_cached(
                "SELECT id, contracts, stated, given_name, official_name, official_since, \
                 official_by FROM supplier WHERE inn = ?1",
            )
            .and_then(|mut statement| {
                let read = |row: &rusqlite::Row<'_>| {
                    Ok(Row {
                        id: row.get(0)?,
                        contracts: row.get(1)?,
                        stated: row.get(2)?,
                        given_name: row.get(3)?,
                        official_name: row.get(4)?,
                        official_since: row.get(5)?,
                        official_by: row.get(6)?,
                    })
                };
                statement.query_row([inn.as_str()], read).optional()
            })
            .map_err(|error| Error::sqlite(self.path, error))
    }

    fn make(&self, inn: &Inn) -> Result<Row> {
        self.connection
            .prepare_cached("INSERT INTO supplier (inn) VALUES (?1)")
            .and_then(|mut statement| statement.insert([inn.as_str()]))
            .map(|id| Row {
                id,
                contracts: 0,
                stated: false,
                given_name: String::new(),
                official_name: String::new(),
                official_since: 0,
                official_by: String::new(),
            })
            .map_err(|error| Error::sqlite(self.path, error))
    }
}
