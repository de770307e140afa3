//! The purchases that a supplier won (the manual, API, "Purchases that a supplier won").

use super::answer::Tabular;
use super::fields::{FieldWriter, Record, form, name};
use super::table::{Cells, RowCount, row, table};
use crate::model::WonPurchase;

/// Appends a purchase.
pub type ShowWon<'a> = dyn FnMut(&WonPurchase<'_>) + 'a;

/// A page of the purchases that a supplier won.
#[derive(Clone, Copy)]
pub struct WonPage<'a> {
    /// INN of the supplier, as requested.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// The shown and the found purchases.
    pub rows: RowCount,
    /// The number of skipped purchases, as on the page of contracts.
    pub skip: &'a str,
    /// The requested number of purchases.
    pub limit: u64,
    /// Passes the purchases, newest first, to its argument.
    pub purchases: &'a dyn Fn(&mut ShowWon<'_>),
}

impl Record for WonPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("supplierINN"), self.inn, form::INN);
        fields.text(name!("supplierName"), self.name);
        fields.count(name!("totalcount"), Some(self.rows.total));
        fields.digits(name!("skip"), self.skip);
        fields.count(name!("limit"), Some(self.limit));
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

/// The kinds of won purchases; those under 44-FZ appear as contracts.
const WON_KINDS: &[&str] = &["purchase223", "purchase615"];

/// A purchase in a table, after its supplier.
struct WonRow<'a>(&'a WonPage<'a>, &'a WonPurchase<'a>);

impl Record for WonRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("supplierINN"), self.0.inn, form::INN);
        fields.text(name!("supplierName"), self.0.name);
        self.1.write(fields);
    }
}

impl Tabular for WonPage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.rows)
    }

    /// Writes a row for each purchase.
    fn write_table(&self, out: &mut dyn Cells) {
        table(out, &WonRow(self, &WonPurchase::default()));
        (self.purchases)(&mut |one| row(out, &WonRow(self, one)));
    }
}
