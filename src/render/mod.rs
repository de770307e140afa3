//! Turns records into bytes: answers in XML, JSON, CSV and XLSX, with the spellings of the wire
//! format.
//!
//! `fields.rs` defines how the formats differ. `as_xml.rs`, `as_json.rs`, `table.rs` and the
//! schemas in `schema` follow those rules. `table.rs` turns records into cells, which `as_csv.rs`
//! and `as_xlsx.rs` write row by row. Each kind of record has a file that writes its fields in the
//! order of the specification, and its rows in a table. The fields of contracts, cards and RNP
//! entries are listed in the model, because the import parses lines with the same lists.
//!
//! # Where to begin
//!
//! - To add a field to an answer: the file of the record. The meaning and the column heading of a
//!   field are in `meanings.rs`, and the example value is in `schema/samples.rs`.
//! - To change how a value is written: `fields.rs`.
//! - To change the descriptions of answers: `schema` derives trees of fields, and `api/described`
//!   turns them into documents.
//! - To change the meaning of a code: `codes.rs`, from which a test generates `web/codes.js`.

mod answer;
mod as_csv;
mod as_json;
mod as_xlsx;
mod as_xml;
mod card;
mod changes;
pub mod codes;
mod contracts;
mod documents;
mod error;
mod exported;
mod fields;
mod find;
mod lines;
pub mod meanings;
mod outputs;
mod page;
mod prices;
mod purchase_fields;
mod purchase_list;
mod rnp;
pub mod schema;
mod summary;
mod table;
mod watched;
mod won;

/// Version of the rendering, which is part of every entity tag. Increase it whenever the same
/// records are rendered differently; `tests/answers/golden` fails otherwise.
pub const VERSION: u32 = 2;

pub use answer::{Body, Format, Root, Tabular, answer};
#[doc(hidden)]
pub use as_json::json_string;
pub use as_xlsx::{MAX_CELL, Workbook};
pub use card::purchase;
pub use changes::{ChangePage, WatchedChange, add_watched, begin_watched, watched_line};
pub use contracts::{
    ContractAnswer, ContractPage, CustomerPage, SearchPage, add_contract, begin_contracts,
};
pub use documents::DocumentList;
pub use error::ErrorBody;
pub use exported::{add_item, add_purchase, begin_items, begin_purchases, item_line};
pub use fields::Record;
pub use find::{FindAnswer, FindNamesAnswer, NameHits};
pub use lines::{
    contract_line, coverage_line, entry_line, purchase_line, registry_lines, supplier_line,
};
pub use outputs::{
    CheckOutput, FetchOutput, ImportOutput, KeyEventOutput, KeyListOutput, KeyLogOutput, KeyOutput,
    KindOutput, PassedOverOutput, RegistryOutput, SubsystemOutput, UnreadOutput, output_line,
};
pub use page::{PageCounts, PageHead};
pub use prices::PricePage;
pub use purchase_list::PurchasePage;
pub use rnp::{
    AnswerOrigin, CheckedSupplier, EntryPage, RnpCheck, RnpCheckMany, add_entry, add_supplier,
    begin_entries, begin_suppliers,
};
pub use summary::{ContentSummaryAnswer, SummaryAnswer};
pub use table::{
    MAX_BYTES_IN_MEMORY, MAX_ROWS_IN_MEMORY, MAX_TABLE, RenderError, RowCount, TableFile,
};
pub use watched::{EntryChange, StageCounts, WatchedEvent, event_line};
pub use won::WonPage;
