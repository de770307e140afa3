//! The rows of suppliers that a batch touches.

use std::collections::BTreeMap;
use std::path::Path;

use rusqlite::{Connection, OptionalExtension, params};

use super::error::{Error, Result};
use crate::model::Inn;

/// A supplier's row as it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub id: i64,
    pub inn: Inn,
    pub contracts: u64,
    pub stated: bool,
    pub given_name: String,
    official_name: String,
    official_since: i64,
    official_by: String,
}

impl Row {
    /// Forgets the name if the document about `number` gave it; did it?
    pub fn forget_name_by(&mut self, number: &str) -> bool {
        let gave_it = !self.official_name.is_empty() && self.official_by == number;
        if gave_it {
            self.official_name.clear();
            self.official_by.clear();
            self.official_since = 0;
        }
        gave_it
    }

    /// Takes the name that the document about `number`, published at `published`,
    /// gives if no newer one is known. False if that document no longer gives the
    /// name it gave, or was newer when it did: another one may be the newest then.
    pub fn take_name(&mut self, name: &str, published: i64, number: &str) -> bool {
        let since = self.official_since;
        let gave_it = self.forget_name_by(number);
        let newer = (self.official_since, self.official_by.as_str()) <= (published, number);
        if !name.is_empty() && (self.official_name.is_empty() || newer) {
            name.clone_into(&mut self.official_name);
            self.official_since = published;
            number.clone_into(&mut self.official_by);
        }
        !gave_it || !name.is_empty() && published >= since
    }

    /// The name that answers have.
    fn name(&self) -> &str {
        if self.given_name.is_empty() {
            &self.official_name
        } else {
            &self.given_name
        }
    }
}

/// What came of the rows of a batch.
pub(super) struct Written {
    /// Is any other than it was?
    pub changed: bool,
    /// The suppliers whose rows alone make their answers others.
    pub answers: Vec<Inn>,
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

    /// Writes the rows that differ from what they were.
    pub fn write(self) -> Result<Written> {
        let mut written = Written {
            changed: false,
            answers: Vec::new(),
        };
        for (was, row) in self.touched.values() {
            if was == row {
                continue;
            }
            written.changed = true;
            if was.name() != row.name() || was.stated != row.stated {
                written.answers.push(row.inn.clone());
            }
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
        Ok(written)
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
                        inn: inn.clone(),
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
                inn: inn.clone(),
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
