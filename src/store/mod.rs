//! The files: all SQL is in this room.
//!
//! **A file never changes once it has its name.** [`Writer`] works in a copy beside it,
//! which takes its place as a whole when an import ends (`building`); [`KeyFile`] changes
//! keys in the same way. [`Database`] reads what it opened, for as long as it is open,
//! without a lock; [`FileState`] tells whether the path leads to it still.
//!
//! [`Writer`] takes documents in and writes them in batches, each a [`Writing`], and
//! lines, which are sorted first and merged in order (`lines`). [`KeyRing`] knows the
//! valid keys; [`check`] proves a data file to the last row; `format` brings files of older
//! releases up to date.

mod batch;
mod building;
mod changes;
mod check;
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
mod format;
mod keys;
mod lines;
mod open_file;
mod read;
mod record;
mod registries;
mod row_sum;
mod selection;
mod summary;
mod suppliers;
mod tables;
mod write;
mod writing;
mod writing_lines;

pub use batch::Tally;
pub use building::sync_folder_of;
pub use changes::{Answer, ChangeCount, Changed};
pub use check::{Contents, check};
pub use document::{Document, DocumentKind, StoredDocument, Subject, Touched};
pub use error::{Error, Result};
pub use file_state::FileState;
pub use keys::{IssuedKey, KeyFile, KeyRing};
pub use lines::PackedLine;
pub use read::{DataVersion, Database, KnownSupplier};
pub use registries::ReplacedAsOf;
#[doc(hidden)]
pub use row_sum::register as register_row_sum;
pub use selection::Selection;
pub use suppliers::OfficialName;
pub use write::{ArchiveDigest, Writer};
pub use writing::Writing;
