//! The summary of a supplier's contracts.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::iter::repeat;

use super::super::error::Result;
use super::super::facet_columns::{FacetColumn, stage_number};
use super::super::suppliers::SupplierRow;
use super::Database;
use super::facets::{FacetPrice, Facets, each_match};
use super::pages::show_ids;
use super::source::Owner;
use crate::model::{ContractFilter, ContractStage, ContractSummary, CustomerSummary, Share, Sum};

/// The number of customers shown.
const CUSTOMERS: usize = 10;

/// The stages in the order of the answer.
const STAGES: [Option<ContractStage>; 5] = [
    Some(ContractStage::InExecution),
    Some(ContractStage::Completed),
    Some(ContractStage::Terminated),
    Some(ContractStage::Annulled),
    None,
];

/// The columns that are summed up.
const COLUMNS: &[FacetColumn] = &[
    FacetColumn::SignDate,
    FacetColumn::Stage,
    FacetColumn::CustomerInn,
    FacetColumn::IsCustomerNamed,
    FacetColumn::Price,
    FacetColumn::PriceText,
];

impl Database {
    /// Sums up the contracts of a supplier that match `filter`.
    ///
    /// Reads the facets of all contracts that match, and one record for the name of each customer
    /// shown. Takes up to 200 bytes of memory for each different customer; there are at most as many
    /// customers as contracts.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn summary(
        &self,
        supplier: &SupplierRow,
        filter: &ContractFilter,
    ) -> Result<ContractSummary> {
        let source = self.source();
        let mut groups = Groups::default();
        let owner = Owner::Supplier(supplier);
        each_match(source, owner, filter, COLUMNS, |facets| groups.add(facets))?;
        let mut summary = ContractSummary {
            count: groups.all.count + groups.annulled.count,
            priceless: groups.priceless,
            annulled: groups.annulled.count,
            annulled_sum: std::mem::take(&mut groups.annulled.sum),
            customers_count: groups.customers.len() as u64,
            ..ContractSummary::default()
        };
        let largest = groups.largest_customers();
        let mut named = Vec::with_capacity(largest.len());
        for (_, customer) in &largest {
            let reg_nums = source.reg_nums(&customer.named)?;
            let newest = reg_nums.into_iter().zip(&customer.named).max();
            named.extend(newest.map(|(_, id)| *id));
        }
        let mut names = Vec::with_capacity(named.len());
        show_ids(source, repeat(supplier), &named, &mut |_, contract| {
            names.push(contract.customer_name.text().into_owned());
        })?;
        let mut names = names.into_iter();
        for (inn, customer) in largest {
            let name = customer.named.first().and_then(|_| names.next());
            summary.customers.push(CustomerSummary {
                inn,
                name: name.unwrap_or_default(),
                count: customer.group.count,
                sum: customer.group.sum,
            });
        }
        groups
            .years
            .sort_unstable_by_key(|(year, _)| Reverse(*year));
        for (year, group) in groups.years {
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
    /// The sign date of the newest contracts with the customer's name, as YYYYMMDD.
    named_on: u32,
    /// Their ids.
    named: Vec<i64>,
}

/// The groups of the summary.
#[derive(Debug, Default)]
struct Groups {
    /// All contracts except annulled ones.
    all: Subtotal,
    annulled: Subtotal,
    priceless: u64,
    /// By year, 0 for none.
    years: Vec<(u32, Subtotal)>,
    /// By the number of the stage.
    stages: [Subtotal; STAGES.len()],
    /// By INN.
    customers: HashMap<String, Customer>,
    /// A buffer for the current INN.
    inn: String,
}

impl Groups {
    /// Adds a contract. Most come in the order of years.
    fn add(&mut self, row: &Facets<'_>) -> Result<()> {
        let price = row.price()?;
        let stage = row.stage()?;
        if let Some(group) = self.stages.get_mut(stage) {
            group.add(&price);
        }
        if stage == usize::from(ContractStage::Annulled.number()) {
            self.annulled.add(&price);
            return Ok(());
        }
        self.all.add(&price);
        self.priceless += u64::from(price == FacetPrice::None);
        let year = row.sign_date()? / 10_000;
        match self.years.iter_mut().rev().find(|(of, _)| *of == year) {
            Some((_, group)) => group.add(&price),
            None => {
                let mut group = Subtotal::default();
                group.add(&price);
                self.years.push((year, group));
            }
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

    /// Returns the customers with the largest sums, then counts, then INNs.
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
