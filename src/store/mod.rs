//! The files: all SQL is in this room.
//!
//! [`Database`] reads the data, one consistent [`Snapshot`] at a time;
//! [`ServedFile`] tells when another file has taken the place of one that is read;
//! [`Writer`] takes records and documents in and writes them in batches, each
//! a [`Writing`], but for the contracts that lines give, which are sorted first and
//! merged in order (`lines`). [`KeyFile`] and [`KeyRing`] keep and know the API keys;
//! [`check`] looks a data file over.

mod batch;
mod building;
mod changes;
mod check;
mod connection;
mod contract_id;
#[doc(hidden)]
pub mod contract_record;
mod contract_rows;
mod document;
mod error;
mod export;
mod facets;
mod file;
mod file_state;
mod keys;
mod lines;
mod read;
mod record;
mod served_file;
mod suppliers;
mod tables;
mod wal_files;
mod wal_index;
mod write;
mod writing;
mod writing_lines;

pub use batch::Tally;
pub use changes::{Answer, ChangeCount, Changed};
pub use check::{Contents, check};
pub use document::{Document, DocumentKind, StoredDocument, Subject, Touched};
pub use error::{Error, Result};
pub use facets::Selection;
pub use keys::{IssuedKey, KeyFile, KeyRing};
pub use lines::PackedLine;
pub use read::{DataVersion, Database, KnownSupplier, Snapshot};
pub use served_file::{Look, Place, ServedFile};
pub use write::{ArchiveDigest, Writer};
pub use writing::Writing;
