//! Purchases that a supplier won (manual, "API").

use super::answer::Tabular;
use super::fields::{FieldWriter, Record, name};
use super::page::{PageHead, SupplierFields};
use super::table::{Cells, RowCount, row, table};
use crate::model::WonPurchase;

pub type ShowWon<'a> = dyn FnMut(&WonPurchase<'_>) + 'a;

#[derive(Clone, Copy)]
pub struct WonPage<'a> {
    pub head: PageHead<'a>,
    /// Passes each purchase to the callback, newest first.
    pub purchases: &'a dyn Fn(&mut ShowWon<'_>),
}

impl Record for WonPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        SupplierFields::new(self.head.inn, self.head.name).write(fields);
        self.head.counts.write(fields);
        fields.stream(name!("purchases"), |fields| {
            (self.purchases)(&mut |one| {
                fields.item(name!("purchase"), |fields| one.write(fields));
            });
        });
    }
}

impl Record for WonPurchase<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.code(name!("kind"), self.kind, WON_KINDS);
        fields.text(name!("purchaseNumber"), self.number);
        fields.text(name!("subject"), self.subject);
        fields.date(name!("date"), self.date);
        fields.amount(name!("price"), self.price);
        fields.text(name!("customerInn"), self.customer_inn);
        fields.text(name!("customerName"), self.customer_name);
    }
}

/// Kinds of purchases that may be listed as won. There is none for 44-FZ, because those purchases
/// result in contracts.
const WON_KINDS: &[&str] = &["purchase223", "purchase615"];

impl Tabular for WonPage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.head.counts.rows)
    }

    fn write_table(&self, out: &mut dyn Cells) {
        let supplier = SupplierFields::new(self.head.inn, self.head.name);
        table(out, &(supplier, WonPurchase::default()));
        (self.purchases)(&mut |one| row(out, &(supplier, one)));
    }
}
