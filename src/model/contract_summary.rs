//! Totals over contracts.

use super::{ContractStage, RiskFact, Sum};

/// Totals over a set of contracts. Sums add up prices in roubles, exactly. Annulled contracts
/// (`IN`) are included in `count`, in `stages` and in the fields named after them, and nowhere
/// else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractSummary {
    /// Number of contracts, annulled ones included.
    pub count: u64,
    /// Sum of prices, without annulled contracts.
    pub sum: Sum,
    /// Number of contracts in `sum` that have no price.
    pub priceless: u64,
    pub annulled: u64,
    pub annulled_sum: Sum,
    /// By year of signing, newest first; contracts without a day come last.
    pub years: Vec<Share<Option<u16>>>,
    /// By stage, in the order `E`, `EC`, `ET`, `IN`, none.
    pub stages: Vec<Share<Option<ContractStage>>>,
    pub customers: Parties,
    /// A contract with several suppliers counts in full for each of them.
    pub suppliers: Parties,
    /// Facts of risk that occur, in the order of [`RiskFact::ALL`].
    pub facts: Vec<Share<RiskFact>>,
}

/// The contracts that share one value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share<K> {
    /// The value they share.
    pub key: K,
    pub count: u64,
    pub sum: Sum,
}

/// The customers or suppliers of a set of contracts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parties {
    /// Ordered by sum, then count, then INN; cut off at the number requested.
    pub largest: Vec<PartySummary>,
    /// Number of distinct INNs; parties without an INN are not counted.
    pub count: u64,
}

/// Totals of one customer or supplier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartySummary {
    /// Spelled as in the contracts.
    pub inn: String,
    /// For a customer, the name in its newest contract that has one.
    pub name: String,
    pub count: u64,
    pub sum: Sum,
}
