//! The table `purchase`: the cards of purchases.

use rusqlite::params;

use super::batch::{BatchWriter, Dirty};
use super::error::Result;
use super::{record, winners};
use crate::model::ChangedPart;

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
        winners::put(self, number, record)?;
        let card = id.map(|id| (ChangedPart::Card, id));
        self.written.parts.extend(card);
        self.written.records += 1;
        self.written.dirty = Dirty::Answers;
        Ok(())
    }
}
