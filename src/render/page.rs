//! The parts that pages and tables of suppliers share.

use super::fields::{FieldWriter, Name, Record, ValueKind, form, name};
use super::table::RowCount;
use crate::model::encoded::Encoded;

/// The subject of a page, and the rows that it shows.
#[derive(Clone, Copy, Debug)]
pub struct PageHead<'a> {
    /// INN of the supplier or the customer, as requested.
    pub inn: &'a str,
    /// Its name; empty if unknown.
    pub name: &'a str,
    /// The rows of the page.
    pub counts: PageCounts<'a>,
}

/// The rows of a page.
#[derive(Clone, Copy, Debug)]
pub struct PageCounts<'a> {
    /// The shown and the found rows.
    pub rows: RowCount,
    /// The number of skipped rows: decimal digits of any length without leading zeros.
    pub skip: &'a str,
    /// The requested number of rows.
    pub limit: u64,
}

impl Record for PageCounts<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.count(name!("totalcount"), Some(self.rows.total));
        fields.encoded_value(name!("skip"), ValueKind::Whole, Encoded::plain(self.skip));
        fields.count(name!("limit"), Some(self.limit));
    }
}

/// The INN and the name of a supplier.
#[derive(Clone, Copy)]
pub struct SupplierFields<'a> {
    inn: &'a str,
    name: &'a str,
    named: &'static Name,
}

impl<'a> SupplierFields<'a> {
    #[inline(always)]
    pub fn new(inn: &'a str, name: &'a str) -> Self {
        let named = name!("supplierName");
        Self { inn, name, named }
    }

    /// Returns the fields as a supplier's own contract page spells them.
    #[inline(always)]
    pub fn of_page(inn: &'a str, name: &'a str) -> Self {
        let named = name!("supplierIName");
        Self { inn, name, named }
    }
}

impl Record for SupplierFields<'_> {
    #[inline(always)]
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("supplierINN"), self.inn, form::INN);
        fields.text(self.named, self.name);
    }
}
