//! Limits of load: requests per key, wrong keys per address, and requests per address for
//! resources that need no key. A limit by address for valid keys is the proxy's part.
//!
//! Each limit is GCRA: a burst that passes at once, and a rate at which it refills. One number is
//! stored for each subject (a key's name or an address): the time at which its burst is whole
//! again. One lock guards all counts and is held for some hundred nanoseconds.

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

/// The most subjects that a limit counts separately, some 4 MB of memory. Further subjects share
/// one count.
const MAX_SUBJECTS: usize = 65_536;

/// The shortest time between two cleanings of a table, each of which scans it in full.
const CLEAN_EVERY: u64 = 1_000_000_000;

/// The clock of limits: the monotonic time since an arbitrary moment.
pub type Ticks = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The numbers of all limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// The limit of RNP checks, by the name of the key.
    pub rnp: Rate,
    /// The limit of all endpoints, by the name of the key.
    pub key: Rate,
    /// Requests a minute with a wrong key or none, by the client's address; 0 means no limit.
    pub wrong_key: u32,
    /// The limit of resources that need no key, by the client's address.
    pub open: Rate,
}

impl Default for Rates {
    /// 10 requests a second and a burst of 100 on RNP, 1,000 wrong keys a minute, and a limit on
    /// resources that need no key. A first view of the page takes some 15 requests, a later one as
    /// many 304s. So 60 people in an office with one address may open it at the same moment, and
    /// six more each second after that. A client that floods the service gets a few hundredths of
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
    /// No limits.
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

/// The requests that each limit has refused since the start. A request that several limits refuse
/// counts with the one that refuses it longest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedCounts {
    /// Refused by [`Rates::rnp`].
    pub rnp: u64,
    /// Refused by [`Rates::key`].
    pub key: u64,
    /// Refused by [`Rates::wrong_key`].
    pub wrong_key: u64,
    /// Refused by [`Rates::open`].
    pub open: u64,
}

/// The refusal of a request by a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimited {
    /// The client's quota, without remaining requests.
    pub quota: Quota,
    /// Nanoseconds until the limit admits a request.
    wait: u64,
}

impl RateLimited {
    /// Returns the wait in whole seconds, rounded up and at least 1.
    pub fn retry_after(&self) -> u64 {
        whole_seconds(self.wait).max(1)
    }
}

/// The subject of a limit.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum LimitKey {
    Key(Arc<str>),
    /// A client's network.
    Network(IpAddr),
    /// All processes at a Unix socket that name no client.
    Local,
}

impl From<Peer> for LimitKey {
    fn from(peer: Peer) -> Self {
        let network = peer.address().map(client_network);
        network.map_or(Self::Local, Self::Network)
    }
}

/// Returns the network of one client: an IPv4 address, or the /64 network of an IPv6 address,
/// because a client with one of its addresses controls all of them. An IPv4 address in IPv6 form is
/// an IPv4 address.
pub fn client_network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address @ IpAddr::V4(_) => address,
    }
}

/// The count of a subject. Both fields are times of the clock.
#[derive(Clone, Copy, Debug, Default)]
struct LimitCount {
    /// The time at which its burst is whole again.
    whole_at: u64,
    /// The time at which the next refused client may return.
    told_until: u64,
}

impl LimitCount {
    /// Returns the wait of one more refused request at `now`. The limit admits one request after
    /// `least` and another after each `interval`, so refused clients return one after the other
    /// instead of all at once.
    fn wait(&mut self, now: u64, least: u64, interval: u64) -> u64 {
        let wait = self.told_until.saturating_sub(now).max(least);
        // A client that was asked to wait may never return, so the spread is bounded.
        let wait = if wait > least.saturating_add(MAX_SPREAD) {
            least
        } else {
            wait
        };
        self.told_until = now.saturating_add(wait).saturating_add(interval);
        wait
    }
}

/// The longest spread of the returns of a subject's refused requests, in nanoseconds.
const MAX_SPREAD: u64 = 10_000_000_000;

/// The pace of admitted requests. Times are nanoseconds of the clock.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// The time between two requests at the full rate.
    interval: u64,
    burst: u64,
}

impl Pace {
    /// Returns the pace of `requests` in `period`; none if it is 0, which means no limit.
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

/// One limit with the counts of its subjects. All times are nanoseconds of the clock.
struct Limit {
    /// The pace of the subjects without their own; none means no limit for them.
    pace: Option<Pace>,
    /// The count of each subject.
    counts: HashMap<LimitKey, LimitCount>,
    /// The shared count of the subjects beyond the bound.
    shared: LimitCount,
    max_subjects: usize,
    /// The time of the last cleaning.
    cleaned_at: u64,
    /// The number of refused requests.
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

    /// Returns the count of a subject.
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

    /// Returns the quota of a subject after one more request at `now`, without counting it.
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

    /// Counts a request at `now`.
    fn count(&mut self, subject: &LimitKey, interval: u64, now: u64) {
        let count = self.count_of(subject, now);
        count.whole_at = now.max(count.whole_at).saturating_add(interval);
    }
}

/// All limits, shared by the workers.
pub struct LoadLimits {
    ticks: Ticks,
    limits: Mutex<Limits>,
}

/// The limits: one for each of [`Rates`], and one of keys with their own rate.
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
    /// Returns no limits but those of keys with their own rate; all count by the clock `ticks`.
    pub fn off(ticks: Ticks) -> Self {
        let limits = Mutex::new(Limits::new(Rates::OFF));
        Self { ticks, limits }
    }

    /// Returns the machine's monotonic time, which changes of the wall clock do not affect.
    pub fn machine_ticks() -> Ticks {
        let start = Instant::now();
        Arc::new(move || start.elapsed())
    }

    /// Sets the rates and resets all counts.
    pub fn set(&self, rates: Rates) {
        *locked(&self.limits) = Limits::new(rates);
    }

    /// Returns the number of requests that each limit has refused.
    pub fn refused(&self) -> RefusedCounts {
        let limits = locked(&self.limits);
        RefusedCounts {
            rnp: limits.rnp.refused,
            key: limits.key.refused + limits.own.refused,
            wrong_key: limits.wrong_key.refused,
            open: limits.open.refused,
        }
    }

    /// Counts a request of the holder of a valid key; `is_rnp` marks an RNP endpoint. A key with
    /// its own limit is counted by that on all endpoints, in place of the limits for all keys.
    /// Returns the client's quota with the limit that leaves it the fewest requests; on a tie,
    /// the one that takes longest to refill. None if no limit applies.
    ///
    /// # Errors
    /// The refusal with the longest wait, after which all limits admit the request. A refused
    /// request is not counted by any limit.
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
    /// The peer has sent too many of them.
    pub fn admit_wrong_key(&self, peer: Peer) -> Result<(), RateLimited> {
        let (limits, now) = (&mut *locked(&self.limits), self.now());
        admit_by(&mut [&mut limits.wrong_key], &peer.into(), None, now).map(drop)
    }

    /// Counts a request that needs no key.
    ///
    /// # Errors
    /// The peer has sent too many of them.
    pub fn admit_open(&self, peer: Peer) -> Result<(), RateLimited> {
        let (limits, now) = (&mut *locked(&self.limits), self.now());
        admit_by(&mut [&mut limits.open], &peer.into(), None, now).map(drop)
    }

    /// Returns the time of the clock in nanoseconds.
    fn now(&self) -> u64 {
        u64::try_from((self.ticks)().as_nanos()).unwrap_or(u64::MAX)
    }
}

/// Counts a request at `now` in these limits if all of them admit it. `own` is the pace of a key
/// with its own rate. A limit without any pace admits the request.
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
