//! Delivers signals to the main thread, which sleeps until a signal arrives or a timeout expires.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator;

/// Time within which a repeated termination signal counts as the same one. `timeout` signals both
/// the process and its group, and a terminal may do the same.
const DUPLICATE_WINDOW: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub struct Signals {
    received: Receiver<i32>,
    /// Whether SIGTERM and SIGINT have their default effect of ending the process.
    kills: Arc<AtomicBool>,
}

impl Signals {
    /// Takes over SIGTERM, SIGINT and SIGHUP.
    ///
    /// # Errors
    /// Returns an error if the system refuses to register a handler or to start a thread.
    pub fn take() -> io::Result<Self> {
        let kills = Arc::new(AtomicBool::new(false));
        for signal in [SIGTERM, SIGINT] {
            flag::register_conditional_default(signal, Arc::clone(&kills))?;
        }
        let mut signals = iterator::Signals::new([SIGTERM, SIGINT, SIGHUP])?;
        let (sender, received) = mpsc::channel();
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                for signal in signals.forever() {
                    // Sending fails only when the process ends: until then, the main thread holds
                    // the receiver.
                    let _ = sender.send(signal);
                }
            })?;
        Ok(Self { received, kills })
    }

    /// Sleeps until a signal arrives, but at most for `most`, and returns the signal. A signal that
    /// arrived before the call is returned immediately.
    ///
    /// # Errors
    /// Returns an error if signals can no longer be received.
    pub fn wait(&self, most: Duration) -> io::Result<Option<i32>> {
        match self.received.recv_timeout(most) {
            Ok(signal) => Ok(Some(signal)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(error @ RecvTimeoutError::Disconnected) => Err(io::Error::other(error)),
        }
    }

    /// Restores the default effect of SIGTERM and SIGINT. Ignores duplicates of the last signal.
    pub fn kill_from_now_on(&self) {
        // Signals that arrive during this sleep are ignored.
        thread::sleep(DUPLICATE_WINDOW);
        self.kills.store(true, Ordering::SeqCst);
    }
}
