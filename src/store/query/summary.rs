//! The summary of a supplier's contracts.

use std::collections::HashMap;

use super::super::error::Result;
use super::super::suppliers::SupplierRow;
use super::Database;
use super::facets::each_match;
use super::groups::{COLUMNS, Customer, Groups, Subtotal, largest};
use super::pages::show_ids;
use super::source::{Owner, Source};
use crate::model::{ContractFilter, ContractSummary, Ground, Parties, PartySummary};

impl Database {
    /// Sums up the contracts of a supplier that match `filter`, with the facts of risk on the day of
    /// `ground`, by the registries of its laws. Lists the `top` customers with the largest sums.
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
        top: usize,
        ground: &Ground,
    ) -> Result<ContractSummary> {
        let source = self.source();
        let mut entries = self.rnp_entries(&supplier.inn)?;
        entries.retain(|entry| ground.rules.laws.count(entry));
        let mut groups = Groups::default();
        let owner = Owner::Supplier(supplier);
        each_match(self, owner, filter, COLUMNS, |facets| {
            let is_listed = |day| entries.iter().any(|entry| entry.is_in_force(day));
            let facts = facets.risk_facts(ground.day, is_listed)?;
            groups.add(facets, facts)
        })?;
        let customers = customers(source, std::mem::take(&mut groups.customers), top)?;
        Ok(ContractSummary {
            customers,
            ..groups.into_summary()
        })
    }
}

/// Returns the `top` customers with the largest sums, then counts, then INNs.
fn customers(
    source: &dyn Source,
    customers: HashMap<String, Customer>,
    top: usize,
) -> Result<Parties> {
    let count = customers.len() as u64;
    let mut largest = largest(customers, top, |customer| &customer.group);
    rank(
        &mut largest,
        top,
        |(inn, _)| inn,
        |(_, customer)| &customer.group,
    );
    let names = customer_names(source, &largest)?;
    let summaries = largest.into_iter().zip(names);
    let summaries = summaries.map(|((inn, customer), name)| PartySummary {
        inn,
        name,
        count: customer.group.count,
        sum: customer.group.sum,
    });
    Ok(Parties {
        largest: summaries.collect(),
        count,
    })
}

/// Returns the name of each customer in its newest contract that has one; empty if none has.
fn customer_names(source: &dyn Source, customers: &[(String, Customer)]) -> Result<Vec<String>> {
    let named = customers.iter().flat_map(|(_, customer)| &customer.named);
    let named: Vec<i64> = named.copied().collect();
    let mut reg_nums = source.reg_nums(&named)?.into_iter();
    let mut newest = Vec::with_capacity(customers.len());
    for (_, customer) in customers {
        let of_customer = reg_nums.by_ref().take(customer.named.len());
        newest.push(of_customer.zip(&customer.named).max().map(|(_, id)| *id));
    }
    let ids: Vec<i64> = newest.iter().copied().flatten().collect();
    let suppliers = source.suppliers_of(&ids)?;
    let mut names = Vec::with_capacity(ids.len());
    show_ids(source, suppliers.iter(), &ids, &mut |_, contract| {
        names.push(contract.customer_name.text().into_owned());
    })?;
    let mut names = names.into_iter();
    let names = newest.iter().map(|id| id.and_then(|_| names.next()));
    Ok(names.map(Option::unwrap_or_default).collect())
}

/// Sorts parties by sum, then count, both descending, then by INN, and keeps the first `top`.
fn rank<T>(
    parties: &mut Vec<T>,
    top: usize,
    inn: impl Fn(&T) -> &str,
    group: impl Fn(&T) -> &Subtotal,
) {
    parties.sort_by(|one, other| {
        let by_group = group(other).compare(group(one));
        by_group.then_with(|| inn(one).cmp(inn(other)))
    });
    parties.truncate(top);
}
