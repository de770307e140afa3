//! The contract page of a supplier (the specification, "Supplier contract page") and that of a
//! customer.

use super::answer::Tabular;
use super::as_csv::CsvTable;
use super::fields::{FieldWriter, Name, Record, form, name};
use super::table::{Cells, RowCount, row, table};
use crate::model::{ContractStage, EncodedContract};
use crate::model::{claim_fields, contract_fields, product_fields, termination_fields};

/// Appends a contract.
pub type ShowContract<'a> = dyn FnMut(&EncodedContract<'_>) + 'a;

/// A page of a supplier's contracts.
#[derive(Clone, Copy)]
pub struct ContractPage<'a> {
    /// INN of the supplier, as requested.
    pub inn: &'a str,
    /// Name of the supplier; empty if unknown.
    pub name: &'a str,
    /// The shown and the matching contracts.
    pub rows: RowCount,
    /// The number of skipped contracts: decimal digits of any length without leading zeros.
    pub skip: &'a str,
    /// The requested number of contracts.
    pub limit: u64,
    /// Passes the contracts, newest first, to its argument.
    pub contracts: &'a dyn Fn(&mut ShowContract<'_>),
}

impl Record for ContractPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("supplierINN"), self.inn, form::INN);
        fields.text(name!("supplierIName"), self.name);
        fields.count(name!("totalcount"), Some(self.rows.total));
        fields.digits(name!("skip"), self.skip);
        fields.count(name!("limit"), Some(self.limit));
        fields.stream(name!("contracts"), |fields| {
            (self.contracts)(&mut |one| {
                fields.item(name!("contract"), |fields| one.write(fields));
            });
        });
    }
}

impl Tabular for ContractPage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.rows)
    }

    fn write_table(&self, out: &mut dyn Cells) {
        begin_table(out, PAGE_NAME);
        (self.contracts)(&mut |contract| {
            let line = SuppliedContract::new(PAGE_NAME, self.inn, self.name, contract);
            row(out, &line);
        });
    }
}

/// Appends a contract of a supplier with this INN and name.
pub type ShowSupplied<'a> = dyn FnMut(&str, &str, &EncodedContract<'_>) + 'a;

/// A page of a customer's contracts.
#[derive(Clone, Copy)]
pub struct CustomerPage<'a> {
    /// INN of the customer, as requested.
    pub inn: &'a str,
    /// Name of the customer; empty if unknown.
    pub name: &'a str,
    /// The shown and the matching contracts.
    pub rows: RowCount,
    /// The number of skipped contracts, as on the page of a supplier.
    pub skip: &'a str,
    /// The requested number of contracts.
    pub limit: u64,
    /// Passes the contracts, newest first, to its argument.
    pub contracts: &'a dyn Fn(&mut ShowSupplied<'_>),
}

impl Record for CustomerPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("customerINN"), self.inn);
        fields.text(name!("customerName"), self.name);
        fields.count(name!("totalcount"), Some(self.rows.total));
        fields.digits(name!("skip"), self.skip);
        fields.count(name!("limit"), Some(self.limit));
        fields.stream(name!("contracts"), |fields| {
            (self.contracts)(&mut |inn, name, contract| {
                let supplied = SuppliedContract::new(NAME, inn, name, contract);
                fields.item(name!("contract"), |fields| supplied.write(fields));
            });
        });
    }
}

impl Tabular for CustomerPage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.rows)
    }

    fn write_table(&self, out: &mut dyn Cells) {
        begin_table(out, NAME);
        (self.contracts)(&mut |inn, name, contract| {
            row(out, &SuppliedContract::new(NAME, inn, name, contract));
        });
    }
}

/// The field of the supplier's name on its own page, and on other pages.
const PAGE_NAME: &Name = name!("supplierIName");
const NAME: &Name = name!("supplierName");

/// A contract, preceded by its supplier.
struct SuppliedContract<'a> {
    named: &'static Name,
    inn: &'a str,
    name: &'a str,
    contract: &'a EncodedContract<'a>,
}

impl<'a> SuppliedContract<'a> {
    #[inline(always)]
    fn new(
        named: &'static Name,
        inn: &'a str,
        name: &'a str,
        contract: &'a EncodedContract<'a>,
    ) -> Self {
        Self {
            named,
            inn,
            name,
            contract,
        }
    }
}

impl Record for SuppliedContract<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("supplierINN"), self.inn, form::INN);
        fields.text(self.named, self.name);
        self.contract.write(fields);
    }
}

fn begin_table(out: &mut dyn Cells, named: &'static Name) {
    let blank = EncodedContract::default();
    table(out, &SuppliedContract::new(named, "", "", &blank));
}

/// Begins a table of contracts as CSV.
pub fn begin_contracts(out: &mut Vec<u8>) {
    begin_table(&mut CsvTable::begin(out), PAGE_NAME);
}

/// Appends a contract to that table.
pub fn add_contract(out: &mut Vec<u8>, inn: &str, name: &str, contract: &EncodedContract<'_>) {
    let line = SuppliedContract::new(PAGE_NAME, inn, name, contract);
    row(&mut CsvTable::rows(out), &line);
}

/// Writes a field by its kind (see the list of a contract's fields in the model).
macro_rules! write_field {
    ($to:ident, flag $name:tt, $value:expr) => {
        $to.flag(name!($name), Some($value))
    };
    ($to:ident, stage $name:tt, $value:expr) => {{
        let code = $value.map_or("", ContractStage::code);
        $to.code(name!($name), code, &ContractStage::CODES)
    }};
    ($to:ident, count $name:tt, $value:expr) => {
        $to.encoded_count(name!($name), $value)
    };
    ($to:ident, amount $name:tt, $value:expr) => {
        $to.encoded_number(name!($name), $value)
    };
    ($to:ident, amount_or_zero $name:tt, $value:expr) => {
        $to.encoded_number(name!($name), $value)
    };
    ($to:ident, date $name:tt, $value:expr) => {
        $to.encoded_date(name!($name), $value)
    };
    ($to:ident, total $name:tt, $value:expr) => {
        $to.object(name!($name), |to| write_field!(to, amount "total", $value))
    };
    ($to:ident, products $name:tt, $value:expr) => {
        $to.encoded_items(name!($name), name!("product"), $value, |to, item| {
            product_fields!(write_item to item)
        })
    };
    ($to:ident, claims $name:tt, $value:expr) => {
        $to.encoded_items(name!($name), name!("bankGuaranteePayment"), $value, |to, item| {
            claim_fields!(write_item to item)
        })
    };
    ($to:ident, termination _, $value:expr) => {{
        let termination = $value;
        termination_fields!(write_fields $to termination)
    }};
    ($to:ident, $text:ident $name:tt, $value:expr) => {
        $to.encoded(name!($name), $value)
    };
}

macro_rules! write_fields {
    ([$to:ident $record:ident] $($(#[$doc:meta])* $field:ident $name:tt: $kind:ident,)*) => {
        { $(write_field!($to, $kind $name, $record.$field);)* }
    };
}

macro_rules! write_item {
    ([$to:ident $values:ident] $($(#[$doc:meta])* $field:ident $name:tt: $kind:ident,)*) => {
        {
            let [$($field),*] = $values;
            $(write_field!($to, $kind $name, $field);)*
        }
    };
}

impl Record for EncodedContract<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let contract = self;
        contract_fields!(write_fields fields contract)
    }
}
