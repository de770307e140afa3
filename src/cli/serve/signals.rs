//! Signals for the main thread, which sleeps until one arrives or a time has passed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator;

/// The time in which a repeated termination signal counts as the same one. `timeout` sends it to
/// the process and to its group, and a terminal may do the same.
const TWIN: Duration = Duration::from_millis(50);

/// The signals of this process after [`Signals::take`].
#[derive(Debug)]
pub struct Signals {
    received: Receiver<i32>,
    /// Whether a termination signal now has its default effect.
    kills: Arc<AtomicBool>,
}

impl Signals {
    /// Takes over SIGTERM, SIGINT and SIGHUP.
    ///
    /// # Errors
    /// The system refuses.
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
                    // The main thread is gone only at the end of the process.
                    let _ = sender.send(signal);
                }
            })?;
        Ok(Self { received, kills })
    }

    /// Sleeps until a signal arrives, at most for `most`. Returns it, also one that came earlier.
    ///
    /// # Errors
    /// Signals can no longer be received.
    pub fn wait(&self, most: Duration) -> io::Result<Option<i32>> {
        match self.received.recv_timeout(most) {
            Ok(signal) => Ok(Some(signal)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(error @ RecvTimeoutError::Disconnected) => Err(io::Error::other(error)),
        }
    }

    /// Restores the default effect of SIGTERM and SIGINT. A repetition of the last signal does not
    /// count.
    pub fn kill_from_now_on(&self) {
        // All signals in this time are ignored.
        thread::sleep(TWIN);
        self.kills.store(true, Ordering::SeqCst);
    }
}
