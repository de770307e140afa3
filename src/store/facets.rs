//! What contracts are filtered, ordered and summed up by: the table `contract_facet`, with
//! a row of the same id for each contract. The values follow from the contract's record
//! alone; `check` compares them.
//!
//! A filter is a condition over all rows of a supplier, or of a customer. An index for each
//! filter and order would be larger, slow imports down, and still not count what matches.

use std::borrow::Cow;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};

use super::data_file::DataFile;
use super::error::Result;
use super::file::{OpenFile, created};
use super::suppliers::{KnownSupplier, contract_id};
use crate::model::{Amount, ContractFilter, ContractStage, Date, EncodedContract};

/// The facets of a contract.
#[derive(Debug)]
pub(super) struct Facets<'a> {
    /// As YYYYMMDD, 0 for none; so is the other date.
    sign_date: u32,
    update_date: u32,
    stage: Option<ContractStage>,
    pub customer_inn: Cow<'a, str>,
    is_customer_named: bool,
    price: FacetPrice,
}

/// The price of a contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum FacetPrice {
    /// There is none.
    #[default]
    None,
    /// In hundredths of a rouble.
    Hundredths(i64),
    /// Another amount; boxed, as it is rare.
    Other(Box<Amount>),
}

impl<'a> Facets<'a> {
    /// The facets of a contract; none if this program did not write its record.
    pub fn new(contract: &EncodedContract<'a>) -> Option<Self> {
        let date = |text: &str| match text {
            "" => Some(0),
            text => Date::parse_iso(text).map(|date| date.number()),
        };
        let price = match &*contract.price.text() {
            "" => FacetPrice::None,
            text => FacetPrice::new(text.parse().ok()?),
        };
        Some(Self {
            sign_date: date(&contract.sign_date.text())?,
            update_date: date(&contract.update_date.text())?,
            stage: contract.stage,
            customer_inn: contract.customer_inn.text(),
            is_customer_named: !contract.customer_name.is_empty(),
            price,
        })
    }

    /// Writes them to the row with this id.
    pub fn put(&self, db: &OpenFile, id: i64) -> Result<()> {
        let sql = "INSERT OR REPLACE INTO contract_facet (id, sign_date, update_date, stage, \
                   customer_inn, is_customer_named, price) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        db.execute(sql, self.params(id))
    }

    /// Are they equal to those in the row with this id?
    pub fn are_in(&self, db: &OpenFile, id: i64) -> Result<bool> {
        let sql = "SELECT 1 FROM contract_facet WHERE id = ?1 AND sign_date = ?2 \
                   AND update_date = ?3 AND stage = ?4 AND customer_inn = ?5 \
                   AND is_customer_named = ?6 AND price IS ?7";
        Ok(db.one(sql, self.params(id), |_| Ok(()))?.is_some())
    }

    fn params(&self, id: i64) -> impl rusqlite::Params {
        (
            id,
            self.sign_date,
            self.update_date,
            stage_number(self.stage),
            Digits(&self.customer_inn),
            self.is_customer_named,
            &self.price,
        )
    }
}

/// Passes the INN of the customer of the contract with this id, if it has facets, to `take`.
pub(super) fn customer(db: &OpenFile, id: i64, take: impl FnOnce(&str)) -> Result<()> {
    let sql = "SELECT CAST(customer_inn AS TEXT) FROM contract_facet WHERE id = ?1";
    let inn = db.one(sql, [id], |row| row.get::<_, String>(0))?;
    inn.as_deref().map(take);
    Ok(())
}

/// Removes the facets of the contract with this id.
pub(super) fn remove(db: &OpenFile, id: i64) -> Result<()> {
    db.execute("DELETE FROM contract_facet WHERE id = ?1", [id])
}

/// From how many contracts on that are added at once the index of customers is made anew at
/// the end. Entry by entry they are added in the order of suppliers, which is no order of
/// customers: each to another page.
const MANY_ADDED: u64 = if cfg!(test) { 100 } else { 200_000 };

/// Prepares for `added` contracts. Returns whether the index is to be made anew by
/// [`index_customers`].
pub(super) fn begin_adding(db: &OpenFile, added: u64) -> Result<bool> {
    if added < MANY_ADDED {
        return Ok(false);
    }
    let stored: u64 = db.value(
        "SELECT coalesce(sum(contracts), 0) FROM supplier",
        (),
        |row| row.get(0),
    )?;
    let is_made_anew = added >= stored / 4;
    if is_made_anew {
        db.batch("DROP INDEX contract_facet_of_customer")?;
    }
    Ok(is_made_anew)
}

/// Makes the index of customers.
pub(super) fn index_customers(db: &OpenFile) -> Result<()> {
    let index = created("contract_facet_of_customer").map_err(|error| db.failed(error))?;
    db.batch(&index)
}

/// Moves the facets of a contract to another id.
pub(super) fn move_to(db: &OpenFile, from: i64, to: i64) -> Result<()> {
    let sql = "UPDATE contract_facet SET id = ?2 WHERE id = ?1";
    db.execute(sql, [from, to])
}

impl FacetPrice {
    fn new(amount: Amount) -> Self {
        match amount.as_hundredths() {
            Some(hundredths) => Self::Hundredths(hundredths),
            None => Self::Other(Box::new(amount)),
        }
    }

    fn amount(&self) -> Option<Amount> {
        match self {
            Self::None => None,
            Self::Hundredths(hundredths) => Some(Amount::from_hundredths(*hundredths)),
            Self::Other(amount) => Some(**amount),
        }
    }
}

impl ToSql for FacetPrice {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::None => rusqlite::types::Null.into(),
            Self::Hundredths(hundredths) => (*hundredths).into(),
            Self::Other(amount) => amount.to_string().into(),
        })
    }
}

/// A text that is usually a number: stored as an integer if that restores the same text.
struct Digits<'a>(&'a str);

impl ToSql for Digits<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let is_number = (1..=18).contains(&self.0.len())
            && !self.0.starts_with('0')
            && self.0.bytes().all(|byte| byte.is_ascii_digit());
        Ok(match self.0.parse::<i64>() {
            Ok(number) if is_number => number.into(),
            _ => self.0.into(),
        })
    }
}

/// The number of a stage in the file: 0 for none.
pub(super) fn stage_number(stage: Option<ContractStage>) -> u8 {
    stage.map_or(0, ContractStage::number)
}

/// The row of a contract that matches a filter.
pub(super) struct FacetRow<'a>(&'a Row<'a>);

/// The rows of some contracts: whether each matches, and its columns.
macro_rules! rows_where {
    ($condition:literal) => {
        concat!(
            "SELECT sign_date BETWEEN ?3 AND ?4 AND update_date >= ?5 \
             AND (?6 >> stage & 1) AND (?7 IS NULL OR customer_inn = ?7), \
             id, sign_date, update_date, stage, customer_inn, is_customer_named, price \
             FROM contract_facet WHERE ",
            $condition
        )
    };
}

/// The rows of a supplier's contracts, oldest first.
const ROWS: &str = rows_where!("id >= ?1 AND id < ?2 ORDER BY id");

/// The rows of a customer's contracts.
const ROWS_OF_CUSTOMER: &str = rows_where!("customer_inn = ?1 AND ?2 = 0");

/// The same as far as the index has them, each of which matches.
const INDEX_OF_CUSTOMER: &str = "SELECT 1, id, sign_date FROM contract_facet \
                                 WHERE customer_inn = ?1 AND sign_date BETWEEN ?2 AND ?3";

impl DataFile {
    /// Passes the facets of a customer's contracts that match a filter to `each`. With
    /// `days_alone`, which is for filters of nothing but the day of signing, only the index
    /// is read, and a row has only its id and that day.
    pub(super) fn each_match_of_customer(
        &self,
        inn: &str,
        filter: &ContractFilter,
        days_alone: bool,
        mut each: impl FnMut(&FacetRow<'_>) -> rusqlite::Result<()>,
    ) -> Result<()> {
        if !days_alone {
            return self
                .each_match_where(ROWS_OF_CUSTOMER, (Digits(inn), 0), filter, each)
                .map(drop);
        }
        let (from, to) = sign_dates(filter);
        let db = &self.file;
        db.each_row(INDEX_OF_CUSTOMER, (Digits(inn), from, to), |row| {
            each(&FacetRow(row)).map_err(|error| db.failed(error))
        })
    }

    /// The ids of the newest of a customer's contracts, all of one day, that have its name.
    pub(super) fn newest_named(&self, inn: &str) -> Result<Vec<i64>> {
        let sql = "SELECT id FROM contract_facet WHERE customer_inn = ?1 AND is_customer_named \
                   AND sign_date = (SELECT sign_date FROM contract_facet WHERE customer_inn = ?1 \
                   AND is_customer_named ORDER BY sign_date DESC LIMIT 1)";
        self.file.all(sql, [Digits(inn)], |row| row.get(0))
    }

    /// Passes the facets of a supplier's contracts that match a filter to `each`, oldest
    /// first.
    pub(super) fn each_match(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
        each: impl FnMut(&FacetRow<'_>) -> rusqlite::Result<()>,
    ) -> Result<()> {
        let range = (
            contract_id(supplier.id, 0),
            contract_id(supplier.id, supplier.contracts),
        );
        match self.each_match_where(ROWS, range, filter, each)? == supplier.contracts {
            true => Ok(()),
            false => Err(self
                .file
                .damaged("a supplier's contracts have not all their facets")),
        }
    }

    /// Passes the rows that `sql` selects by the first two parameters, and that match, to
    /// `each`. Returns how many it selects.
    fn each_match_where(
        &self,
        sql: &'static str,
        (first, second): (impl ToSql, i64),
        filter: &ContractFilter,
        mut each: impl FnMut(&FacetRow<'_>) -> rusqlite::Result<()>,
    ) -> Result<u64> {
        let (signed_from, signed_to) = sign_dates(filter);
        let stages = match filter.stages.is_any() {
            true => -1,
            false => i64::from(filter.stages.number()) << 1,
        };
        let params = (
            first,
            second,
            signed_from,
            signed_to,
            filter.updated_from.map_or(0, |day| day.number()),
            stages,
            filter.customer_inn.as_deref().map(Digits),
        );
        let mut count = 0;
        let db = &self.file;
        db.each_row(sql, params, |row| {
            count += 1;
            let passed = match row.get_ref(0) {
                Ok(ValueRef::Integer(0)) => Ok(()),
                _ => FacetRow(row).pass_by_price(filter, &mut each),
            };
            passed.map_err(|error| db.failed(error))
        })?;
        Ok(count)
    }
}

/// The first and the last day of signing that a filter has.
fn sign_dates(filter: &ContractFilter) -> (u32, u32) {
    // A contract without a sign date matches no range of days.
    let from = match (filter.signed_from, filter.signed_to) {
        (None, None) => 0,
        (from, _) => from.map_or(1, |day| day.number()),
    };
    (from, filter.signed_to.map_or(u32::MAX, |day| day.number()))
}

impl FacetRow<'_> {
    /// Passes the row to `each` if its price matches the filter's bounds. SQLite would compare
    /// the few prices that are not whole hundredths as texts.
    fn pass_by_price(
        &self,
        filter: &ContractFilter,
        each: impl FnOnce(&Self) -> rusqlite::Result<()>,
    ) -> rusqlite::Result<()> {
        let has_bounds = filter.price_from.is_some() || filter.price_to.is_some();
        if has_bounds && !filter.matches_price(self.price()?.amount()) {
            return Ok(());
        }
        each(self)
    }

    /// The id of the contract.
    pub fn id(&self) -> rusqlite::Result<i64> {
        self.0.get(1)
    }

    /// The day of signing as YYYYMMDD, 0 for none.
    pub fn sign_date(&self) -> rusqlite::Result<u32> {
        self.0.get(2)
    }

    /// The day of the last change, likewise.
    pub fn update_date(&self) -> rusqlite::Result<u32> {
        self.0.get(3)
    }

    /// The number of the stage, 0 for none.
    pub fn stage(&self) -> rusqlite::Result<usize> {
        self.0.get(4)
    }

    /// Replaces `inn` by the INN of the customer.
    pub fn customer_inn(&self, inn: &mut String) -> rusqlite::Result<()> {
        inn.clear();
        match self.0.get_ref(5)? {
            ValueRef::Integer(number) => inn.push_str(itoa::Buffer::new().format(number)),
            value => inn.push_str(value.as_str()?),
        }
        Ok(())
    }

    /// Does the contract have its customer's name?
    pub fn is_customer_named(&self) -> rusqlite::Result<bool> {
        self.0.get(6)
    }

    /// The price.
    pub fn price(&self) -> rusqlite::Result<FacetPrice> {
        let value = self.0.get_ref(7)?;
        Ok(match value {
            ValueRef::Null => FacetPrice::None,
            ValueRef::Integer(hundredths) => FacetPrice::Hundredths(hundredths),
            _ => {
                let amount = value.as_str().ok().and_then(|text| text.parse().ok());
                let not_one =
                    rusqlite::Error::InvalidColumnType(7, "price".to_owned(), value.data_type());
                FacetPrice::Other(Box::new(amount.ok_or(not_one)?))
            }
        })
    }
}
