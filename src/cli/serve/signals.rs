//! Signals, for the main thread: it sleeps until one comes or a time has passed.

use std::io::{self, ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::{flag, low_level};

/// How long after a signal to end the same signal counts as that one: `timeout`
/// sends it to the process and to its group, a terminal may do likewise.
const TWIN: Duration = Duration::from_millis(50);

/// Why the main thread woke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// SIGTERM or SIGINT.
    End,
    /// SIGHUP: only handled so that an operator who is used to send it does not end the
    /// service.
    Hangup,
    /// The time has passed.
    Tick,
}

/// The signals of this process, from its making on.
#[derive(Debug)]
pub struct Signals {
    /// A byte for each signal that came.
    wakes: UnixStream,
    end: Arc<AtomicBool>,
    hangup: Arc<AtomicBool>,
    /// From now on a signal to end does what it does to any process.
    kills: Arc<AtomicBool>,
}

impl Signals {
    /// Takes over SIGTERM, SIGINT and SIGHUP.
    ///
    /// # Errors
    /// The system refuses.
    pub fn take() -> io::Result<Self> {
        let (wakes, wake) = UnixStream::pair()?;
        let [end, hangup, kills] = [(); 3].map(|()| Arc::new(AtomicBool::new(false)));
        // The actions of a signal run in the order they are registered: the byte must
        // come after its flag.
        for signal in [SIGTERM, SIGINT] {
            flag::register_conditional_default(signal, Arc::clone(&kills))?;
            flag::register(signal, Arc::clone(&end))?;
            low_level::pipe::register(signal, wake.try_clone()?)?;
        }
        flag::register(SIGHUP, Arc::clone(&hangup))?;
        low_level::pipe::register(SIGHUP, wake)?;
        Ok(Self {
            wakes,
            end,
            hangup,
            kills,
        })
    }

    /// Sleeps until a signal comes, `most` at the longest. A signal that came before
    /// counts; those to end go first.
    ///
    /// # Errors
    /// Signals cannot be waited for any more.
    pub fn wait(&mut self, most: Duration) -> io::Result<Event> {
        self.sleep(most)?;
        Ok(if self.end.swap(false, Ordering::SeqCst) {
            Event::End
        } else if self.hangup.swap(false, Ordering::SeqCst) {
            Event::Hangup
        } else {
            Event::Tick
        })
    }

    /// From now on SIGTERM and SIGINT end the process at once, as they end any; the
    /// twin of the signal that came just now does not count.
    ///
    /// # Errors
    /// Signals cannot be waited for any more.
    pub fn kill_from_now_on(&mut self) -> io::Result<()> {
        self.sleep(TWIN)?;
        self.kills.store(true, Ordering::SeqCst);
        Ok(())
    }

    fn sleep(&mut self, most: Duration) -> io::Result<()> {
        // A time limit of nothing would be none at all.
        let most = most.max(Duration::from_millis(1));
        self.wakes.set_read_timeout(Some(most))?;
        match self.wakes.read(&mut [0; 64]) {
            Ok(0) => Err(io::Error::other("signals cannot be waited for any more")),
            Ok(_) => Ok(()),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(()),
                _ => Err(error),
            },
        }
    }
}
