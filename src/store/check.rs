//! Checks a data file: runs SQLite's integrity check, then checks this program's invariants.

use std::cell::Cell;
use std::path::Path;

use rusqlite::Row;

use super::archives::{each_of_other_readers, refused};
use super::changes::check_log;
use super::content_rebuild;
use super::contract_id::{
    SUPPLIER_SHIFT, ids_of_day, ids_of_same_day, ids_of_supplier, is_in_order,
};
use super::contract_items::{ItemTable, ItemsTotal};
use super::coverage::check_coverage;
use super::data_file::version;
use super::derivation;
use super::documents::Documents;
use super::error::{Error, Result};
use super::facets::StoredFacets;
use super::file::OpenFile;
use super::file::{DATA, check_data_statements, check_tables};
use super::record;
use super::reg_num::RegNum;
use super::registries::check_registries;
use super::rnp_index::{RnpIndex, StoredEntry, select_entries, unsound};
use super::searched_names::SearchedNames;
use super::unread_entries::unread_entries;
use super::winners;
use crate::model::encoded::Encoded;
use crate::model::{Date, EncodedContract, Inn};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Contents {
    pub suppliers: u64,
    /// A contract counts once for each of its suppliers.
    pub contracts: u64,
    /// Contracts whose items are known only by code and sum. A contract counts once for each of its
    /// suppliers.
    pub contracts_without_items: u64,
    pub purchases: u64,
    /// All RNP entries, including those no longer in force.
    pub rnp_entries: u64,
    /// Official documents whose facts are stored.
    pub documents: u64,
    /// Documents in archives that could not be parsed.
    pub refused: u64,
    /// Version of the rules that derived the records; 0 before the first import.
    pub rules: i64,
    /// Time of the last change, in seconds since 1970.
    pub updated: i64,
}

/// Checks the whole file and counts its contents.
///
/// # Errors
/// Returns an error if the file cannot be opened, or the first violation found.
pub fn check(path: &Path) -> Result<Contents> {
    let file = DATA.open_to_read(path)?;
    check_tables(&file)?;
    check_data_statements(&file)?;
    let check = Check { file: &file };
    check.sqlite_integrity()?;
    check.row_sums()?;
    let contents = Contents {
        suppliers: check.count("SELECT count(*) FROM supplier WHERE inn >= '0'")?,
        contracts: check.contracts()?,
        contracts_without_items: check.items_total()?,
        purchases: check.purchases()?,
        rnp_entries: check.rnp_entries()?,
        documents: Documents(&file).check()?,
        refused: refused(&file)?,
        rules: derivation::rules(&file)?,
        updated: version(&file)?.updated,
    };
    check_registries(&file)?;
    unread_entries(&file)?;
    check_coverage(&file)?;
    SearchedNames(&file).check()?;
    content_rebuild::check(&file)?;
    check_log(&file)?;
    Ok(contents)
}

/// Calls `each` with the stored counts of each archive in the data file at `path` that was not read
/// by this version of the readers (`read_by`).
///
/// # Errors
/// Returns an error if the file cannot be opened or read.
pub fn archives_of_other_readers(
    path: &Path,
    read_by: i64,
    each: &mut dyn FnMut(&[u8]),
) -> Result<()> {
    each_of_other_readers(&DATA.open_to_read(path)?, read_by, each)
}

/// Statements that find rows with a wrong checksum, each with a description of such a row.
const ROW_SUMS: [(&str, &str); 5] = [
    (
        "SELECT 1 FROM release WHERE sum <> row_sum(version)",
        "the release that wrote the file",
    ),
    (
        "SELECT 1 FROM supplier WHERE sum <> row_sum(inn, contracts, stated, given_name, \
         official_name, official_since, official_by)",
        "a supplier",
    ),
    (
        "SELECT 1 FROM archive WHERE sum <> row_sum(name, size, modified, digest, read_by, \
         counted, refused)",
        "an imported archive",
    ),
    (
        "SELECT 1 FROM document_origin WHERE sum <> row_sum(name, subsystem)",
        "the name of a document",
    ),
    (
        "SELECT 1 FROM rnp_seen WHERE sum <> row_sum(number, seen)",
        "a number that a whole registry contained",
    ),
];

struct Check<'a> {
    file: &'a OpenFile,
}

impl Check<'_> {
    fn sqlite_integrity(&self) -> Result<()> {
        let answer: String = self
            .file
            .value("PRAGMA integrity_check(1)", (), |row| row.get(0))?;
        if answer == "ok" {
            Ok(())
        } else {
            Err(self.file.damaged(answer))
        }
    }

    /// Verifies the checksums of tables whose rows are not checked elsewhere.
    fn row_sums(&self) -> Result<()> {
        for (sql, what) in ROW_SUMS {
            if self.file.one(sql, (), |_| Ok(()))?.is_some() {
                let what = format!("the row of {what}: its checksum is wrong");
                return Err(self.file.damaged(what));
            }
        }
        Ok(())
    }

    /// Checks that each supplier has as many contracts as its row says, that no contract occurs
    /// twice under one supplier, that ids fit the day of signing and the order of registry numbers,
    /// and that items and facets match the records. Returns the number of contracts.
    fn contracts(&self) -> Result<u64> {
        let sql = "SELECT id, inn, contracts FROM supplier";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let mut total = 0;
        let supplier = |(id, inn, count): (i64, String, u64)| {
            let damaged = |what: &str| self.file.damaged(format!("{inn} {what}"));
            let found = Inn::from_stored(&inn).ok_or_else(|| damaged("is not an INN"))?;
            if self.contracts_of(id, &found)? != count {
                return Err(damaged("does not have as many contracts as its row says"));
            }
            total += count;
            Ok(())
        };
        self.file.each(sql, (), read, supplier)?;
        let contracts = self.count("SELECT count(*) FROM contract")?;
        let facets = self.count("SELECT count(*) FROM contract_facet")?;
        if [contracts, facets] != [total; 2] {
            return Err(self
                .file
                .damaged("contracts without a supplier or without facets"));
        }
        let sql = "SELECT reg_num FROM contract_facet AS one WHERE EXISTS (\
                   SELECT 1 FROM contract_facet AS other WHERE other.reg_num = one.reg_num \
                   AND other.id > one.id AND other.id < ((one.id >> ?1) + 1) << ?1) LIMIT 1";
        let twice: Option<RegNum> = self.file.one(sql, [SUPPLIER_SHIFT], |row| row.get(0))?;
        if let Some(reg_num) = twice {
            let what = format!("contract {reg_num} occurs twice under one supplier");
            return Err(self.file.damaged(what));
        }
        self.order_of_days()?;
        Ok(total)
    }

    /// Checks that each row of items belongs to a contract, and that the stored total is right.
    /// Returns the number of contracts without a row of items.
    fn items_total(&self) -> Result<u64> {
        let mut found = ItemsTotal::default();
        let sql = "SELECT coalesce(items, x'') FROM contract LEFT JOIN contract_items USING (id)";
        self.file.each_blob(sql, (), |items| {
            found.add(items);
            Ok::<_, Error>(())
        })?;
        if ItemTable(self.file).total()? != found {
            let what = "the items of contracts do not match their stored total";
            return Err(self.file.damaged(what));
        }
        let rows = self.count("SELECT count(*) FROM contract_items")?;
        match rows == found.with_items.unsigned_abs() {
            true => Ok(found.without_items.unsigned_abs()),
            false => Err(self.file.damaged("items without a contract")),
        }
    }

    /// Checks that the items of a contract can be decoded, and that their codes and sums agree with
    /// the record.
    fn items_of(&self, id: i64, inn: &Inn, contract: &EncodedContract<'_>) -> Result<()> {
        let bytes = ItemTable(self.file).of(id)?;
        if bytes.is_empty() {
            return Ok(());
        }
        let damaged = || record::not_items(&self.file.path);
        let unpacked = record::unpack_items(inn, &bytes).ok_or_else(damaged)?;
        let items = unpacked.items().ok_or_else(damaged)?;
        let in_items = items.map(|item| [item.code, item.sum].map(Encoded::text));
        let in_record = contract.products.map(|values| values.map(Encoded::text));
        match in_items.eq(in_record) {
            true => Ok(()),
            false => Err(self
                .file
                .damaged("items that do not match the record of the contract")),
        }
    }

    /// Checks that, within a day, contracts with ordered ids ([`is_in_order`]) follow the order of
    /// registry numbers.
    fn order_of_days(&self) -> Result<()> {
        let mut last: Option<(i64, RegNum)> = None;
        let sql = "SELECT id, reg_num FROM contract_facet ORDER BY id";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.file
            .each(sql, (), read, |(id, number): (i64, RegNum)| {
                if !is_in_order(id) {
                    return Ok(());
                }
                if let Some((before, smaller)) = &last
                    && ids_of_same_day(*before).contains(&id)
                    && *smaller >= number
                {
                    let what = format!("contract {number} is out of order within its day");
                    return Err(self.file.damaged(what));
                }
                last = Some((id, number));
                Ok(())
            })
    }

    fn contracts_of(&self, supplier: i64, inn: &Inn) -> Result<u64> {
        let sql = "SELECT id, record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id";
        let ids = ids_of_supplier(supplier);
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let mut count = 0;
        let contract = |(id, bytes): (i64, Vec<u8>)| {
            count += 1;
            let contract = record::contract(&self.file.path, inn, &bytes)?;
            let signed = Date::parse_iso(&contract.sign_date.text());
            if !ids_of_day(supplier, signed).contains(&id) {
                let what = format!(
                    "the id of contract {} does not fit its day",
                    contract.reg_num.text()
                );
                return Err(self.file.damaged(what));
            }
            self.items_of(id, inn, &contract)?;
            let facets = StoredFacets::new(&contract);
            let facets = facets.ok_or_else(|| record::not_a_contract(&self.file.path))?;
            match facets.is_stored(self.file, id)? {
                true => Ok(()),
                false => Err(self
                    .file
                    .damaged("facets that do not match the record of the contract")),
            }
        };
        self.file.each(sql, [ids.start, ids.end], read, contract)?;
        Ok(count)
    }

    /// Checks that the record of each purchase can be decoded and has the right number, and that
    /// exactly the winners in the records are stored. Returns the number of purchases.
    fn purchases(&self) -> Result<u64> {
        let won = Cell::new(0);
        let count = self.records("SELECT number, record FROM purchase", |number, bytes| {
            let purchase = record::purchase(&self.file.path, number, bytes)?;
            won.set(won.get() + winners::check(self.file, &purchase)?);
            Ok(purchase.number().as_str() == number)
        })?;
        match self.count("SELECT count(*) FROM purchase_winner")? == won.get() {
            true => Ok(count),
            false => Err(self
                .file
                .damaged("winners that are not in the record of the purchase")),
        }
    }

    /// Checks that the row of each RNP entry is intact and has a supplier, that number and law in
    /// the record agree with the row, and that the number is not in `rnp_seen` too. Returns the
    /// number of entries.
    fn rnp_entries(&self) -> Result<u64> {
        RnpIndex::load(self.file)?;
        let orphan = "SELECT number FROM rnp_entry WHERE inn NOT IN (SELECT inn FROM supplier)";
        if let Some(number) = self.file.one(orphan, (), |row| row.get::<_, String>(0))? {
            return Err(self.mismatch(&number));
        }
        let twice = "SELECT number FROM rnp_entry JOIN rnp_seen USING (number) LIMIT 1";
        if let Some(number) = self.file.one(twice, (), |row| row.get::<_, String>(0))? {
            let what = format!("entry {number} is among the numbers without an entry");
            return Err(self.file.damaged(what));
        }
        let mut count = 0;
        self.file
            .each(select_entries!(""), (), StoredEntry::read, |row| {
                count += 1;
                let row = row.ok_or_else(|| unsound(self.file))?;
                let entry = row.entry(self.file)?;
                match entry.registration_number == row.number
                    && entry.federal_law == row.federal_law
                {
                    true => Ok(()),
                    false => Err(self.mismatch(&row.number)),
                }
            })?;
        Ok(count)
    }

    /// Passes the number and the record of each row to `agrees`, which checks them. Returns the
    /// number of rows.
    fn records(
        &self,
        sql: &'static str,
        agrees: impl Fn(&str, &[u8]) -> Result<bool>,
    ) -> Result<u64> {
        let mut count = 0;
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.file
            .each(sql, (), read, |(number, bytes): (String, Vec<u8>)| {
                count += 1;
                match agrees(&number, &bytes)? {
                    true => Ok(()),
                    false => Err(self.mismatch(&number)),
                }
            })?;
        Ok(count)
    }

    fn mismatch(&self, number: &str) -> Error {
        let what = format!("the record of {number} does not match its row");
        self.file.damaged(what)
    }

    fn count(&self, sql: &'static str) -> Result<u64> {
        self.file.value(sql, (), |row| row.get(0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::changes::ChangedCustomers;
    use super::super::content_index::ContentChanges;
    use super::super::contracts::{ContractEdit, Contracts};
    use super::super::file::model;
    use super::super::record::ContractBytes;
    use super::*;
    use crate::model::Contract;

    #[test]
    fn contracts_of_a_day_out_of_order_are_reported_as_damage() {
        let db = OpenFile::new(model().expect("a file"), Path::new("data.sqlite"));
        let inn = Inn::parse("7700000000").expect("an INN");
        for reg_num in ["2", "1", "3"] {
            let contract = Contract {
                reg_num: reg_num.to_owned(),
                sign_date: Date::parse_iso("2025-01-31"),
                ..Contract::default()
            };
            let edit = ContractEdit {
                stored: None,
                contract: Some(ContractBytes::new(&db.path, &inn, &contract).expect("bytes")),
                is_logged: true,
            };
            let applied = Contracts(&db).apply(
                (1, &inn),
                &edit,
                &mut ChangedCustomers::default(),
                &mut ItemsTotal::default(),
                &mut ContentChanges::default(),
            );
            applied.expect("it is written");
        }
        let check = Check { file: &db };
        check.order_of_days().expect("they are in order");
        let sql = "UPDATE contract_facet SET id = id - 100000 WHERE reg_num = '3'";
        db.execute(sql, ()).expect("moved");
        check.order_of_days().expect_err("3 stands before 1");
    }
}
