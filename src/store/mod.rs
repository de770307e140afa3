//! The files: all SQL is in this room.
//!
//! [`Database`] reads the data, one consistent [`Snapshot`] at a time;
//! [`Writer`] takes records and documents in, all of an import in one transaction;
//! [`KeyFile`] and [`KeyRing`] keep and know the API keys; [`check`] looks a data
//! file over.

mod batch;
mod check;
mod contract_rows;
mod error;
mod file;
mod keys;
mod read;
mod record;
mod suppliers;
mod write;
mod writing;

pub use batch::{Document, DocumentContent, DocumentKind, Tally};
pub use check::{Contents, check};
pub use error::{Error, Result};
pub use keys::{IssuedKey, KeyFile, KeyRing};
pub use read::{DataVersion, Database, KnownSupplier, Snapshot};
pub use write::Writer;
