//! RNP inclusions that could not be parsed (table `unread_entry`). An inclusion is settled once
//! other documents or lines give enough information about its number (`unread_settlement.rs`). An
//! inclusion without a number is identified only by its place, and stays until the file at that
//! place is read again.

use rusqlite::{Row, params};

use super::error::Result;
use super::file::OpenFile;
use super::record::digest;
use crate::model::{Inn, Regime, UnreadAbout, UnreadEntries, UnreadEntry};

/// Value of the column `about` for a supplier without an INN.
const NO_INN: &str = "-";

/// Value of the column `about` if the supplier is unknown.
const ANYBODY: &str = "*";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct UnreadRow {
    pub law: String,
    pub number: String,
    /// Version; -1 if unknown.
    pub version: i64,
    /// Publication time, in milliseconds since 1970; 0 if unknown.
    pub published: i64,
    pub about: String,
    pub archive: String,
    pub entry: String,
}

impl UnreadRow {
    pub fn new(unread: &UnreadEntry) -> Self {
        Self {
            law: unread.law.code().to_owned(),
            number: unread.number.clone(),
            version: unread.version.unwrap_or(-1),
            published: unread.published.unwrap_or(0),
            about: about_text(&unread.about),
            archive: unread.archive.clone(),
            entry: unread.entry.clone(),
        }
    }

    /// Returns `None` if the law or an INN is invalid.
    pub fn into_entry(self) -> Option<UnreadEntry> {
        let about = match self.about.as_str() {
            NO_INN => UnreadAbout::NoInn,
            ANYBODY => UnreadAbout::Anybody,
            inns => {
                let inns: Option<Vec<Inn>> = inns.split(' ').map(Inn::parse).collect();
                UnreadAbout::Inns(inns?)
            }
        };
        Some(UnreadEntry {
            law: Regime::from_code(&self.law)?,
            number: self.number,
            version: Some(self.version).filter(|version| *version >= 0),
            published: Some(self.published).filter(|published| *published != 0),
            about,
            archive: self.archive,
            entry: self.entry,
        })
    }

    /// Reads the columns `federal_law, number, version, published, about, archive, entry`, or
    /// `meant` in place of `about`.
    pub fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            law: row.get(0)?,
            number: row.get(1)?,
            version: row.get(2)?,
            published: row.get(3)?,
            about: row.get(4)?,
            archive: row.get(5)?,
            entry: row.get(6)?,
        })
    }
}

/// Formats the suppliers that an inclusion may be about, for the column `about`.
pub(super) fn about_text(about: &UnreadAbout) -> String {
    match about {
        UnreadAbout::NoInn => NO_INN.to_owned(),
        UnreadAbout::Anybody => ANYBODY.to_owned(),
        UnreadAbout::Inns(inns) => {
            let inns: Vec<&str> = inns.iter().map(Inn::as_str).collect();
            inns.join(" ")
        }
    }
}

/// Returns the inclusions that are not settled.
pub(super) fn unread_entries(db: &OpenFile) -> Result<UnreadEntries> {
    let damaged = || db.damaged("an inclusion that could not be parsed: its checksum is wrong");
    let sql = "SELECT federal_law, number, version, published, meant, archive, entry, \
               sum = row_sum(place, federal_law, number, version, published, about, archive, \
               entry, meant) FROM unread_entry";
    let read = |row: &Row<'_>| Ok(row.get::<_, bool>(7)?.then(|| UnreadRow::read(row)));
    let mut unread = Vec::new();
    db.each(sql, (), read, |row| {
        let row = row.transpose().map_err(|error| db.failed(error))?;
        let row = row.ok_or_else(damaged)?;
        if !row.about.is_empty() {
            unread.push(row.into_entry().ok_or_else(damaged)?);
        }
        Ok::<_, super::error::Error>(())
    })?;
    Ok(UnreadEntries::new(unread))
}

fn place_id(place: &str) -> i64 {
    digest(place.as_bytes())
}

/// Returns whether there are any unparsed inclusions, settled or not.
pub(super) fn has_any(db: &OpenFile) -> Result<bool> {
    let any = db.one("SELECT 1 FROM unread_entry LIMIT 1", (), |_| Ok(()))?;
    Ok(any.is_some())
}

pub(super) fn unread_at(db: &OpenFile, place: &str) -> Result<Vec<UnreadEntry>> {
    let sql = "SELECT federal_law, number, version, published, about, archive, entry \
               FROM unread_entry WHERE place = ?1";
    let rows: Vec<UnreadRow> = db.all(sql, [place_id(place)], UnreadRow::read)?;
    let entries = rows.into_iter().map(UnreadRow::into_entry);
    let entries: Option<Vec<_>> = entries.collect();
    entries.ok_or_else(|| db.damaged("an inclusion that could not be parsed"))
}

/// Stores the inclusions at a place. They replace earlier inclusions at that place that have no
/// number, and earlier readings of the same documents. New inclusions affect answers only once
/// `unread_settlement.rs` has processed them. Returns whether any inclusion was replaced.
pub(super) fn set_unread_at(db: &OpenFile, place: &str, unread: &[UnreadEntry]) -> Result<bool> {
    let id = place_id(place);
    let sql = "DELETE FROM unread_entry WHERE place = ?1 AND number = ''";
    let mut replaced = db.change(sql, [id])?;
    for one in unread.iter().map(UnreadRow::new) {
        let sql = "DELETE FROM unread_entry WHERE place = ?1 AND federal_law = ?2 \
                   AND number = ?3 AND version = ?4 AND published = ?5 AND about <> ?6";
        let document = params![
            id,
            one.law,
            one.number,
            one.version,
            one.published,
            one.about
        ];
        replaced += db.change(sql, document)?;
    }
    let sql = "INSERT OR IGNORE INTO unread_entry VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, '', \
               row_sum(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ''))";
    for one in unread.iter().map(UnreadRow::new) {
        let columns = params![
            id,
            one.law,
            one.number,
            one.version,
            one.published,
            one.about,
            one.archive,
            one.entry
        ];
        db.execute(sql, columns)?;
    }
    Ok(replaced > 0)
}
