//! The records of a supplier's contracts as a page shows them: newest first, those of one day by
//! registry number.
//!
//! Rows are in the order of days, so a page is one stretch of them. Those of a day are held until
//! the day is complete. The row that a page begins with is counted over the facets, which are some
//! ten times as narrow, from whichever end is nearer.

use std::ops::Range;

use rusqlite::Row;

use super::contract_id::{ids_of_same_day, ids_of_supplier};
use super::contracts::Contracts;
use super::error::Result;
use super::file::OpenFile;
use super::record;
use super::reg_num::RegNum;
use super::suppliers::SupplierRow;
use crate::model::{Date, Inn};

/// Passes up to `limit` records of a supplier's contracts to `each`, newest first, after the first
/// `skip`.
pub(super) fn newest_records(
    db: &OpenFile,
    supplier: &SupplierRow,
    skip: u64,
    limit: u64,
    each: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let ids = ids_of_supplier(supplier.id);
    let (end, skip) = match skip {
        0 => (ids.end, 0),
        skip => first_day(db, supplier, skip)?,
    };
    let mut page = Page {
        skip,
        limit,
        each,
        inn: &supplier.inn,
        db,
    };
    let (mut day, mut end) = (Day::default(), end);
    let sql = "SELECT id, record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id DESC";
    loop {
        db.each_row_while(sql, [ids.start, end], |row| {
            let failed = |error| db.failed(error);
            let id = row.get(0).map_err(failed)?;
            if !day.ids.contains(&id) {
                page.pass_day(&mut day)?;
                day.ids = ids_of_same_day(id);
            }
            let bytes = row.get_ref(1).and_then(|value| Ok(value.as_blob()?));
            day.bytes.extend_from_slice(bytes.map_err(failed)?);
            day.ends.push(day.bytes.len());
            Ok(page.limit > 0 && day.ends.len() < HELD)
        })?;
        if day.ends.len() < HELD || page.limit == 0 {
            return page.pass_day(&mut day);
        }
        page.pass_large_day(&day.ids)?;
        end = day.ids.start;
        day = Day::default();
    }
}

/// Returns the end of the ids of the day with the contract that `skip` newer ones precede, and how
/// many of these are of that day.
fn first_day(db: &OpenFile, supplier: &SupplierRow, skip: u64) -> Result<(i64, u64)> {
    let ids = ids_of_supplier(supplier.id);
    let older = supplier.contracts.saturating_sub(skip);
    if older == 0 {
        return Ok((ids.start, 0));
    }
    let (sql, offset) = match skip < older {
        true => (
            "SELECT id FROM contract_facet WHERE id >= ?1 AND id < ?2 \
             ORDER BY id DESC LIMIT 1 OFFSET ?3",
            skip,
        ),
        false => (
            "SELECT id FROM contract_facet WHERE id >= ?1 AND id < ?2 \
             ORDER BY id LIMIT 1 OFFSET ?3",
            older - 1,
        ),
    };
    let offset = i64::try_from(offset).unwrap_or(i64::MAX);
    let first: Option<i64> = db.one(sql, [ids.start, ids.end, offset], |row| row.get(0))?;
    let first =
        first.ok_or_else(|| db.damaged("a supplier's contracts have not all their facets"))?;
    let day = ids_of_same_day(first);
    let sql = "SELECT count(*) FROM contract_facet WHERE id > ?1 AND id < ?2";
    let newer = db.value(sql, [first, day.end], |row| row.get(0))?;
    Ok((day.end, newer))
}

/// The most contracts of a day whose records are held. Few suppliers have more.
const HELD: usize = 500;

/// The records of the day that is being read.
#[derive(Default)]
struct Day {
    /// The ids of its contracts.
    ids: Range<i64>,
    bytes: Vec<u8>,
    /// Where each record ends.
    ends: Vec<usize>,
}

/// A page that is being passed on.
struct Page<'a> {
    /// The number of records to pass over.
    skip: u64,
    /// The number of records to pass on.
    limit: u64,
    each: &'a mut dyn FnMut(&[u8]) -> Result<()>,
    inn: &'a Inn,
    db: &'a OpenFile,
}

impl Page<'_> {
    /// Passes on a record, if it is on the page.
    fn pass(&mut self, record: &[u8]) -> Result<()> {
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.limit > 0 {
            self.limit -= 1;
            return (self.each)(record);
        }
        Ok(())
    }

    /// Passes on the records of a day, the greatest registry number first, and empties it.
    fn pass_day(&mut self, day: &mut Day) -> Result<()> {
        if day.ends.len() == 1 {
            self.pass(&day.bytes)?;
        } else {
            let starts = [0].into_iter().chain(day.ends.iter().copied());
            let ranges = starts.zip(&day.ends).map(|(start, end)| start..*end);
            let mut keyed = Vec::with_capacity(day.ends.len());
            for record in ranges.filter_map(|range| day.bytes.get(range)) {
                let contract = record::contract(&self.db.path, self.inn, record)?;
                let signed = Date::parse_iso(&contract.sign_date.text());
                keyed.push((signed, RegNum::new(&contract.reg_num.text()), record));
            }
            keyed.sort_unstable_by(|a, b| b.cmp(a));
            let mut records = keyed.into_iter();
            records.try_for_each(|(.., record)| self.pass(record))?;
        }
        day.bytes.clear();
        day.ends.clear();
        Ok(())
    }

    /// Does the same for a day of more contracts than are held, by its facets.
    fn pass_large_day(&mut self, ids: &Range<i64>) -> Result<()> {
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
            self.pass(&Contracts(self.db).record(id)?)?;
        }
        Ok(())
    }
}
