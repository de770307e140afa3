//! Coverage: the days whose official documents were fetched. The table `coverage` has a small row
//! for each run of days. Lines only ever add days, because a document that was fetched once stays
//! in the file.

use std::collections::BTreeSet;

use rusqlite::{Row, params};

use super::error::Result;
use super::file::OpenFile;
use super::tally::Tally;
use crate::model::{Coverage, Date};

/// Upper bound on runs of days in a file. Each run is a row in `/about.json`, which anyone may
/// request, and on the page. Ninety regions and fifty types of documents make 4,500 runs if no day
/// is missing; the bound leaves room for ten gaps in each.
pub const MAX_RUNS: usize = 50_000;

/// Runs of days stated by the lines of an import. They take effect only at its end, because the
/// documents of those days may be imported after the lines.
#[derive(Debug, Default)]
pub(super) struct CoverageLines {
    /// The runs in the file; `None` before the first line.
    stored: Option<Vec<Coverage>>,
    stated: Vec<Coverage>,
    tally: Tally,
    /// Whether there were more than [`MAX_RUNS`] runs. If so, no line takes effect.
    is_over_bound: bool,
}

/// Files of an import, including whole archives, that could not be read. Coverage lines do not take
/// effect for the days of such files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnreadFiles {
    /// The days whose folders contain an unreadable file.
    pub days: BTreeSet<Date>,
    /// Whether there is an unreadable file outside the folders of days.
    pub is_of_unknown_days: bool,
}

pub(super) struct CoverageOutcome {
    pub changed: bool,
    /// Counts a line as new or newer if it states days that the file does not have yet. All 0 if
    /// `is_over_bound`.
    pub tally: Tally,
    /// Whether no line took effect, because there would have been more than [`MAX_RUNS`] runs.
    pub is_over_bound: bool,
}

impl CoverageLines {
    pub fn add(&mut self, db: &OpenFile, run: Coverage) -> Result<()> {
        let stored = match &mut self.stored {
            Some(stored) => stored,
            none => none.insert(coverage(db)?),
        };
        let after = stored.partition_point(|one| (one.key(), one.from) <= (run.key(), run.from));
        let near = stored.get(after.saturating_sub(1)..).unwrap_or_default();
        let mut same = near.iter().take(2).filter(|one| one.key() == run.key());
        match same.next() {
            Some(one) if one.from <= run.from && run.to <= one.to => self.tally.unchanged += 1,
            Some(_) => self.tally.newer += 1,
            None => self.tally.new += 1,
        }
        self.stated.push(run);
        if self.stated.len() >= 2 * MAX_RUNS {
            self.stated = Coverage::joined(std::mem::take(&mut self.stated));
            if self.stated.len() > MAX_RUNS {
                self.is_over_bound = true;
                self.stated.clear();
            }
        }
        Ok(())
    }

    pub fn is_stated(&self) -> bool {
        self.stored.is_some()
    }

    pub fn write(self, db: &OpenFile, except: &BTreeSet<Date>) -> Result<CoverageOutcome> {
        let mut runs = self.stored.unwrap_or_default();
        let stored = runs.clone();
        for run in self.stated {
            runs.extend(run.without(except));
        }
        let runs = Coverage::joined(runs);
        let is_over_bound = self.is_over_bound || runs.len() > MAX_RUNS;
        let changed = runs != stored && !is_over_bound;
        if changed {
            db.execute("DELETE FROM coverage", ())?;
            let sql = "INSERT INTO coverage VALUES (?1, ?2, ?3, ?4, ?5, \
                       row_sum(?1, ?2, ?3, ?4, ?5))";
            for run in runs {
                let (from, to) = (run.from.to_string(), run.to.to_string());
                let of = (run.subsystem, run.documents, run.region);
                db.execute(sql, params![of.0, of.1, of.2, from, to])?;
            }
        }
        Ok(CoverageOutcome {
            changed,
            tally: match is_over_bound {
                true => Tally::default(),
                false => self.tally,
            },
            is_over_bound,
        })
    }
}

pub(super) fn coverage(db: &OpenFile) -> Result<Vec<Coverage>> {
    let sql = "SELECT subsystem, documents, region, first_day, last_day, \
               sum = row_sum(subsystem, documents, region, first_day, last_day) FROM coverage \
               ORDER BY subsystem, documents, region, first_day";
    let rows = db.all(sql, (), run)?;
    let runs: Option<Vec<Coverage>> = rows.into_iter().collect();
    let damaged = || db.damaged("a row of coverage: its checksum is wrong");
    runs.ok_or_else(damaged)
}

/// Reads a run from a row. Returns `None` if the checksum is wrong or a day is invalid.
fn run(row: &Row<'_>) -> rusqlite::Result<Option<Coverage>> {
    let day = |at| Ok::<_, rusqlite::Error>(Date::parse_iso(row.get_ref(at)?.as_str()?));
    let (Some(from), Some(to), true) = (day(3)?, day(4)?, row.get(5)?) else {
        return Ok(None);
    };
    Ok(Some(Coverage {
        subsystem: row.get(0)?,
        documents: row.get(1)?,
        region: row.get(2)?,
        from,
        to,
    }))
}

/// Checks the checksum of each row, and that adjacent runs are joined.
pub(super) fn check_coverage(db: &OpenFile) -> Result<()> {
    let runs = coverage(db)?;
    match Coverage::joined(runs.clone()) == runs {
        true => Ok(()),
        false => Err(db.damaged("adjacent runs of days in coverage are not joined")),
    }
}
