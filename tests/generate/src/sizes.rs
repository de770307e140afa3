//! Sizes by Zipf's law, in integers.

use super::chance::Chance;

/// The weight of rank 0; rank n weighs 1/(n+1) of it, which is not 0 even for five million.
const HEAVIEST: u64 = 1 << 40;

/// The least share of contracts of the largest supplier, in thousandths: more than the
/// promised tenth.
const LARGEST: u64 = 115;

/// Draws an index below a number, low ones more often. 8 bytes per index.
pub struct Sizes {
    /// The cumulative weights.
    up_to: Vec<u64>,
}

impl Sizes {
    /// For `count` indexes; the nth weighs 1/(n + `flat`): a larger `flat` (1 is Zipf's
    /// law) makes the first ones more alike.
    pub fn new(count: u64, flat: u64) -> Self {
        let mut sum = 0;
        let weigh = |index: u64| {
            sum += HEAVIEST / (index + flat);
            sum
        };
        Self {
            up_to: (0..count).map(weigh).collect(),
        }
    }

    /// An index; 0 if there is none.
    pub fn draw(&self, chance: &mut Chance) -> u64 {
        let whole = self.up_to.last().copied().unwrap_or_default();
        let at = chance.below(whole);
        self.up_to.partition_point(|up_to| *up_to <= at) as u64
    }
}

/// Assigns suppliers to contracts. The largest, of rank 0, gets exactly its share, at
/// random places; the others a random one.
pub struct Shares {
    others: Sizes,
    left: u64,
    left_for_largest: u64,
    with_contracts: Vec<bool>,
}

impl Shares {
    /// Shares `contracts` among `suppliers`, of which there must be at least one.
    pub fn new(suppliers: u64, contracts: u64) -> Self {
        let others = Sizes::new(suppliers.saturating_sub(1), 2);
        let rest = u128::from(others.up_to.last().copied().unwrap_or_default());
        let heaviest = u128::from(HEAVIEST);
        let by_law = u128::from(contracts) * heaviest / (heaviest + rest);
        let at_least = (u128::from(contracts) * u128::from(LARGEST)).div_ceil(1000);
        Self {
            others,
            left: contracts,
            left_for_largest: by_law.max(at_least) as u64,
            with_contracts: vec![false; suppliers as usize],
        }
    }

    /// The supplier of the next contract.
    pub fn next(&mut self, chance: &mut Chance) -> u64 {
        let largest = chance.share(self.left_for_largest, self.left);
        self.left = self.left.saturating_sub(1);
        self.left_for_largest -= u64::from(largest);
        let rank = match largest {
            true => 0,
            false => 1 + self.others.draw(chance),
        };
        self.with_contracts[rank as usize] = true;
        rank
    }

    /// Whether the supplier has a contract so far.
    pub fn has_contracts(&self, rank: u64) -> bool {
        self.with_contracts.get(rank as usize) == Some(&true)
    }
}
