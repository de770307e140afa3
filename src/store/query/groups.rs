//! Sums over groups of contracts: the figures of a summary.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::hash::Hash;

use super::super::error::Result;
use super::super::facet_columns::{FacetColumn, stage_number};
use super::facets::{FacetPrice, Facets};
use crate::model::{ContractStage, ContractSummary, RiskFact, RiskFacts, Share, Sum};

/// The stages in the order of the answer.
const STAGES: [Option<ContractStage>; 5] = [
    Some(ContractStage::InExecution),
    Some(ContractStage::Completed),
    Some(ContractStage::Terminated),
    Some(ContractStage::Annulled),
    None,
];

/// The columns that are summed up.
pub(super) const COLUMNS: &[FacetColumn] = &[
    FacetColumn::SignDate,
    FacetColumn::Stage,
    FacetColumn::CustomerInn,
    FacetColumn::IsCustomerNamed,
    FacetColumn::Price,
    FacetColumn::PriceText,
    FacetColumn::NotOverdueTo,
    FacetColumn::Facts,
];

/// A group of contracts: their number and the total of their prices.
#[derive(Clone, Debug, Default)]
pub(super) struct Subtotal {
    pub count: u64,
    pub sum: Sum,
}

impl Subtotal {
    #[inline]
    fn add(&mut self, price: &FacetPrice) {
        self.count += 1;
        match price {
            FacetPrice::None => {}
            FacetPrice::Hundredths(hundredths) => self.sum.add_hundredths(*hundredths),
            FacetPrice::Other(amount) => self.sum.add(**amount),
        }
    }

    fn share<K>(self, key: K) -> Share<K> {
        Share {
            key,
            count: self.count,
            sum: self.sum,
        }
    }

    /// Compares two groups by their sums, then by their counts.
    pub fn compare(&self, other: &Self) -> Ordering {
        let by_sum = self.sum.cmp(&other.sum);
        by_sum.then(self.count.cmp(&other.count))
    }
}

/// The contracts of a customer.
#[derive(Debug, Default)]
pub(super) struct Customer {
    pub group: Subtotal,
    /// The sign date of the newest contracts with the customer's name, as YYYYMMDD.
    named_on: u32,
    /// The ids of the newest contracts with the customer's name.
    pub named: Vec<i64>,
}

/// The groups of a summary.
#[derive(Debug, Default)]
pub(super) struct Groups {
    /// All contracts except annulled ones.
    all: Subtotal,
    annulled: Subtotal,
    priceless: u64,
    /// By year, 0 for none.
    years: Vec<(u32, Subtotal)>,
    /// By the number of the stage.
    stages: [Subtotal; STAGES.len()],
    /// In the order of [`RiskFact::ALL`].
    facts: [Subtotal; RiskFact::ALL.len()],
    /// By INN.
    pub customers: HashMap<String, Customer>,
    /// A buffer for the current INN.
    inn: String,
}

impl Groups {
    /// Adds a contract with these facts of risk. Most contracts come in the order of years.
    pub fn add(&mut self, row: &Facets<'_>, facts: RiskFacts) -> Result<()> {
        let price = row.price()?;
        if let Some(group) = self.stages.get_mut(row.stage()?) {
            group.add(&price);
        }
        if row.is_annulled()? {
            self.annulled.add(&price);
            return Ok(());
        }
        self.all.add(&price);
        self.priceless += u64::from(price == FacetPrice::None);
        for (fact, group) in RiskFact::ALL.into_iter().zip(&mut self.facts) {
            if facts.has(fact) {
                group.add(&price);
            }
        }
        let year = row.sign_date()? / 10_000;
        match self.years.iter_mut().rev().find(|(of, _)| *of == year) {
            Some((_, group)) => group.add(&price),
            None => {
                let mut group = Subtotal::default();
                group.add(&price);
                self.years.push((year, group));
            }
        }
        self.add_to_customer(row, &price)
    }

    fn add_to_customer(&mut self, row: &Facets<'_>, price: &FacetPrice) -> Result<()> {
        row.customer_inn(&mut self.inn)?;
        if self.inn.is_empty() {
            return Ok(());
        }
        let customer = match self.customers.get_mut(&self.inn) {
            Some(customer) => customer,
            None => self.customers.entry(self.inn.clone()).or_default(),
        };
        customer.group.add(price);
        if row.is_customer_named()? {
            let day = row.sign_date()?;
            if day > customer.named_on {
                customer.named_on = day;
                customer.named.clear();
            }
            if day == customer.named_on {
                customer.named.push(row.id()?);
            }
        }
        Ok(())
    }

    /// Returns the summary, without customers and suppliers.
    pub fn into_summary(mut self) -> ContractSummary {
        let mut summary = ContractSummary {
            count: self.all.count + self.annulled.count,
            sum: self.all.sum,
            priceless: self.priceless,
            annulled: self.annulled.count,
            annulled_sum: self.annulled.sum,
            ..ContractSummary::default()
        };
        self.years.sort_unstable_by_key(|(year, _)| Reverse(*year));
        for (year, group) in self.years {
            let year = u16::try_from(year).ok().filter(|year| *year != 0);
            summary.years.push(group.share(year));
        }
        for stage in STAGES {
            let group = self.stages.get_mut(usize::from(stage_number(stage)));
            let group = group.map(std::mem::take).filter(|group| group.count > 0);
            summary.stages.extend(group.map(|group| group.share(stage)));
        }
        let facts = RiskFact::ALL.into_iter().zip(self.facts);
        let facts = facts.filter(|(_, group)| group.count > 0);
        summary.facts = facts.map(|(fact, group)| group.share(fact)).collect();
        summary
    }
}

/// Returns the `top` groups with the largest sums, then counts, in this order, and then those that
/// equal the last of them. The caller orders equal ones.
pub(super) fn largest<K: Eq + Hash, T>(
    groups: HashMap<K, T>,
    top: usize,
    group: impl Fn(&T) -> &Subtotal,
) -> Vec<(K, T)> {
    let mut groups: Vec<(K, T)> = groups.into_iter().collect();
    groups.sort_unstable_by(|(_, one), (_, other)| group(other).compare(group(one)));
    let Some(last) = top.checked_sub(1).and_then(|last| groups.get(last)) else {
        groups.truncate(if top == 0 { 0 } else { groups.len() });
        return groups;
    };
    let last = group(&last.1).clone();
    let end = groups.partition_point(|(_, one)| group(one).compare(&last).is_ge());
    groups.truncate(end);
    groups
}
