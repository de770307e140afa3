//! The table `rnp_seen`: numbers that whole registries contained although they have no entry,
//! because a document cancels the inclusion or the entry was forgotten. They are kept in case the
//! entry is included again: an entry ends when a whole registry lacks it, so the import must know
//! that these registries contained it.

use rusqlite::{Row, params};

use super::error::Result;
use super::file::OpenFile;
use crate::model::Date;

/// Records that a whole registry as of `day` contained this number. Returns whether the day is
/// later than the recorded one.
pub(super) fn put(db: &OpenFile, number: &str, day: Date) -> Result<bool> {
    let sql = "INSERT INTO rnp_seen VALUES (?1, ?2, row_sum(?1, ?2)) \
               ON CONFLICT DO UPDATE SET seen = ?2, sum = row_sum(?1, ?2) WHERE seen < ?2";
    Ok(db.change(sql, params![number, day.number()])? > 0)
}

/// Removes a number, which now has an entry. Returns the last day for which a whole registry
/// contained the number.
pub(super) fn take(db: &OpenFile, number: &str) -> Result<Option<Date>> {
    let sql = "SELECT seen, sum = row_sum(number, seen) FROM rnp_seen WHERE number = ?1";
    let read = |row: &Row<'_>| {
        let (day, is_sound) = (Date::from_number(row.get(0)?), row.get(1)?);
        Ok(day.filter(|_| is_sound))
    };
    let Some(day) = db.one(sql, [number], read)? else {
        return Ok(None);
    };
    let what = "a number that a whole registry contained: its checksum is wrong";
    let day = day.ok_or_else(|| db.damaged(what))?;
    db.execute("DELETE FROM rnp_seen WHERE number = ?1", [number])?;
    Ok(Some(day))
}

/// Deletes the numbers last seen before the first remaining day of a whole registry.
pub(super) fn forget_unused(db: &OpenFile) -> Result<()> {
    let sql = "DELETE FROM rnp_seen WHERE NOT EXISTS (SELECT 1 FROM registry_day \
               WHERE is_whole AND CAST(replace(day, '-', '') AS INTEGER) <= seen)";
    db.execute(sql, ())
}
