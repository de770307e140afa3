//! Signals that end a resumable command.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

/// Returns a flag that the first signal to end (Ctrl-C, a closed terminal) sets. The command then
/// ends after its current step. A second signal ends the process at once.
pub fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // The exit status that shells report for the signal.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    // Exceeding a limit on file size is then a write error, which is reported.
    flag::register(SIGXFSZ, Arc::default())?;
    Ok(stop)
}
