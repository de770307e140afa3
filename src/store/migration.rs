//! Migrations: steps that upgrade a file of an earlier format to the format of this release.
//!
//! Each kind of file has one ordered list of steps (`migrations.rs`). All missing steps run in one
//! transaction: for data and keys in the copy that replaces the file (`upgrade.rs`), for the ledger
//! of `fetch` in the file itself. If the process is killed, the file stays as it was, and the next
//! upgrade starts over.

use super::error::Result;
use super::file::{FileKind, OpenFile, check_statements, format_of};

/// Number of changed rows between two progress reports.
const REPORTED_ROWS: u64 = 10_000;

/// A step from one format in the list to the next.
#[derive(Debug)]
pub(super) struct Migration {
    /// The format that the step produces.
    pub to: i64,
    /// Upper bound on the growth of the file, in percent of its size.
    pub growth: u64,
    /// Changes tables and rows within the open transaction. Afterwards, the file must have the same
    /// tables as a new file of that format.
    pub run: fn(&OpenFile, &mut StepRows<'_>) -> Result<()>,
}

pub(super) struct StepRows<'a> {
    to: i64,
    done: u64,
    reported: u64,
    total: u64,
    report: &'a mut dyn FnMut(StepProgress) -> Result<()>,
}

/// Progress of a step of an upgrade.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepProgress {
    /// Format after the step.
    pub to: i64,
    pub done: u64,
    pub total: u64,
}

impl StepRows<'_> {
    /// Sets the number of rows to change.
    ///
    /// # Errors
    /// Returns an error if the upgrade should stop.
    pub fn expect(&mut self, total: u64) -> Result<()> {
        self.total = total;
        self.report()
    }

    /// Counts changed rows. Reports the progress every [`REPORTED_ROWS`] rows.
    ///
    /// # Errors
    /// Returns an error if the upgrade should stop.
    pub fn changed(&mut self, rows: u64) -> Result<()> {
        self.done += rows;
        if self.done - self.reported < REPORTED_ROWS {
            return Ok(());
        }
        self.report()
    }

    fn report(&mut self) -> Result<()> {
        self.reported = self.done;
        (self.report)(StepProgress {
            to: self.to,
            done: self.done,
            total: self.total,
        })
    }
}

pub(super) fn steps_after(format: i64, steps: &[Migration]) -> impl Iterator<Item = &Migration> {
    steps.iter().filter(move |step| step.to > format)
}

/// Returns an upper bound on the size of a file after the steps that it still needs.
pub(super) fn size_after(size: u64, format: i64, steps: &[Migration]) -> u64 {
    let grown = |size: u64, step: &Migration| size.saturating_add(size / 100 * (step.growth + 1));
    steps_after(format, steps).fold(size, grown)
}

/// Runs the steps that a file still needs in one transaction. An error from `report` stops the
/// migration.
///
/// # Errors
/// Returns an error if the file cannot be read or written, if the steps do not produce the tables
/// of a new file, or if `report` returns one. The transaction is then still open and must not be
/// committed.
pub(super) fn migrate(
    kind: &FileKind,
    file: &OpenFile,
    steps: &[Migration],
    report: &mut dyn FnMut(StepProgress) -> Result<()>,
) -> Result<()> {
    file.batch("BEGIN IMMEDIATE")?;
    for step in steps_after(format_of(file)?, steps) {
        let mut rows = StepRows {
            to: step.to,
            done: 0,
            reported: 0,
            total: 0,
            report: &mut *report,
        };
        rows.report()?;
        (step.run)(file, &mut rows)?;
        rows.report()?;
        let set = file.connection.pragma_update(None, "user_version", step.to);
        set.map_err(|error| file.failed(error))?;
    }
    check_statements(kind, file)?;
    file.batch("COMMIT")
}
