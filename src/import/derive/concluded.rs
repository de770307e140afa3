//! Selects the contracts that the card of a purchase under 44-FZ shows: the newest of each lot and
//! customer. Contracts are read one at a time, so memory depends on the number of customers and not
//! on that of contracts.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::import::facts::{ContractFacts, SupplierFacts};
use crate::model::{Amount, Date};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConcludedContract {
    pub reg_num: String,
    pub sign_date: Option<Date>,
    pub end_date: Option<Date>,
    pub price: Option<Amount>,
    pub customer: ContractCustomer,
    pub suppliers: Vec<SupplierFacts>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ContractCustomer {
    pub inn: String,
    /// Number of the customer in the register of organizations.
    pub code: String,
}

#[derive(Debug, Default)]
pub struct ConcludedContracts {
    /// The newest contract by lot (index in the notice) and customer.
    newest: BTreeMap<(usize, ContractCustomer), ConcludedContract>,
    /// Whether the purchase has any contracts, even if they match no lot of the notice.
    is_any: bool,
}

impl ContractCustomer {
    pub fn of(facts: &ContractFacts) -> Self {
        Self {
            inn: facts.customer_inn.clone(),
            code: facts.customer_code.clone(),
        }
    }
}

impl ConcludedContract {
    fn new(facts: &ContractFacts) -> Self {
        Self {
            reg_num: facts.reg_num.clone(),
            sign_date: facts.sign_date,
            end_date: facts.end_date,
            price: facts.price,
            customer: ContractCustomer::of(facts),
            suppliers: facts.suppliers.clone(),
        }
    }

    fn age(&self) -> Reverse<(Option<Date>, &str)> {
        Reverse((self.sign_date, &self.reg_num))
    }
}

impl ConcludedContracts {
    /// Adds a contract that was not annulled. `lot` is the index of its lot in the notice, or
    /// `None` if it matches none. The order of contracts does not matter.
    pub fn add(&mut self, lot: Option<usize>, facts: &ContractFacts) {
        self.is_any = true;
        let Some(lot) = lot else {
            return;
        };
        let one = ConcludedContract::new(facts);
        let newest = self.newest.entry((lot, one.customer.clone()));
        newest
            .and_modify(|newest| {
                if one.age() < newest.age() {
                    newest.clone_from(&one);
                }
            })
            .or_insert(one);
    }

    pub fn is_empty(&self) -> bool {
        !self.is_any
    }

    /// Returns the newest contract of each customer of a lot, newest first.
    pub fn of_lot(&self, lot: usize) -> Vec<&ConcludedContract> {
        let all = self.newest.iter().filter(|((of, _), _)| *of == lot);
        let mut all: Vec<_> = all.map(|(_, contract)| contract).collect();
        all.sort_by_key(|contract| contract.age());
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract(at: usize, customer: &str, day: &str) -> ContractFacts {
        ContractFacts {
            reg_num: format!("{at:019}"),
            customer_inn: customer.to_owned(),
            sign_date: Date::parse_iso(day),
            suppliers: vec![SupplierFacts::default()],
            ..ContractFacts::default()
        }
    }

    #[test]
    fn only_the_newest_contract_of_a_customer_is_kept_whatever_the_order() {
        let mut all: Vec<_> = (0..300)
            .map(|at| {
                let customer = ["9600000030", "9600000048"][at % 2];
                contract(at, customer, ["2025-02-01", "2025-02-02"][at % 7 / 6])
            })
            .collect();
        let mut kept = Vec::new();
        for _ in 0..2 {
            let mut contracts = ConcludedContracts::default();
            all.iter().for_each(|facts| contracts.add(Some(0), facts));
            let of_lot = contracts.of_lot(0);
            let numbers = of_lot.iter().map(|one| one.reg_num.clone());
            kept.push(numbers.collect::<Vec<_>>());
            all.reverse();
        }
        let newest = ["0000000000000000293", "0000000000000000286"];
        assert_eq!(kept, [newest, newest]);
    }

    #[test]
    fn a_contract_for_an_unknown_lot_counts_for_the_purchase() {
        let mut contracts = ConcludedContracts::default();
        assert!(contracts.is_empty());
        contracts.add(None, &contract(1, "9600000030", "2025-02-01"));
        assert!(!contracts.is_empty() && contracts.of_lot(0).is_empty());
    }
}
