//! The log of changes: what of suppliers and purchases imports have changed, and in which
//! revision of the data it last did (tables `change` and `revision`).
//!
//! Of each thing only the last change is kept. Changes of the import under way have the
//! revision that it makes; as it works in a copy of the file, a killed one leaves the log as
//! it was.

use rusqlite::Row;

use super::data_file::{DataFile, version};
use super::error::{Error, Result};
use super::file::OpenFile;
use super::record::RowChecksum;
use super::suppliers::KnownSupplier;
use crate::model::{ChangedPart, ChangedSubject, Inn, LoggedChange, PurchaseNumber};

/// For how many days changes are kept (the manual, API, "What changed").
pub const MAX_DAYS: u64 = 400;

/// How many changes are kept; those of the last import all are.
pub const MAX_CHANGES: u64 = 5_000_000;

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
        /// Its contract page changed, or its name in it.
        contracts: bool,
        /// Its RNP check changed, or its name in it.
        rnp: bool,
    },
    /// The purchase of this number.
    Purchase(PurchaseNumber),
}

/// A revision that the log has.
#[derive(Clone, Copy, Debug)]
struct Revision {
    /// When it was made, in seconds since 1970.
    time: i64,
    /// The identity that the data had.
    identity: i64,
}

/// A row of the log, with the INN or number of what changed.
#[cfg(feature = "postgresql")]
#[derive(Debug)]
pub(super) struct LoggedRow {
    pub key: String,
    pub part: ChangedPart,
    pub subject: i64,
    pub revision: i64,
}

/// The log with the changes of one revision.
#[derive(Clone, Copy)]
pub(super) struct ChangeLog<'a> {
    db: &'a OpenFile,
    revision: i64,
}

impl<'a> ChangeLog<'a> {
    /// That of the import under way, which makes the next revision.
    pub fn of_import(db: &'a OpenFile) -> Result<Self> {
        let revision = version(db)?.revision + 1;
        Ok(Self { db, revision })
    }

    /// That of a revision that was made.
    pub fn of_revision(db: &'a OpenFile, revision: i64) -> Self {
        Self { db, revision }
    }

    /// Notes that a part of the supplier or purchase with this id changed.
    pub fn add(self, part: ChangedPart, subject: i64) -> Result<()> {
        let number = part as i64;
        let sum = change_sum(number, subject, self.revision);
        let sql = "INSERT INTO change (part, subject, revision, sum) VALUES (?1, ?2, ?3, ?4) \
                   ON CONFLICT DO UPDATE SET revision = ?3, sum = ?4 WHERE revision <> ?3";
        self.db.execute(sql, (number, subject, self.revision, sum))
    }

    /// How many suppliers and purchases it is about.
    pub fn count(self) -> Result<ChangeCount> {
        let sql = "SELECT count(DISTINCT iif(part <> 3, subject, NULL)), \
                   count(iif(part = 3, 1, NULL)) FROM change WHERE revision = ?1";
        let count = self.db.one(sql, [self.revision], |row| {
            Ok(ChangeCount {
                suppliers: row.get(0)?,
                purchases: row.get(1)?,
            })
        })?;
        Ok(count.unwrap_or_default())
    }

    /// Passes each supplier, by INN, then each purchase, by number, to `each`.
    pub fn each(self, mut each: impl FnMut(Changed) -> Result<()>) -> Result<()> {
        self.db.each(
            "SELECT inn, CASE WHEN given_name <> '' THEN given_name ELSE official_name END, \
             max(part IN (1, 4)), max(part IN (2, 4)) \
             FROM change JOIN supplier ON id = subject WHERE revision = ?1 AND part <> 3 \
             GROUP BY id ORDER BY inn",
            [self.revision],
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
        self.db.each(
            "SELECT number FROM change JOIN purchase ON id = subject \
             WHERE revision = ?1 AND part = 3 ORDER BY number",
            [self.revision],
            |row| row.get(0),
            |number: String| match PurchaseNumber::parse(&number) {
                Some(number) => each(Changed::Purchase(number)),
                None => Err(self.db.damaged(format!("{number} is no purchase's number"))),
            },
        )
    }

    /// Ends the revision, made at `now` (seconds since 1970), of which the data has its new
    /// identity, and drops what is older than [`MAX_DAYS`] or more than [`MAX_CHANGES`].
    pub fn end(self, now: i64) -> Result<()> {
        let sql = "INSERT INTO revision (number, time, identity, sum) \
                   SELECT ?1, ?2, identity, row_sum(?1, ?2, identity) FROM meta";
        self.db.execute(sql, (self.revision, now))?;
        self.drop_older(now - seconds(MAX_DAYS), MAX_CHANGES)
    }

    /// Drops the revisions made before `time`, and the oldest ones where there are more than
    /// `most` changes. What this revision changed stays.
    fn drop_older(self, time: i64, most: u64) -> Result<()> {
        let before = "SELECT max(number) FROM revision WHERE time < ?1";
        let before = self.db.one(before, [time], |row| row.get(0))?;
        let over = "SELECT revision FROM change \
                    ORDER BY revision DESC, part DESC, subject DESC LIMIT 1 OFFSET ?1";
        let over: Option<i64> = self.db.one(over, [most], |row| row.get(0))?;
        let dropped: Option<i64> = before.flatten().max(over);
        if let Some(oldest) = dropped.map(|dropped| dropped.min(self.revision - 1)) {
            let sql = "DELETE FROM change WHERE revision <= ?1";
            self.db.execute(sql, [oldest])?;
            let sql = "DELETE FROM revision WHERE number < ?1";
            self.db.execute(sql, [oldest])?;
        }
        Ok(())
    }
}

/// Days in seconds.
fn seconds(days: u64) -> i64 {
    0_i64.saturating_add_unsigned(days * 86_400)
}

fn change_sum(part: i64, subject: i64, revision: i64) -> u32 {
    let sum = RowChecksum::default().number(part).number(subject);
    sum.number(revision).finish()
}

impl DataFile {
    /// Passes the suppliers, by INN, then the purchases, by number, whose answers the last
    /// import that changed anything has changed to `each`.
    ///
    /// # Errors
    /// The file cannot be read, or what `each` returned.
    pub fn last_changes(&self, each: impl FnMut(Changed) -> Result<()>) -> Result<()> {
        ChangeLog::of_revision(&self.file, self.version().revision).each(each)
    }

    /// The oldest revision that can be asked after: the log has all changes since it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn oldest_revision(&self) -> Result<u64> {
        let sql = "SELECT min(number) FROM revision";
        let oldest = self.file.one(sql, (), |row| row.get::<_, Option<u64>>(0))?;
        let oldest = oldest.flatten();
        oldest.ok_or_else(|| self.file.damaged("the log of changes has no revision"))
    }

    /// When a revision was made, in seconds since 1970; none if the log does not have it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn revision_time(&self, revision: u64) -> Result<Option<i64>> {
        let revision = self.revision(known_revision(revision))?;
        Ok(revision.map(|revision| revision.time))
    }

    /// Did this data have this identity in this revision, and does the log have all changes
    /// since?
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn has_changes_since(&self, revision: i64, identity: i64) -> Result<bool> {
        let known = self.revision(revision)?;
        Ok(known.is_some_and(|known| known.identity == identity))
    }

    /// A revision, if the log has it.
    fn revision(&self, number: i64) -> Result<Option<Revision>> {
        let sql = "SELECT time, identity, sum FROM revision WHERE number = ?1";
        let revision = self.file.one(sql, [number], |row| {
            let (time, identity) = (row.get(0)?, row.get(1)?);
            let sum = RowChecksum::default().number(number).number(time);
            let is_sound = sum.number(identity).finish() == row.get::<_, u32>(2)?;
            Ok(is_sound.then_some(Revision { time, identity }))
        })?;
        let damaged = || self.file.damaged("a revision's row: its checksum is wrong");
        revision.map_or(Ok(None), |it| it.ok_or_else(damaged).map(Some))
    }

    /// The last revision in the log that was made before `time` (seconds since 1970).
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn revision_before(&self, time: i64) -> Result<Option<u64>> {
        let sql = "SELECT max(number) FROM revision WHERE time < ?1";
        let number = self.file.one(sql, [time], |row| row.get(0))?;
        Ok(number.flatten())
    }

    /// What changed after a revision, from the one at `skip` on, up to `limit`: in the order
    /// of revisions, within one always in the same order.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn changes_after(&self, revision: u64, skip: u64, limit: u64) -> Result<Vec<LoggedChange>> {
        let sql = "SELECT change.part, change.subject, change.revision, change.sum, \
                   CASE change.part WHEN 3 THEN (SELECT number FROM purchase WHERE id = change.subject) \
                   ELSE (SELECT inn FROM supplier WHERE id = change.subject) END \
                   FROM (SELECT revision, part, subject FROM change WHERE revision > ?1 \
                         ORDER BY revision, part, subject LIMIT ?2 OFFSET ?3) AS page \
                   JOIN change USING (part, subject) \
                   ORDER BY page.revision, page.part, page.subject";
        let [revision, limit, skip] = [revision, limit, skip].map(known_revision);
        let read = |row: &Row<'_>| Ok((part_and_revision(row)?, row.get(4)?));
        let mut changes = Vec::new();
        let range = [revision, limit, skip];
        self.file.each(sql, range, read, |(change, key)| {
            changes.push(self.logged(change, key)?);
            Ok(())
        })?;
        Ok(changes)
    }

    /// What changed of a supplier after a revision.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn changes_of(&self, supplier: &KnownSupplier, revision: u64) -> Result<Vec<LoggedChange>> {
        let sql = "SELECT part, subject, revision, sum FROM change \
                   WHERE part IN (1, 2, 4) AND subject = ?1 AND revision > ?2 ORDER BY part";
        let mut changes = Vec::new();
        let range = [supplier.id, known_revision(revision)];
        self.file.each(sql, range, part_and_revision, |change| {
            let key = Some(supplier.inn.as_str().to_owned());
            changes.push(self.logged(change, key)?);
            Ok(())
        })?;
        Ok(changes)
    }

    /// Passes the rows of the log after a revision to `each`, in its order.
    #[cfg(feature = "postgresql")]
    pub(super) fn logged_rows<E: From<Error>>(
        &self,
        revision: i64,
        mut each: impl FnMut(&LoggedRow) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = "SELECT part, subject, revision, sum, \
                   CASE part WHEN 3 THEN (SELECT number FROM purchase WHERE id = subject) \
                   ELSE (SELECT inn FROM supplier WHERE id = subject) END \
                   FROM change WHERE revision > ?1 ORDER BY revision, part, subject";
        let read = |row: &Row<'_>| {
            let (subject, revision) = (row.get(1)?, row.get(2)?);
            let change = part_and_revision(row)?.zip(row.get::<_, Option<String>>(4)?);
            Ok(change.map(|((part, _), key)| LoggedRow {
                key,
                part,
                subject,
                revision,
            }))
        };
        self.file.each(sql, [revision], read, |row| match row {
            Some(row) => each(&row),
            None => Err(self.unsound_change().into()),
        })
    }

    /// The revision of the oldest change in the log, if there is one.
    #[cfg(feature = "postgresql")]
    pub(super) fn oldest_change(&self) -> Result<Option<i64>> {
        let sql = "SELECT min(revision) FROM change";
        Ok(self.file.one(sql, (), |row| row.get(0))?.flatten())
    }

    /// How many changes the log has after a revision.
    #[cfg(feature = "postgresql")]
    pub(super) fn count_changes(&self, revision: i64) -> Result<i64> {
        let sql = "SELECT count(*) FROM change WHERE revision > ?1";
        let count = self.file.one(sql, [revision], |row| row.get(0))?;
        Ok(count.unwrap_or_default())
    }

    /// Passes number, time and identity of each revision of the log after this one to `each`.
    #[cfg(feature = "postgresql")]
    pub(super) fn revisions<E: From<Error>>(
        &self,
        after: i64,
        mut each: impl FnMut(i64, i64, i64) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let sql = "SELECT number FROM revision WHERE number > ?1 ORDER BY number";
        for number in self.file.all(sql, [after], |row| row.get(0))? {
            if let Some(revision) = self.revision(number)? {
                each(number, revision.time, revision.identity)?;
            }
        }
        Ok(())
    }

    fn logged(
        &self,
        change: Option<(ChangedPart, u64)>,
        key: Option<String>,
    ) -> Result<LoggedChange> {
        let logged = change.zip(key).and_then(|((part, revision), key)| {
            Some(LoggedChange {
                revision,
                subject: match part {
                    ChangedPart::Card => ChangedSubject::Purchase(PurchaseNumber::parse(&key)?),
                    _ => ChangedSubject::Supplier(Inn::parse(&key)?),
                },
                part,
            })
        });
        logged.ok_or_else(|| self.unsound_change())
    }

    #[cold]
    fn unsound_change(&self) -> Error {
        let what = "a change: its checksum is wrong, or what changed is missing";
        self.file.damaged(what)
    }
}

/// A revision as a file has it; no file has one past it.
fn known_revision(revision: u64) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}

/// Reads `part, subject, revision, sum`; none if the checksum is wrong.
fn part_and_revision(row: &Row<'_>) -> rusqlite::Result<Option<(ChangedPart, u64)>> {
    let (number, subject, revision) = (row.get(0)?, row.get(1)?, row.get(2)?);
    if change_sum(number, subject, revision) != row.get::<_, u32>(3)? {
        return Ok(None);
    }
    let part = ChangedPart::ALL
        .into_iter()
        .find(|part| *part as i64 == number);
    Ok(part.zip(revision.try_into().ok()))
}

/// Checks that the log has a row for each revision from the oldest to that of the data, and
/// that each change is of one of them, and of a supplier or purchase that is there.
pub(super) fn check_log(db: &OpenFile) -> Result<()> {
    for (sql, what) in [
        (
            "SELECT 1 FROM revision WHERE sum <> row_sum(number, time, identity)",
            "a revision: its checksum is wrong",
        ),
        (
            "SELECT 1 FROM change WHERE sum <> row_sum(part, subject, revision)",
            "a change: its checksum is wrong",
        ),
        (
            "SELECT 1 FROM meta WHERE (SELECT max(number) FROM revision) IS NOT revision \
             OR (SELECT max(number) - min(number) + 1 - count(*) FROM revision) <> 0 \
             OR (SELECT time FROM revision WHERE number = meta.revision) <> updated \
             OR (SELECT identity FROM revision WHERE number = meta.revision) <> identity",
            "the log of changes does not end with the revision of the data, or has a gap",
        ),
        (
            "SELECT 1 FROM change WHERE revision NOT IN (SELECT number FROM revision) \
             OR NOT iif(part = 3, EXISTS (SELECT 1 FROM purchase WHERE id = subject), \
             EXISTS (SELECT 1 FROM supplier WHERE id = subject))",
            "a change of a revision, a supplier or a purchase that is missing",
        ),
    ] {
        if db.one(sql, (), |_| Ok(()))?.is_some() {
            return Err(db.damaged(what));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use rusqlite::Connection;

    use super::super::file::DATA;
    use super::super::record::register_row_sum;
    use super::*;

    /// A file of five revisions, made at the times 100, 200…, each with two changes.
    fn log() -> OpenFile {
        let connection = Connection::open_in_memory().expect("memory");
        register_row_sum(&connection).expect("the function");
        connection.execute_batch(DATA.schema).expect("a schema");
        connection
            .execute_batch("DELETE FROM revision; INSERT INTO revision VALUES (0, 0, 0, 0)")
            .expect("a revision");
        let file = OpenFile::new(connection, Path::new("data.sqlite"));
        for revision in 1..=5 {
            let log = ChangeLog::of_revision(&file, revision);
            for subject in [revision, revision + 10] {
                log.add(ChangedPart::Contracts, subject).expect("added");
            }
            let sql = "INSERT INTO revision VALUES (?1, 100 * ?1, 0, 0)";
            file.execute(sql, [revision]).expect("a revision");
        }
        file
    }

    /// The oldest revision, and how many changes there are, once revision 5 has ended.
    #[track_caller]
    fn check(time: i64, most: u64, expected: (i64, i64)) {
        let file = log();
        let last = ChangeLog::of_revision(&file, 5);
        last.drop_older(time, most).expect("dropped");
        let sql = "SELECT (SELECT min(number) FROM revision), (SELECT count(*) FROM change)";
        let found = file.one(sql, (), |row| Ok((row.get(0)?, row.get(1)?)));
        assert_eq!(found.expect("a row"), Some(expected), "{time} {most}");
    }

    #[test]
    fn changes_go_with_their_days_or_their_number_and_the_last_import_s_stay() {
        check(0, 10, (0, 10));
        // What was made before a time can no longer be asked for; its revision is the oldest.
        check(200, 10, (1, 8));
        check(201, 10, (2, 6));
        check(1000, 10, (4, 2));
        // A revision goes as a whole.
        check(0, 9, (1, 8));
        check(0, 8, (1, 8));
        check(0, 7, (2, 6));
        check(0, 1, (4, 2));
        check(0, 0, (4, 2));
        check(301, 9, (3, 4));
    }

    #[test]
    fn a_change_stands_once_and_of_its_last_revision() {
        let file = log();
        let log = ChangeLog::of_revision(&file, 5);
        log.add(ChangedPart::Contracts, 1).expect("added");
        log.add(ChangedPart::Contracts, 1).expect("added");
        let sql = "SELECT group_concat(revision) FROM change WHERE subject = 1";
        let found = file.one(sql, (), |row| row.get::<_, String>(0));
        assert_eq!(found.expect("a row").as_deref(), Some("5"));
        let count = log.count().expect("a count");
        assert_eq!((count.suppliers, count.purchases), (3, 0));
    }
}
