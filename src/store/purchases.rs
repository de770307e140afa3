//! The table `purchase`: the cards of purchases.

use rusqlite::params;

use super::batch::BatchWriter;
use super::data_file::DataFile;
use super::error::{Error, Result};
use super::record;
use crate::model::{ChangedPart, Purchase, PurchaseNumber};

impl DataFile {
    /// The card of a purchase, if there is one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn purchase(&self, number: &PurchaseNumber) -> Result<Option<Purchase>> {
        let sql = "SELECT record FROM purchase WHERE number = ?1";
        let mut purchase = None;
        self.file.each_blob(sql, [number.as_str()], |bytes| {
            purchase = Some(record::purchase(&self.file.path, number.as_str(), bytes)?);
            Ok(())
        })?;
        Ok(purchase)
    }

    /// Passes each purchase to `each`, in the order in which they came to the file.
    ///
    /// # Errors
    /// The file cannot be read, or what `each` returns.
    pub fn purchases<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Purchase) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = "SELECT number, record FROM purchase ORDER BY id";
        self.file.each(
            sql,
            (),
            |row| {
                let number: String = row.get(0)?;
                Ok((number, row.get::<_, Vec<u8>>(1)?))
            },
            |(number, bytes)| each(&record::purchase(&self.file.path, &number, &bytes)?),
        )
    }
}

impl DataFile {
    /// Passes the purchases whose cards have changed after a revision, all if there is none, to
    /// `each`: number, id of the row, and the bytes of the record; by number.
    #[cfg(feature = "postgresql")]
    pub(super) fn purchase_records<E: From<Error>>(
        &self,
        after: Option<i64>,
        mut each: impl FnMut(&str, i64, &[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = match after {
            None => "SELECT number, id, record FROM purchase WHERE ?1 IS NULL ORDER BY number",
            Some(_) => {
                "SELECT number, id, record FROM purchase WHERE id IN \
                 (SELECT subject FROM change WHERE revision > ?1 AND part = 3) ORDER BY number"
            }
        };
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let purchase = |(number, id, bytes): (String, i64, Vec<u8>)| {
            record::check_purchase(&self.file.path, &number, &bytes)?;
            each(&number, id, &bytes)
        };
        self.file.each(sql, [after], read, purchase)
    }
}

impl BatchWriter<'_> {
    pub(super) fn stored_purchase(&self, number: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT record FROM purchase WHERE number = ?1";
        self.db.one(sql, [number], |row| row.get(0))
    }

    pub(super) fn put_purchase(&mut self, number: &str, record: &[u8]) -> Result<()> {
        let stored = self.stored_purchase(number)?;
        if stored.is_some_and(|stored| record::is_same_purchase(number, &stored, record)) {
            return Ok(());
        }
        let id = self.db.one(
            "INSERT INTO purchase (number, record) VALUES (?1, ?2) \
             ON CONFLICT DO UPDATE SET record = ?2 RETURNING id",
            params![number, record],
            |row| row.get(0),
        )?;
        let card = id.map(|id| (ChangedPart::Card, id));
        self.written.parts.extend(card);
        self.written.records += 1;
        self.written.changed = true;
        Ok(())
    }
}
