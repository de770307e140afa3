//! The summary of a supplier's contracts.

use std::collections::HashMap;

use super::data_file::DataFile;
use super::error::Result;
use super::facets::{FacetPrice, FacetRow, stage_number};
use super::suppliers::KnownSupplier;
use crate::model::{ContractFilter, ContractStage, ContractSummary, CustomerSummary, Share, Sum};

/// How many customers are shown.
pub(super) const CUSTOMERS: usize = 10;

/// The stages in the order of the answer.
pub(super) const STAGES: [Option<ContractStage>; 5] = [
    Some(ContractStage::InExecution),
    Some(ContractStage::Completed),
    Some(ContractStage::Terminated),
    Some(ContractStage::Annulled),
    None,
];

impl DataFile {
    /// Sums up those of a supplier's contracts that match `filter`. It reads the facets of
    /// all of them, and one record for the name of each customer shown; memory is up to 200
    /// bytes for each different customer, of whom there are no more than contracts.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn summary(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
    ) -> Result<ContractSummary> {
        let mut groups = Groups::default();
        self.each_match(supplier, filter, |row| groups.add(row))?;
        let mut summary = ContractSummary {
            count: groups.all.count,
            priceless: groups.priceless,
            customers_count: groups.customers.len() as u64,
            ..ContractSummary::default()
        };
        for (inn, customer) in groups.largest_customers() {
            let mut name = String::new();
            if let Some(id) = customer.named {
                self.contract(&supplier.inn, id, |contract| {
                    name = contract.customer_name.text().into_owned();
                })?;
            }
            summary.customers.push(CustomerSummary {
                inn,
                name,
                count: customer.group.count,
                sum: customer.group.sum,
            });
        }
        for (year, group) in groups.years.into_iter().rev() {
            let year = u16::try_from(year).ok().filter(|year| *year != 0);
            summary.years.push(group.share(year));
        }
        for stage in STAGES {
            let group = groups.stages.get_mut(usize::from(stage_number(stage)));
            let group = group.map(std::mem::take).filter(|group| group.count > 0);
            summary.stages.extend(group.map(|group| group.share(stage)));
        }
        summary.sum = groups.all.sum;
        Ok(summary)
    }
}

/// A group of contracts: their number and the total of their prices.
#[derive(Clone, Debug, Default)]
struct Subtotal {
    count: u64,
    sum: Sum,
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
}

#[derive(Debug, Default)]
struct Customer {
    group: Subtotal,
    /// The newest contract that has the customer's name.
    named: Option<i64>,
}

/// The groups of the summary.
#[derive(Debug, Default)]
struct Groups {
    all: Subtotal,
    priceless: u64,
    /// By year, 0 for none, in the order of contracts.
    years: Vec<(u32, Subtotal)>,
    /// By the number of the stage.
    stages: [Subtotal; STAGES.len()],
    /// By their INNs.
    customers: HashMap<String, Customer>,
    /// A buffer for the current INN.
    inn: String,
}

impl Groups {
    /// Adds a contract; they come oldest first.
    fn add(&mut self, row: &FacetRow<'_>) -> rusqlite::Result<()> {
        let price = row.price()?;
        self.all.add(&price);
        self.priceless += u64::from(price == FacetPrice::None);
        let year = row.sign_date()? / 10_000;
        if self.years.last().is_none_or(|(last, _)| *last != year) {
            self.years.push((year, Subtotal::default()));
        }
        if let Some((_, group)) = self.years.last_mut() {
            group.add(&price);
        }
        if let Some(group) = self.stages.get_mut(row.stage()?) {
            group.add(&price);
        }
        row.customer_inn(&mut self.inn)?;
        if self.inn.is_empty() {
            return Ok(());
        }
        let customer = match self.customers.get_mut(&self.inn) {
            Some(customer) => customer,
            None => self.customers.entry(self.inn.clone()).or_default(),
        };
        customer.group.add(&price);
        if row.is_customer_named()? {
            customer.named = Some(row.id()?);
        }
        Ok(())
    }

    /// The customers with the largest sums, then counts, then INNs.
    fn largest_customers(&mut self) -> Vec<(String, Customer)> {
        let mut customers: Vec<_> = self.customers.drain().collect();
        customers.sort_unstable_by(|(a_inn, a), (b_inn, b)| {
            let by_sum = b.group.sum.cmp(&a.group.sum);
            let by_count = by_sum.then(b.group.count.cmp(&a.group.count));
            by_count.then_with(|| a_inn.cmp(b_inn))
        });
        customers.truncate(CUSTOMERS);
        customers
    }
}
