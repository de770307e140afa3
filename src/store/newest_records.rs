//! The records of a supplier's contracts in the order of a page: newest first, and by registry
//! number within a day.
//!
//! Rows are in this order, except on days without an order ([`super::contract_id`]), whose
//! contracts are sorted by their facets. The first row of a page is found by counting facets
//! (`page_starts.rs`), which are about a tenth of the size of records.

use std::cell::RefCell;
use std::ops::Range;

use rusqlite::Row;

use super::contract_id::{ids_in_no_order, ids_of_same_day, ids_of_supplier, is_in_order};
use super::contracts::Contracts;
use super::error::Result;
use super::file::OpenFile;
use super::page_starts::PageStarts;
use super::reg_num::RegNum;
use super::suppliers::SupplierRow;

/// Passes the ids and records of up to `limit` contracts of a supplier to `each`, newest first,
/// after the first `skip`.
pub(super) fn newest_records(
    db: &OpenFile,
    starts: &RefCell<PageStarts>,
    supplier: &SupplierRow,
    skip: u64,
    limit: u64,
    each: &mut dyn FnMut(i64, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut ids = ids_of_supplier(supplier.id);
    let mut page = Page {
        skip,
        limit,
        each,
        db,
    };
    if skip > 0 {
        (ids.end, page.skip) = first_on_page(db, starts, supplier, skip)?;
    }
    // The callback checks the lower bound. In SQL, that check would add a twelfth to the time of
    // reading a row.
    let sql = "SELECT id, record FROM contract WHERE id < ?1 ORDER BY id DESC";
    while page.limit > 0 {
        let mut day_in_no_order = None;
        db.each_row_while(sql, [ids.end], |row| {
            let failed = |error| db.failed(error);
            let id = row.get(0).map_err(failed)?;
            if id < ids.start {
                return Ok(false);
            }
            if !is_in_order(id) {
                day_in_no_order = Some(ids_of_same_day(id));
                return Ok(false);
            }
            let bytes = row.get_ref(1).and_then(|value| Ok(value.as_blob()?));
            page.pass(id, bytes.map_err(failed)?)?;
            Ok(page.limit > 0)
        })?;
        let Some(day) = day_in_no_order else {
            break;
        };
        page.pass_day(&day)?;
        ids.end = day.start;
    }
    Ok(())
}

/// Finds the first contract after the first `skip`. Returns the end of the ids to read, and how
/// many of the contracts below it still have to be skipped. That number is 0 unless the day of the
/// first contract has to be sorted.
fn first_on_page(
    db: &OpenFile,
    starts: &RefCell<PageStarts>,
    supplier: &SupplierRow,
    skip: u64,
) -> Result<(i64, u64)> {
    let first = starts.borrow_mut().id_after(db, supplier.id, skip)?;
    let Some(first) = first else {
        return match skip < supplier.contracts {
            true => Err(db.damaged("a supplier has fewer facets than contracts")),
            false => Ok((ids_of_supplier(supplier.id).start, 0)),
        };
    };
    let day = ids_of_same_day(first);
    let sql = "SELECT count(*) FROM contract_facet WHERE id >= ?1 AND id < ?2";
    let count = |ids: Range<i64>| db.value(sql, [ids.start, ids.end], |row| row.get(0));
    match count(ids_in_no_order(&day))? {
        0 => Ok((first + 1, 0)),
        _ => Ok((day.end, count(first + 1..day.end)?)),
    }
}

struct Page<'a> {
    /// Number of records still to skip.
    skip: u64,
    /// Number of records still to pass on.
    limit: u64,
    each: &'a mut dyn FnMut(i64, &[u8]) -> Result<()>,
    db: &'a OpenFile,
}

impl Page<'_> {
    fn pass(&mut self, id: i64, record: &[u8]) -> Result<()> {
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.limit > 0 {
            self.limit -= 1;
            return (self.each)(id, record);
        }
        Ok(())
    }

    /// Passes on the records of a day whose ids are not in order, greatest registry number first.
    fn pass_day(&mut self, ids: &Range<i64>) -> Result<()> {
        let sql = "SELECT sign_date, reg_num, id FROM contract_facet WHERE id >= ?1 AND id < ?2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let mut keyed: Vec<(u32, RegNum, i64)> = self.db.all(sql, [ids.start, ids.end], read)?;
        keyed.sort_unstable_by(|a, b| b.cmp(a));
        let skipped = usize::try_from(self.skip).unwrap_or(usize::MAX);
        let skipped = skipped.min(keyed.len());
        self.skip -= skipped as u64;
        for (.., id) in keyed.into_iter().skip(skipped) {
            if self.limit == 0 {
                break;
            }
            self.pass(id, &Contracts(self.db).record(id)?)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use proptest::prelude::*;

    use super::super::changes::ChangedCustomers;
    use super::super::content_index::ContentChanges;
    use super::super::contract_items::ItemsTotal;
    use super::super::contracts::ContractEdit;
    use super::super::file::model;
    use super::super::record::{self, ContractBytes};
    use super::*;
    use crate::model::{Contract, Date, Inn};

    const SUPPLIER: i64 = 7;

    /// Returns a file with the given contracts of one supplier, added in this order, and with one
    /// contract of each neighbouring supplier.
    fn file(inn: &Inn, contracts: &[Contract]) -> OpenFile {
        let db = OpenFile::new(model().expect("an empty file"), Path::new("data.sqlite"));
        let other = Contract::default();
        let of_others = [(SUPPLIER - 1, &other), (SUPPLIER + 1, &other)];
        let own = contracts.iter().map(|contract| (SUPPLIER, contract));
        for (supplier, contract) in own.chain(of_others) {
            let edit = ContractEdit {
                stored: None,
                contract: Some(ContractBytes::new(&db.path, inn, contract).expect("bytes")),
                is_logged: true,
            };
            let added = &mut ChangedCustomers::default();
            let applied = Contracts(&db).apply(
                (supplier, inn),
                &edit,
                added,
                &mut ItemsTotal::default(),
                &mut ContentChanges::default(),
            );
            applied.expect("it is written");
        }
        db
    }

    fn contract() -> impl Strategy<Value = Contract> {
        const DAYS: [&str; 7] = [
            "",
            "0001-01-01",
            "1899-12-31",
            "2025-01-31",
            "2025-01-31",
            "2025-02-01",
            "2400-01-01",
        ];
        let reg_num = "[12][0-9]{18}|[a-c]{0,3}";
        (prop::sample::select(&DAYS[..]), reg_num).prop_map(|(day, reg_num)| Contract {
            sign_date: Date::parse_iso(day),
            reg_num,
            ..Contract::default()
        })
    }

    /// Orders contracts so that they leave the fewest gaps on arrival: the least number, the
    /// greatest, the second least, and so on.
    fn outside_in(contracts: &mut Vec<Contract>) {
        contracts.sort_by(|a, b| a.reg_num.cmp(&b.reg_num));
        let greatest = contracts.split_off(contracts.len().div_ceil(2));
        let mut greatest = greatest.into_iter().rev();
        let least = std::mem::take(contracts).into_iter();
        contracts.extend(least.flat_map(|one| [Some(one), greatest.next()]).flatten());
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_page_is_a_slice_of_all_contracts_newest_first(
            mut contracts in prop::collection::vec(contract(), 0..100),
            pages in prop::collection::vec((0..110_u64, 0..110_u64), 1..6),
            is_outside_in: bool,
        ) {
            if is_outside_in {
                outside_in(&mut contracts);
            }
            let inn = Inn::parse("7700000000").expect("an INN");
            let db = file(&inn, &contracts);
            let supplier = SupplierRow {
                id: SUPPLIER,
                inn: inn.clone(),
                contracts: contracts.len() as u64,
                stated: false,
                given_name: String::new(),
                official_name: None,
            };
            let mut all: Vec<_> = contracts.iter().map(|one| (one.sign_date, &one.reg_num)).collect();
            all.sort_by(|a, b| b.cmp(a));
            let starts = &RefCell::default();
            for (skip, limit) in pages {
                let mut page = Vec::new();
                newest_records(&db, starts, &supplier, skip, limit, &mut |_, bytes| {
                    page.push(record::contract(&db.path, &inn, bytes)?.reg_num.text().into_owned());
                    Ok(())
                }).expect("a page");
                let part = all.iter().skip(skip as usize).take(limit as usize);
                prop_assert_eq!(page, part.map(|(_, reg_num)| (*reg_num).clone()).collect::<Vec<_>>());
            }
        }
    }
}
