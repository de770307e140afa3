//! What a supplier's contracts come to, told by their blocks.

use std::collections::HashMap;

use super::super::error::Result;
use super::super::read::{Database, KnownSupplier};
use super::block::state;
use super::making::Price;
use super::select::Part;
use crate::model::encoded::EncodedValues;
use crate::model::{ContractFilter, ContractStage, ContractSummary, CustomerSummary, Share, Sum};

/// How many customers are shown.
const CUSTOMERS: usize = 10;

/// The stages in the order that they are told in.
const STAGES: [Option<ContractStage>; 5] = [
    Some(ContractStage::InExecution),
    Some(ContractStage::Completed),
    Some(ContractStage::Terminated),
    Some(ContractStage::Annulled),
    None,
];

impl Database {
    /// What those of a supplier's contracts come to that match `filter`. It reads the
    /// blocks of the days that are asked for, and a record of each customer that is
    /// shown, for its name; memory is up to 200 bytes for each different customer, of
    /// whom there are no more than contracts.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn summary(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
    ) -> Result<ContractSummary> {
        let places = self.signed(supplier, filter)?;
        let mut groups = Groups::default();
        self.each_match(supplier, filter, places, true, |part| {
            groups.add(part).ok_or_else(|| self.no_block())
        })?;
        let customers_count = groups.customers.iter().filter(|one| one.group.count > 0);
        let mut summary = ContractSummary {
            count: groups.all.count,
            priceless: groups.priceless,
            customers_count: customers_count.count() as u64,
            years: groups.years(),
            stages: groups.stages(),
            customers: Vec::new(),
            sum: Sum::default(),
        };
        for customer in groups.largest_customers() {
            let name = customer.named.map(|ordinal| {
                self.contract_at(supplier, ordinal.into(), |contract| {
                    Ok(contract.customer_name.text().into_owned())
                })
            });
            summary.customers.push(CustomerSummary {
                inn: inn_text(&customer.inn),
                name: name.transpose()?.unwrap_or_default(),
                count: customer.group.count,
                sum: customer.group.sum,
            });
        }
        summary.sum = groups.all.sum;
        Ok(summary)
    }
}

/// Some contracts: how many, and what their prices come to.
#[derive(Clone, Debug, Default)]
struct Group {
    count: u64,
    sum: Sum,
}

impl Group {
    #[inline(always)]
    fn add(&mut self, price: &Price) {
        self.count += 1;
        match price {
            Price::None => {}
            Price::Hundredths(hundredths) => self.sum.add_hundredths(*hundredths),
            Price::Other(amount) => self.sum.add(**amount),
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
    /// As records keep it.
    inn: Box<[u8]>,
    group: Group,
    /// The newest contract with its name.
    named: Option<u32>,
}

/// What is summed up, block by block.
#[derive(Debug, Default)]
struct Groups {
    all: Group,
    priceless: u64,
    /// By the year, 0 for none, in the order that contracts come in.
    years: Vec<(u64, Group)>,
    stages: [Group; STAGES.len()],
    customers: Vec<Customer>,
    /// Where they are, by their INNs as records keep them.
    places: HashMap<Box<[u8]>, usize>,
    /// Of the block under way: where its customers are; its columns.
    here: Vec<Option<usize>>,
    columns: [Vec<u64>; 3],
    prices: Vec<Price>,
}

impl Groups {
    /// Adds what matches of a block; none if it is damaged.
    fn add(&mut self, part: &Part<'_>) -> Option<()> {
        self.read_customers(part);
        let mut columns = std::mem::take(&mut self.columns);
        let mut prices = std::mem::take(&mut self.prices);
        let [states, customers, signed] = &mut columns;
        part.block.prices(states, &mut prices)?;
        part.block.states(states);
        part.block.customers(customers);
        part.block.signed(signed);
        let mut is_whole = true;
        let values = states.iter().zip(customers.iter()).zip(signed.iter());
        let contracts = part.scan.matches.iter().zip(values).zip(&prices);
        for (at, ((matches, ((state, customer), signed)), price)) in contracts.enumerate() {
            if *matches {
                let ordinal = part.ordinal(at);
                is_whole &= self
                    .add_contract(ordinal, *state, *customer, *signed, price)
                    .is_some();
            }
        }
        self.columns = columns;
        self.prices = prices;
        is_whole.then_some(())
    }

    fn read_customers(&mut self, part: &Part<'_>) {
        self.here.clear();
        for (value, inn) in part.block.kept_inns() {
            let place = (!value.is_empty()).then(|| {
                self.places.get(inn).copied().unwrap_or_else(|| {
                    let place = self.customers.len();
                    self.places.insert(inn.into(), place);
                    self.customers.push(Customer {
                        inn: inn.into(),
                        ..Customer::default()
                    });
                    place
                })
            });
            self.here.push(place);
        }
    }

    #[inline(always)]
    fn add_contract(
        &mut self,
        ordinal: u32,
        code: u64,
        customer: u64,
        signed: u64,
        price: &Price,
    ) -> Option<()> {
        self.all.add(price);
        self.priceless += u64::from(*price == Price::None);
        let year = signed / 10_000;
        match self.years.last_mut() {
            Some((last, group)) if *last == year => group.add(price),
            _ => {
                let mut group = Group::default();
                group.add(price);
                self.years.push((year, group));
            }
        }
        let (stage, is_named) = state(code)?;
        let place = STAGES.iter().position(|one| *one == stage)?;
        self.stages.get_mut(place)?.add(price);
        let customer = *self.here.get(usize::try_from(customer).ok()?)?;
        if let Some(customer) = customer {
            let customer = self.customers.get_mut(customer)?;
            customer.group.add(price);
            if is_named {
                // The newest comes last.
                customer.named = Some(ordinal);
            }
        }
        Some(())
    }

    fn years(&mut self) -> Vec<Share<Option<u16>>> {
        let years = std::mem::take(&mut self.years).into_iter().rev();
        let key = |year: u64| u16::try_from(year).ok().filter(|year| *year != 0);
        years.map(|(year, group)| group.share(key(year))).collect()
    }

    fn stages(&mut self) -> Vec<Share<Option<ContractStage>>> {
        let stages = STAGES.into_iter().zip(std::mem::take(&mut self.stages));
        stages
            .filter(|(_, group)| group.count > 0)
            .map(|(stage, group)| group.share(stage))
            .collect()
    }

    /// Those with the largest sums, then counts, then INNs.
    fn largest_customers(&mut self) -> Vec<Customer> {
        let mut customers = std::mem::take(&mut self.customers);
        customers.retain(|customer| customer.group.count > 0);
        let order = |a: &Customer, b: &Customer| {
            let size = |one: &Customer, other: &Customer| {
                let by_sum = one.group.sum.cmp(&other.group.sum);
                by_sum.then(one.group.count.cmp(&other.group.count))
            };
            size(b, a).then_with(|| inn_text(&a.inn).cmp(&inn_text(&b.inn)))
        };
        if customers.len() > CUSTOMERS {
            customers.select_nth_unstable_by(CUSTOMERS, order);
            customers.truncate(CUSTOMERS);
        }
        customers.sort_unstable_by(order);
        customers
    }
}

/// The text of an INN as records keep it.
fn inn_text(kept: &[u8]) -> String {
    let value = EncodedValues::new(kept).value();
    value.map_or(String::new(), |value| value.text().into_owned())
}
