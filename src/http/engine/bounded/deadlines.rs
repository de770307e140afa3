//! The server's clock, and the time of the next check of deadlines. A free worker does the check;
//! if all workers are asleep, a timer in the epoll set wakes one.

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

/// The time that means "no deadline".
pub const NEVER: u64 = u64::MAX;

/// Deadlines are rounded up to multiples of this many milliseconds, so that one check covers
/// several.
const STEP: u64 = 8;

/// When the next check is due. Times are in milliseconds since the server started.
pub struct Deadlines {
    start: Instant,
    pub(super) next: AtomicU64,
    timer: Mutex<OwnedFd>,
}

/// A check of all deadlines. Dropping it schedules the next check, even during a panic.
pub struct DeadlineCheck<'a> {
    deadlines: &'a Deadlines,
    pub now: u64,
    /// When the next check is due.
    pub next: u64,
}

impl Drop for DeadlineCheck<'_> {
    fn drop(&mut self) {
        self.deadlines.check_by(self.next);
    }
}

impl Deadlines {
    /// `add` puts the timer into the epoll set.
    ///
    /// # Errors
    /// Returns an error if the system cannot create a timer.
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

    pub fn now(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(NEVER / 2)
    }

    pub fn after(&self, span: Duration) -> u64 {
        let span = u64::try_from(span.as_millis()).unwrap_or(NEVER / 4);
        let end = self.now().saturating_add(span.min(NEVER / 4));
        end.next_multiple_of(STEP)
    }

    /// Brings the next check forward to `deadline`, if the check is later. The caller must already
    /// have stored the deadline in a slot. A concurrent check cannot miss that deadline: it clears
    /// only a scheduled time that is already due, and scans all slots afterwards.
    pub fn check_by(&self, deadline: u64) {
        if deadline >= self.next.load(Ordering::SeqCst) {
            return;
        }
        // Keep the lock until the timer is set, so that no other thread sets the timer to a later
        // time in between.
        let timer = locked(&self.timer);
        if deadline < self.next.fetch_min(deadline, Ordering::SeqCst) {
            let left = Duration::from_millis(deadline.saturating_sub(self.now()));
            if let Err(error) = set(&timer, left) {
                log::error!("cannot wait for deadlines: {error}");
            }
        }
    }

    /// Returns a check if one is due and no other worker has begun it. The caller must store the
    /// next deadline in [`DeadlineCheck::next`]. Without that, the next check is due at once.
    pub fn check(&self) -> Option<DeadlineCheck<'_>> {
        let now = self.now();
        // Clear the time before scanning, so that a concurrent `check_by` is not lost.
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

fn set(timer: &OwnedFd, left: Duration) -> io::Result<()> {
    // Zero would disarm the timer.
    let left = left.max(Duration::from_nanos(1));
    let once = Itimerspec {
        it_interval: Timespec::default(),
        it_value: left.try_into().map_err(|_| Errno::OVERFLOW)?,
    };
    timerfd_settime(timer, TimerfdTimerFlags::empty(), &once).map(drop)
}
