//! What an import changed, and in whose answers: the table `changed`.
//!
//! It is kept in the file, so that the list and the data cannot come apart.

use super::error::Result;
use super::file::OpenFile;

/// An answer that may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AnswerKind {
    /// The contract page of a supplier.
    Contracts = 1,
    /// The RNP check of a supplier.
    Rnp = 2,
    /// The card of a purchase.
    Purchase = 3,
}

/// How many suppliers' and purchases' answers an import has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeCount {
    /// Suppliers.
    pub suppliers: u64,
    /// Purchases.
    pub purchases: u64,
}

/// A supplier or purchase whose answers changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// A supplier.
    Supplier {
        /// Its taxpayer number.
        inn: String,
        /// Its name; may be empty.
        name: String,
        /// Its contract page changed.
        contracts: bool,
        /// Its RNP check changed.
        rnp: bool,
    },
    /// The purchase of this number.
    Purchase(String),
}

/// How many lines or documents of one kind changed something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// About something that was not there.
    pub new: u64,
    /// Replaced what was there.
    pub newer: u64,
    /// Equal to what was there, or outranked by it.
    pub unchanged: u64,
}

impl Tally {
    /// Adds another tally.
    pub(super) fn add(&mut self, other: Self) {
        self.new += other.new;
        self.newer += other.newer;
        self.unchanged += other.unchanged;
    }

    pub(super) fn count(&mut self, change: DocumentChange) {
        match change {
            DocumentChange::New => self.new += 1,
            DocumentChange::Newer => self.newer += 1,
            DocumentChange::Unchanged => self.unchanged += 1,
        }
    }
}

/// What a document changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DocumentChange {
    New,
    Newer,
    Unchanged,
}

/// The table of what the last import that changed anything has changed; it may be the
/// current import.
#[derive(Clone, Copy)]
pub(super) struct Changes<'a>(pub &'a OpenFile);

impl Changes<'_> {
    pub fn add<'b>(self, answers: impl Iterator<Item = &'b (AnswerKind, String)>) -> Result<()> {
        for (answer, subject) in answers {
            let sql = "INSERT OR IGNORE INTO changed (answer, subject, sum) \
                       VALUES (?1, ?2, row_sum(?1, ?2))";
            self.0
                .execute(sql, rusqlite::params![*answer as u8, subject])?;
        }
        Ok(())
    }

    pub fn count(self) -> Result<ChangeCount> {
        let sql = "SELECT (SELECT count(DISTINCT subject) FROM changed WHERE answer < 3), \
                   (SELECT count(*) FROM changed WHERE answer = 3)";
        let count = self.0.one(sql, (), |row| {
            Ok(ChangeCount {
                suppliers: row.get(0)?,
                purchases: row.get(1)?,
            })
        })?;
        Ok(count.unwrap_or_default())
    }

    /// Passes each supplier, by INN, then each purchase, by number, to `each`.
    pub fn each(self, mut each: impl FnMut(Changed) -> Result<()>) -> Result<()> {
        self.0.each(
            "SELECT inn, CASE WHEN given_name <> '' THEN given_name ELSE official_name END, \
             EXISTS (SELECT 1 FROM changed WHERE answer = 1 AND subject = inn), \
             EXISTS (SELECT 1 FROM changed WHERE answer = 2 AND subject = inn) \
             FROM (SELECT DISTINCT subject FROM changed WHERE answer < 3) \
             JOIN supplier ON inn = subject ORDER BY inn",
            (),
            |row| {
                Ok(Changed::Supplier {
                    inn: row.get(0)?,
                    name: row.get(1)?,
                    contracts: row.get(2)?,
                    rnp: row.get(3)?,
                })
            },
            &mut each,
        )?;
        self.0.each(
            "SELECT subject FROM changed WHERE answer = 3 ORDER BY subject",
            (),
            |row| Ok(Changed::Purchase(row.get(0)?)),
            &mut each,
        )
    }

    pub fn clear(self) -> Result<()> {
        self.0.execute("DELETE FROM changed", ())
    }
}
