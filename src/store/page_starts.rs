//! Where the pages of large suppliers begin. The contracts before a page are counted over the facets,
//! some 8 ns for each. Whoever pages through a supplier, or asks for page after page behind the first
//! thousands, would have the same ones counted again and again; so every thousandth is remembered,
//! while the file is open.

use std::collections::HashMap;
use std::ops::Range;

use super::contract_id::ids_of_supplier;
use super::error::Result;
use super::file::OpenFile;

/// The number of contracts from one that is remembered to the next.
const STEP: u64 = if cfg!(test) { 4 } else { 1_024 };

/// The most contracts that are remembered: 800 KB. All are forgotten before another one.
const MAX_REMEMBERED: usize = if cfg!(test) { 6 } else { 100_000 };

/// The ids of every [`STEP`]th contract of suppliers, by the order of ids, the greatest first.
#[derive(Debug, Default)]
pub(super) struct PageStarts {
    of_suppliers: HashMap<i64, Vec<i64>>,
    remembered: usize,
}

impl PageStarts {
    /// Returns the id of the supplier's contract that has so many greater ones; none if it has no
    /// more contracts than that.
    pub fn id_after(&mut self, db: &OpenFile, supplier: i64, greater: u64) -> Result<Option<i64>> {
        let ids = ids_of_supplier(supplier);
        let (steps, rest) = (greater / STEP, greater % STEP);
        let end = match steps {
            0 => Some(ids.end),
            steps => self.last_of_step(db, supplier, steps)?,
        };
        end.map_or(Ok(None), |end| nth_greatest(db, ids.start..end, rest))
    }

    /// Returns the id of the last contract of this step, counted from 1.
    fn last_of_step(&mut self, db: &OpenFile, supplier: i64, step: u64) -> Result<Option<i64>> {
        if self.remembered >= MAX_REMEMBERED {
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
            self.remembered += 1;
        }
        let place = usize::try_from(step - 1).ok();
        Ok(place.and_then(|place| lasts.get(place)).copied())
    }
}

/// Returns the id of the contract with an id among these that has so many greater ones there.
fn nth_greatest(db: &OpenFile, ids: Range<i64>, greater: u64) -> Result<Option<i64>> {
    let sql = "SELECT id FROM contract_facet WHERE id >= ?1 AND id < ?2 \
               ORDER BY id DESC LIMIT 1 OFFSET ?3";
    let offset = i64::try_from(greater).unwrap_or(i64::MAX);
    db.one(sql, [ids.start, ids.end, offset], |row| row.get(0))
}
