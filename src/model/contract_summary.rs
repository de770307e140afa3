//! Totals over contracts.

use super::{ContractStage, RiskFact, Sum};

/// Totals over a set of contracts. Sums are exact sums of prices in roubles. Annulled contracts
/// (`IN`) appear only in `count`, in `stages` and in the fields named after them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractSummary {
    /// Number of contracts, including annulled ones.
    pub count: u64,
    /// Sum of the prices, except those of annulled contracts.
    pub sum: Sum,
    /// Number of contracts without a price among those that `sum` covers.
    pub priceless: u64,
    pub annulled: u64,
    pub annulled_sum: Sum,
    /// Totals by year of signing, newest first. Contracts without a day of signing come last.
    pub years: Vec<Share<Option<u16>>>,
    /// Totals by stage, in the order `E`, `EC`, `ET`, `IN`. Contracts without a stage come last.
    pub stages: Vec<Share<Option<ContractStage>>>,
    pub customers: Parties,
    /// Totals by supplier. A contract with several suppliers counts in full for each of them.
    pub suppliers: Parties,
    /// Totals by risk fact, in the order of [`RiskFact::ALL`], without facts that do not occur.
    pub facts: Vec<Share<RiskFact>>,
}

/// Totals over the contracts that have the same value of some property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share<K> {
    /// The value that the contracts share.
    pub key: K,
    pub count: u64,
    pub sum: Sum,
}

/// The customers, or the suppliers, of a set of contracts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parties {
    /// The largest parties, ordered by sum, then count, then INN. Contains at most as many as were
    /// requested.
    pub largest: Vec<PartySummary>,
    /// Number of distinct INNs. Parties without an INN are not counted.
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
