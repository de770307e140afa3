//! Records as stored bytes in postcard, a compact serde format. Contracts have their own format, as
//! a page has 200 of them (`model/encoded_contract.rs`); purchases are compressed.
//!
//! The column `sum` of a row is the checksum of its other columns ([`RowChecksum`], in SQL the
//! function `row_sum`). A record that PostgreSQL has as well (a contract, a purchase, an RNP entry)
//! ends with a checksum of its bytes and its owner, an INN or a number ([`seal`]), which is verified
//! before it is served. So a row or a record that was damaged, edited,
//! or moved to another owner is found. Keys and facets of contracts, and searched names, have no
//! checksum, as they follow from other rows. Reading proves only that a supplier has as many rows of
//! facets as contracts; `check` finds a change within such a row.

use std::borrow::Cow;
use std::cell::RefCell;
use std::io;
use std::path::Path;

use rusqlite::Connection;
use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::ValueRef;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use zstd::bulk::{Compressor, Decompressor};

use super::error::{Error, Result};
use crate::model::{
    Contract, EncodedContract, EncodedContractItems, Inn, Purchase, RnpEntry, Sha256,
};

/// Returns the bytes of a contract of the supplier with this INN.
pub fn encode_contract(inn: &Inn, contract: &Contract) -> Vec<u8> {
    let mut bytes = contract.encode();
    seal(&mut bytes, inn.key());
    bytes
}

/// Decodes the contract in `bytes` of the supplier with this INN; none if they are damaged, or
/// another supplier's.
#[inline(always)]
pub fn decode_contract<'a>(inn: &Inn, bytes: &'a [u8]) -> Option<EncodedContract<'a>> {
    EncodedContract::decode(unseal(bytes, inn.key())?)
}

/// A contract as it is stored: both parts are sealed with the supplier's INN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ContractBytes {
    pub record: Vec<u8>,
    /// The items; empty if the record has all of each.
    pub items: Vec<u8>,
}

impl ContractBytes {
    /// Encodes a contract of the supplier with this INN.
    pub fn new(file: &Path, inn: &Inn, contract: &Contract) -> Result<Self> {
        let packed = encode_items(inn, contract);
        let failed = |error| Error::refused(file, format!("items cannot be packed: {error}"));
        Ok(Self {
            record: encode_contract(inn, contract),
            items: packed.map_err(failed)?,
        })
    }

    /// Returns whether both are the same contract. Another release of zstd may compress the items
    /// differently, which is not a change of them.
    pub fn is_same(&self, other: &Self) -> bool {
        let items = |bytes: &Self| {
            let (packed, _) = bytes.items.split_last_chunk::<4>()?;
            unpack(packed).map(Cow::into_owned)
        };
        self.record == other.record
            && (self.items == other.items
                || items(self).is_some_and(|one| Some(one) == items(other)))
    }
}

/// The largest size of the items of a contract, unpacked. An item is at most as large as the facts
/// or the line that it comes from.
const MAX_ITEMS: usize = 64 << 20;

/// The first byte of packed items: whether they are compressed.
const AS_ENCODED: u8 = 0;
const COMPRESSED: u8 = 1;

/// Returns the items of a contract, packed and sealed; empty if its record has all of each.
fn encode_items(inn: &Inn, contract: &Contract) -> io::Result<Vec<u8>> {
    let items = contract.encode_items();
    if items.is_empty() {
        return Ok(items);
    }
    let compressed = compress(&items)?;
    let (form, bytes) = match compressed.len() < items.len() {
        true => (COMPRESSED, compressed),
        false => (AS_ENCODED, items),
    };
    let mut packed = Vec::with_capacity(bytes.len() + 5);
    packed.push(form);
    packed.extend_from_slice(&bytes);
    seal(&mut packed, inn.key());
    Ok(packed)
}

/// The items of a contract, unpacked, for [`EncodedContractItems::decode`].
#[derive(Debug)]
pub(super) struct UnpackedItems<'a>(Cow<'a, [u8]>);

impl UnpackedItems<'_> {
    /// Decodes the items.
    pub fn items(&self) -> Option<EncodedContractItems<'_>> {
        match self.0.is_empty() {
            true => Some(EncodedContractItems::default()),
            false => EncodedContractItems::decode(&self.0),
        }
    }
}

/// Unpacks the items in `bytes` of a contract of the supplier with this INN. Returns `None` if they
/// are damaged, or another supplier's. Without bytes there are no items.
pub(super) fn unpack_items<'a>(inn: &Inn, bytes: &'a [u8]) -> Option<UnpackedItems<'a>> {
    if bytes.is_empty() {
        return Some(UnpackedItems(Cow::Borrowed(bytes)));
    }
    let items = unpack(unseal(bytes, inn.key())?)?;
    (!items.is_empty()).then_some(UnpackedItems(items))
}

fn unpack(packed: &[u8]) -> Option<Cow<'_, [u8]>> {
    let (form, packed) = packed.split_first()?;
    match *form {
        AS_ENCODED => Some(Cow::Borrowed(packed)),
        COMPRESSED => decompress(packed, MAX_ITEMS).ok().map(Cow::Owned),
        _ => None,
    }
}

/// The error of unreadable items of a contract.
#[cold]
pub(super) fn not_items(file: &Path) -> Error {
    Error::damaged(file, NOT_ITEMS)
}

/// The message about unreadable items of a contract.
pub(super) const NOT_ITEMS: &str = "the items of a contract are not as they were written";

/// Returns the checksum that items are sealed with.
pub(super) fn items_sum(sealed: &[u8]) -> i64 {
    let sum = sealed.last_chunk().copied().unwrap_or_default();
    u32::from_le_bytes(sum).into()
}

/// Returns the bytes of an RNP entry of the supplier with this INN.
pub(super) fn encode_entry(file: &Path, inn: &Inn, entry: &RnpEntry) -> Result<Vec<u8>> {
    let mut bytes = encode(file, entry)?;
    seal(&mut bytes, inn.as_str());
    Ok(bytes)
}

/// Decodes the entry in `bytes` of `file` about the supplier with this INN.
pub(super) fn entry(file: &Path, inn: &str, bytes: &[u8]) -> Result<RnpEntry> {
    read_entry(inn, bytes).map_err(|what| Error::damaged(file, what))
}

/// Decodes the entry in `bytes` about the supplier with this INN. An error is a sentence.
pub(super) fn read_entry(inn: &str, bytes: &[u8]) -> std::result::Result<RnpEntry, String> {
    let unsealed = unseal(bytes, inn);
    read(unsealed.ok_or_else(|| not_its_checksum("an RNP entry"))?)
}

#[cold]
fn not_its_checksum(what: &str) -> String {
    format!("the record of {what}: its checksum is wrong")
}

/// Returns the bytes of a record.
pub(super) fn encode<T: Serialize>(file: &Path, record: &T) -> Result<Vec<u8>> {
    postcard::to_stdvec(record)
        .map_err(|error| Error::refused(file, format!("a record cannot be kept: {error}")))
}

/// Decodes the record in `bytes` of `file`.
pub(super) fn decode<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T> {
    read(bytes).map_err(|what| Error::damaged(file, what))
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> std::result::Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| format!("a record: {error}"))
}

/// Decodes the contract in `bytes` of `file` of the supplier with this INN.
#[inline(always)]
pub(super) fn contract<'a>(file: &Path, inn: &Inn, bytes: &'a [u8]) -> Result<EncodedContract<'a>> {
    decode_contract(inn, bytes).ok_or_else(|| not_a_contract(file))
}

/// The error of an unreadable contract record.
#[cold]
pub(super) fn not_a_contract(file: &Path) -> Error {
    Error::damaged(file, NOT_A_CONTRACT)
}

/// The message about an unreadable contract record.
pub(super) const NOT_A_CONTRACT: &str = "a record of a contract is not as it was written";

/// The largest card as postcard, in bytes. The largest real one has 36 KB; the import
/// bounds documents.
pub(super) const MAX_CARD: usize = 64 << 20;

/// The zstd level of cards and items, chosen by measurement: at a slower one an answer takes over a tenth
/// longer than with LZ4.
const LEVEL: i32 = -1;

/// Returns the bytes of a purchase: its card as postcard, compressed by zstd, as cards repeat
/// addresses and names. None if the card is larger than [`MAX_CARD`].
pub(super) fn encode_purchase(file: &Path, purchase: &Purchase) -> Result<Option<Vec<u8>>> {
    let card = encode(file, purchase)?;
    if card.len() > MAX_CARD {
        return Ok(None);
    }
    let packed = pack_card(purchase.number().as_str(), &card);
    packed
        .map(Some)
        .map_err(|error| Error::refused(file, format!("a purchase cannot be packed: {error}")))
}

/// Returns the record of the purchase with this number, from its card as postcard.
///
/// # Errors
/// Out of memory.
pub(super) fn pack_card(number: &str, card: &[u8]) -> io::Result<Vec<u8>> {
    let mut record = compress(card)?;
    seal(&mut record, number);
    Ok(record)
}

fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        // Creating a compressor takes longer than compressing a card.
        static ZSTD: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    ZSTD.with_borrow_mut(|zstd| match zstd {
        Some(zstd) => zstd.compress(bytes),
        None => zstd.insert(Compressor::new(LEVEL)?).compress(bytes),
    })
}

/// Decodes the purchase in `bytes` of `file` with this number.
pub(super) fn purchase(file: &Path, number: &str, bytes: &[u8]) -> Result<Purchase> {
    read_purchase(number, bytes).map_err(|what| Error::damaged(file, what))
}

/// Decodes the purchase in `bytes` with this number. An error is a sentence.
pub(super) fn read_purchase(number: &str, bytes: &[u8]) -> std::result::Result<Purchase, String> {
    let packed = unseal(bytes, number).ok_or_else(|| not_its_checksum("a purchase"))?;
    let card = unpack_card(packed);
    read(&card.map_err(|error| format!("a record of a purchase: {error}"))?)
}

/// Verifies the checksum of the purchase in `bytes` of `file` with this number.
#[cfg(feature = "postgresql")]
pub(super) fn check_purchase(file: &Path, number: &str, bytes: &[u8]) -> Result<()> {
    match unseal(bytes, number) {
        Some(_) => Ok(()),
        None => Err(Error::damaged(file, not_its_checksum("a purchase"))),
    }
}

fn unpack_card(packed: &[u8]) -> io::Result<Vec<u8>> {
    decompress(packed, MAX_CARD)
}

/// Decompresses bytes. Allocates the size that the frame states, `most` at most.
fn decompress(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    thread_local! {
        static ZSTD: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    ZSTD.with_borrow_mut(|zstd| match zstd {
        Some(zstd) => zstd.decompress(packed, most),
        None => zstd.insert(Decompressor::new()?).decompress(packed, most),
    })
}

/// Returns whether two records have the same card. Another release of zstd may compress it
/// differently, which is not a change of the purchase.
pub(super) fn is_same_purchase(number: &str, one: &[u8], other: &[u8]) -> bool {
    let card = |record| unseal(record, number).and_then(|packed| unpack_card(packed).ok());
    one == other || card(one).is_some_and(|card_of_one| Some(card_of_one) == card(other))
}

/// The digest of the bytes: the head of their SHA-256.
pub(super) fn digest(bytes: &[u8]) -> i64 {
    head_of(Sha256::of(bytes))
}

/// The first 8 bytes of a hash as a number.
pub(super) fn head_of(hash: [u8; 32]) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] = hash;
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// The CRC-32 of the values of a row, each with its kind and length. It buffers short values: the
/// CRC of several at once takes half the time of that of each value.
#[derive(Debug)]
pub(super) struct RowChecksum {
    crc: crc32fast::Hasher,
    held: [u8; HELD],
    len: usize,
}

/// The size of the buffer in bytes. Most rows are shorter.
const HELD: usize = 256;

impl Default for RowChecksum {
    fn default() -> Self {
        Self {
            crc: crc32fast::Hasher::new(),
            held: [0; HELD],
            len: 0,
        }
    }
}

impl RowChecksum {
    /// Adds a number.
    pub fn number(mut self, number: i64) -> Self {
        self.part(1, &number.to_le_bytes());
        self
    }

    /// Adds a text.
    pub fn text(mut self, text: &[u8]) -> Self {
        self.part(2, text);
        self
    }

    fn part(&mut self, kind: u8, bytes: &[u8]) {
        let [a, b, c, d, e, f, g, h] = (bytes.len() as u64).to_le_bytes();
        self.add(&[kind, a, b, c, d, e, f, g, h]);
        self.add(bytes);
    }

    fn add(&mut self, bytes: &[u8]) {
        if let Some(room) = self.held.get_mut(self.len..self.len + bytes.len()) {
            room.copy_from_slice(bytes);
            self.len += bytes.len();
        } else {
            self.flush();
            self.crc.update(bytes);
        }
    }

    fn flush(&mut self) {
        let (held, _) = self.held.split_at(self.len);
        self.crc.update(held);
        self.len = 0;
    }

    /// The checksum.
    pub fn finish(mut self) -> u32 {
        self.flush();
        self.crc.finalize()
    }
}

/// Registers the function `row_sum` with a connection: the checksum of its arguments.
///
/// # Errors
/// Out of memory.
pub fn register_row_sum(connection: &Connection) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    connection.create_scalar_function("row_sum", -1, flags, sum_of)
}

fn sum_of(row: &Context<'_>) -> rusqlite::Result<u32> {
    let mut sum = RowChecksum::default();
    for at in 0..row.len() {
        match row.get_raw(at) {
            ValueRef::Null => sum.part(0, &[]),
            ValueRef::Integer(number) => sum = sum.number(number),
            ValueRef::Real(number) => sum.part(3, &number.to_le_bytes()),
            ValueRef::Text(text) => sum = sum.text(text),
            ValueRef::Blob(bytes) => sum.part(4, bytes),
        }
    }
    Ok(sum.finish())
}

/// The checksum of a record and its owner. It is computed for each contract of a page, so it takes
/// no more than their bytes: [`RowChecksum`] would add a twentieth to the time of the page.
#[inline]
fn sealed_sum(owner: &str, record: &[u8]) -> [u8; 4] {
    let mut sum = crc32fast::Hasher::new();
    sum.update(record);
    sum.update(owner.as_bytes());
    sum.finalize().to_le_bytes()
}

/// Appends to a record the checksum over it and its owner, so that it is not read as another's.
fn seal(record: &mut Vec<u8>, owner: &str) {
    let sum = sealed_sum(owner, record);
    record.extend_from_slice(&sum);
}

/// Returns the record without its checksum, or `None` if the checksum does not match.
#[inline(always)]
fn unseal<'a>(bytes: &'a [u8], owner: &str) -> Option<&'a [u8]> {
    let (record, sum) = bytes.split_last_chunk()?;
    (sealed_sum(owner, record) == *sum).then_some(record)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_record_that_is_cut_or_longer_or_has_another_bit_is_damaged(
            subject in ".{0,40}",
            at in any::<usize>(),
            bit in 0..8_u32,
        ) {
            let contract = Contract { subject, ..Contract::default() };
            let inn = |text| Inn::parse(text).expect("an INN");
            let (owner, other) = (inn("7700000000"), inn("7700000001"));
            let decode_contract = |bytes: &[u8]| decode_contract(&owner, bytes).is_some();
            let mut bytes = encode_contract(&owner, &contract);
            prop_assert!(super::decode_contract(&other, &bytes).is_none());
            let at = at % bytes.len();
            prop_assert!(!decode_contract(&bytes[..at]));
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(!decode_contract(&bytes));
            bytes[at] ^= 1_u8 << bit;
            prop_assert!(decode_contract(&bytes));
            bytes.push(b' ');
            prop_assert!(!decode_contract(&bytes));
        }
    }

    #[test]
    fn the_sql_function_is_the_same_sum() {
        let connection = Connection::open_in_memory().expect("a connection");
        register_row_sum(&connection).expect("the function");
        let sum = |sql: &str| -> u32 {
            connection
                .query_row(sql, (), |row| row.get(0))
                .expect("a sum")
        };
        let expected = RowChecksum::default().number(-7).text("имя".as_bytes());
        assert_eq!(sum("SELECT row_sum(-7, 'имя')"), expected.finish());
        // Values do not run into one another, and a number is not its digits.
        assert_ne!(
            sum("SELECT row_sum('ab', 'c')"),
            sum("SELECT row_sum('a', 'bc')")
        );
        assert_ne!(sum("SELECT row_sum(1)"), sum("SELECT row_sum('1')"));
        assert_ne!(sum("SELECT row_sum(NULL)"), sum("SELECT row_sum('')"));
    }

    #[test]
    fn a_card_comes_back_and_one_packed_otherwise_is_the_same() {
        let number = "0373100000125000001";
        let card = b"customer, customer, customer, customer".repeat(9);
        let record = pack_card(number, &card).expect("it is packed");
        let packed = unseal(&record, number).expect("its checksum");
        assert_eq!(unpack_card(packed).expect("a card"), card);
        let mut otherwise = zstd::bulk::compress(&card, 9).expect("it is packed");
        seal(&mut otherwise, number);
        assert_ne!(record, otherwise);
        assert!(is_same_purchase(number, &record, &otherwise));
        let other = pack_card(number, b"customer").expect("it is packed");
        assert!(!is_same_purchase(number, &record, &other));
        assert!(!is_same_purchase(number, b"damaged", b"destroyed"));
        assert!(unpack_card(b"damaged").is_err());
    }
}
