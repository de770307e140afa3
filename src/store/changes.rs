//! The log of changes: the parts of suppliers, customers, purchases and registries that imports
//! have changed, each with the revision of the last change (tables `change` and `revision`).
//!
//! The log keeps only the last change of each part. A change only moves to later revisions, never
//! to earlier ones, so a reader that continues from a position misses nothing. Changes made by the
//! running import belong to the revision that it is creating. The import works in a copy of the
//! file, so if the import is killed, the log stays as it was.

use std::collections::HashSet;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql, params};

use super::data_file::version;
use super::error::{Error, Result};
use super::file::OpenFile;
use super::suppliers::SupplierRow;
use crate::model::{
    ChangedPart, ChangedSubject, LogPosition, LogSubject, LoggedChange, Regime, Registries,
    Registry, UnreadEntries,
};

/// Changes older than this many days are dropped (manual, "API", "What changed").
pub const MAX_DAYS: u64 = 400;

/// Maximum number of changes in the log. The changes of the last import are kept even if there are
/// more.
pub const MAX_CHANGES: u64 = 5_000_000;

/// Number of suppliers and purchases whose answers an import has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeCount {
    pub suppliers: u64,
    pub purchases: u64,
}

/// A revision in the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Time of creation, in seconds since 1970.
    pub time: i64,
    pub identity: i64,
}

/// SQL conditions on the column `part`: for one [`ChangedPart`], or for several.
macro_rules! part_is {
    (contracts) => {
        "part = 1"
    };
    (rnp_check) => {
        "part = 2"
    };
    (card) => {
        "part = 3"
    };
    (customer_contracts) => {
        "part = 5"
    };
    (registry_state) => {
        "part = 6"
    };
    (of_supplier) => {
        "part IN (1, 2, 4)"
    };
    (of_contract_or_purchase) => {
        "part IN (1, 3, 5)"
    };
}
#[cfg(feature = "postgresql")]
pub(super) use part_is;

/// Returns the time of the last import that changed contracts or purchases, in seconds since 1970.
/// Returns `None` if the log has no such import.
pub(super) fn contracts_changed(db: &OpenFile) -> Result<Option<i64>> {
    let sql = concat!(
        "SELECT time FROM revision WHERE EXISTS (SELECT 1 FROM change \
         WHERE change.revision = revision.number AND ",
        part_is!(of_contract_or_purchase),
        ") ORDER BY number DESC LIMIT 1"
    );
    db.one(sql, (), |row| row.get(0))
}

/// Writes the changes of one revision to the log.
#[derive(Clone, Copy)]
pub(super) struct ChangeLog<'a> {
    db: &'a OpenFile,
    revision: i64,
}

impl<'a> ChangeLog<'a> {
    /// Returns the log for the running import, which creates the next revision.
    pub fn for_import(db: &'a OpenFile) -> Result<Self> {
        let revision = version(db)?.revision + 1;
        Ok(Self { db, revision })
    }

    #[cfg(test)]
    fn with_revision(db: &'a OpenFile, revision: i64) -> Self {
        Self { db, revision }
    }

    /// Logs a change of this part of the supplier, purchase or registry with this id. The id of a
    /// registry is the code of its law.
    pub fn add(self, part: ChangedPart, id: i64) -> Result<()> {
        self.put(part, &LogSubject::Number(id))
    }

    /// Logs the registries whose state or complete days have changed. A registry in which only the
    /// number of entries has changed is not logged.
    pub fn registries(self, before: &Registries, now: &Registries) -> Result<()> {
        for (was, is) in before.all.iter().zip(&now.all) {
            let with_its_entries = Registry {
                entries: is.entries,
                ..*was
            };
            if with_its_entries != *is || was.state() != is.state() {
                self.registry(is.law)?;
            }
        }
        Ok(())
    }

    /// Logs the registries whose unparsed inclusions have changed, because the outcome of an RNP
    /// check depends on them.
    pub fn unread(self, before: &UnreadEntries, now: &UnreadEntries) -> Result<()> {
        for law in Regime::ALL {
            let of_law = |entries: &UnreadEntries| {
                let of_law = entries.all.iter().filter(|one| one.law == law);
                of_law.cloned().collect::<Vec<_>>()
            };
            if of_law(before) != of_law(now) {
                self.registry(law)?;
            }
        }
        Ok(())
    }

    fn registry(self, law: Regime) -> Result<()> {
        let law = law.code().parse::<i64>();
        let law = law.map_err(|_| self.db.damaged("the code of a law is not a number"))?;
        self.add(ChangedPart::RegistryState, law)
    }

    /// Logs that contracts of the given customers have changed, and empties the set.
    pub fn customers(self, customers: &mut ChangedCustomers) -> Result<()> {
        let mut subjects: Vec<_> = customers.0.drain().collect();
        // Sort in the order of the table, in which writing is fastest.
        subjects.sort_unstable();
        let mut subjects = subjects.iter();
        subjects.try_for_each(|subject| self.put(ChangedPart::CustomerContracts, subject))
    }

    fn put(self, part: ChangedPart, subject: &LogSubject) -> Result<()> {
        let sql = "INSERT INTO change (part, subject, revision, sum) \
                   VALUES (?1, ?2, ?3, row_sum(?1, ?2, ?3)) ON CONFLICT DO UPDATE \
                   SET revision = excluded.revision, sum = excluded.sum WHERE revision <> ?3";
        self.db.execute(sql, (part as i64, subject, self.revision))
    }

    pub fn each_supplier(self, each: impl FnMut(i64) -> Result<()>) -> Result<()> {
        let sql = concat!(
            "SELECT DISTINCT subject FROM change WHERE revision = ?1 AND ",
            part_is!(of_supplier),
            " ORDER BY subject"
        );
        self.db.each(sql, [self.revision], |row| row.get(0), each)
    }

    pub fn each_customer(self, mut each: impl FnMut(&LogSubject) -> Result<()>) -> Result<()> {
        let sql = concat!(
            "SELECT subject FROM change WHERE revision = ?1 AND ",
            part_is!(customer_contracts),
            " ORDER BY subject"
        );
        let read = |row: &Row<'_>| row.get(0);
        self.db
            .each(sql, [self.revision], read, |inn: LogSubject| each(&inn))
    }

    pub fn count(self) -> Result<ChangeCount> {
        let sql = concat!(
            "SELECT count(DISTINCT iif(",
            part_is!(of_supplier),
            ", subject, NULL)), count(iif(",
            part_is!(card),
            ", 1, NULL)) FROM change WHERE revision = ?1"
        );
        self.db.value(sql, [self.revision], |row| {
            Ok(ChangeCount {
                suppliers: row.get(0)?,
                purchases: row.get(1)?,
            })
        })
    }

    /// Adds the revision, created at `now` (seconds since 1970). The data must already have its new
    /// identity. Drops changes that are older than [`MAX_DAYS`] or exceed [`MAX_CHANGES`].
    pub fn end(self, now: i64) -> Result<()> {
        let sql = "INSERT INTO revision (number, time, identity, sum) \
                   SELECT ?1, ?2, identity, row_sum(?1, ?2, identity) FROM meta";
        self.db.execute(sql, (self.revision, now))?;
        self.drop_older(now - seconds(MAX_DAYS), MAX_CHANGES)
    }

    /// Drops the changes of all revisions created before `time`, then those of the oldest revisions
    /// until at most `most` changes are left. Never drops the changes of this revision. The newest
    /// revision that loses its changes stays in the log without them and becomes the oldest one.
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

fn seconds(days: u64) -> i64 {
    0_i64.saturating_add_unsigned(days * 86_400)
}

/// Customers whose contracts the import has changed but not yet logged.
#[derive(Debug, Default)]
pub(super) struct ChangedCustomers(HashSet<LogSubject>);

impl ChangedCustomers {
    /// Number of customers held in memory before they are logged.
    const AT_ONCE: usize = if cfg!(test) { 3 } else { 100_000 };

    pub fn add(&mut self, inn: &str) {
        self.0.extend(LogSubject::customer(inn));
    }

    pub fn is_full(&self) -> bool {
        self.0.len() >= Self::AT_ONCE
    }
}

impl ToSql for LogSubject {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Number(number) => (*number).into(),
            Self::Text(text) => text.as_str().into(),
        })
    }
}

impl FromSql for LogSubject {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Integer(number) => Ok(Self::Number(number)),
            ValueRef::Text(_) => Ok(Self::Text(value.as_str()?.to_owned())),
            _ => Err(FromSqlError::InvalidType),
        }
    }
}

/// The first columns of every statement whose rows [`logged`] reads.
macro_rules! change_columns {
    () => {
        "SELECT change.part, change.subject, change.revision, \
         change.sum = row_sum(change.part, change.subject, change.revision), "
    };
}

/// SQL for the key of a change: an INN, a purchase number, or the code of a law.
macro_rules! change_key {
    () => {
        concat!(
            "CASE WHEN change.",
            part_is!(card),
            " THEN (SELECT number FROM purchase WHERE id = change.subject) WHEN change.",
            part_is!(of_supplier),
            " THEN (SELECT inn FROM supplier WHERE id = change.subject) \
             ELSE CAST(change.subject AS TEXT) END "
        )
    };
}

pub(super) fn revision(db: &OpenFile, revision: u64) -> Result<Option<Revision>> {
    let number = known_revision(revision);
    let sql = "SELECT time, identity, sum = row_sum(number, time, identity) FROM revision \
               WHERE number = ?1";
    let revision = db.one(sql, [number], |row| {
        let (time, identity) = (row.get(0)?, row.get(1)?);
        let is_sound: bool = row.get(2)?;
        Ok(is_sound.then_some(Revision { time, identity }))
    })?;
    let damaged = || db.damaged("a revision: its checksum is wrong");
    revision.map_or(Ok(None), |it| it.ok_or_else(damaged).map(Some))
}

/// Returns the changes of a supplier after a position, ordered by part.
pub(super) fn changes_of(
    db: &OpenFile,
    supplier: &SupplierRow,
    position: &LogPosition,
) -> Result<Vec<LoggedChange>> {
    let sql = concat!(
        change_columns!(),
        "?5 FROM change WHERE ",
        part_is!(of_supplier),
        " AND subject = ?4 AND (revision, part, subject) > (?1, ?2, ?3) ORDER BY part"
    );
    let (revision, part, subject) = bounds(position);
    let inn = supplier.inn.as_str();
    let params = params![revision, part, subject, supplier.id, inn];
    collect(db, sql, params)
}

/// Returns up to `limit` changes after a position, in the order of the log.
pub(super) fn changes_after(
    db: &OpenFile,
    position: &LogPosition,
    limit: u64,
) -> Result<Vec<LoggedChange>> {
    // The subquery reads only the index; the join adds the checksums.
    let sql = concat!(
        change_columns!(),
        change_key!(),
        "FROM (SELECT revision, part, subject FROM change \
         WHERE (revision, part, subject) > (?1, ?2, ?3) \
         ORDER BY revision, part, subject LIMIT ?4) AS page JOIN change USING (part, subject) \
         ORDER BY page.revision, page.part, page.subject"
    );
    let (revision, part, subject) = bounds(position);
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    collect(db, sql, params![revision, part, subject, limit])
}

/// Converts a position to a key of the log. The rows after the position are those with a greater
/// key.
fn bounds(position: &LogPosition) -> (i64, u8, &LogSubject) {
    const LAST: &LogSubject = &LogSubject::Number(0);
    let (part, subject) = match &position.row {
        Some((part, subject)) => (*part, subject),
        // Greater than the part of any row.
        None => (u8::MAX, LAST),
    };
    (known_revision(position.revision), part, subject)
}

fn collect(
    db: &OpenFile,
    sql: &'static str,
    params: impl rusqlite::Params,
) -> Result<Vec<LoggedChange>> {
    let mut changes = Vec::new();
    db.each(sql, params, logged, |change| {
        changes.push(change.ok_or_else(|| unsound_change(db))?);
        Ok::<_, Error>(())
    })?;
    Ok(changes)
}

#[cold]
fn unsound_change(db: &OpenFile) -> Error {
    db.damaged("a change: its checksum is wrong, or its supplier or purchase is missing")
}

/// Converts a revision to the stored type. A revision that is too large becomes the largest number,
/// which no file reaches.
fn known_revision(revision: u64) -> i64 {
    i64::try_from(revision).unwrap_or(i64::MAX)
}

/// Reads [`change_columns`] and the key. Returns `None` if the checksum is wrong or the key does
/// not fit the part.
fn logged(row: &Row<'_>) -> rusqlite::Result<Option<LoggedChange>> {
    let (id, revision): (_, i64) = (row.get(1)?, row.get(2)?);
    let key: Option<String> = row.get(4)?;
    let is_sound: bool = row.get(3)?;
    let part = ChangedPart::from_number(row.get(0)?).filter(|_| is_sound);
    Ok(part.zip(key).and_then(|(part, key)| {
        Some(LoggedChange {
            revision: revision.try_into().ok()?,
            subject: ChangedSubject::parse(part, &key)?,
            part,
            id,
        })
    }))
}

/// Verifies the checksums of the log, and that it has a row for every revision from the oldest to
/// the current one. Each change must belong to one of these revisions, and to a customer, a
/// registry, or an existing supplier or purchase.
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
            "the log of changes does not end at the current revision, or has a gap",
        ),
        (
            concat!(
                "SELECT 1 FROM change WHERE revision NOT IN (SELECT number FROM revision) \
                 OR NOT CASE WHEN ",
                part_is!(card),
                " THEN EXISTS (SELECT 1 FROM purchase WHERE id = subject) WHEN ",
                part_is!(customer_contracts),
                " THEN true WHEN ",
                part_is!(registry_state),
                " THEN subject IN (44, 223, 615) \
                 ELSE EXISTS (SELECT 1 FROM supplier WHERE id = subject) END"
            ),
            "a change whose revision, supplier or purchase is missing",
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

    use super::super::file::model;
    use super::*;

    /// Returns a file with five revisions, created at the times 100, 200 and so on, with two
    /// changes each.
    fn log() -> OpenFile {
        let connection = model().expect("an empty file");
        connection
            .execute_batch("DELETE FROM revision; INSERT INTO revision VALUES (0, 0, 0, 0)")
            .expect("a revision");
        let file = OpenFile::new(connection, Path::new("data.sqlite"));
        for revision in 1..=5 {
            let log = ChangeLog::with_revision(&file, revision);
            for subject in [revision, revision + 10] {
                log.add(ChangedPart::Contracts, subject).expect("added");
            }
            let sql = "INSERT INTO revision VALUES (?1, 100 * ?1, 0, 0)";
            file.execute(sql, [revision]).expect("a revision");
        }
        file
    }

    /// `expected` is the oldest revision and the number of changes that are left.
    #[track_caller]
    fn check(time: i64, most: u64, expected: (i64, i64)) {
        let file = log();
        let last = ChangeLog::with_revision(&file, 5);
        last.drop_older(time, most).expect("dropped");
        let sql = "SELECT (SELECT min(number) FROM revision), (SELECT count(*) FROM change)";
        let found = file.one(sql, (), |row| Ok((row.get(0)?, row.get(1)?)));
        assert_eq!(found.expect("a row"), Some(expected), "{time} {most}");
    }

    #[test]
    fn sql_conditions_match_the_numbers_of_parts() {
        for (condition, part) in [
            (part_is!(contracts), ChangedPart::Contracts),
            (part_is!(rnp_check), ChangedPart::Rnp),
            (part_is!(card), ChangedPart::Card),
            (part_is!(customer_contracts), ChangedPart::CustomerContracts),
            (part_is!(registry_state), ChangedPart::RegistryState),
        ] {
            assert_eq!(condition, format!("part = {}", part as u8));
        }
        use ChangedPart::{Contracts, Name, Rnp};
        let of_supplier = [Contracts, Rnp, Name].map(|part| (part as u8).to_string());
        let expected = format!("part IN ({})", of_supplier.join(", "));
        assert_eq!(part_is!(of_supplier), expected);
    }

    #[test]
    fn old_or_excess_changes_are_dropped_except_those_of_the_last_import() {
        check(0, 10, (0, 10));
        // Changes from before the given time are dropped. The last revision created before it
        // becomes the oldest.
        check(200, 10, (1, 8));
        check(201, 10, (2, 6));
        check(1000, 10, (4, 2));
        // A revision is dropped with all its changes.
        check(0, 9, (1, 8));
        check(0, 8, (1, 8));
        check(0, 7, (2, 6));
        check(0, 1, (4, 2));
        check(0, 0, (4, 2));
        check(301, 9, (3, 4));
    }
}
