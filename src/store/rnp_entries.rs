//! The table `rnp_entry`: the entries of the registries of unfair suppliers.

use rusqlite::params;

use super::batch::BatchWriter;
use super::changes::AnswerKind;
use super::database::Database;
use super::error::Result;
use super::lines::EntryLine;
use super::record;
use super::suppliers::KnownSupplier;
use crate::model::{Inn, RnpEntry};

impl Database {
    /// The RNP entries of a supplier, of any date, in the order of the answer: by
    /// registration date, then number, both descending.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn rnp_entries(&self, supplier: &KnownSupplier) -> Result<Vec<RnpEntry>> {
        let sql = "SELECT record FROM rnp_entry WHERE supplier = ?1";
        let mut entries: Vec<RnpEntry> = Vec::new();
        self.file.each_blob(sql, [supplier.id], |bytes| {
            entries.push(record::entry(
                &self.file.path,
                supplier.inn.as_str(),
                bytes,
            )?);
            Ok(())
        })?;
        entries.sort_by(|a, b| {
            let key =
                |entry: &RnpEntry| (entry.registration_date, entry.registration_number.clone());
            key(b).cmp(&key(a))
        });
        Ok(entries)
    }
}

impl BatchWriter<'_> {
    pub(super) fn stored_entry(&mut self, number: &str) -> Result<Option<EntryLine>> {
        let stored = self.db.one(
            "SELECT supplier, federal_law, record FROM rnp_entry WHERE number = ?1",
            [number],
            |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)),
        )?;
        let Some((supplier, federal_law, record)) = stored else {
            return Ok(None);
        };
        Ok(Some(EntryLine {
            inn: self.suppliers.row_of_id(supplier)?.inn.clone(),
            federal_law,
            record,
        }))
    }

    pub(super) fn put_entry(&mut self, number: &str, line: &EntryLine) -> Result<()> {
        let stored = self.stored_entry(number)?;
        if stored.as_ref() == Some(line) {
            return Ok(());
        }
        for inn in stored.iter().map(|stored| &stored.inn).chain([&line.inn]) {
            self.entries_changed(inn);
        }
        let supplier = self.suppliers.row(&line.inn)?.id;
        self.db.execute(
            "INSERT INTO rnp_entry (number, supplier, federal_law, record) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO UPDATE SET supplier = ?2, federal_law = ?3, record = ?4",
            params![number, supplier, line.federal_law, line.record],
        )
    }

    pub(super) fn remove_entry(&mut self, number: &str) -> Result<()> {
        if let Some(stored) = self.stored_entry(number)? {
            self.entries_changed(&stored.inn);
        }
        let sql = "DELETE FROM rnp_entry WHERE number = ?1";
        self.db.execute(sql, [number])
    }

    fn entries_changed(&mut self, inn: &Inn) {
        let answer = (AnswerKind::Rnp, inn.as_str().to_owned());
        self.written.answers.insert(answer);
        self.written.changed = true;
    }
}
