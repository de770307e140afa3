//! The core: all answers from the data, over the primitives of a source ([`Source`]), of which
//! there are two: a data file, and servers that it was published to. Filters, orders and ties,
//! pages, sums, finding by names, the log of changes, records and what damage means are here,
//! once.
//!
//! | file | what |
//! |---|---|
//! | `source` | what a source must supply |
//! | `columns`, `filter` | the columns that contracts are filtered, ordered and summed up by; filters as conditions |
//! | `facets`, `pages`, `summary` | the facets that match; pages and sums over them |
//! | `names`, `sources` | what is found by a name; the documents that an answer follows from |
//! | `prefetch` | what an answer is known to need when it begins |

pub(in crate::store) mod columns;
mod facets;
mod filter;
mod names;
mod pages;
mod prefetch;
mod source;
mod sources;
mod summary;

use std::path::Path;
use std::sync::Arc;

use super::changes::Revision;
use super::data_file::{DataFile, DataVersion, RecordCounts};
use super::error::{Error, Result};
use super::record::{read_entry, read_purchase};
use super::suppliers::KnownSupplier;
use crate::model::{
    ChangeCursor, ContractFilter, ContractOrder, ContractSummary, Coverage, EncodedContract, Inn,
    LogPosition, LoggedChange, NameQuery, Purchase, PurchaseNumber, Registries, RnpEntry,
    SourceDocument, WonPurchase,
};

pub(in crate::store) use columns::{FacetColumn, FacetRow, FacetValue};
pub(in crate::store) use filter::Condition;
pub use names::{NameKinds, NameMatch, NameMatches, NameOwner};
pub(in crate::store) use pages::NewestName;
pub use pages::{CustomerSelection, Selection};
pub use prefetch::Prefetch;
pub(in crate::store) use source::{
    EachFacets, EachName, EachOf, EachRecord, NameRow, Owner, ScanEnd, Source,
};
pub(in crate::store) use sources::Candidates;

/// The data that answers come from: a data file, or servers.
#[derive(Debug)]
pub struct Database {
    source: Box<dyn Source>,
}

impl Database {
    /// The data of a source.
    pub(in crate::store) fn new(source: impl Source + 'static) -> Self {
        Self {
            source: Box::new(source),
        }
    }

    /// Opens an existing data file: [`DataFile::open`].
    ///
    /// # Errors
    /// Missing, foreign, of another format, or damaged: a sentence with the remedy.
    pub fn open(path: &Path) -> Result<Self> {
        DataFile::open(path).map(Self::new)
    }

    /// The same where this one is open: [`DataFile::open_another`].
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn open_another(&self, path: &Path) -> Result<Self> {
        match self.source.as_file() {
            Some(file) => file.open_another(path).map(Self::new),
            None => Self::open(path),
        }
    }

    /// The demonstration data that is part of the program, in memory.
    ///
    /// # Errors
    /// Only if the program was built with a damaged file.
    pub fn bundled() -> Result<Self> {
        DataFile::bundled().map(Self::new)
    }

    /// Is it the demonstration data?
    pub fn is_bundled(&self) -> bool {
        self.source.as_file().is_some_and(DataFile::is_bundled)
    }

    /// Begins an answer, all of which is then of one state of the data. On servers it must
    /// come before anything else is asked.
    ///
    /// # Errors
    /// No server can be reached ([`Error::is_unreachable`]), or none has anything that can be
    /// answered from.
    #[inline]
    pub fn begin(&mut self, prefetch: Prefetch<'_>) -> Result<()> {
        self.source.begin(prefetch)
    }

    /// Begins an answer that is of one state of the data however long it takes, whatever is
    /// published meanwhile: that of now, until another one begins. A file never moves.
    ///
    /// # Errors
    /// As [`Database::begin`].
    pub fn hold(&mut self) -> Result<()> {
        self.source.hold()
    }

    /// Has another state of the data taken the place of the one that the answer began with?
    /// Then what was asked last failed, and the answer is to be begun anew. A file never moves.
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

    /// Which official documents were obtained: the runs of days, sorted and joined.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn coverage(&self) -> Result<Arc<[Coverage]>> {
        self.source.coverage()
    }

    /// The supplier with this INN, if the data has it in any way. That alone does not make it
    /// known: see [`KnownSupplier::is_known`].
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn supplier(&self, inn: &Inn) -> Result<Option<KnownSupplier>> {
        self.source.supplier(inn)
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
    pub fn rnp_entry(&self, number: &str) -> Result<Option<(KnownSupplier, RnpEntry)>> {
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

    /// How many purchases under 223-FZ and PP-615 the supplier with this INN won, and the numbers
    /// of up to `limit` of them after the first `skip`: by day, then number, both descending.
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

    /// The documents that the answer about a number follows from, oldest first.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn sources(&self, number: &str) -> Result<Vec<SourceDocument>> {
        Ok(sources::select(number, &self.source.candidates(number)?))
    }

    /// The suppliers that a contract is listed under, by INN.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn suppliers_of_contract(&self, reg_num: &str) -> Result<Vec<KnownSupplier>> {
        let mut suppliers = self.source.suppliers_of_contract(reg_num)?;
        suppliers.sort_by(|a, b| a.inn.cmp(&b.inn));
        Ok(suppliers)
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

    /// Selects up to `limit` of a supplier's contracts that match `filter`, in the given order,
    /// after the first `skip`.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn select(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<Selection> {
        pages::select(self.source(), supplier, filter, order, skip, limit)
    }

    /// Passes the contracts of a selection to `show`, in its order.
    ///
    /// # Errors
    /// The data cannot be read; `show` may have seen some contracts by then.
    #[inline]
    pub fn show(
        &self,
        supplier: &KnownSupplier,
        selection: &Selection,
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        pages::show(self.source(), supplier, selection, show)
    }

    /// Selects up to `limit` of a customer's contracts that match `filter`, in the given order,
    /// after the first `skip`; contracts that are equal in it by registry number, then by the
    /// supplier's INN, in the same direction.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn select_of_customer(
        &self,
        inn: &str,
        filter: &ContractFilter,
        order: ContractOrder,
        skip: u64,
        limit: u64,
    ) -> Result<CustomerSelection> {
        pages::select_of_customer(self.source(), inn, filter, order, skip, limit)
    }

    /// Passes the contracts of a selection, each with its supplier, to `show`, in its order.
    ///
    /// # Errors
    /// As [`Database::show`].
    #[inline]
    pub fn show_of_customer(
        &self,
        selection: &CustomerSelection,
        show: &mut dyn FnMut(&KnownSupplier, &EncodedContract<'_>),
    ) -> Result<()> {
        pages::show_of_customer(self.source(), selection, show)
    }

    /// Sums up those of a supplier's contracts that match `filter`.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn summary(
        &self,
        supplier: &KnownSupplier,
        filter: &ContractFilter,
    ) -> Result<ContractSummary> {
        summary::summary(self.source(), supplier, filter)
    }

    /// The oldest revision that can be asked after: the log has all changes since it.
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

    /// The cursor of a position in the log, which this data has read up to there.
    pub fn cursor_at(&self, position: LogPosition) -> ChangeCursor {
        let version = self.version();
        ChangeCursor {
            identity: version.identity,
            revision: version.revision.unsigned_abs(),
            position,
        }
    }

    /// Whether the log has all changes after a cursor: the cursor's state of the data is this
    /// one or led to it, and nothing after the position was dropped.
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

    /// Up to `limit` changes after a position, in the order of the log: by revision, within one
    /// always in the same order.
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
        supplier: &KnownSupplier,
        position: &LogPosition,
    ) -> Result<Vec<LoggedChange>> {
        self.source.changes_of(supplier, position)
    }

    /// Passes each supplier that the data has in any way to `each`, in the order in which
    /// they came to it, until `each` ends it. The data must be held ([`Database::hold`]).
    ///
    /// # Errors
    /// The data cannot be read, or what `each` returns.
    pub fn suppliers<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Inn, &KnownSupplier) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        scan(
            |each| self.source.suppliers(each),
            |supplier: &KnownSupplier| each(&supplier.inn, supplier),
        )
    }

    /// Passes all contracts of a supplier to `show`, newest first: by sign date, then registry
    /// number, both descending.
    ///
    /// # Errors
    /// The data cannot be read; `show` may have seen some contracts by then.
    pub fn contracts(
        &self,
        supplier: &KnownSupplier,
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        let all = supplier.contracts;
        pages::show_newest(self.source(), supplier, 0, all, show)
    }

    /// Passes each purchase to `each`, in the order in which they came to the data, which must
    /// be held ([`Database::hold`]).
    ///
    /// # Errors
    /// The data cannot be read, or what `each` returns.
    pub fn purchases<E: From<Error>>(
        &self,
        mut each: impl FnMut(&Purchase) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        scan(
            |each| self.source.purchases(each),
            |(number, record): &(String, Vec<u8>)| each(&self.purchase_of(number, record)?),
        )
    }

    fn source(&self) -> &dyn Source {
        &*self.source
    }

    /// The purchase with this number of a record.
    fn purchase_of(&self, number: &str, record: &[u8]) -> Result<Purchase> {
        read_purchase(number, record).map_err(|what| self.source.damaged(&what))
    }

    /// The RNP entry of a record about the supplier with this INN.
    fn entry_of(&self, inn: &Inn, record: &[u8]) -> Result<RnpEntry> {
        read_entry(inn.as_str(), record).map_err(|what| self.source.damaged(&what))
    }
}

/// Runs a scan, whose things it passes to `each` until that fails.
fn scan<T, E: From<Error>>(
    scan: impl FnOnce(EachOf<'_, T>) -> std::result::Result<(), ScanEnd>,
    mut each: impl FnMut(&T) -> std::result::Result<(), E>,
) -> std::result::Result<(), E> {
    let mut ended = Ok(());
    let outcome = scan(&mut |one| {
        each(one).map_err(|error| {
            ended = Err(error);
            ScanEnd::ByCaller
        })
    });
    match outcome {
        Err(ScanEnd::Failed(error)) => Err(error.into()),
        Err(ScanEnd::ByCaller) | Ok(()) => ended,
    }
}
