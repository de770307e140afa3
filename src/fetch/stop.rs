//! The signal that ends a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Tells a run to end early, because the user stopped it or its time is up.
#[derive(Clone, Debug)]
pub struct StopSignal {
    /// Stops the run once it is `true`.
    pub flag: Arc<AtomicBool>,
    /// When the time is up; `None` if there is no limit.
    pub until: Option<Instant>,
}

impl StopSignal {
    pub fn is_out_of_time(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Returns whether the run must end.
    pub fn is_given(&self) -> bool {
        self.flag.load(Ordering::Relaxed) || self.is_out_of_time()
    }
}
