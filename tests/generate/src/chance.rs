//! Random numbers that are the same on every machine: xoshiro256++ (published by its
//! authors, with test vectors), in integers only.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// The use of a sequence of random numbers; sequences of different uses are independent. A
/// different order of the variants gives different data.
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

/// A sequence of random numbers.
pub struct Chance(Xoshiro256PlusPlus);

impl Chance {
    /// The sequence for the `index`th thing of a use, independent of what was drawn before.
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

    /// A number below `bound`; 0 if that is 0.
    pub fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.0.next_u64()) * u128::from(bound)) >> 64) as u64
    }

    /// A number from `least` to `most`, inclusive.
    pub fn between(&mut self, least: u64, most: u64) -> u64 {
        least + self.below(most.saturating_sub(least).saturating_add(1))
    }

    /// True `share` times in `of`.
    pub fn share(&mut self, share: u64, of: u64) -> bool {
        self.below(of) < share
    }

    /// True `share` times in a hundred.
    pub fn percent(&mut self, share: u64) -> bool {
        self.share(share, 100)
    }

    /// One of `items`, which must not be empty.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u64) as usize]
    }

    /// One of `words`, which must not be empty.
    pub fn word(&mut self, words: &'static [String]) -> &'static str {
        self.pick::<String>(words)
    }

    /// One of `items`, with a probability of `share` in a hundred.
    pub fn maybe<'a, T>(&mut self, share: u64, items: &'a [T]) -> Option<&'a T> {
        self.percent(share).then(|| self.pick(items))
    }

    /// One of `items`, each with its share of a hundred.
    pub fn pick_by_share<'a, T>(&mut self, items: &'a [T], share: impl Fn(&T) -> u64) -> &'a T {
        let (drawn, mut passed) = (self.below(100), 0);
        let drawn = items.iter().find(|item| {
            passed += share(item);
            drawn < passed
        });
        drawn.unwrap_or(&items[0])
    }

    /// A number from `least` to about `most`, evenly distributed on a logarithmic scale, as
    /// prices are.
    pub fn wide(&mut self, least: u64, most: u64) -> u64 {
        let least = least.max(1);
        let doublings = u64::from((most / least).max(1).ilog2());
        let low = least << self.below(doublings + 1);
        self.between(low, (2 * low).min(most.max(low)))
    }

    /// A count: mostly one, half as often one more, and so on up to `most`.
    pub fn few(&mut self, most: u64) -> u64 {
        u64::from(self.0.next_u64().trailing_zeros()).min(most.saturating_sub(1)) + 1
    }
}
