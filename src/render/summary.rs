//! The summary of a supplier's contracts.

use super::answer::Tabular;
use super::fields::{FieldWriter, Name, Record, form, name};
use super::table::{Cells, row, table};
use crate::model::encoded::{EncodedValues, encode_text};
use crate::model::{ContractStage, ContractSummary, Sum};

/// The summary of a supplier's contracts.
#[derive(Clone, Copy, Debug)]
pub struct SummaryAnswer<'a> {
    /// INN of the supplier, as requested.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// The summary of the requested contracts.
    pub summary: &'a ContractSummary,
}

impl Record for SummaryAnswer<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let summary = self.summary;
        fields.formed(name!("supplierINN"), self.inn, form::INN);
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
                fields.code_among(name!("contractStage"), code, &ContractStage::CODES);
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

/// Writes the number and the total of a group of contracts.
fn share<F: FieldWriter>(fields: &mut F, count: u64, total: &Sum) {
    fields.count(name!("count"), Some(count));
    sum(fields, name!("sum"), total);
}

/// Writes a sum as its digits, as it may have more of them than an amount.
fn sum<F: FieldWriter>(fields: &mut F, name: &Name, sum: &Sum) {
    let mut encoded = Vec::new();
    encode_text(&mut encoded, &sum.text());
    if let Some(value) = EncodedValues::new(&encoded).value() {
        fields.encoded_number(name, value);
    }
}

/// A row of a summary as CSV: the kind of group, its key, and its name.
#[derive(Clone, Copy, Default)]
struct SummaryRow<'a> {
    group: &'static str,
    key: &'a str,
    name: &'a str,
    count: u64,
    sum: Option<&'a Sum>,
}

impl Record for SummaryRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.code(name!("group"), self.group);
        fields.text(name!("key"), self.key);
        fields.text(name!("name"), self.name);
        fields.count(name!("count"), Some(self.count));
        match self.sum {
            Some(total) => sum(fields, name!("sum"), total),
            None => fields.amount(name!("sum"), None),
        }
    }
}

impl Tabular for SummaryAnswer<'_> {
    /// A row for all contracts (its key the supplier), one for those without a price, one for
    /// each year, stage and customer, and how many customers there are.
    fn write_table(&self, out: &mut dyn Cells) {
        let summary = self.summary;
        table(out, &SummaryRow::default());
        let mut add = |group, key: &str, name: &str, count, sum| {
            let line = SummaryRow {
                group,
                key,
                name,
                count,
                sum,
            };
            row(out, &line);
        };
        let sum = Some(&summary.sum);
        add("all", self.inn, self.name, summary.count, sum);
        add("priceless", "", "", summary.priceless, None);
        for year in &summary.years {
            let key = year.key.map_or(String::new(), |year| year.to_string());
            add("year", &key, "", year.count, Some(&year.sum));
        }
        for stage in &summary.stages {
            let code = stage.key.map_or("", ContractStage::code);
            add("stage", code, "", stage.count, Some(&stage.sum));
        }
        for customer in &summary.customers {
            let (inn, name) = (&customer.inn, &customer.name);
            add("customer", inn, name, customer.count, Some(&customer.sum));
        }
        add("customers", "", "", summary.customers_count, None);
    }
}
