//! Writes contracts. The table `contract` has the records; under the same id
//! ([`super::contract_id`]), `contract_facet` has registry numbers and facets, and `contract_items`
//! the items.

use std::ops::Range;

use rusqlite::{Row, params};

use super::changes::ChangedCustomers;
use super::content_index::ContentChanges;
use super::contract_id::{
    FIRST_IN_NO_ORDER, id_between, ids_in_no_order, ids_in_order, ids_of_day, ids_of_supplier,
};
use super::contract_items::{ItemTable, ItemsTotal};
use super::error::{Error, Result};
use super::facets::{self, StoredFacets};
use super::file::OpenFile;
use super::record::{self, ContractBytes};
use super::reg_num::RegNum;
use crate::model::{Date, Inn};

#[derive(Debug)]
pub(super) struct StoredContract {
    pub id: i64,
    pub bytes: ContractBytes,
}

#[derive(Debug)]
pub(super) struct ContractEdit {
    pub stored: Option<i64>,
    /// The new contract; `None` removes it.
    pub contract: Option<ContractBytes>,
    pub is_logged: bool,
}

/// Number of contracts at the end of a day that are compared one by one before the search falls
/// back to bisection. Few suppliers sign more than this in a day.
const READ_AT_ONCE: usize = 16;

#[derive(Clone, Copy)]
pub(super) struct Contracts<'a>(pub &'a OpenFile);

impl Contracts<'_> {
    pub fn find(self, supplier: i64, reg_num: &str) -> Result<Option<StoredContract>> {
        let sql = "SELECT id FROM contract_facet WHERE reg_num = ?1 AND id >= ?2 AND id < ?3";
        let ids = ids_of_supplier(supplier);
        let params = params![RegNum::new(reg_num), ids.start, ids.end];
        let id = self.0.one(sql, params, |row| row.get(0))?;
        let stored = id.map(|id| {
            let bytes = self.bytes(id)?;
            Ok(StoredContract { id, bytes })
        });
        stored.transpose()
    }

    pub fn bytes(self, id: i64) -> Result<ContractBytes> {
        let record = self.record(id)?;
        let items = ItemTable(self.0).of(id)?;
        Ok(ContractBytes { record, items })
    }

    pub fn record(self, id: i64) -> Result<Vec<u8>> {
        let sql = "SELECT record FROM contract WHERE id = ?1";
        let record = self.0.one(sql, [id], |row| row.get(0))?;
        record.ok_or_else(|| self.0.damaged("facets without their contract"))
    }

    /// Returns the ids of a contract, one for each of its suppliers.
    pub fn ids(self, reg_num: &str) -> Result<Vec<i64>> {
        let sql = "SELECT id FROM contract_facet WHERE reg_num = ?1";
        self.0.all(sql, [RegNum::new(reg_num)], |row| row.get(0))
    }

    /// Returns ids and registry numbers of up to `limit` contracts of a supplier, ordered by id,
    /// starting after the id `after`.
    pub fn reg_nums(self, supplier: i64, after: i64, limit: usize) -> Result<Vec<(i64, RegNum)>> {
        let sql = "SELECT id, reg_num FROM contract_facet WHERE id > ?1 AND id < ?2 \
                   ORDER BY id LIMIT ?3";
        let ids = ids_of_supplier(supplier);
        let params = params![after.max(ids.start - 1), ids.end, limit];
        self.0
            .all(sql, params, |row| Ok((row.get(0)?, row.get(1)?)))
    }

    /// Applies a change to a contract of the supplier with this id and INN. Adds the contract's
    /// customers to `customers`, and the changes in items and tokens to `items` and `content`.
    pub fn apply(
        self,
        (supplier, inn): (i64, &Inn),
        edit: &ContractEdit,
        customers: &mut ChangedCustomers,
        items: &mut ItemsTotal,
        content: &mut ContentChanges,
    ) -> Result<()> {
        if let Some(id) = edit.stored {
            facets::customer(self.0, id, |inn| customers.add(inn))?;
            let stored_items = ItemTable(self.0).remove(id, items)?;
            if content.is_current(self.0)? {
                let stored = self.record(id)?;
                let contract = record::contract(&self.0.path, inn, &stored)?;
                content.remove_contract(self.0, id, inn, &contract, &stored_items)?;
            }
        }
        let Some(bytes) = &edit.contract else {
            return edit.stored.map_or(Ok(()), |id| self.remove(id));
        };
        let path = &self.0.path;
        let contract = record::contract(path, inn, &bytes.record)?;
        let facets = StoredFacets::new(&contract).ok_or_else(|| record::not_a_contract(path))?;
        customers.add(&contract.customer_inn.text());
        let days = ids_of_day(supplier, Date::parse_iso(&contract.sign_date.text()));
        let id = match edit.stored {
            Some(id) if days.contains(&id) => id,
            stored => {
                stored.map_or(Ok(()), |id| self.remove(id))?;
                self.free_id(&days, &RegNum::new(&contract.reg_num.text()))?
            }
        };
        let sql = "INSERT OR REPLACE INTO contract (id, record) VALUES (?1, ?2)";
        self.0.execute(sql, params![id, bytes.record])?;
        ItemTable(self.0).put(id, &bytes.items, items)?;
        content.add_contract(self.0, id, inn, &contract, &bytes.items)?;
        facets.put(self.0, id)
    }

    /// Removes a contract whose items have already been removed.
    fn remove(self, id: i64) -> Result<()> {
        let sql = "DELETE FROM contract WHERE id = ?1";
        self.0.execute(sql, [id])?;
        facets::remove(self.0, id)
    }

    fn free_id(self, day: &Range<i64>, reg_num: &RegNum) -> Result<i64> {
        if let Some(id) = self.free_id_in_order(&ids_in_order(day), reg_num)? {
            return Ok(id);
        }
        let ids = ids_in_no_order(day);
        let next = self.last(&ids)?.map_or(ids.start, |(last, _)| last + 1);
        match ids.contains(&next) {
            true => Ok(next),
            false => Err(too_many(self.0)),
        }
    }

    /// Returns a free id for a new contract within the ordered ids of a day. Returns `None` if
    /// there is no gap.
    fn free_id_in_order(self, ids: &Range<i64>, reg_num: &RegNum) -> Result<Option<i64>> {
        let (below, above) = match self.last(ids)? {
            None => (None, None),
            Some((last, number)) if number < *reg_num => (Some(last), None),
            Some((last, _)) => {
                let (below, above) = self.neighbours(ids.start..last, reg_num)?;
                (below, above.or(Some(last)))
            }
        };
        Ok(id_between(ids, below, above))
    }

    /// Returns the ids, within the range, of the contracts whose registry numbers come directly
    /// before and after `reg_num`.
    fn neighbours(
        self,
        mut between: Range<i64>,
        reg_num: &RegNum,
    ) -> Result<(Option<i64>, Option<i64>)> {
        let sql = "SELECT id, reg_num FROM contract_facet WHERE id >= ?1 AND id < ?2 \
                   ORDER BY id DESC LIMIT ?3";
        let last: Vec<(i64, RegNum)> = self.0.all(
            sql,
            params![between.start, between.end, READ_AT_ONCE],
            id_and_number,
        )?;
        let mut above = None;
        for (id, number) in &last {
            if number < reg_num {
                return Ok((Some(*id), above));
            }
            above = Some(*id);
        }
        if last.len() < READ_AT_ONCE {
            return Ok((None, above));
        }
        between.end = above.unwrap_or(between.end);
        let mut below = None;
        let sql = "SELECT id, reg_num FROM contract_facet WHERE id >= ?1 AND id < ?2 \
                   ORDER BY id LIMIT 1";
        while !between.is_empty() {
            let middle = between.start.midpoint(between.end);
            match self.0.one(sql, [middle, between.end], id_and_number)? {
                Some((id, number)) if number < *reg_num => {
                    below = Some(id);
                    between.start = id + 1;
                }
                Some((id, _)) => {
                    above = Some(id);
                    between.end = middle;
                }
                None => between.end = middle,
            }
        }
        Ok((below, above))
    }

    fn last(self, ids: &Range<i64>) -> Result<Option<(i64, RegNum)>> {
        let sql = "SELECT id, reg_num FROM contract_facet WHERE id >= ?1 AND id < ?2 \
                   ORDER BY id DESC LIMIT 1";
        self.0.one(sql, [ids.start, ids.end], id_and_number)
    }
}

fn id_and_number(row: &Row<'_>) -> rusqlite::Result<(i64, RegNum)> {
    Ok((row.get(0)?, row.get(1)?))
}

#[cold]
fn too_many(db: &OpenFile) -> Error {
    let what = format!(
        "a supplier has more than {FIRST_IN_NO_ORDER} contracts that were signed on the same day or have no day of signing"
    );
    Error::refused(&db.path, what)
}
