//! The table `supplier`: INNs, names, and numbers of contracts.

use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasher, RandomState};

use rusqlite::{Row, params};

use super::contract_id::MAX_SUPPLIER;
use super::error::{Error, Result};
use super::file::OpenFile;
use super::record::RowChecksum;
use super::rnp_index;
use crate::model::{Inn, Supplier};

/// A row of the table `supplier`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupplierRow {
    pub(super) id: i64,
    pub inn: Inn,
    pub contracts: u64,
    /// Whether there was a supplier line for this supplier.
    pub stated: bool,
    /// The name in the last JSON line that states one; may be empty. PostgreSQL stores only the
    /// name shown in answers, and rows from there have that name here.
    pub(super) given_name: String,
    /// The name that wins among those in official documents.
    pub(super) official_name: Option<OfficialName>,
}

impl SupplierRow {
    /// Returns the name shown in answers: the given name, or if there is none, the official one.
    pub fn name(&self) -> &str {
        match &self.official_name {
            Some(official) if self.given_name.is_empty() => &official.name,
            _ => &self.given_name,
        }
    }

    /// Returns whether the supplier is known: from a contract, from a supplier line, or from an RNP
    /// entry, whether in force or not (`has_entries`).
    pub fn is_known(&self, has_entries: bool) -> bool {
        self.stated || self.contracts > 0 || has_entries
    }

    /// Returns whether the name may come from a document about `number`. `true` is not conclusive,
    /// because a contract and an RNP entry may have the same number.
    pub(super) fn is_named_by(&self, number: &str) -> bool {
        let official = self.official_name.as_ref();
        official.is_some_and(|official| official.number == number)
    }

    /// Sets the name from a document about `number`, published at `published`, if that name wins.
    /// Returns `false` if it is possible that no document states the current name any more; the
    /// caller must then read all documents again.
    pub(super) fn take_name(&mut self, name: &str, published: i64, number: &str) -> bool {
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

    /// Reads a row of [`select_suppliers`]. Returns `None` if the checksum is wrong or the INN is
    /// invalid.
    pub(super) fn read(row: &Row<'_>) -> rusqlite::Result<Option<Self>> {
        let text = |at| row.get_ref(at)?.as_bytes().map_err(rusqlite::Error::from);
        let inn = text(1)?;
        let sum = RowChecksum::default()
            .text(inn)
            .number(row.get(2)?)
            .number(row.get(3)?)
            .text(text(4)?)
            .text(text(5)?)
            .number(row.get(6)?)
            .text(text(7)?);
        if sum.finish() != row.get::<_, u32>(8)? {
            return Ok(None);
        }
        let Some(inn) = std::str::from_utf8(inn).ok().and_then(Inn::from_stored) else {
            return Ok(None);
        };
        let official = OfficialName {
            name: row.get(5)?,
            published: row.get(6)?,
            number: row.get(7)?,
        };
        Ok(Some(Self {
            id: row.get(0)?,
            inn,
            contracts: row.get(2)?,
            stated: row.get(3)?,
            given_name: row.get(4)?,
            official_name: (!official.name.is_empty()).then_some(official),
        }))
    }
}

/// A statement that selects rows for [`SupplierRow::read`].
macro_rules! select_suppliers {
    ($($which:expr),+) => {
        concat!(
            "SELECT id, inn, contracts, stated, given_name, official_name, official_since, \
             official_by, sum FROM supplier ",
            $($which),+
        )
    };
}
pub(super) use select_suppliers;

#[cold]
pub(super) fn unsound_supplier(db: &OpenFile) -> Error {
    db.damaged("a supplier: its row is missing, or its checksum is wrong")
}

/// A supplier's name in an official document. The greatest name in the order of the fields wins:
/// the one from the newest document, then the one from the document with the greatest number
/// (manual, "Fields", "Names"). If a contract and an RNP entry have the same number, the greater
/// text wins.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct OfficialName {
    /// Time of publication of the document, in milliseconds since 1970.
    pub published: i64,
    /// Number of the contract, purchase or entry that the document is about.
    pub number: String,
    /// Never empty.
    pub name: String,
}

#[derive(Clone, Copy)]
pub(super) struct Suppliers<'a>(pub &'a OpenFile);

impl Suppliers<'_> {
    /// Returns the row of `inn`, creating it if necessary.
    pub fn row(self, inn: &Inn) -> Result<SupplierRow> {
        let sql = select_suppliers!("WHERE inn = ?1");
        if let Some(row) = self.0.one(sql, [inn.key()], SupplierRow::read)? {
            return row.ok_or_else(|| unsound_supplier(self.0));
        }
        let sql = "INSERT INTO supplier (inn, sum) VALUES (?1, row_sum(?1, 0, 0, '', '', 0, ''))";
        self.0.execute(sql, [inn.key()])?;
        let id = self.0.connection.last_insert_rowid();
        if id > MAX_SUPPLIER {
            let what = format!("there are more than {MAX_SUPPLIER} suppliers");
            return Err(Error::refused(&self.0.path, what));
        }
        Ok(SupplierRow {
            id,
            inn: inn.clone(),
            contracts: 0,
            stated: false,
            given_name: String::new(),
            official_name: None,
        })
    }

    /// Returns the row with this id, which must exist.
    pub fn row_of_id(self, id: i64) -> Result<SupplierRow> {
        let sql = select_suppliers!("WHERE id = ?1");
        let row = self.0.one(sql, [id], SupplierRow::read)?;
        row.flatten().ok_or_else(|| unsound_supplier(self.0))
    }

    pub fn has_entries(self, inn: &Inn) -> Result<bool> {
        let sql = "SELECT 1 FROM rnp_entry WHERE inn = ?1 LIMIT 1";
        Ok(self.0.one(sql, [inn.key()], |_| Ok(()))?.is_some())
    }

    pub fn update(self, row: &SupplierRow) -> Result<()> {
        let official = row.official_name.as_ref();
        self.0.execute(
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
        )
    }
}

/// Number of rows that a batch keeps in memory, at about 300 bytes each, before it writes them.
const MAX_ROWS: usize = 20_000;

/// The rows of suppliers that a batch reads and changes. Changed rows are written at the end of the
/// batch, or when [`MAX_ROWS`] rows are held; new rows are written immediately, because they need
/// an id.
#[derive(Debug)]
pub(super) struct SupplierRows<'a> {
    db: &'a OpenFile,
    ids: HashMap<Inn, i64>,
    rows: BTreeMap<i64, HeldRow>,
}

#[derive(Debug)]
struct HeldRow {
    row: SupplierRow,
    is_changed: bool,
}

impl<'a> SupplierRows<'a> {
    pub fn new(db: &'a OpenFile) -> Self {
        Self {
            db,
            ids: HashMap::new(),
            rows: BTreeMap::new(),
        }
    }

    /// Returns the id of `inn`, creating the row if necessary.
    pub fn id(&mut self, inn: &Inn) -> Result<i64> {
        match self.ids.get(inn) {
            Some(id) => Ok(*id),
            None => Ok(self.hold(Suppliers(self.db).row(inn)?)?.id),
        }
    }

    pub fn row(&mut self, inn: &Inn) -> Result<SupplierRow> {
        let id = self.id(inn)?;
        self.row_of_id(id)
    }

    pub fn row_of_id(&mut self, id: i64) -> Result<SupplierRow> {
        match self.rows.get(&id) {
            Some(held) => Ok(held.row.clone()),
            None => self.hold(Suppliers(self.db).row_of_id(id)?),
        }
    }

    pub fn has_entries(&self, inn: &Inn) -> Result<bool> {
        Suppliers(self.db).has_entries(inn)
    }

    pub fn update(&mut self, row: SupplierRow) {
        let held = HeldRow {
            row,
            is_changed: true,
        };
        self.rows.insert(held.row.id, held);
    }

    pub fn write(&mut self) -> Result<()> {
        self.ids.clear();
        let rows = std::mem::take(&mut self.rows).into_values();
        let mut changed = rows.filter(|held| held.is_changed);
        changed.try_for_each(|held| Suppliers(self.db).update(&held.row))
    }

    fn hold(&mut self, row: SupplierRow) -> Result<SupplierRow> {
        if self.rows.len() >= MAX_ROWS {
            self.write()?;
        }
        self.ids.insert(row.inn.clone(), row.id);
        let held = HeldRow {
            row: row.clone(),
            is_changed: false,
        };
        self.rows.insert(row.id, held);
        Ok(row)
    }
}

/// Upper bound on cached suppliers, at about 50 bytes each. The cache is cleared when it is full.
const MAX_CACHED: usize = 500_000;

/// Cache of the ids of suppliers in lines, and of the names that lines stated last.
#[derive(Debug, Default)]
pub(super) struct SupplierIds {
    cached: HashMap<u64, CachedName>,
    /// Randomly keyed, so that no input can cause hash collisions on purpose.
    names: RandomState,
}

#[derive(Clone, Copy, Debug)]
struct CachedName {
    id: i64,
    /// Hash of the last name given; 0 if missing.
    name: u64,
}

impl SupplierIds {
    /// Returns the id of a supplier, creating the row if necessary. Also returns whether the line
    /// states a name that may differ from the one in the previous line about the supplier.
    pub fn find(&mut self, db: &OpenFile, supplier: &Supplier) -> Result<(i64, bool)> {
        let number = rnp_index::key(supplier.inn.key().as_bytes());
        let name = match supplier.name.as_str() {
            "" => 0,
            name => self.names.hash_one(name) | 1,
        };
        if let Some(cached) = self.cached.get_mut(&number) {
            let is_renamed = name != 0 && cached.name != name;
            if is_renamed {
                cached.name = name;
            }
            return Ok((cached.id, is_renamed));
        }
        let id = Suppliers(db).row(&supplier.inn)?.id;
        if self.cached.len() >= MAX_CACHED {
            self.cached.clear();
        }
        self.cached.insert(number, CachedName { id, name });
        Ok((id, name != 0))
    }
}
