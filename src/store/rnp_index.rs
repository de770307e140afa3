//! The registry of unfair suppliers in memory: the rows of the table `rnp_entry` by INN. Opening a
//! file reads the whole registry. The checksum of each row proves it; the number of rows and a
//! digest (table `rnp_total`) prove that none is missing. So a supplier without entries is proved
//! to have none, even if an index is damaged.

use std::sync::{Arc, OnceLock};

use rusqlite::{Row, params};

use super::entry_list::{EntryList, ListedEntry};
use super::error::{Error, Result};
use super::file::OpenFile;
use super::record::{self, RowChecksum, head_of};
use crate::model::{Date, Inn, RnpEntry, Sha256};

/// A statement that reads rows for [`StoredEntry::read`].
macro_rules! select_entries {
    ($($which:expr),+) => {
        concat!(
            "SELECT number, inn, federal_law, seen, record, sum, id FROM rnp_entry ",
            $($which),+
        )
    };
}
pub(super) use select_entries;

/// The registry as it is looked up.
#[derive(Debug)]
pub(super) struct RnpIndex {
    /// The rows of each INN: 16 bytes an entry.
    rows: Vec<(u64, i64)>,
    list: OnceLock<Arc<EntryList>>,
}

/// A stored entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct StoredEntry {
    pub number: String,
    pub inn: Inn,
    pub federal_law: String,
    /// The last day of the whole registries that have it.
    pub seen: Option<Date>,
    /// The record, sealed with the INN.
    pub record: Vec<u8>,
}

/// The entries that a batch processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EntryChoice {
    All,
    /// The entries whose numbers the import under way has recorded.
    Imported,
}

impl StoredEntry {
    /// Reads up to `limit` rows after a number, in the order of numbers.
    pub fn after(
        db: &OpenFile,
        choice: EntryChoice,
        number: &str,
        limit: u32,
    ) -> Result<Vec<Self>> {
        let sql = match choice {
            EntryChoice::All => select_entries!("WHERE number > ?1 ORDER BY number LIMIT ?2"),
            EntryChoice::Imported => select_entries!(
                "WHERE number > ?1 AND number IN imported_entry ORDER BY number LIMIT ?2"
            ),
        };
        let rows: Vec<Option<Self>> = db.all(sql, params![number, limit], Self::read)?;
        let rows: Option<Vec<Self>> = rows.into_iter().collect();
        rows.ok_or_else(|| unsound(db))
    }

    /// Reads the row of [`select_entries`]; none if its checksum is wrong.
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

    /// Decodes the entry.
    pub fn entry(&self, db: &OpenFile) -> Result<RnpEntry> {
        record::entry(&db.path, self.inn.as_str(), &self.record)
    }

    /// Writes the row, replacing the one with its number.
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

/// The checksum of the row that [`StoredEntry::read`] reads, given its INN; none if it is wrong.
fn sum_if_sound(row: &Row<'_>, inn: &[u8]) -> rusqlite::Result<Option<u32>> {
    let texts = [text(row, 0)?, inn, text(row, 2)?];
    let sum = row_sum(texts, row.get(3)?, row.get_ref(4)?.as_blob()?);
    Ok((sum == row.get::<_, u32>(5)?).then_some(sum))
}

/// Returns the record in the row of [`select_entries`]; none if its checksum is wrong, or the entry
/// is about another supplier.
pub(super) fn record_about<'a>(row: &'a Row<'_>, inn: &Inn) -> rusqlite::Result<Option<&'a [u8]>> {
    let about = text(row, 1)?;
    if about != inn.as_str().as_bytes() || sum_if_sound(row, about)?.is_none() {
        return Ok(None);
    }
    Ok(Some(row.get_ref(4)?.as_blob()?))
}

/// Returns the bytes of a text, without a check of their UTF-8: the checksum proves them.
fn text<'a>(row: &'a Row<'_>, at: usize) -> rusqlite::Result<&'a [u8]> {
    Ok(row.get_ref(at)?.as_bytes()?)
}

/// The number of entries, and a digest over the checksums of their rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Total {
    entries: i64,
    digest: i64,
}

impl RnpIndex {
    /// Reads and proves the registry of a file.
    ///
    /// # Errors
    /// The registry cannot be read, or is damaged.
    pub fn load(db: &OpenFile) -> Result<Self> {
        let mut rows = Vec::new();
        let total = read_all(db, |inn, id| rows.push((inn, id)))?;
        if stored_total(db)? != Some(total) {
            let what = "the registry of unfair suppliers is not the one that was written";
            return Err(db.damaged(what));
        }
        rows.sort_unstable_by_key(|row| row.0);
        rows.shrink_to_fit();
        Ok(Self {
            rows,
            list: OnceLock::new(),
        })
    }

    /// Returns the row ids of the entries about a supplier.
    pub fn rows(&self, inn: &Inn) -> impl Iterator<Item = i64> {
        let key = key(inn.key().as_bytes());
        let first = self.rows.partition_point(|row| row.0 < key);
        let rows = self.rows.get(first..).unwrap_or_default().iter();
        rows.take_while(move |row| row.0 == key).map(|row| row.1)
    }
}

impl RnpIndex {
    /// Returns all entries, read from the registry's file by the first call.
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

/// Returns an INN as a number: one of 10 digits is even, one of 12 odd. The key of records without
/// an INN is greater than all of these.
pub(super) fn key(inn: &[u8]) -> u64 {
    if inn.is_empty() {
        return u64::MAX;
    }
    // The key of a name is greater than those of INNs too.
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

/// Proves each row, and passes the key of its INN and its id to `each`.
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

/// The error of a row whose checksum is wrong.
#[cold]
pub(super) fn unsound(db: &OpenFile) -> Error {
    db.damaged("the row of an RNP entry: its checksum is wrong")
}

/// Reads the number and the digest in the file; none if their row is damaged.
fn stored_total(db: &OpenFile) -> Result<Option<Total>> {
    let sql = "SELECT entries, digest FROM rnp_total WHERE sum = row_sum(entries, digest)";
    db.one(sql, (), |row| {
        Ok(Total {
            entries: row.get(0)?,
            digest: row.get(1)?,
        })
    })
}

/// Writes the number and the digest of the current entries.
pub(super) fn write_total(db: &OpenFile) -> Result<()> {
    let Total { entries, digest } = read_all(db, |_, _| ())?;
    let sql = "UPDATE rnp_total SET entries = ?1, digest = ?2, sum = row_sum(?1, ?2)";
    db.execute(sql, [entries, digest])
}
