//! Records: suppliers, contracts, purchases, entries of the registry of unfair suppliers. They are
//! plain data with public fields, one file per resource, under conventional names. The names on the
//! wire are in the field lists (`contract.rs`, `card_fields.rs`, `rnp.rs`), which rendering and
//! both directions of JSON Lines share. An empty text stands for a missing value.
//!
//! # Where to begin
//!
//! - To add a field of a contract, extend the struct and the list of wire names in `contract.rs`.
//!   Stored records, JSON Lines, responses, schemas and property tests follow that list. Stored
//!   records stay readable if the new field comes last (`encoded_contract.rs`). The field is filled
//!   in [`import`](crate::import) and described in [`render`](crate::render). A contract's record
//!   contains only what the contract page shows of an item; `store/contract_items.rs` stores the
//!   rest.
//! - To add a filter of contracts, add a field in `contract_filter.rs`. The build then fails until
//!   the field has a row in `store/query/filter.rs`, and a new column is listed in
//!   `store/facet_columns.rs`. The parameter goes into `api/request/parameter_table.rs` and into
//!   the list in `api/endpoints/contracts.rs`.
//! - Search by name: `search_name.rs` says which differences between names are ignored. Legal forms
//!   and abbreviations are in `legal_forms.rs`, with tables in `data`. The steps of a search and
//!   the score are in `name_query.rs`, and the comparison of single words in `name_comparison.rs`.
//!   `other_script.rs` handles transliteration and keyboard layouts.
//! - Search by content: `content_tokens.rs` makes the tokens of records and queries, from words
//!   (`content_words.rs`) and codes (`content_code.rs`). Price statistics are in
//!   `price_statistics.rs`.
//! - The registry of unfair suppliers: `registry.rs` finds out whether a registry is complete and
//!   what is missing, and `verdict.rs` makes the verdict. Risk facts are in `risk_fact.rs`; those
//!   that follow from a contract's record alone are in `record_fact.rs`.
//! - Purchases: `purchase.rs` has what lists show of a purchase, and the winner on a card.
//! - The log of changed answers is in `change.rs`, and a client's position in the log in
//!   `change_cursor.rs`. `coverage.rs` has the regions and days of imported documents.
//!   `official_page.rs` has the addresses of pages at EIS.

mod amount;
mod assignment;
mod card_fields;
mod cell;
mod change;
mod change_cursor;
mod content_code;
mod content_filter;
mod content_tokens;
mod content_words;
mod contract;
mod contract_filter;
mod contract_summary;
mod coverage;
mod date;
mod declension;
pub mod encoded;
mod encoded_contract;
mod entry_filter;
mod execution_term;
mod hit;
mod inn;
mod key_name;
mod language;
mod legal_forms;
mod name_comparison;
mod name_query;
mod natural;
mod official_page;
mod other_script;
mod price_statistics;
mod priced_contract;
mod purchase;
mod purchase223;
mod purchase44;
mod purchase615;
mod purchase_filter;
mod purchase_item;
mod purchase_number;
mod rate;
mod record_fact;
mod region;
mod registry;
mod risk_fact;
mod rnp;
mod search_name;
mod sha256;
mod source_document;
mod stage;
mod sum;
mod supplier;
mod throttled;
mod unread_entry;
mod verdict;
mod word_distance;

pub use amount::{Amount, AmountError, MAX_DIGITS, MAX_EXPONENT, is_rouble};
pub(crate) use card_fields::card_fields;
pub use cell::{Cell, DocumentType};
pub use change::{ChangedPart, ChangedSubject, LoggedChange};
pub use change_cursor::{
    ChangeCursor, LogPosition, LogSubject, MAX_CURSOR, MAX_CUSTOMER_INN, digits_as_number,
};
pub use content_code::ContentCode;
pub use content_filter::{ContentFilter, ContentQuery, FactFilter};
pub use content_tokens::{
    ContentRegion, ContentTokenizer, ContentTokens, ItemContent, WORDS_VERSION, content_words,
};
pub use content_words::ContentWords;
pub use contract::{Contract, ContractItem, ContractStage, GuaranteeClaim, Termination};
pub(crate) use contract::{
    claim_fields, contract_fields, item_fields, product_fields, termination_fields,
};
pub use contract_filter::{ContractFilter, ContractOrder, OrderBy, Overdue, StageSet};
pub use contract_summary::{ContractSummary, Parties, PartySummary, Share};
pub use coverage::{Coverage, RegionCoverage};
pub use date::{Date, Moment, timestamp};
pub use encoded_contract::{
    EncodedContract, EncodedContractItem, EncodedContractItems, EncodedItems, reg_num_in,
};
pub use entry_filter::EntryFilter;
pub use execution_term::ExecutionTerm;
pub use hit::{Hit, HitKind};
pub use inn::Inn;
pub use key_name::{MAX_KEY_NAME, is_key_name};
pub use language::{Language, Words};
pub use name_query::{NameQuery, NameScore, NameStep, NameWay, name_agreement};
pub use official_page::{contract_page, purchase_page, rnp_search};
pub use price_statistics::{PriceStatistics, UnitPrices};
pub use priced_contract::PricedContract;
pub use purchase::{ListedPurchase, Purchase, PurchaseCustomer, PurchaseWinner, WonPurchase};
pub use purchase_filter::{PurchaseFilter, PurchaseOrder, Submission};
pub use purchase_item::PurchaseItem;
pub use purchase_number::{PurchaseNumber, Regime};
pub use purchase44::{
    Attachment, CodedText, Customer44, CustomerContract, DeliveryPlace, Enforcement, Lot44,
    PersonName, Preference, ProcedureDates, Purchase44, PurchaseObject44, ResponsibleOrg44,
    Restriction14, StageDates, Winner,
};
pub use purchase223::{
    Lot223, LotCustomer223, Organization, Purchase223, PurchaseObject223, Winner223,
};
pub use purchase615::{Purchase615, PurchaseContract, ResponsibleOrg615, Winner615};
pub use rate::Rate;
pub use record_fact::RecordFact;
pub use region::Region;
pub use registry::{
    Basis, CompleteDays, MissingDocuments, PROOF_DAYS, Registries, Registry, RegistryDocuments,
    RegistryState, covered_days,
};
pub use risk_fact::{RiskFact, RiskFacts};
pub use rnp::{EntryDays, RnpEntry, Suspension};
pub use search_name::{ANYTHING, NAMES_VERSION, searched_name};
pub use sha256::Sha256;
pub use source_document::{DocumentSubject, PurchasePages, SourceDocument};
pub use stage::{DocumentedStage, PurchaseStage};
pub use sum::Sum;
pub use supplier::{CardSupplier, Supplier};
pub use throttled::Throttled;
pub use unread_entry::{UnreadAbout, UnreadEntries, UnreadEntry};
pub use verdict::{DEFAULT_MAX_AGE, Ground, LawGround, Laws, Reach, Verdict, VerdictRules};
