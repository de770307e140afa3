//! Which rows and columns an answer has as CSV.

use super::as_csv::{fields, fields_table, row, table};
use super::fields::{FieldWriter, Record, Rules, name};
use super::{
    AnsweredFrom, CheckedSupplier, ContractPage, ErrorBody, RnpCheck, RnpCheckMany, contracts,
    purchase44, rnp,
};
use crate::model::{Date, EncodedContract, Purchase44, RnpEntry, Verdict};

const PAGE: Rules = Rules::PAGE;

/// A contract, with whose it is.
pub struct ContractRow<'a> {
    /// INN of the supplier.
    pub inn: &'a str,
    /// Name of the supplier.
    pub name: &'a str,
    /// The contract.
    pub contract: &'a EncodedContract<'a>,
}

impl Record for ContractRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("supplierINN"), self.inn);
        fields.text(name!("supplierIName"), self.name);
        contracts::contract(fields, self.contract);
    }
}

/// Begins a table of contracts.
pub fn begin_contracts(out: &mut Vec<u8>) {
    let contract = EncodedContract::default();
    table(
        out,
        PAGE,
        &ContractRow {
            inn: "",
            name: "",
            contract: &contract,
        },
    );
}

/// Appends a contract to it.
pub fn add_contract(out: &mut Vec<u8>, inn: &str, name: &str, contract: &EncodedContract<'_>) {
    row(
        out,
        PAGE,
        &ContractRow {
            inn,
            name,
            contract,
        },
    );
}

/// A contract page: a row for each contract.
pub fn contract_page(out: &mut Vec<u8>, page: &ContractPage<'_>) {
    begin_contracts(out);
    (page.contracts)(&mut |contract| add_contract(out, page.inn, page.name, contract));
}

/// Begins a table of suppliers.
pub fn begin_suppliers(out: &mut Vec<u8>) {
    table(out, PAGE, &SupplierRow { inn: "", name: "" });
}

/// Appends a supplier to it.
pub fn add_supplier(out: &mut Vec<u8>, inn: &str, name: &str) {
    row(out, PAGE, &SupplierRow { inn, name });
}

/// Begins a table of RNP entries.
pub fn begin_entries(out: &mut Vec<u8>) {
    let supplier = &SupplierRow { inn: "", name: "" };
    let entry = &RnpEntry::default();
    let is_previous = None;
    table(
        out,
        PAGE,
        &EntryRow {
            supplier,
            entry,
            is_previous,
            from: None,
        },
    );
}

/// Appends an entry to it.
pub fn add_entry(out: &mut Vec<u8>, inn: &str, name: &str, entry: &RnpEntry) {
    let supplier = &SupplierRow { inn, name };
    let is_previous = None;
    row(
        out,
        PAGE,
        &EntryRow {
            supplier,
            entry,
            is_previous,
            from: None,
        },
    );
}

struct SupplierRow<'a> {
    inn: &'a str,
    name: &'a str,
}

impl Record for SupplierRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.text(name!("supplierINN"), self.inn);
        fields.text(name!("supplierName"), self.name);
    }
}

/// An entry, after what is said of its supplier.
struct EntryRow<'a, R> {
    supplier: &'a R,
    entry: &'a RnpEntry,
    /// Is it over? Told where such entries are; none where there is no entry.
    is_previous: Option<Option<bool>>,
    /// What the row of an answer ends in.
    from: Option<&'a AnsweredFrom>,
}

impl<R: Record> Record for EntryRow<'_, R> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.supplier.write(fields);
        rnp::entry(fields, self.entry);
        if let Some(is_previous) = self.is_previous {
            fields.flag(name!("previous"), is_previous);
        }
        if let Some(from) = self.from {
            rnp::answered_from(fields, from);
        }
    }
}

/// What is said of a supplier before its entries.
struct Head<'a>(&'a CheckedSupplier);

impl Record for Head<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        rnp::checked(fields, self.0);
    }
}

struct CheckHead<'a>(&'a RnpCheck<'a>);

impl Record for CheckHead<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        rnp::check_head(fields, self.0);
    }
}

/// An RNP check: a row for each entry, one without an entry where there is none.
pub fn rnp_check(out: &mut Vec<u8>, check: &RnpCheck<'_>) {
    let blank = RnpEntry::default();
    let supplier = &CheckHead(check);
    let of = |entry| EntryRow {
        supplier,
        entry,
        is_previous: None,
        from: Some(check.from),
    };
    table(out, PAGE, &of(&blank));
    let none = check.entries.is_empty().then_some(&blank);
    for entry in check.entries.iter().chain(none) {
        row(out, PAGE, &of(entry));
    }
}

/// The same of many suppliers.
pub fn rnp_check_many(out: &mut Vec<u8>, check: &RnpCheckMany<'_>) {
    let blank = RnpEntry::default();
    let nobody = CheckedSupplier {
        inn: String::new(),
        name: String::new(),
        verdict: Verdict::Unknown,
        entries: Vec::new(),
        previous: Vec::new(),
    };
    let is_told = |is_previous| check.history.then_some(is_previous);
    let names = EntryRow {
        supplier: &Head(&nobody),
        entry: &blank,
        is_previous: is_told(None),
        from: Some(check.from),
    };
    table(out, PAGE, &names);
    for supplier in check.suppliers {
        let previous = supplier.previous.iter().filter(|_| check.history);
        let previous = previous.map(|entry| (entry, Some(true)));
        let listed = supplier.entries.iter().map(|entry| (entry, Some(false)));
        let mut rows: Vec<_> = listed.chain(previous).collect();
        if rows.is_empty() {
            rows.push((&blank, None));
        }
        for (entry, is_previous) in rows {
            let entry_row = EntryRow {
                supplier: &Head(supplier),
                entry,
                is_previous: is_told(is_previous),
                from: Some(check.from),
            };
            row(out, PAGE, &entry_row);
        }
    }
}

/// A card: a row for each field, with its path.
pub fn card(out: &mut Vec<u8>, card: &impl Record) {
    let mut paths = fields_table(out);
    fields(out, Rules::TEXT_CARD, &mut paths, card);
}

/// A card under 44-FZ: the fields of both formats.
pub fn card44(out: &mut Vec<u8>, card: &Purchase44, today: Date) {
    let mut paths = fields_table(out);
    let json = purchase44::JsonCard { card, today };
    fields(out, Rules::CARD44, &mut paths, &json);
    let xml = purchase44::XmlCard { card, today };
    fields(out, Rules::CARD44, &mut paths, &xml);
}

/// An error.
pub fn error(out: &mut Vec<u8>, error: &ErrorBody<'_>) {
    table(out, PAGE, &ErrorRow(error));
    row(out, PAGE, &ErrorRow(error));
}

/// An error with both columns, also where it has no code.
struct ErrorRow<'a>(&'a ErrorBody<'a>);

impl Record for ErrorRow<'_> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.count(name!("code"), self.0.code.map(Into::into));
        fields.text(name!("error"), self.0.text);
    }
}
