//! Limits of load: how many requests a key may make, how many wrong keys an address may try,
//! and how often an address may request what is open to all. A limit by address for valid keys
//! is left to a proxy.
//!
//! Each is GCRA: a burst that goes through at once, and a rate at which it fills again. Of
//! each subject (a key's name, an address) one number is stored: when its burst will be whole
//! again. All counts are behind one lock, which is held for some hundred nanoseconds.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::super::data::locked;
use super::super::response::draft::Standing;
use crate::model::Rate;
use crate::store::KeyHolder;

/// The subjects that a limit counts apart from each other, some 4 MB of memory; further ones
/// share one count.
const MAX_SUBJECTS: usize = 65_536;

/// The least time between two cleanings of a table, each of which goes over all of it.
const CLEAN_EVERY: u64 = 1_000_000_000;

/// A clock that limits count by: the time since some moment, never going back.
pub type Ticks = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The numbers of all limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// By the name of the key, of the RNP check.
    pub rnp: Rate,
    /// By the name of the key, of all endpoints.
    pub key: Rate,
    /// Requests a minute with a wrong key or none, by the client's address; 0 is no
    /// limit.
    pub wrong_key: u32,
    /// By the client's address, of what is open to all.
    pub open: Rate,
}

impl Default for Rates {
    /// 10 a second and 100 at once on RNP, 1,000 wrong keys a minute, no others save on what
    /// is open to all. There a first view of the page is some 15 requests, a later one as many
    /// 304s: 60 people of an office that has one address may open it at the same moment, and
    /// six more each second after that. To a client that only wants to keep the service busy
    /// it leaves a few hundredths of a core.
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
    /// No limit at all.
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

/// How many requests each limit has refused since the start. One that several would
/// refuse counts with that which lasts longest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RefusedCounts {
    /// By [`Rates::rnp`].
    pub rnp: u64,
    /// By [`Rates::key`].
    pub key: u64,
    /// By [`Rates::wrong_key`].
    pub wrong_key: u64,
    /// By [`Rates::open`].
    pub open: u64,
}

/// A request that a limit does not let through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimited {
    /// How the client stands; nothing remains.
    pub standing: Standing,
    /// Nanoseconds until the limit lets one through.
    wait: u64,
}

impl RateLimited {
    /// The wait in whole seconds, rounded up and at least 1.
    pub fn retry_after(&self) -> u64 {
        whole_seconds(self.wait).max(1)
    }
}

/// What a limit counts by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum LimitKey {
    Key(Arc<str>),
    /// An IPv4 address, or the /64 of an IPv6 one, as a client that has one address of it has all; none
    /// for a client whose address is not known.
    Network(Option<IpAddr>),
}

impl LimitKey {
    fn network(client: Option<IpAddr>) -> Self {
        // Of an IPv4 address that a socket for both kinds has as IPv6 the IPv4 one counts.
        Self::Network(client.map(|address| match address.to_canonical() {
            IpAddr::V6(address) => {
                let prefix = address.to_bits() & !u128::from(u64::MAX);
                IpAddr::V6(Ipv6Addr::from_bits(prefix))
            }
            address => address,
        }))
    }
}

/// The count of a subject. Both are times of the clock.
#[derive(Clone, Copy, Debug, Default)]
struct LimitCount {
    /// When its burst will be whole again.
    whole_at: u64,
    /// Until when requests that were refused have been told to wait.
    told_until: u64,
}

impl LimitCount {
    /// How long one more refused request is to wait at `now`, where the limit lets one through
    /// after `least` and another after each `interval`: those that wait come back one after
    /// the other, not all at once.
    fn wait(&mut self, now: u64, least: u64, interval: u64) -> u64 {
        let wait = self.told_until.saturating_sub(now).max(least);
        // Whoever was told to wait need not come back.
        let wait = if wait > least.saturating_add(MAX_SPREAD) {
            least
        } else {
            wait
        };
        self.told_until = now.saturating_add(wait).saturating_add(interval);
        wait
    }
}

/// Over how many nanoseconds refused requests of a subject are told to come back.
const MAX_SPREAD: u64 = 10_000_000_000;

/// How fast requests may come. Times are nanoseconds of the clock.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// The time in which one request more fits.
    interval: u64,
    burst: u64,
}

impl Pace {
    /// That of `requests` in `period`; none where that is 0, which is no limit.
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

/// One limit, and the counts of its subjects. All times are nanoseconds of the clock.
struct Limit {
    /// That of all subjects; none where each has its own.
    pace: Option<Pace>,
    /// The count of each subject.
    counts: HashMap<LimitKey, LimitCount>,
    /// That of all subjects together for which there was no room.
    shared: LimitCount,
    max_subjects: usize,
    /// When the table was last cleaned.
    cleaned_at: u64,
    /// Requests that it did not let through.
    refused: u64,
}

impl Limit {
    /// A limit with this pace of all subjects.
    fn new(pace: Pace) -> Self {
        Self {
            pace: Some(pace),
            ..Self::of_own_paces()
        }
    }

    /// A limit whose subjects have a pace each.
    fn of_own_paces() -> Self {
        Self {
            pace: None,
            counts: HashMap::new(),
            shared: LimitCount::default(),
            max_subjects: MAX_SUBJECTS,
            cleaned_at: 0,
            refused: 0,
        }
    }

    /// The count of a subject.
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

    /// How a subject of this pace would stand after one more request at `now`; nothing is counted.
    fn check(
        &mut self,
        subject: &LimitKey,
        Pace { interval, burst }: Pace,
        now: u64,
    ) -> Result<Standing, RateLimited> {
        let count = self.count_of(subject, now);
        let before = count.whole_at.saturating_sub(now);
        let room = interval.saturating_mul(burst - 1);
        if before > room {
            let standing = Standing {
                limit: burst,
                remaining: 0,
                reset: whole_seconds(before).max(1),
            };
            let wait = count.wait(now, before - room, interval);
            return Err(RateLimited { standing, wait });
        }
        let used = before.saturating_add(interval).div_ceil(interval);
        Ok(Standing {
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

/// All limits; shared by the workers.
pub struct Limits {
    ticks: Ticks,
    /// In the order of the fields of [`Rates`], then the keys' own; none where there is no such
    /// limit.
    limits: Mutex<[Option<Limit>; 5]>,
}

const RNP: usize = 0;
const KEY: usize = 1;
const WRONG_KEY: usize = 2;
const OPEN: usize = 3;
const OWN: usize = 4;

impl Limits {
    /// No limits yet; those to come count by the clock `ticks`.
    pub fn off(ticks: Ticks) -> Self {
        let limits = Mutex::default();
        Self { ticks, limits }
    }

    /// Time as this machine counts it, which the clock on the wall does not change.
    pub fn machine_ticks() -> Ticks {
        let start = Instant::now();
        Arc::new(move || start.elapsed())
    }

    /// Sets the numbers; all counts begin anew.
    pub fn set(&self, rates: Rates) {
        let minute = Duration::from_secs(60);
        let of_all = [
            Pace::per_second(rates.rnp),
            Pace::per_second(rates.key),
            Pace::new(rates.wrong_key, minute, rates.wrong_key),
            Pace::per_second(rates.open),
        ];
        let [rnp, key, wrong_key, open] = of_all.map(|pace| pace.map(Limit::new));
        let own = Some(Limit::of_own_paces());
        *locked(&self.limits) = [rnp, key, wrong_key, open, own];
    }

    /// How many requests each limit has refused.
    pub fn refused(&self) -> RefusedCounts {
        let refused = |limit: &Option<Limit>| limit.as_ref().map_or(0, |limit| limit.refused);
        let refused = locked(&self.limits).each_ref().map(refused);
        let [rnp, key, wrong_key, open, own] = refused;
        RefusedCounts {
            rnp,
            key: key + own,
            wrong_key,
            open,
        }
    }

    /// Counts a request of the holder of a valid key; `is_rnp` says whether it is for an
    /// RNP endpoint. A key with a limit of its own is counted by that on all endpoints, in place
    /// of those of all keys. How the client then stands with the limit that leaves it the fewest
    /// requests (on a tie, for the longest time); none where no limit applies.
    ///
    /// # Errors
    /// A limit refuses it: the one that does for the longest, so that a request after
    /// that wait finds all of them open. No limit has counted it then.
    pub fn admit(&self, is_rnp: bool, holder: &KeyHolder) -> Result<Option<Standing>, RateLimited> {
        let key = LimitKey::Key(Arc::clone(&holder.name));
        match (holder.limit, is_rnp) {
            (Some(limit), _) => self.admit_by(&[OWN], &key, Pace::per_second(limit)),
            (None, true) => self.admit_by(&[RNP, KEY], &key, None),
            (None, false) => self.admit_by(&[KEY], &key, None),
        }
    }

    /// Counts a request with a wrong key, or none.
    ///
    /// # Errors
    /// There were too many of them from that address.
    pub fn admit_wrong_key(&self, client: Option<IpAddr>) -> Result<(), RateLimited> {
        let network = LimitKey::network(client);
        self.admit_by(&[WRONG_KEY], &network, None).map(drop)
    }

    /// Counts a request for what is open to all; none of a client whose address is not
    /// known, as all of these would be counted as one.
    ///
    /// # Errors
    /// There were too many of them from that address.
    pub fn admit_open(&self, client: Option<IpAddr>) -> Result<(), RateLimited> {
        if client.is_none() {
            return Ok(());
        }
        let network = LimitKey::network(client);
        self.admit_by(&[OPEN], &network, None).map(drop)
    }

    /// Counts a request in these limits, if all of them let it through. `own` is the pace of the
    /// key, where a limit has none for all subjects; one without either lets it through.
    fn admit_by(
        &self,
        applicable: &[usize],
        key: &LimitKey,
        own: Option<Pace>,
    ) -> Result<Option<Standing>, RateLimited> {
        let mut limits = locked(&self.limits);
        let now = u64::try_from((self.ticks)().as_nanos()).unwrap_or(u64::MAX);
        let mut refusal: Option<(usize, RateLimited)> = None;
        let mut standing: Option<Standing> = None;
        for at in applicable {
            let limit = limits.get_mut(*at).and_then(Option::as_mut);
            let limit = limit.and_then(|limit| Some((own.or(limit.pace)?, limit)));
            match limit.map(|(pace, limit)| limit.check(key, pace, now)) {
                Some(Ok(one)) => {
                    let order = |one: &Standing| (one.remaining, Reverse(one.reset));
                    standing = standing.into_iter().chain([one]).min_by_key(order);
                }
                Some(Err(one)) if refusal.is_none_or(|(_, most)| one.wait >= most.wait) => {
                    refusal = Some((*at, one));
                }
                Some(Err(_)) | None => {}
            }
        }
        for at in applicable {
            let limit = limits.get_mut(*at).and_then(Option::as_mut);
            if let Some((pace, limit)) = limit.and_then(|limit| Some((own.or(limit.pace)?, limit)))
            {
                match refusal {
                    None => limit.count(key, pace.interval, now),
                    Some((refusing, _)) => limit.refused += u64::from(refusing == *at),
                }
            }
        }
        refusal.map_or(Ok(standing), |(_, refusal)| Err(refusal))
    }
}

fn whole_seconds(nanoseconds: u64) -> u64 {
    nanoseconds.div_ceil(1_000_000_000)
}

#[cfg(test)]
#[path = "limits/tests.rs"]
mod tests;
