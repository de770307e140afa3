//! The table `supplier_name`: the names of the known suppliers as they are searched, in the
//! order in which they are found, with those that have most contracts first.
//!
//! A search reads all names, from the first to the last, and needs no more than that for the
//! count and the order. So its time is bounded whatever is searched: of a million names 5 ms
//! where few match, 25 ms where half of them do. SQLite's FTS5 by trigrams was tried: its
//! index of a million names takes 47 to 107 MB, without the names, where this table takes
//! 63; it finds rare texts in 3 ms, but needs 20 to 85 ms to list what common ones match, and
//! then the rank of each. Filling it takes 5 s, this table 1 s.
//!
//! The table follows from the suppliers, and is made anew when an import ends.

use std::io;

use memchr::memchr;
use memchr::memchr_iter;
use memchr::memmem::Finder;
use rusqlite::params;

use super::building::folder_of;
use super::error::Result;
use super::file::OpenFile;
use super::lines::{no_room, torn};
use super::sorter::Sorter;
use crate::model::searched_name;

/// How many bytes of names and ids a row has, so that it fits a page of the file, unless it
/// has a single longer name.
const ROW_BYTES: usize = 8000;

/// How many bytes of names are sorted in memory.
const SORTED_AT_ONCE: usize = 64 << 20;

/// What stands before and after each name of a row.
const LINE: u8 = b'\n';

/// Passes the names that have `text`, which is as [`crate::model::name_part`] makes it, in them
/// to `each` until it wants no more: the id of the supplier, and the part of its name before
/// the text. Returns how many names have it.
///
/// # Errors
/// The file cannot be read.
pub(super) fn each_name_with(
    db: &OpenFile,
    text: &str,
    each: &mut dyn FnMut(i64, &str) -> bool,
) -> Result<u64> {
    let mut search = NameSearch {
        finder: Finder::new(text),
        count: 0,
        wants_more: true,
    };
    let sql = "SELECT names, suppliers FROM supplier_name ORDER BY id";
    let mut is_whole = true;
    db.each_row(sql, (), |row| {
        let blob = |at| row.get_ref(at).and_then(|value| Ok(value.as_blob()?));
        let row = blob(0).and_then(|names| Ok((names, blob(1)?)));
        let (names, ids) = row.map_err(|error| db.failed(error))?;
        is_whole &= search.row(names, ids, each).is_some();
        Ok(())
    })?;
    match is_whole {
        true => Ok(search.count),
        false => Err(db.damaged("names without their suppliers")),
    }
}

/// A search as far as it has come.
struct NameSearch<'a> {
    finder: Finder<'a>,
    count: u64,
    wants_more: bool,
}

impl NameSearch<'_> {
    /// Searches a row; none if a name has no id.
    fn row(
        &mut self,
        names: &[u8],
        ids: &[u8],
        each: &mut dyn FnMut(i64, &str) -> bool,
    ) -> Option<()> {
        let mut from = 0;
        // Lines before `from`.
        let mut line = 0;
        while let Some(at) = self.finder.find(names.get(from..)?) {
            let at = from + at;
            self.count += 1;
            if self.wants_more {
                line += memchr_iter(LINE, names.get(from..at)?).count();
                let id = ids.chunks_exact(4).nth(line.checked_sub(1)?)?;
                let id = u32::from_le_bytes(id.try_into().ok()?);
                let before = names.get(..at)?;
                let start = before.iter().rposition(|byte| *byte == LINE)? + 1;
                let before = std::str::from_utf8(before.get(start..)?).ok()?;
                self.wants_more = each(id.into(), before);
            }
            // The rest of the name does not matter.
            from = at + memchr(LINE, names.get(at..)?)?;
        }
        Some(())
    }
}

/// The table, for writing.
#[derive(Clone, Copy)]
pub(super) struct SupplierNames<'a>(pub &'a OpenFile);

impl SupplierNames<'_> {
    /// Makes the table anew, as far as it differs.
    pub fn write(self) -> Result<()> {
        let db = self.0;
        let rows = self.each_row(|id, row| {
            let sql = "SELECT 1 FROM supplier_name WHERE id = ?1 AND names = ?2 \
                       AND suppliers = ?3";
            let params = params![id, row.names, row.ids];
            if db.one(sql, params, |_| Ok(()))?.is_some() {
                return Ok(());
            }
            let sql = "INSERT OR REPLACE INTO supplier_name (id, names, suppliers) \
                       VALUES (?1, ?2, ?3)";
            db.execute(sql, params)
        })?;
        db.execute("DELETE FROM supplier_name WHERE id >= ?1", [rows])
    }

    /// Checks that it is as the suppliers make it.
    pub fn check(self) -> Result<()> {
        let db = self.0;
        let other = || db.damaged("the names that are searched are not the suppliers'");
        let rows = self.each_row(|id, row| {
            let sql = "SELECT 1 FROM supplier_name WHERE id = ?1 AND names = ?2 \
                       AND suppliers = ?3";
            let same = db.one(sql, params![id, row.names, row.ids], |_| Ok(()))?;
            same.ok_or_else(other)
        })?;
        let sql = "SELECT count(*) FROM supplier_name";
        match db.one(sql, (), |row| row.get::<_, i64>(0))? == Some(rows) {
            true => Ok(()),
            false => Err(other()),
        }
    }

    /// Passes the rows that the suppliers make to `each`, with their ids, from 0 on. Returns
    /// how many there are.
    fn each_row(self, mut each: impl FnMut(i64, &NameRow) -> Result<()>) -> Result<i64> {
        let failed = |error: io::Error| no_room(&self.0.path, &error);
        let mut names = self.sorted()?.merge().map_err(failed)?;
        let mut row = NameRow::default();
        let mut count = 0;
        while let Some((_, body)) = names.next().map_err(failed)? {
            let (id, name) = body.split_at_checked(4).ok_or_else(|| torn(&self.0.path))?;
            if !row.ids.is_empty() && row.size() + body.len() + 1 > ROW_BYTES {
                each(count, &row)?;
                count += 1;
                row = NameRow::default();
            }
            row.add(id, name);
        }
        if !row.ids.is_empty() {
            each(count, &row)?;
            count += 1;
        }
        Ok(count)
    }

    /// The ids and names of the known suppliers that have one, in their order.
    fn sorted(self) -> Result<Sorter> {
        let failed = |error: io::Error| no_room(&self.0.path, &error);
        let mut sorter = Sorter::new(folder_of(&self.0.path), SORTED_AT_ONCE);
        let sql = "SELECT id, inn, contracts, \
                   CASE WHEN given_name <> '' THEN given_name ELSE official_name END AS name \
                   FROM supplier WHERE name <> '' AND (stated OR contracts > 0 \
                   OR EXISTS (SELECT 1 FROM rnp_entry WHERE rnp_entry.inn = supplier.inn))";
        self.0.each_row(sql, (), |row| {
            let columns = row.get(0).and_then(|id: u32| {
                let (inn, contracts): (String, u64) = (row.get(1)?, row.get(2)?);
                let name = searched_name(row.get_ref(3)?.as_str()?);
                Ok((id, inn, contracts, name))
            });
            let (id, inn, contracts, name) = columns.map_err(|error| self.0.failed(error))?;
            let rank = (u64::MAX - contracts).to_be_bytes();
            sorter
                .push(
                    &[&rank, inn.as_bytes()],
                    &[&id.to_le_bytes(), name.as_bytes()],
                )
                .map_err(failed)
        })?;
        Ok(sorter)
    }
}

/// A row of the table: a line for each name, and one before the first, and the ids of the
/// suppliers, 4 bytes each.
#[derive(Debug, Default)]
struct NameRow {
    names: Vec<u8>,
    ids: Vec<u8>,
}

impl NameRow {
    fn size(&self) -> usize {
        self.names.len() + self.ids.len()
    }

    fn add(&mut self, id: &[u8], name: &[u8]) {
        if self.names.is_empty() {
            self.names.push(LINE);
        }
        self.ids.extend_from_slice(id);
        self.names.extend_from_slice(name);
        self.names.push(LINE);
    }
}
