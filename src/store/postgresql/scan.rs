//! Reads all published data, for long commands. One transaction makes sure that everything comes
//! from the same state, and reading in steps limits memory.

use std::time::Instant;

use super::super::error::Result;
use super::super::query::{EachOf, Prefetch};
use super::super::server_bounds::{ALL_ATTEMPTS, SHORT_STATEMENT, SORTING, STATEMENT};
use super::super::suppliers::SupplierRow;
use super::client::Row;
use super::reader::{AnswerCache, ServerData};

/// Statements that start the transaction and lock a table. Locking one table keeps a publisher from
/// dropping any, because it drops all of them in one statement. The first statement after these
/// determines the state that the transaction sees.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
                     LOCK TABLE supplier IN ACCESS SHARE MODE";

/// Maximum number of attempts if new data is published between the start of the answer and the
/// start of the transaction.
const MAX_ATTEMPTS: u32 = 5;

/// Suppliers by id, which is the order of insertion into the file, with the columns of
/// [`super::found_suppliers::SUPPLIERS`].
const SUPPLIERS: &str = "SELECT NULL, NULL, id, inn, name, contracts, stated, \
     ARRAY(SELECT record FROM rnp_entry WHERE supplier_inn = supplier.inn) \
     FROM supplier ORDER BY id";

/// Purchases by id, which is the order of insertion into the file. The server sorts only the
/// numbers, not the records.
const PURCHASES: &str = "SELECT sorted.number, found.record \
     FROM (SELECT number, id FROM purchase ORDER BY id) AS sorted CROSS JOIN LATERAL \
     (SELECT record FROM purchase WHERE purchase.number = sorted.number OFFSET 0) AS found \
     ORDER BY sorted.id";

impl ServerData {
    /// Starts an answer, and a transaction that sees the same state.
    pub fn hold(&mut self) -> Result<()> {
        let mut begun = 0;
        loop {
            self.begin(Prefetch::Nothing)?;
            begun += 1;
            match self.begin_transaction() {
                Err(_) if self.has_moved.get() && begun < MAX_ATTEMPTS => {}
                outcome => return outcome,
            }
        }
    }

    fn begin_transaction(&self) -> Result<()> {
        // Set before the transaction starts, so that the next answer uses another session even if
        // this one fails.
        self.is_scanning.set(true);
        let begun = self.batch(BEGIN);
        begun.map_err(|error| self.moved_if_missing(error))?;
        self.rows(
            "SELECT number, identity FROM procurement_lookup.publication",
            &[],
            SHORT_STATEMENT,
        )?;
        Ok(())
    }

    /// Passes each supplier to `each`, ordered by id.
    pub(super) fn scan_suppliers(&self, each: EachOf<'_, SupplierRow>) -> Result<()> {
        self.scan("supplier_scan", SUPPLIERS, |rows| {
            *self.cache.borrow_mut() = AnswerCache::default();
            self.cache_suppliers(&[], rows)?;
            for row in rows {
                let supplier = self.supplier_in(row)?;
                if !each(&supplier.ok_or_else(|| self.damaged("a supplier without an id"))?) {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// Passes each purchase's number and record to `each`, ordered by id.
    pub(super) fn scan_purchases(&self, each: EachOf<'_, (String, Vec<u8>)>) -> Result<()> {
        self.scan("purchase_scan", PURCHASES, |rows| {
            for row in rows {
                if !each(&(self.get(row, 0)?, self.get(row, 1)?)) {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    fn scan(
        &self,
        cursor: &str,
        query: &str,
        mut each: impl FnMut(&[Row]) -> Result<bool>,
    ) -> Result<()> {
        self.batch(&format!("DECLARE {cursor} NO SCROLL CURSOR FOR {query}"))?;
        let step = format!("FETCH 200 FROM {cursor}");
        loop {
            let deadline = Instant::now() + ALL_ATTEMPTS;
            let rows = self.on_session(deadline, |session| session.rows(&step, &[], SORTING))?;
            if rows.is_empty() {
                return self.batch(&format!("CLOSE {cursor}"));
            }
            if !each(&rows)? {
                return Ok(());
            }
        }
    }

    fn batch(&self, sql: &str) -> Result<()> {
        let deadline = Instant::now() + ALL_ATTEMPTS;
        self.on_session(deadline, |session| session.batch(sql, STATEMENT))
    }
}
