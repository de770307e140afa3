//! Random numbers that are the same on every machine: integers only, from xoshiro256++, whose
//! authors publish test vectors.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng as _, SeedableRng};

/// What a sequence of random numbers is used for. Sequences for different purposes are independent.
/// Changing the order of the variants would change the generated data.
#[derive(Clone, Copy)]
pub enum Purpose {
    Numbers = 1,
    Order,
    Supplier,
    Customer,
    Kind,
    Company,
    Fund,
    Contract,
    Purchase,
    Law,
    Registry,
    Address,
    Contact,
    Telephone,
    Mail,
    Words,
    Goods,
}

/// A sequence of random numbers with methods for common distributions.
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// Starts the sequence for item `index` of a purpose. The sequence does not depend on any other
    /// one.
    pub fn new(seed: u64, purpose: Purpose, index: u64) -> Self {
        let mix = |value: u64| {
            let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            value ^ (value >> 31)
        };
        let row = mix(mix(seed).wrapping_add(purpose as u64));
        Self(Xoshiro256PlusPlus::seed_from_u64(mix(
            row.wrapping_add(index)
        )))
    }

    /// Returns a number below `bound`, or 0 if `bound` is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// Returns a number from `least` to `most`, both inclusive.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least).saturating_add(1))
    }

    /// Returns `true` with a probability of `share / of`.
    pub fn ratio(&mut self, share: u64, of: u64) -> bool {
        self.below(of) < share
    }

    /// Returns `true` with a probability of `percent` percent.
    pub fn percent(&mut self, percent: u64) -> bool {
        self.ratio(percent, 100)
    }

    /// Returns one of `items`. Panics if `items` is empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// Returns one of `words`. Panics if `words` is empty.
    pub fn pick_word(&mut self, words: &'static [String]) -> &'static str {
        self.pick::<String>(words)
    }

    /// Returns one of `items` with a probability of `percent` percent, and otherwise `None`.
    pub fn maybe<'a, T>(&mut self, percent: u64, items: &'a [T]) -> Option<&'a T> {
        self.percent(percent).then(|| self.pick(items))
    }

    /// Returns one of `items`. `share` is the probability of each item, in percent. The shares must
    /// add up to 100.
    pub fn pick_by_share<'a, T>(&mut self, items: &'a [T], share: impl Fn(&T) -> u64) -> &'a T {
        let (drawn, mut passed) = (self.below(100), 0);
        let drawn = items.iter().find(|item| {
            passed += share(item);
            drawn < passed
        });
        drawn.unwrap_or(&items[0])
    }

    /// Returns a number from `least` to about `most`, distributed evenly on a logarithmic scale,
    /// like prices.
    pub fn log_uniform(&mut self, least: u64, most: u64) -> u64 {
        let least = least.max(1);
        let doublings = u64::from((most / least).max(1).ilog2());
        let low = least << self.below(doublings + 1);
        self.between(low, (2 * low).min(most.max(low)))
    }

    /// Returns a count from 1 to `most`. Each count is half as likely as the next lower one.
    pub fn geometric(&mut self, most: u64) -> u64 {
        u64::from(self.0.next_u64().trailing_zeros()).min(most.saturating_sub(1)) + 1
    }
}
