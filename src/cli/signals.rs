//! Signals to end a command that can stop in the middle and go on later.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use signal_hook::consts::signal::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;

/// Becomes true at the first signal to end (Ctrl-C, a closed terminal), upon which the command ends after what
/// it is at; a second one ends the process at once.
pub fn stop_on_signals() -> io::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM, SIGHUP] {
        // The status that a shell gives a process ended by the signal.
        flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(&stop))?;
        flag::register(signal, Arc::clone(&stop))?;
    }
    // A file over the limit of its size is then an error of writing, which is reported.
    flag::register(SIGXFSZ, Arc::default())?;
    Ok(stop)
}
