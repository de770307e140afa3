//! The server's clock, and the time of the next check of deadlines. The next free worker makes the
//! check, and a timer in the epoll set wakes one if all of them sleep.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rustix::event::Timespec;
use rustix::fd::OwnedFd;
use rustix::io::{self, Errno};
use rustix::time::{
    Itimerspec, TimerfdClockId, TimerfdFlags, TimerfdTimerFlags, timerfd_create, timerfd_settime,
};

use crate::http::lock::locked;

/// No deadline.
pub const NEVER: u64 = u64::MAX;

/// The step of deadlines in milliseconds, so that one check serves several.
const STEP: u64 = 8;

/// The time of the next check. Instants are milliseconds since the start.
pub struct Deadlines {
    start: Instant,
    pub(super) next: AtomicU64,
    timer: Mutex<OwnedFd>,
}

/// A check of all deadlines. When it ends, even by a panic, the next one is set for `next`.
pub struct DeadlineCheck<'a> {
    deadlines: &'a Deadlines,
    /// Its start.
    pub now: u64,
    /// The time of the next check.
    pub next: u64,
}

impl Drop for DeadlineCheck<'_> {
    fn drop(&mut self) {
        self.deadlines.check_by(self.next);
    }
}

impl Deadlines {
    /// Returns no deadlines yet. `add` registers the timer's event.
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

    /// Returns the current time.
    pub fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(NEVER / 2)
    }

    /// Returns the deadline `span` from now.
    pub fn after(&self, span: Duration) -> u64 {
        let span = u64::try_from(span.as_millis()).unwrap_or(NEVER / 4);
        let end = self.now().saturating_add(span.min(NEVER / 4));
        end.next_multiple_of(STEP)
    }

    /// Moves the next check to `deadline`, if it is later. The caller has put the deadline in its
    /// slot before: a concurrent check forgets only the time that was due when it began, and sees
    /// all slots as they were then.
    pub fn check_by(&self, deadline: u64) {
        if deadline >= self.next.load(Ordering::SeqCst) {
            return;
        }
        // Held until the timer is set, so that no other thread then sets it to a later time.
        let timer = locked(&self.timer);
        if deadline < self.next.fetch_min(deadline, Ordering::SeqCst) {
            let left = Duration::from_millis(deadline.saturating_sub(self.now()));
            if let Err(error) = set(&timer, left) {
                log::error!("deadlines cannot be waited for: {error}");
            }
        }
    }

    /// Returns a check, if one is due, to one worker only. Unless the worker sets its `next`,
    /// another check is due at once.
    pub fn check(&self) -> Option<DeadlineCheck<'_>> {
        let now = self.now();
        // Cleared first, so that a concurrent `check_by` is not lost.
        let forget = |next| (next <= now).then_some(NEVER);
        let order = Ordering::SeqCst;
        self.next.fetch_update(order, order, forget).ok()?;
        Some(DeadlineCheck {
            deadlines: self,
            now,
            next: now,
        })
    }
}

/// Sets a timer to expire once, after `left`.
fn set(timer: &OwnedFd, left: Duration) -> io::Result<()> {
    // Zero would switch it off.
    let left = left.max(Duration::from_nanos(1));
    let once = Itimerspec {
        it_interval: Timespec::default(),
        it_value: left.try_into().map_err(|_| Errno::OVERFLOW)?,
    };
    timerfd_settime(timer, TimerfdTimerFlags::empty(), &once).map(drop)
}
