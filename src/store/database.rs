//! The data that answers come from, wherever it is: a data file. What answers need of it is
//! here and no more; each is told of where it is read.

use std::path::Path;
use std::sync::Arc;

use super::ahead::Ahead;
use super::changes::Revision;
use super::data_file::{DataFile, DataVersion, RecordCounts};
use super::error::{Error, Result};
use super::postgresql::Cluster;
#[cfg(feature = "postgresql")]
use super::postgresql::ServerData;
use super::selection::{CustomerSelection, Selection};
use super::supplier_names::NameMatches;
use super::suppliers::KnownSupplier;
use crate::model::{
    ChangeCursor, ContractFilter, ContractOrder, ContractSummary, Coverage, EncodedContract, Inn,
    LogPosition, LoggedChange, Purchase, PurchaseNumber, Registries, RnpEntry, SourceDocument,
};

/// The data that answers come from.
#[derive(Debug)]
#[cfg_attr(
    feature = "postgresql",
    expect(clippy::large_enum_variant, reason = "there is one a worker")
)]
pub enum Database {
    /// A data file.
    File(DataFile),
    /// Servers that it was published to.
    #[cfg(feature = "postgresql")]
    Server(ServerData),
}

/// Asks whichever it is.
macro_rules! ask {
    ($database:expr, $source:ident => $answer:expr) => {
        match $database {
            Self::File($source) => $answer,
            #[cfg(feature = "postgresql")]
            Self::Server($source) => $answer,
        }
    };
}

impl Database {
    /// Opens an existing data file: [`DataFile::open`].
    ///
    /// # Errors
    /// Missing, foreign, of another format, or damaged: a sentence with the remedy.
    pub fn open(path: &Path) -> Result<Self> {
        DataFile::open(path).map(Self::File)
    }

    /// The same where this one is open: [`DataFile::open_another`].
    ///
    /// # Errors
    /// As [`Database::open`].
    pub fn open_another(&self, path: &Path) -> Result<Self> {
        match self {
            Self::File(file) => file.open_another(path).map(Self::File),
            #[cfg(feature = "postgresql")]
            Self::Server(_) => Self::open(path),
        }
    }

    /// The demonstration data that is part of the program, in memory.
    ///
    /// # Errors
    /// Only if the program was built with a damaged file.
    pub fn bundled() -> Result<Self> {
        DataFile::bundled().map(Self::File)
    }

    /// The data of these servers. Nobody is asked before an answer begins.
    #[cfg(feature = "postgresql")]
    pub fn on_server(cluster: &Arc<Cluster>) -> Self {
        Self::Server(ServerData::new(cluster))
    }

    /// The data of these servers: there are none.
    #[cfg(not(feature = "postgresql"))]
    pub fn on_server(cluster: &Arc<Cluster>) -> Self {
        cluster.none()
    }

    /// Is it the demonstration data?
    pub fn is_bundled(&self) -> bool {
        match self {
            Self::File(file) => file.is_bundled(),
            #[cfg(feature = "postgresql")]
            Self::Server(_) => false,
        }
    }

    /// Begins an answer, all of which is then of one state of the data. On servers it must
    /// come before anything else is asked.
    ///
    /// # Errors
    /// No server can be reached ([`Error::is_unreachable`]), or none has anything that can be
    /// answered from.
    #[inline]
    pub fn begin(&mut self, ahead: Ahead<'_>) -> Result<()> {
        match self {
            Self::File(_) => {
                let _ = ahead;
                Ok(())
            }
            #[cfg(feature = "postgresql")]
            Self::Server(server) => server.begin(ahead),
        }
    }

    /// Begins an answer that is of one state of the data however long it takes, whatever is
    /// published meanwhile: that of now, until another one begins. A file never moves.
    ///
    /// # Errors
    /// As [`Database::begin`].
    pub fn hold(&mut self) -> Result<()> {
        match self {
            Self::File(_) => Ok(()),
            #[cfg(feature = "postgresql")]
            Self::Server(server) => server.hold(),
        }
    }

    /// Has another state of the data taken the place of the one that the answer began with?
    /// Then what was asked last failed, and the answer is to be begun anew. A file never moves.
    #[inline]
    pub fn has_moved(&self) -> bool {
        match self {
            Self::File(_) => false,
            #[cfg(feature = "postgresql")]
            Self::Server(server) => server.has_moved(),
        }
    }

    /// The version of the data.
    #[inline]
    pub fn version(&self) -> DataVersion {
        ask!(self, source => source.version())
    }

    /// The state of the registries of unfair suppliers.
    #[inline]
    pub fn registries(&self) -> Registries {
        ask!(self, source => source.registries())
    }

    /// Counts the records, which may take seconds.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn counts(&self) -> Result<RecordCounts> {
        ask!(self, source => source.counts())
    }

    /// Which official documents were obtained: the runs of days, sorted and joined.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn coverage(&self) -> Result<Arc<[Coverage]>> {
        match self {
            Self::File(file) => Ok(file.coverage()?.into()),
            #[cfg(feature = "postgresql")]
            Self::Server(server) => server.coverage(),
        }
    }

    /// The supplier with this INN, if the data has it in any way. That alone does not make it
    /// known: see [`KnownSupplier::is_known`].
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn supplier(&self, inn: &Inn) -> Result<Option<KnownSupplier>> {
        ask!(self, source => source.supplier(inn))
    }

    /// The RNP entries of the supplier with this INN, of any date, in the order of the answer:
    /// by registration date, then number, both descending.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn rnp_entries(&self, inn: &Inn) -> Result<Vec<RnpEntry>> {
        ask!(self, source => source.rnp_entries(inn))
    }

    /// The RNP entry with this number, of any date, and its supplier.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn rnp_entry(&self, number: &str) -> Result<Option<(KnownSupplier, RnpEntry)>> {
        ask!(self, source => source.rnp_entry(number))
    }

    /// The card of a purchase, if there is one.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn purchase(&self, number: &PurchaseNumber) -> Result<Option<Purchase>> {
        ask!(self, source => source.purchase(number))
    }

    /// The documents that the answer about a number follows from, oldest first.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn sources(&self, number: &str) -> Result<Vec<SourceDocument>> {
        ask!(self, source => source.sources(number))
    }

    /// The suppliers that a contract is listed under, by INN.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn suppliers_of_contract(&self, reg_num: &str) -> Result<Vec<KnownSupplier>> {
        ask!(self, source => source.suppliers_of_contract(reg_num))
    }

    /// The suppliers whose names have `text`, which is as [`crate::model::name_part`] makes it,
    /// in them, up to `limit`.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn find_names(&self, text: &str, limit: usize) -> Result<NameMatches> {
        ask!(self, source => source.find_names(text, limit))
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
        ask!(self, source => source.select(supplier, filter, order, skip, limit))
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
        ask!(self, source => source.show(supplier, selection, show))
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
        ask!(self, source => source.select_of_customer(inn, filter, order, skip, limit))
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
        ask!(self, source => source.show_of_customer(selection, show))
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
        ask!(self, source => source.summary(supplier, filter))
    }

    /// The oldest revision that can be asked after: the log has all changes since it.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn oldest_revision(&self) -> Result<u64> {
        ask!(self, source => source.oldest_revision())
    }

    /// A revision; none if the log does not have it.
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn revision(&self, revision: u64) -> Result<Option<Revision>> {
        ask!(self, source => source.revision(revision))
    }

    /// The last revision in the log that was made before `time` (seconds since 1970).
    ///
    /// # Errors
    /// The data cannot be read.
    #[inline]
    pub fn revision_before(&self, time: i64) -> Result<Option<u64>> {
        ask!(self, source => source.revision_before(time))
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
        ask!(self, source => source.changes_after(position, limit))
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
        ask!(self, source => source.changes_of(supplier, position))
    }

    /// Passes each supplier that the data has in any way to `each`, in the order in which
    /// they came to it, until `each` ends it. The data must be held ([`Database::hold`]).
    ///
    /// # Errors
    /// The data cannot be read, or what `each` returns.
    pub fn suppliers<E: From<Error>>(
        &self,
        each: impl FnMut(&Inn, &KnownSupplier) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        ask!(self, source => source.suppliers(each))
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
        match self {
            Self::File(file) => file.contracts(supplier, 0, supplier.contracts, show),
            #[cfg(feature = "postgresql")]
            Self::Server(server) => server.contracts(supplier, show),
        }
    }

    /// Passes each purchase to `each`, in the order in which they came to the data, which must
    /// be held ([`Database::hold`]).
    ///
    /// # Errors
    /// The data cannot be read, or what `each` returns.
    pub fn purchases<E: From<Error>>(
        &self,
        each: impl FnMut(&Purchase) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        ask!(self, source => source.purchases(each))
    }
}
