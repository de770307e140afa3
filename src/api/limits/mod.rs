//! Limits of load: how many requests a key and an address may make, how many wrong keys an
//! address may try, and how much an address may ask of what is open to all.
//!
//! Each is a bucket (GCRA, by `governor`): a burst that can be asked at once, and a rate
//! at which it fills again. What they count by is bounded ([`limit::MAX_KEYS`]).

mod limit;
mod table;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use governor::Quota;

use limit::{Limit, MAX_KEYS};
pub use limit::{Refusal, Standing};

/// What tells the time that limits count in: since some moment, and never going back.
pub type Ticks = Arc<dyn Fn() -> Duration + Send + Sync>;

/// A rate and the burst that is let through before it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// Requests a second; 0 is no limit.
    pub per_second: u32,
    /// Requests at once after a pause; 0 counts as 1.
    pub burst: u32,
}

/// The numbers of all limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rates {
    /// By the name of the key, of the RNP check.
    pub rnp: Rate,
    /// By the name of the key, of all endpoints.
    pub key: Rate,
    /// By the client's address, of all endpoints.
    pub address: Rate,
    /// Requests a minute with a wrong key or none, by the client's address; 0 is no
    /// limit.
    pub wrong_key: u32,
    /// By the client's address, of what is open to all.
    pub open: Rate,
}

/// What an address may ask of what is open to all. A first view of the page is some 15
/// requests, a later one as many 304s: 60 people of an office that has one address may open
/// it at the same moment, and six more each second after that. To a client that only wants
/// to keep the service busy it leaves a few hundredths of a core.
const OPEN: Rate = Rate {
    per_second: 100,
    burst: 1_000,
};

impl Default for Rates {
    /// The issue's: 10 a second and 100 at once on RNP, 1,000 wrong keys a minute, what
    /// nobody notices on what is open to all, no others.
    fn default() -> Self {
        let off = Rate {
            per_second: 0,
            burst: 100,
        };
        Self {
            rnp: Rate {
                per_second: 10,
                ..off
            },
            key: off,
            address: off,
            wrong_key: 1_000,
            open: OPEN,
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
            address: off,
            wrong_key: 0,
            open: off,
        }
    };
}

impl Rate {
    fn quota(self) -> Option<Quota> {
        let burst = NonZeroU32::new(self.burst).unwrap_or(NonZeroU32::MIN);
        NonZeroU32::new(self.per_second).map(|rate| Quota::per_second(rate).allow_burst(burst))
    }
}

/// How many requests each limit has refused since the start. One that several would
/// refuse counts with that which lasts longest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Refused {
    /// By [`Rates::rnp`].
    pub rnp: u64,
    /// By [`Rates::key`].
    pub key: u64,
    /// By [`Rates::address`].
    pub address: u64,
    /// By [`Rates::wrong_key`].
    pub wrong_key: u64,
    /// By [`Rates::open`].
    pub open: u64,
}

#[derive(Default)]
struct Counters {
    rnp: AtomicU64,
    key: AtomicU64,
    address: AtomicU64,
    wrong_key: AtomicU64,
    open: AtomicU64,
}

/// What a client without a known address, and each other one, counts as: an IPv4 address,
/// or the /64 of an IPv6 one, as whoever has one address of it has all.
type Network = Option<IpAddr>;

fn network(client: Option<IpAddr>) -> Network {
    // Of an IPv4 address that a socket for both kinds tells as IPv6 the IPv4 one counts.
    client.map(|address| match address.to_canonical() {
        IpAddr::V6(address) => {
            let prefix = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(prefix))
        }
        address => address,
    })
}

/// The limits with their counts; none where there is no limit.
struct Buckets {
    rates: Rates,
    rnp: Option<Limit<Arc<str>>>,
    key: Option<Limit<Arc<str>>>,
    address: Option<Limit<Network>>,
    wrong_key: Option<Limit<Network>>,
    open: Option<Limit<Network>>,
}

impl Buckets {
    fn new(rates: Rates, ticks: &Ticks) -> Self {
        let by_key = |rate: Rate| Some(Limit::new(rate.quota()?, MAX_KEYS, Arc::clone(ticks)));
        let by_network = |quota| Limit::new(quota, MAX_KEYS, Arc::clone(ticks));
        Self {
            rates,
            rnp: by_key(rates.rnp),
            key: by_key(rates.key),
            address: rates.address.quota().map(by_network),
            wrong_key: NonZeroU32::new(rates.wrong_key)
                .map(Quota::per_minute)
                .map(by_network),
            open: rates.open.quota().map(by_network),
        }
    }
}

/// All limits; shared by the workers, and exchangeable while they work.
pub struct Limits {
    ticks: Ticks,
    buckets: RwLock<Buckets>,
    refused: Counters,
}

impl Limits {
    /// No limits yet; those to come count in the time that `ticks` tells.
    pub fn off(ticks: Ticks) -> Self {
        Self {
            buckets: RwLock::new(Buckets::new(Rates::OFF, &ticks)),
            ticks,
            refused: Counters::default(),
        }
    }

    /// Time as this machine counts it, which the clock on the wall does not change.
    pub fn machine_ticks() -> Ticks {
        let start = Instant::now();
        Arc::new(move || start.elapsed())
    }

    /// Exchanges the numbers. If any is another, all counts begin anew.
    pub fn set(&self, rates: Rates) {
        let mut buckets = self.buckets.write().unwrap_or_else(PoisonError::into_inner);
        if buckets.rates != rates {
            *buckets = Buckets::new(rates, &self.ticks);
        }
    }

    /// How many requests each limit has refused.
    pub fn refused(&self) -> Refused {
        let of = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Refused {
            rnp: of(&self.refused.rnp),
            key: of(&self.refused.key),
            address: of(&self.refused.address),
            wrong_key: of(&self.refused.wrong_key),
            open: of(&self.refused.open),
        }
    }

    /// Counts a request with the valid key called `key`; `rnp` says if it is of an RNP
    /// endpoint. How the client then stands with the limit that leaves it the fewest
    /// requests (on a tie, for the longest time); none where no limit applies.
    ///
    /// # Errors
    /// A limit refuses it: the one that does for the longest, so that a request after
    /// that wait finds all of them open. No limit has counted it then.
    pub fn admit(
        &self,
        rnp: bool,
        key: &Arc<str>,
        client: Option<IpAddr>,
    ) -> Result<Option<Standing>, Refusal> {
        let buckets = self.buckets.read().unwrap_or_else(PoisonError::into_inner);
        let of_rnp = buckets.rnp.as_ref().filter(|_| rnp);
        let (of_key, of_address) = (buckets.key.as_ref(), buckets.address.as_ref());
        let network = network(client);
        let taken = [
            of_rnp.map(|limit| limit.take(key)),
            of_key.map(|limit| limit.take(key)),
            of_address.map(|limit| limit.take(&network)),
        ];
        let counters = [&self.refused.rnp, &self.refused.key, &self.refused.address];
        let refusals = taken.iter().zip(counters).filter_map(|(taken, counter)| {
            let refusal = (*taken)?.err()?;
            Some((refusal, counter))
        });
        let Some((refusal, counter)) = refusals.max_by_key(|(refusal, _)| refusal.wait) else {
            let standings = taken.into_iter().flatten().flatten();
            return Ok(
                standings.min_by_key(|standing| (standing.remaining, Reverse(standing.reset)))
            );
        };
        counter.fetch_add(1, Ordering::Relaxed);
        let [by_rnp, by_key, by_address] = taken;
        if let (Some(limit), Some(Ok(_))) = (of_rnp, by_rnp) {
            limit.give_back(key);
        }
        if let (Some(limit), Some(Ok(_))) = (of_key, by_key) {
            limit.give_back(key);
        }
        if let (Some(limit), Some(Ok(_))) = (of_address, by_address) {
            limit.give_back(&network);
        }
        Err(refusal)
    }

    /// Counts a request with a wrong key, or none.
    ///
    /// # Errors
    /// There were too many of them from that address.
    pub fn admit_wrong_key(&self, client: Option<IpAddr>) -> Result<(), Refusal> {
        let buckets = self.buckets.read().unwrap_or_else(PoisonError::into_inner);
        match &buckets.wrong_key {
            Some(limit) => take(limit, client, &self.refused.wrong_key),
            None => Ok(()),
        }
    }

    /// Counts a request for what is open to all; none of a client whose address is not
    /// known, as all of these would be counted as one.
    ///
    /// # Errors
    /// There were too many of them from that address.
    pub fn admit_open(&self, client: Option<IpAddr>) -> Result<(), Refusal> {
        let buckets = self.buckets.read().unwrap_or_else(PoisonError::into_inner);
        match &buckets.open {
            Some(limit) if client.is_some() => take(limit, client, &self.refused.open),
            _ => Ok(()),
        }
    }
}

/// Counts a request in a limit by address, or its refusal.
fn take(
    limit: &Limit<Network>,
    client: Option<IpAddr>,
    refused: &AtomicU64,
) -> Result<(), Refusal> {
    let taken = limit.take(&network(client));
    taken.map(|_| ()).inspect_err(|_| {
        refused.fetch_add(1, Ordering::Relaxed);
    })
}

impl Standing {
    /// It as headers.
    pub fn headers(&self) -> [(&'static str, Cow<'static, str>); 3] {
        [
            ("RateLimit-Limit", self.limit.to_string().into()),
            ("RateLimit-Remaining", self.remaining.to_string().into()),
            ("RateLimit-Reset", self.reset.to_string().into()),
        ]
    }
}
