//! One limit: so many requests a second (or minute) for each key, and a burst.

use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use governor::clock::Clock as _;
use governor::middleware::StateInformationMiddleware;
use governor::nanos::Nanos;
use governor::{Quota, RateLimiter};

use super::Ticks;
use super::table::{Store, Table};

/// The keys that a limit counts apart from each other; about 4 MB of memory.
pub const MAX_KEYS: usize = 65_536;

/// The least time between two cleanings of a table, each of which goes over all of it.
const CLEAN_EVERY: Duration = Duration::from_secs(1);

/// How a client stands with a limit: what the headers `RateLimit-…` say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// How many requests can be made at once after a pause: the burst.
    pub limit: u32,
    /// How many of these can be made now.
    pub remaining: u32,
    /// Seconds until all of them can be made again, if none is made until then.
    pub reset: u64,
}

/// A request that a limit does not let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// How the client stands; nothing remains.
    pub standing: Standing,
    /// How long until the limit lets one through.
    pub wait: Duration,
}

impl Refusal {
    /// The wait in whole seconds, rounded up and at least 1.
    pub fn retry_after(&self) -> u64 {
        whole_seconds(self.wait).max(1)
    }
}

/// Governor's clock, over the one that is given.
#[derive(Clone)]
struct Clock(Ticks);

impl governor::clock::Clock for Clock {
    type Instant = Nanos;

    fn now(&self) -> Nanos {
        (self.0)().into()
    }
}

/// A limit that counts each `K` for itself.
pub struct Limit<K: Eq + Hash + Clone> {
    limiter: RateLimiter<K, Store<K>, Clock, StateInformationMiddleware>,
    table: Arc<Table<K>>,
    quota: Quota,
    /// When the table was last cleaned, in nanoseconds of the clock.
    cleaned: AtomicU64,
}

impl<K: Eq + Hash + Clone> Limit<K> {
    /// A limit of `quota` over at most `max_keys` keys; further ones count as one.
    pub fn new(quota: Quota, max_keys: usize, ticks: Ticks) -> Self {
        let table = Arc::new(Table::new(max_keys));
        let clock = Clock(ticks);
        let cleaned = AtomicU64::new(clock.now().as_u64());
        let limiter = RateLimiter::new(quota, Store(Arc::clone(&table)), clock);
        Self {
            limiter,
            table,
            quota,
            cleaned,
        }
    }

    /// Counts a request of `key`, if the limit lets it through.
    pub fn take(&self, key: &K) -> Result<Standing, Refusal> {
        if self.table.is_full() {
            self.clean();
        }
        let (burst, interval) = (
            self.quota.burst_size().get(),
            self.quota.replenish_interval(),
        );
        match self.limiter.check_key(key) {
            Ok(state) => {
                let remaining = state.remaining_burst_capacity();
                let used = burst.saturating_sub(remaining);
                Ok(Standing {
                    limit: burst,
                    remaining,
                    reset: whole_seconds(interval.saturating_mul(used)),
                })
            }
            Err(until) => {
                let wait = until.wait_time_from(self.limiter.clock().now());
                let full = wait.saturating_add(interval.saturating_mul(burst.saturating_sub(1)));
                let standing = Standing {
                    limit: burst,
                    remaining: 0,
                    reset: whole_seconds(full).max(1),
                };
                Err(Refusal { standing, wait })
            }
        }
    }

    /// Takes a request that was let through back from the count.
    pub fn give_back(&self, key: &K) {
        let interval = self.quota.replenish_interval();
        self.table.give_back(key, interval.into());
    }

    /// Forgets the keys whose bursts are whole again; one thread at a time, and not
    /// more often than is worth it: a flood of new keys must not make each request
    /// go over the table.
    fn clean(&self) {
        let now = self.limiter.clock().now().as_u64();
        let last = self.cleaned.load(Ordering::Relaxed);
        if u128::from(now.saturating_sub(last)) < CLEAN_EVERY.as_nanos() {
            return;
        }
        let mine = self
            .cleaned
            .compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed);
        if mine.is_ok() {
            self.limiter.retain_recent();
            self.limiter.shrink_to_fit();
        }
    }
}

fn whole_seconds(span: Duration) -> u64 {
    span.as_secs() + u64::from(span.subsec_nanos() > 0)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use governor::clock::FakeRelativeClock;

    use super::*;

    fn quota(rate: u32, burst: u32) -> Quota {
        let number = |n| NonZeroU32::new(n).expect("not 0");
        Quota::per_second(number(rate)).allow_burst(number(burst))
    }

    fn limit(quota: Quota, max_keys: usize) -> (Limit<u32>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        let ticks = clock.clone();
        let limit = Limit::new(quota, max_keys, Arc::new(move || ticks.now().into()));
        (limit, clock)
    }

    #[test]
    fn after_the_burst_a_request_goes_through_as_often_as_the_rate_says() {
        let (limit, clock) = limit(quota(10, 3), 9);
        for remaining in [2, 1, 0] {
            let standing = Standing {
                limit: 3,
                remaining,
                reset: 1,
            };
            assert_eq!(limit.take(&1), Ok(standing));
        }
        let refusal = limit.take(&1).expect_err("the burst is used up");
        assert_eq!(refusal.wait, Duration::from_millis(100));
        assert_eq!(refusal.standing.remaining, 0);
        clock.advance(refusal.wait - Duration::from_nanos(1));
        assert!(limit.take(&1).is_err());
        clock.advance(Duration::from_nanos(1));
        assert!(limit.take(&1).is_ok());
        assert!(limit.take(&1).is_err());
    }

    #[test]
    fn the_burst_is_whole_again_after_the_seconds_of_reset() {
        let (limit, clock) = limit(quota(1, 5), 9);
        for _ in 0..4 {
            limit.take(&1).expect("of the burst");
        }
        let reset = limit.take(&1).expect("the last of the burst").reset;
        assert_eq!(reset, 5);
        clock.advance(Duration::from_millis(300));
        let refusal = limit.take(&1).expect_err("used up");
        assert_eq!((refusal.retry_after(), refusal.standing.reset), (1, 5));
        clock.advance(Duration::from_secs(refusal.standing.reset));
        assert_eq!(limit.take(&1).map(|standing| standing.remaining), Ok(4));
    }

    #[test]
    fn what_is_given_back_can_be_taken_again() {
        let (limit, _) = limit(quota(1, 2), 9);
        limit.take(&1).expect("the first");
        for _ in 0..5 {
            assert_eq!(limit.take(&1).map(|standing| standing.remaining), Ok(0));
            limit.give_back(&1);
        }
        limit.take(&1).expect("the second");
        assert!(limit.take(&1).is_err());
        limit.give_back(&7);
        assert_eq!(limit.take(&7).map(|standing| standing.remaining), Ok(1));
    }

    #[test]
    fn past_the_bound_newcomers_share_one_count_until_the_table_is_cleaned() {
        let (limit, clock) = limit(quota(1, 2), 3);
        for key in 1..=3 {
            limit.take(&key).expect("it has a count of its own");
        }
        limit.take(&4).expect("the first of those that share");
        limit.take(&5).expect("the second");
        assert!(limit.take(&6).is_err(), "their one count is used up");
        assert_eq!(limit.limiter.len(), 3);
        limit
            .take(&1)
            .expect("who was there before is not concerned");
        // A second later the second and third are as if they had never asked; the first
        // is not.
        clock.advance(Duration::from_secs(2));
        assert_eq!(limit.take(&6).map(|standing| standing.remaining), Ok(1));
        assert_eq!(limit.limiter.len(), 2);
        assert_eq!(limit.take(&1).map(|standing| standing.remaining), Ok(1));
    }

    #[test]
    fn a_full_table_is_cleaned_once_a_second_at_most() {
        let (limit, clock) = limit(quota(1_000, 1), 2);
        clock.advance(Duration::from_secs(5));
        let fill = |keys: [u32; 3]| keys.map(|key| limit.take(&key).is_ok());
        assert_eq!(fill([1, 2, 3]), [true; 3]);
        // Stale after 2 ms, and there was no cleaning for five seconds.
        clock.advance(Duration::from_millis(10));
        assert_eq!(fill([4, 5, 6]), [true; 3]);
        clock.advance(Duration::from_millis(10));
        assert!(limit.take(&7).is_ok());
        assert!(limit.take(&8).is_err(), "7 and 8 share");
        assert!(limit.limiter.check_key(&4).is_ok(), "it is still there");
        clock.advance(Duration::from_millis(990));
        assert!(limit.take(&7).is_ok());
        assert!(limit.take(&8).is_ok(), "each has its own");
    }

    #[test]
    fn any_number_of_keys_leaves_the_table_within_its_bound() {
        let (limit, clock) = limit(quota(1, 5), 1_000);
        for key in 0..20_000 {
            let _ = limit.take(&key);
            clock.advance(Duration::from_micros(100));
        }
        assert_eq!(limit.limiter.len(), 1_000);
        clock.advance(Duration::from_secs(10));
        assert!(limit.take(&30_000).is_ok());
        assert_eq!(limit.limiter.len(), 1, "what is stale was forgotten");
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        for (rate, burst) in [(1, u32::MAX), (u32::MAX, u32::MAX), (u32::MAX, 1)] {
            let (limit, clock) = limit(quota(rate, burst), 9);
            clock.advance(Duration::from_secs(86_400 * 365 * 10));
            let standing = limit.take(&1).expect("the first");
            assert_eq!(standing.remaining, burst - 1);
            limit.give_back(&1);
        }
    }
}
