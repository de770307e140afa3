//! Tables that exist only as exports: items of contracts, and purchases with one row per item.

use super::as_csv::CsvTable;
use super::as_json::json_line;
use super::fields::{FieldWriter, Record, Rules, name};
use super::table::{row, table};
use crate::model::{EncodedContractItem, ListedPurchase, PricedContract, PurchaseItem};

/// Begins a CSV table of items of contracts.
pub fn begin_items(out: &mut Vec<u8>) {
    let blank = (PricedContract::default(), EncodedContractItem::default());
    table(&mut CsvTable::begin(out), &blank);
}

/// Appends a row to the table begun by [`begin_items`].
pub fn add_item(out: &mut Vec<u8>, contract: &PricedContract, item: &EncodedContractItem<'_>) {
    row(&mut CsvTable::rows(out), &(contract, item));
}

/// Appends an item of a contract as a JSON line, with the same fields as [`add_item`].
pub fn item_line(out: &mut Vec<u8>, contract: &PricedContract, item: &EncodedContractItem<'_>) {
    json_line(out, Rules::Page, &(contract, item));
}

/// Begins a CSV table of purchases and their items.
pub fn begin_purchases(out: &mut Vec<u8>) {
    let blank = (ListedPurchase::default(), PurchaseItem::default());
    table(&mut CsvTable::begin(out), &blank);
}

/// Appends a purchase to the table begun by [`begin_purchases`]: one row per item, or one row
/// without an item if there are none.
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
