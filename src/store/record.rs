//! Records as the bytes the file keeps: postcard, a compact form of serde's, save those
//! of contracts, of which a page has 200 (`contract_record.rs`); those of purchases packed.
//! Each has its checksum behind it.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::contract_record;
use super::error::{Error, Result};
use super::row_sum::{RowSum, seal, unseal};
use crate::model::{Contract, EncodedContract, Inn, Purchase, RnpEntry};

/// The bytes of an RNP entry of the supplier with this INN.
pub(super) fn encode_entry(file: &Path, inn: &Inn, entry: &RnpEntry) -> Result<Vec<u8>> {
    let mut bytes = encode(file, entry)?;
    seal(&mut bytes, RowSum::default().text(inn.as_str().as_bytes()));
    Ok(bytes)
}

/// The entry of `bytes` that `file` holds about the supplier with this INN.
pub(super) fn entry(file: &Path, inn: &str, bytes: &[u8]) -> Result<RnpEntry> {
    let unsealed = unseal(bytes, RowSum::default().text(inn.as_bytes()));
    let bytes = unsealed.ok_or_else(|| not_its_checksum(file, "an RNP entry"))?;
    decode(file, bytes)
}

#[cold]
fn not_its_checksum(file: &Path, what: &str) -> Error {
    Error::damaged(file, format!("the record of {what}: its checksum is wrong"))
}

/// The bytes of a record.
pub(super) fn encode<T: Serialize>(file: &Path, record: &T) -> Result<Vec<u8>> {
    postcard::to_stdvec(record)
        .map_err(|error| Error::refused(file, format!("a record cannot be kept: {error}")))
}

/// The record of `bytes` that `file` holds.
pub(super) fn decode<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T> {
    postcard::from_bytes(bytes).map_err(|error| Error::damaged(file, format!("a record: {error}")))
}

/// The bytes of a contract.
pub(super) fn encode_contract(contract: &Contract) -> Vec<u8> {
    contract_record::encode(contract)
}

/// The contract of `bytes` that `file` holds.
#[inline(always)]
pub(super) fn contract<'a>(file: &Path, bytes: &'a [u8]) -> Result<EncodedContract<'a>> {
    contract_record::decode(bytes).ok_or_else(|| not_a_contract(file))
}

/// What is wrong with a record of a contract that cannot be read.
#[cold]
pub(super) fn not_a_contract(file: &Path) -> Error {
    let what = "a record of a contract: its checksum, or what is in it, is wrong";
    Error::damaged(file, what)
}

/// How large a card may be as postcard. The largest real one has 36 KB; what a document
/// may say is bounded by the import.
const MAX_CARD: usize = 64 << 20;

/// The bytes of a purchase: its card as postcard, packed by LZ4, as cards say the same
/// addresses and names again and again. Its length stands before it.
pub(super) fn encode_purchase(file: &Path, purchase: &Purchase) -> Result<Vec<u8>> {
    let card = encode(file, purchase)?;
    if card.len() > MAX_CARD {
        return Err(Error::refused(file, "a purchase is larger than 64 MiB"));
    }
    let mut packed = lz4_flex::compress_prepend_size(&card);
    let number = purchase.number();
    seal(
        &mut packed,
        RowSum::default().text(number.as_str().as_bytes()),
    );
    Ok(packed)
}

/// The purchase of `bytes` that `file` holds under this number.
pub(super) fn purchase(file: &Path, number: &str, bytes: &[u8]) -> Result<Purchase> {
    let unsealed = unseal(bytes, RowSum::default().text(number.as_bytes()));
    let bytes = unsealed.ok_or_else(|| not_its_checksum(file, "a purchase"))?;
    let damaged = |why: String| Error::damaged(file, format!("a record of a purchase: {why}"));
    let (size, packed) =
        lz4_flex::block::uncompressed_size(bytes).map_err(|error| damaged(error.to_string()))?;
    // LZ4 packs to a 255th at most, so that a damaged length asks for no memory.
    if size > MAX_CARD || size / 255 > packed.len() {
        return Err(damaged("an impossible length".to_owned()));
    }
    let card = lz4_flex::decompress(packed, size).map_err(|error| damaged(error.to_string()))?;
    decode(file, &card)
}

/// A number that differs where the bytes differ: the head of their SHA-256.
pub(super) fn digest(bytes: &[u8]) -> i64 {
    let hash = Sha256::digest(bytes);
    let head = hash.first_chunk::<8>().copied().unwrap_or_default();
    i64::from_le_bytes(head)
}
