//! The table `rnp_entry`: the entries of the registries of unfair suppliers.

use std::collections::{BTreeMap, BTreeSet};

use super::batch::{BatchWriter, Dirty};
use super::documents::Documents;
use super::error::Result;
use super::lines::EntryLine;
use super::record;
use super::rnp_index::{StoredEntry, select_entries, unsound};
use super::rnp_seen;
use crate::model::{ChangedPart, Date, Inn, RnpEntry, Supplier};

impl BatchWriter<'_> {
    /// Stores an entry of the registry of unfair suppliers, from a document published at
    /// `published`. Removes the entry if `entry` is `None`.
    ///
    /// # Errors
    /// See [`BatchWriter::set_contract`].
    pub fn set_rnp_entry(
        &mut self,
        number: &str,
        entry: Option<(&Supplier, &RnpEntry)>,
        published: i64,
    ) -> Result<()> {
        if let Some(stored) = self.entry_row(number)? {
            let is_other = |(supplier, _): (&Supplier, _)| supplier.inn != stored.inn;
            if entry.is_none_or(is_other) {
                let listed = self.suppliers.id(&stored.inn)?;
                self.no_longer_named(listed, number)?;
            }
        }
        let Some((supplier, entry)) = entry else {
            return self.remove_entry(number);
        };
        if !supplier.inn.is_none() {
            self.name(supplier, published, number)?;
        }
        let line = EntryLine {
            inn: supplier.inn.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode_entry(&self.db.path, &supplier.inn, entry)?,
        };
        self.put_entry(number, &line)
    }

    pub(super) fn entries_of(&self, inn: &Inn) -> Result<Vec<String>> {
        let sql = "SELECT number FROM rnp_entry WHERE inn = ?1";
        self.db.all(sql, [inn.as_str()], |row| row.get(0))
    }

    fn entry_row(&self, number: &str) -> Result<Option<StoredEntry>> {
        let sql = select_entries!("WHERE number = ?1");
        let row = self.db.one(sql, [number], StoredEntry::read)?;
        row.map(|row| row.ok_or_else(|| unsound(self.db)))
            .transpose()
    }

    /// Returns the entry with this number in the form of a line. Leaves out `removed_by`, because
    /// lines cannot state it.
    pub(super) fn stored_entry(&self, number: &str) -> Result<Option<EntryLine>> {
        let Some(row) = self.entry_row(number)? else {
            return Ok(None);
        };
        let mut entry = row.entry(self.db)?;
        let record = match entry.removed_by.take() {
            None => row.record,
            Some(_) => record::encode_entry(&self.db.path, &row.inn, &entry)?,
        };
        Ok(Some(EntryLine {
            inn: row.inn,
            federal_law: row.federal_law,
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
        self.written.records += 1;
        self.entries_changed(&line.inn)?;
        let seen = match self.entry_row(number)? {
            Some(row) => row.seen,
            None => rnp_seen::take(self.db, number)?,
        };
        let row = StoredEntry {
            number: number.to_owned(),
            inn: line.inn.clone(),
            federal_law: line.federal_law.clone(),
            seen,
            record: line.record.clone(),
        };
        row.put(self.db)
    }

    pub(super) fn remove_entry(&mut self, number: &str) -> Result<()> {
        if let Some(stored) = self.entry_row(number)? {
            self.entries_changed(&stored.inn)?;
            self.written.records += 1;
            if let Some(day) = stored.seen {
                rnp_seen::put(self.db, number, day)?;
            }
        }
        let sql = "DELETE FROM rnp_entry WHERE number = ?1";
        self.db.execute(sql, [number])
    }

    /// Records that a whole registry as of this day contained entries with these numbers. Returns
    /// whether the day is later than the recorded one for any of them.
    pub(super) fn seen_on(&mut self, numbers: &[String], day: Date) -> Result<bool> {
        let mut is_new = false;
        for number in numbers {
            match self.entry_row(number)? {
                Some(row) if row.seen >= Some(day) => {}
                Some(mut row) => {
                    row.seen = Some(day);
                    row.put(self.db)?;
                    is_new = true;
                }
                None => is_new |= rnp_seen::put(self.db, number, day)?,
            }
        }
        Ok(is_new)
    }

    /// Marks entries as ended if a whole registry of their law no longer contains them, and removes
    /// the mark if a later one contains them again. `whole` has the days of whole registries, keyed
    /// by the code of the law. Returns the number of newly ended entries.
    pub(super) fn end_entries(
        &mut self,
        rows: Vec<StoredEntry>,
        whole: &BTreeMap<String, BTreeSet<Date>>,
    ) -> Result<u64> {
        let (mut ended, none) = (0, BTreeSet::new());
        for mut row in rows {
            let mut entry = row.entry(self.db)?;
            let days = whole.get(&row.federal_law).unwrap_or(&none);
            let mut removed_by = entry.removal(row.seen, days);
            if removed_by.is_some() {
                let published = Documents(self.db).last_published(&row.number)?;
                removed_by = entry.removal(row.seen.max(published.map(Date::in_moscow_at)), days);
            }
            if removed_by == entry.removed_by {
                continue;
            }
            ended += u64::from(entry.removed_by.is_none());
            entry.removed_by = removed_by;
            row.record = record::encode_entry(&self.db.path, &row.inn, &entry)?;
            row.put(self.db)?;
            self.entries_changed(&row.inn)?;
        }
        Ok(ended)
    }

    /// Deletes the entries that were not in force on `day` or later, with their documents and
    /// unparsed inclusions. Returns the number of deleted entries.
    pub(super) fn forget_entries_before(
        &mut self,
        rows: Vec<StoredEntry>,
        day: Date,
    ) -> Result<u64> {
        let mut forgotten = 0;
        for row in rows {
            let entry = row.entry(self.db)?;
            if entry.next_in_force(day).is_none() {
                self.set_rnp_entry(&row.number, None, 0)?;
                Documents(self.db).forget_entry(&row.number)?;
                let sql = "DELETE FROM unread_entry WHERE number = ?1";
                self.db.execute(sql, [&row.number])?;
                forgotten += 1;
            }
        }
        Ok(forgotten)
    }

    pub(super) fn entries_changed(&mut self, inn: &Inn) -> Result<()> {
        let supplier = self.suppliers.id(inn)?;
        self.written.parts.insert((ChangedPart::Rnp, supplier));
        self.written.dirty = Dirty::Answers;
        Ok(())
    }
}
