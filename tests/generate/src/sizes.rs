//! Distributions that follow Zipf's law, computed in integers.

use super::rng::Rng;

/// Weight of rank 0. Rank n has the weight HEAVIEST / (n + 1), which is above 0 even for five
/// million ranks.
const HEAVIEST: u64 = 1 << 40;

/// Minimum share of the largest supplier in all contracts, in thousandths. `--help` promises more
/// than a tenth.
const LARGEST: u64 = 115;

/// Draws indexes, preferring low ones. Takes 8 bytes per index.
pub struct Zipf {
    /// Cumulative weights.
    up_to: Vec<u64>,
}

impl Zipf {
    /// Index n of `count` gets the weight 1/(n + `flat`). With `flat` = 1 this is Zipf's law; with
    /// a larger number, the weights of the first indexes are more similar.
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

    /// Draws an index; 0 if `count` is 0.
    pub fn draw(&self, rng: &mut Rng) -> u64 {
        let whole = self.up_to.last().copied().unwrap_or_default();
        let at = rng.below(whole);
        self.up_to.partition_point(|up_to| *up_to <= at) as u64
    }
}

/// Assigns suppliers to contracts. The largest supplier, rank 0, gets an exact number of contracts
/// at random positions; for every other supplier the number is random.
pub struct SupplierShares {
    others: Zipf,
    left: u64,
    left_for_largest: u64,
    with_contracts: Vec<bool>,
}

impl SupplierShares {
    /// Distributes contracts among suppliers, of which there must be at least one.
    pub fn new(suppliers: u64, contracts: u64) -> Self {
        let others = Zipf::new(suppliers.saturating_sub(1), 2);
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

    /// Draws the rank of the supplier for the next contract.
    pub fn next(&mut self, rng: &mut Rng) -> u64 {
        let largest = rng.ratio(self.left_for_largest, self.left);
        self.left = self.left.saturating_sub(1);
        self.left_for_largest -= u64::from(largest);
        let rank = match largest {
            true => 0,
            false => 1 + self.others.draw(rng),
        };
        self.with_contracts[rank as usize] = true;
        rank
    }

    /// Returns whether a supplier has received a contract so far.
    pub fn has_contracts(&self, rank: u64) -> bool {
        self.with_contracts.get(rank as usize) == Some(&true)
    }
}
