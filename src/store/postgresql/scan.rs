//! All that was published, for commands that read for long: within one transaction, so that
//! whatever they ask is of one state, and in steps, so that memory is bounded.

use std::time::Instant;

use super::super::ahead::Ahead;
use super::super::error::{Error, Result};
use super::super::server_bounds::{ALL_ATTEMPTS, SORTING, STATEMENT};
use super::super::suppliers::KnownSupplier;
use super::answers::SUPPLIERS;
use super::client::Trouble;
use super::reader::{FIRST, Found, ServerData, is_of_missing_table};
use crate::model::{EncodedContract, Inn, Purchase, PurchaseNumber};

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

/// All contracts of a supplier, newest first.
const CONTRACTS: &str = "SELECT p.number, p.identity, record \
     FROM procurement_lookup.publication AS p, DATA.contract WHERE supplier_inn = $1 \
     ORDER BY sign_date DESC NULLS LAST, reg_num DESC";

/// What ends the reading of contracts.
enum Ended {
    Trouble(Trouble),
    Error(Error),
}

impl From<Trouble> for Ended {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl ServerData {
    /// As [`super::super::Database::hold`].
    pub fn hold(&mut self) -> Result<()> {
        let mut begun = 0;
        loop {
            self.begin(Ahead::Nothing)?;
            begun += 1;
            match self.begin_transaction() {
                Err(_) if self.has_moved() && begun < MOST_BEGUN => {}
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
        let begun = self.on_session(deadline, |session| session.batch(&sql, STATEMENT))?;
        begun.map_err(|trouble| match is_of_missing_table(&trouble) {
            true => self.moved(),
            false => self.refusal(&trouble),
        })?;
        self.rows(
            "SELECT number, identity FROM procurement_lookup.publication",
            &[],
        )?;
        Ok(())
    }

    /// As [`super::super::Database::suppliers`].
    pub fn suppliers<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Inn, &KnownSupplier) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.scan(scan_of!("inn", "supplier"), |inns| {
            *self.found.borrow_mut() = Found::default();
            let rows = self.many_rows(SUPPLIERS, &[&inns])?;
            let texts: Vec<&str> = inns.iter().map(String::as_str).collect();
            self.keep_suppliers(&texts, &rows)?;
            for inn in inns {
                let inn = Inn::parse(inn).ok_or_else(|| self.damaged("an INN that is none"))?;
                let supplier = self.supplier(&inn)?;
                let supplier = supplier.ok_or_else(|| self.damaged("a supplier that is gone"))?;
                each(&inn, &supplier)?;
            }
            Ok(())
        })
    }

    /// As [`super::super::Database::purchases`].
    pub fn purchases<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Purchase) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        self.scan(scan_of!("number", "purchase"), |numbers| {
            let rows = self.many_rows(CARDS, &[&numbers])?;
            let mut cards = Vec::with_capacity(rows.len());
            for row in &rows {
                let number: Option<&str> = self.get(row, FIRST)?;
                let place = number.and_then(|number| numbers.iter().position(|one| one == number));
                cards.push((place, row));
            }
            cards.sort_by_key(|(place, _)| *place);
            for (place, row) in cards {
                let number = place.and_then(|place| PurchaseNumber::parse(&numbers[place]));
                let number = number.ok_or_else(|| self.damaged("a purchase's number"))?;
                let record = self.get(row, FIRST + 1)?;
                each(&self.purchase_of(&number, record)?)?;
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
            for row in &rows.map_err(|trouble| self.refusal(&trouble))? {
                self.check_row(row)?;
                keys.push(self.get(row, FIRST)?);
            }
            if keys.is_empty() {
                return Ok(self.batch("CLOSE scan")?);
            }
            each(&keys)?;
        }
    }

    /// As [`super::super::Database::contracts`].
    pub fn contracts(
        &self,
        supplier: &KnownSupplier,
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        if supplier.contracts == 0 {
            return Ok(());
        }
        let (sql, inn) = (self.with_schema(CONTRACTS), supplier.inn.as_str());
        let deadline = Instant::now() + ALL_ATTEMPTS;
        let mut shown = 0;
        let outcome = self.on_session(deadline, |session| {
            let ended = session.each_row(&sql, &[&inn], STATEMENT, |row| {
                let shown_one = self.check_row(row).and_then(|()| {
                    shown += 1;
                    self.show_record(&supplier.inn, self.get(row, FIRST)?, show)
                });
                shown_one.map_err(Ended::Error)
            });
            match ended {
                // Nothing was shown, so it can be begun again.
                Err(Ended::Trouble(trouble)) if shown == 0 => Err(trouble),
                ended => Ok(ended),
            }
        })?;
        match outcome.unwrap_or_else(|trouble| Err(Ended::Trouble(trouble))) {
            Ok(()) if shown == supplier.contracts => Ok(()),
            Ok(()) => Err(self.damaged("a supplier has fewer contracts than it counts")),
            Err(Ended::Error(error)) => Err(error),
            Err(Ended::Trouble(trouble)) => Err(self.refusal(&trouble)),
        }
    }

    fn batch(&self, sql: &str) -> Result<()> {
        let sql = self.with_schema(sql);
        let deadline = Instant::now() + ALL_ATTEMPTS;
        let outcome = self.on_session(deadline, |session| session.batch(&sql, STATEMENT))?;
        outcome.map_err(|trouble| self.refusal(&trouble))
    }
}
