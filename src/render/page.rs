//! Parts shared by the pages and tables of several resources.

use super::fields::{FieldWriter, Name, Record, ValueKind, form, name};
use super::table::RowCount;
use crate::model::encoded::Encoded;

/// The owner of a page, and which rows the page shows.
#[derive(Clone, Copy, Debug)]
pub struct PageHead<'a> {
    pub inn: &'a str,
    /// Empty if unknown.
    pub name: &'a str,
    pub counts: PageCounts<'a>,
}

/// Which rows a page shows.
#[derive(Clone, Copy, Debug)]
pub struct PageCounts<'a> {
    pub rows: RowCount,
    /// Number of rows before the page, as in the request: decimal digits without leading zeros. May
    /// exceed the range of `u64`.
    pub skip: &'a str,
    pub limit: u64,
}

impl Record for PageCounts<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.count(name!("totalcount"), Some(self.rows.total));
        fields.encoded_value(name!("skip"), ValueKind::Whole, Encoded::plain(self.skip));
        fields.count(name!("limit"), Some(self.limit));
    }
}

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

    /// Returns the fields with the spelling `supplierIName`, which the specification prescribes for
    /// contract pages.
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
