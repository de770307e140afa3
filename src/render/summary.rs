//! Summaries of a supplier's contracts, and of contracts found by a search.

use super::answer::Tabular;
use super::fields::{FieldWriter, Name, Record, ValueKind, name};
use super::page::SupplierFields;
use super::rnp::{AnswerOrigin, registries};
use super::table::{Cells, row, table};
use crate::model::encoded::Encoded;
use crate::model::{ContractStage, ContractSummary, Parties, PartySummary, RiskFact, Sum};

#[derive(Clone, Copy, Debug)]
pub struct SummaryAnswer<'a> {
    pub inn: &'a str,
    /// Empty if unknown.
    pub name: &'a str,
    pub summary: &'a ContractSummary,
    pub from: &'a AnswerOrigin,
}

impl Record for SummaryAnswer<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let summary = self.summary;
        SupplierFields::of_page(self.inn, self.name).write(fields);
        write_figures(fields, summary);
        let customers = &summary.customers;
        fields.list(
            name!("customers"),
            name!("customer"),
            &customers.largest,
            |fields, customer| {
                fields.text(name!("customerInn"), &customer.inn);
                fields.text(name!("customerName"), &customer.name);
                write_party(fields, customer, summary);
            },
        );
        fields.count(name!("customersCount"), Some(customers.count));
        write_facts(fields, summary);
        registries(fields, &self.from.ground);
    }
}

/// The summary of the contracts found by a search.
#[derive(Clone, Copy, Debug)]
pub struct ContentSummaryAnswer<'a> {
    pub summary: &'a ContractSummary,
    pub from: &'a AnswerOrigin,
}

impl Record for ContentSummaryAnswer<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let summary = self.summary;
        write_figures(fields, summary);
        let party = |fields: &mut F, party: &PartySummary| {
            fields.text(name!("inn"), &party.inn);
            fields.text(name!("name"), &party.name);
            write_party(fields, party, summary);
        };
        let (customers, suppliers) = (&summary.customers, &summary.suppliers);
        fields.list(
            name!("customers"),
            name!("customer"),
            &customers.largest,
            party,
        );
        fields.list(
            name!("suppliers"),
            name!("supplier"),
            &suppliers.largest,
            party,
        );
        fields.count(name!("customersCount"), Some(customers.count));
        fields.count(name!("suppliersCount"), Some(suppliers.count));
        write_facts(fields, summary);
        registries(fields, &self.from.ground);
    }
}

impl Tabular for ContentSummaryAnswer<'_> {
    /// Writes the rows of a supplier's summary, with rows about suppliers after those about
    /// customers.
    fn write_table(&self, out: &mut dyn Cells) {
        let summary = self.summary;
        let mut rows = SummaryRows::begin(out, self.from);
        rows.add_figures("", "", summary);
        rows.add_parties("customer", "customers", &summary.customers, summary);
        rows.add_parties("supplier", "suppliers", &summary.suppliers, summary);
        rows.add_facts(summary);
    }
}

/// Writes the fields that precede the customers.
fn write_figures<F: FieldWriter>(fields: &mut F, summary: &ContractSummary) {
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
}

fn write_party<F: FieldWriter>(fields: &mut F, party: &PartySummary, summary: &ContractSummary) {
    share(fields, party.count, &party.sum);
    let share = party.sum.percent_of(&summary.sum);
    percentage(fields, share.as_deref());
}

fn percentage<F: FieldWriter>(fields: &mut F, share: Option<&str>) {
    let share = Encoded::plain(share.unwrap_or(""));
    fields.encoded_value(name!("share"), ValueKind::Amount, share);
}

fn write_facts<F: FieldWriter>(fields: &mut F, summary: &ContractSummary) {
    let facts = &summary.facts;
    fields.list(name!("facts"), name!("fact"), facts, |fields, fact| {
        fields.code(name!("fact"), fact.key.code(), &RiskFact::CODES);
        share(fields, fact.count, &fact.sum);
    });
}

fn share<F: FieldWriter>(fields: &mut F, count: u64, total: &Sum) {
    fields.count(name!("count"), Some(count));
    sum(fields, name!("sum"), total);
}

/// A sum may exceed the range of `Amount`, so its digits are written directly.
fn sum<F: FieldWriter>(fields: &mut F, name: &Name, sum: &Sum) {
    fields.encoded_value(name, ValueKind::Amount, Encoded::plain(&sum.text()));
}

#[derive(Clone, Copy, Default)]
struct SummaryRow<'a> {
    group: &'static str,
    key: &'a str,
    /// Takes the place of `key` in a row about a stage.
    stage: Option<ContractStage>,
    name: &'a str,
    count: u64,
    sum: Option<&'a Sum>,
    share: Option<&'a str>,
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
        percentage(fields, self.share);
    }
}

impl Tabular for SummaryAnswer<'_> {
    /// Writes one row for all contracts except annulled ones, with the supplier's INN as the key.
    /// Then come the rows of each group, the number of customers, and the risk facts.
    fn write_table(&self, out: &mut dyn Cells) {
        let summary = self.summary;
        let mut rows = SummaryRows::begin(out, self.from);
        rows.add_figures(self.inn, self.name, summary);
        rows.add_parties("customer", "customers", &summary.customers, summary);
        rows.add_facts(summary);
    }
}

/// Each row repeats the state of the registries, because the risk facts depend on it.
struct SummaryRows<'a> {
    out: &'a mut dyn Cells,
    from: &'a AnswerOrigin,
}

impl<'a> SummaryRows<'a> {
    fn begin(out: &'a mut dyn Cells, from: &'a AnswerOrigin) -> Self {
        table(out, &(SummaryRow::default(), from));
        Self { out, from }
    }

    fn add(&mut self, line: SummaryRow<'_>) {
        row(self.out, &(line, self.from));
    }

    /// Writes one row each for all contracts except annulled ones, for contracts without a price,
    /// for annulled contracts, for every year, and for every stage.
    fn add_figures(&mut self, key: &str, name: &str, summary: &ContractSummary) {
        let ContractSummary {
            count,
            sum,
            priceless,
            annulled,
            annulled_sum,
            years,
            stages,
            ..
        } = summary;
        self.add(SummaryRow {
            key,
            name,
            ..SummaryRow::of("all", count - annulled, Some(sum))
        });
        self.add(SummaryRow::of("priceless", *priceless, None));
        self.add(SummaryRow::of("annulled", *annulled, Some(annulled_sum)));
        for year in years {
            self.add(SummaryRow {
                key: &year.key.map_or(String::new(), |year| year.to_string()),
                ..SummaryRow::of("year", year.count, Some(&year.sum))
            });
        }
        for stage in stages {
            self.add(SummaryRow {
                stage: stage.key,
                ..SummaryRow::of("stage", stage.count, Some(&stage.sum))
            });
        }
    }

    /// Writes one row for each party, then one with the number of all parties.
    fn add_parties(
        &mut self,
        one: &'static str,
        all: &'static str,
        parties: &Parties,
        summary: &ContractSummary,
    ) {
        for party in &parties.largest {
            self.add(SummaryRow {
                key: &party.inn,
                name: &party.name,
                share: party.sum.percent_of(&summary.sum).as_deref(),
                ..SummaryRow::of(one, party.count, Some(&party.sum))
            });
        }
        self.add(SummaryRow::of(all, parties.count, None));
    }

    fn add_facts(&mut self, summary: &ContractSummary) {
        for fact in &summary.facts {
            self.add(SummaryRow {
                key: fact.key.code(),
                ..SummaryRow::of("fact", fact.count, Some(&fact.sum))
            });
        }
    }
}

impl<'a> SummaryRow<'a> {
    fn of(group: &'static str, count: u64, sum: Option<&'a Sum>) -> Self {
        Self {
            group,
            count,
            sum,
            ..Self::default()
        }
    }
}
