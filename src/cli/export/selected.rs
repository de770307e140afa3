//! Writes the records that conditions select, one by one.

use std::io::Write;

use super::{BoxedError, ExportFormat};
use crate::api::ExportFilter;
use crate::model::{
    ContentFilter, ContentWords, Date, EncodedContract, EncodedContractItem, EncodedContractItems,
    EntryFilter, PricedContract, PurchaseFilter, RnpEntry,
};
use crate::render::{self, AnswerOrigin};
use crate::store::Database;

pub struct SelectedExport<'a> {
    pub database: &'a Database,
    pub format: ExportFormat,
    pub today: Date,
    /// Written as the last columns of rows about the RNP.
    pub from: &'a AnswerOrigin,
    pub out: &'a mut dyn Write,
}

impl SelectedExport<'_> {
    /// Writes the records that the filter selects. Returns their number as a phrase.
    pub fn write(&mut self, filter: &ExportFilter) -> Result<String, BoxedError> {
        match filter {
            ExportFilter::Contracts(filter) => self.contracts(filter),
            ExportFilter::Items(filter) => self.items(filter),
            ExportFilter::Purchases(filter) => self.purchases(filter),
            ExportFilter::Entries(filter) => self.entries(filter),
        }
    }

    fn is_csv(&self) -> bool {
        self.format == ExportFormat::Csv
    }

    /// Runs `add` on the buffer and writes what it appends.
    fn put(
        &mut self,
        buffer: &mut Vec<u8>,
        add: impl FnOnce(&mut Vec<u8>),
    ) -> Result<(), BoxedError> {
        add(buffer);
        self.out.write_all(buffer)?;
        buffer.clear();
        Ok(())
    }

    fn contracts(&mut self, filter: &ContentFilter) -> Result<String, BoxedError> {
        let (mut buffer, mut count) = (Vec::new(), 0_u64);
        if self.is_csv() {
            self.put(&mut buffer, render::begin_contracts)?;
        }
        let database = self.database;
        database.export_contracts(filter, |supplier, contract, items| {
            count += 1;
            let (inn, name, is_csv) = (supplier.inn.as_str(), supplier.name(), self.is_csv());
            self.put(&mut buffer, |out| match is_csv {
                true => render::add_contract(out, inn, name, contract),
                false => render::contract_line(out, inn, name, contract, items),
            })
        })?;
        Ok(format!("{count} contracts"))
    }

    fn items(&mut self, filter: &ContentFilter) -> Result<String, BoxedError> {
        let (mut buffer, mut count) = (Vec::new(), 0_u64);
        if self.is_csv() {
            self.put(&mut buffer, render::begin_items)?;
        }
        let (database, words) = (self.database, ContentWords::default());
        database.export_contracts(filter, |supplier, contract, items| {
            let is_csv = self.is_csv();
            let owner = PricedContract::new(supplier.inn.as_str(), supplier.name(), contract);
            let wanted = &filter.content;
            for item in all_items(contract, items) {
                if wanted.is_everything() || wanted.finds(item, &words) {
                    count += 1;
                    self.put(&mut buffer, |out| match is_csv {
                        true => render::add_item(out, &owner, &item),
                        false => render::item_line(out, &owner, &item),
                    })?;
                }
            }
            Ok::<(), BoxedError>(())
        })?;
        Ok(format!("{count} items"))
    }

    fn purchases(&mut self, filter: &PurchaseFilter) -> Result<String, BoxedError> {
        let (mut buffer, mut count, today) = (Vec::new(), 0_u64, self.today);
        if self.is_csv() {
            self.put(&mut buffer, render::begin_purchases)?;
        }
        let database = self.database;
        database.export_purchases(filter, |purchase| {
            count += 1;
            let is_csv = self.is_csv();
            self.put(&mut buffer, |out| match is_csv {
                true => {
                    render::add_purchase(out, &purchase.listed(today), &purchase.listed_items())
                }
                false => render::purchase_line(out, purchase, today),
            })
        })?;
        Ok(format!("{count} purchases"))
    }

    fn entries(&mut self, filter: &EntryFilter) -> Result<String, BoxedError> {
        let mut buffer = Vec::new();
        let from = self.from;
        if self.is_csv() {
            self.put(&mut buffer, |out| render::begin_entries(out, from))?;
        }
        let selection = self.database.select_entries(filter, 0, u64::MAX)?;
        let mut written: Result<(), BoxedError> = Ok(());
        let (database, is_csv) = (self.database, self.is_csv());
        database.show_entries(&selection, &mut |supplier, entry| {
            if written.is_err() {
                return;
            }
            let inn = supplier.inn.as_str();
            let (name, entry) = exported(inn, supplier.name(), entry);
            written = self.put(&mut buffer, |out| match is_csv {
                true => render::add_entry(out, inn, &name, &entry, from),
                false => render::entry_line(out, inn, &name, &entry),
            });
        })?;
        written?;
        Ok(format!("{} RNP entries", selection.count))
    }
}

/// Returns the name of an entry's supplier, and the entry in the form of an exported line. No field
/// of a line can state that a replaced registry ended the entry, or that the entry is suspended, so
/// `exclude_date` contains the last day in force.
pub fn exported(inn: &str, name: &str, entry: &RnpEntry) -> (String, RnpEntry) {
    let name = match inn {
        "" => &entry.supplier_name,
        _ => name,
    };
    let entry = RnpEntry {
        exclude_date: entry.last_day(),
        ..entry.clone()
    };
    (name.to_owned(), entry)
}

/// Returns the items of a contract: the separately stored ones if there are any, otherwise those in
/// the record, which have only a code and a sum.
fn all_items<'a>(
    contract: &EncodedContract<'a>,
    items: EncodedContractItems<'a>,
) -> impl Iterator<Item = EncodedContractItem<'a>> + use<'a> {
    let of_record = contract.products.map(|[code, sum]| EncodedContractItem {
        code,
        sum,
        ..EncodedContractItem::default()
    });
    let of_record = of_record.take(if items.is_empty() { usize::MAX } else { 0 });
    items.chain(of_record)
}
