//! Records: suppliers, contracts, purchases, entries of the registry of unfair suppliers. Plain
//! data with public fields, one file per resource, under the standard names of the fields. The
//! spellings on the wire are in the field lists (`contract.rs`, `card_fields.rs`, `rnp.rs`), which
//! rendering, reading and writing JSON Lines share. An empty text means a missing value.
//!
//! # Where to begin
//!
//! - A field of a contract: the struct and the list of wire names in `contract.rs`, which stored
//!   records, lines, answers, schemas and property tests follow. If it is last in the list, stored
//!   records stay readable (`encoded_contract.rs`). Its source is [`import`](crate::import), its
//!   meaning [`render`](crate::render). What the contract page shows of an item is in the
//!   contract's record; all of it is in `store/contract_items.rs`.
//! - A filter of contracts: its field in `contract_filter.rs`. Nothing compiles until it has a row
//!   in `store/query/filter.rs`, and a new column is in `store/facet_columns.rs`. Its parameter is
//!   in `api/request/parameter_table.rs` and in the list in `api/endpoints/contracts.rs`.
//! - Search by name: which differences do not matter, `search_name.rs`; legal forms and
//!   abbreviations, `legal_forms.rs` with tables in `data`; the steps of a search and the score,
//!   `name_query.rs`; words of the query and of a name, `name_comparison.rs`; transliteration and
//!   keyboard layouts, `other_script.rs`.
//! - Search by content: the tokens of records and queries, `content_tokens.rs`, with words
//!   (`content_words.rs`) and codes (`content_code.rs`). Statistics of prices:
//!   `price_statistics.rs`.
//! - The registry of unfair suppliers: whether it is complete, and what is missing, `registry.rs`;
//!   the verdict and its basis, `verdict.rs`. Risk facts: `risk_fact.rs`; those that a record
//!   states itself, `record_fact.rs`.
//! - Purchases: what a list shows of one, and the winner on a card, `purchase.rs`.
//! - The log of changed answers: `change.rs`; a client's position in it, `change_cursor.rs`. The
//!   coverage of official documents by region and day, and its gaps: `coverage.rs`. Pages of
//!   documents at EIS: `official_page.rs`.

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
