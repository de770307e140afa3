//! The table `purchase`: the cards of purchases.

use rusqlite::params;

use super::batch::{BatchWriter, Dirty};
use super::error::Result;
use super::purchase_facets::PurchaseFacets;
use super::{record, winners};
use crate::model::{ChangedPart, Purchase};

impl BatchWriter<'_> {
    pub(super) fn stored_purchase(&self, number: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT record FROM purchase WHERE number = ?1";
        self.db.one(sql, [number], |row| row.get(0))
    }

    /// Stores the card of a purchase, encoded in `record`, unless the same card is already stored.
    pub(super) fn put_purchase(&mut self, purchase: &Purchase, record: &[u8]) -> Result<()> {
        let number = purchase.number().as_str();
        let stored = self.stored_purchase(number)?;
        if let Some(stored) = &stored
            && record::is_same_purchase(number, stored, record)
        {
            return Ok(());
        }
        let id = self.db.value(
            "INSERT INTO purchase (number, record) VALUES (?1, ?2) \
             ON CONFLICT DO UPDATE SET record = ?2 RETURNING id",
            params![number, record],
            |row| row.get(0),
        )?;
        winners::put(self.db, purchase)?;
        if self.content.is_current(self.db)? {
            let read = |stored: Vec<u8>| record::purchase(&self.db.path, number, &stored);
            let stored = stored.map(read).transpose()?;
            PurchaseFacets::new(id, purchase).put(self.db)?;
            self.content.put_purchase(id, stored.as_ref(), purchase);
            if self.content.is_full() {
                self.content.write(self.db)?;
            }
        }
        self.written.parts.insert((ChangedPart::Card, id));
        self.written.records += 1;
        self.written.dirty = Dirty::Answers;
        Ok(())
    }
}
