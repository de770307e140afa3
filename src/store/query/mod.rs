//! The core: all answers from the data, over the primitives of a source ([`Source`]). There are two
//! sources: a data file, and servers with published data. This module alone defines filters, orders
//! and ties, pages, sums, search by name, the log of changes, records and the detection of damage.
//!
//! | file | contents |
//! |---|---|
//! | `source` | the primitives of a source |
//! | `filter` | filters as conditions over the columns of `facet_columns.rs` |
//! | `facets`, `pages`, `groups`, `summary` | the facets that match; pages and sums over them |
//! | `search`, `prices` | contracts by their contents; the prices of their items |
//! | `repeated`, `listed` | contracts found under several suppliers; those signed while listed in the RNP |
//! | `order` | the order of rows, and the part of them on a page |
//! | `entries`, `purchases` | the registries of unfair suppliers as a list; purchases by their contents |
//! | `names`, `sources` | search by name; the documents that an answer is derived from |
//! | `prefetch` | the data read at the beginning of an answer |

mod entries;
mod facets;
mod filter;
mod groups;
mod listed;
mod names;
mod order;
mod pages;
mod prefetch;
mod prices;
mod purchases;
mod repeated;
mod search;
mod source;
mod sources;
mod summary;

use std::cell::Cell;
use std::path::Path;
use std::sync::Arc;

use super::changes::Revision;
use super::data_file::{DataFile, DataVersion, RecordCounts};
use super::error::{Error, Result};
use super::record::{read_entry, read_purchase};
use super::suppliers::SupplierRow;
use crate::model::{
    ChangeCursor, Coverage, Inn, LogPosition, LoggedChange, NameQuery, Purchase, PurchaseNumber,
    Registries, RnpEntry, SourceDocument, UnreadEntries, WonPurchase,
};

pub use entries::EntrySelection;
pub(in crate::store) use filter::Condition;
pub use names::{NameKinds, NameMatch, NameMatches, NameOwner};
pub(in crate::store) use pages::NewestName;
pub use pages::{CustomerSelection, Selection, SuppliedContracts};
pub use prefetch::Prefetch;
pub use prices::{MAX_ITEMS, PriceSelection};
pub use purchases::PurchaseSelection;
pub use search::{ContentSelection, MAX_MATCHES, Searched, TooBroad};
pub(in crate::store) use source::{
    ContentKind, EachAt, EachEntry, EachFacets, EachId, EachItems, EachName, EachOf, EachPurchase,
    EachPurchaseFacets, EachRecord, EachWithItems, NameRow, Owner, Source,
};
pub(in crate::store) use sources::Candidates;

/// The data that answers come from: a data file, or servers.
#[derive(Debug)]
pub struct Database {
    source: Box<dyn Source>,
    reading: Reading,
}

impl Database {
    /// The data of a source.
    pub(in crate::store) fn new(source: impl Source + 'static) -> Self {
        Self {
            source: Box::new(source),
            reading: Reading::default(),
        }
    }

    /// Opens an existing data file. Checks its kind and format, the length of the file, its tables,
    /// columns and indexes, and the beginning of each table; this costs the same for a file of any
    /// size. Reads and proves the registry of unfair suppliers, which takes some 0.1 s for 300,000
    /// entries.
    ///
    /// # Errors
    /// Missing, foreign, of another format, or damaged: a sentence with the remedy.
    pub fn open(path: &Path) -> Result<Self> {
        DataFile::open(path, None).map(Self::new)
    }

    /// Opens another data file like [`Database::open`]. If it has the same data, both share the
    /// proved registry.
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn open_another(&self, path: &Path) -> Result<Self> {
        DataFile::open(path, self.source.as_file()).map(Self::new)
    }

    /// Opens the demonstration data that is part of the program, in memory.
    ///
    /// # Errors
    /// Only if the program was built with a damaged file.
    pub fn bundled() -> Result<Self> {
        DataFile::bundled().map(Self::new)
    }

    /// Returns whether this is the demonstration data.
    pub fn is_bundled(&self) -> bool {
        self.source.as_file().is_some_and(|file| file.is_bundled)
    }

    /// Begins an answer from one state of the data. On servers this must be the first call of an
    /// answer.
    ///
    /// # Errors
    /// No server can be reached ([`Error::is_unreachable`]), or none has usable data.
    #[inline]
    pub fn begin(&mut self, prefetch: Prefetch<'_>) -> Result<()> {
        self.source.begin(prefetch)
    }

    /// Begins an answer from the current state of the data, which stays the same for any length of
    /// time, until another answer begins. Publications meanwhile do not affect it. A file never
    /// changes.
    ///
    /// # Errors
    /// As [`Database::begin`].
    pub fn hold(&mut self) -> Result<()> {
        self.source.hold()
    }

    /// Returns whether another state of the data has replaced the one that the answer began with.
    /// If so, the last call failed, and the caller must begin the answer again. A file never
    /// changes.
    #[inline]
    pub fn has_moved(&self) -> bool {
        self.source.has_moved()
    }

    /// The version of the data.
    #[inline]
    pub fn version(&self) -> DataVersion {
        self.source.version()
    }

    /// The state of the registries of unfair suppliers.
    #[inline]
    pub fn registries(&self) -> Registries {
        self.source.registries()
    }

    /// Counts the records, which may take seconds.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn counts(&self) -> Result<RecordCounts> {
        self.source.counts()
    }

    /// Returns the coverage: the runs of days whose official documents were obtained, sorted and
    /// joined.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn coverage(&self) -> Result<Arc<[Coverage]>> {
        self.source.coverage()
    }

    /// Returns the supplier with this INN, if the data has a row for it. A row alone does not make
    /// the supplier known: see [`SupplierRow::is_known`].
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn supplier(&self, inn: &Inn) -> Result<Option<SupplierRow>> {
        self.source.supplier(inn)
    }

    /// The inclusions in the registries that could not be read, and that nothing has settled.
    pub fn unread_entries(&self) -> UnreadEntries {
        self.source.unread_entries()
    }

    /// The number of contracts of whose items nothing but codes and sums is known.
    pub fn contracts_without_items(&self) -> u64 {
        self.source.contracts_without_items()
    }

    /// The RNP entries of the supplier with this INN, of any date, in the order of the answer:
    /// by registration date, then number, both descending.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn rnp_entries(&self, inn: &Inn) -> Result<Vec<RnpEntry>> {
        let mut entries = Vec::new();
        self.source.entries(inn, &mut |record| {
            entries.push(self.entry_of(inn, record)?);
            Ok(())
        })?;
        entries.sort_by(|a: &RnpEntry, b| {
            let by_date = b.registration_date.cmp(&a.registration_date);
            by_date.then_with(|| b.registration_number.cmp(&a.registration_number))
        });
        Ok(entries)
    }

    /// The RNP entry with this number, of any date, and its supplier.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn rnp_entry(&self, number: &str) -> Result<Option<(SupplierRow, RnpEntry)>> {
        let Some((supplier, record)) = self.source.entry(number)? else {
            return Ok(None);
        };
        let entry = self.entry_of(&supplier.inn, &record)?;
        Ok(Some((supplier, entry)))
    }

    /// The card of a purchase, if there is one.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn purchase(&self, number: &PurchaseNumber) -> Result<Option<Purchase>> {
        let mut purchase = None;
        self.source.card(number, &mut |record| {
            purchase = Some(self.purchase_of(number.as_str(), record)?);
            Ok(())
        })?;
        Ok(purchase)
    }

    /// Returns the number of purchases under 223-FZ and PP-615 that the supplier with this INN won,
    /// and the numbers of up to `limit` of them after the first `skip`: by day, then number, both
    /// descending.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn purchases_won(&self, inn: &Inn, skip: u64, limit: u64) -> Result<(u64, Vec<String>)> {
        self.source.won(inn, skip, limit)
    }

    /// Passes the purchases with these numbers, which the supplier won, to `show`.
    ///
    /// # Errors
    /// As [`Database::show`].
    pub fn show_won(
        &self,
        inn: &Inn,
        numbers: &[String],
        show: &mut dyn FnMut(&WonPurchase<'_>),
    ) -> Result<()> {
        let damaged = || self.source.damaged("a winner without its purchase");
        for number in numbers {
            let number = PurchaseNumber::parse(number).ok_or_else(damaged)?;
            let card = self.purchase(&number)?.ok_or_else(damaged)?;
            show(&card.won_by(inn.as_str()).ok_or_else(damaged)?);
        }
        Ok(())
    }

    /// Returns the documents that the answer about a number is derived from, oldest first.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn sources(&self, number: &str) -> Result<Vec<SourceDocument>> {
        Ok(sources::select(number, &self.source.candidates(number)?))
    }

    /// Returns the suppliers that list a contract, by INN.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn suppliers_of_contract(&self, reg_num: &str) -> Result<Vec<SupplierRow>> {
        let ids = self.source.contract(reg_num)?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut suppliers = self.source.suppliers_of(&ids)?;
        suppliers.sort_by(|a, b| a.inn.cmp(&b.inn));
        Ok(suppliers)
    }

    /// Returns the numbers of the purchases under 223-FZ and PP-615 that ended in the contract with
    /// this number, in ascending order.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn purchases_of_contract(&self, number: &str) -> Result<Vec<String>> {
        let mut purchases = self.source.purchases_of_contract(number)?;
        purchases.sort_unstable();
        Ok(purchases)
    }

    /// The suppliers and customers whose names match a text, the best ones first, up to
    /// `limit`.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn find_names(
        &self,
        query: &NameQuery,
        kinds: NameKinds<'_>,
        limit: usize,
    ) -> Result<NameMatches> {
        names::find_names(self.source(), query, kinds, limit)
    }

    /// Returns the oldest revision in the log, which has all changes since then.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn oldest_revision(&self) -> Result<u64> {
        let oldest = self.source.oldest_revision()?;
        oldest.ok_or_else(|| self.source.damaged("the log of changes has no revision"))
    }

    /// A revision; none if the log does not have it.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn revision(&self, revision: u64) -> Result<Option<Revision>> {
        self.source.revision(revision)
    }

    /// The last revision in the log that was made before `time` (seconds since 1970).
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn revision_before(&self, time: i64) -> Result<Option<u64>> {
        self.source.revision_before(time)
    }

    /// Returns the cursor of a client that has read the log of this data up to a position.
    pub fn cursor_at(&self, position: LogPosition) -> ChangeCursor {
        let version = self.version();
        ChangeCursor {
            identity: version.identity,
            revision: version.revision.unsigned_abs(),
            position,
        }
    }

    /// Returns whether the log has all changes after a cursor: the cursor's state of the data is
    /// this one or an earlier one of it, and the log has dropped nothing after the position.
    ///
    /// # Errors
    /// The data cannot be read.
    pub fn has_changes_since(&self, cursor: &ChangeCursor) -> Result<bool> {
        let state = self.revision(cursor.revision)?;
        let oldest = self.oldest_revision()?;
        let position = &cursor.position;
        // The log has the changes after the oldest revision, and none in it.
        let is_kept = match position.row {
            Some(_) => position.revision > oldest,
            None => position.revision >= oldest,
        };
        Ok(is_kept && state.is_some_and(|state| state.identity == cursor.identity))
    }

    /// Returns up to `limit` changes after a position, in the order of the log: by revision, then
    /// in a fixed order within each.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn changes_after(&self, position: &LogPosition, limit: u64) -> Result<Vec<LoggedChange>> {
        self.source.changes_after(position, limit)
    }

    /// The changes of a supplier after a position.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn changes_of(
        &self,
        supplier: &SupplierRow,
        position: &LogPosition,
    ) -> Result<Vec<LoggedChange>> {
        self.source.changes_of(supplier, position)
    }

    /// Passes each supplier with a row in the data to `each`, in the order of insertion, until
    /// `each` ends it. The caller must hold the data ([`Database::hold`]).
    ///
    /// # Errors
    /// The data cannot be read, or `each` fails.
    pub fn suppliers<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Inn, &SupplierRow) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        scan(
            |each| self.source.suppliers(each),
            |supplier: &SupplierRow| each(&supplier.inn, supplier),
        )
    }

    /// Passes each purchase to `each`, in the order of insertion. The caller must hold the data
    /// ([`Database::hold`]).
    ///
    /// # Errors
    /// The data cannot be read, or `each` fails.
    pub fn purchases<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Purchase) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        scan(
            |each| self.source.purchases(each),
            |(number, record): &(String, Vec<u8>)| each(&self.purchase_of(number, record)?),
        )
    }

    /// Bounds the number of contracts whose facets each of the next calls may read; `None` for any
    /// number. A call that has more to read fails.
    pub fn read_at_most(&self, contracts: Option<u64>) {
        self.reading.begin(contracts);
    }

    /// Returns whether a call has failed since [`Database::read_at_most`], as it had more to read.
    pub fn has_more_to_read(&self) -> bool {
        self.reading.has_more.get()
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// Reads the purchase with this number from its record.
    fn purchase_of(&self, number: &str, record: &[u8]) -> Result<Purchase> {
        read_purchase(number, record).map_err(|what| self.source.damaged(&what))
    }

    /// Reads the RNP entry about the supplier with this INN from its record.
    fn entry_of(&self, inn: &Inn, record: &[u8]) -> Result<RnpEntry> {
        read_entry(inn.as_str(), record).map_err(|what| self.source.damaged(&what))
    }
}

/// How many contracts a call may read.
#[derive(Debug, Default)]
struct Reading {
    at_most: Cell<Option<u64>>,
    has_more: Cell<bool>,
}

impl Reading {
    fn begin(&self, at_most: Option<u64>) {
        self.at_most.set(at_most);
        self.has_more.set(false);
    }

    /// Allows a call to read so many contracts.
    ///
    /// # Errors
    /// These are too many.
    fn allow(&self, contracts: u64) -> Result<()> {
        if self.at_most.get().is_none_or(|most| contracts <= most) {
            return Ok(());
        }
        self.has_more.set(true);
        let what = "an answer from so many contracts has to wait for its turn";
        Err(Error::refused_by(&"the data", what))
    }
}

/// Runs a scan, passing each item to `each` until that fails.
fn scan<T, E: From<Error>>(
    scan: impl FnOnce(EachOf<'_, T>) -> Result<()>,
    mut each: impl FnMut(&T) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut passed = Ok(());
    scan(&mut |one| {
        passed = each(one);
        passed.is_ok()
    })?;
    passed
}
