//! Pages of a supplier's or a customer's contracts. A page is one statement: a row says which
//! publication it is of and what is known of all of it, and one follows for each record. (As
//! one array, the server copies each record twice more: 240 µs a page of 200 in place of 130.)

use super::super::contracts::MAX_CONTRACTS;
use super::super::error::Result;
use super::super::record::{NOT_A_CONTRACT, decode_contract};
use super::super::selection::{CustomerSelection, Selection};
use super::super::suppliers::KnownSupplier;
use super::answers::SUPPLIER_COLUMNS;
use super::client::Row;
use super::filter::{Condition, saturated};
use super::places::{STEP, from_place};
use super::reader::{FIRST, FoundSupplier, NewestPage, ServerData, statement};
use super::text::stored;
use crate::model::{ContractFilter, ContractOrder, EncodedContract, Inn, OrderBy};

/// The supplier, then of all its contracts the newest.
macro_rules! newest {
    ($records:expr) => {
        concat!(
            "SELECT p.number, p.identity, id, inn, name, contracts, stated, NULL::bytea AS record \
             FROM procurement_lookup.publication AS p LEFT JOIN DATA.supplier ON inn = $1 \
             UNION ALL (SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, ",
            $records,
            ")"
        )
    };
}

const NEWEST: &str = newest!(
    "record FROM DATA.contract WHERE supplier_inn = $1 \
     ORDER BY sign_date DESC NULLS LAST, reg_num DESC OFFSET $2 LIMIT $3"
);

/// The same where many are skipped: from the nearest known place on, those without a day of
/// signing last. Each part has its order and its end, so that it is read from the index as far
/// as it is needed.
const NEWEST_DEEP: &str = from_place!(newest!(
    "record FROM ((SELECT record FROM DATA.contract \
     WHERE supplier_inn = $1 AND (sign_date, reg_num) <= \
     ((SELECT sign_date FROM start), (SELECT reg_num FROM start)) \
     ORDER BY sign_date DESC NULLS LAST, reg_num DESC \
     LIMIT (SELECT before FROM start) + $3) \
     UNION ALL (SELECT record FROM DATA.contract \
     WHERE supplier_inn = $1 AND sign_date IS NULL \
     ORDER BY sign_date DESC NULLS LAST, reg_num DESC \
     LIMIT (SELECT before FROM start) + $3)) AS older \
     OFFSET (SELECT before FROM start) LIMIT $3"
));

/// The column of the record in these and in those of a customer.
const RECORD: usize = FIRST + SUPPLIER_COLUMNS;

/// The statement of a page of all contracts, and its second and third parameter.
pub(super) fn newest(skip: u64, limit: u64) -> (&'static str, [i64; 2]) {
    let sql = if skip < STEP { NEWEST } else { NEWEST_DEEP };
    // A sum of places and a limit is a bigint, too.
    (sql, [skip, limit.min(MAX_CONTRACTS)].map(saturated))
}

/// The newest contract of a customer that has its name; of those listed under several
/// suppliers that of the last one.
const CUSTOMER_NAME: &str = statement!(
    "found.*",
    "SELECT inn, record FROM (SELECT supplier_inn, reg_num FROM DATA.contract \
     WHERE customer_inn = $1 AND is_customer_named \
     ORDER BY sign_date DESC NULLS LAST, reg_num DESC FETCH FIRST ROW WITH TIES) AS newest \
     JOIN DATA.contract USING (supplier_inn, reg_num) \
     JOIN DATA.supplier ON inn = supplier_inn ORDER BY id DESC LIMIT 1"
);

impl ServerData {
    /// Keeps the page in rows of [`newest`] for the rest of the answer.
    pub(super) fn keep_newest(
        &self,
        inn: &Inn,
        skip: u64,
        limit: u64,
        rows: Vec<Row>,
    ) -> Result<()> {
        let head = rows.first();
        let supplier = head.map(|row| self.supplier_in(row)).transpose()?;
        let found = supplier.flatten().map(|supplier| FoundSupplier {
            supplier,
            entries: None,
        });
        let mut kept = self.found.borrow_mut();
        kept.newest = Some(NewestPage {
            inn: inn.clone(),
            skip,
            limit,
            rows,
        });
        kept.suppliers.insert(inn.clone(), found);
        Ok(())
    }

    /// As [`super::super::Database::select`].
    pub fn select(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<Selection> {
        if filter.is_everything() && order == ContractOrder::default() {
            return Ok(Selection::newest(supplier, skip, limit));
        }
        let condition = Condition::new("supplier_inn", supplier.inn.as_str(), filter);
        let (value, by) = ordering(order);
        // What matches comes from the index; only the page's records are read, by their keys,
        // which the OFFSET keeps the server from turning into a second read of them all.
        let sql = format!(
            "WITH matching AS MATERIALIZED (SELECT reg_num, sign_date, {value} AS value \
             FROM DATA.contract WHERE {condition}), \
             page AS (SELECT * FROM matching ORDER BY {by}reg_num {direction} \
             OFFSET $9 LIMIT $10) \
             SELECT number, identity, (SELECT count(*) FROM matching), NULL::bytea AS record \
             FROM procurement_lookup.publication \
             UNION ALL (SELECT NULL, NULL, NULL, found.record FROM page CROSS JOIN LATERAL (\
             SELECT record FROM DATA.contract \
             WHERE contract.reg_num = page.reg_num AND supplier_inn = $1 OFFSET 0) AS found \
             ORDER BY {by}reg_num {direction})",
            direction = direction(order),
        );
        let range = [skip, limit].map(saturated);
        let rows = self.many_rows(&sql, &condition.params(&range))?;
        let (head, rows) = rows.split_first().ok_or_else(|| self.moved())?;
        let records = rows.iter().map(|row| self.get(row, FIRST + 1));
        Ok(Selection::of_records(
            self.count(head, FIRST)?,
            records.collect::<Result<_>>()?,
        ))
    }

    /// As [`super::super::Database::show`].
    pub fn show(
        &self,
        supplier: &KnownSupplier,
        selection: &Selection,
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        let Some((skip, limit)) = selection.range_of_newest() else {
            let mut records = selection.records().iter();
            return records.try_for_each(|record| self.show_record(&supplier.inn, record, show));
        };
        let is_page = |page: &NewestPage| {
            page.inn == supplier.inn && page.skip == skip && page.limit == limit
        };
        if !self.found.borrow().newest.as_ref().is_some_and(is_page) {
            let (sql, [first, second]) = newest(skip, limit);
            let inn = supplier.inn.as_str();
            let rows = self.rows(sql, &[&inn, &first, &second])?;
            self.keep_newest(&supplier.inn, skip, limit, rows)?;
        }
        let found = self.found.borrow();
        let page = found.newest.as_ref().map(|page| page.rows.as_slice());
        let records = page.and_then(|rows| rows.get(1..)).unwrap_or_default();
        if records.len() as u64 != supplier.contracts.saturating_sub(skip).min(limit) {
            return Err(self.damaged("a supplier has fewer contracts than it counts"));
        }
        let mut records = records.iter();
        records.try_for_each(|row| self.show_record(&supplier.inn, self.get(row, RECORD)?, show))
    }

    /// Passes the contract of a supplier's record to `show`.
    pub(super) fn show_record(
        &self,
        inn: &Inn,
        record: &[u8],
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        match decode_contract(inn, record) {
            Some(contract) => show(&contract),
            None => return Err(self.damaged(NOT_A_CONTRACT)),
        }
        Ok(())
    }

    /// As [`super::super::Database::select_of_customer`].
    pub fn select_of_customer(
        &self,
        inn: &str,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<CustomerSelection> {
        let condition = Condition::new("customer_inn", inn, filter);
        let (value, by) = ordering(order);
        let sql = format!(
            "WITH matching AS MATERIALIZED (\
             SELECT supplier_inn, reg_num, sign_date, {value} AS value \
             FROM DATA.contract WHERE {condition}), \
             page AS (SELECT * FROM matching \
             ORDER BY {by}reg_num {direction}, supplier_inn {direction} OFFSET $9 LIMIT $10) \
             SELECT p.number, p.identity, found.*, (SELECT count(*) FROM matching) \
             FROM procurement_lookup.publication AS p LEFT JOIN (\
             SELECT id, inn, name, contracts, stated, record, \
             value, page.sign_date, reg_num, supplier_inn \
             FROM page JOIN DATA.contract USING (supplier_inn, reg_num) \
             JOIN DATA.supplier ON inn = supplier_inn) AS found ON true \
             ORDER BY {by}reg_num {direction}, supplier_inn {direction}",
            direction = direction(order),
        );
        let range = [skip, limit].map(saturated);
        let rows = self.many_rows(&sql, &condition.params(&range))?;
        let mut selected = Vec::new();
        let mut count = 0;
        for row in &rows {
            count = self.count(row, FIRST + SUPPLIER_COLUMNS + 5)?;
            if let Some(supplier) = self.supplier_in(row)? {
                selected.push((supplier, self.get(row, RECORD)?));
            }
        }
        Ok(CustomerSelection::of_records(
            self.customer_name(inn)?,
            count,
            selected,
        ))
    }

    /// The name of a customer in the newest contract that has one; empty if none has.
    fn customer_name(&self, inn: &str) -> Result<String> {
        let rows = self.many_rows(CUSTOMER_NAME, &[&stored(inn)])?;
        let mut name = String::new();
        if let Some(row) = rows.first()
            && let Some(supplier) = self.get::<Option<&str>>(row, FIRST)?
        {
            let supplier = Inn::parse(supplier).ok_or_else(|| self.damaged("an INN"))?;
            self.show_record(&supplier, self.get(row, FIRST + 1)?, &mut |contract| {
                name = contract.customer_name.text().into_owned();
            })?;
        }
        Ok(name)
    }

    /// As [`super::super::Database::show_of_customer`].
    pub fn show_of_customer(
        &self,
        selection: &CustomerSelection,
        show: &mut dyn FnMut(&KnownSupplier, &EncodedContract<'_>),
    ) -> Result<()> {
        let mut records = selection.records().iter();
        records.try_for_each(|(supplier, record)| {
            self.show_record(&supplier.inn, record, &mut |contract| {
                show(supplier, contract)
            })
        })
    }
}

/// The value that an order orders by, and the terms that come before the registry number: those
/// without a value last, then the day of signing, of which none is the oldest.
fn ordering(order: ContractOrder) -> (&'static str, &'static str) {
    let value = match order.by {
        OrderBy::SignDate => "sign_date",
        OrderBy::UpdateDate => "update_date",
        OrderBy::Price => "price",
    };
    let by = match order.ascending {
        true => "value NULLS LAST, sign_date NULLS FIRST, ",
        false => "value DESC NULLS LAST, sign_date DESC NULLS LAST, ",
    };
    (value, by)
}

fn direction(order: ContractOrder) -> &'static str {
    if order.ascending { "ASC" } else { "DESC" }
}
