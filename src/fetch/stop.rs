//! When a run ends before it is through.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// When a run is to stop: when it is told to, or has no more time.
#[derive(Clone, Debug)]
pub struct StopSignal {
    /// Becomes true when it is told to.
    pub flag: Arc<AtomicBool>,
    /// When its time ends; none for no limit.
    pub until: Option<Instant>,
}

impl StopSignal {
    /// Returns whether the time of the run has ended.
    pub fn is_out_of_time(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Returns whether to stop, for whatever reason.
    pub fn is_given(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.is_out_of_time()
    }
}
