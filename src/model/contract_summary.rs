//! The summary of a supplier's contracts.

use super::{ContractStage, Sum};

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
    /// Up to ten customers with the largest sums, then counts, then INNs.
    pub customers: Vec<CustomerSummary>,
    /// The number of different customers, by INN; those without one do not count.
    pub customers_count: u64,
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

/// The contracts with one customer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerSummary {
    /// INN of the customer, as it came.
    pub inn: String,
    /// Its name in the newest of the contracts that has one.
    pub name: String,
    /// Their number.
    pub count: u64,
    /// The total of their prices.
    pub sum: Sum,
}
