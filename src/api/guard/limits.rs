//! Rate limits: requests per key, wrong keys per address, and requests per address for resources
//! that need no key. Requests with a valid key are not limited by address; a proxy can do that.
//!
//! Each limit is GCRA: a burst of requests passes at once and then refills at a fixed rate. The
//! state of a key or address is a single number, the time at which its burst will be complete
//! again. One lock guards all counts and is held for a few hundred nanoseconds.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::super::data::connections::locked;
use super::super::request::Peer;
use super::super::response::Quota;
use crate::model::Rate;
use crate::store::KeyHolder;

/// Each limit counts up to this many keys or addresses separately, which takes about 4 MB. All
/// others share one count.
const MAX_SUBJECTS: usize = 65_536;

/// Minimum time between cleanups, in nanoseconds. A cleanup scans the whole table.
const CLEAN_EVERY: u64 = 1_000_000_000;

/// The clock of the limits: time since an arbitrary start. Changes of the system clock do not
/// affect it.
pub type Ticks = Arc<dyn Fn() -> Duration + Send + Sync>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// Limit per key on RNP checks.
    pub rnp: Rate,
    /// Limit per key over all endpoints.
    pub key: Rate,
    /// Requests with a wrong key or none, per address and minute; 0 means unlimited.
    pub wrong_key: u32,
    /// Limit per address on resources that need no key.
    pub open: Rate,
}

impl Default for Rates {
    /// A first visit to the page takes about 15 requests without a key, and a later one as many
    /// 304s. So 60 people behind one office address can open the page at the same moment, and then
    /// 6 more every second. A client that floods the service at this rate uses a few hundredths of
    /// a core.
    fn default() -> Self {
        let rate = |per_second, burst| Rate { per_second, burst };
        Self {
            rnp: rate(10, 100),
            key: rate(0, 100),
            wrong_key: 1_000,
            open: rate(100, 1_000),
        }
    }
}

impl Rates {
    pub const OFF: Self = {
        let off = Rate {
            per_second: 0,
            burst: 1,
        };
        Self {
            rnp: off,
            key: off,
            wrong_key: 0,
            open: off,
        }
    };
}

/// Number of requests refused by each limit since the start. If several limits refuse a request, it
/// counts for the limit with the longest wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedCounts {
    pub rnp: u64,
    pub key: u64,
    pub wrong_key: u64,
    pub open: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimited {
    /// The client's quota, with no requests left.
    pub quota: Quota,
    /// Nanoseconds after which the client is told to come back.
    wait: u64,
}

impl RateLimited {
    /// Returns the wait in seconds, rounded up and at least 1.
    pub fn retry_after(&self) -> u64 {
        whole_seconds(self.wait).max(1)
    }
}

/// The key or client whose requests a limit counts together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum LimitKey {
    Key(Arc<str>),
    /// A client's network (see [`client_network`]).
    Network(IpAddr),
    /// All processes that connect through a Unix socket and name no client.
    Local,
}

impl From<Peer> for LimitKey {
    fn from(peer: Peer) -> Self {
        let network = peer.address().map(client_network);
        network.map_or(Self::Local, Self::Network)
    }
}

/// Returns the network that counts as one client: a single IPv4 address, or the /64 of an IPv6
/// address, because one client controls all of a /64. IPv4-mapped IPv6 addresses count as IPv4.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

/// The state of one key or client. Times are in nanoseconds of the limits' clock.
#[derive(Clone, Copy, Debug, Default)]
struct LimitCount {
    /// When the burst will be complete again.
    whole_at: u64,
    /// The next refused client is told to come back no earlier than this.
    told_until: u64,
}

impl LimitCount {
    /// Returns how long a request refused at `now` should wait. The limit will accept one request
    /// after `least` and another after each `interval`, so each refused client is told a different
    /// time.
    fn wait(&mut self, now: u64, least: u64, interval: u64) -> u64 {
        let wait = self.told_until.saturating_sub(now).max(least);
        // Clients that were told to wait may never come back, so the spread is bounded.
        let wait = if wait > least.saturating_add(MAX_SPREAD) {
            least
        } else {
            wait
        };
        self.told_until = now.saturating_add(wait).saturating_add(interval);
        wait
    }
}

/// Refused clients are spread over at most this period, in nanoseconds.
const MAX_SPREAD: u64 = 10_000_000_000;

#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Nanoseconds between two requests at the full rate.
    interval: u64,
    burst: u64,
}

impl Pace {
    /// Returns `None` if `requests` is 0, which means no limit.
    fn new(requests: u32, period: Duration, burst: u32) -> Option<Self> {
        let period = u64::try_from(period.as_nanos()).unwrap_or(u64::MAX);
        Some(Self {
            interval: period.checked_div(requests.into())?.max(1),
            burst: burst.max(1).into(),
        })
    }

    fn per_second(rate: Rate) -> Option<Self> {
        Self::new(rate.per_second, Duration::from_secs(1), rate.burst)
    }
}

/// Times are in nanoseconds of the limits' clock.
struct Limit {
    /// Pace for keys and clients without a pace of their own; `None` means unlimited.
    pace: Option<Pace>,
    counts: HashMap<LimitKey, LimitCount>,
    /// Shared by all keys or clients beyond [`Self::max_subjects`].
    shared: LimitCount,
    max_subjects: usize,
    cleaned_at: u64,
    refused: u64,
}

impl Limit {
    fn new(pace: Option<Pace>) -> Self {
        Self {
            pace,
            counts: HashMap::new(),
            shared: LimitCount::default(),
            max_subjects: MAX_SUBJECTS,
            cleaned_at: 0,
            refused: 0,
        }
    }

    fn count_of(&mut self, subject: &LimitKey, now: u64) -> &mut LimitCount {
        let is_full = |limit: &Self| limit.counts.len() >= limit.max_subjects;
        let is_new = !self.counts.contains_key(subject);
        if is_new && is_full(self) && now.saturating_sub(self.cleaned_at) >= CLEAN_EVERY {
            self.cleaned_at = now;
            self.counts.retain(|_, count| count.whole_at > now);
            self.counts.shrink_to_fit();
        }
        if is_new && is_full(self) {
            return &mut self.shared;
        }
        self.counts.entry(subject.clone()).or_default()
    }

    /// Returns the quota that would be left after this request, without counting the request.
    fn check(
        &mut self,
        subject: &LimitKey,
        Pace { interval, burst }: Pace,
        now: u64,
    ) -> Result<Quota, RateLimited> {
        let count = self.count_of(subject, now);
        let before = count.whole_at.saturating_sub(now);
        let room = interval.saturating_mul(burst - 1);
        if before > room {
            let quota = Quota {
                limit: burst,
                remaining: 0,
                reset: whole_seconds(before).max(1),
            };
            let wait = count.wait(now, before - room, interval);
            return Err(RateLimited { quota, wait });
        }
        let used = before.saturating_add(interval).div_ceil(interval);
        Ok(Quota {
            limit: burst,
            remaining: burst.saturating_sub(used),
            reset: whole_seconds(interval.saturating_mul(used)),
        })
    }

    fn count(&mut self, subject: &LimitKey, interval: u64, now: u64) {
        let count = self.count_of(subject, now);
        count.whole_at = now.max(count.whole_at).saturating_add(interval);
    }
}

/// The rate limits, shared by all workers.
pub struct LoadLimits {
    ticks: Ticks,
    limits: Mutex<Limits>,
}

/// One limit for each rate in [`Rates`], and `own` for keys that have their own rate.
struct Limits {
    rnp: Limit,
    key: Limit,
    wrong_key: Limit,
    open: Limit,
    own: Limit,
}

impl Limits {
    fn new(rates: Rates) -> Self {
        let minute = Duration::from_secs(60);
        let wrong_key = Pace::new(rates.wrong_key, minute, rates.wrong_key);
        Self {
            rnp: Limit::new(Pace::per_second(rates.rnp)),
            key: Limit::new(Pace::per_second(rates.key)),
            wrong_key: Limit::new(wrong_key),
            open: Limit::new(Pace::per_second(rates.open)),
            own: Limit::new(None),
        }
    }
}

impl LoadLimits {
    /// Creates limits that apply only to keys with a rate of their own.
    pub fn off(ticks: Ticks) -> Self {
        let limits = Mutex::new(Limits::new(Rates::OFF));
        Self { ticks, limits }
    }

    /// Returns a clock that changes of the system time do not affect.
    pub fn machine_ticks() -> Ticks {
        let start = Instant::now();
        Arc::new(move || start.elapsed())
    }

    pub fn set(&self, rates: Rates) {
        *locked(&self.limits) = Limits::new(rates);
    }

    pub fn refused(&self) -> RefusedCounts {
        let limits = locked(&self.limits);
        RefusedCounts {
            rnp: limits.rnp.refused,
            key: limits.key.refused + limits.own.refused,
            wrong_key: limits.wrong_key.refused,
            open: limits.open.refused,
        }
    }

    /// Counts a request by the holder of a valid key. `is_rnp` marks RNP endpoints, which have an
    /// additional limit. If the key has its own rate, only that one applies, at all endpoints. The
    /// quota is that of the limit with the fewest requests left, or on a tie the one that refills
    /// last; `None` if no limit applies.
    ///
    /// # Errors
    /// Fails with the longest wait, after which all limits accept the request. Refused requests are
    /// not counted.
    pub fn admit(&self, is_rnp: bool, holder: &KeyHolder) -> Result<Option<Quota>, RateLimited> {
        let subject = LimitKey::Key(Arc::clone(&holder.name));
        let (limits, now) = (&mut *locked(&self.limits), self.now());
        match (holder.limit, is_rnp) {
            (Some(limit), _) => {
                let pace = Pace::per_second(limit);
                admit_by(&mut [&mut limits.own], &subject, pace, now)
            }
            (None, true) => {
                let applicable = &mut [&mut limits.rnp, &mut limits.key];
                admit_by(applicable, &subject, None, now)
            }
            (None, false) => admit_by(&mut [&mut limits.key], &subject, None, now),
        }
    }

    /// Counts a request with a wrong key or none.
    ///
    /// # Errors
    /// Fails if the peer has sent too many such requests.
    pub fn admit_wrong_key(&self, peer: Peer) -> Result<(), RateLimited> {
        let (limits, now) = (&mut *locked(&self.limits), self.now());
        admit_by(&mut [&mut limits.wrong_key], &peer.into(), None, now).map(drop)
    }

    /// Counts a request that needs no key.
    ///
    /// # Errors
    /// Fails if the peer has sent too many such requests.
    pub fn admit_open(&self, peer: Peer) -> Result<(), RateLimited> {
        let (limits, now) = (&mut *locked(&self.limits), self.now());
        admit_by(&mut [&mut limits.open], &peer.into(), None, now).map(drop)
    }

    fn now(&self) -> u64 {
        u64::try_from((self.ticks)().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// Counts a request under all given limits, or under none if one of them refuses it. `own` is the
/// key's own pace and replaces that of the limits. A limit without any pace accepts everything.
fn admit_by(
    applicable: &mut [&mut Limit],
    subject: &LimitKey,
    own: Option<Pace>,
    now: u64,
) -> Result<Option<Quota>, RateLimited> {
    let mut refusal: Option<(usize, RateLimited)> = None;
    let mut quota: Option<Quota> = None;
    for (at, limit) in applicable.iter_mut().enumerate() {
        let Some(pace) = own.or(limit.pace) else {
            continue;
        };
        match limit.check(subject, pace, now) {
            Ok(one) => {
                let order = |one: &Quota| (one.remaining, Reverse(one.reset));
                quota = quota.into_iter().chain([one]).min_by_key(order);
            }
            Err(one) if refusal.is_none_or(|(_, most)| one.wait >= most.wait) => {
                refusal = Some((at, one));
            }
            Err(_) => {}
        }
    }
    for (at, limit) in applicable.iter_mut().enumerate() {
        match (refusal, own.or(limit.pace)) {
            (None, Some(pace)) => limit.count(subject, pace.interval, now),
            (Some((refusing, _)), _) if refusing == at => limit.refused += 1,
            _ => {}
        }
    }
    refusal.map_or(Ok(quota), |(_, refusal)| Err(refusal))
}

fn whole_seconds(nanoseconds: u64) -> u64 {
    nanoseconds.div_ceil(1_000_000_000)
}

#[cfg(test)]
#[path = "limits/tests.rs"]
mod tests;
