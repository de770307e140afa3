//! How far a publication has come.

use std::time::Duration;

use super::super::server_bounds::{ROWS_A_SECOND, SERVER_SILENCE};

/// How long it is waited for where it puts so many rows somewhere in one step.
pub fn silence_for(rows: u64) -> Duration {
    SERVER_SILENCE + Duration::from_secs(rows / ROWS_A_SECOND)
}

/// How many rows are shown at a time.
const AT_ONCE: u64 = 1000;

/// How far a publication has come.
pub struct PublishProgress<'a> {
    /// How many rows were sent.
    pub done: u64,
    /// How many there are, or of changes how many the log has: what is sent of them may be more
    /// rows or fewer.
    total: u64,
    /// Is told both now and then.
    report: &'a mut dyn FnMut(u64, u64),
}

impl<'a> PublishProgress<'a> {
    /// Of so many rows.
    pub fn new(total: u64, report: &'a mut dyn FnMut(u64, u64)) -> Self {
        report(0, total);
        Self {
            done: 0,
            total,
            report,
        }
    }

    /// A row was sent.
    pub fn row(&mut self) {
        self.done += 1;
        if self.done.is_multiple_of(AT_ONCE) && self.done < self.total {
            (self.report)(self.done, self.total);
        }
    }

    /// All were sent.
    pub fn finish(&mut self) {
        (self.report)(self.total, self.total);
    }
}
