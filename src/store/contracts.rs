//! The table `contract`, with a row for each contract of a supplier, and the table `contract_key`,
//! the index of contracts. A row id is `supplier << 32 | ordinal`. Ordinals follow the order of
//! time without a gap, so a page is one range, at the same cost at any depth. A newer contract is
//! appended; any other moves the contracts after it.

use std::sync::Arc;

use rusqlite::types::ToSqlOutput;
use rusqlite::{ToSql, params};

use super::changes::ChangedCustomers;
use super::error::{Error, Result};
use super::facets::{self, StoredFacets};
use super::file::OpenFile;
use super::record;
use super::suppliers::contract_id;
use crate::model::{Contract, Date, EncodedContract, Inn};

/// The largest number of contracts of a supplier.
pub(super) const MAX_CONTRACTS: u64 = 1 << 32;

/// The position of a contract among those of its supplier: by sign date (as YYYYMMDD, 0 for
/// none), then registry number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ContractPosition {
    pub sign_date: u32,
    pub reg_num: String,
}

impl ContractPosition {
    /// The position of a contract.
    pub fn new(contract: &Contract) -> Self {
        Self {
            sign_date: contract.sign_date.map_or(0, |date| date.number()),
            reg_num: contract.reg_num.clone(),
        }
    }

    /// The position of a stored contract.
    pub fn from_encoded(contract: &EncodedContract<'_>) -> Self {
        let sign_date = Date::parse_iso(&contract.sign_date.text());
        Self {
            sign_date: sign_date.map_or(0, |date| date.number()),
            reg_num: contract.reg_num.text().into_owned(),
        }
    }
}

/// An edit of one contract of a supplier.
#[derive(Debug)]
pub(super) struct ContractEdit {
    /// Its current position, if it is stored.
    pub old: Option<ContractPosition>,
    /// Its new position and record; none if the contract is removed.
    pub new: Option<(ContractPosition, Arc<[u8]>)>,
}

/// The rows of one supplier, within the current transaction.
pub(super) struct Rows<'a> {
    pub db: &'a OpenFile,
    pub supplier: i64,
    pub inn: Inn,
    /// The number of rows.
    pub count: u64,
}

impl Rows<'_> {
    /// Makes the edits, each of a different contract, and adds the contracts' customers to
    /// `customers`.
    pub fn apply(
        &mut self,
        edits: Vec<ContractEdit>,
        customers: &mut ChangedCustomers,
    ) -> Result<()> {
        let mut removed = Vec::new();
        let mut inserted = Vec::new();
        for ContractEdit { old, new } in edits {
            match (old, new) {
                (Some(old), Some((new, record))) if old == new => {
                    let id = self.id(self.find(&old)?);
                    facets::customer(self.db, id, |inn| customers.add(inn))?;
                    self.put(id, &record, customers)?;
                }
                (old, new) => {
                    removed.extend(old);
                    inserted.extend(new);
                }
            }
        }
        self.remove(&removed, customers)?;
        inserted.sort();
        self.insert(inserted, customers)
    }

    /// The registry numbers of the contracts from one ordinal up to, but not including,
    /// another.
    pub fn reg_nums(&self, from: u64, to: u64) -> Result<Vec<String>> {
        let sql = "SELECT record FROM contract WHERE id >= ?1 AND id < ?2";
        let mut reg_nums = Vec::new();
        self.db
            .each_blob(sql, [self.id(from), self.id(to)], |bytes| {
                let contract = record::contract(&self.db.path, &self.inn, bytes)?;
                reg_nums.push(contract.reg_num.text().into_owned());
                Ok::<_, Error>(())
            })?;
        Ok(reg_nums)
    }

    /// Adds a contract that comes after all stored ones, and its customer to `customers`.
    pub fn append(&mut self, record: &[u8], customers: &mut ChangedCustomers) -> Result<()> {
        if self.count >= MAX_CONTRACTS {
            return Err(too_many(self.db));
        }
        self.put(self.id(self.count), record, customers)?;
        self.count += 1;
        Ok(())
    }

    /// Removes the rows at `positions` and closes the gaps.
    fn remove(
        &mut self,
        positions: &[ContractPosition],
        customers: &mut ChangedCustomers,
    ) -> Result<()> {
        let mut gaps = positions
            .iter()
            .map(|position| self.find(position))
            .collect::<Result<Vec<_>>>()?;
        gaps.sort_unstable();
        for &gap in &gaps {
            let id = self.id(gap);
            self.db
                .execute("DELETE FROM contract WHERE id = ?1", [id])?;
            facets::customer(self.db, id, |inn| customers.add(inn))?;
            facets::remove(self.db, id)?;
        }
        let ends = gaps.iter().skip(1).copied().chain([self.count]);
        for ((closed, &gap), end) in (1..).zip(&gaps).zip(ends) {
            for ordinal in gap + 1..end {
                self.move_row(ordinal, ordinal - closed)?;
            }
        }
        self.count -= gaps.len() as u64;
        Ok(())
    }

    /// Inserts rows, which must be in the order of their positions.
    fn insert(
        &mut self,
        rows: Vec<(ContractPosition, Arc<[u8]>)>,
        customers: &mut ChangedCustomers,
    ) -> Result<()> {
        let added = rows.len() as u64;
        if self.count + added > MAX_CONTRACTS {
            return Err(too_many(self.db));
        }
        let mut ranks = Vec::with_capacity(rows.len());
        let mut from = 0;
        for (position, _) in &rows {
            from = self.rank(position, from)?;
            ranks.push(from);
        }
        // From the last row down, so that a row only moves to a free id.
        let mut end = self.count;
        for (index, (rank, (_, record))) in ranks.into_iter().zip(rows).enumerate().rev() {
            let index = index as u64;
            for ordinal in (rank..end).rev() {
                self.move_row(ordinal, ordinal + index + 1)?;
            }
            end = rank;
            self.put(self.id(rank + index), &record, customers)?;
        }
        self.count += added;
        Ok(())
    }

    /// The ordinal of the row at `position`, which must exist.
    fn find(&self, position: &ContractPosition) -> Result<u64> {
        let ordinal = self.rank(position, 0)?;
        if ordinal < self.count && self.position(ordinal)? == *position {
            Ok(ordinal)
        } else {
            Err(self
                .db
                .damaged(format!("contract {} is not in its place", position.reg_num)))
        }
    }

    /// Counts the rows before `position`; at least `from` rows are.
    fn rank(&self, position: &ContractPosition, from: u64) -> Result<u64> {
        let (mut low, mut high) = (from, self.count);
        // Most new contracts are the newest: the last row is probed first.
        let mut probe = high.saturating_sub(1);
        while low < high {
            if self.position(probe)? < *position {
                low = probe + 1;
            } else {
                high = probe;
            }
            probe = low + (high - low) / 2;
        }
        Ok(low)
    }

    fn position(&self, ordinal: u64) -> Result<ContractPosition> {
        let mut position = None;
        let sql = "SELECT record FROM contract WHERE id = ?1";
        self.db.each_blob(sql, [self.id(ordinal)], |bytes| {
            position = Some(ContractPosition::from_encoded(&record::contract(
                &self.db.path,
                &self.inn,
                bytes,
            )?));
            Ok(())
        })?;
        let missing = "a supplier has fewer contracts than it counts";
        position.ok_or_else(|| self.db.damaged(missing))
    }

    fn move_row(&self, from: u64, to: u64) -> Result<()> {
        let (from, to) = (self.id(from), self.id(to));
        let sql = "UPDATE contract SET id = ?2 WHERE id = ?1";
        self.db.execute(sql, [from, to])?;
        facets::move_to(self.db, from, to)
    }

    /// Writes a contract and its facets to the rows with this id, and adds its customer to
    /// `customers`.
    fn put(&self, id: i64, record: &[u8], customers: &mut ChangedCustomers) -> Result<()> {
        let db = self.db;
        let sql = "INSERT OR REPLACE INTO contract (id, record) VALUES (?1, ?2)";
        db.execute(sql, params![id, record])?;
        let contract = record::contract(&db.path, &self.inn, record)?;
        let facets =
            StoredFacets::new(&contract).ok_or_else(|| record::not_a_contract(&db.path))?;
        customers.add(&contract.customer_inn.text());
        facets.put(db, id)
    }

    fn id(&self, ordinal: u64) -> i64 {
        contract_id(self.supplier, ordinal)
    }
}

#[cold]
fn too_many(db: &OpenFile) -> Error {
    let what = "a supplier has more than 4,294,967,296 contracts";
    Error::refused(&db.path, what)
}

/// The table `contract_key`: the sign date of each contract, and a digest that shows a changed
/// record.
#[derive(Clone, Copy)]
pub(super) struct ContractKeys<'a>(pub &'a OpenFile);

impl ContractKeys<'_> {
    /// Returns whether the table is empty.
    pub fn is_empty(self) -> Result<bool> {
        let any = self
            .0
            .one("SELECT 1 FROM contract_key LIMIT 1", (), |_| Ok(()))?;
        Ok(any.is_none())
    }

    /// Returns the sign date and the digest of a supplier's contract, if it is stored.
    pub fn get(self, supplier: i64, reg_num: &str) -> Result<Option<(u32, i64)>> {
        let sql = "SELECT sign_date, digest FROM contract_key WHERE reg_num = ?1 AND supplier = ?2";
        let params = params![RegNum(reg_num), supplier];
        self.0
            .one(sql, params, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// The ids of the suppliers that a contract is listed under.
    pub fn suppliers(self, reg_num: &str) -> Result<Vec<i64>> {
        let sql = "SELECT supplier FROM contract_key WHERE reg_num = ?1";
        self.0.all(sql, [RegNum(reg_num)], |row| row.get(0))
    }

    /// Writes the key of a contract, replacing an older one.
    pub fn put(self, supplier: i64, reg_num: &str, sign_date: u32, digest: i64) -> Result<()> {
        let sql = "INSERT INTO contract_key (reg_num, supplier, sign_date, digest) \
                   VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT DO UPDATE SET sign_date = ?3, digest = ?4";
        let params = params![RegNum(reg_num), supplier, sign_date, digest];
        self.0.execute(sql, params)
    }

    /// Removes the key of a supplier's contract.
    pub fn remove(self, supplier: i64, reg_num: &str) -> Result<()> {
        let sql = "DELETE FROM contract_key WHERE reg_num = ?1 AND supplier = ?2";
        self.0.execute(sql, params![RegNum(reg_num), supplier])
    }
}

/// A registry number as `contract_key` stores it.
struct RegNum<'a>(&'a str);

impl ToSql for RegNum<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match as_number(self.0) {
            Some(number) => number.into(),
            None => self.0.into(),
        })
    }
}

/// A registry number of 19 digits, which all real ones have, as the integer that the file
/// stores (`schema.sql`); others are stored as texts.
fn as_number(reg_num: &str) -> Option<i64> {
    let is_number = reg_num.len() == 19 && reg_num.bytes().all(|byte| byte.is_ascii_digit());
    // Below 2^64; the upper half is stored as negative numbers.
    let number = is_number.then(|| reg_num.parse::<u64>().ok())?;
    number.map(u64::cast_signed)
}
