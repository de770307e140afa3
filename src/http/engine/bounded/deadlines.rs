//! The server's clock, and when deadlines are to be looked at: by the next worker that is
//! free, and by a timer in the epoll set for when all of them sleep.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::event::Timespec;
use rustix::fd::OwnedFd;
use rustix::io::{self, Errno};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};

/// No deadline.
pub const NEVER: u64 = u64::MAX;

/// Deadlines are multiples of so many milliseconds, so that one look serves several.
const STEP: u64 = 8;

/// When the next look is due. Instants are milliseconds since the start.
pub struct Deadlines {
    start: Instant,
    pub(super) next: AtomicU64,
    timer: Mutex<OwnedFd>,
}

/// A look at all deadlines. At its end, also where it ends by a panic, the next one is
/// due at `next`.
pub struct Look<'a> {
    deadlines: &'a Deadlines,
    /// When it began.
    pub now: u64,
    /// When the next one is due.
    pub next: u64,
}

impl Drop for Look<'_> {
    fn drop(&mut self) {
        self.deadlines.look_by(self.next);
    }
}

impl Deadlines {
    /// None yet; `add` has the timer's event come.
    ///
    /// # Errors
    /// The system has no timer.
    pub fn new(add: impl FnOnce(&OwnedFd) -> io::Result<()>) -> io::Result<Self> {
        let flags = TimerfdFlags::CLOEXEC | TimerfdFlags::NONBLOCK;
        let timer = timerfd_create(TimerfdClockId::Monotonic, flags)?;
        add(&timer)?;
        Ok(Self {
            start: Instant::now(),
            next: AtomicU64::new(NEVER),
            timer: Mutex::new(timer),
        })
    }

    /// Now.
    pub fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(NEVER / 2)
    }

    /// The deadline that is `span` from now.
    pub fn after(&self, span: Duration) -> u64 {
        let span = u64::try_from(span.as_millis()).unwrap_or(NEVER / 4);
        let end = self.now().saturating_add(span.min(NEVER / 4));
        end.next_multiple_of(STEP)
    }

    /// Moves the next look to `deadline`, if it is later. Called after the deadline stands in
    /// its slot: a look that is under way clears what was due before it began, and finds what
    /// stood in the slots by then.
    pub fn look_by(&self, deadline: u64) {
        if deadline >= self.next.load(Ordering::SeqCst) {
            return;
        }
        // Held until the timer is set, so that no one sets it to a later instant after this.
        let timer = self.timer.lock().unwrap_or_else(PoisonError::into_inner);
        if deadline < self.next.fetch_min(deadline, Ordering::SeqCst) {
            let left = Duration::from_millis(deadline.saturating_sub(self.now()));
            if let Err(error) = set(&timer, left) {
                log::error!("deadlines cannot be waited for: {error}");
            }
        }
    }

    /// A look, if one is due; it is for one worker. Unless its `next` is set another is
    /// due at once after it.
    pub fn look(&self) -> Option<Look<'_>> {
        let now = self.now();
        // Cleared first, so that a concurrent `look_by` is not lost.
        let forget = |next| (next <= now).then_some(NEVER);
        let order = Ordering::SeqCst;
        self.next.fetch_update(order, order, forget).ok()?;
        Some(Look {
            deadlines: self,
            now,
            next: now,
        })
    }
}

/// Sets a timer to go off once, after `left`.
fn set(timer: &OwnedFd, left: Duration) -> io::Result<()> {
    // None at all would switch it off.
    let left = left.max(Duration::from_nanos(1));
    let once = Itimerspec {
        it_interval: Timespec::default(),
        it_value: left.try_into().map_err(|_| Errno::OVERFLOW)?,
    };
    timerfd_settime(timer, TimerfdTimerFlags::empty(), &once).map(drop)
}
