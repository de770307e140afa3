//! All that was published, for commands that read for long: within one transaction, so that
//! whatever they ask is of one state, and in steps, so that memory is bounded.

use std::time::Instant;

use super::super::error::{Error, Result};
use super::super::query::{EachOf, Prefetch, ScanEnd};
use super::super::server_bounds::{ALL_ATTEMPTS, SORTING, STATEMENT};
use super::super::suppliers::KnownSupplier;
use super::reader::{FIRST, Found, ServerData};
use crate::model::Inn;

/// Begins the transaction. A table is locked, so that none is dropped, before its state is
/// determined, which the first statement after that does.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \
                     LOCK TABLE DATA.supplier IN ACCESS SHARE MODE";

/// How often the transaction is begun, where another publication falls between what was read
/// before it and its state.
const MOST_BEGUN: u32 = 5;

/// Begins a scan of one column of a table, in the order of the file. The server sorts that
/// alone.
macro_rules! scan_of {
    ($column:literal, $table:literal) => {
        concat!(
            "DECLARE scan NO SCROLL CURSOR FOR SELECT p.number, p.identity, found.key \
             FROM procurement_lookup.publication AS p, (SELECT ",
            $column,
            " AS key, id FROM DATA.",
            $table,
            ") AS found ORDER BY found.id"
        )
    };
}

/// A step of a scan.
const STEP: &str = "FETCH 200 FROM scan";

/// The records of purchases.
const CARDS: &str = "SELECT p.number, p.identity, purchase.number, purchase.record \
     FROM procurement_lookup.publication AS p LEFT JOIN DATA.purchase \
     ON purchase.number = ANY ($1)";

impl ServerData {
    /// Begins a transaction, and an answer that is of its state.
    pub fn hold(&mut self) -> Result<()> {
        let mut begun = 0;
        loop {
            self.begin(Prefetch::Nothing)?;
            begun += 1;
            match self.begin_transaction() {
                Err(_) if self.has_moved.get() && begun < MOST_BEGUN => {}
                outcome => return outcome,
            }
        }
    }

    /// Begins a transaction whose state is that which the answer began with.
    fn begin_transaction(&self) -> Result<()> {
        let sql = self.with_schema(BEGIN);
        // Whatever comes of it, the next answer begins with another session.
        self.is_scanning.set(true);
        let deadline = Instant::now() + ALL_ATTEMPTS;
        let begun = self.on_session(deadline, |session| session.batch(&sql, STATEMENT));
        begun.map_err(|error| self.moved_if_missing(error))?;
        self.rows(
            "SELECT number, identity FROM procurement_lookup.publication",
            &[],
        )?;
        Ok(())
    }

    /// Each supplier, in the order of the file.
    pub(super) fn scan_suppliers(
        &self,
        each: EachOf<'_, KnownSupplier>,
    ) -> std::result::Result<(), ScanEnd> {
        self.scan(scan_of!("inn", "supplier"), |texts| {
            *self.found.borrow_mut() = Found::default();
            let inns: Option<Vec<Inn>> = texts.iter().map(|inn| Inn::parse(inn)).collect();
            let inns = inns.ok_or_else(|| self.damaged("an INN that is none"))?;
            self.find_suppliers(&inns)?;
            for inn in inns {
                let found = self.found.borrow().suppliers.get(&inn).cloned().flatten();
                let found = found.ok_or_else(|| self.damaged("a supplier that is gone"))?;
                each(&found.supplier)?;
            }
            Ok(())
        })
    }

    /// Each purchase's number and record, in the order of the file.
    pub(super) fn scan_purchases(
        &self,
        each: EachOf<'_, (String, Vec<u8>)>,
    ) -> std::result::Result<(), ScanEnd> {
        self.scan(scan_of!("number", "purchase"), |numbers| {
            let rows = self.many_rows(CARDS, &[&numbers])?;
            let mut cards = Vec::with_capacity(rows.len());
            for row in &rows {
                let number: Option<&str> = self.get(row, FIRST)?;
                let place = number.and_then(|number| numbers.iter().position(|one| one == number));
                let place = place.ok_or_else(|| self.damaged("a purchase's number"))?;
                cards.push((place, row));
            }
            cards.sort_by_key(|(place, _)| *place);
            for (place, row) in cards {
                let number = numbers.get(place).cloned().unwrap_or_default();
                each(&(number, self.get(row, FIRST + 1)?))?;
            }
            Ok(())
        })
    }

    /// Passes the keys that a scan finds to `each`, some at a time.
    fn scan<E: From<Error>>(
        &self,
        declaration: &str,
        mut each: impl FnMut(&Vec<String>) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.batch(declaration)?;
        loop {
            let deadline = Instant::now() + ALL_ATTEMPTS;
            let rows = self.on_session(deadline, |session| session.rows(STEP, &[], SORTING))?;
            let mut keys = Vec::new();
            for row in &rows {
                self.check_row(row)?;
                keys.push(self.get(row, FIRST)?);
            }
            if keys.is_empty() {
                return Ok(self.batch("CLOSE scan")?);
            }
            each(&keys)?;
        }
    }

    fn batch(&self, sql: &str) -> Result<()> {
        let sql = self.with_schema(sql);
        let deadline = Instant::now() + ALL_ATTEMPTS;
        self.on_session(deadline, |session| session.batch(&sql, STATEMENT))
    }
}
