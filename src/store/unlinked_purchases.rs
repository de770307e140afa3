//! Purchases that a contract no longer names, because a newer document about the contract names
//! another purchase. The cards of these purchases must no longer show the contract. The table
//! exists only in the file of an unfinished import. It is committed together with the documents, so
//! an import that resumes after a kill derives these cards too.

use super::error::Result;
use super::file::OpenFile;

/// Statement that creates the table. It runs on demand, because most imports do not need the table.
const TABLE: &str =
    "CREATE TABLE IF NOT EXISTS purchase_left (number TEXT PRIMARY KEY) WITHOUT ROWID";

pub(super) struct UnlinkedPurchases<'a>(pub(super) &'a OpenFile);

impl UnlinkedPurchases<'_> {
    pub fn put(&self, number: &str) -> Result<()> {
        self.0.execute(TABLE, ())?;
        let sql = "INSERT OR IGNORE INTO purchase_left VALUES (?1)";
        self.0.execute(sql, [number])
    }

    /// Returns up to `count` of the purchases whose numbers come after `after`, in ascending order.
    pub fn after(&self, after: &str, count: usize) -> Result<Vec<String>> {
        if !self.exists()? {
            return Ok(Vec::new());
        }
        let sql = "SELECT number FROM purchase_left WHERE number > ?1 ORDER BY number LIMIT ?2";
        self.0.all(sql, (after, count), |row| row.get(0))
    }

    pub fn end(&self) -> Result<()> {
        self.0.batch("DROP TABLE IF EXISTS purchase_left")
    }

    fn exists(&self) -> Result<bool> {
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'purchase_left'";
        Ok(self.0.one(sql, (), |_| Ok(()))?.is_some())
    }
}
