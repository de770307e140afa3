//! The signal that ends a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// The signal to stop a run: by the user, or at the end of its time.
#[derive(Clone, Debug)]
pub struct StopSignal {
    /// Becomes true when the user stops the run.
    pub flag: Arc<AtomicBool>,
    /// The end of its time; none for no limit.
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
