//! The signal that ends a run early.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// Tells a run to end early, because the user stopped it or its time is up.
#[derive(Clone, Debug)]
pub struct StopSignal {
    /// The run ends once this is `true`.
    pub flag: Arc<AtomicBool>,
    /// Time limit of the run; `None` if unlimited.
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
