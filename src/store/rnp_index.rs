//! The registry of unfair suppliers in memory: the rows of the table `rnp_entry` by INN. Opening a
//! file reads and verifies the whole registry: each row by its checksum, and the completeness by
//! the number of rows and a digest (table `rnp_total`). So if no entry is found for a supplier,
//! there certainly is none, even if an index of SQLite is damaged.

use std::sync::{Arc, OnceLock};

use rusqlite::{Row, params};

use super::entry_list::{EntryList, ListedEntry};
use super::error::{Error, Result};
use super::file::OpenFile;
use super::record::{self, RowChecksum, head_of};
use crate::model::{Date, Inn, RnpEntry, Sha256};

/// A statement that selects rows for [`StoredEntry::read`].
macro_rules! select_entries {
    ($($which:expr),+) => {
        concat!(
            "SELECT number, inn, federal_law, seen, record, sum, id FROM rnp_entry ",
            $($which),+
        )
    };
}
pub(super) use select_entries;

#[derive(Debug)]
pub(super) struct RnpIndex {
    /// Sort key of the INN and row id of each entry, sorted by key. 16 bytes per entry.
    rows: Vec<(u64, i64)>,
    list: OnceLock<Arc<EntryList>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredEntry {
    pub number: String,
    pub inn: Inn,
    pub federal_law: String,
    /// The last day for which a whole registry contained the entry.
    pub seen: Option<Date>,
    /// The record sealed with the INN.
    pub record: Vec<u8>,
}

impl StoredEntry {
    /// Reads up to `limit` rows after a number, ordered by number.
    pub fn after(db: &OpenFile, number: &str, limit: u32) -> Result<Vec<Self>> {
        let sql = select_entries!("WHERE number > ?1 ORDER BY number LIMIT ?2");
        let rows: Vec<Option<Self>> = db.all(sql, params![number, limit], Self::read)?;
        let rows: Option<Vec<Self>> = rows.into_iter().collect();
        rows.ok_or_else(|| unsound(db))
    }

    /// Reads a row of [`select_entries`]. Returns `None` if the checksum is wrong.
    pub fn read(row: &Row<'_>) -> rusqlite::Result<Option<Self>> {
        if sum_if_sound(row, text(row, 1)?)?.is_none() {
            return Ok(None);
        }
        let Some(inn) = Inn::from_stored(row.get_ref(1)?.as_str()?) else {
            return Ok(None);
        };
        Ok(Some(Self {
            number: row.get(0)?,
            inn,
            federal_law: row.get(2)?,
            seen: Date::from_number(row.get(3)?),
            record: row.get(4)?,
        }))
    }

    pub fn entry(&self, db: &OpenFile) -> Result<RnpEntry> {
        record::entry(&db.path, self.inn.as_str(), &self.record)
    }

    pub fn put(&self, db: &OpenFile) -> Result<()> {
        let (number, inn, law) = (&self.number, self.inn.as_str(), &self.federal_law);
        let seen = self.seen.map_or(0, Date::number);
        let texts = [number.as_bytes(), inn.as_bytes(), law.as_bytes()];
        let sum = row_sum(texts, seen.into(), &self.record);
        db.execute(
            "INSERT INTO rnp_entry (number, inn, federal_law, seen, record, sum) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT DO UPDATE \
             SET inn = ?2, federal_law = ?3, seen = ?4, record = ?5, sum = ?6",
            params![number, inn, law, seen, self.record, sum],
        )
    }
}

fn row_sum(texts: [&[u8]; 3], seen: i64, record: &[u8]) -> u32 {
    let sum = texts
        .into_iter()
        .fold(RowChecksum::default(), RowChecksum::text);
    sum.number(seen).text(record).finish()
}

/// Returns the checksum of a row of [`select_entries`], or `None` if the stored checksum differs.
/// The caller has already read `inn` from the row.
fn sum_if_sound(row: &Row<'_>, inn: &[u8]) -> rusqlite::Result<Option<u32>> {
    let texts = [text(row, 0)?, inn, text(row, 2)?];
    let sum = row_sum(texts, row.get(3)?, row.get_ref(4)?.as_blob()?);
    Ok((sum == row.get::<_, u32>(5)?).then_some(sum))
}

/// Returns the record in a row of [`select_entries`]. Returns `None` if the checksum is wrong or
/// the entry is about another supplier.
pub(super) fn record_about<'a>(row: &'a Row<'_>, inn: &Inn) -> rusqlite::Result<Option<&'a [u8]>> {
    let about = text(row, 1)?;
    if about != inn.as_str().as_bytes() || sum_if_sound(row, about)?.is_none() {
        return Ok(None);
    }
    Ok(Some(row.get_ref(4)?.as_blob()?))
}

/// Returns the bytes of a text. UTF-8 needs no validation, because the checksum covers the bytes.
fn text<'a>(row: &'a Row<'_>, at: usize) -> rusqlite::Result<&'a [u8]> {
    Ok(row.get_ref(at)?.as_bytes()?)
}

/// The number of entries, and a digest of the checksums of their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Total {
    entries: i64,
    digest: i64,
}

impl RnpIndex {
    /// Reads and verifies the registry of a file.
    ///
    /// # Errors
    /// Returns an error if the registry cannot be read or is damaged.
    pub fn load(db: &OpenFile) -> Result<Self> {
        let mut rows = Vec::new();
        let total = read_all(db, |inn, id| rows.push((inn, id)))?;
        if stored_total(db)? != Some(total) {
            let what = "the registry of unfair suppliers: entries are missing or were added";
            return Err(db.damaged(what));
        }
        rows.sort_unstable_by_key(|row| row.0);
        rows.shrink_to_fit();
        Ok(Self {
            rows,
            list: OnceLock::new(),
        })
    }

    pub fn rows(&self, inn: &Inn) -> impl Iterator<Item = i64> {
        let key = key(inn.key().as_bytes());
        let first = self.rows.partition_point(|row| row.0 < key);
        let rows = self.rows.get(first..).unwrap_or_default().iter();
        rows.take_while(move |row| row.0 == key).map(|row| row.1)
    }
}

impl RnpIndex {
    /// Returns all entries. The first call reads them from the file.
    pub fn list(&self, db: &OpenFile) -> Result<Arc<EntryList>> {
        if let Some(list) = self.list.get() {
            return Ok(Arc::clone(list));
        }
        let mut entries = Vec::with_capacity(self.rows.len());
        db.each(
            select_entries!("ORDER BY id"),
            (),
            StoredEntry::read,
            |row| {
                let row = row.ok_or_else(|| unsound(db))?;
                let entry = row.entry(db)?;
                entries.push(ListedEntry::new(row.inn, &entry));
                Ok::<_, Error>(())
            },
        )?;
        let list = self.list.get_or_init(|| Arc::new(EntryList::new(entries)));
        Ok(Arc::clone(list))
    }
}

/// Converts an INN to a sort key, which is even for 10 digits and odd for 12. The keys of records
/// without an INN are greater than all of these.
pub(super) fn key(inn: &[u8]) -> u64 {
    if inn.is_empty() {
        return u64::MAX;
    }
    // In place of an INN, a record without one has a minus sign and a hexadecimal number.
    if let Some(head) = inn.strip_prefix(b"-") {
        let head = std::str::from_utf8(head).unwrap_or_default();
        return (1 << 63) | u64::from_str_radix(head, 16).unwrap_or_default();
    }
    let number = inn.iter().fold(0_u64, |number, digit| {
        number
            .wrapping_mul(10)
            .wrapping_add(u64::from(digit.wrapping_sub(b'0')))
    });
    2 * number + u64::from(inn.len() == 12)
}

/// Verifies each row, and passes the key of the INN and the row id to `each`. Returns the number
/// and digest of the rows.
fn read_all(db: &OpenFile, mut each: impl FnMut(u64, i64)) -> Result<Total> {
    let mut digest = Sha256::new();
    let mut entries = 0;
    let sql = select_entries!("ORDER BY id");
    let read = |row: &Row<'_>| {
        let inn = text(row, 1)?;
        let (sum, id): (_, i64) = (sum_if_sound(row, inn)?, row.get(6)?);
        Ok(sum.map(|sum| (sum, key(inn), id)))
    };
    db.each(sql, (), read, |row| {
        let (sum, inn, id) = row.ok_or_else(|| unsound(db))?;
        digest.update(sum.to_le_bytes());
        entries += 1;
        each(inn, id);
        Ok::<_, Error>(())
    })?;
    let digest = match entries {
        0 => 0,
        _ => head_of(digest.finish()),
    };
    Ok(Total { entries, digest })
}

#[cold]
pub(super) fn unsound(db: &OpenFile) -> Error {
    db.damaged("the row of an RNP entry: its checksum is wrong")
}

/// Reads the table `rnp_total`. Returns `None` if its row is damaged.
fn stored_total(db: &OpenFile) -> Result<Option<Total>> {
    let sql = "SELECT entries, digest FROM rnp_total WHERE sum = row_sum(entries, digest)";
    db.one(sql, (), |row| {
        Ok(Total {
            entries: row.get(0)?,
            digest: row.get(1)?,
        })
    })
}

pub(super) fn write_total(db: &OpenFile) -> Result<()> {
    let Total { entries, digest } = read_all(db, |_, _| ())?;
    let sql = "UPDATE rnp_total SET entries = ?1, digest = ?2, sum = row_sum(?1, ?2)";
    db.execute(sql, [entries, digest])
}
