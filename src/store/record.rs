//! The stored bytes of records. Most are encoded with postcard, a compact serde format. Contracts
//! have their own encoding because a page has 200 of them (`model/encoded_contract.rs`). Purchases
//! are compressed.
//!
//! The column `sum` of a row is the checksum of the other columns ([`RowChecksum`], in SQL the
//! function `row_sum`). Records that PostgreSQL has as well (contracts, purchases, RNP entries) end
//! with a checksum of their bytes and their owner, an INN or a number ([`seal`]), which is verified
//! before they are served. This detects rows and records that were damaged, edited, or moved to
//! another owner. The ids, registry numbers and facets of contracts, and searchable names, have no
//! checksum because they follow from other rows. Reading only verifies that a supplier has as many
//! facets as contracts; `check` finds changes within such rows.

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

/// Encodes and seals a contract of the supplier with this INN.
pub fn encode_contract(inn: &Inn, contract: &Contract) -> Vec<u8> {
    let mut bytes = contract.encode();
    seal(&mut bytes, inn.key());
    bytes
}

/// Decodes a contract record of the supplier with this INN. Returns `None` if the checksum does not
/// match, which also happens for another supplier's record.
#[inline(always)]
pub fn decode_contract<'a>(inn: &Inn, bytes: &'a [u8]) -> Option<EncodedContract<'a>> {
    EncodedContract::decode(unseal(bytes, inn.key())?)
}

/// Like [`decode_contract`], but overwrites the fields of `contract`, which is faster
/// ([`EncodedContract::read`]).
#[inline(always)]
pub(super) fn read_contract<'a>(
    contract: &mut EncodedContract<'a>,
    inn: &Inn,
    bytes: &'a [u8],
) -> Option<()> {
    contract.read(unseal(bytes, inn.key())?)
}

/// A stored contract. Both parts are sealed with the supplier's INN.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ContractBytes {
    pub record: Vec<u8>,
    /// The items; empty if the record already contains everything about them.
    pub items: Vec<u8>,
}

impl ContractBytes {
    pub fn new(file: &Path, inn: &Inn, contract: &Contract) -> Result<Self> {
        let packed = encode_items(inn, contract);
        let failed = |error| Error::refused(file, format!("items cannot be compressed: {error}"));
        Ok(Self {
            record: encode_contract(inn, contract),
            items: packed.map_err(failed)?,
        })
    }

    /// Returns whether both are the same contract, even if different releases of zstd have
    /// compressed the items differently.
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

/// Maximum size of a contract's items before compression, in bytes. Items are at most as large as
/// the facts or the line that states them.
const MAX_ITEMS: usize = 64 << 20;

/// First byte of packed items: uncompressed ([`AS_ENCODED`]) or compressed with zstd
/// ([`COMPRESSED`]).
const AS_ENCODED: u8 = 0;
const COMPRESSED: u8 = 1;

/// Packs and seals the items of a contract. Returns empty bytes if the record already contains
/// everything about the items.
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

#[derive(Debug)]
pub(super) struct UnpackedItems<'a>(Cow<'a, [u8]>);

impl UnpackedItems<'_> {
    pub fn items(&self) -> Option<EncodedContractItems<'_>> {
        match self.0.is_empty() {
            true => Some(EncodedContractItems::default()),
            false => EncodedContractItems::decode(&self.0),
        }
    }
}

/// Unpacks the items of a contract of the supplier with this INN. Empty bytes mean no items.
/// Returns `None` if the items cannot be unpacked, or if the checksum does not match, which also
/// happens for another supplier's items.
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

#[cold]
pub(super) fn not_items(file: &Path) -> Error {
    Error::damaged(file, NOT_ITEMS)
}

pub(super) const NOT_ITEMS: &str = "the items of a contract: they have been changed or damaged";

/// Returns the checksum at the end of sealed items.
pub(super) fn items_sum(sealed: &[u8]) -> i64 {
    let sum = sealed.last_chunk().copied().unwrap_or_default();
    u32::from_le_bytes(sum).into()
}

pub(super) fn encode_entry(file: &Path, inn: &Inn, entry: &RnpEntry) -> Result<Vec<u8>> {
    let mut bytes = encode(file, entry)?;
    seal(&mut bytes, inn.as_str());
    Ok(bytes)
}

pub(super) fn entry(file: &Path, inn: &str, bytes: &[u8]) -> Result<RnpEntry> {
    read_entry(inn, bytes).map_err(|what| Error::damaged(file, what))
}

/// Decodes an RNP entry about the supplier with this INN. Returns a sentence as the error.
pub(super) fn read_entry(inn: &str, bytes: &[u8]) -> std::result::Result<RnpEntry, String> {
    let unsealed = unseal(bytes, inn);
    read(unsealed.ok_or_else(|| wrong_checksum("an RNP entry"))?)
}

#[cold]
fn wrong_checksum(what: &str) -> String {
    format!("the record of {what}: its checksum is wrong")
}

pub(super) fn encode<T: Serialize>(file: &Path, record: &T) -> Result<Vec<u8>> {
    postcard::to_stdvec(record)
        .map_err(|error| Error::refused(file, format!("a record cannot be encoded: {error}")))
}

pub(super) fn decode<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T> {
    read(bytes).map_err(|what| Error::damaged(file, what))
}

fn read<T: DeserializeOwned>(bytes: &[u8]) -> std::result::Result<T, String> {
    postcard::from_bytes(bytes).map_err(|error| format!("a record: {error}"))
}

#[inline(always)]
pub(super) fn contract<'a>(file: &Path, inn: &Inn, bytes: &'a [u8]) -> Result<EncodedContract<'a>> {
    decode_contract(inn, bytes).ok_or_else(|| not_a_contract(file))
}

#[cold]
pub(super) fn not_a_contract(file: &Path) -> Error {
    Error::damaged(file, NOT_A_CONTRACT)
}

pub(super) const NOT_A_CONTRACT: &str = "the record of a contract: it has been changed or damaged";

/// Maximum size of a card before compression, in bytes. The largest real card takes 36 KB, but
/// official documents may have larger ones.
pub(super) const MAX_CARD: usize = 64 << 20;

/// The zstd level of cards and items. With levels that compress better, answers took over a tenth
/// longer than with LZ4.
const LEVEL: i32 = -1;

/// Encodes, compresses and seals the card of a purchase. Cards compress well because they repeat
/// addresses and names. Returns `None` if the card exceeds [`MAX_CARD`].
pub(super) fn encode_purchase(file: &Path, purchase: &Purchase) -> Result<Option<Vec<u8>>> {
    let card = encode(file, purchase)?;
    if card.len() > MAX_CARD {
        return Ok(None);
    }
    let packed = pack_card(purchase.number().as_str(), &card);
    packed
        .map(Some)
        .map_err(|error| Error::refused(file, format!("a purchase cannot be compressed: {error}")))
}

/// Compresses and seals an encoded card of the purchase with this number.
///
/// # Errors
/// Returns an error if memory runs out.
pub(super) fn pack_card(number: &str, card: &[u8]) -> io::Result<Vec<u8>> {
    let mut record = compress(card)?;
    seal(&mut record, number);
    Ok(record)
}

fn compress(bytes: &[u8]) -> io::Result<Vec<u8>> {
    thread_local! {
        // Reused, because creating a compressor takes longer than compressing a card.
        static ZSTD: RefCell<Option<Compressor<'static>>> = const { RefCell::new(None) };
    }
    ZSTD.with_borrow_mut(|zstd| match zstd {
        Some(zstd) => zstd.compress(bytes),
        None => zstd.insert(Compressor::new(LEVEL)?).compress(bytes),
    })
}

pub(super) fn purchase(file: &Path, number: &str, bytes: &[u8]) -> Result<Purchase> {
    read_purchase(number, bytes).map_err(|what| Error::damaged(file, what))
}

/// Decodes a purchase with this number. Returns a sentence as the error.
pub(super) fn read_purchase(number: &str, bytes: &[u8]) -> std::result::Result<Purchase, String> {
    let packed = unseal(bytes, number).ok_or_else(|| wrong_checksum("a purchase"))?;
    let card = unpack_card(packed);
    read(&card.map_err(|error| format!("a record of a purchase: {error}"))?)
}

#[cfg(feature = "postgresql")]
pub(super) fn check_purchase(file: &Path, number: &str, bytes: &[u8]) -> Result<()> {
    match unseal(bytes, number) {
        Some(_) => Ok(()),
        None => Err(Error::damaged(file, wrong_checksum("a purchase"))),
    }
}

fn unpack_card(packed: &[u8]) -> io::Result<Vec<u8>> {
    decompress(packed, MAX_CARD)
}

/// Decompresses bytes. Allocates the size that the frame states, but at most `most` bytes.
fn decompress(packed: &[u8], most: usize) -> io::Result<Vec<u8>> {
    thread_local! {
        static ZSTD: RefCell<Option<Decompressor<'static>>> = const { RefCell::new(None) };
    }
    ZSTD.with_borrow_mut(|zstd| match zstd {
        Some(zstd) => zstd.decompress(packed, most),
        None => zstd.insert(Decompressor::new()?).decompress(packed, most),
    })
}

/// Returns whether two records have the same card, even if different releases of zstd have
/// compressed it differently.
pub(super) fn is_same_purchase(number: &str, one: &[u8], other: &[u8]) -> bool {
    let card = |record| unseal(record, number).and_then(|packed| unpack_card(packed).ok());
    one == other || card(one).is_some_and(|card_of_one| Some(card_of_one) == card(other))
}

/// Returns the first 8 bytes of the SHA-256 as a number.
pub(super) fn digest(bytes: &[u8]) -> i64 {
    head_of(Sha256::of(bytes))
}

pub(super) fn head_of(hash: [u8; 32]) -> i64 {
    let [a, b, c, d, e, f, g, h, ..] = hash;
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// CRC-32 of the values of a row, each with its type and length. Short values are buffered, because
/// updating the CRC with several values at once takes half as long.
#[derive(Debug)]
pub(super) struct RowChecksum {
    crc: crc32fast::Hasher,
    buffer: [u8; BUFFER],
    len: usize,
}

/// Size of the buffer in bytes. Most rows are shorter.
const BUFFER: usize = 256;

impl Default for RowChecksum {
    fn default() -> Self {
        Self {
            crc: crc32fast::Hasher::new(),
            buffer: [0; BUFFER],
            len: 0,
        }
    }
}

impl RowChecksum {
    pub fn number(mut self, number: i64) -> Self {
        self.part(1, &number.to_le_bytes());
        self
    }

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
        if let Some(room) = self.buffer.get_mut(self.len..self.len + bytes.len()) {
            room.copy_from_slice(bytes);
            self.len += bytes.len();
        } else {
            self.flush();
            self.crc.update(bytes);
        }
    }

    fn flush(&mut self) {
        let (buffered, _) = self.buffer.split_at(self.len);
        self.crc.update(buffered);
        self.len = 0;
    }

    pub fn finish(mut self) -> u32 {
        self.flush();
        self.crc.finalize()
    }
}

/// Registers the SQL function `row_sum`, which returns the checksum of its arguments.
///
/// # Errors
/// Returns an error if memory runs out.
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

/// Returns the checksum of a record and its owner. [`RowChecksum`] is not used here, because this
/// runs for each contract on a page, and a page would take 5 % longer.
#[inline]
fn sealed_sum(owner: &str, record: &[u8]) -> [u8; 4] {
    let mut sum = crc32fast::Hasher::new();
    sum.update(record);
    sum.update(owner.as_bytes());
    sum.finalize().to_le_bytes()
}

/// Appends the checksum of a record and its owner, so that the record cannot pass as that of
/// another owner.
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
        fn truncated_extended_and_altered_records_are_rejected(
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
    fn the_sql_function_computes_the_same_checksum() {
        let connection = Connection::open_in_memory().expect("a connection");
        register_row_sum(&connection).expect("the function");
        let sum = |sql: &str| -> u32 {
            connection
                .query_row(sql, (), |row| row.get(0))
                .expect("a sum")
        };
        let expected = RowChecksum::default().number(-7).text("имя".as_bytes());
        assert_eq!(sum("SELECT row_sum(-7, 'имя')"), expected.finish());
        // Adjacent values are not merged, and a number differs from a text of the same digits.
        assert_ne!(
            sum("SELECT row_sum('ab', 'c')"),
            sum("SELECT row_sum('a', 'bc')")
        );
        assert_ne!(sum("SELECT row_sum(1)"), sum("SELECT row_sum('1')"));
        assert_ne!(sum("SELECT row_sum(NULL)"), sum("SELECT row_sum('')"));
    }

    #[test]
    fn the_largest_card_can_be_read() {
        let card = vec![b' '; MAX_CARD];
        let packed = compress(&card).expect("it is packed");
        assert!(unpack_card(&packed).expect("a card") == card);
    }

    #[test]
    fn a_card_round_trips_and_equals_one_compressed_differently() {
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
