//! The files: all SQL is in this room.
//!
//! [`Database`] reads the data, one consistent [`Snapshot`] at a time;
//! [`ServedFile`] tells when another file has taken the place of one that is read;
//! [`Writer`] takes records and documents in and writes them in batches, each
//! a [`Writing`]; [`KeyFile`] and [`KeyRing`] keep and know the API keys; [`check`]
//! looks a data file over.

mod batch;
mod changes;
mod check;
mod connection;
mod contract_record;
mod contract_rows;
mod document;
mod error;
mod file;
mod file_state;
mod keys;
mod read;
mod record;
mod served_file;
mod suppliers;
mod tables;
mod wal_files;
mod write;
mod writing;
mod writing_lines;

use crate::model::Contract;

pub use batch::Tally;
pub use changes::{Answer, ChangeCount, Changed};
pub use check::{Contents, check};
pub use document::{Document, DocumentKind, StoredDocument, Subject, Touched};
pub use error::{Error, Result};
pub use keys::{IssuedKey, KeyFile, KeyRing};
pub use read::{DataVersion, Database, KnownSupplier, Snapshot};
pub use served_file::{Look, Place, ServedFile};
pub use write::{ArchiveDigest, Writer};
pub use writing::Writing;

/// The bytes that a contract is kept as. For benchmarks (tests/benches).
#[doc(hidden)]
pub fn contract_as_record(contract: &Contract) -> Vec<u8> {
    contract_record::encode(contract)
}

/// Reads bytes as those of a contract; are they? For benchmarks (tests/benches).
#[doc(hidden)]
pub fn is_contract_record(bytes: &[u8]) -> bool {
    std::hint::black_box(contract_record::decode(bytes)).is_some()
}
