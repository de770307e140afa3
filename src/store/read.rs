//! Reading the data: one connection, one consistent state at a time.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, MAIN_DB, OptionalExtension, Params};

use super::connection::Connected;
use super::contract_id::contract_id;
use super::contract_record;
use super::error::{Error, Result};
use super::file::DATA;
use super::record;
use super::tables::check_tables;
use super::wal_files;
use super::wal_index::{Head, WalIndex};
use crate::model::{Inn, KeptContract, Purchase, PurchaseNumber, RnpEntry};

/// The demonstration data, made by `scripts/demo-data` from `data/demo`.
static BUNDLED: &[u8] = include_bytes!("../../data/demo.sqlite");

/// How the bundled data is called in messages.
const BUNDLED_NAME: &str = "(bundled demonstration data)";

/// A read-only connection to the data.
#[derive(Debug)]
pub struct Database {
    // Before the index of its log: see there.
    connection: Connection,
    path: PathBuf,
    commits: Commits,
    /// The version that was read last.
    known: Option<Known>,
}

/// What tells that nothing was committed since.
#[derive(Debug)]
enum Commits {
    /// Nothing ever is.
    None,
    Seen(Arc<WalIndex>),
    /// Nothing tells.
    Unseen,
}

/// A version, and the head of the log's index before it was read.
#[derive(Debug)]
struct Known {
    head: Head,
    version: DataVersion,
}

impl Commits {
    fn head(&self) -> Option<Head> {
        match self {
            Self::None => Some([0; 96]),
            Self::Seen(index) => index.head(),
            Self::Unseen => None,
        }
    }
}

/// Which data it is that answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataVersion {
    /// Given to the file when it was made.
    pub identity: i64,
    /// Raised by each import that changes anything.
    pub revision: i64,
    /// When that was last, in seconds since 1970.
    pub updated: i64,
}

/// A supplier the file has a row of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSupplier {
    pub(super) id: i64,
    /// The name: as given in JSON Lines, else as official documents have it.
    pub name: String,
    /// How many contracts it has.
    pub contracts: u64,
    /// Was it given as a record of its own?
    pub stated: bool,
}

impl Database {
    /// Opens a file that exists, is of this program's kind and format.
    ///
    /// # Errors
    /// Missing, foreign, of another format, damaged, or locked: a sentence with
    /// the remedy.
    pub fn open(path: &Path) -> Result<Self> {
        wal_files::settle_leftovers(path)?;
        Self::connect(path)
    }

    /// Opens a file whose log is known to be its own.
    pub(super) fn connect(path: &Path) -> Result<Self> {
        let connection = DATA.open_to_read(path)?;
        Self::of_connection(connection, path, Commits::Unseen).tried()
    }

    /// The demonstration data that is part of the program, in memory.
    ///
    /// # Errors
    /// Only if the program was built with a damaged file.
    pub fn bundled() -> Result<Self> {
        Self::of_image(Path::new(BUNDLED_NAME), BUNDLED.to_vec())
    }

    /// A file that is held in memory, called `path` in messages.
    ///
    /// # Errors
    /// As [`Database::open`].
    #[doc(hidden)]
    pub fn of_image(path: &Path, mut image: Vec<u8>) -> Result<Self> {
        // In memory there is no write-ahead log: SQLite documents that the two
        // file format numbers in the header are to be set to 1 beforehand.
        if let Some(numbers) = image.get_mut(18..20) {
            numbers.fill(1);
        }
        let mut connection =
            Connection::open_in_memory().map_err(|error| Error::sqlite(path, error))?;
        connection
            .deserialize_read_exact(MAIN_DB, image.as_slice(), image.len(), true)
            .map_err(|error| Error::sqlite(path, error))?;
        connection.set_prepared_statement_cache_capacity(64);
        DATA.check(path, &connection)?;
        Self::of_connection(connection, path, Commits::None).tried()
    }

    fn of_connection(connection: Connection, path: &Path, commits: Commits) -> Self {
        Self {
            connection,
            path: path.to_owned(),
            commits,
            known: None,
        }
    }

    /// From now on it learns of commits by the index of its log, if it has a log.
    pub(super) fn watch(&mut self, index: Option<Arc<WalIndex>>) {
        let journal = self
            .connection
            .pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
        if let Some(index) = index
            && journal.is_ok_and(|journal| journal.eq_ignore_ascii_case("wal"))
        {
            self.commits = Commits::Seen(index);
        }
    }

    /// Is the file as `schema.sql` has it? It costs the same whatever its size.
    pub(super) fn check_tables(&self) -> Result<()> {
        check_tables(&self.path, &self.connection)
    }

    /// Reads once, so that a file that cannot be read is known at the start.
    fn tried(mut self) -> Result<Self> {
        self.snapshot()?.version()?;
        Ok(self)
    }

    /// Which data it is now. Where nothing was committed since this was last asked, it
    /// costs no more than a look at the index of the log.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn version(&mut self) -> Result<DataVersion> {
        // Before the version, so that a commit in between is seen the next time.
        let head = self.commits.head();
        if let (Some(head), Some(known)) = (&head, &self.known)
            && known.head == *head
        {
            return Ok(known.version);
        }
        let version = self.snapshot()?.version()?;
        self.known = head.map(|head| Known { head, version });
        Ok(version)
    }

    /// The state of the data now; it stays the same for as long as it is held.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn snapshot(&mut self) -> Result<Snapshot<'_>> {
        let snapshot = Snapshot {
            connection: &self.connection,
            path: &self.path,
        };
        if !self.connection.is_autocommit() {
            // The end of the one before failed.
            snapshot.run("ROLLBACK")?;
        }
        snapshot.run("BEGIN")?;
        Ok(snapshot)
    }
}

/// One consistent state of the data.
#[derive(Debug)]
pub struct Snapshot<'a> {
    pub(super) connection: &'a Connection,
    pub(super) path: &'a Path,
}

impl Drop for Snapshot<'_> {
    fn drop(&mut self) {
        // Where it fails the next one sees to it.
        let _ = self.run("COMMIT");
    }
}

impl KnownSupplier {
    /// Is it known: by a contract, one of its `entries` in the RNP (all of them, of any
    /// date), or a record of its own?
    pub fn is_known(&self, entries: &[RnpEntry]) -> bool {
        self.stated || self.contracts > 0 || !entries.is_empty()
    }

    pub(super) fn id(&self) -> i64 {
        self.id
    }
}

impl Snapshot<'_> {
    /// Which data this is.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn version(&self) -> Result<DataVersion> {
        let sql = "SELECT identity, revision, updated FROM meta";
        self.row(sql, (), |row| {
            Ok(DataVersion {
                identity: row.get(0)?,
                revision: row.get(1)?,
                updated: row.get(2)?,
            })
        })?
        .ok_or_else(|| Error::damaged(self.path, "the row that says which data this is is missing"))
    }

    /// The supplier with this INN, if the file has a row of it. A row alone does
    /// not make it known: see [`KnownSupplier::is_known`].
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn supplier(&self, inn: &Inn) -> Result<Option<KnownSupplier>> {
        let sql = "SELECT id, CASE WHEN given_name <> '' THEN given_name ELSE official_name END, \
                   contracts, stated FROM supplier WHERE inn = ?1";
        self.row(sql, [inn.as_str()], |row| {
            Ok(KnownSupplier {
                id: row.get(0)?,
                name: row.get(1)?,
                contracts: row.get(2)?,
                stated: row.get(3)?,
            })
        })
    }

    /// Gives up to `limit` contracts of a supplier, newest first, after the first `skip`,
    /// to `show`: by sign date, then registry number, both descending.
    ///
    /// # Errors
    /// The file cannot be read; some may have been given by then.
    pub fn contracts(
        &self,
        supplier: &KnownSupplier,
        skip: u64,
        limit: u64,
        show: &mut dyn FnMut(&KeptContract<'_>),
    ) -> Result<()> {
        let end = supplier.contracts.saturating_sub(skip);
        let start = end.saturating_sub(limit);
        let sql = "SELECT record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id DESC";
        self.contracts_of(sql, supplier, start..end, show)
    }

    /// Gives the contracts of these places to `show`, in the order of `sql`, whose
    /// parameters are the first row id and the one after the last.
    pub(super) fn contracts_of(
        &self,
        sql: &'static str,
        supplier: &KnownSupplier,
        places: Range<u64>,
        show: &mut dyn FnMut(&KeptContract<'_>),
    ) -> Result<()> {
        let id = |ordinal: u64| contract_id(supplier.id, ordinal);
        let mut count = 0;
        self.records(sql, [id(places.start), id(places.end)], |bytes| {
            count += 1;
            // Not by way of a Result, which would move all of it.
            match contract_record::decode(bytes) {
                Some(contract) => show(&contract),
                None => return Err(record::not_a_contract(self.path)),
            }
            Ok(())
        })?;
        if count == places.end - places.start {
            Ok(())
        } else {
            Err(Error::damaged(
                self.path,
                "a supplier has fewer contracts than it counts",
            ))
        }
    }

    /// The RNP entries of a supplier, of any date, in the order of the answer: by
    /// registration date, then number, both descending.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn rnp_entries(&self, supplier: &KnownSupplier) -> Result<Vec<RnpEntry>> {
        let sql = "SELECT record FROM rnp_entry WHERE supplier = ?1";
        let mut entries: Vec<RnpEntry> = Vec::new();
        self.records(sql, [supplier.id], |bytes| {
            entries.push(record::decode(self.path, bytes)?);
            Ok(())
        })?;
        entries.sort_by(|a, b| {
            let key =
                |entry: &RnpEntry| (entry.registration_date, entry.registration_number.clone());
            key(b).cmp(&key(a))
        });
        Ok(entries)
    }

    /// The card of a purchase, if there is one.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn purchase(&self, number: &PurchaseNumber) -> Result<Option<Purchase>> {
        let sql = "SELECT record FROM purchase WHERE number = ?1";
        let mut purchase = None;
        self.records(sql, [number.as_str()], |bytes| {
            purchase = Some(record::purchase(self.path, bytes)?);
            Ok(())
        })?;
        Ok(purchase)
    }

    pub(super) fn row<T>(
        &self,
        sql: &'static str,
        params: impl Params,
        read: impl FnOnce(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Option<T>> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.query_row(params, read).optional())
            .map_err(|error| Error::sqlite(self.path, error))
    }

    /// Gives the records in the first column of the rows to `each`.
    pub(super) fn records(
        &self,
        sql: &'static str,
        params: impl Params,
        each: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        self.connected().each_blob(sql, params, each)
    }

    pub(super) fn connected(&self) -> Connected<'_> {
        Connected {
            connection: self.connection,
            path: self.path,
        }
    }

    fn run(&self, sql: &'static str) -> Result<()> {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut statement| statement.execute(()))
            .map(drop)
            .map_err(|error| Error::sqlite(self.path, error))
    }
}
