//! Search results for purchases (manual, "API", "Searching purchases").

use super::answer::Tabular;
use super::fields::{FieldWriter, Record, name};
use super::page::PageCounts;
use super::table::{Cells, RowCount, row, table};
use crate::model::{ListedPurchase, Regime};

pub type ShowPurchase<'a> = dyn FnMut(&ListedPurchase<'_>) + 'a;

#[derive(Clone, Copy)]
pub struct PurchasePage<'a> {
    pub counts: PageCounts<'a>,
    /// Passes each purchase to the callback, in the order requested.
    pub purchases: &'a dyn Fn(&mut ShowPurchase<'_>),
}

impl Record for PurchasePage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.counts.write(fields);
        fields.stream(name!("purchases"), |fields| {
            (self.purchases)(&mut |one| {
                fields.item(name!("purchase"), |fields| one.write(fields));
            });
        });
    }
}

impl Record for ListedPurchase<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.code(name!("kind"), self.kind, Regime::PURCHASE_KINDS);
        fields.text(name!("number"), self.number);
        fields.date(name!("published"), self.published);
        fields.text(name!("subject"), self.subject);
        fields.text(name!("placingWay"), self.placing_way);
        fields.text(name!("stage"), self.stage);
        fields.amount(name!("price"), self.price);
        fields.moment(name!("closes"), self.closes);
        fields.text(name!("customerINN"), self.customer_inn);
        fields.text(name!("customerName"), self.customer_name);
        fields.text(name!("winnerINN"), self.winner.inn);
        fields.text(name!("winnerName"), self.winner.name);
        fields.amount(name!("winnerPrice"), self.winner.price);
    }
}

impl Tabular for PurchasePage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.counts.rows)
    }

    fn write_table(&self, out: &mut dyn Cells) {
        table(out, &ListedPurchase::default());
        (self.purchases)(&mut |one| row(out, one));
    }
}
