//! Counts and digests of the records and documents in a file and in a publication. If they differ,
//! the publication lacks rows of the file or has extra ones.

use super::super::contract_items::ItemTable;
use super::super::data_file::DataFile;
use super::super::error::{Error, Result};
use super::super::rnp_index::{StoredEntry, select_entries, unsound};
use super::super::suppliers::select_suppliers;
use super::client::Session;
use super::sender::{each_supplier, entry_sum, silence_for, supplier_sum};

/// Number of rows, and two sums over them.
type Total = [i64; 3];

#[derive(Debug, PartialEq, Eq)]
pub struct Totals([Total; 9]);

/// Names of the totals, for messages.
const NAMES: [&str; 9] = [
    "suppliers",
    "contracts",
    "purchases",
    "RNP entries",
    "documents",
    "tokens of contracts",
    "tokens of purchases",
    "facets of purchases",
    "items of contracts",
];

/// Statement for the totals of a table with ids, valid in SQLite and PostgreSQL. The second sum
/// also changes if ids are replaced in such a way that the first sum stays the same. Neither sum
/// overflows below 10^9 rows.
macro_rules! count_ids {
    ($table:literal) => {
        concat!(
            "SELECT count(*), coalesce(CAST(sum(id) AS bigint), 0), \
             coalesce(CAST(sum(id % 32749 * (id % 32719)) AS bigint), 0) FROM ",
            $table
        )
    };
}

/// Like [`count_ids`], but without the first sum, which would overflow for the ids of contracts.
macro_rules! count_contracts {
    ($table:literal) => {
        concat!(
            "SELECT count(*), CAST(0 AS bigint), \
             coalesce(CAST(sum(id % 32749 * (id % 32719)) AS bigint), 0) FROM ",
            $table
        )
    };
}

/// Statements that compute the totals of a publication, in the order of [`NAMES`].
const PUBLISHED: [&str; 9] = [
    "SELECT count(*), coalesce(CAST(sum(sum) AS bigint), 0), 0::bigint FROM supplier",
    count_contracts!("contract"),
    count_ids!("purchase"),
    "SELECT count(*), coalesce(CAST(sum(sum) AS bigint), 0), 0::bigint FROM rnp_entry",
    count_ids!("document"),
    count_contracts!("contract_content"),
    count_ids!("purchase_content"),
    count_ids!("purchase_facet"),
    "SELECT count(*), coalesce(CAST(sum(sum) AS bigint), 0), 0::bigint FROM contract_items",
];

impl Totals {
    /// Computes the totals of a file. Contracts, purchases and documents are counted without
    /// reading their records and facts. Every contract and purchase has tokens, so tokens have the
    /// same totals as contracts and purchases.
    ///
    /// # Errors
    /// Returns an error if the file is unreadable.
    pub fn of_file(file: &DataFile) -> Result<Self> {
        let [mut suppliers, mut entries] = [[0; 3]; 2];
        each_supplier(file, select_suppliers!(""), (), |supplier| {
            add(&mut suppliers, supplier_sum(supplier));
            Ok(())
        })?;
        let db = &file.file;
        db.each(select_entries!(""), (), StoredEntry::read, |entry| {
            add(&mut entries, entry_sum(&entry.ok_or_else(|| unsound(db))?));
            Ok::<_, Error>(())
        })?;
        let items = ItemTable(db).total()?;
        let count = |sql| db.value(sql, (), |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?]));
        let contracts = count(count_contracts!("contract_facet"))?;
        let purchases = count(count_ids!("purchase"))?;
        Ok(Self([
            suppliers,
            contracts,
            purchases,
            entries,
            count(count_ids!("document"))?,
            contracts,
            purchases,
            count(count_ids!("purchase_facet"))?,
            [items.with_items, items.digest, 0],
        ]))
    }

    /// Computes the totals of the tables in a session's search path.
    ///
    /// # Errors
    /// Returns an error if the server is lost or refuses.
    pub fn published(&self, session: &mut Session) -> Result<Self> {
        let rows: i64 = self.0.iter().map(|total| total[0]).sum();
        let within = silence_for(rows.unsigned_abs());
        let mut totals = [[0; 3]; 9];
        for (total, sql) in totals.iter_mut().zip(PUBLISHED) {
            for row in &session.rows(sql, &[], within)? {
                for (at, value) in total.iter_mut().enumerate() {
                    *value = session.get(row, at)?;
                }
            }
        }
        Ok(Self(totals))
    }

    /// Returns the name of the first total that differs.
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let pairs = self.0.iter().zip(&other.0);
        let differs = pairs.map(|(one, other)| one != other);
        let mut different = NAMES.into_iter().zip(differs);
        different
            .find(|(_, differs)| *differs)
            .map(|(name, _)| name)
    }
}

fn add(total: &mut Total, sum: i64) {
    total[0] += 1;
    total[1] += sum;
}
