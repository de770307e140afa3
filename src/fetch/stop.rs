//! The signal that ends a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Ends a run early: the user stopped it, or its time is up.
#[derive(Clone, Debug)]
pub struct StopSignal {
    /// Set when the user stops the run.
    pub flag: Arc<AtomicBool>,
    /// When the time is up; `None` for no limit.
    pub until: Option<Instant>,
}

impl StopSignal {
    pub fn is_out_of_time(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Returns whether to stop, for either reason.
    pub fn is_given(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.is_out_of_time()
    }
}
