//! The rows of suppliers that a batch touches.

use std::collections::BTreeMap;

use rusqlite::params;

use super::error::Result;
use super::open_file::OpenFile;
use crate::model::Inn;

/// Makes the row of the supplier with an INN, of whom nothing else is known yet.
pub(super) const INSERT_SUPPLIER: &str = "INSERT INTO supplier (inn, sum) \
    VALUES (?1, row_sum(?1, 0, 0, '', '', 0, ''))";

/// Sets how many contracts the supplier with an id has.
pub(super) const SET_CONTRACTS: &str = "UPDATE supplier SET contracts = ?2, \
    sum = row_sum(inn, ?2, stated, given_name, official_name, official_since, official_by) \
    WHERE id = ?1";
/// What an official document calls a supplier. Of several names the greatest counts:
/// that of the newest document, of equally new ones that of the greatest number ("Names"
/// in the mapping's section 7); where a contract and an RNP entry have one number, the
/// greatest name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OfficialName {
    /// When the document was published, in milliseconds since 1970.
    pub published: i64,
    /// The number of what the document is about.
    pub number: String,
    /// The name; not empty.
    pub name: String,
}

/// A supplier's row as it is to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub id: i64,
    pub inn: Inn,
    pub contracts: u64,
    pub stated: bool,
    pub given_name: String,
    /// The greatest of those that documents give.
    pub official_name: Option<OfficialName>,
}

impl Row {
    /// Did a document about `number` give the name? Of which subject is not kept: a
    /// contract and an RNP entry may have one number.
    pub fn is_named_by(&self, number: &str) -> bool {
        let official = self.official_name.as_ref();
        official.is_some_and(|official| official.number == number)
    }

    /// Takes the name that the document about `number`, published at `published`, gives,
    /// if it is the greatest. False if the one there is may no longer be given: all
    /// documents are then to be asked anew.
    pub fn take_name(&mut self, name: &str, published: i64, number: &str) -> bool {
        let given = (!name.is_empty()).then(|| OfficialName {
            published,
            number: number.to_owned(),
            name: name.to_owned(),
        });
        if given >= self.official_name {
            self.official_name = given;
            return true;
        }
        !self.is_named_by(number)
    }

    /// The name that answers have.
    fn name(&self) -> &str {
        match &self.official_name {
            Some(official) if self.given_name.is_empty() => &official.name,
            _ => &self.given_name,
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
    db: &'a OpenFile,
    /// By INN: the row as it was, and as it is to be.
    touched: BTreeMap<Inn, (Row, Row)>,
    inns: BTreeMap<i64, Inn>,
}

impl<'a> Suppliers<'a> {
    pub fn new(db: &'a OpenFile) -> Self {
        Self {
            db,
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
            None => Err(self.db.damaged("a supplier's row is missing")),
        }
    }

    /// The row with this id, which is there.
    pub fn row_of_id(&mut self, id: i64) -> Result<&mut Row> {
        if !self.inns.contains_key(&id) {
            let sql = "SELECT inn FROM supplier WHERE id = ?1";
            let inn: Option<String> = self.db.one(sql, [id], |row| row.get(0))?;
            let inn = inn.as_deref().and_then(Inn::parse);
            let inn = inn.ok_or_else(|| self.db.damaged("a supplier's row is missing"))?;
            self.inns.insert(id, inn);
        }
        let inn = self.inns.get(&id).cloned();
        match inn {
            Some(inn) => self.row(&inn),
            None => Err(self.db.damaged("a supplier's row is missing")),
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
            let official = row.official_name.as_ref();
            self.db.execute(
                "UPDATE supplier SET contracts = ?2, stated = ?3, given_name = ?4, \
                 official_name = ?5, official_since = ?6, official_by = ?7, \
                 sum = row_sum(inn, ?2, ?3, ?4, ?5, ?6, ?7) WHERE id = ?1",
                params![
                    row.id,
                    row.contracts,
                    row.stated,
                    row.given_name,
                    official.map_or("", |official| &official.name),
                    official.map_or(0, |official| official.published),
                    official.map_or("", |official| &official.number),
                ],
            )?;
        }
        Ok(written)
    }

    fn load(&self, inn: &Inn) -> Result<Option<Row>> {
        let sql = "SELECT id, contracts, stated, given_name, official_name, official_since, \
                   official_by FROM supplier WHERE inn = ?1";
        self.db.one(sql, [inn.as_str()], |row| {
            let official = OfficialName {
                name: row.get(4)?,
                published: row.get(5)?,
                number: row.get(6)?,
            };
            Ok(Row {
                id: row.get(0)?,
                inn: inn.clone(),
                contracts: row.get(1)?,
                stated: row.get(2)?,
                given_name: row.get(3)?,
                official_name: (!official.name.is_empty()).then_some(official),
            })
        })
    }

    fn make(&self, inn: &Inn) -> Result<Row> {
        self.db.execute(INSERT_SUPPLIER, [inn.as_str()])?;
        Ok(Row {
            id: self.db.connection.last_insert_rowid(),
            inn: inn.clone(),
            contracts: 0,
            stated: false,
            given_name: String::new(),
            official_name: None,
        })
    }
}
