//! The rows of the published tables, from the file's.

use super::super::documents::DocumentHead;
use super::super::facets::{Facets, StoredFacet};
use super::super::query::{FacetColumn, FacetValue};
use super::super::record::digest;
use super::super::suppliers::KnownSupplier;
use super::copy::RowBuffer;
use crate::model::{
    Coverage, EncodedContract, Inn, LogSubject, LoggedChange, Registry, RnpEntry, searched_name,
};

/// The tables.
pub const TABLES: [&str; 9] = [
    "supplier",
    "contract",
    "purchase",
    "rnp_entry",
    "document",
    "registry",
    "coverage",
    "revision",
    "change",
];

/// A row of `supplier`; is the supplier known?
pub fn supplier(row: &mut RowBuffer, supplier: &KnownSupplier, is_known: bool) {
    let searched = match is_known && !supplier.name.is_empty() {
        true => searched_name(&supplier.name),
        false => String::new(),
    };
    row.begin(6)
        .text(supplier.inn.as_str())
        .int8(supplier.id)
        .text(&supplier.name)
        .text(&searched)
        .int8(i64::try_from(supplier.contracts).unwrap_or(i64::MAX))
        .bool(supplier.stated);
}

/// How many columns of `contract` are no facets.
const OTHER_COLUMNS: i16 = 4;

/// A row of `contract`, whose record has these bytes.
pub fn contract(
    row: &mut RowBuffer,
    inn: &Inn,
    contract: &EncodedContract<'_>,
    facets: &Facets<'_>,
    record: &[u8],
) {
    row.begin(FacetColumn::ALL.len() as i16 + OTHER_COLUMNS)
        .text(inn.as_str())
        .text(&contract.reg_num.text());
    for StoredFacet(_, value) in &facets.0 {
        match value {
            FacetValue::Null => row.null(),
            FacetValue::Number(number) => row.int8(*number),
            FacetValue::Text(text) => row.text(text),
        };
    }
    row.int8(digest(record)).bytea(record);
}

/// A row of `purchase`.
pub fn purchase(row: &mut RowBuffer, number: &str, id: i64, record: &[u8]) {
    row.begin(3).text(number).int8(id).bytea(record);
}

/// A row of `rnp_entry` with this INN and number, whose record has these bytes.
pub fn rnp_entry(
    row: &mut RowBuffer,
    (inn, number): (&str, &str),
    entry: &RnpEntry,
    record: &[u8],
) {
    row.begin(6)
        .text(inn)
        .text(number)
        .text(&entry.federal_law)
        .date(entry.registration_date)
        .date(entry.last_day())
        .bytea(record);
}

/// A row of `document`.
pub fn document(row: &mut RowBuffer, document: &DocumentHead) {
    row.begin(9)
        .int8(document.id)
        .text(&document.number)
        .int2(document.kind.into())
        .int8(document.version)
        .int8(document.published)
        .text(&document.purchase)
        .bool(document.annuls)
        .text(&document.origin.name)
        .text(&document.origin.subsystem);
}

/// A row of `registry`.
pub fn registry(row: &mut RowBuffer, registry: &Registry) {
    let complete = registry.complete;
    row.begin(5)
        .text(registry.law.code())
        .date(complete.map(|days| days.since))
        .date(complete.map(|days| days.as_of))
        .text(complete.map_or("", |days| days.basis.code()))
        .int8(i64::try_from(registry.entries).unwrap_or(i64::MAX));
}

/// A row of `coverage`.
pub fn coverage(row: &mut RowBuffer, run: &Coverage) {
    row.begin(5)
        .text(&run.subsystem)
        .text(&run.documents)
        .text(&run.region)
        .date(Some(run.from))
        .date(Some(run.to));
}

/// A row of `revision`.
pub fn revision(row: &mut RowBuffer, number: i64, time: i64, identity: i64) {
    row.begin(3).int8(number).int8(time).int8(identity);
}

/// The column `subject` where the subject is a text. No id or INN is so large.
pub const TEXT: i64 = i64::MAX;

/// After the key of any change, each of which is digits.
const AFTER_KEYS: &str = "~";

/// The columns `subject` and `key` up to which all rows are at or before this subject.
pub fn subject(subject: &LogSubject) -> (i64, &str) {
    match subject {
        LogSubject::Number(number) => (*number, AFTER_KEYS),
        LogSubject::Text(text) => (TEXT, text),
    }
}

/// A row of `change`.
pub fn change(row: &mut RowBuffer, change: &LoggedChange) {
    row.begin(4)
        .text(change.subject.key())
        .int2(change.part as i16)
        .int8(subject(&change.id).0)
        .int8(i64::try_from(change.revision).unwrap_or(i64::MAX));
}
