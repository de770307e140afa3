//! The purchases that a contract no longer names, as a newer document about it names another: their
//! cards show it no longer. The table is in the file of an unfinished import alone. It is committed
//! with the documents, so that an import that resumes a killed one derives these cards too.

use super::error::Result;
use super::file::OpenFile;

/// The table, which most imports do not need.
const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS purchase_left (number TEXT PRIMARY KEY) WITHOUT ROWID";

/// The table of purchases that contracts have left.
pub(super) struct PurchasesLeft<'a>(pub(super) &'a OpenFile);

impl PurchasesLeft<'_> {
    /// Adds a purchase.
    pub fn put(&self, number: &str) -> Result<()> {
        self.0.execute(TABLE, ())?;
        let sql = "INSERT OR IGNORE INTO purchase_left VALUES (?1)";
        self.0.execute(sql, [number])
    }

    /// Returns up to `count` purchases that come after `after`, in order.
    pub fn after(&self, after: &str, count: usize) -> Result<Vec<String>> {
        if !self.exists()? {
            return Ok(Vec::new());
        }
        let sql = "SELECT number FROM purchase_left WHERE number > ?1 ORDER BY number LIMIT ?2";
        self.0.all(sql, (after, count), |row| row.get(0))
    }

    /// Drops the table at the end of an import.
    pub fn end(&self) -> Result<()> {
        self.0.batch("DROP TABLE IF EXISTS purchase_left")
    }

    fn exists(&self) -> Result<bool> {
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'purchase_left'";
        Ok(self.0.one(sql, (), |_| Ok(()))?.is_some())
    }
}
