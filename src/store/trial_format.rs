//! A format that no release has, in tests and in a program built with the feature `trial-format`:
//! upgrades are tried with it. It adds the table `trial`, with a row for each contract, key or cell.
//! Its number is far above those of releases, so that no release takes a file of a trial for its
//! own.

use rusqlite::params;

use super::error::Result;
use super::file::{OpenFile, TRIAL_FORMAT};
use super::migration::{Migration, Rows};

/// The tables of the format, beside those of this release's.
const TABLES: &str = include_str!("trial.sql");

/// The number of rows written by one statement.
const AT_ONCE: u64 = 1_000;

/// The step of data files.
pub(super) const OF_DATA: Migration = step(|file, rows| {
    let count = "SELECT count(*) FROM contract";
    let copy = "INSERT INTO trial SELECT id, length(record) FROM contract WHERE id > ?1 \
                ORDER BY id LIMIT ?2";
    add_rows(file, rows, count, copy)
});

/// The step of keys files.
pub(super) const OF_KEYS: Migration = step(|file, rows| {
    let count = "SELECT count(*) FROM key";
    let copy = "INSERT INTO trial SELECT id, length(name) FROM key WHERE id > ?1 \
                ORDER BY id LIMIT ?2";
    add_rows(file, rows, count, copy)
});

/// The step of the ledger of `fetch`.
pub(super) const OF_LEDGER: Migration = step(|file, rows| {
    let count = "SELECT count(*) FROM cell";
    let copy = "INSERT INTO trial SELECT id, length(day) FROM cell WHERE id > ?1 \
                ORDER BY id LIMIT ?2";
    add_rows(file, rows, count, copy)
});

const fn step(run: fn(&OpenFile, &mut Rows<'_>) -> Result<()>) -> Migration {
    Migration {
        to: TRIAL_FORMAT,
        growth: 25,
        run,
    }
}

fn add_rows(
    file: &OpenFile,
    rows: &mut Rows<'_>,
    count: &'static str,
    copy: &'static str,
) -> Result<()> {
    file.batch(TABLES)?;
    rows.expect(file.value(count, (), |row| row.get(0))?)?;
    let mut last = i64::MIN;
    loop {
        let copied = file.change(copy, params![last, AT_ONCE])? as u64;
        rows.changed(copied)?;
        if copied < AT_ONCE {
            return Ok(());
        }
        last = file.value("SELECT max(id) FROM trial", (), |row| row.get(0))?;
    }
}
