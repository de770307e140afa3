//! Lines between two merges: they wait as sorted runs ([`super::runs`]), contracts once by
//! registry number, for their keys, and once by supplier and place, for their rows. So
//! each page of the file is written once a merge, in order, and not once for each contract
//! that happens to be on it; and a first import fills pages to their end.

use std::path::{Path, PathBuf};

use super::super::contract_rows::Place;
use super::super::error::{Error, Result};
use super::super::record;
use super::line::{EntryLine, PackedContract};
use super::runs::Sorter;
use super::sorted_lines::{self, About};

/// How much of the rows is in memory, in bytes: [`STAGED_BYTES`] are then up to 170 runs.
const ROWS_IN_MEMORY: usize = 48 << 20;

/// How much of the keys is in memory, in bytes.
const KEYS_IN_MEMORY: usize = 12 << 20;

/// How much of the other lines is in memory, in bytes.
const OTHERS_IN_MEMORY: usize = 12 << 20;

/// How much is staged, in bytes, before it is to be merged: some 12 million contracts.
/// It bounds the temporary files, the log beside the database, and what a killed import
/// loses.
pub(in crate::store) const STAGED_BYTES: u64 = 8 << 30;

/// The number of a row that is to go, in place of that of a line.
pub(in crate::store) const GONE: u64 = u64::MAX;

/// Lines that wait to be merged.
#[derive(Debug)]
pub(in crate::store) struct Staging {
    path: PathBuf,
    pub keys: Sorter,
    pub rows: Sorter,
    /// Lines other than contracts.
    pub others: Sorter,
    /// How many lines about contracts.
    pub lines: u64,
    bytes: u64,
}

/// A line in the order of registry numbers: what its key is to hold, and which line it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::store) struct StagedKey {
    pub supplier: i64,
    pub reg_num: String,
    pub sign_date: u32,
    pub digest: i64,
    pub line: u64,
}

/// A line in the order of suppliers and places.
#[derive(Debug)]
pub(in crate::store) struct StagedRow<'a> {
    pub supplier: i64,
    pub sign_date: u32,
    pub reg_num: &'a [u8],
    /// Which line it is, or [`GONE`].
    pub line: u64,
    pub record: &'a [u8],
}

impl Staging {
    /// None yet; `path` is that of the database, beside which the runs are kept.
    pub fn new(path: &Path) -> Self {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        Self {
            path: path.to_owned(),
            keys: Sorter::new(folder, KEYS_IN_MEMORY),
            rows: Sorter::new(folder, ROWS_IN_MEMORY),
            others: Sorter::new(folder, OTHERS_IN_MEMORY),
            lines: 0,
            bytes: 0,
        }
    }

    /// One that keeps only so many bytes of each in memory.
    #[cfg(test)]
    pub fn in_memory_of(path: &Path, most: usize) -> Self {
        let staging = Self::new(path);
        let folder = path.parent().unwrap_or(path);
        Self {
            keys: Sorter::new(folder, most),
            rows: Sorter::new(folder, most),
            ..staging
        }
    }

    /// Is so much staged that it is to be merged?
    pub fn is_full(&self) -> bool {
        self.bytes >= STAGED_BYTES
    }

    /// Takes a line about a contract of this supplier in.
    pub fn add(&mut self, supplier: i64, contract: &PackedContract) -> Result<()> {
        let reg_num = contract.place.reg_num.as_str();
        let line = self.lines.to_le_bytes();
        let (number, text);
        // In the order of the index, which has integers before texts.
        let (kind, order): (u8, &[u8]) = if let Some(digits) = as_number(reg_num) {
            number = (digits.cast_unsigned() ^ (1 << 63)).to_be_bytes();
            (0, &number)
        } else {
            text = ordered(reg_num);
            (1, &text)
        };
        let key_body: [&[u8]; 4] = [
            &line,
            &contract.place.sign_date.to_le_bytes(),
            &contract.digest.to_le_bytes(),
            reg_num.as_bytes(),
        ];
        self.keys
            .push(&[&[kind], order, &supplier.to_be_bytes()], &key_body)
            .map_err(|error| no_room(&self.path, &error))?;
        self.lines += 1;
        self.bytes += (contract.record.len() + 2 * reg_num.len()) as u64;
        self.push_row(supplier, &contract.place, &line, &contract.record)
    }

    /// Takes in what another line says.
    pub fn add_other(&mut self, about: &About, value: &[u8]) -> Result<()> {
        self.bytes += value.len() as u64;
        sorted_lines::push(&mut self.others, about, value)
            .map_err(|error| no_room(&self.path, &error))
    }

    /// Takes an RNP entry in.
    pub fn add_entry(&mut self, number: String, entry: &EntryLine) -> Result<()> {
        let value = record::encode(&self.path, entry)?;
        self.add_other(&About::RnpEntry(number), &value)
    }

    /// The row at `place` is to go.
    pub fn remove(&mut self, supplier: i64, place: &Place) -> Result<()> {
        self.push_row(supplier, place, &GONE.to_le_bytes(), &[])
    }

    fn push_row(
        &mut self,
        supplier: i64,
        place: &Place,
        line: &[u8; 8],
        record: &[u8],
    ) -> Result<()> {
        let key: [&[u8]; 3] = [
            &supplier.to_be_bytes(),
            &place.sign_date.to_be_bytes(),
            place.reg_num.as_bytes(),
        ];
        self.rows
            .push(&key, &[line, record])
            .map_err(|error| no_room(&self.path, &error))
    }
}

impl StagedKey {
    /// That of an item of [`Staging::keys`].
    pub fn read(key: &[u8], body: &[u8]) -> Option<Self> {
        let supplier = i64::from_be_bytes(*key.last_chunk()?);
        let (line, body) = body.split_first_chunk()?;
        let (sign_date, body) = body.split_first_chunk()?;
        let (digest, reg_num) = body.split_first_chunk()?;
        Some(Self {
            supplier,
            reg_num: std::str::from_utf8(reg_num).ok()?.to_owned(),
            sign_date: u32::from_le_bytes(*sign_date),
            digest: i64::from_le_bytes(*digest),
            line: u64::from_le_bytes(*line),
        })
    }
}

impl<'a> StagedRow<'a> {
    /// That of an item of [`Staging::rows`].
    pub fn read(key: &'a [u8], body: &'a [u8]) -> Option<Self> {
        let (supplier, key) = key.split_first_chunk()?;
        let (sign_date, reg_num) = key.split_first_chunk()?;
        let (line, record) = body.split_first_chunk()?;
        Some(Self {
            supplier: i64::from_be_bytes(*supplier),
            sign_date: u32::from_be_bytes(*sign_date),
            reg_num,
            line: u64::from_le_bytes(*line),
            record,
        })
    }
}

/// A registry number of 19 digits, as they all are in the registry, as the number that
/// the file keeps in its place (`schema.sql`); others are kept as texts.
pub(in crate::store) fn as_number(reg_num: &str) -> Option<i64> {
    let is_number = reg_num.len() == 19 && reg_num.bytes().all(|byte| byte.is_ascii_digit());
    // Below 2^64; the upper half is kept as negative numbers.
    let number = is_number.then(|| reg_num.parse::<u64>().ok())?;
    number.map(u64::cast_signed)
}

/// Bytes that compare as the text does, whatever follows them.
fn ordered(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() + 2);
    for &byte in text.as_bytes() {
        bytes.push(byte);
        if byte == 0 {
            bytes.push(0xff);
        }
    }
    bytes.extend_from_slice(&[0, 0]);
    bytes
}

/// What was staged comes back as something else.
pub(super) fn torn(path: &Path) -> Error {
    Error::refused(path, "the temporary file beside it was changed; try again")
}

/// The temporary file cannot be written or read.
pub(in crate::store) fn no_room(path: &Path, error: &std::io::Error) -> Error {
    Error::refused(
        path,
        format!(
            "the temporary file beside it cannot be used: {error}; check that the folder can be written and that the disk is not full"
        ),
    )
}
