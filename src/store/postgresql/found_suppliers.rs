//! Reads suppliers with their RNP entries, and caches them for the rest of the answer.

use super::super::error::Result;
use super::super::server_bounds::SHORT_STATEMENT;
use super::super::suppliers::SupplierRow;
use super::client::Row;
use super::reader::{AnswerCache, FIRST, NewestPage, ServerData, statement};
use super::text::original;
use crate::model::Inn;

/// Number of columns of a supplier, from [`FIRST`] on.
const SUPPLIER_COLUMNS: usize = 5;

/// Suppliers with the records of their RNP entries.
pub(super) const SUPPLIERS: &str = statement!(
    "found.*",
    "SELECT id, inn, name, contracts, stated, \
     ARRAY(SELECT record FROM rnp_entry WHERE supplier_inn = supplier.inn) \
     FROM supplier WHERE inn = ANY ($1)"
);

const SUPPLIERS_BY_ID: &str = statement!(
    "found.*",
    "SELECT id, inn, name, contracts, stated, \
     ARRAY(SELECT record FROM rnp_entry WHERE supplier_inn = supplier.inn) \
     FROM supplier WHERE id = ANY ($1)"
);

/// The column after those of the supplier: in [`SUPPLIERS`], the records of all entries; in other
/// statements, a single record.
pub(super) const RECORD: usize = FIRST + SUPPLIER_COLUMNS;

impl ServerData {
    /// Reads suppliers, except those that the answer has already read.
    pub(super) fn find_suppliers(&self, inns: &[Inn]) -> Result<()> {
        let mut unknown: Vec<&str> = {
            let found = self.cache.borrow();
            let unknown = inns.iter().filter(|inn| !found.suppliers.contains_key(inn));
            unknown.map(Inn::key).collect()
        };
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.is_empty() {
            return Ok(());
        }
        self.read_suppliers(&unknown)
    }

    pub(super) fn read_suppliers(&self, inns: &[&str]) -> Result<()> {
        let rows = self.rows(SUPPLIERS, &[&inns], SHORT_STATEMENT)?;
        self.cache_suppliers(inns, &rows)
    }

    /// Reads suppliers with their entries by id, except those that the answer has already read.
    pub(super) fn read_suppliers_with_ids(&self, ids: &[i64]) -> Result<()> {
        let mut unknown: Vec<i64> = {
            let found = self.cache.borrow();
            let unknown = ids.iter().filter(|id| !found.inns.contains_key(id));
            unknown.copied().collect()
        };
        unknown.sort_unstable();
        unknown.dedup();
        if unknown.is_empty() {
            return Ok(());
        }
        let rows = self.rows(SUPPLIERS_BY_ID, &[&unknown], SHORT_STATEMENT)?;
        self.cache_suppliers(&[], &rows)
    }

    /// Caches the suppliers in rows of [`SUPPLIERS`], with their entries, for the rest of the
    /// answer. INNs in `unknown` for which there is no row are cached as unknown.
    pub(super) fn cache_suppliers(&self, unknown: &[&str], rows: &[Row]) -> Result<()> {
        let AnswerCache {
            suppliers,
            entries,
            inns,
            ..
        } = &mut *self.cache.borrow_mut();
        for inn in unknown.iter().filter_map(|inn| Inn::from_stored(inn)) {
            entries.insert(inn.clone(), Vec::new());
            suppliers.insert(inn, None);
        }
        for row in rows {
            if let Some(supplier) = self.supplier_in(row)? {
                entries.insert(supplier.inn.clone(), self.get(row, RECORD)?);
                inns.insert(supplier.id, supplier.inn.clone());
                suppliers.insert(supplier.inn.clone(), Some(supplier));
            }
        }
        Ok(())
    }

    /// Caches the page in rows of [`super::source::NEWEST`] for the rest of the answer.
    pub(super) fn cache_newest(
        &self,
        inn: &Inn,
        skip: u64,
        limit: u64,
        rows: Vec<Row>,
    ) -> Result<()> {
        let head = rows.first();
        let supplier = head.map(|row| self.supplier_in(row)).transpose()?.flatten();
        let mut cache = self.cache.borrow_mut();
        cache.newest = Some(NewestPage {
            inn: inn.clone(),
            skip,
            limit,
            rows,
        });
        if let Some(supplier) = &supplier {
            cache.inns.insert(supplier.id, inn.clone());
        }
        cache.suppliers.insert(inn.clone(), supplier);
        Ok(())
    }

    /// Returns the supplier in the first columns of a row, if there is one.
    pub(super) fn supplier_in(&self, row: &Row) -> Result<Option<SupplierRow>> {
        let Some(id) = self.get(row, FIRST)? else {
            return Ok(None);
        };
        let inn = Inn::from_stored(self.get(row, FIRST + 1)?);
        Ok(Some(SupplierRow {
            id,
            inn: inn.ok_or_else(|| self.damaged("an INN that is none"))?,
            given_name: original(self.get(row, FIRST + 2)?),
            official_name: None,
            contracts: self.count(row, FIRST + 3)?,
            stated: self.get(row, FIRST + 4)?,
        }))
    }
}
