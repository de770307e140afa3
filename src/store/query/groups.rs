//! Totals over groups of contracts, for summaries.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;
use std::hash::Hash;

use super::super::error::Result;
use super::super::facet_columns::{FacetColumn, stage_number};
use super::facets::{FacetPrice, Facets};
use crate::model::{ContractStage, ContractSummary, RiskFact, RiskFacts, Share, Sum};

/// The stages in the order in which an answer lists them.
const STAGES: [Option<ContractStage>; 5] = [
    Some(ContractStage::InExecution),
    Some(ContractStage::Completed),
    Some(ContractStage::Terminated),
    Some(ContractStage::Annulled),
    None,
];

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Counting {
    Add,
    Remove,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Subtotal {
    pub count: u64,
    pub sum: Sum,
}

impl Subtotal {
    #[inline]
    fn count(&mut self, price: &FacetPrice, how: Counting) {
        match how {
            Counting::Add => self.count += 1,
            Counting::Remove => self.count -= 1,
        }
        match (price, how) {
            (FacetPrice::None, _) => {}
            (FacetPrice::Hundredths(hundredths), Counting::Add) => {
                self.sum.add_hundredths(*hundredths);
            }
            (FacetPrice::Hundredths(hundredths), Counting::Remove) => {
                self.sum.add_hundredths(-*hundredths);
            }
            (FacetPrice::Other(amount), Counting::Add) => self.sum.add(**amount),
            (FacetPrice::Other(amount), Counting::Remove) => self.sum.add(amount.negated()),
        }
    }

    fn share<K>(self, key: K) -> Share<K> {
        Share {
            key,
            count: self.count,
            sum: self.sum,
        }
    }

    /// Compares by sum, then by count.
    pub fn compare(&self, other: &Self) -> Ordering {
        let by_sum = self.sum.cmp(&other.sum);
        by_sum.then(self.count.cmp(&other.count))
    }
}

#[derive(Debug, Default)]
pub(super) struct CustomerTotal {
    pub group: Subtotal,
    /// Sign date of the newest contracts that state the customer's name, as YYYYMMDD.
    named_on: u32,
    /// Ids of the newest contracts that state the customer's name.
    pub named: Vec<i64>,
}

impl CustomerTotal {
    /// Takes the contract as a source of the customer's name, if it states one and no newer
    /// contract does.
    fn take_name(&mut self, row: &Facets<'_>) -> Result<()> {
        if !row.is_customer_named()? {
            return Ok(());
        }
        let day = row.sign_date()?;
        if day > self.named_on {
            self.named_on = day;
            self.named.clear();
        }
        if day == self.named_on {
            self.named.push(row.id()?);
        }
        Ok(())
    }
}

#[derive(Debug, Default)]
pub(super) struct SupplierTotal {
    pub group: Subtotal,
    /// Id of one of the contracts; any will do.
    pub contract: i64,
}

#[derive(Debug, Default)]
pub(super) struct Groups {
    /// All contracts except annulled ones.
    all: Subtotal,
    annulled: Subtotal,
    priceless: Subtotal,
    /// Subtotals by year; the year is 0 for contracts without a day.
    years: Vec<(u32, Subtotal)>,
    /// Subtotals by number of the stage.
    stages: [Subtotal; STAGES.len()],
    /// Subtotals in the order of [`RiskFact::ALL`].
    facts: [Subtotal; RiskFact::ALL.len()],
    pub customers: HashMap<String, CustomerTotal>,
    pub suppliers: HashMap<i64, SupplierTotal>,
    /// Buffer for an INN, reused for each contract.
    inn: String,
}

impl Groups {
    pub fn add(&mut self, row: &Facets<'_>, facts: RiskFacts) -> Result<()> {
        self.count(row, facts, Counting::Add)
    }

    /// Undoes [`Groups::add`] for a contract, which then no longer names its customer.
    pub fn remove(&mut self, row: &Facets<'_>, facts: RiskFacts) -> Result<()> {
        self.count(row, facts, Counting::Remove)
    }

    pub fn add_fact(&mut self, fact: RiskFact, price: &FacetPrice) {
        if let Some(group) = self.facts.get_mut(fact as usize) {
            group.count(price, Counting::Add);
        }
    }

    fn count(&mut self, row: &Facets<'_>, facts: RiskFacts, how: Counting) -> Result<()> {
        let price = row.price()?;
        if let Some(group) = self.stages.get_mut(row.stage()?) {
            group.count(&price, how);
        }
        if row.is_annulled()? {
            self.annulled.count(&price, how);
            return Ok(());
        }
        self.all.count(&price, how);
        if price == FacetPrice::None {
            self.priceless.count(&price, how);
        }
        for (fact, group) in RiskFact::ALL.into_iter().zip(&mut self.facts) {
            if facts.has(fact) {
                group.count(&price, how);
            }
        }
        let year = row.sign_date()? / 10_000;
        // Search from the end, because most contracts arrive in the order of years.
        match self.years.iter_mut().rev().find(|(of, _)| *of == year) {
            Some((_, group)) => group.count(&price, how),
            None => {
                let mut group = Subtotal::default();
                group.count(&price, how);
                self.years.push((year, group));
            }
        }
        self.count_for_customer(row, &price, how)
    }

    /// Adds a contract to the supplier with this id, unless it is annulled.
    pub fn add_to_supplier(&mut self, supplier: i64, row: &Facets<'_>) -> Result<()> {
        if !row.is_annulled()? {
            let supplier = self.suppliers.entry(supplier).or_default();
            supplier.group.count(&row.price()?, Counting::Add);
            supplier.contract = row.id()?;
        }
        Ok(())
    }

    fn count_for_customer(
        &mut self,
        row: &Facets<'_>,
        price: &FacetPrice,
        how: Counting,
    ) -> Result<()> {
        row.customer_inn(&mut self.inn)?;
        if self.inn.is_empty() {
            return Ok(());
        }
        let customer = match self.customers.get_mut(&self.inn) {
            Some(customer) => customer,
            None => self.customers.entry(self.inn.clone()).or_default(),
        };
        customer.group.count(price, how);
        match how {
            Counting::Add => customer.take_name(row),
            Counting::Remove => {
                let id = row.id()?;
                customer.named.retain(|named| *named != id);
                if customer.group.count == 0 {
                    self.customers.remove(&self.inn);
                }
                Ok(())
            }
        }
    }

    /// If removing contracts has left a customer without a contract to take the name from, forgets
    /// the names of all customers. Returns whether that happened. The caller must then pass every
    /// contract to [`Groups::name_customer`].
    pub fn forget_names(&mut self) -> bool {
        let is_nameless = |one: &CustomerTotal| one.named_on > 0 && one.named.is_empty();
        let has_nameless = self.customers.values().any(is_nameless);
        for customer in self.customers.values_mut().filter(|_| has_nameless) {
            customer.named_on = 0;
            customer.named.clear();
        }
        has_nameless
    }

    pub fn name_customer(&mut self, row: &Facets<'_>) -> Result<()> {
        if row.is_annulled()? {
            return Ok(());
        }
        row.customer_inn(&mut self.inn)?;
        let customer = self.customers.get_mut(&self.inn);
        customer.map_or(Ok(()), |customer| customer.take_name(row))
    }

    /// Returns the summary, without customers and suppliers.
    pub fn into_summary(mut self) -> ContractSummary {
        let mut summary = ContractSummary {
            count: self.all.count + self.annulled.count,
            sum: self.all.sum,
            priceless: self.priceless.count,
            annulled: self.annulled.count,
            annulled_sum: self.annulled.sum,
            ..ContractSummary::default()
        };
        self.years.sort_unstable_by_key(|(year, _)| Reverse(*year));
        self.years.retain(|(_, group)| group.count > 0);
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

/// Returns the `top` groups by sum, then by count, followed by those that tie with the last one.
/// The caller must break ties.
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
