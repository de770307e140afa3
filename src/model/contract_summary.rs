//! The summary of contracts.

use super::{ContractStage, RiskFact, Sum};

/// Contracts, summed up. Sums are of their prices, in roubles, exact. Annulled contracts
/// (`IN`) count in the number of all, among the stages and by themselves, and in nothing else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractSummary {
    /// The number of contracts, including annulled ones.
    pub count: u64,
    /// The total of the prices, without annulled ones.
    pub sum: Sum,
    /// The number of contracts in the total without a price.
    pub priceless: u64,
    /// The number of annulled contracts.
    pub annulled: u64,
    /// The total of their prices.
    pub annulled_sum: Sum,
    /// By the year of signing, the newest first; those without a day last.
    pub years: Vec<Share<Option<u16>>>,
    /// By stage, in the order `E`, `EC`, `ET`, `IN`, none.
    pub stages: Vec<Share<Option<ContractStage>>>,
    /// The customers.
    pub customers: Parties,
    /// The suppliers. A contract counts in full for each of its suppliers.
    pub suppliers: Parties,
    /// By the facts of risk that occur, in the order of [`RiskFact::ALL`].
    pub facts: Vec<Share<RiskFact>>,
}

/// A group of contracts that have a value in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share<K> {
    /// The common value.
    pub key: K,
    /// Their number.
    pub count: u64,
    /// The total of their prices.
    pub sum: Sum,
}

/// The customers or the suppliers of contracts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parties {
    /// Those with the largest sums, then counts, then INNs, as many as were requested.
    pub largest: Vec<PartySummary>,
    /// The number of different ones, by INN; those without an INN do not count.
    pub count: u64,
}

/// The contracts of one customer or supplier.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PartySummary {
    /// The INN, as it came.
    pub inn: String,
    /// The name; of a customer, the one in the newest of the contracts that has one.
    pub name: String,
    /// Their number.
    pub count: u64,
    /// The total of their prices.
    pub sum: Sum,
}
