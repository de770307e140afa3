//! Records as the bytes the file keeps: postcard, a compact form of serde's.

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

use super::error::{Error, Result};

/// The bytes of a record.
pub(super) fn encode<T: Serialize>(file: &Path, record: &T) -> Result<Vec<u8>> {
    postcard::to_stdvec(record)
        .map_err(|error| Error::refused(file, format!("a record cannot be kept: {error}")))
}

/// The record of `bytes` that `file` holds.
pub(super) fn decode<T: DeserializeOwned>(file: &Path, bytes: &[u8]) -> Result<T> {
    postcard::from_bytes(bytes).map_err(|error| Error::damaged(file, format!("a record: {error}")))
}

/// A number that differs where the bytes differ: the head of their SHA-256.
pub(super) fn digest(bytes: &[u8]) -> i64 {
    let hash = Sha256::digest(bytes);
    let head = hash.first_chunk::<8>().copied().unwrap_or_default();
    i64::from_le_bytes(head)
}
