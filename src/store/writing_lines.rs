//! What lines come to within a batch, and the rows of purchases and RNP entries:
//! put if they differ from what is there.

use rusqlite::params;

use super::batch::{EntryLine, Pending};
use super::changes::Answer;
use super::document::{Documents, Fate, Subject};
use super::error::Result;
use super::writing::Writing;
use crate::model::Inn;

impl Writing<'_> {
    pub(super) fn stated(&mut self, inn: &Inn, pending: &Pending<()>) -> Result<()> {
        let row = self.suppliers.row(inn)?;
        let fate = if row.stated {
            Fate::Unchanged
        } else {
            Fate::New
        };
        row.stated = true;
        self.tally(pending, fate);
        Ok(())
    }

    pub(super) fn entry_line(&mut self, number: &str, pending: Pending<EntryLine>) -> Result<()> {
        let fate = if Documents(self.db).has_founding(Subject::RnpEntry, number)? {
            Fate::Unchanged
        } else {
            self.put_entry(number, &pending.value)?
        };
        self.tally(&pending, fate);
        Ok(())
    }

    pub(super) fn purchase_line(&mut self, number: &str, pending: &Pending<Vec<u8>>) -> Result<()> {
        let fate = if Documents(self.db).has_founding(Subject::Purchase, number)? {
            Fate::Unchanged
        } else {
            self.put_purchase(number, &pending.value)?
        };
        self.tally(pending, fate);
        Ok(())
    }

    pub(super) fn put_entry(&mut self, number: &str, line: &EntryLine) -> Result<Fate> {
        let supplier = self.suppliers.row(&line.inn)?.id;
        let stored = self.db.one(
            "SELECT supplier, record FROM rnp_entry WHERE number = ?1",
            [number],
            |row| Ok((row.get::<_, i64>(0)?, row.get::<_, Vec<u8>>(1)?)),
        )?;
        let fate = match &stored {
            None => Fate::New,
            Some((id, record)) if *id == supplier && *record == line.record => {
                return Ok(Fate::Unchanged);
            }
            Some(_) => Fate::Newer,
        };
        if let Some((id, _)) = stored {
            self.entries_changed(id)?;
        }
        self.entries_changed(supplier)?;
        self.db.execute(
            "INSERT INTO rnp_entry (number, supplier, federal_law, record) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO UPDATE SET supplier = ?2, federal_law = ?3, record = ?4",
            params![number, supplier, line.federal_law, line.record],
        )?;
        Ok(fate)
    }

    pub(super) fn remove_entry(&mut self, number: &str) -> Result<()> {
        let supplier: Option<i64> = self.db.one(
            "DELETE FROM rnp_entry WHERE number = ?1 RETURNING supplier",
            [number],
            |row| row.get(0),
        )?;
        supplier.map_or(Ok(()), |supplier| self.entries_changed(supplier))
    }

    fn entries_changed(&mut self, supplier: i64) -> Result<()> {
        let inn = self.suppliers.row_of_id(supplier)?.inn.as_str().to_owned();
        self.written.answers.insert((Answer::Rnp, inn));
        self.written.changed = true;
        Ok(())
    }

    pub(super) fn put_purchase(&mut self, number: &str, record: &[u8]) -> Result<Fate> {
        let stored = self.db.one(
            "SELECT record FROM purchase WHERE number = ?1",
            [number],
            |row| row.get::<_, Vec<u8>>(0),
        )?;
        let fate = match stored {
            None => Fate::New,
            Some(stored) if stored == record => return Ok(Fate::Unchanged),
            Some(_) => Fate::Newer,
        };
        self.written
            .answers
            .insert((Answer::Purchase, number.to_owned()));
        self.written.changed = true;
        self.db.execute(
            "INSERT INTO purchase (number, record) VALUES (?1, ?2) \
             ON CONFLICT DO UPDATE SET record = ?2",
            params![number, record],
        )?;
        Ok(fate)
    }
}
