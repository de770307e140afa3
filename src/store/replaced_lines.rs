//! Lines of an import that have replaced a value in the file. A later line may restore the value
//! from before the import. Then nothing has changed, and all lines about the subject count as
//! unchanged. The import therefore counts replacing lines in a table of the file being built. Once
//! all lines are written, it compares their subjects with the file from before the import.

use rusqlite::{Row, params};

use super::batch::{BatchWriter, Dirty};
use super::error::Result;
use super::facets;
use super::file::OpenFile;
use super::lines::{EntryLine, LineSubject};
use super::record;
use super::stored_values::{StoredValue, stored};
use super::suppliers::{SupplierRow, select_suppliers};
use super::tally::Tally;
use crate::model::{ChangedPart, Inn};

/// Creates the table that counts, for each subject, the lines that replaced a value.
const CREATE: &str = "CREATE TABLE IF NOT EXISTS replaced_line \
                      (subject BLOB PRIMARY KEY, newer INTEGER NOT NULL) STRICT, WITHOUT ROWID";

/// Subjects read per statement.
const AT_ONCE: usize = 1_000;

#[derive(Clone, Copy)]
pub(super) struct ReplacedLines<'a>(pub &'a OpenFile);

impl ReplacedLines<'_> {
    /// Adds to the counts. `lines` contains subjects, each with the number of lines that replaced
    /// its value.
    pub fn add(self, lines: &[(LineSubject, u64)]) -> Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.0.batch(CREATE)?;
        lines.iter().try_for_each(|(about, newer)| {
            let subject = record::encode(&self.0.path, about)?;
            let sql = "INSERT INTO replaced_line VALUES (?1, ?2) \
                       ON CONFLICT DO UPDATE SET newer = newer + ?2";
            self.0.execute(sql, params![subject, newer])
        })
    }

    pub fn has_any(self) -> Result<bool> {
        let sql = "SELECT 1 FROM sqlite_schema WHERE name = 'replaced_line'";
        Ok(self.0.one(sql, (), |_| Ok(()))?.is_some())
    }

    /// Sets all counts to 0 for a resumed import, which reads all lines again.
    pub fn restart(self) -> Result<()> {
        match self.has_any()? {
            true => self.0.batch("UPDATE replaced_line SET newer = 0"),
            false => Ok(()),
        }
    }

    /// Returns up to [`AT_ONCE`] encoded subjects that come after `last`, each with its number of
    /// lines.
    pub fn after(self, last: &[u8]) -> Result<Vec<(Vec<u8>, u64)>> {
        let sql = "SELECT subject, newer FROM replaced_line WHERE subject > ?1 \
                   ORDER BY subject LIMIT ?2";
        let read = |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?));
        self.0.all(sql, params![last, AT_ONCE], read)
    }

    pub fn clear(self) -> Result<()> {
        self.0.batch("DROP TABLE IF EXISTS replaced_line")
    }
}

impl BatchWriter<'_> {
    /// Counts the lines that replaced the value of a subject, and logs the change. If the value is
    /// the same as in `before`, the file before the import, the lines count as unchanged.
    pub(super) fn settle_line(
        &mut self,
        before: Option<&OpenFile>,
        subject: &[u8],
        newer: u64,
    ) -> Result<()> {
        let about: LineSubject = record::decode(&self.db.path, subject)?;
        let was = before.map(|file| stored(file, &about));
        let was = was.transpose()?.flatten();
        let is = stored(self.db, &about)?;
        let mut tally = Tally::default();
        let value = |stored: &Option<StoredValue>| stored.as_ref().map(|it| it.value.clone());
        if value(&was) == value(&is) {
            tally.unchanged = newer;
        } else {
            tally.newer = newer;
            self.written.dirty = Dirty::Answers;
            self.log_replaced(before, &about, [was, is])?;
        }
        if let Some(kind) = about.kind() {
            self.written.tally(kind, tally);
        }
        Ok(())
    }

    fn log_replaced(
        &mut self,
        before: Option<&OpenFile>,
        about: &LineSubject,
        values: [Option<StoredValue>; 2],
    ) -> Result<()> {
        let part = match about {
            LineSubject::Contract(supplier, _) => {
                for (file, value) in [before, Some(self.db)].into_iter().zip(&values) {
                    let id = value.as_ref().and_then(|value| value.contract);
                    if let Some((file, id)) = file.zip(id) {
                        facets::customer(file, id, |inn| self.customers.add(inn))?;
                    }
                }
                (ChangedPart::Contracts, *supplier)
            }
            LineSubject::RnpEntry(_) => {
                for value in values.into_iter().flatten() {
                    let entry: EntryLine = record::decode(&self.db.path, &value.value)?;
                    self.entries_changed(&entry.inn)?;
                }
                return Ok(());
            }
            LineSubject::Purchase(number) => {
                let sql = "SELECT id FROM purchase WHERE number = ?1";
                (
                    ChangedPart::Card,
                    self.db.value(sql, [number], |row| row.get(0))?,
                )
            }
            LineSubject::Name(inn) => {
                let was = before.map(|file| named(file, inn)).transpose()?.flatten();
                let row = self.suppliers.row(inn)?;
                if was.as_deref() == Some(row.name()) {
                    return Ok(());
                }
                (ChangedPart::Name, row.id)
            }
            // A line that only states a supplier replaces no value.
            LineSubject::Supplier(_) => return Ok(()),
        };
        self.written.parts.insert(part);
        Ok(())
    }
}

fn named(file: &OpenFile, inn: &Inn) -> Result<Option<String>> {
    let sql = select_suppliers!("WHERE inn = ?1");
    let row = file.one(sql, [inn.key()], SupplierRow::read)?;
    Ok(row.flatten().map(|supplier| supplier.name().to_owned()))
}
