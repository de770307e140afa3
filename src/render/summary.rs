//! The summary of a supplier's contracts.

use super::fields::{Fields, Name, Resource, name};
use crate::model::kept::{Values, keep};
use crate::model::{ContractStage, ContractSummary, Sum};

/// What a supplier's contracts come to.
#[derive(Clone, Copy, Debug)]
pub struct SummaryAnswer<'a> {
    /// INN of the supplier, as asked.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// What the contracts come to that were asked for.
    pub summary: &'a ContractSummary,
}

impl Resource for SummaryAnswer<'_> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        let summary = self.summary;
        fields.text(name!("supplierINN"), self.inn);
        fields.text(name!("supplierIName"), self.name);
        fields.count(name!("totalcount"), Some(summary.count));
        sum(fields, name!("totalSum"), &summary.sum);
        fields.count(name!("pricelessCount"), Some(summary.priceless));
        fields.list(
            name!("years"),
            name!("year"),
            &summary.years,
            |fields, year| {
                fields.count(name!("year"), year.key.map(u64::from));
                share(fields, year.count, &year.sum);
            },
        );
        fields.list(
            name!("stages"),
            name!("stage"),
            &summary.stages,
            |fields, stage| {
                let code = stage.key.map_or("", ContractStage::code);
                fields.code(name!("contractStage"), code);
                share(fields, stage.count, &stage.sum);
            },
        );
        let customers = &summary.customers;
        fields.list(
            name!("customers"),
            name!("customer"),
            customers,
            |fields, customer| {
                fields.text(name!("customerInn"), &customer.inn);
                fields.text(name!("customerName"), &customer.name);
                share(fields, customer.count, &customer.sum);
            },
        );
        fields.count(name!("customersCount"), Some(summary.customers_count));
    }
}

/// Tells how many contracts there are of a kind, and what they come to.
pub(super) fn share<F: Fields>(fields: &mut F, count: u64, total: &Sum) {
    fields.count(name!("count"), Some(count));
    sum(fields, name!("sum"), total);
}

/// A sum: a number as its text, as it may have more digits than an amount.
fn sum<F: Fields>(fields: &mut F, name: &Name, sum: &Sum) {
    let mut kept = Vec::new();
    keep(&mut kept, &sum.text());
    if let Some(value) = Values::of(&kept).value() {
        fields.kept_number(name, value);
    }
}
