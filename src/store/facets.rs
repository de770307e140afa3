//! Writing the table `contract_facet`, with a row of the same id for each contract;
//! `query/columns.rs` has its columns. [`super::check()`] compares its rows with the records.

use std::sync::LazyLock;

use rusqlite::ToSql;
use rusqlite::types::{Null, ToSqlOutput};

use super::error::Result;
use super::file::{OpenFile, created};
use super::query::{FacetColumn, FacetValue};
use crate::model::EncodedContract;

/// The facets of a contract.
#[derive(Debug)]
pub(super) struct StoredFacets<'a>(pub Vec<StoredFacet<'a>>);

/// A value of a column, as the file stores it.
#[derive(Clone, Debug)]
pub(super) struct StoredFacet<'a>(pub FacetColumn, pub FacetValue<'a>);

static PUT: LazyLock<String> = LazyLock::new(|| {
    let places: Vec<String> = (2..2 + FacetColumn::ALL.len())
        .map(|at| format!("?{at}"))
        .collect();
    format!(
        "INSERT OR REPLACE INTO contract_facet (id, {}) VALUES (?1, {})",
        FacetColumn::names(FacetColumn::ALL),
        places.join(", ")
    )
});

static IS_STORED: LazyLock<String> = LazyLock::new(|| {
    let columns = FacetColumn::ALL.iter().zip(2..);
    let same = columns.map(|(column, at)| format!(" AND {} IS ?{at}", column.name()));
    let same: String = same.collect();
    format!("SELECT 1 FROM contract_facet WHERE id = ?1{same}")
});

impl<'a> StoredFacets<'a> {
    /// The facets of a contract; none if this program did not write its record.
    pub fn new(contract: &EncodedContract<'a>) -> Option<Self> {
        let columns = FacetColumn::ALL.iter();
        let values = columns.map(|column| Some(StoredFacet(*column, column.value(contract)?)));
        Some(Self(values.collect::<Option<_>>()?))
    }

    /// Writes them to the row with this id.
    pub fn put(&self, db: &OpenFile, id: i64) -> Result<()> {
        db.execute(&PUT, self.params(id))
    }

    /// Returns whether they are equal to those in the row with this id.
    pub fn is_stored(&self, db: &OpenFile, id: i64) -> Result<bool> {
        Ok(db.one(&IS_STORED, self.params(id), |_| Ok(()))?.is_some())
    }

    fn params(&self, id: i64) -> impl rusqlite::Params + use<'_, 'a> {
        let id = StoredFacet::number(id);
        let values = self.0.iter().cloned();
        rusqlite::params_from_iter(std::iter::once(id).chain(values))
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

/// The least number of added contracts to drop the index of customers for, and to create it again
/// at the end. Contracts come in the order of suppliers, so adding index entries one by one
/// would write each to another page.
const MANY_ADDED: u64 = if cfg!(test) { 100 } else { 200_000 };

/// Prepares for `added` contracts. Returns whether [`index_customers`] must create the index again.
pub(super) fn begin_adding(db: &OpenFile, added: u64) -> Result<bool> {
    if added < MANY_ADDED {
        return Ok(false);
    }
    let stored: u64 = db.value(
        "SELECT coalesce(sum(contracts), 0) FROM supplier",
        (),
        |row| row.get(0),
    )?;
    let rebuilds_index = added >= stored / 4;
    if rebuilds_index {
        db.batch("DROP INDEX contract_facet_of_customer")?;
    }
    Ok(rebuilds_index)
}

/// Creates the index of customers.
pub(super) fn index_customers(db: &OpenFile) -> Result<()> {
    let index = created("contract_facet_of_customer").map_err(|error| db.failed(error))?;
    db.batch(&index)
}

/// Moves the facets of a contract to another id.
pub(super) fn move_to(db: &OpenFile, from: i64, to: i64) -> Result<()> {
    let sql = "UPDATE contract_facet SET id = ?2 WHERE id = ?1";
    db.execute(sql, [from, to])
}

impl StoredFacet<'static> {
    /// A parameter that belongs to no column.
    pub fn number(number: i64) -> Self {
        Self(FacetColumn::SignDate, FacetValue::Number(number))
    }
}

impl ToSql for StoredFacet<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match (self.0, &self.1) {
            (_, FacetValue::Null) => Ok(Null.into()),
            (_, FacetValue::Number(number)) => Ok((*number).into()),
            (FacetColumn::CustomerInn, FacetValue::Text(text)) => Ok(digits(text)),
            (_, FacetValue::Text(text)) => Ok((&**text).into()),
        }
    }
}

/// A text that is usually a number: stored as an integer if that restores the same text.
fn digits(text: &str) -> ToSqlOutput<'_> {
    let is_number = (1..=18).contains(&text.len())
        && !text.starts_with('0')
        && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<i64>() {
        Ok(number) if is_number => number.into(),
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::file::model;
    use super::*;

    #[test]
    fn the_file_has_a_column_for_each_facet_in_their_order() {
        let model = model().expect("an empty file");
        let sql = "SELECT group_concat(name, ', ') FROM pragma_table_info('contract_facet')";
        let columns: String = model
            .query_row(sql, (), |row| row.get(0))
            .expect("its columns");
        let facets = FacetColumn::names(FacetColumn::ALL);
        assert_eq!(
            columns,
            format!("id, {facets}"),
            "schema.sql must have the columns of query/columns.rs"
        );
    }
}
