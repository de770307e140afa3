//! Reading the data. A file never changes once it has its name, so what a connection has
//! open is one state of the data for as long as it is open.

use std::path::Path;

use rusqlite::{Connection, MAIN_DB};

use super::contract_id::contract_id;
use super::contract_record;
use super::error::{Error, Result};
use super::file::{DATA, prepared};
use super::open_file::OpenFile;
use super::record;
use super::registries::registries;
use super::row_sum::RowSum;
use super::tables::check_tables;
use crate::model::{EncodedContract, Inn, Purchase, PurchaseNumber, Registries, RnpEntry};

/// The demonstration data, made by `scripts/demo-data` from `data/demo`.
static BUNDLED: &[u8] = include_bytes!("../../data/demo.sqlite");

/// How the bundled data is called in messages.
const BUNDLED_NAME: &str = "(bundled demonstration data)";

/// A read-only connection to the data.
#[derive(Debug)]
pub struct Database {
    pub(super) file: OpenFile,
    version: DataVersion,
    registries: Registries,
}

/// Which data it is that answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DataVersion {
    /// A random number that each import that changes anything gives it anew.
    pub identity: i64,
    /// How many imports have changed anything.
    pub revision: i64,
    /// When that was last, in seconds since 1970.
    pub updated: i64,
}

/// A supplier the file has a row of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownSupplier {
    pub(super) id: i64,
    /// Its INN.
    pub inn: Inn,
    /// The name: as given in JSON Lines, else as official documents have it.
    pub name: String,
    /// How many contracts it has.
    pub contracts: u64,
    /// Was it given as a record of its own?
    pub stated: bool,
}

impl Database {
    /// Opens a file that exists, is of this program's kind and format, has whole pages, all
    /// tables, columns and indexes, and of which each table can be read at its beginning:
    /// that costs the same whatever its size. [`super::check`] reads all of it.
    ///
    /// # Errors
    /// Missing, foreign, of another format, or damaged: a sentence with the remedy.
    pub fn open(path: &Path) -> Result<Self> {
        let file = DATA.open_to_read(path)?;
        check_tables(&file)?;
        Self::with_file(file)
    }

    /// The demonstration data that is part of the program, in memory.
    ///
    /// # Errors
    /// Only if the program was built with a damaged file.
    pub fn bundled() -> Result<Self> {
        Self::from_image(Path::new(BUNDLED_NAME), BUNDLED)
    }

    /// A file that is held in memory, called `path` in messages.
    ///
    /// # Errors
    /// As [`Database::open`].
    #[doc(hidden)]
    pub fn from_image(path: &Path, image: &[u8]) -> Result<Self> {
        let image = Connection::open_in_memory()
            .and_then(prepared)
            .and_then(|mut connection| {
                connection.deserialize_read_exact(MAIN_DB, image, image.len(), true)?;
                Ok(connection)
            });
        let connection = image.map_err(|error| Error::sqlite(path, error))?;
        let file = OpenFile::new(connection, path);
        DATA.check(&file)?;
        Self::with_file(file)
    }

    fn with_file(file: OpenFile) -> Result<Self> {
        // One transaction for as long as it is open, so that no statement begins one.
        file.batch("BEGIN")?;
        Ok(Self {
            version: version(&file)?,
            registries: registries(&file)?,
            file,
        })
    }

    /// Which data it is.
    pub fn version(&self) -> DataVersion {
        self.version
    }

    /// What is known of the registries of unfair suppliers.
    pub fn registries(&self) -> Registries {
        self.registries
    }
}

/// Which data a file has.
pub(super) fn version(file: &OpenFile) -> Result<DataVersion> {
    let sql = "SELECT identity, revision, updated, sum FROM meta";
    let version = file.one(sql, (), |row| {
        let (identity, revision, updated) = (row.get(0)?, row.get(1)?, row.get(2)?);
        let sum = RowSum::default()
            .number(identity)
            .number(revision)
            .number(updated);
        let version = DataVersion {
            identity,
            revision,
            updated,
        };
        Ok((sum.finish() == row.get::<_, u32>(3)?).then_some(version))
    })?;
    let what = "the row that says which data this is is missing, or its checksum is wrong";
    version.flatten().ok_or_else(|| file.damaged(what))
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

impl Database {
    /// The supplier with this INN, if the file has a row of it. A row alone does
    /// not make it known: see [`KnownSupplier::is_known`].
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn supplier(&self, inn: &Inn) -> Result<Option<KnownSupplier>> {
        let sql = "SELECT id, contracts, stated, given_name, official_name, official_since, \
                   official_by, sum FROM supplier WHERE inn = ?1";
        let supplier = self
            .file
            .one(sql, [inn.as_str()], |row| known_supplier(inn, row))?;
        supplier.map_or(Ok(None), |supplier| {
            supplier
                .map(Some)
                .ok_or_else(|| self.file.damaged("a supplier's row: its checksum is wrong"))
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
        show: &mut dyn FnMut(&EncodedContract<'_>),
    ) -> Result<()> {
        let end = supplier.contracts.saturating_sub(skip);
        let start = end.saturating_sub(limit);
        let sql = "SELECT record FROM contract WHERE id >= ?1 AND id < ?2 ORDER BY id DESC";
        let id = |ordinal: u64| contract_id(supplier.id, ordinal);
        let mut count = 0;
        self.file.each_blob(sql, [id(start), id(end)], |bytes| {
            count += 1;
            // Not by way of a Result, which would move all of it.
            match contract_record::decode(bytes) {
                Some(contract) => show(&contract),
                None => return Err(record::not_a_contract(&self.file.path)),
            }
            Ok(())
        })?;
        match count == end - start {
            true => Ok(()),
            false => Err(self
                .file
                .damaged("a supplier has fewer contracts than it counts")),
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
        self.file.each_blob(sql, [supplier.id], |bytes| {
            entries.push(record::entry(
                &self.file.path,
                supplier.inn.as_str(),
                bytes,
            )?);
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
        self.file.each_blob(sql, [number.as_str()], |bytes| {
            purchase = Some(record::purchase(&self.file.path, number.as_str(), bytes)?);
            Ok(())
        })?;
        Ok(purchase)
    }
}

/// Reads `id, contracts, stated, given_name, official_name, official_since, official_by,
/// sum` of the supplier with that INN; none if the checksum is not that of the rest.
fn known_supplier(inn: &Inn, row: &rusqlite::Row<'_>) -> rusqlite::Result<Option<KnownSupplier>> {
    let text = |at| row.get_ref(at)?.as_str().map_err(rusqlite::Error::from);
    let (given, official, by) = (text(3)?, text(4)?, text(6)?);
    let (contracts, stated): (i64, i64) = (row.get(1)?, row.get(2)?);
    let sum = RowSum::default()
        .text(inn.as_str().as_bytes())
        .number(contracts)
        .number(stated)
        .text(given.as_bytes())
        .text(official.as_bytes())
        .number(row.get(5)?)
        .text(by.as_bytes());
    if sum.finish() != row.get::<_, u32>(7)? {
        return Ok(None);
    }
    Ok(Some(KnownSupplier {
        id: row.get(0)?,
        inn: inn.clone(),
        name: if given.is_empty() { official } else { given }.to_owned(),
        contracts: row.get(1)?,
        stated: stated != 0,
    }))
}
