//! A data file as the source of answers.

use std::collections::BTreeSet;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Params, Row};

use super::changes::contracts_changed;
use super::changes::{Revision, changes_after, changes_of, revision};
use super::content_index;
use super::contract_id::{ids_of_supplier, supplier_of};
use super::contract_items::ItemTable;
use super::contracts::Contracts;
use super::coverage::coverage;
use super::data_file::{DataFile, DataVersion, RecordCounts};
use super::documents::{DocumentHead, Documents};
use super::entry_list::EntryList;
use super::error::{Error, Result};
use super::facet_columns::{FacetColumn, FacetRow, FacetValue};
use super::facets::file_value;
use super::file::OpenFile;
use super::newest_records::newest_records;
use super::purchase_facets::PurchaseFacets;
use super::query::{
    Candidates, Condition, ContentKind, EachAt, EachEntry, EachFacets, EachItems, EachName, EachOf,
    EachPurchase, EachPurchaseFacets, EachRecord, EachWithItems, Owner, Prefetch, Source,
};
use super::reg_num::RegNum;
use super::rnp_index::{StoredEntry, record_about, select_entries, unsound};
use super::rows_by_id::each_row_of;
use super::searched_names::each_name;
use super::suppliers::{SupplierRow, select_suppliers, unsound_supplier};
use crate::model::{
    ContentTokens, Coverage, DocumentSubject, Inn, LogPosition, LoggedChange, PurchaseNumber,
    Registries, UnreadEntries,
};

impl Source for DataFile {
    fn begin(&mut self, _: Prefetch<'_>) -> Result<()> {
        Ok(())
    }

    fn hold(&mut self) -> Result<()> {
        Ok(())
    }

    fn has_moved(&self) -> bool {
        false
    }

    fn as_file(&self) -> Option<&DataFile> {
        Some(self)
    }

    fn damaged(&self, what: &str) -> Error {
        self.file.damaged(what)
    }

    fn version(&self) -> DataVersion {
        self.version
    }

    fn registries(&self) -> Registries {
        self.registries
    }

    fn unread_entries(&self) -> UnreadEntries {
        self.unread.clone()
    }

    fn contracts_without_items(&self) -> u64 {
        self.contracts_without_items
    }

    fn contracts_changed(&self) -> Result<Option<i64>> {
        contracts_changed(&self.file)
    }

    fn coverage(&self) -> Result<Arc<[Coverage]>> {
        Ok(coverage(&self.file)?.into())
    }

    fn counts(&self) -> Result<RecordCounts> {
        let sql = "SELECT count(iif(inn >= '0', 1, NULL)), coalesce(sum(contracts), 0), \
                   (SELECT count(*) FROM purchase), (SELECT count(*) FROM rnp_entry) FROM supplier";
        self.file.value(sql, (), |row| {
            Ok(RecordCounts {
                suppliers: row.get(0)?,
                contracts: row.get(1)?,
                purchases: row.get(2)?,
                rnp_entries: row.get(3)?,
            })
        })
    }

    fn supplier(&self, inn: &Inn) -> Result<Option<SupplierRow>> {
        let sql = select_suppliers!("WHERE inn = ?1");
        match self.find_supplier(sql, [inn.key()])? {
            Some(other) if other.inn != *inn => Err(unsound_supplier(&self.file)),
            found => Ok(found),
        }
    }

    fn suppliers_with_inns(&self, inns: &[Inn]) -> Result<Vec<SupplierRow>> {
        let missing = || self.file.damaged("a name without a supplier");
        let suppliers = inns.iter();
        let suppliers = suppliers.map(|inn| self.supplier(inn)?.ok_or_else(missing));
        suppliers.collect()
    }

    fn supplier_ids(&self, inns: &[Inn], each: EachAt<'_>) -> Result<()> {
        let sql = "SELECT id FROM supplier WHERE inn = ?1";
        for (at, inn) in inns.iter().enumerate() {
            let id: Option<i64> = self.file.one(sql, [inn.key()], |row| row.get(0))?;
            id.map_or(Ok(()), |id| each(at, id))?;
        }
        Ok(())
    }

    /// Reads the rows that the index in memory lists. [`DataFile::open`] has verified that the
    /// index is complete.
    fn entries(&self, inn: &Inn, each: EachRecord<'_>) -> Result<()> {
        let sql = select_entries!("WHERE id = ?1");
        for id in self.rnp.rows(inn) {
            let pass = |row: &Row<'_>| Ok(record_about(row, inn)?.map(&mut *each));
            let passed = self.file.one(sql, [id], pass)?.flatten();
            passed.ok_or_else(|| unsound(&self.file))??;
        }
        Ok(())
    }

    fn entry(&self, number: &str) -> Result<Option<(SupplierRow, Vec<u8>)>> {
        let sql = select_entries!("WHERE number = ?1");
        let Some(row) = self.file.one(sql, [number], StoredEntry::read)? else {
            return Ok(None);
        };
        let row = row.ok_or_else(|| unsound(&self.file))?;
        let supplier = self.supplier(&row.inn)?;
        let missing = || self.file.damaged("an entry without a supplier");
        Ok(Some((supplier.ok_or_else(missing)?, row.record)))
    }

    fn entry_list(&self) -> Result<Arc<EntryList>> {
        self.rnp.list(&self.file)
    }

    fn entries_with_numbers(&self, numbers: &[Box<str>], each: EachEntry<'_>) -> Result<()> {
        let sql = select_entries!("WHERE number = ?1");
        for number in numbers {
            if let Some(row) = self.file.one(sql, [number], StoredEntry::read)? {
                let row = row.ok_or_else(|| unsound(&self.file))?;
                each(&row.inn, &row.record)?;
            }
        }
        Ok(())
    }

    fn card(&self, number: &PurchaseNumber, each: EachRecord<'_>) -> Result<()> {
        let sql = "SELECT record FROM purchase WHERE number = ?1";
        self.file.each_blob(sql, [number.as_str()], each)
    }

    fn won(&self, inn: &Inn, skip: u64, limit: u64) -> Result<(u64, Vec<String>)> {
        let sql = "SELECT count(*) FROM purchase_winner WHERE inn = ?1";
        let count = self.file.value(sql, [inn.as_str()], |row| row.get(0))?;
        let sql = "SELECT number FROM purchase_winner WHERE inn = ?1 \
                   ORDER BY day DESC, number DESC LIMIT ?2 OFFSET ?3";
        let [limit, skip] = [limit, skip].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
        let params = (inn.as_str(), limit, skip);
        Ok((count, self.file.all(sql, params, |row| row.get(0))?))
    }

    fn contract(&self, reg_num: &str) -> Result<Vec<i64>> {
        Contracts(&self.file).ids(reg_num)
    }

    fn purchases_of_contract(&self, number: &str) -> Result<Vec<String>> {
        Documents(&self.file).purchases_of_contract(number)
    }

    fn candidates(&self, number: &str) -> Result<Candidates> {
        let sql = "SELECT EXISTS (SELECT 1 FROM purchase WHERE number = ?1), \
                   EXISTS (SELECT 1 FROM rnp_entry WHERE number = ?1)";
        let read = |row: &Row<'_>| Ok([row.get(0)?, row.get(1)?]);
        let [has_purchase, has_entry] = self.file.value(sql, [number], read)?;
        let has_contract = !self.contract(number)?.is_empty();
        Ok(Candidates {
            has_record: [has_contract, has_purchase, has_entry],
            documents: self.documents_of(number)?,
        })
    }

    fn names(&self, parts: &[Vec<String>], each: EachName<'_>) -> Result<()> {
        each_name(&self.file, parts, each)
    }

    fn newest(
        &self,
        supplier: &SupplierRow,
        skip: u64,
        limit: u64,
        each: EachRecord<'_>,
    ) -> Result<()> {
        let (file, starts) = (&self.file, &self.page_starts);
        newest_records(file, starts, supplier, skip, limit, &mut |_, record| {
            each(record)
        })
    }

    fn newest_with_items(&self, supplier: &SupplierRow, each: EachWithItems<'_>) -> Result<()> {
        let (file, starts) = (&self.file, &self.page_starts);
        newest_records(file, starts, supplier, 0, u64::MAX, &mut |id, record| {
            each(record, &ItemTable(file).of(id)?)
        })
    }

    fn facets(
        &self,
        owner: Owner<'_>,
        condition: &Condition<'_>,
        columns: &[FacetColumn],
        each: EachFacets<'_>,
    ) -> Result<()> {
        let names = FacetColumn::names(columns);
        match owner {
            Owner::Supplier(supplier) => {
                // The statement selects every row, matching or not, so that missing rows are
                // noticed.
                let sql = format!(
                    "SELECT 1{}, id, {names} FROM contract_facet \
                     WHERE id >= ?1 AND id < ?2 ORDER BY id",
                    condition.sql(|at, _| format!("?{}", at + 3)),
                );
                let ids = ids_of_supplier(supplier.id);
                let first = [ids.start.into(), ids.end.into()];
                match self.each_facets(&sql, first, condition, each)? == supplier.contracts {
                    true => Ok(()),
                    false => Err(self
                        .file
                        .damaged("a supplier has fewer facets than contracts")),
                }
            }
            Owner::Customer(inn) => {
                let sql = format!(
                    "SELECT 1, id, {names} FROM contract_facet WHERE customer_inn = ?1{}",
                    condition.sql(|at, _| format!("?{}", at + 2)),
                );
                let inn = FacetValue::Text(inn.into());
                let first = [file_value(FacetColumn::CustomerInn, &inn)];
                self.each_facets(&sql, first, condition, each).map(drop)
            }
        }
    }

    fn newest_named(&self, customer: &str) -> Result<Vec<i64>> {
        let sql = "SELECT id FROM contract_facet WHERE customer_inn = ?1 AND is_customer_named \
                   AND sign_date = (SELECT sign_date FROM contract_facet WHERE customer_inn = ?1 \
                   AND is_customer_named ORDER BY sign_date DESC LIMIT 1) ORDER BY id";
        let inn = FacetValue::Text(customer.into());
        let inn = file_value(FacetColumn::CustomerInn, &inn);
        self.file.all(sql, [inn], |row| row.get(0))
    }

    fn records(&self, ids: &[i64], each: EachRecord<'_>) -> Result<()> {
        let sql = "SELECT record FROM contract WHERE id = ?1";
        ids.iter()
            .try_for_each(|id| self.file.each_blob(sql, [id], &mut *each))
    }

    fn reg_nums(&self, ids: &[i64]) -> Result<Vec<RegNum>> {
        let sql = "SELECT reg_num FROM contract_facet WHERE id = ?1";
        let reg_num = |id: &i64| self.file.value(sql, [id], |row| row.get(0));
        ids.iter().map(reg_num).collect()
    }

    fn suppliers_of(&self, contracts: &[i64]) -> Result<Vec<SupplierRow>> {
        let ids = contracts.iter().map(|id| supplier_of(*id));
        ids.map(|id| self.supplier_with_id(id)).collect()
    }

    fn content_ids(
        &self,
        tokens: &ContentTokens,
        kind: ContentKind,
        ids: RangeInclusive<i64>,
        at_most: usize,
    ) -> Result<Vec<i64>> {
        let mut found = Vec::new();
        content_index::each_match(&self.file, tokens, kind, &ids, &mut |id| {
            found.push(id);
            match found.len() < at_most {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })?;
        Ok(found)
    }

    fn contract_ids(&self, ranges: &[RangeInclusive<i64>], each: EachAt<'_>) -> Result<()> {
        let sql = "SELECT id FROM contract_facet WHERE id BETWEEN ?1 AND ?2";
        for (at, range) in ranges.iter().enumerate() {
            self.file
                .each_row(sql, [range.start(), range.end()], |row| {
                    let id = row.get(0).map_err(|error| self.file.failed(error))?;
                    each(at, id)
                })?;
        }
        Ok(())
    }

    fn facets_of(&self, ids: &[i64], columns: &[FacetColumn], each: EachFacets<'_>) -> Result<()> {
        let db = &self.file;
        let names = FacetColumn::names(columns);
        let sql = format!(
            "SELECT 1, id, {names}, reg_num FROM contract_facet WHERE id >= ?1 ORDER BY id"
        );
        let reg_num_at = Some(columns.len() + 2);
        each_row_of(db, &sql, 1, ids, "a contract without facets", |row| {
            each(&FileRow {
                db,
                row,
                reg_num_at,
            })
        })
    }

    fn items(&self, ids: &[i64], each: EachItems<'_>) -> Result<()> {
        let sql = "SELECT items FROM contract_items WHERE id = ?1";
        for id in ids {
            let mut is_passed = false;
            self.file.each_blob(sql, [id], |items| {
                is_passed = true;
                each(Some(items))
            })?;
            if !is_passed {
                each(None)?;
            }
        }
        Ok(())
    }

    fn purchase_facets_of(&self, ids: &[i64], each: EachPurchaseFacets<'_>) -> Result<()> {
        let (db, sql) = (&self.file, PurchaseFacets::FROM);
        each_row_of(db, sql, 0, ids, "a purchase without facets", |row| {
            each(&PurchaseFacets::read(row).map_err(|error| db.failed(error))?)
        })
    }

    fn purchase_numbers(&self, ids: &[i64]) -> Result<Vec<String>> {
        let sql = "SELECT number FROM purchase WHERE id = ?1";
        let number = |id: &i64| self.file.value(sql, [id], |row| row.get(0));
        ids.iter().map(number).collect()
    }

    fn purchase_records(&self, ids: &[i64], each: EachPurchase<'_>) -> Result<()> {
        let sql = "SELECT number, record FROM purchase WHERE id = ?1";
        for id in ids {
            let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
            let (number, record): (String, Vec<u8>) = self.file.value(sql, [id], read)?;
            each(&number, &record)?;
        }
        Ok(())
    }

    fn oldest_revision(&self) -> Result<Option<u64>> {
        let sql = "SELECT min(number) FROM revision";
        Ok(self.file.one(sql, (), |row| row.get(0))?.flatten())
    }

    fn revision(&self, number: u64) -> Result<Option<Revision>> {
        revision(&self.file, number)
    }

    fn revision_before(&self, time: i64) -> Result<Option<u64>> {
        let sql = "SELECT max(number) FROM revision WHERE time < ?1";
        Ok(self.file.one(sql, [time], |row| row.get(0))?.flatten())
    }

    fn changes_after(&self, position: &LogPosition, limit: u64) -> Result<Vec<LoggedChange>> {
        changes_after(&self.file, position, limit)
    }

    fn changes_of(
        &self,
        supplier: &SupplierRow,
        position: &LogPosition,
    ) -> Result<Vec<LoggedChange>> {
        changes_of(&self.file, supplier, position)
    }

    fn suppliers(&self, each: EachOf<'_, SupplierRow>) -> Result<()> {
        // Read one row per statement, so that other statements can run in between.
        let sql = select_suppliers!("WHERE id > ?1 ORDER BY id LIMIT 1");
        let mut after = i64::MIN;
        while let Some(supplier) = self.find_supplier(sql, [after])? {
            after = supplier.id;
            if !each(&supplier) {
                break;
            }
        }
        Ok(())
    }

    fn purchases(&self, each: EachOf<'_, (String, Vec<u8>)>) -> Result<()> {
        let sql = "SELECT id, number, record FROM purchase WHERE id > ?1 ORDER BY id LIMIT 1";
        let read = |row: &Row<'_>| Ok((row.get(0)?, (row.get(1)?, row.get(2)?)));
        let mut after = i64::MIN;
        while let Some((id, card)) = self.file.one(sql, [after], read)? {
            after = id;
            if !each(&card) {
                break;
            }
        }
        Ok(())
    }
}

impl DataFile {
    #[inline]
    fn find_supplier(&self, sql: &'static str, params: impl Params) -> Result<Option<SupplierRow>> {
        let row = self.file.one(sql, params, SupplierRow::read)?;
        row.map(|row| row.ok_or_else(|| unsound_supplier(&self.file)))
            .transpose()
    }

    fn supplier_with_id(&self, id: i64) -> Result<SupplierRow> {
        let found = self.find_supplier(select_suppliers!("WHERE id = ?1"), [id])?;
        found.ok_or_else(|| unsound_supplier(&self.file))
    }

    /// Runs `sql` with the parameters in `first`, followed by those of the condition. Passes the
    /// rows whose first column is true to `each`. Returns the number of all rows.
    fn each_facets<const N: usize>(
        &self,
        sql: &str,
        first: [ToSqlOutput<'_>; N],
        condition: &Condition<'_>,
        each: EachFacets<'_>,
    ) -> Result<u64> {
        let db = &self.file;
        let values = condition.columns_and_values();
        let values = values.map(|(column, value)| file_value(column, value));
        let params = rusqlite::params_from_iter(first.into_iter().chain(values));
        let mut count = 0;
        db.each_row(sql, params, |row| {
            count += 1;
            match row.get_ref(0).map_err(|error| db.failed(error))? {
                ValueRef::Integer(0) | ValueRef::Null => Ok(()),
                _ => each(&FileRow {
                    db,
                    row,
                    reg_num_at: None,
                }),
            }
        })?;
        Ok(count)
    }

    /// Returns the documents about a number. Also returns the documents about purchases that led to
    /// contracts with this number, and about contracts to which a purchase with this number led.
    fn documents_of(&self, number: &str) -> Result<Vec<DocumentHead>> {
        let documents = Documents(&self.file);
        let mut found = Vec::new();
        for subject in DocumentSubject::ALL {
            documents.heads_about(subject, number, &mut found)?;
        }
        let purchases: BTreeSet<String> = found.iter().map(|one| one.purchase.clone()).collect();
        for purchase in purchases.iter().filter(|purchase| !purchase.is_empty()) {
            documents.heads_about(DocumentSubject::Purchase, purchase, &mut found)?;
        }
        for contract in documents.contracts_of(number)? {
            documents.heads_about(DocumentSubject::Contract, &contract, &mut found)?;
        }
        Ok(found)
    }
}

/// A row of `contract_facet`: whether it matches, the id, then the selected columns.
struct FileRow<'a> {
    db: &'a OpenFile,
    row: &'a Row<'a>,
    /// Index of the column with the registry number, if it is selected.
    reg_num_at: Option<usize>,
}

impl FacetRow for FileRow<'_> {
    fn id(&self) -> Result<i64> {
        self.row.get(1).map_err(|error| self.db.failed(error))
    }

    fn reg_num(&self) -> Result<RegNum> {
        let reg_num = self.row.get(self.reg_num_at.unwrap_or(usize::MAX));
        reg_num.map_err(|error| self.db.failed(error))
    }

    fn value(&self, at: usize) -> Result<FacetValue<'_>> {
        let value = self.row.get_ref(at + 2);
        match value.map_err(|error| self.db.failed(error))? {
            ValueRef::Null => Ok(FacetValue::Null),
            ValueRef::Integer(number) => Ok(FacetValue::Number(number)),
            value => {
                let text = value.as_str();
                let text = text.map_err(|error| self.db.damaged(error.to_string()))?;
                Ok(FacetValue::Text(text.into()))
            }
        }
    }
}
