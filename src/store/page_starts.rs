//! Cached positions at which the pages of large suppliers begin. To find the start of a page, the
//! contracts before it are counted by their facets, at about 8 ns each. A client that pages through
//! a large supplier would repeat that count for every page, so the id of every [`STEP`]th contract
//! is cached while the file is open. With a step of 1,024, the remaining count took a tenth of the
//! time of a page.

use std::collections::HashMap;
use std::ops::Range;

use super::contract_id::ids_of_supplier;
use super::error::Result;
use super::file::OpenFile;

/// Number of contracts between two cached ids.
const STEP: u64 = if cfg!(test) { 4 } else { 128 };

/// Upper bound on cached ids: 800 KB. The cache is cleared when it is full.
const MAX_CACHED: usize = if cfg!(test) { 6 } else { 100_000 };

/// Ids of every [`STEP`]th contract by supplier, in descending order.
#[derive(Debug, Default)]
pub(super) struct PageStarts {
    of_suppliers: HashMap<i64, Vec<i64>>,
    cached: usize,
}

impl PageStarts {
    /// Skips the `greater` greatest ids of a supplier and returns the next one in descending order.
    /// Returns `None` if there is none.
    pub fn id_after(&mut self, db: &OpenFile, supplier: i64, greater: u64) -> Result<Option<i64>> {
        let ids = ids_of_supplier(supplier);
        let (steps, rest) = (greater / STEP, greater % STEP);
        let end = match steps {
            0 => Some(ids.end),
            steps => self.last_of_step(db, supplier, steps)?,
        };
        end.map_or(Ok(None), |end| nth_greatest(db, ids.start..end, rest))
    }

    /// Returns the id of the last contract of a step, counting steps from 1.
    fn last_of_step(&mut self, db: &OpenFile, supplier: i64, step: u64) -> Result<Option<i64>> {
        if self.cached >= MAX_CACHED {
            *self = Self::default();
        }
        let ids = ids_of_supplier(supplier);
        let lasts = self.of_suppliers.entry(supplier).or_default();
        while (lasts.len() as u64) < step {
            let end = lasts.last().copied().unwrap_or(ids.end);
            let Some(last) = nth_greatest(db, ids.start..end, STEP - 1)? else {
                return Ok(None);
            };
            lasts.push(last);
            self.cached += 1;
        }
        let place = usize::try_from(step - 1).ok();
        Ok(place.and_then(|place| lasts.get(place)).copied())
    }
}

/// Skips the `greater` greatest ids within a range and returns the next one in descending order.
/// The statement has no lower bound, but it reads few rows below the range, because `greater` is
/// less than [`STEP`].
fn nth_greatest(db: &OpenFile, ids: Range<i64>, greater: u64) -> Result<Option<i64>> {
    let sql = "SELECT id FROM contract_facet WHERE id < ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2";
    let offset = i64::try_from(greater).unwrap_or(i64::MAX);
    let id = db.one(sql, [ids.end, offset], |row| row.get(0))?;
    Ok(id.filter(|id| ids.contains(id)))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::file::model;
    use super::*;

    #[test]
    fn the_cache_is_cleared_when_it_is_full() {
        let db = OpenFile::new(model().expect("an empty file"), Path::new("data.sqlite"));
        let mut starts = PageStarts::default();
        for supplier in 1..10 {
            let ids = ids_of_supplier(supplier);
            for id in ids.start..ids.start + 16 {
                let sql = "INSERT INTO contract_facet VALUES (?1, 0, 0, 0, '', 0, NULL, NULL, 0, \
                           NULL, 0, ?1)";
                db.execute(sql, [id]).expect("a contract");
            }
            let id = starts.id_after(&db, supplier, 3 * STEP);
            assert_eq!(id.expect("an id"), Some(ids.start + 15 - 3 * STEP as i64));
            assert!(starts.cached < MAX_CACHED + 3, "{starts:?}");
        }
    }
}
