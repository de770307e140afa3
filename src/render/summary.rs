//! The summary of a supplier's contracts.

use super::answer::Tabular;
use super::fields::{FieldWriter, Name, Record, ValueKind, name};
use super::page::SupplierFields;
use super::table::{Cells, row, table};
use crate::model::encoded::Encoded;
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
        SupplierFields::of_page(self.inn, self.name).write(fields);
        fields.count(name!("totalcount"), Some(summary.count));
        sum(fields, name!("totalSum"), &summary.sum);
        fields.count(name!("pricelessCount"), Some(summary.priceless));
        fields.count(name!("annulledCount"), Some(summary.annulled));
        sum(fields, name!("annulledSum"), &summary.annulled_sum);
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
                fields.code(name!("contractStage"), code, &ContractStage::CODES);
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

/// Writes a sum as its digits, because it may have more of them than an amount.
fn sum<F: FieldWriter>(fields: &mut F, name: &Name, sum: &Sum) {
    fields.encoded_value(name, ValueKind::Amount, Encoded::plain(&sum.text()));
}

/// A row of a summary in a table: the kind of group, its key, and its name.
#[derive(Clone, Copy, Default)]
struct SummaryRow<'a> {
    group: &'static str,
    key: &'a str,
    /// The stage of a group, in place of its key.
    stage: Option<ContractStage>,
    name: &'a str,
    count: u64,
    sum: Option<&'a Sum>,
}

impl Record for SummaryRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.code(name!("group"), self.group, &[]);
        match self.stage {
            Some(stage) => fields.code(name!("key"), stage.code(), &ContractStage::CODES),
            None => fields.text(name!("key"), self.key),
        }
        fields.text(name!("name"), self.name);
        fields.count(name!("count"), Some(self.count));
        match self.sum {
            Some(total) => sum(fields, name!("sum"), total),
            None => fields.amount(name!("sum"), None),
        }
    }
}

impl Tabular for SummaryAnswer<'_> {
    /// Writes a row for all contracts except annulled ones (the supplier is its key), one for
    /// those without a price, one for annulled ones, and one for each year, stage and customer.
    /// The last row has the number of customers.
    fn write_table(&self, out: &mut dyn Cells) {
        let summary = self.summary;
        table(out, &SummaryRow::default());
        let mut add = |line: SummaryRow<'_>| row(out, &line);
        let group = |group, count, sum| SummaryRow {
            group,
            count,
            sum,
            ..SummaryRow::default()
        };
        add(SummaryRow {
            key: self.inn,
            name: self.name,
            ..group("all", summary.count - summary.annulled, Some(&summary.sum))
        });
        add(group("priceless", summary.priceless, None));
        add(group(
            "annulled",
            summary.annulled,
            Some(&summary.annulled_sum),
        ));
        for year in &summary.years {
            add(SummaryRow {
                key: &year.key.map_or(String::new(), |year| year.to_string()),
                ..group("year", year.count, Some(&year.sum))
            });
        }
        for stage in &summary.stages {
            add(SummaryRow {
                stage: stage.key,
                ..group("stage", stage.count, Some(&stage.sum))
            });
        }
        for customer in &summary.customers {
            add(SummaryRow {
                key: &customer.inn,
                name: &customer.name,
                ..group("customer", customer.count, Some(&customer.sum))
            });
        }
        add(group("customers", summary.customers_count, None));
    }
}
