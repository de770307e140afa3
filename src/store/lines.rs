//! Staging of JSON Lines. The parsing threads pack lines; then they wait as sorted runs (`sorter`),
//! which brings lines about one subject together. Contracts are sorted twice: by registry number,
//! for their keys, and by supplier and position, for their rows (`line_merge`). So each page of the
//! file is written once per merge, in order. A large supplier with unordered lines costs no more
//! than another, and a first import fills its pages.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::building::folder_of;
use super::contracts::ContractPosition;
use super::error::{Error, Result};
use super::file::OpenFile;
use super::record;
use super::sorter::Sorter;
use super::suppliers::SupplierIds;
use crate::model::{
    Contract, Coverage, Date, Inn, Purchase, PurchaseNumber, Regime, RnpEntry, Supplier,
};

/// The name in messages for the source of a record that cannot be stored.
const SOURCE: &str = "a line";

/// A line, packed for the store.
#[derive(Debug)]
pub struct PackedLine(pub(super) LineContent);

#[derive(Debug)]
pub(super) enum LineContent {
    Contract(Supplier, PackedContract),
    Purchase(Regime, String, Vec<u8>),
    RnpEntry(Supplier, String, EntryLine),
    Supplier(Supplier),
    /// The registry of a law is complete as of a day.
    Registry(Regime, Date),
    Coverage(Coverage),
}

#[derive(Debug)]
pub(super) struct PackedContract {
    pub position: ContractPosition,
    pub digest: i64,
    pub record: Vec<u8>,
}

/// An RNP entry and its supplier.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct EntryLine {
    pub inn: Inn,
    pub federal_law: String,
    pub record: Vec<u8>,
}

impl PackedLine {
    /// A supplier's contract.
    pub fn contract(supplier: Supplier, contract: &Contract) -> Self {
        let record = record::encode_contract(&supplier.inn, contract);
        let contract = PackedContract {
            position: ContractPosition::new(contract),
            digest: record::digest(&record),
            record,
        };
        Self(LineContent::Contract(supplier, contract))
    }

    /// A purchase.
    ///
    /// # Errors
    /// Its card is too large.
    pub fn purchase(purchase: &Purchase) -> Result<Self> {
        let number = purchase.number();
        let source = Path::new(SOURCE);
        let record = record::encode_purchase(source, purchase)?;
        let record = record.ok_or_else(|| Error::refused(source, too_large(number.as_str())))?;
        let packed = LineContent::Purchase(number.regime(), number.to_string(), record);
        Ok(Self(packed))
    }

    /// An RNP entry about a supplier.
    ///
    /// # Errors
    /// It cannot be encoded.
    pub fn rnp_entry(supplier: Supplier, entry: &RnpEntry) -> Result<Self> {
        let line = EntryLine {
            inn: supplier.inn.clone(),
            federal_law: entry.federal_law.clone(),
            record: record::encode_entry(Path::new(SOURCE), &supplier.inn, entry)?,
        };
        let number = entry.registration_number.clone();
        Ok(Self(LineContent::RnpEntry(supplier, number, line)))
    }

    /// A supplier itself.
    pub fn supplier(supplier: Supplier) -> Self {
        Self(LineContent::Supplier(supplier))
    }

    /// A declaration that a law's registry of unfair suppliers is complete as of a day.
    pub fn registry(law: Regime, complete_as_of: Date) -> Self {
        Self(LineContent::Registry(law, complete_as_of))
    }

    /// A run of days whose official documents were obtained.
    pub fn coverage(run: Coverage) -> Self {
        Self(LineContent::Coverage(run))
    }

    /// Returns the kind under which it is counted.
    pub fn kind(&self) -> &'static str {
        match &self.0 {
            LineContent::Contract(..) => CONTRACT_KIND,
            LineContent::Purchase(regime, ..) => purchase_kind(*regime),
            LineContent::RnpEntry(..) => ENTRY_KIND,
            LineContent::Supplier(_) => SUPPLIER_KIND,
            LineContent::Registry(..) => REGISTRY_KIND,
            LineContent::Coverage(_) => COVERAGE_KIND,
        }
    }

    /// Returns its estimated memory, in bytes.
    pub fn weight(&self) -> usize {
        const OVERHEAD: usize = 400;
        let bytes = match &self.0 {
            LineContent::Contract(_, contract) => contract.record.capacity(),
            LineContent::Purchase(_, _, record) => record.capacity(),
            LineContent::RnpEntry(_, _, entry) => entry.record.capacity(),
            LineContent::Supplier(_) | LineContent::Registry(..) | LineContent::Coverage(_) => 0,
        };
        bytes + OVERHEAD
    }
}

/// The error of a purchase whose card is larger than [`record::MAX_CARD`].
pub(super) fn too_large(number: &str) -> String {
    let most = record::MAX_CARD >> 20;
    format!("purchase {number}: its card would be larger than {most} MiB")
}

/// The kind of lines about contracts.
pub(super) const CONTRACT_KIND: &str = "contract (JSON line)";
/// The kind of lines about RNP entries.
pub(super) const ENTRY_KIND: &str = "rnpEntry (JSON line)";
/// The kind of lines about suppliers.
pub(super) const SUPPLIER_KIND: &str = "supplier (JSON line)";
/// The kind of lines about registries.
pub(super) const REGISTRY_KIND: &str = "registry (JSON line)";
/// The kind of lines about coverage.
pub(super) const COVERAGE_KIND: &str = "coverage (JSON line)";

/// The kind of lines about purchases of a law.
pub(super) fn purchase_kind(regime: Regime) -> &'static str {
    match regime {
        Regime::Fz44 => "purchase44 (JSON line)",
        Regime::Fz223 => "purchase223 (JSON line)",
        Regime::Pp615 => "purchase615 (JSON line)",
    }
}

/// The size of the staged lines at which they are merged, in bytes: some 12 million contracts. It
/// bounds the temporary files, the journal, and the loss when an import is killed.
pub const STAGED_BYTES: u64 = 8 << 30;

/// The size of the rows in memory, in bytes: [`STAGED_BYTES`] then make up to 170 runs.
const ROWS_IN_MEMORY: usize = 48 << 20;

/// The size of the keys in memory, in bytes; the other lines have the same bound.
const KEYS_IN_MEMORY: usize = 12 << 20;

/// The line number of a row that removes a contract.
pub(super) const GONE: u64 = u64::MAX;

/// Lines waiting to be merged.
#[derive(Debug)]
pub(super) struct Staging {
    path: PathBuf,
    /// Contracts, by registry number and supplier.
    pub keys: Sorter,
    /// Contracts, by supplier and position.
    pub rows: Sorter,
    /// Lines other than contracts, by subject.
    pub others: Sorter,
    /// The number of lines about contracts.
    pub contracts: u64,
    bytes: u64,
    supplier_ids: SupplierIds,
}

/// A line in the order of registry numbers: the contents of its key, and the number of the
/// line.
#[derive(Clone, Debug)]
pub(super) struct StagedKey {
    pub supplier: i64,
    pub reg_num: String,
    pub sign_date: u32,
    pub digest: i64,
    pub line: u64,
}

/// A line in the order of suppliers and positions.
#[derive(Debug)]
pub(super) struct StagedRow<'a> {
    pub supplier: i64,
    pub position: ContractPosition,
    /// The number of the line, or [`GONE`].
    pub line: u64,
    pub record: &'a [u8],
}

/// The subject of lines other than contracts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LineSubject {
    /// The name of a supplier, in a line of any kind.
    Name(Inn),
    /// A supplier itself.
    Supplier(Inn),
    /// An RNP entry, by its registration number.
    RnpEntry(String),
    /// A purchase, by its number.
    Purchase(String),
}

impl LineSubject {
    /// Returns the kind under which the lines are counted; none if they are counted elsewhere.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Name(_) => None,
            Self::Supplier(_) => Some(SUPPLIER_KIND),
            Self::RnpEntry(_) => Some(ENTRY_KIND),
            Self::Purchase(number) => {
                PurchaseNumber::parse(number).map(|number| purchase_kind(number.regime()))
            }
        }
    }

    fn to_key(&self) -> (u8, &str) {
        match self {
            Self::Name(inn) => (0, inn.key()),
            Self::Supplier(inn) => (1, inn.as_str()),
            Self::RnpEntry(number) => (2, number),
            Self::Purchase(number) => (3, number),
        }
    }

    /// Reads the key of an item of [`Staging::others`].
    pub fn from_key(key: &[u8]) -> Option<Self> {
        let (kind, text) = key.split_first()?;
        let text = std::str::from_utf8(text).ok()?;
        match kind {
            0 => Inn::from_stored(text).map(Self::Name),
            1 => Inn::parse(text).map(Self::Supplier),
            2 => Some(Self::RnpEntry(text.to_owned())),
            3 => Some(Self::Purchase(text.to_owned())),
            _ => None,
        }
    }
}

impl Staging {
    /// Returns an empty one. `path` is that of the database; the runs are stored beside it.
    pub fn new(path: &Path) -> Self {
        let sorter = |in_memory| Sorter::new(folder_of(path), in_memory);
        Self {
            path: path.to_owned(),
            keys: sorter(KEYS_IN_MEMORY),
            rows: sorter(ROWS_IN_MEMORY),
            others: sorter(KEYS_IN_MEMORY),
            contracts: 0,
            bytes: 0,
            supplier_ids: SupplierIds::default(),
        }
    }

    /// Returns one with a smaller bound on the contracts in memory.
    #[cfg(test)]
    pub fn in_memory_of(path: &Path, most: usize) -> Self {
        let sorter = || Sorter::new(folder_of(path), most);
        Self {
            keys: sorter(),
            rows: sorter(),
            ..Self::new(path)
        }
    }

    /// Returns whether a merge is due.
    pub fn is_full(&self) -> bool {
        self.bytes >= STAGED_BYTES
    }

    /// Adds a line.
    pub fn add(&mut self, db: &OpenFile, line: LineContent) -> Result<()> {
        match line {
            LineContent::Contract(supplier, contract) => {
                let id = self.named(db, &supplier)?;
                self.add_contract(id, &contract)
            }
            LineContent::Purchase(_, number, record) => {
                self.add_other(&LineSubject::Purchase(number), &record)
            }
            LineContent::RnpEntry(supplier, number, entry) => {
                if !supplier.inn.is_none() {
                    self.named(db, &supplier)?;
                }
                let value = record::encode(&self.path, &entry)?;
                self.add_other(&LineSubject::RnpEntry(number), &value)
            }
            LineContent::Supplier(supplier) => {
                self.named(db, &supplier)?;
                self.add_other(&LineSubject::Supplier(supplier.inn), &[])
            }
            // The writer holds these (`registries.rs`, `coverage.rs`).
            LineContent::Registry(..) | LineContent::Coverage(_) => Ok(()),
        }
    }

    /// Returns the id of a supplier, and stages the name in its line.
    fn named(&mut self, db: &OpenFile, supplier: &Supplier) -> Result<i64> {
        let (id, is_renamed) = self.supplier_ids.find(db, supplier)?;
        if is_renamed {
            let about = LineSubject::Name(supplier.inn.clone());
            self.add_other(&about, supplier.name.as_bytes())?;
        }
        Ok(id)
    }

    /// Adds a line about a contract of the supplier with this id.
    pub fn add_contract(&mut self, supplier: i64, contract: &PackedContract) -> Result<()> {
        let reg_num = contract.position.reg_num.as_str();
        let line = self.contracts.to_le_bytes();
        let body: [&[u8]; 4] = [
            &line,
            &supplier.to_le_bytes(),
            &contract.position.sign_date.to_le_bytes(),
            &contract.digest.to_le_bytes(),
        ];
        // Nearly the order of the index: the supplier follows the text.
        let key: [&[u8]; 3] = [reg_num.as_bytes(), &[0], &supplier.to_be_bytes()];
        let pushed = self.keys.push(&key, &body);
        pushed.map_err(|error| no_room(&self.path, &error))?;
        self.contracts += 1;
        self.bytes += (contract.record.len() + 2 * reg_num.len()) as u64;
        self.push_row(supplier, &contract.position, &line, &contract.record)
    }

    fn add_other(&mut self, about: &LineSubject, value: &[u8]) -> Result<()> {
        let (kind, text) = about.to_key();
        self.bytes += value.len() as u64;
        let pushed = self.others.push(&[&[kind], text.as_bytes()], &[value]);
        pushed.map_err(|error| no_room(&self.path, &error))
    }

    /// Stages the removal of the row at `position`.
    pub fn remove(&mut self, supplier: i64, position: &ContractPosition) -> Result<()> {
        self.push_row(supplier, position, &GONE.to_le_bytes(), &[])
    }

    fn push_row(
        &mut self,
        supplier: i64,
        position: &ContractPosition,
        line: &[u8; 8],
        record: &[u8],
    ) -> Result<()> {
        let key: [&[u8]; 3] = [
            &supplier.to_be_bytes(),
            &position.sign_date.to_be_bytes(),
            position.reg_num.as_bytes(),
        ];
        let pushed = self.rows.push(&key, &[line, record]);
        pushed.map_err(|error| no_room(&self.path, &error))
    }
}

impl StagedKey {
    /// Reads an item of [`Staging::keys`].
    pub fn read(key: &[u8], body: &[u8]) -> Option<Self> {
        let reg_num = key.get(..key.len().checked_sub(9)?)?;
        let (line, body) = body.split_first_chunk()?;
        let (supplier, body) = body.split_first_chunk()?;
        let (sign_date, digest) = body.split_first_chunk()?;
        Some(Self {
            supplier: i64::from_le_bytes(*supplier),
            reg_num: std::str::from_utf8(reg_num).ok()?.to_owned(),
            sign_date: u32::from_le_bytes(*sign_date),
            digest: i64::from_le_bytes(*digest.first_chunk()?),
            line: u64::from_le_bytes(*line),
        })
    }
}

impl<'a> StagedRow<'a> {
    /// Reads an item of [`Staging::rows`].
    pub fn read(key: &[u8], body: &'a [u8]) -> Option<Self> {
        let (supplier, key) = key.split_first_chunk()?;
        let (sign_date, reg_num) = key.split_first_chunk()?;
        let (line, record) = body.split_first_chunk()?;
        Some(Self {
            supplier: i64::from_be_bytes(*supplier),
            position: ContractPosition {
                sign_date: u32::from_be_bytes(*sign_date),
                reg_num: std::str::from_utf8(reg_num).ok()?.to_owned(),
            },
            line: u64::from_le_bytes(*line),
            record,
        })
    }
}

/// The error of staged lines that cannot be read back.
pub(super) fn torn(path: &Path) -> Error {
    Error::refused(path, "the temporary file beside it was changed; try again")
}

/// The error of a temporary file that cannot be written or read.
pub(super) fn no_room(path: &Path, error: &std::io::Error) -> Error {
    Error::refused(
        path,
        format!(
            "the temporary file beside it cannot be used: {error}; check that the folder can be written and that the disk is not full"
        ),
    )
}
