//! The core of the store: makes every answer from the primitives of a source ([`Source`]). There
//! are two sources: a data file, and servers to which data was published. Filters, orders and ties,
//! pages, sums, name search, the log of changes, records, and the detection of damage are
//! implemented here and nowhere else.
//!
//! | file | content |
//! |---|---|
//! | `source` | the primitives of a source |
//! | `filter` | filters as conditions over the columns of `facet_columns.rs` |
//! | `facets`, `pages`, `groups`, `summary` | facets of matching contracts; their pages, groups and totals |
//! | `search`, `prices` | contracts by content; prices of their items |
//! | `repeated`, `listed` | contracts found under several suppliers; contracts signed while the supplier was listed in the RNP |
//! | `order` | the order of rows, and which of them are on a page |
//! | `export` | contracts and purchases that match, any number of them |
//! | `entries`, `purchases` | entries of the registries as a list; purchases by content |
//! | `names`, `sources` | search by name; the documents that an answer is derived from |
//! | `prefetch` | what is read at the start of an answer |

mod entries;
mod export;
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
#[cfg(feature = "postgresql")]
pub(in crate::store) use source::EachFound;
pub(in crate::store) use source::{
    ContentKind, EachAt, EachEntry, EachFacets, EachItems, EachName, EachOf, EachPurchase,
    EachPurchaseFacets, EachRecord, EachWithItems, NameRow, Owner, Source,
};
pub(in crate::store) use sources::Candidates;

/// The data behind the answers: a data file, or servers.
#[derive(Debug)]
pub struct Database {
    source: Box<dyn Source>,
    reading: Reading,
}

impl Database {
    pub(in crate::store) fn new(source: impl Source + 'static) -> Self {
        Self {
            source: Box::new(source),
            reading: Reading::default(),
        }
    }

    /// Opens an existing data file. Checks what can be checked in constant time: kind and format,
    /// the length of the file, the tables and indexes, and the first row of each table. Also reads
    /// the registry of unfair suppliers and verifies that it is complete, which takes about 0.1 s
    /// for 300,000 entries.
    ///
    /// # Errors
    /// Returns a sentence that says what to do if the file is missing, not a data file, in another
    /// format, or damaged.
    pub fn open(path: &Path) -> Result<Self> {
        DataFile::open(path, None).map(Self::new)
    }

    /// Opens an existing data file like [`Database::open`], but without mapping it into memory.
    /// Reading all of it then takes little memory, but single answers are slower.
    ///
    /// # Errors
    /// See [`Database::open`].
    pub fn open_unmapped(path: &Path) -> Result<Self> {
        DataFile::open_unmapped(path).map(Self::new)
    }

    /// Opens another data file. If it has the same data as this one, both share the verified
    /// registry.
    ///
    /// # Errors
    /// See [`Database::open`].
    pub fn open_another(&self, path: &Path) -> Result<Self> {
        DataFile::open(path, self.source.as_file()).map(Self::new)
    }

    /// Opens the demonstration data that is built into the program.
    ///
    /// # Errors
    /// Fails only if the program was built with a damaged file.
    pub fn bundled() -> Result<Self> {
        DataFile::bundled().map(Self::new)
    }

    pub fn is_bundled(&self) -> bool {
        self.source.as_file().is_some_and(|file| file.is_bundled)
    }

    /// Starts an answer from a single state of the data. On servers, this must be the first call of
    /// an answer.
    ///
    /// # Errors
    /// Returns an error if no server is reachable ([`Error::is_unreachable`]), or none has usable
    /// data.
    #[inline]
    pub fn begin(&mut self, prefetch: Prefetch<'_>) -> Result<()> {
        self.source.begin(prefetch)
    }

    /// Starts an answer from the current state of the data, which stays available until the next
    /// answer starts, even if another state is published meanwhile.
    ///
    /// # Errors
    /// See [`Database::begin`].
    pub fn hold(&mut self) -> Result<()> {
        self.source.hold()
    }

    /// Returns whether another state of the data has replaced the one with which the answer
    /// started. In that case, the last call has failed, and the caller must start the answer again.
    /// Always `false` for files.
    #[inline]
    pub fn has_moved(&self) -> bool {
        self.source.has_moved()
    }

    #[inline]
    pub fn version(&self) -> DataVersion {
        self.source.version()
    }

    #[inline]
    pub fn registries(&self) -> Registries {
        self.source.registries()
    }

    /// Counts the records, which may take seconds.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn counts(&self) -> Result<RecordCounts> {
        self.source.counts()
    }

    /// Returns the time of the last import that changed contracts or purchases, in seconds since
    /// 1970. Returns `None` if the log of changes has no such import.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn contracts_changed(&self) -> Result<Option<i64>> {
        self.source.contracts_changed()
    }

    /// Returns the coverage: runs of days whose official documents were imported, sorted and
    /// joined.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn coverage(&self) -> Result<Arc<[Coverage]>> {
        self.source.coverage()
    }

    /// Returns the supplier with this INN if the data has a row for it. A row alone does not mean
    /// that the supplier is known: see [`SupplierRow::is_known`].
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn supplier(&self, inn: &Inn) -> Result<Option<SupplierRow>> {
        self.source.supplier(inn)
    }

    /// Returns the RNP inclusions that could not be parsed and that no later document has settled.
    pub fn unread_entries(&self) -> UnreadEntries {
        self.source.unread_entries()
    }

    /// Returns the number of contracts whose items are known only by code and sum.
    pub fn contracts_without_items(&self) -> u64 {
        self.source.contracts_without_items()
    }

    /// Returns all RNP entries of a supplier, including those no longer in force, ordered by
    /// registration date, then number, both descending.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
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

    /// Returns the RNP entry with this number, whether in force or not, and its supplier.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn rnp_entry(&self, number: &str) -> Result<Option<(SupplierRow, RnpEntry)>> {
        let Some((supplier, record)) = self.source.entry(number)? else {
            return Ok(None);
        };
        let entry = self.entry_of(&supplier.inn, &record)?;
        Ok(Some((supplier, entry)))
    }

    /// Returns the card of a purchase, if there is one.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn purchase(&self, number: &PurchaseNumber) -> Result<Option<Purchase>> {
        let mut purchase = None;
        self.source.card(number, &mut |record| {
            purchase = Some(self.purchase_of(number.as_str(), record)?);
            Ok(())
        })?;
        Ok(purchase)
    }

    /// Returns how many purchases under 223-FZ and PP-615 a supplier won, and the numbers of up to
    /// `limit` of them after the first `skip`, ordered by day, then number, both descending.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn purchases_won(&self, inn: &Inn, skip: u64, limit: u64) -> Result<(u64, Vec<String>)> {
        self.source.won(inn, skip, limit)
    }

    /// Passes the given purchases, which the supplier must have won, to `show`, in the order of
    /// `numbers`.
    ///
    /// # Errors
    /// See [`Database::show`].
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
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn sources(&self, number: &str) -> Result<Vec<SourceDocument>> {
        Ok(sources::select(number, &self.source.candidates(number)?))
    }

    /// Returns the suppliers under which a contract is listed, ordered by INN.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
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

    /// Returns the numbers of purchases under 223-FZ and PP-615 that led to the contract with this
    /// number, in ascending order.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn purchases_of_contract(&self, number: &str) -> Result<Vec<String>> {
        let mut purchases = self.source.purchases_of_contract(number)?;
        purchases.sort_unstable();
        Ok(purchases)
    }

    /// Returns up to `limit` suppliers and customers whose names match a query, best first.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn find_names(
        &self,
        query: &NameQuery,
        kinds: NameKinds<'_>,
        limit: usize,
    ) -> Result<NameMatches> {
        names::find_names(self.source(), query, kinds, limit)
    }

    /// Returns the oldest revision in the log. The log has all changes made after that revision.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn oldest_revision(&self) -> Result<u64> {
        let oldest = self.source.oldest_revision()?;
        oldest.ok_or_else(|| self.source.damaged("the log of changes has no revision"))
    }

    /// Returns a revision, or `None` if the log does not have it.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn revision(&self, revision: u64) -> Result<Option<Revision>> {
        self.source.revision(revision)
    }

    /// Returns the last revision in the log that was created before `time` (seconds since 1970).
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
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

    /// Returns whether the log has all changes after a cursor: the cursor must belong to this data
    /// or to an earlier state of it, and no change after its position may have been dropped.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    pub fn has_changes_since(&self, cursor: &ChangeCursor) -> Result<bool> {
        let state = self.revision(cursor.revision)?;
        let oldest = self.oldest_revision()?;
        let position = &cursor.position;
        // The log has all changes after the oldest revision, but not those made in that revision.
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
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn changes_after(&self, position: &LogPosition, limit: u64) -> Result<Vec<LoggedChange>> {
        self.source.changes_after(position, limit)
    }

    /// Returns the changes of a supplier after a position.
    ///
    /// # Errors
    /// Returns an error if the data is unreadable.
    #[inline]
    pub fn changes_of(
        &self,
        supplier: &SupplierRow,
        position: &LogPosition,
    ) -> Result<Vec<LoggedChange>> {
        self.source.changes_of(supplier, position)
    }

    /// Passes each supplier that has a row to `each`, in the order of insertion, until `each`
    /// returns an error. The caller must hold the data ([`Database::hold`]).
    ///
    /// # Errors
    /// Returns the error of `each`, or one if the data is unreadable.
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
    /// Returns the error of `each`, or one if the data is unreadable.
    pub fn purchases<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Purchase) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        scan(
            |each| self.source.purchases(each),
            |(number, record): &(String, Vec<u8>)| each(&self.purchase_of(number, record)?),
        )
    }

    /// Limits the number of contracts whose facets each of the following calls may read; `None`
    /// removes the limit. A call that would have to read more fails.
    pub fn read_at_most(&self, contracts: Option<u64>) {
        self.reading.begin(contracts);
    }

    /// Returns whether a call has failed since [`Database::read_at_most`] because it exceeded the
    /// limit.
    pub fn has_more_to_read(&self) -> bool {
        self.reading.has_more.get()
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }

    fn purchase_of(&self, number: &str, record: &[u8]) -> Result<Purchase> {
        read_purchase(number, record).map_err(|what| self.source.damaged(&what))
    }

    fn entry_of(&self, inn: &Inn, record: &[u8]) -> Result<RnpEntry> {
        read_entry(inn.as_str(), record).map_err(|what| self.source.damaged(&what))
    }
}

/// Number of ids that can be read in the time that it takes to read the facets of one contract.
const IDS_FOR_FACETS: u64 = 10;

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

    fn is_limited(&self) -> bool {
        self.at_most.get().is_some()
    }

    /// Returns how many ids to read per statement: `most`, or fewer if fewer suffice to find out
    /// that a call exceeds the limit. `ids_for_facets` ids count as one contract.
    fn at_once(&self, most: usize, ids_for_facets: u64) -> usize {
        let Some(contracts) = self.at_most.get() else {
            return most;
        };
        let enough = contracts.saturating_mul(ids_for_facets).saturating_add(1);
        usize::try_from(enough).map_or(most, |enough| enough.min(most))
    }

    /// Checks the limit, counting [`IDS_FOR_FACETS`] ids as one contract.
    fn allow_ids(&self, ids: u64) -> Result<()> {
        self.allow(ids / IDS_FOR_FACETS)
    }

    /// Checks that a call may read the facets of this many contracts.
    fn allow(&self, contracts: u64) -> Result<()> {
        if self.at_most.get().is_none_or(|most| contracts <= most) {
            return Ok(());
        }
        self.has_more.set(true);
        let what = "an answer from so many contracts has to wait for its turn";
        Err(Error::refused_by(&"the data", what))
    }
}

/// Runs a scan whose callback may fail with an error of another type.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bounded_call_reads_no_more_ids_than_it_takes_to_refuse_it() {
        let reading = Reading::default();
        let at_once = |at_most, ids_for_facets| {
            reading.begin(at_most);
            reading.at_once(1_000, ids_for_facets)
        };
        assert_eq!(at_once(None, 1), 1_000);
        assert_eq!(at_once(Some(20), 1), 21);
        assert!(reading.allow(21).is_err());
        assert_eq!(at_once(Some(20), IDS_FOR_FACETS), 201);
        assert!(reading.allow_ids(200).is_ok());
        assert_eq!(at_once(Some(1_000), 1), 1_000);
        assert_eq!(at_once(Some(u64::MAX), IDS_FOR_FACETS), 1_000);
    }
}
