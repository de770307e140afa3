//! Signals, for the main thread: it sleeps until one comes or a time has passed.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use signal_hook::iterator;

/// How long after a signal to end the same signal counts as that one: `timeout`
/// sends it to the process and to its group, a terminal may do likewise.
const TWIN: Duration = Duration::from_millis(50);

/// Why the main thread woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wake {
    /// SIGTERM or SIGINT.
    End,
    /// SIGHUP: only handled so that an operator who is used to send it does not end the
    /// service.
    Hangup,
    /// The time has passed.
    Tick,
}

/// The signals of this process, from [`Signals::take`] on.
#[derive(Debug)]
pub struct Signals {
    received: Receiver<i32>,
    /// From now on a signal to end does what it does to any process.
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
                    // The main thread is gone only where the process ends.
                    let _ = sender.send(signal);
                }
            })?;
        Ok(Self { received, kills })
    }

    /// Sleeps until a signal comes, `most` at the longest. A signal that came before
    /// counts.
    ///
    /// # Errors
    /// Signals cannot be waited for any more.
    pub fn wait(&self, most: Duration) -> io::Result<Wake> {
        match self.received.recv_timeout(most) {
            Ok(SIGHUP) => Ok(Wake::Hangup),
            Ok(_) => Ok(Wake::End),
            Err(RecvTimeoutError::Timeout) => Ok(Wake::Tick),
            Err(error @ RecvTimeoutError::Disconnected) => Err(io::Error::other(error)),
        }
    }

    /// From now on SIGTERM and SIGINT end the process at once, as they end any; the
    /// twin of the signal that came just now does not count.
    pub fn kill_from_now_on(&self) {
        // Signals in this time count no more, whatever they are.
        thread::sleep(TWIN);
        self.kills.store(true, Ordering::SeqCst);
    }
}
