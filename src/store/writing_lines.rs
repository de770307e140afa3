//! What lines other than contracts say, in the order of what they are about, into the
//! rows of suppliers, purchases and RNP entries: put if they differ from what is there.

use rusqlite::params;

use super::batch::Successive;
use super::changes::Answer;
use super::document::{Documents, Subject};
use super::error::Result;
use super::lines::{About, EntryLine};
use super::record;
use super::writing::Writing;
use crate::model::Inn;

/// Lines about one thing.
pub(super) struct LinesAbout {
    pub about: About,
    pub values: Successive<Vec<u8>>,
}

impl Writing<'_> {
    /// The lines about a thing that are to come.
    pub(super) fn lines_about(&mut self, about: About) -> Result<LinesAbout> {
        let (stored, outranked) = self.stored(&about)?;
        Ok(LinesAbout {
            about,
            values: Successive::new(stored, outranked),
        })
    }

    /// Takes in what the lines about a thing said.
    pub(super) fn take_lines(&mut self, lines: LinesAbout) -> Result<()> {
        let (value, tally) = lines.values.end();
        if let Some(value) = value {
            self.put(&lines.about, value)?;
        }
        if let Some(kind) = lines.about.kind() {
            let tallies = &mut self.written.tallies;
            tallies.entry(kind.to_owned()).or_default().add(tally);
        }
        Ok(())
    }

    /// What the file has in the place of such lines, if anything; and does an official
    /// document outrank them?
    fn stored(&mut self, about: &About) -> Result<(Option<Vec<u8>>, bool)> {
        let documents = Documents(self.db);
        Ok(match about {
            About::Name(inn) => {
                let name = self.suppliers.row(inn)?.given_name.clone().into_bytes();
                (Some(name), false)
            }
            About::Supplier(inn) => {
                let is_stated = self.suppliers.row(inn)?.stated;
                (is_stated.then(Vec::new), false)
            }
            About::RnpEntry(number) => (
                match self.stored_entry(number)? {
                    Some(entry) => Some(record::encode(&self.db.path, &entry)?),
                    None => None,
                },
                documents.has_founding(Subject::RnpEntry, number)?,
            ),
            About::Purchase(number) => (
                self.stored_purchase(number)?,
                documents.has_founding(Subject::Purchase, number)?,
            ),
        })
    }

    fn put(&mut self, about: &About, value: Vec<u8>) -> Result<()> {
        match about {
            About::Name(inn) => {
                let name = String::from_utf8_lossy(&value).into_owned();
                self.suppliers.row(inn)?.given_name = name;
                Ok(())
            }
            About::Supplier(inn) => {
                self.suppliers.row(inn)?.stated = true;
                Ok(())
            }
            About::RnpEntry(number) => {
                let entry = record::decode(&self.db.path, &value)?;
                self.put_entry(number, &entry)
            }
            About::Purchase(number) => self.put_purchase(number, &value),
        }
    }

    fn stored_entry(&mut self, number: &str) -> Result<Option<EntryLine>> {
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
        let answer = (Answer::Rnp, inn.as_str().to_owned());
        self.written.answers.insert(answer);
        self.written.changed = true;
    }

    fn stored_purchase(&self, number: &str) -> Result<Option<Vec<u8>>> {
        let sql = "SELECT record FROM purchase WHERE number = ?1";
        self.db.one(sql, [number], |row| row.get(0))
    }

    pub(super) fn put_purchase(&mut self, number: &str, record: &[u8]) -> Result<()> {
        if self.stored_purchase(number)?.as_deref() == Some(record) {
            return Ok(());
        }
        let answer = (Answer::Purchase, number.to_owned());
        self.written.answers.insert(answer);
        self.written.changed = true;
        self.db.execute(
            "INSERT INTO purchase (number, record) VALUES (?1, ?2) \
             ON CONFLICT DO UPDATE SET record = ?2",
            params![number, record],
        )
    }
}
