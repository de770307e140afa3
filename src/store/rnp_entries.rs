//! The table `rnp_entry`: the entries of the registries of unfair suppliers.

use std::collections::BTreeSet;

use rusqlite::params;

use super::batch::BatchWriter;
use super::data_file::DataFile;
use super::documents::Documents;
#[cfg(feature = "postgresql")]
use super::error::Error;
use super::error::Result;
use super::lines::EntryLine;
use super::record;
use super::suppliers::KnownSupplier;
use crate::model::{ChangedPart, Inn, RnpEntry, Supplier};

impl DataFile {
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
        sort_entries(&mut entries);
        Ok(entries)
    }
}

/// Puts entries in the order of the answer: by registration date, then number, both descending.
pub(super) fn sort_entries(entries: &mut [RnpEntry]) {
    entries.sort_by(|a, b| {
        let key = |entry: &RnpEntry| (entry.registration_date, entry.registration_number.clone());
        key(b).cmp(&key(a))
    });
}

impl DataFile {
    /// Passes the RNP entries of the suppliers whose RNP checks have changed after a revision,
    /// of all suppliers if there is none, to `each`: the supplier's INN, the number, the entry,
    /// and the bytes of its record; by INN and number.
    #[cfg(feature = "postgresql")]
    pub(super) fn entry_records<E: From<Error>>(
        &self,
        after: Option<i64>,
        mut each: impl FnMut(&str, &str, &RnpEntry, &[u8]) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = match after {
            None => {
                "SELECT inn, number, record FROM rnp_entry JOIN supplier ON supplier.id = supplier \
                 WHERE ?1 IS NULL ORDER BY inn, number"
            }
            Some(_) => {
                "SELECT inn, number, record FROM rnp_entry JOIN supplier ON supplier.id = supplier \
                 WHERE supplier IN \
                 (SELECT subject FROM change WHERE revision > ?1 AND part = 2) \
                 ORDER BY inn, number"
            }
        };
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?));
        let entry = |(inn, number, bytes): (String, String, Vec<u8>)| {
            let entry = record::entry(&self.file.path, &inn, &bytes)?;
            each(&inn, &number, &entry, &bytes)
        };
        self.file.each(sql, [after], read, entry)
    }

    /// The RNP entry with this number, of any date, and its supplier.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn rnp_entry(&self, number: &str) -> Result<Option<(KnownSupplier, RnpEntry)>> {
        let sql = "SELECT supplier, record FROM rnp_entry WHERE number = ?1";
        let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
        let found: Option<(i64, Vec<u8>)> = self.file.one(sql, [number], read)?;
        let Some((supplier, bytes)) = found else {
            return Ok(None);
        };
        let supplier = self.supplier_with_id(supplier)?;
        let entry = record::entry(&self.file.path, supplier.inn.as_str(), &bytes)?;
        Ok(Some((supplier, entry)))
    }
}

impl BatchWriter<'_> {
    /// Sets an entry of the registry of unfair suppliers, from a document that was
    /// published at `published`; none removes it.
    ///
    /// # Errors
    /// As [`BatchWriter::set_contract`].
    pub fn set_rnp_entry(
        &mut self,
        number: &str,
        entry: Option<(&Supplier, &RnpEntry)>,
        published: i64,
    ) -> Result<()> {
        let sql = "SELECT supplier FROM rnp_entry WHERE number = ?1";
        let listed: Option<i64> = self.db.one(sql, [number], |row| row.get(0))?;
        if let Some(listed) = listed {
            let inn = &self.suppliers.row_of_id(listed)?.inn;
            if entry.is_none_or(|(supplier, _)| supplier.inn != *inn) {
                self.no_longer_named(listed, number)?;
            }
        }
        let Some((supplier, entry)) = entry else {
            return self.remove_entry(number);
        };
        self.name(supplier, published, number)?;
        let line = EntryLine {
            inn: supplier.inn.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode_entry(&self.db.path, &supplier.inn, entry)?,
        };
        self.put_entry(number, &line)
    }

    /// Removes the entries of `laws` that are not among `numbers`, and their documents.
    /// Returns how many entries.
    pub(super) fn remove_entries_not_in(
        &mut self,
        laws: &BTreeSet<String>,
        numbers: &BTreeSet<String>,
    ) -> Result<u64> {
        let mut gone = 0;
        for law in laws {
            let sql = "SELECT number FROM rnp_entry WHERE federal_law = ?1";
            let stored: Vec<String> = self.db.all(sql, [law], |row| row.get(0))?;
            for number in stored.iter().filter(|number| !numbers.contains(*number)) {
                self.set_rnp_entry(number, None, 0)?;
                Documents(self.db).forget_entry(number)?;
                gone += 1;
            }
        }
        Ok(gone)
    }

    /// The numbers of the entries of the supplier with this id.
    pub(super) fn entries_of(&self, supplier: i64) -> Result<Vec<String>> {
        let sql = "SELECT number FROM rnp_entry WHERE supplier = ?1";
        self.db.all(sql, [supplier], |row| row.get(0))
    }

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
        if let Some(stored) = &stored {
            self.entries_changed(&stored.inn)?;
        }
        let supplier = self.entries_changed(&line.inn)?;
        self.written.records += 1;
        self.db.execute(
            "INSERT INTO rnp_entry (number, supplier, federal_law, record) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO UPDATE SET supplier = ?2, federal_law = ?3, record = ?4",
            params![number, supplier, line.federal_law, line.record],
        )
    }

    pub(super) fn remove_entry(&mut self, number: &str) -> Result<()> {
        if let Some(stored) = self.stored_entry(number)? {
            self.entries_changed(&stored.inn)?;
            self.written.records += 1;
        }
        let sql = "DELETE FROM rnp_entry WHERE number = ?1";
        self.db.execute(sql, [number])
    }

    /// Returns the id of the supplier.
    fn entries_changed(&mut self, inn: &Inn) -> Result<i64> {
        let supplier = self.suppliers.row(inn)?.id;
        self.written.parts.insert((ChangedPart::Rnp, supplier));
        self.written.changed = true;
        Ok(supplier)
    }
}
