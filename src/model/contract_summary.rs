//! What a supplier's contracts come to.

use super::{ContractStage, Sum};

/// Contracts, summed up. Sums are of their prices, in roubles, exact.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ContractSummary {
    /// How many there are.
    pub count: u64,
    /// What their prices come to.
    pub sum: Sum,
    /// How many have no price.
    pub priceless: u64,
    /// By the year of signing, the newest first; those without a day last.
    pub years: Vec<Share<Option<u16>>>,
    /// By stage, in the order `E`, `EC`, `ET`, `IN`, none.
    pub stages: Vec<Share<Option<ContractStage>>>,
    /// The customers with the largest sums, then counts, then INNs; up to ten.
    pub customers: Vec<CustomerSummary>,
    /// How many different customers there are, by their INNs; one without is none.
    pub customers_count: u64,
}

/// A part of the contracts: those that have one thing in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Share<K> {
    /// What they have in common.
    pub key: K,
    /// How many they are.
    pub count: u64,
    /// What their prices come to.
    pub sum: Sum,
}

/// The contracts with one customer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CustomerSummary {
    /// INN of the customer, as it came.
    pub inn: String,
    /// Its name in the newest of the contracts that has one.
    pub name: String,
    /// How many they are.
    pub count: u64,
    /// What their prices come to.
    pub sum: Sum,
}
