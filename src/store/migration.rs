//! A migration: the steps that bring a file of an earlier format to this release's.
//!
//! Each kind of file has one ordered list of steps (`migrations.rs`). All steps that a file lacks
//! run in one transaction: data and keys in the copy that replaces the file (`upgrade.rs`), the
//! ledger of `fetch` in the file itself. A process that is killed leaves the file as it was, and
//! the next one starts over.

use super::error::Result;
use super::file::{FileKind, OpenFile, check_statements, format_of};

/// The number of rows after which a step reports its progress.
const REPORTED_ROWS: u64 = 10_000;

/// A step from the format before it in the list to the next one.
#[derive(Debug)]
pub(super) struct Migration {
    /// The format after the step.
    pub to: i64,
    /// Upper bound on what the step adds to the file, in percent of the file's size.
    pub growth: u64,
    /// Changes tables and rows, within the transaction that is open. Afterwards the tables must be
    /// those of a new file of that format.
    pub run: fn(&OpenFile, &mut Rows<'_>) -> Result<()>,
}

/// Counts the rows that a step has changed, and reports them.
pub(super) struct Rows<'a> {
    to: i64,
    done: u64,
    reported: u64,
    total: u64,
    report: &'a mut dyn FnMut(StepProgress) -> Result<()>,
}

/// How far a step of an upgrade has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepProgress {
    /// The format that the step leads to.
    pub to: i64,
    /// The number of changed rows.
    pub done: u64,
    /// The number of rows to change.
    pub total: u64,
}

impl Rows<'_> {
    /// Sets the number of rows to change.
    ///
    /// # Errors
    /// The upgrade is to stop.
    pub fn expect(&mut self, total: u64) -> Result<()> {
        self.total = total;
        self.report()
    }

    /// Counts changed rows.
    ///
    /// # Errors
    /// The upgrade is to stop.
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

/// The steps that a file of this format lacks.
pub(super) fn steps_after(format: i64, steps: &[Migration]) -> impl Iterator<Item = &Migration> {
    steps.iter().filter(move |step| step.to > format)
}

/// Returns the upper bound on the size of a file after the steps that it lacks.
pub(super) fn size_after(size: u64, format: i64, steps: &[Migration]) -> u64 {
    let grown = |size: u64, step: &Migration| size.saturating_add(size / 100 * (step.growth + 1));
    steps_after(format, steps).fold(size, grown)
}

/// Runs the steps that a file lacks, in one transaction. `report` ends it by an error.
///
/// # Errors
/// The file cannot be read or written, the steps do not lead to the tables of a new file, or the
/// error of `report`. The transaction is open then, and nothing of it may be kept.
pub(super) fn migrate(
    kind: &FileKind,
    file: &OpenFile,
    steps: &[Migration],
    report: &mut dyn FnMut(StepProgress) -> Result<()>,
) -> Result<()> {
    file.batch("BEGIN IMMEDIATE")?;
    for step in steps_after(format_of(file)?, steps) {
        let mut rows = Rows {
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
