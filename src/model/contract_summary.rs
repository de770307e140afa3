//! Totals over contracts.

use super::{ContractStage, RiskFact, Sum};

/// Totals over a set of contracts. Sums are exact sums of prices in roubles. Annulled contracts
/// (`IN`) are included only in `count`, `stages` and the `annulled…` fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractSummary {
    pub count: u64,
    pub sum: Sum,
    /// Number of contracts in `sum` without a price.
    pub priceless: u64,
    pub annulled: u64,
    pub annulled_sum: Sum,
    /// By year of signing, newest first. Contracts without a day of signing come last.
    pub years: Vec<Share<Option<u16>>>,
    /// In the order `E`, `EC`, `ET`, `IN`. Contracts without a stage come last.
    pub stages: Vec<Share<Option<ContractStage>>>,
    pub customers: Parties,
    /// A contract with several suppliers counts in full for each of them.
    pub suppliers: Parties,
    /// In the order of [`RiskFact::ALL`], without facts that do not occur.
    pub facts: Vec<Share<RiskFact>>,
}

/// The contracts of a set that have something in common, such as the year.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share<K> {
    /// What the contracts have in common.
    pub key: K,
    pub count: u64,
    pub sum: Sum,
}

/// The customers, or the suppliers, of a set of contracts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parties {
    /// The largest parties, as many as requested, ordered by sum, then count, then INN.
    pub largest: Vec<PartySummary>,
    /// Number of distinct INNs. Parties without an INN do not count.
    pub count: u64,
}

/// Totals of one customer or supplier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartySummary {
    /// INN as spelled in the contracts.
    pub inn: String,
    /// Name of the party. A customer's name comes from the newest contract that states one.
    pub name: String,
    pub count: u64,
    pub sum: Sum,
}
