//! A format that no release has, for trying upgrades in tests and in a program built with the
//! feature `trial-format`. It adds the table `trial`, with a row for each contract, key or cell.
//! The number of the format is far above those of releases, so that no release mistakes such a file
//! for its own.

use rusqlite::params;

use super::error::Result;
use super::file::{OpenFile, TRIAL_FORMAT};
use super::migration::{Migration, StepRows};

const TABLES: &str = include_str!("trial.sql");

/// Rows written per statement.
const AT_ONCE: u64 = 1_000;

pub(super) const OF_DATA: Migration = step(|file, rows| {
    let count = "SELECT count(*) FROM contract";
    let copy = "INSERT INTO trial SELECT id, length(record) FROM contract WHERE id > ?1 \
                ORDER BY id LIMIT ?2";
    add_rows(file, rows, count, copy)
});

pub(super) const OF_KEYS: Migration = step(|file, rows| {
    let count = "SELECT count(*) FROM key";
    let copy = "INSERT INTO trial SELECT id, length(name) FROM key WHERE id > ?1 \
                ORDER BY id LIMIT ?2";
    add_rows(file, rows, count, copy)
});

pub(super) const OF_LEDGER: Migration = step(|file, rows| {
    let count = "SELECT count(*) FROM cell";
    let copy = "INSERT INTO trial SELECT id, length(day) FROM cell WHERE id > ?1 \
                ORDER BY id LIMIT ?2";
    add_rows(file, rows, count, copy)
});

const fn step(run: fn(&OpenFile, &mut StepRows<'_>) -> Result<()>) -> Migration {
    Migration {
        to: TRIAL_FORMAT,
        growth: 25,
        run,
    }
}

fn add_rows(
    file: &OpenFile,
    rows: &mut StepRows<'_>,
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
