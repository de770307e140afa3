//! The purchases that an import derives only at its end, once. Their table is in the file of an
//! unfinished import alone. It is committed with the documents, so that a resumed import derives them
//! too.

use rusqlite::params;

use super::error::Result;
use super::file::OpenFile;

/// The table, which most imports do not need.
const TABLE: &str = "CREATE TABLE IF NOT EXISTS postponed_purchase \
                     (number TEXT PRIMARY KEY, with_contracts INTEGER NOT NULL) WITHOUT ROWID";

/// The records that are derived of a purchase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DerivedPart {
    /// Its card.
    Card,
    /// Its card and its contracts: its notice has changed.
    WithContracts,
}

/// The table of postponed purchases.
pub(super) struct PostponedPurchases<'a>(pub(super) &'a OpenFile);

impl PostponedPurchases<'_> {
    /// Adds a purchase.
    pub fn put(&self, number: &str, part: DerivedPart) -> Result<()> {
        self.0.execute(TABLE, ())?;
        let sql = "INSERT INTO postponed_purchase (number, with_contracts) VALUES (?1, ?2) \
                   ON CONFLICT DO UPDATE SET with_contracts = max(with_contracts, ?2)";
        let with_contracts = part == DerivedPart::WithContracts;
        self.0.execute(sql, params![number, with_contracts])
    }

    /// Returns the first purchase.
    pub fn first(&self) -> Result<Option<(String, DerivedPart)>> {
        if !self.exists()? {
            return Ok(None);
        }
        let sql = "SELECT number, with_contracts FROM postponed_purchase ORDER BY number LIMIT 1";
        self.0.one(sql, (), |row| {
            let with_contracts: bool = row.get(1)?;
            let part = if with_contracts {
                DerivedPart::WithContracts
            } else {
                DerivedPart::Card
            };
            Ok((row.get(0)?, part))
        })
    }

    /// Removes a purchase that was derived.
    pub fn remove(&self, number: &str) -> Result<()> {
        let sql = "DELETE FROM postponed_purchase WHERE number = ?1";
        self.0.execute(sql, [number])
    }

    /// Drops the table at the end of an import.
    ///
    /// # Errors
    /// A purchase was not derived: a fault in this program.
    pub fn end(&self) -> Result<()> {
        if !self.exists()? {
            return Ok(());
        }
        if let Some((number, _)) = self.first()? {
            return Err(self.0.damaged(format!("purchase {number} was not derived")));
        }
        self.0.batch("DROP TABLE postponed_purchase")
    }

    fn exists(&self) -> Result<bool> {
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'postponed_purchase'";
        Ok(self.0.one(sql, (), |_| Ok(()))?.is_some())
    }
}
