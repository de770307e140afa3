//! The table `contract_facet`: for each contract, a row with the same id, the registry number, and
//! the columns that `facet_columns.rs` declares. The statements are generated from that
//! declaration. [`super::check()`] compares the rows with the records.

use std::sync::LazyLock;

use rusqlite::types::{Null, ToSqlOutput};
use rusqlite::{Params, params_from_iter};

use super::error::Result;
use super::facet_columns::{FacetColumn, FacetType, FacetValue, INDEX_OF_CUSTOMERS};
use super::file::OpenFile;
use super::reg_num::RegNum;
use crate::model::{EncodedContract, digits_as_number};

#[derive(Debug)]
pub(super) struct StoredFacets<'a> {
    reg_num: RegNum,
    /// Values in the order of [`FacetColumn::ALL`].
    pub values: Vec<FacetValue<'a>>,
}

static PUT: LazyLock<String> = LazyLock::new(|| {
    let places: Vec<String> = (3..3 + FacetColumn::ALL.len())
        .map(|at| format!("?{at}"))
        .collect();
    format!(
        "INSERT OR REPLACE INTO contract_facet (id, reg_num, {}) VALUES (?1, ?2, {})",
        FacetColumn::names(FacetColumn::ALL),
        places.join(", ")
    )
});

static IS_STORED: LazyLock<String> = LazyLock::new(|| {
    let columns = FacetColumn::ALL.iter().zip(3..);
    let same = columns.map(|(column, at)| format!(" AND {} IS ?{at}", column.name()));
    let same: String = same.collect();
    format!("SELECT 1 FROM contract_facet WHERE id = ?1 AND reg_num = ?2{same}")
});

impl<'a> StoredFacets<'a> {
    /// Computes the facets of a contract. Returns `None` for a record that this program did not
    /// write.
    pub fn new(contract: &EncodedContract<'a>) -> Option<Self> {
        let columns = FacetColumn::ALL.iter();
        let values = columns.map(|column| column.value(contract));
        Some(Self {
            reg_num: RegNum::new(&contract.reg_num.text()),
            values: values.collect::<Option<_>>()?,
        })
    }

    pub fn put(&self, db: &OpenFile, id: i64) -> Result<()> {
        db.execute(&PUT, self.params(id))
    }

    pub fn is_stored(&self, db: &OpenFile, id: i64) -> Result<bool> {
        Ok(db.one(&IS_STORED, self.params(id), |_| Ok(()))?.is_some())
    }

    fn params(&self, id: i64) -> impl Params + use<'_, 'a> {
        let values = FacetColumn::ALL.iter().zip(&self.values);
        let values = values.map(|(column, value)| file_value(*column, value));
        let key = [id.into(), self.reg_num.value()];
        params_from_iter(key.into_iter().chain(values))
    }
}

/// Passes the INN of a contract's customer to `take`, if the contract has a row of facets.
pub(super) fn customer(db: &OpenFile, id: i64, take: impl FnOnce(&str)) -> Result<()> {
    let sql = "SELECT CAST(customer_inn AS TEXT) FROM contract_facet WHERE id = ?1";
    let inn = db.one(sql, [id], |row| row.get::<_, String>(0))?;
    inn.as_deref().map(take);
    Ok(())
}

pub(super) fn remove(db: &OpenFile, id: i64) -> Result<()> {
    db.execute("DELETE FROM contract_facet WHERE id = ?1", [id])
}

/// Drops the index of customers: a first import is faster if it creates the index at its end.
pub(super) fn drop_index_of_customers(db: &OpenFile) -> Result<()> {
    db.batch("DROP INDEX contract_facet_of_customer")
}

pub(super) fn index_customers(db: &OpenFile) -> Result<()> {
    let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'contract_facet_of_customer'";
    match db.one(sql, (), |_| Ok(()))? {
        Some(()) => Ok(()),
        None => db.batch(INDEX_OF_CUSTOMERS),
    }
}

pub(super) fn file_value<'a>(column: FacetColumn, value: &'a FacetValue<'_>) -> ToSqlOutput<'a> {
    match (column.kind(), value) {
        (_, FacetValue::Null) => Null.into(),
        (_, FacetValue::Number(number)) => (*number).into(),
        (FacetType::Inn, FacetValue::Text(text)) => {
            digits_as_number(text).map_or_else(|| (&**text).into(), Into::into)
        }
        (_, FacetValue::Text(text)) => (&**text).into(),
    }
}
