//! Contract pages of suppliers (specification, "Supplier contract page") and of customers, search
//! results, and single contracts.

use super::answer::Tabular;
use super::as_csv::CsvTable;
use super::fields::{FieldWriter, Record, ValueKind, name};
use super::page::{PageCounts, PageHead, SupplierFields};
use super::table::{Cells, RowCount, row, table};
use crate::model::{ContractStage, EncodedContract, EncodedContractItems};
use crate::model::{
    claim_fields, contract_fields, item_fields, product_fields, termination_fields,
};

pub type ShowContract<'a> = dyn FnMut(&EncodedContract<'_>) + 'a;

#[derive(Clone, Copy)]
pub struct ContractPage<'a> {
    pub head: PageHead<'a>,
    /// Passes each contract to the callback, newest first.
    pub contracts: &'a dyn Fn(&mut ShowContract<'_>),
}

impl Record for ContractPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        SupplierFields::of_page(self.head.inn, self.head.name).write(fields);
        self.head.counts.write(fields);
        fields.stream(name!("contracts"), |fields| {
            (self.contracts)(&mut |one| {
                fields.item(name!("contract"), |fields| one.write(fields));
            });
        });
    }
}

impl Tabular for ContractPage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.head.counts.rows)
    }

    fn write_table(&self, out: &mut dyn Cells) {
        let supplier = SupplierFields::of_page(self.head.inn, self.head.name);
        table(out, &(supplier, EncodedContract::default()));
        (self.contracts)(&mut |contract| row(out, &(supplier, contract)));
    }
}

/// Callback that writes a contract. Its arguments are the supplier's INN and name, and the
/// contract.
pub type ShowSupplied<'a> = dyn FnMut(&str, &str, &EncodedContract<'_>) + 'a;

#[derive(Clone, Copy)]
pub struct CustomerPage<'a> {
    pub head: PageHead<'a>,
    /// Passes each contract to the callback, newest first.
    pub contracts: &'a dyn Fn(&mut ShowSupplied<'_>),
}

impl Record for CustomerPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("customerINN"), self.head.inn);
        fields.text(name!("customerName"), self.head.name);
        self.head.counts.write(fields);
        write_supplied(fields, self.contracts);
    }
}

impl Tabular for CustomerPage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.head.counts.rows)
    }

    fn write_table(&self, out: &mut dyn Cells) {
        supplied_table(out, self.contracts);
    }
}

#[derive(Clone, Copy)]
pub struct SearchPage<'a> {
    pub counts: PageCounts<'a>,
    /// Passes each contract to the callback, in the order requested.
    pub contracts: &'a dyn Fn(&mut ShowSupplied<'_>),
}

impl Record for SearchPage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.counts.write(fields);
        write_supplied(fields, self.contracts);
    }
}

impl Tabular for SearchPage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.counts.rows)
    }

    fn write_table(&self, out: &mut dyn Cells) {
        supplied_table(out, self.contracts);
    }
}

/// A single contract. If it has several suppliers, it is repeated for each of them.
#[derive(Clone, Copy)]
pub struct ContractAnswer<'a> {
    pub reg_num: &'a str,
    /// Passes the contract to the callback once per supplier, ordered by INN.
    pub contracts: &'a dyn Fn(&mut ShowSupplied<'_>),
}

impl Record for ContractAnswer<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("regNum"), self.reg_num);
        write_supplied(fields, self.contracts);
    }
}

impl Tabular for ContractAnswer<'_> {
    fn write_table(&self, out: &mut dyn Cells) {
        supplied_table(out, self.contracts);
    }
}

fn write_supplied<F: FieldWriter>(fields: &mut F, contracts: &dyn Fn(&mut ShowSupplied<'_>)) {
    fields.stream(name!("contracts"), |fields| {
        contracts(&mut |inn, name, contract| {
            let supplied = (SupplierFields::new(inn, name), contract);
            fields.item(name!("contract"), |fields| supplied.write(fields));
        });
    });
}

fn supplied_table(out: &mut dyn Cells, contracts: &dyn Fn(&mut ShowSupplied<'_>)) {
    let blank = (SupplierFields::new("", ""), EncodedContract::default());
    table(out, &blank);
    contracts(&mut |inn, name, contract| {
        row(out, &(SupplierFields::new(inn, name), contract));
    });
}

/// Begins a CSV table of contracts.
pub fn begin_contracts(out: &mut Vec<u8>) {
    let blank = (SupplierFields::of_page("", ""), EncodedContract::default());
    table(&mut CsvTable::begin(out), &blank);
}

/// Appends a row to the table begun by [`begin_contracts`].
pub fn add_contract(out: &mut Vec<u8>, inn: &str, name: &str, contract: &EncodedContract<'_>) {
    let line = (SupplierFields::of_page(inn, name), contract);
    row(&mut CsvTable::rows(out), &line);
}

/// Writes a field of a contract by its kind (see the field list in `model/contract.rs`).
macro_rules! write_contract_field {
    ($to:ident, flag $name:tt, $value:expr) => {
        $to.flag(name!($name), Some($value))
    };
    ($to:ident, stage $name:tt, $value:expr) => {{
        let code = $value.map_or("", ContractStage::code);
        $to.code(name!($name), code, &ContractStage::CODES)
    }};
    ($to:ident, count $name:tt, $value:expr) => {
        $to.encoded_value(name!($name), ValueKind::Whole, $value)
    };
    ($to:ident, amount $name:tt, $value:expr) => {
        $to.encoded_value(name!($name), ValueKind::Amount, $value)
    };
    ($to:ident, amount_or_zero $name:tt, $value:expr) => {
        $to.encoded_value(name!($name), ValueKind::Amount, $value)
    };
    ($to:ident, date $name:tt, $value:expr) => {
        $to.encoded_value(name!($name), ValueKind::Date, $value)
    };
    ($to:ident, total $name:tt, $value:expr) => {
        $to.object(name!($name), |to| write_contract_field!(to, amount "total", $value))
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
        termination_fields!(write_listed $to termination)
    }};
    ($to:ident, $text:ident $name:tt, $value:expr) => {
        $to.encoded(name!($name), $value)
    };
}

macro_rules! write_listed {
    ([$to:ident $record:ident] $($field:ident $name:tt: $kind:ident,)*) => {
        { $(write_contract_field!($to, $kind $name, $record.$field);)* }
    };
}

macro_rules! write_item {
    ([$to:ident $values:ident] $($field:ident $name:tt: $kind:ident,)*) => {
        {
            let [$($field),*] = $values;
            $(write_contract_field!($to, $kind $name, $field);)*
        }
    };
}

/// Like [`write_contract_field!`], but for JSON Lines: writes every stored value of the items,
/// including those that the contract page does not show.
macro_rules! write_line_field {
    ($to:ident, products $name:tt, $items:ident, $value:expr) => {
        if $items.is_empty() {
            write_contract_field!($to, products $name, $value)
        } else {
            $to.encoded_items(name!($name), name!("product"), $items.values(), |to, item| {
                item_fields!(write_item to item)
            })
        }
    };
    ($to:ident, $kind:ident $name:tt, $items:ident, $value:expr) => {
        write_contract_field!($to, $kind $name, $value)
    };
}

macro_rules! write_line {
    ([$to:ident $record:ident $items:ident] $($field:ident $name:tt: $kind:ident,)*) => {
        { $(write_line_field!($to, $kind $name, $items, $record.$field);)* }
    };
}

/// A contract in a JSON line. If `items` is empty, the writer takes the items from the contract's
/// record.
pub(super) struct ContractOfLine<'a> {
    pub contract: &'a EncodedContract<'a>,
    pub items: EncodedContractItems<'a>,
}

impl Record for ContractOfLine<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let (contract, items) = (self.contract, self.items);
        contract_fields!(write_line fields contract items)
    }
}

impl Record for EncodedContract<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        let contract = self;
        contract_fields!(write_listed fields contract)
    }
}
