//! The table `contract_items` stores the items of contracts whose items hold more data than the
//! contract page shows. The totals in `contract_items_total` reveal missing rows.

use rusqlite::params;

use super::error::Result;
use super::file::OpenFile;
use super::record::items_sum;

#[derive(Clone, Copy)]
pub(super) struct ItemTable<'a>(pub &'a OpenFile);

/// Numbers of contracts with and without a row of items, and the sum of the checksums of these
/// rows. Also represents a change in these totals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ItemsTotal {
    pub with_items: i64,
    pub without_items: i64,
    pub digest: i64,
}

impl ItemsTotal {
    /// Counts a contract. `items` is its row of items, or empty if it has none.
    pub fn add(&mut self, items: &[u8]) {
        self.count(items, 1);
    }

    fn count(&mut self, items: &[u8], sign: i64) {
        if items.is_empty() {
            self.without_items += sign;
        } else {
            self.with_items += sign;
            self.digest += sign * items_sum(items);
        }
    }
}

impl ItemTable<'_> {
    /// Returns the contract's items with their checksum (`record.rs`); empty if there are none.
    pub fn of(self, id: i64) -> Result<Vec<u8>> {
        let sql = "SELECT items FROM contract_items WHERE id = ?1";
        let items = self.0.one(sql, [id], |row| row.get(0))?;
        Ok(items.unwrap_or_default())
    }

    pub fn put(self, id: i64, items: &[u8], total: &mut ItemsTotal) -> Result<()> {
        total.add(items);
        if items.is_empty() {
            return Ok(());
        }
        let sql = "INSERT INTO contract_items (id, items) VALUES (?1, ?2)";
        self.0.execute(sql, params![id, items])
    }

    pub fn remove(self, id: i64, total: &mut ItemsTotal) -> Result<Vec<u8>> {
        let sql = "DELETE FROM contract_items WHERE id = ?1 RETURNING items";
        let items: Option<Vec<u8>> = self.0.one(sql, [id], |row| row.get(0))?;
        let items = items.unwrap_or_default();
        total.count(&items, -1);
        Ok(items)
    }

    pub fn total(self) -> Result<ItemsTotal> {
        let sql = "SELECT with_items, without_items, digest FROM contract_items_total \
                   WHERE sum = row_sum(with_items, without_items, digest)";
        let total = self.0.one(sql, (), |row| {
            Ok(ItemsTotal {
                with_items: row.get(0)?,
                without_items: row.get(1)?,
                digest: row.get(2)?,
            })
        })?;
        let what = "the row with the number of contracts with items cannot be read";
        total.ok_or_else(|| self.0.damaged(what))
    }

    pub fn change_total(self, change: ItemsTotal) -> Result<()> {
        if change == ItemsTotal::default() {
            return Ok(());
        }
        let total = self.total()?;
        let sql = "UPDATE contract_items_total SET with_items = ?1, without_items = ?2, digest = ?3, \
                   sum = row_sum(?1, ?2, ?3)";
        let with_items = total.with_items + change.with_items;
        let without_items = total.without_items + change.without_items;
        let digest = total.digest + change.digest;
        self.0.execute(sql, [with_items, without_items, digest])
    }
}
