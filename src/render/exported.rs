//! Rows that only an export has: the items of contracts, and purchases with one row per item.

use super::as_csv::CsvTable;
use super::as_json::json_line;
use super::fields::{FieldWriter, Record, Rules, name};
use super::table::{row, table};
use crate::model::{EncodedContractItem, ListedPurchase, PricedContract, PurchaseItem};

/// Begins a table of items of contracts as CSV.
pub fn begin_items(out: &mut Vec<u8>) {
    let blank = (PricedContract::default(), EncodedContractItem::default());
    table(&mut CsvTable::begin(out), &blank);
}

/// Appends an item of a contract as a row to the table that [`begin_items`] has begun.
pub fn add_item(out: &mut Vec<u8>, contract: &PricedContract, item: &EncodedContractItem<'_>) {
    row(&mut CsvTable::rows(out), &(contract, item));
}

/// Appends an item of a contract as a line of JSON with the same fields as [`add_item`].
pub fn item_line(out: &mut Vec<u8>, contract: &PricedContract, item: &EncodedContractItem<'_>) {
    json_line(out, Rules::Page, &(contract, item));
}

/// Begins a table of purchases and their items as CSV.
pub fn begin_purchases(out: &mut Vec<u8>) {
    let blank = (ListedPurchase::default(), PurchaseItem::default());
    table(&mut CsvTable::begin(out), &blank);
}

/// Appends a purchase to the table of [`begin_purchases`]: one row per item, or a single row if
/// there are none.
pub fn add_purchase(out: &mut Vec<u8>, purchase: &ListedPurchase<'_>, items: &[PurchaseItem<'_>]) {
    let mut rows = CsvTable::rows(out);
    if items.is_empty() {
        row(&mut rows, &(purchase, PurchaseItem::default()));
    }
    for item in items {
        row(&mut rows, &(purchase, item));
    }
}

impl Record for PurchaseItem<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("lot"), &self.lot);
        fields.text(name!("itemName"), self.name);
        fields.text(name!("OKPD2"), self.okpd2);
        fields.text(name!("KTRU"), self.ktru);
        fields.text(name!("OKEI"), self.okei);
        fields.text(name!("OKEIName"), self.okei_name);
        fields.text(name!("quantity"), &self.quantity);
        fields.amount(name!("itemPrice"), self.price);
        fields.amount(name!("itemSum"), self.sum);
    }
}
