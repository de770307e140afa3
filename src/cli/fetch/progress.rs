//! The progress of a fetch on a terminal.

use std::cell::Cell;
use std::fmt;
use std::time::Duration;

use indicatif::{DecimalBytes, HumanDuration, ProgressBar, ProgressState, ProgressStyle};

use crate::cli::progress_bar::progress_bar;
use crate::fetch::ServiceEvent;

/// Waits of at least this long are also logged.
const LONG_WAIT: Duration = Duration::from_secs(60);

/// A progress bar with cells, archives, bytes, rate and time left. Hidden unless standard error is
/// a terminal.
pub struct Progress {
    bar: ProgressBar,
    archives: Cell<u64>,
    bytes: Cell<u64>,
}

impl Progress {
    /// Starts the progress display of a run over `cells` cells.
    pub fn new(cells: u64) -> Self {
        let style = ProgressStyle::with_template("{cells}  {msg}  {wide_bar}");
        let bar = progress_bar(style.map(|style| style.with_key("cells", write_cells)));
        bar.set_length(cells);
        Self {
            bar,
            archives: Cell::new(0),
            bytes: Cell::new(0),
        }
    }

    pub fn event(&self, event: ServiceEvent<'_>) {
        match event {
            ServiceEvent::Bytes(count) => {
                self.bytes.set(self.bytes.get() + count);
                self.show();
            }
            ServiceEvent::Waiting { reason, span } => {
                let wait = humantime::format_duration(span);
                self.bar.set_message(format!("waiting {wait}: {reason}"));
                match span >= LONG_WAIT {
                    true => self.bar.suspend(|| log::info!("waiting {wait}: {reason}")),
                    false => log::debug!("waiting {wait}: {reason}"),
                }
            }
        }
    }

    pub fn archive(&self) {
        self.archives.set(self.archives.get() + 1);
        self.show();
    }

    pub fn cell(&self) {
        self.bar.inc(1);
    }

    pub fn line(&self, line: &str) {
        self.bar.suspend(|| eprintln!("{line}"));
    }

    /// Returns the numbers of saved archives and received bytes.
    pub fn totals(&self) -> (u64, u64) {
        (self.archives.get(), self.bytes.get())
    }

    pub fn end(&self) {
        self.bar.finish_and_clear();
    }

    /// Shows the totals in place of any message about waiting.
    fn show(&self) {
        let (archives, bytes) = self.totals();
        let seconds = self.bar.elapsed().as_secs().max(1);
        self.bar.set_message(format!(
            "archives: {archives}, {}, {}/s",
            DecimalBytes(bytes),
            DecimalBytes(bytes / seconds)
        ));
    }
}

/// Writes the numbers of finished and total cells and, after the first cell, the rate and the time
/// left.
fn write_cells(state: &ProgressState, out: &mut dyn fmt::Write) {
    let (done, all) = (state.pos(), state.len().unwrap_or(0));
    // If the terminal cannot be written to, the fetch goes on.
    let _ = match done {
        0 => write!(out, "0 of {all} cells"),
        _ => write!(
            out,
            "{done} of {all} cells, {:.0} a minute, {:#} left",
            state.per_sec() * 60.0,
            HumanDuration(state.eta())
        ),
    };
}
