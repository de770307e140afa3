//! Summaries of contracts: a supplier's, or those that a search finds.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::super::contract_id::supplier_of;
use super::super::error::Result;
use super::super::listed_contracts::ListedContracts;
use super::super::suppliers::SupplierRow;
use super::Database;
use super::facets::{Facets, each_match};
use super::groups::{COLUMNS, CustomerTotal, Groups, Subtotal, SupplierTotal, largest};
use super::listed::listed_contracts;
use super::pages::{show_ids, sort_by_inn};
use super::repeated::FoundNumbers;
use super::search::{Search, Searched};
use super::source::{Owner, Source};
use crate::model::{
    ContentFilter, ContractFilter, ContractSummary, Ground, Parties, PartySummary, RiskFact,
    RiskFacts,
};

impl Database {
    /// Sums up the contracts of a supplier that match `filter`. `ground` determines the day of the
    /// risk facts and the registries that they are based on. Lists the `top` customers by sum.
    ///
    /// Reads the facets of all matching contracts, and one record per listed customer for its name.
    /// Takes up to 200 bytes of memory per distinct customer, of which there are at most as many as
    /// contracts.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
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

impl Database {
    /// Sums up the contracts of all suppliers that match `filter`, like [`Database::summary`].
    /// Lists the `top` customers and suppliers by sum.
    ///
    /// A contract found under several suppliers counts in full for each of them, but only once in
    /// all other totals: with the record that has the latest day of signing or, if several have,
    /// the greatest INN. It counts as signed while the supplier was listed if any of its suppliers
    /// was.
    ///
    /// Reads the facets of all matching contracts and takes 16 bytes of memory for each.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn content_summary(
        &self,
        filter: &ContentFilter,
        top: usize,
        ground: &Ground,
    ) -> Result<Searched<ContractSummary>> {
        let source = self.source();
        let Some(search) = Search::new(self, filter)? else {
            return Ok(Ok(ContractSummary::default()));
        };
        let mut sums = Sums {
            listed: listed_contracts(source)?,
            ground,
            groups: Groups::default(),
            numbers: FoundNumbers::default(),
        };
        if let Err(too_broad) = search.each_match(COLUMNS, |facets| sums.add(facets))? {
            return Ok(Err(too_broad));
        }
        let others = sums.count_once(source)?;
        let mut groups = sums.groups;
        if groups.forget_names() {
            let found =
                search.each_match(COLUMNS, |facets| match others.contains(&facets.id()?) {
                    true => Ok(()),
                    false => groups.name_customer(facets),
                })?;
            if let Err(too_broad) = found {
                return Ok(Err(too_broad));
            }
        }
        let suppliers = suppliers(source, std::mem::take(&mut groups.suppliers), top)?;
        let customers = customers(source, std::mem::take(&mut groups.customers), top)?;
        Ok(Ok(ContractSummary {
            customers,
            suppliers,
            ..groups.into_summary()
        }))
    }
}

struct Sums<'a> {
    listed: Arc<ListedContracts>,
    ground: &'a Ground,
    groups: Groups,
    numbers: FoundNumbers,
}

impl Sums<'_> {
    fn add(&mut self, facets: &Facets<'_>) -> Result<()> {
        self.numbers.add(facets)?;
        self.groups
            .add_to_supplier(supplier_of(facets.id()?), facets)?;
        self.groups.add(facets, self.facts(facets)?)
    }

    fn facts(&self, facets: &Facets<'_>) -> Result<RiskFacts> {
        let (id, laws) = (facets.id()?, self.ground.rules.laws);
        facets.risk_facts(self.ground.day, |_| self.listed.has(id, laws))
    }

    /// Removes contracts that were added more than once, so that each counts once. Returns the ids
    /// of the removed records.
    fn count_once(&mut self, source: &dyn Source) -> Result<HashSet<i64>> {
        let repeated = std::mem::take(&mut self.numbers).repeated(source)?;
        let ids: Vec<i64> = repeated.iter().flatten().copied().collect();
        let lengths = repeated.iter().map(Vec::len);
        let mut places = lengths.flat_map(|length| 0..length);
        let (mut counted, mut others) = (RiskFacts::default(), HashSet::new());
        source.facets_of(&ids, COLUMNS, &mut |row| {
            let facets = Facets::new(source, COLUMNS, row);
            let facts = self.facts(&facets)?;
            if places.next() == Some(0) {
                counted = facts;
                return Ok(());
            }
            others.insert(facets.id()?);
            self.groups.remove(&facets, facts)?;
            // Keep a risk fact that only the removed record states.
            for fact in RiskFact::ALL {
                if facts.has(fact) && !counted.has(fact) {
                    counted.insert(fact);
                    self.groups.add_fact(fact, &facets.price()?);
                }
            }
            Ok(())
        })?;
        Ok(others)
    }
}

/// Returns the `top` suppliers by sum, then by count, then by INN, and the number of all suppliers.
fn suppliers(
    source: &dyn Source,
    suppliers: HashMap<i64, SupplierTotal>,
    top: usize,
) -> Result<Parties> {
    let count = suppliers.len() as u64;
    let largest = largest(suppliers, top, |supplier| &supplier.group);
    let ids: Vec<i64> = largest
        .iter()
        .map(|(_, supplier)| supplier.contract)
        .collect();
    let rows = source.suppliers_of(&ids)?.into_iter();
    let mut largest: Vec<_> = rows
        .zip(largest)
        .map(|(row, (_, supplier))| (row, supplier))
        .collect();
    rank(
        &mut largest,
        top,
        |(row, _)| row.inn.key(),
        |(_, supplier)| &supplier.group,
    );
    let summaries = largest.into_iter().map(|(row, supplier)| PartySummary {
        inn: row.inn.as_str().to_owned(),
        name: row.name().to_owned(),
        count: supplier.group.count,
        sum: supplier.group.sum,
    });
    Ok(Parties {
        largest: summaries.collect(),
        count,
    })
}

/// Returns the `top` customers by sum, then by count, then by INN, and the number of all customers.
fn customers(
    source: &dyn Source,
    customers: HashMap<String, CustomerTotal>,
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

/// Returns the name of each customer from the newest contract that states one; empty if none does.
fn customer_names(
    source: &dyn Source,
    customers: &[(String, CustomerTotal)],
) -> Result<Vec<String>> {
    let named = customers.iter().flat_map(|(_, customer)| &customer.named);
    let named: Vec<i64> = named.copied().collect();
    let mut reg_nums = source.reg_nums(&named)?.into_iter();
    let mut newest = Vec::with_capacity(customers.len());
    for (_, customer) in customers {
        let of_customer = reg_nums.by_ref().take(customer.named.len());
        let of_customer: Vec<_> = of_customer.zip(&customer.named).collect();
        let last = of_customer.iter().map(|(number, _)| number).max();
        let under_suppliers = of_customer
            .iter()
            .filter(|(number, _)| Some(number) == last);
        let mut ids: Vec<i64> = under_suppliers.map(|(_, id)| **id).collect();
        if ids.len() > 1 {
            sort_by_inn(source, &mut ids, false)?;
        }
        newest.push(ids.first().copied());
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
