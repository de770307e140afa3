//! Fetches the unsettled cells of a selection, one after another.
//!
//! A cell is settled once the service has reported that it is empty, or once all its archives are
//! on disk. EIS publishes some documents days late, so a later run requests a cell again if the
//! cell was settled within three days of its date. A stopped run resumes as the same run and
//! requests nothing twice.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime};

use indicatif::DecimalBytes;

use super::folder::Folder;
use super::progress::Progress;
use crate::cli::BoxedError;
use crate::fetch::{CellSelection, Client, ClientOptions, DocumentsOf, FetchFailure, StopSignal};
use crate::model::{Cell, Date};
use crate::render::{FetchOutput, SubsystemOutput};
use crate::store::{CellState, FetchLedger};

/// A cell that was settled no more than this many days after its date is requested again.
const FRESH_DAYS: i64 = 3;

/// How long a resumed run may use the links from an earlier response, in milliseconds. Links also
/// expire after a few requests, so a run uses them before it sends any other request.
const LINK_LIFETIME: i64 = 600_000;

/// A run ends after this many consecutive cells for which no connection was possible.
const MAX_UNREACHABLE: u32 = 3;

#[derive(Debug, Default)]
pub struct RunSummary {
    counts: BTreeMap<&'static str, CellCounts>,
    archives: u64,
    bytes: u64,
    /// Why the run ended early: a sentence that says what to do.
    pub ended: Option<String>,
    /// Whether a signal or the time limit ended the run early.
    is_stopped: bool,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct CellCounts {
    /// Cells settled by an earlier run.
    pub before: u64,
    /// Cells whose archives are all on disk now.
    pub done: u64,
    /// Cells without documents.
    pub empty: u64,
    pub failed: u64,
    /// Cells that were not requested because the run ended early.
    pub left: u64,
}

enum Settled {
    Done,
    Empty,
}

impl RunSummary {
    pub fn is_complete(&self) -> bool {
        let total = self.total();
        self.ended.is_none() && !self.is_stopped && total.failed + total.left == 0
    }

    fn is_over(&self) -> bool {
        self.ended.is_some() || self.is_stopped
    }

    pub fn total(&self) -> CellCounts {
        let mut total = CellCounts::default();
        for counts in self.counts.values() {
            total.before += counts.before;
            total.done += counts.done;
            total.empty += counts.empty;
            total.failed += counts.failed;
            total.left += counts.left;
        }
        total
    }

    pub fn for_programs(&self) -> FetchOutput {
        let subsystems = self.counts.iter().map(|(name, counts)| SubsystemOutput {
            name,
            done: counts.done,
            empty: counts.empty,
            failed: counts.failed,
            before: counts.before,
            left: counts.left,
        });
        FetchOutput {
            subsystems: subsystems.collect(),
            archives: self.archives,
            bytes: self.bytes,
            is_complete: self.is_complete(),
            is_stopped: self.is_stopped,
            ended: self.ended.clone().unwrap_or_default(),
        }
    }

    pub fn print(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(
            out,
            "{:10} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "subsystem", "done", "empty", "failed", "before", "left"
        )?;
        for (subsystem, counts) in &self.counts {
            writeln!(
                out,
                "{subsystem:10} {:>9} {:>9} {:>9} {:>9} {:>9}",
                counts.done, counts.empty, counts.failed, counts.before, counts.left
            )?;
        }
        writeln!(
            out,
            "archives: {}, {}",
            self.archives,
            DecimalBytes(self.bytes)
        )?;
        let total = self.total();
        if total.failed > 0 {
            writeln!(
                out,
                "failed: {} cells; standard error names each with the reason; the same command \
                 requests them again",
                total.failed
            )?;
        }
        if self.is_stopped {
            writeln!(
                out,
                "stopped: {} cells are left; run the same command to resume",
                total.left
            )?;
        }
        Ok(())
    }
}

/// Returns how many cells of a selection a run would request now.
///
/// # Errors
/// Returns an error if the ledger cannot be read.
pub fn count_due(
    ledger: Option<&FetchLedger>,
    selection: &CellSelection,
    now: i64,
) -> Result<u64, BoxedError> {
    let run = ledger.map(|ledger| ledger.unfinished_run(&selection.description(), now));
    let started = run.transpose()?.flatten().unwrap_or(now);
    let mut due = 0;
    for day in selection.days() {
        let states = ledger.map(|ledger| ledger.states(day)).transpose()?;
        let states = states.unwrap_or_default();
        let cells = selection.cells_of(day);
        due += cells
            .filter(|cell| is_due(states.get(cell), day, started))
            .count() as u64;
    }
    Ok(due)
}

/// Fetches every cell of a selection that is due.
///
/// # Errors
/// Returns an error if the folder or the ledger cannot be read or written. Failures of the service
/// are reported in the summary.
pub fn run(
    folder: &Folder,
    selection: &CellSelection,
    options: ClientOptions,
) -> Result<RunSummary, BoxedError> {
    let (per_minute, stop) = (options.per_minute, options.stop.clone());
    let now = now();
    let started = folder.ledger.begin_run(&selection.description(), now)?;
    let due = count_due(Some(&folder.ledger), selection, now)?;
    if due > 0 {
        eprintln!("{}", estimate(due, per_minute));
    }
    let progress = Progress::new(due);
    let report = |event: crate::fetch::ServiceEvent<'_>| progress.event(event);
    let mut run = Run {
        folder,
        client: Client::new(options, &report),
        progress: &progress,
        stop,
        started,
        has_requested: false,
        unreachable: 0,
        summary: RunSummary::default(),
    };
    let outcome = selection.days().try_for_each(|day| run.day(selection, day));
    let mut summary = run.summary;
    progress.end();
    (summary.archives, summary.bytes) = progress.totals();
    outcome?;
    if !summary.is_over() {
        folder.ledger.end_run(&selection.description())?;
    }
    Ok(summary)
}

/// Returns a sentence that states the minimum time for this number of requests.
pub fn estimate(requests: u64, per_minute: u32) -> String {
    let plural = if requests == 1 { "" } else { "s" };
    let what = format!("{requests} request{plural} for documents left, plus one for each archive");
    match per_minute {
        0 => format!("{what}; no rate limit"),
        _ => {
            let span = Duration::from_secs(requests * 60 / u64::from(per_minute));
            let span = humantime::format_duration(span);
            format!("{what}; at {per_minute} per minute, the requests alone take {span}")
        }
    }
}

/// Returns whether a run that began at `started` must request a cell in this state.
fn is_due(state: Option<CellState>, day: Date, started: i64) -> bool {
    let Some(CellState {
        settled: Some(settled),
        is_failed: false,
    }) = state
    else {
        return true;
    };
    is_fresh(day, settled) && settled < started
}

/// Returns whether a cell was settled so soon after its date that more documents may have been
/// published since.
fn is_fresh(day: Date, settled: i64) -> bool {
    let moment = SystemTime::UNIX_EPOCH + Duration::from_millis(settled.unsigned_abs());
    let settled = Date::in_moscow(moment);
    settled.days_since_1970() - day.days_since_1970() <= FRESH_DAYS
}

/// Returns the time in milliseconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.map_or(0, |since| {
        i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
    })
}

struct Run<'a> {
    folder: &'a Folder,
    client: Client<'a>,
    progress: &'a Progress,
    stop: StopSignal,
    started: i64,
    /// Whether this run has sent a request for documents.
    has_requested: bool,
    /// Number of consecutive cells for which no connection was possible.
    unreachable: u32,
    summary: RunSummary,
}

impl Run<'_> {
    fn day(&mut self, selection: &CellSelection, day: Date) -> Result<(), BoxedError> {
        let states = self.folder.ledger.states(day)?;
        for cell in selection.cells_of(day) {
            let is_due = is_due(states.get(&cell), day, self.started);
            self.summary.is_stopped |= is_due && self.stop.is_given();
            let is_over = self.summary.is_over();
            if is_due && !is_over {
                let outcome = self.cell(&cell);
                self.record(&cell, outcome)?;
                self.progress.cell();
            } else {
                let counts = self.counts(&cell);
                match is_due {
                    true => counts.left += 1,
                    false => counts.before += 1,
                }
            }
        }
        Ok(())
    }

    fn counts(&mut self, cell: &Cell) -> &mut CellCounts {
        self.summary
            .counts
            .entry(cell.documents.subsystem)
            .or_default()
    }

    /// Counts the outcome of a cell. Ends the run if the outcome requires that, or after too many
    /// unreachable cells in a row.
    fn record(
        &mut self,
        cell: &Cell,
        outcome: Result<Settled, CellError>,
    ) -> Result<(), BoxedError> {
        match outcome {
            Ok(settled) => {
                self.unreachable = 0;
                let counts = self.counts(cell);
                match settled {
                    Settled::Done => counts.done += 1,
                    Settled::Empty => counts.empty += 1,
                }
            }
            Err(CellError::Folder(error)) => return Err(error),
            Err(CellError::Service(FetchFailure::Ended(sentence))) => {
                self.counts(cell).left += 1;
                self.summary.ended = Some(sentence);
            }
            Err(CellError::Service(FetchFailure::Stopped)) => {
                self.counts(cell).left += 1;
                self.summary.is_stopped = true;
            }
            Err(CellError::Service(FetchFailure::Failed(what) | FetchFailure::Forbidden(what))) => {
                self.unreachable = 0;
                self.failed(cell, &what)?;
            }
            Err(CellError::Service(FetchFailure::Unreachable(what))) => {
                self.failed(cell, &what)?;
                self.unreachable += 1;
                if self.unreachable >= MAX_UNREACHABLE {
                    self.summary.ended = Some(format!(
                        "{what}; this happened for {MAX_UNREACHABLE} cells in a row: check the \
                         network, the proxy or the tunnel, then run the same command again"
                    ));
                }
            }
        }
        Ok(())
    }

    fn failed(&mut self, cell: &Cell, what: &str) -> Result<(), BoxedError> {
        self.folder.ledger.fail(cell)?;
        self.progress.line(&format!("{cell}: {what}"));
        self.counts(cell).failed += 1;
        Ok(())
    }

    fn cell(&mut self, cell: &Cell) -> Result<Settled, CellError> {
        let remembered = self.remembered(cell)?;
        if !remembered.is_empty() {
            match self.archives(cell, &remembered) {
                Err(CellError::Service(FetchFailure::Failed(_) | FetchFailure::Forbidden(_))) => {}
                outcome => return outcome,
            }
        }
        let links = self.ask(cell)?;
        match self.archives(cell, &links) {
            // The links have expired. Request new ones, but only once.
            Err(CellError::Service(FetchFailure::Forbidden(_))) => {
                let links = self.ask(cell)?;
                self.archives(cell, &links)
            }
            outcome => outcome,
        }
    }

    /// Returns the links from the last response of a run that was stopped, if they may still be
    /// valid. Returns no links once this run has sent a request.
    fn remembered(&self, cell: &Cell) -> Result<Vec<String>, CellError> {
        if self.has_requested {
            return Ok(Vec::new());
        }
        let links = self.folder.ledger.links(cell)?;
        let now = now();
        let is_valid = |asked: i64| (0..LINK_LIFETIME).contains(&(now - asked));
        match links.iter().all(|link| is_valid(link.asked)) {
            true => Ok(links.into_iter().map(|link| link.link).collect()),
            false => Ok(Vec::new()),
        }
    }

    fn ask(&mut self, cell: &Cell) -> Result<Vec<String>, CellError> {
        self.has_requested = true;
        let links = self.client.ask(DocumentsOf::Cell(cell))?;
        // A link that contains the token must not be stored on disk.
        let is_storable = !links.iter().any(|link| self.client.contains_token(link));
        let stored = if is_storable { &links[..] } else { &[] };
        let now = now();
        self.folder.ledger.answered(cell, stored, now)?;
        Ok(links)
    }

    /// Downloads the archives that are not saved yet, settles the cell, and removes archives that
    /// the new ones supersede.
    fn archives(&mut self, cell: &Cell, links: &[String]) -> Result<Settled, CellError> {
        let known = self.folder.ledger.links(cell)?;
        let saved = |link: &str| known.iter().find(|one| one.link == link)?.saved;
        let folder = self.folder.day_folder(cell.day);
        let (mut archives, mut newest) = (Vec::new(), Vec::new());
        for link in links {
            newest.push(match saved(link) {
                Some(digest) => digest,
                None => {
                    let archive = self.archive(cell, link, &folder)?;
                    archives.push(archive);
                    archive.0
                }
            });
        }
        self.folder.ledger.settle(cell, &archives, now())?;
        let removed = self.folder.remove_superseded(cell, &newest);
        removed.map_err(CellError::Folder)?;
        Ok(match links.is_empty() {
            true => Settled::Empty,
            false => Settled::Done,
        })
    }

    fn archive(
        &mut self,
        cell: &Cell,
        link: &str,
        folder: &Path,
    ) -> Result<([u8; 32], u64), CellError> {
        let archive = self.client.download(link, folder)?;
        let (digest, length) = (archive.digest, archive.length);
        self.folder.ledger.saved(cell, link, &digest, length)?;
        self.progress.archive();
        Ok((digest, length))
    }
}

enum CellError {
    Service(FetchFailure),
    Folder(BoxedError),
}

impl From<FetchFailure> for CellError {
    fn from(failure: FetchFailure) -> Self {
        Self::Service(failure)
    }
}

impl From<crate::store::Error> for CellError {
    fn from(error: crate::store::Error) -> Self {
        Self::Folder(error.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 3_600_000;

    fn day(number: u8) -> Date {
        Date::new(2026, 11, number).expect("a day")
    }

    /// Noon in Moscow, in milliseconds since 1970.
    fn noon(number: u8) -> i64 {
        day(number).days_since_1970() * DAY + 9 * 3_600_000
    }

    fn state(settled: Option<i64>, is_failed: bool) -> Option<CellState> {
        Some(CellState { settled, is_failed })
    }

    #[test]
    fn a_cell_is_due_if_it_is_not_settled_or_failed_last() {
        assert!(is_due(None, day(1), noon(20)));
        assert!(is_due(state(None, false), day(1), noon(20)));
        assert!(is_due(state(None, true), day(1), noon(20)));
        assert!(is_due(state(Some(noon(9)), true), day(1), noon(20)));
        assert!(!is_due(state(Some(noon(9)), false), day(1), noon(20)));
    }

    #[test]
    fn a_cell_settled_within_three_days_is_due_in_the_next_run() {
        for (settled, expected) in [(1, true), (2, true), (4, true), (5, false)] {
            let state = state(Some(noon(settled)), false);
            assert_eq!(is_due(state, day(1), noon(20)), expected, "{settled}");
            assert!(!is_due(state, day(1), noon(settled)), "{settled}");
        }
    }

    #[test]
    fn the_estimate_is_the_number_of_requests_divided_by_the_rate() {
        assert!(estimate(2700, 80).ends_with("at 80 per minute, the requests alone take 33m 45s"));
        assert!(estimate(2700, 0).ends_with("no rate limit"));
        assert!(estimate(1, 0).starts_with("1 request for"));
    }
}
