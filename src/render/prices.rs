use super::answer::Tabular;
use super::fields::{FieldWriter, Name, Record, ValueKind, name};
use super::page::{PageCounts, SupplierFields};
use super::table::{Cells, RowCount, row, table};
use crate::model::encoded::Encoded;
use crate::model::{ContractStage, EncodedContractItem, PricedContract, UnitPrices};

/// Callback that writes an item of a contract.
pub type ShowPriced<'a> = dyn FnMut(&PricedContract, &EncodedContractItem<'_>) + 'a;

#[derive(Clone, Copy)]
pub struct PricePage<'a> {
    pub counts: PageCounts<'a>,
    /// Price statistics, one for each unit of measure.
    pub units: &'a [UnitPrices],
    /// Passes each item to the callback, in the order requested.
    pub items: &'a dyn Fn(&mut ShowPriced<'_>),
}

impl Record for PricePage<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.counts.write(fields);
        fields.list(name!("units"), name!("unit"), self.units, write_unit);
        fields.stream(name!("items"), |fields| {
            (self.items)(&mut |contract, item| {
                fields.item(name!("item"), |fields| (contract, item).write(fields));
            });
        });
    }
}

fn write_unit<F: FieldWriter>(fields: &mut F, unit: &UnitPrices) {
    let statistics = &unit.statistics;
    fields.text(name!("okei"), &unit.okei);
    fields.text(name!("okeiName"), &unit.okei_name);
    fields.count(name!("count"), Some(statistics.count));
    fields.amount(name!("min"), Some(statistics.min));
    fields.amount(name!("quartile1"), Some(statistics.quartile1));
    fields.amount(name!("median"), Some(statistics.median));
    fields.amount(name!("quartile3"), Some(statistics.quartile3));
    fields.amount(name!("max"), Some(statistics.max));
    rounded(fields, name!("mean"), Some(&statistics.mean));
    rounded(fields, name!("variation"), statistics.variation.as_deref());
}

/// A price may exceed the range of `Amount`, so its digits are written directly.
fn rounded<F: FieldWriter>(fields: &mut F, name: &Name, digits: Option<&str>) {
    let digits = Encoded::plain(digits.unwrap_or(""));
    fields.encoded_value(name, ValueKind::Amount, digits);
}

impl Record for PricedContract {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("regNum"), &self.reg_num);
        fields.date(name!("signDate"), self.sign_date);
        let stage = self.stage.map_or("", ContractStage::code);
        fields.code(name!("stage"), stage, &ContractStage::CODES);
        SupplierFields::new(&self.supplier_inn, &self.supplier_name).write(fields);
        fields.text(name!("customerInn"), &self.customer_inn);
        fields.text(name!("customerName"), &self.customer_name);
    }
}

impl Record for EncodedContractItem<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.encoded(name!("name"), self.name);
        fields.encoded(name!("code"), self.code);
        fields.encoded(name!("okei"), self.okei);
        fields.encoded(name!("okeiName"), self.okei_name);
        fields.encoded_value(name!("quantity"), ValueKind::Amount, self.quantity);
        fields.encoded_value(name!("price"), ValueKind::Amount, self.price);
        fields.encoded_value(name!("sum"), ValueKind::Amount, self.sum);
    }
}

impl Tabular for PricePage<'_> {
    fn row_count(&self) -> Option<RowCount> {
        Some(self.counts.rows)
    }

    fn write_table(&self, out: &mut dyn Cells) {
        let blank = (PricedContract::default(), EncodedContractItem::default());
        table(out, &blank);
        (self.items)(&mut |contract, item| row(out, &(contract, item)));
    }
}
