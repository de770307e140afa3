//! Limits log lines about a lasting condition: the first occurrence is logged, the others are
//! counted.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Decides which occurrences of a condition to log. Keeps only the last condition, so a different
/// condition is always logged.
#[derive(Debug)]
pub struct Throttled<T> {
    /// Minimum time between two lines about the same condition. `None` means that the condition is
    /// logged once, until it changes or ends.
    interval: Option<Duration>,
    last: Mutex<Option<Logged<T>>>,
}

#[derive(Debug)]
struct Logged<T> {
    condition: T,
    at: Instant,
    /// Occurrences since the last line.
    more: u64,
    has_ended: bool,
}

impl<T: PartialEq> Throttled<T> {
    /// Makes an instance that logs a condition once, when it begins.
    pub const fn once() -> Self {
        let last = Mutex::new(None);
        let interval = None;
        Self { interval, last }
    }

    /// Makes an instance that logs a condition when it begins, and at most once per `interval`
    /// while it lasts.
    pub const fn every(interval: Duration) -> Self {
        let last = Mutex::new(None);
        let interval = Some(interval);
        Self { interval, last }
    }

    /// Records an occurrence. If it must be logged, returns how many earlier occurrences of the
    /// same condition were not.
    pub fn occurs(&self, condition: T, now: Instant) -> Option<u64> {
        let mut last = self.last();
        let same = last.as_mut().filter(|last| last.condition == condition);
        let more = match same {
            Some(same) if !self.is_due(same, now) => {
                same.more += 1;
                return None;
            }
            Some(same) => same.more,
            None => 0,
        };
        *last = Some(Logged {
            condition,
            at: now,
            more: 0,
            has_ended: false,
        });
        Some(more)
    }

    /// Records the end of the condition. Returns whether the end must be logged: only if the
    /// beginning was logged and the end has not been. With an interval, a condition that comes and
    /// goes gives one pair of lines per interval.
    pub fn ends(&self) -> bool {
        let mut last = self.last();
        let open = last.as_mut().filter(|last| !last.has_ended);
        open.map(|last| last.has_ended = true).is_some()
    }

    /// Takes the number of unlogged occurrences, if the interval has passed. Returns `None` if
    /// there is nothing to report.
    pub fn due(&self, now: Instant) -> Option<u64> {
        let mut last = self.last();
        let due = last.take_if(|last| self.is_due(last, now));
        due.map(|due| due.more).filter(|more| *more > 0)
    }

    /// Takes the number of unlogged occurrences, even if the interval has not passed. Returns
    /// `None` if there are no such occurrences.
    pub fn rest(&self) -> Option<u64> {
        let last = self.last().take();
        last.map(|last| last.more).filter(|more| *more > 0)
    }

    fn is_due(&self, last: &Logged<T>, now: Instant) -> bool {
        match self.interval {
            Some(interval) => now.saturating_duration_since(last.at) >= interval,
            None => last.has_ended,
        }
    }

    fn last(&self) -> MutexGuard<'_, Option<Logged<T>>> {
        // No statement leaves the value half changed, so it is usable even after a panic.
        self.last.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(start: Instant, seconds: u64) -> Instant {
        start + Duration::from_secs(seconds)
    }

    #[test]
    fn a_lasting_condition_is_logged_once_per_interval_with_its_count() {
        let throttled = Throttled::every(Duration::from_secs(60));
        let start = Instant::now();
        let occurs = |what, seconds| throttled.occurs(what, after(start, seconds));
        assert_eq!(occurs("damaged", 0), Some(0));
        assert_eq!(occurs("damaged", 1), None);
        assert_eq!(occurs("damaged", 59), None);
        assert_eq!(occurs("damaged", 60), Some(2));
        assert_eq!(occurs("damaged", 61), None);
        // A different condition is logged at once.
        assert_eq!(occurs("out of memory", 62), Some(0));
    }

    #[test]
    fn without_an_interval_a_condition_is_logged_once_until_it_ends_or_changes() {
        let throttled = Throttled::once();
        let start = Instant::now();
        let occurs = |what, seconds| throttled.occurs(what, after(start, seconds));
        assert!(!throttled.ends());
        assert_eq!(occurs("late", 0), Some(0));
        assert_eq!(occurs("late", 1_000_000), None);
        assert_eq!(occurs("gone", 1_000_001), Some(0));
        assert!(throttled.ends());
        assert!(!throttled.ends());
        assert_eq!(occurs("gone", 1_000_002), Some(0));
    }

    #[test]
    fn a_flapping_condition_has_one_pair_of_lines_per_interval() {
        let throttled = Throttled::every(Duration::from_secs(60));
        let start = Instant::now();
        assert_eq!(throttled.occurs("outage", start), Some(0));
        assert!(throttled.ends());
        for second in 1..60 {
            assert_eq!(throttled.occurs("outage", after(start, second)), None);
            assert!(!throttled.ends());
        }
        assert_eq!(throttled.occurs("outage", after(start, 60)), Some(59));
        assert!(throttled.ends());
    }

    #[test]
    fn unlogged_occurrences_are_reported_after_their_interval() {
        let throttled = Throttled::every(Duration::from_secs(1));
        let start = Instant::now();
        for _ in 0..3 {
            throttled.occurs((), start);
        }
        assert_eq!(throttled.due(start), None);
        assert_eq!(throttled.due(after(start, 1)), Some(2));
        assert_eq!(throttled.due(after(start, 2)), None);
        throttled.occurs((), after(start, 3));
        assert_eq!(throttled.due(after(start, 4)), None, "it has its own line");
        throttled.occurs((), after(start, 5));
        throttled.occurs((), after(start, 5));
        assert_eq!(throttled.rest(), Some(1));
        assert_eq!(throttled.rest(), None);
    }
}
