//! The primitives of a source of data, on which the core builds all answers.

use std::fmt;
use std::ops::{ControlFlow, RangeInclusive};
use std::sync::Arc;

use super::super::changes::Revision;
use super::super::data_file::{DataFile, DataVersion, RecordCounts};
use super::super::entry_list::EntryList;
use super::super::error::{Error, Result};
use super::super::facet_columns::{FacetColumn, FacetRow};
use super::super::purchase_facets::PurchaseFacets;
use super::super::reg_num::RegNum;
use super::super::suppliers::SupplierRow;
use super::filter::Condition;
use super::prefetch::Prefetch;
use super::sources::Candidates;
use crate::model::{
    ContentTokens, Coverage, Inn, LogPosition, LoggedChange, PurchaseNumber, Registries,
    UnreadEntries,
};

/// Takes the bytes of records, one at a time.
pub(in crate::store) type EachRecord<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;

/// Takes the suppliers and the records of RNP entries, one at a time.
pub(in crate::store) type EachEntry<'a> = &'a mut dyn FnMut(&Inn, &[u8]) -> Result<()>;

/// Takes the records of contracts with their items, sealed; these are empty if the record has all of
/// each item.
pub(in crate::store) type EachWithItems<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> Result<()>;

/// Takes rows of facets, one at a time.
pub(in crate::store) type EachFacets<'a> = &'a mut dyn FnMut(&dyn FacetRow) -> Result<()>;

/// Takes names, one at a time.
pub(in crate::store) type EachName<'a> = &'a mut dyn FnMut(&NameRow<'_>) -> Result<()>;

/// The name of a supplier or a customer as it is searched.
pub(in crate::store) struct NameRow<'a> {
    /// Its INN.
    pub inn: &'a dyn fmt::Display,
    /// Whether it is a customer.
    pub is_customer: bool,
    /// The number of its contracts.
    pub contracts: u64,
    /// As [`crate::model::searched_name`] makes it.
    pub name: &'a str,
}

/// Takes one thing of a scan at a time. Returns whether the scan goes on.
pub(in crate::store) type EachOf<'a, T> = &'a mut dyn FnMut(&T) -> bool;

/// The records that are searched by content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum ContentKind {
    Contracts,
    Purchases,
}

/// Takes ids, one at a time. Returns whether to go on.
pub(in crate::store) type EachId<'a> = &'a mut dyn FnMut(i64) -> Result<ControlFlow<()>>;

/// Takes the index of what was asked for and an id, one at a time.
pub(in crate::store) type EachAt<'a> = &'a mut dyn FnMut(usize, i64) -> Result<()>;

/// Takes the stored items of contracts, one contract at a time; `None` for a contract without any.
pub(in crate::store) type EachItems<'a> = &'a mut dyn FnMut(Option<&[u8]>) -> Result<()>;

/// Takes the numbers and records of purchases, one at a time.
pub(in crate::store) type EachPurchase<'a> = &'a mut dyn FnMut(&str, &[u8]) -> Result<()>;

/// Takes the facets of purchases, one at a time.
pub(in crate::store) type EachPurchaseFacets<'a> = &'a mut dyn FnMut(&PurchaseFacets) -> Result<()>;

/// The owner of contracts.
#[derive(Clone, Copy, Debug)]
pub(in crate::store) enum Owner<'a> {
    /// A supplier.
    Supplier(&'a SupplierRow),
    /// The customer with this INN.
    Customer(&'a str),
}

/// A source of answers. Each method fails if the data cannot be read. A source checks rows and
/// sessions, the core checks the contents of records.
///
/// A contract has an id from the source, valid until the next answer begins.
pub(in crate::store) trait Source: fmt::Debug + Send {
    /// Begins an answer from one state of the data, and reads `prefetch` with it.
    fn begin(&mut self, prefetch: Prefetch<'_>) -> Result<()>;
    /// Begins an answer from one state of the data that stays the same for any length of time.
    fn hold(&mut self) -> Result<()>;
    /// Returns whether the answer failed because another state replaced its own.
    fn has_moved(&self) -> bool;
    /// The file, if it is one.
    fn as_file(&self) -> Option<&DataFile>;
    /// The error of damaged data.
    fn damaged(&self, what: &str) -> Error;

    /// The version of the data.
    fn version(&self) -> DataVersion;
    /// The state of the registries of unfair suppliers.
    fn registries(&self) -> Registries;
    /// The inclusions in the registries that could not be read, and that nothing has settled.
    fn unread_entries(&self) -> UnreadEntries;
    /// The number of contracts of whose items nothing but codes and sums is known.
    fn contracts_without_items(&self) -> u64;
    /// The runs of covered days, sorted and joined.
    fn coverage(&self) -> Result<Arc<[Coverage]>>;
    /// The numbers of records.
    fn counts(&self) -> Result<RecordCounts>;

    /// Returns a supplier, if it has a row.
    fn supplier(&self, inn: &Inn) -> Result<Option<SupplierRow>>;
    /// Returns the suppliers with these INNs, in this order; each must have a row.
    fn suppliers_with_inns(&self, inns: &[Inn]) -> Result<Vec<SupplierRow>>;
    /// Passes the ids of the suppliers with these INNs to `each`, in any order, each with the index
    /// of its INN.
    fn supplier_ids(&self, inns: &[Inn], each: EachAt<'_>) -> Result<()>;
    /// The records of a supplier's RNP entries, in any order.
    fn entries(&self, inn: &Inn, each: EachRecord<'_>) -> Result<()>;
    /// The supplier and the record of the RNP entry with this number.
    fn entry(&self, number: &str) -> Result<Option<(SupplierRow, Vec<u8>)>>;
    /// Returns all RNP entries. Later calls share what the first one has read.
    fn entry_list(&self) -> Result<Arc<EntryList>>;
    /// The RNP entries with these numbers, in the order of the numbers; none for a number without
    /// an entry.
    fn entries_with_numbers(&self, numbers: &[Box<str>], each: EachEntry<'_>) -> Result<()>;
    /// The record of a purchase's card, if there is one.
    fn card(&self, number: &PurchaseNumber, each: EachRecord<'_>) -> Result<()>;
    /// Returns the number of purchases that a supplier won, and the numbers of up to `limit` of
    /// them after the first `skip`, by day, then number, both descending.
    fn won(&self, inn: &Inn, skip: u64, limit: u64) -> Result<(u64, Vec<String>)>;
    /// The ids of the contract with a registry number, one for each of its suppliers, in any order.
    fn contract(&self, reg_num: &str) -> Result<Vec<i64>>;
    /// Returns the numbers of the purchases under 223-FZ and PP-615 that ended in a contract, by the
    /// contract's number, in any order.
    fn purchases_of_contract(&self, number: &str) -> Result<Vec<String>>;
    /// The records that have a number, and the documents about it.
    fn candidates(&self, number: &str) -> Result<Candidates>;
    /// Passes the names of known suppliers and of customers to `each`, in any order. It passes all
    /// names that contain at least one text of each list, and maybe others. A text has at least
    /// three characters: letters, digits and spaces, and [`crate::model::ANYTHING`] between them.
    fn names(&self, parts: &[Vec<String>], each: EachName<'_>) -> Result<()>;

    /// The records of a supplier's contracts, newest first (by sign date, then registry number): up
    /// to `limit` after the first `skip`.
    fn newest(
        &self,
        supplier: &SupplierRow,
        skip: u64,
        limit: u64,
        each: EachRecord<'_>,
    ) -> Result<()>;
    /// The records of all contracts of a supplier, newest first, with their items.
    fn newest_with_items(&self, supplier: &SupplierRow, each: EachWithItems<'_>) -> Result<()>;
    /// The facets of the contracts that match a condition, with these columns, in any
    /// order.
    fn facets(
        &self,
        owner: Owner<'_>,
        condition: &Condition<'_>,
        columns: &[FacetColumn],
        each: EachFacets<'_>,
    ) -> Result<()>;
    /// Returns the ids of the contracts with the customer's name, of the newest day that has any,
    /// by their suppliers' ids.
    fn newest_named(&self, customer: &str) -> Result<Vec<i64>>;
    /// The records of contracts, in the order of these ids.
    fn records(&self, ids: &[i64], each: EachRecord<'_>) -> Result<()>;
    /// The registry numbers of contracts, in the order of these ids.
    fn reg_nums(&self, ids: &[i64]) -> Result<Vec<RegNum>>;
    /// The suppliers of contracts, in the order of these ids.
    fn suppliers_of(&self, contracts: &[i64]) -> Result<Vec<SupplierRow>>;

    /// Passes the ids of the contracts or purchases that match `tokens` to `each`, in ascending order,
    /// as far as they are among `ids`.
    fn content_ids(
        &self,
        tokens: &ContentTokens,
        kind: ContentKind,
        ids: RangeInclusive<i64>,
        each: EachId<'_>,
    ) -> Result<()>;
    /// Passes the ids of contracts within ranges to `each`, in any order, each with the index of its
    /// range.
    fn contract_ids(&self, ranges: &[RangeInclusive<i64>], each: EachAt<'_>) -> Result<()>;
    /// The facets of the contracts with these ids, with these columns, in the order of the ids.
    fn facets_of(&self, ids: &[i64], columns: &[FacetColumn], each: EachFacets<'_>) -> Result<()>;
    /// The stored items of the contracts with these ids, in the order of the ids.
    fn items(&self, ids: &[i64], each: EachItems<'_>) -> Result<()>;
    /// The facets of the purchases with these ids, in the order of the ids.
    fn purchase_facets_of(&self, ids: &[i64], each: EachPurchaseFacets<'_>) -> Result<()>;
    /// The numbers of the purchases with these ids, in the order of the ids.
    fn purchase_numbers(&self, ids: &[i64]) -> Result<Vec<String>>;
    /// The records of the purchases with these ids, in the order of the ids.
    fn purchase_records(&self, ids: &[i64], each: EachPurchase<'_>) -> Result<()>;

    /// The oldest revision of the log, if there is one.
    fn oldest_revision(&self) -> Result<Option<u64>>;
    /// A revision of the log.
    fn revision(&self, revision: u64) -> Result<Option<Revision>>;
    /// The last revision of the log before a time, in seconds since 1970.
    fn revision_before(&self, time: i64) -> Result<Option<u64>>;
    /// Up to `limit` changes after a position, in the order of the log.
    fn changes_after(&self, position: &LogPosition, limit: u64) -> Result<Vec<LoggedChange>>;
    /// The changes of a supplier after a position, by part.
    fn changes_of(
        &self,
        supplier: &SupplierRow,
        position: &LogPosition,
    ) -> Result<Vec<LoggedChange>>;

    /// Passes each supplier to `each`, in the order of insertion.
    fn suppliers(&self, each: EachOf<'_, SupplierRow>) -> Result<()>;
    /// Passes each purchase's number and record to `each`, in the order of insertion.
    fn purchases(&self, each: EachOf<'_, (String, Vec<u8>)>) -> Result<()>;
}
