//! Handles signals that stop a resumable command.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

/// Returns a flag that is set by the first signal to stop (SIGINT, SIGTERM or SIGHUP), so that the
/// command can finish its current step. A second signal ends the process immediately.
pub fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // This is the exit status that shells report for the signal.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    // With a handler for SIGXFSZ, exceeding a file size limit causes a write error, which is
    // reported. Without a handler, the signal would end the process.
    flag::register(SIGXFSZ, Arc::default())?;
    Ok(stop)
}
