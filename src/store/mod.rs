//! Reads and writes the program's files and its PostgreSQL tables. All SQL is in this module.
//!
//! **A data or keys file is never modified in place.** [`Writer`] changes a copy next to the data
//! file and renames it over the original at the end of an import (`building`). [`KeyStore`] changes
//! keys in the same way. [`Database`] keeps reading the file that it has opened, without a lock.
//! [`FileState`] shows whether the path still leads to that file.
//!
//! [`Writer`] writes documents and lines in batches ([`BatchWriter`]). [`KeyRing`] holds the valid
//! keys of a running server. [`check()`] checks every row of a data file.
//!
//! **Where to find a statement.** Statements that write a table, or that several files need, are in
//! the file named after the table: as methods of a struct around the open file (`Documents`,
//! `Suppliers`) or as functions that take it. A statement that only answers need is in
//! `file_source` or `postgresql/source`, in the primitive that it implements. A condition or list
//! of columns shared by several statements is a macro in the table's file (`part_is`,
//! `select_suppliers`); statements are never edited as text.
//!
//! # Where to begin
//!
//! - The content of a data file: `schema.sql`; views for people who open one: `views.sql`. Stored
//!   bytes and checksums: `record.rs`. Kinds of files and open connections: `file.rs`.
//! - A new format of a file: a step in `migrations.rs`, which `upgrade.rs` runs in the copy that
//!   replaces the file. The release that last wrote a file: `release.rs`.
//! - An import: how it starts, commits and ends, `writer.rs`; the copy that replaces the file,
//!   `building.rs`.
//! - Contracts: ids, `contract_id.rs`; writing, `contracts.rs`; the rows of a page,
//!   `newest_records.rs`; the columns of filters, `facet_columns.rs`.
//! - Answers: `query`; statements over a file, `file_source.rs`; PostgreSQL, `postgresql`.
//! - Search: by name, `searched_names.rs`; by content, `content_index.rs`, which an import
//!   maintains, and `content_rebuild.rs`, which rebuilds and checks it; facets of purchases,
//!   `purchase_facets.rs`.
//! - The registry of unfair suppliers: completeness, `registries.rs`; all entries in memory,
//!   `rnp_index.rs` and `entry_list.rs`; which entries whole registries contained, `rnp_entries.rs`
//!   and `rnp_seen.rs`; inclusions that could not be parsed, `unread_entries.rs` and
//!   `unread_settlement.rs`.
//! - Keys: rows and changes, `keys.rs` (file) and `postgresql/keys.rs`, based on `key_rows.rs`; the
//!   keys of a running server, `key_ring.rs`.
//! - The log of changes: `changes.rs`. Coverage: `coverage.rs`. Winners of purchases: `winners.rs`.
//!   The ledger of `fetch`: `fetch_ledger.rs`.

mod archives;
mod batch;
mod batch_lines;
mod building;
mod changes;
mod check;
mod content_index;
mod content_rebuild;
mod content_row;
mod contract_id;
mod contract_items;
mod contracts;
mod coverage;
mod data_file;
mod derivation;
mod derived_records;
mod disk_state;
mod documents;
mod entry_list;
mod error;
mod facet_columns;
mod facets;
mod fetch_ledger;
mod file;
mod file_source;
mod format_2;
#[cfg(test)]
#[path = "tests/golden.rs"]
pub(crate) mod golden;
mod held_file;
mod key_reserve;
mod key_ring;
mod key_rows;
mod key_use;
mod keys;
mod lines;
mod listed_contracts;
mod migration;
mod migrations;
mod newest_records;
mod page_starts;
mod paths;
#[cfg(feature = "postgresql")]
pub mod postgresql;
mod purchase_facets;
mod purchases;
mod query;
mod record;
mod reg_num;
mod registries;
mod release;
mod remote_servers;
mod replaced_lines;
mod rnp_entries;
mod rnp_index;
mod rnp_seen;
mod rows_by_id;
mod search_rules;
mod searched_names;
pub mod server_bounds;
mod stored_documents;
mod stored_values;
mod suppliers;
mod tally;
#[cfg(any(test, feature = "trial-format"))]
mod trial_format;
mod unlinked_purchases;
mod unread_entries;
mod unread_settlement;
mod update_status;
mod upgrade;
mod winners;
mod writer;

pub use archives::{ArchiveDigest, ArchiveFile, Archives, EarlierArchives};
pub use batch::BatchWriter;
pub use building::sync_folder_of;
pub use changes::{ChangeCount, MAX_CHANGES, MAX_DAYS, Revision};
pub use check::{Contents, archives_of_other_readers, check};
pub use coverage::{MAX_RUNS, UnreadFiles};
pub use data_file::{DataVersion, RecordCounts};
pub use derived_records::DerivedRecord;
pub use disk_state::DiskState;
pub use documents::{
    Document, DocumentKind, DocumentOrigin, Documents, FoundFacts, StoredDocument, StoredFacts,
};
pub use error::{Error, Result};
pub use fetch_ledger::{AnsweredLink, CellState, DayStates, FetchLedger};
pub use file::FileState;
pub use held_file::HeldFile;
pub use key_ring::{KeyHolder, KeyRing, KeyState};
pub use key_rows::{DamagedLimit, KeyEvent, KeyHash, KeyTerms};
pub use keys::{IssuedKey, KeyStore, NewKey, seconds};
pub use lines::PackedLine;
pub use migration::StepProgress;
#[cfg(feature = "postgresql")]
pub use postgresql::SERVER_LOG_TARGETS;
pub use query::{
    ContentSelection, CustomerSelection, Database, EntrySelection, MAX_ITEMS, MAX_MATCHES,
    NameKinds, NameMatch, NameMatches, NameOwner, Prefetch, PriceSelection, PurchaseSelection,
    Searched, Selection, SuppliedContracts, TooBroad,
};
#[doc(hidden)]
pub use record::{decode_contract, encode_contract, register_row_sum};
pub use registries::ReplacedAsOf;
pub use remote_servers::RemoteServers;
pub use search_rules::RebuildProgress;
pub use stored_documents::{DocumentReaders, NewNumbers, StoredDocuments};
pub use suppliers::{OfficialName, SupplierRow};
pub use tally::Tally;
pub use update_status::UpdateStatus;
pub use upgrade::{
    OnUpgradeProgress, UpgradeProgress, Upgraded, is_missing_or_empty, upgrade_data, upgrade_keys,
};
pub use writer::{COMMIT_BYTES, FinishProgress, NewDocuments, RederiveOutcome, Writer};

/// Log targets whose records may contain clients' requests. Without PostgreSQL, there are none.
#[cfg(not(feature = "postgresql"))]
pub const SERVER_LOG_TARGETS: &[&str] = &[];

impl RemoteServers {
    /// Parses the address of one or more PostgreSQL servers. `variable` looks up an environment
    /// variable.
    ///
    /// # Errors
    /// Returns a sentence that says what to do. It does not quote the address, which may contain a
    /// password. A build without the feature `postgresql` refuses any address.
    pub fn parse(
        text: &str,
        variable: &dyn Fn(&str) -> Option<String>,
    ) -> std::result::Result<Self, String> {
        #[cfg(feature = "postgresql")]
        return postgresql::ServerAddress::parse(text, variable).map(Self::from);
        #[cfg(not(feature = "postgresql"))]
        {
            let _ = (text, variable);
            let why = "this program was built without PostgreSQL; give a file, or build it with \
                       --features postgresql";
            Err(why.to_owned())
        }
    }
}
