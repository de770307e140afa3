//! The primitives of a data source, from which the core makes all answers.

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

pub(in crate::store) type EachRecord<'a> = &'a mut dyn FnMut(&[u8]) -> Result<()>;

/// Receives suppliers and the records of their RNP entries.
pub(in crate::store) type EachEntry<'a> = &'a mut dyn FnMut(&Inn, &[u8]) -> Result<()>;

/// Receives records of contracts and their sealed items. The items are empty if the record contains
/// everything about them.
pub(in crate::store) type EachWithItems<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> Result<()>;

pub(in crate::store) type EachFacets<'a> = &'a mut dyn FnMut(&dyn FacetRow) -> Result<()>;

/// Receives rows of facets. Returns whether to continue.
pub(in crate::store) type EachFound<'a> =
    &'a mut dyn FnMut(&dyn FacetRow) -> Result<ControlFlow<()>>;

pub(in crate::store) type EachName<'a> = &'a mut dyn FnMut(&NameRow<'_>) -> Result<()>;

/// The searchable name of a supplier or customer.
pub(in crate::store) struct NameRow<'a> {
    pub inn: &'a dyn fmt::Display,
    pub is_customer: bool,
    pub contracts: u64,
    /// As made by [`crate::model::searched_name`].
    pub name: &'a str,
}

/// Receives the results of a scan. Returns whether to continue.
pub(in crate::store) type EachOf<'a, T> = &'a mut dyn FnMut(&T) -> bool;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum ContentKind {
    Contracts,
    Purchases,
}

/// Receives ids, each with the index of the INN or range for which it was found.
pub(in crate::store) type EachAt<'a> = &'a mut dyn FnMut(usize, i64) -> Result<()>;

/// Receives the stored items of each contract; `None` for a contract without stored items.
pub(in crate::store) type EachItems<'a> = &'a mut dyn FnMut(Option<&[u8]>) -> Result<()>;

pub(in crate::store) type EachPurchase<'a> = &'a mut dyn FnMut(&str, &[u8]) -> Result<()>;

pub(in crate::store) type EachPurchaseFacets<'a> = &'a mut dyn FnMut(&PurchaseFacets) -> Result<()>;

#[derive(Clone, Copy, Debug)]
pub(in crate::store) enum Owner<'a> {
    Supplier(&'a SupplierRow),
    Customer(&'a str),
}

/// A source of data. Every method fails if the data is unreadable. A source verifies rows and
/// sessions; the core verifies the contents of records.
///
/// Ids of contracts are valid until the next answer begins. Methods that take a list of ids keep
/// its order.
pub(in crate::store) trait Source: fmt::Debug + Send {
    /// Starts an answer from a single state of the data and reads `prefetch` with it.
    fn begin(&mut self, prefetch: Prefetch<'_>) -> Result<()>;
    /// Starts an answer from a single state of the data, which stays available however long the
    /// answer takes.
    fn hold(&mut self) -> Result<()>;
    /// Returns whether the answer has failed because another state of the data has replaced the one
    /// with which it started.
    fn has_moved(&self) -> bool;
    fn as_file(&self) -> Option<&DataFile>;
    fn damaged(&self, what: &str) -> Error;

    fn version(&self) -> DataVersion;
    fn registries(&self) -> Registries;
    /// Returns the RNP inclusions that could not be parsed and that no later document has settled.
    fn unread_entries(&self) -> UnreadEntries;
    /// Returns the number of contracts whose items are known only by code and sum.
    fn contracts_without_items(&self) -> u64;
    /// Returns the time of the last import that changed contracts or purchases, in seconds since
    /// 1970. Returns `None` if the log of changes has no such import.
    fn contracts_changed(&self) -> Result<Option<i64>>;
    fn coverage(&self) -> Result<Arc<[Coverage]>>;
    fn counts(&self) -> Result<RecordCounts>;

    fn supplier(&self, inn: &Inn) -> Result<Option<SupplierRow>>;
    /// Returns the suppliers with the given INNs, in the order of `inns`. Each must have a row.
    fn suppliers_with_inns(&self, inns: &[Inn]) -> Result<Vec<SupplierRow>>;
    /// Passes the ids of the suppliers with the given INNs to `each`, in any order, with the index
    /// of the INN.
    fn supplier_ids(&self, inns: &[Inn], each: EachAt<'_>) -> Result<()>;
    /// Passes the records of a supplier's RNP entries to `each`, in any order.
    fn entries(&self, inn: &Inn, each: EachRecord<'_>) -> Result<()>;
    fn entry(&self, number: &str) -> Result<Option<(SupplierRow, Vec<u8>)>>;
    /// Returns all RNP entries. Later calls share the result of the first.
    fn entry_list(&self) -> Result<Arc<EntryList>>;
    /// Passes the RNP entries with the given numbers to `each`, in the order of `numbers`. Skips
    /// numbers without an entry.
    fn entries_with_numbers(&self, numbers: &[Box<str>], each: EachEntry<'_>) -> Result<()>;
    /// Passes the record of a purchase's card to `each`, if there is one.
    fn card(&self, number: &PurchaseNumber, each: EachRecord<'_>) -> Result<()>;
    /// Returns how many purchases a supplier won, and the numbers of up to `limit` of them after
    /// the first `skip`, ordered by day, then number, both descending.
    fn won(&self, inn: &Inn, skip: u64, limit: u64) -> Result<(u64, Vec<String>)>;
    /// Returns the ids of the contract with a registry number, one per supplier, in any order.
    fn contract(&self, reg_num: &str) -> Result<Vec<i64>>;
    /// Returns the numbers of purchases under 223-FZ and PP-615 that led to the contract with this
    /// number, in any order.
    fn purchases_of_contract(&self, number: &str) -> Result<Vec<String>>;
    /// Returns which kinds of records exist with this number, and the documents about it.
    fn candidates(&self, number: &str) -> Result<Candidates>;
    /// Passes names of known suppliers and of customers to `each`, in any order: all names that
    /// contain at least one text from each list, and possibly others. Each text has at least three
    /// characters: letters, digits and spaces, with [`crate::model::ANYTHING`] in between.
    fn names(&self, parts: &[Vec<String>], each: EachName<'_>) -> Result<()>;

    /// Passes the records of a supplier's contracts to `each`, newest first (by sign date, then
    /// registry number): up to `limit`, after the first `skip`.
    fn newest(
        &self,
        supplier: &SupplierRow,
        skip: u64,
        limit: u64,
        each: EachRecord<'_>,
    ) -> Result<()>;
    /// Passes the records of all contracts of a supplier to `each`, newest first, with their items.
    fn newest_with_items(&self, supplier: &SupplierRow, each: EachWithItems<'_>) -> Result<()>;
    /// Passes the given facets of the owner's contracts that meet a condition to `each`, in any
    /// order.
    fn facets(
        &self,
        owner: Owner<'_>,
        condition: &Condition<'_>,
        columns: &[FacetColumn],
        each: EachFacets<'_>,
    ) -> Result<()>;
    /// Among the contracts of a customer that state the customer's name, returns the ids of all
    /// that were signed on the latest day, ordered by supplier id.
    fn newest_named(&self, customer: &str) -> Result<Vec<i64>>;
    fn records(&self, ids: &[i64], each: EachRecord<'_>) -> Result<()>;
    fn reg_nums(&self, ids: &[i64]) -> Result<Vec<RegNum>>;
    /// Returns the suppliers of contracts, in the order of `contracts`.
    fn suppliers_of(&self, contracts: &[i64]) -> Result<Vec<SupplierRow>>;

    /// Returns the ids of the contracts or purchases within `ids` that match `tokens`, in ascending
    /// order, up to `at_most`.
    fn content_ids(
        &self,
        tokens: &ContentTokens,
        kind: ContentKind,
        ids: RangeInclusive<i64>,
        at_most: usize,
    ) -> Result<Vec<i64>>;
    /// Passes the ids of contracts within ranges to `each`, in any order, with the index of the
    /// range.
    fn contract_ids(&self, ranges: &[RangeInclusive<i64>], each: EachAt<'_>) -> Result<()>;
    /// Passes the given facets of the contracts within `ids` that match `tokens` and meet a
    /// condition to `each`, in any order, until `each` breaks. Returns `false`, without passing
    /// anything, if the source can only read ids first and then their facets.
    fn found_facets(
        &self,
        _tokens: &ContentTokens,
        _ids: RangeInclusive<i64>,
        _condition: &Condition<'_>,
        _columns: &[FacetColumn],
        _each: EachFound<'_>,
    ) -> Result<bool> {
        Ok(false)
    }
    fn facets_of(&self, ids: &[i64], columns: &[FacetColumn], each: EachFacets<'_>) -> Result<()>;
    fn items(&self, ids: &[i64], each: EachItems<'_>) -> Result<()>;
    fn purchase_facets_of(&self, ids: &[i64], each: EachPurchaseFacets<'_>) -> Result<()>;
    fn purchase_numbers(&self, ids: &[i64]) -> Result<Vec<String>>;
    fn purchase_records(&self, ids: &[i64], each: EachPurchase<'_>) -> Result<()>;

    fn oldest_revision(&self) -> Result<Option<u64>>;
    fn revision(&self, revision: u64) -> Result<Option<Revision>>;
    /// Returns the last revision before a time in seconds since 1970.
    fn revision_before(&self, time: i64) -> Result<Option<u64>>;
    /// Returns up to `limit` changes after a position, in the order of the log.
    fn changes_after(&self, position: &LogPosition, limit: u64) -> Result<Vec<LoggedChange>>;
    /// Returns the changes of a supplier after a position, ordered by part.
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
