//! The description of an answer, derived from an example in which every field has a value.

use super::tree::{Field, fields_of};
use crate::render::answer::{Root, Tabular};
use crate::render::as_csv::CsvTable;
use crate::render::as_json::json_document;
use crate::render::as_xml::xml_document;
use crate::render::fields::{Record, Rules, Sample, ValueKind};
use crate::render::meanings::{self, Meaning, outputs};
use crate::render::table::{Cells, fields_table};

/// Regular expression for amounts.
pub(super) const AMOUNT: &str = "-?[0-9]+(\\.[0-9]+)?";

/// The answers that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    ContractPage,
    CustomerPage,
    ContractByNumber,
    /// A page of contracts found by a search.
    ContractSearch,
    ContractSummary,
    /// The summary of contracts found by a search.
    ContentSummary,
    ContractPrices,
    PurchasesWon,
    /// A page of purchases found by a search.
    PurchaseSearch,
    RnpCheck,
    RnpCheckSuppliers,
    /// The registries of unfair suppliers as a list.
    RnpEntries,
    /// A search by name or number.
    Find,
    /// A search for suppliers by a list of names.
    FindNames,
    /// The official documents behind an answer.
    Documents,
    /// Changes made by imports.
    Changes,
    Purchase44,
    Purchase223,
    Purchase615,
    Error,
    /// What `check` prints.
    CheckOutput,
    /// What `keys list` prints.
    KeyListOutput,
    /// What `keys log` prints.
    KeyLogOutput,
    /// What `import` prints.
    ImportOutput,
    /// What `fetch` prints.
    FetchOutput,
    /// An event of `watch`.
    WatchEvent,
}

#[derive(Debug)]
pub struct AnswerSchema {
    /// File name of the schemas, without the extension.
    pub file: &'static str,
    pub(super) answer: Answer,
    /// Name of the JSON schema when embedded in other documents.
    pub name: &'static str,
    /// Prefix of the names of nested schemas.
    pub(super) prefix: &'static str,
    pub(super) root: Root,
    #[cfg(test)]
    pub(super) table: &'static [&'static [Meaning]],
    pub xml: Vec<Field>,
    pub json: Vec<Field>,
    /// Example in XML, as the server sends it.
    pub xml_example: String,
    pub json_example: String,
    pub csv_example: String,
}

/// The names used in the description of an answer.
struct AnswerNames {
    name: &'static str,
    file: &'static str,
    prefix: &'static str,
    table: &'static [&'static [Meaning]],
}

impl Answer {
    #[rustfmt::skip]
    fn names(self) -> AnswerNames {
        let names = |name, file, prefix, table: &'static [&'static [Meaning]]| AnswerNames { name, file, prefix, table };
        match self {
            Self::ContractPage => names("ContractPage", "contract-page", "", &[meanings::CONTRACT_PAGE]),
            Self::CustomerPage => names("CustomerPage", "customer-page", "Customer", &[meanings::CUSTOMER_PAGE, meanings::SUPPLIED, meanings::CONTRACT_PAGE]),
            Self::ContractByNumber => names("ContractByNumber", "contract-by-number", "Numbered", &[meanings::SUPPLIED, meanings::CONTRACT_PAGE]),
            Self::ContractSearch => names("ContractSearch", "contract-search", "Found", &[meanings::SUPPLIED, meanings::CONTRACT_PAGE]),
            Self::PurchasesWon => names("PurchasesWon", "purchases-won", "Won", &[meanings::WON]),
            Self::ContractSummary => names("ContractSummary", "contract-summary", "Summary", &[meanings::SUMMARY, meanings::REGISTRIES, meanings::CONTRACT_PAGE]),
            Self::ContentSummary => names("ContentSummary", "content-summary", "Content", &[meanings::CONTENT_SUMMARY, meanings::SUMMARY, meanings::REGISTRIES, meanings::CONTRACT_PAGE]),
            Self::PurchaseSearch => names("PurchaseSearch", "purchase-search", "Listed", &[meanings::PURCHASES]),
            Self::ContractPrices => names("ContractPrices", "contract-prices", "Priced", &[meanings::PRICES]),
            Self::RnpCheck => names("RnpCheck", "rnp-check", "Rnp", &[meanings::CHECK, meanings::ENTRY]),
            Self::RnpCheckSuppliers => names("RnpCheckSuppliers", "rnp-check-suppliers", "Rnp", &[meanings::CHECK_MANY, meanings::REGISTRIES, meanings::CHECK, meanings::ENTRY]),
            Self::RnpEntries => names("RnpEntries", "rnp-entries", "Listed", &[meanings::ENTRIES, meanings::REGISTRIES, meanings::ENTRY]),
            Self::Find => names("Find", "find", "Find", &[meanings::FIND]),
            Self::FindNames => names("FindNames", "find-names", "FindNames", &[meanings::FIND_NAMES, meanings::FIND]),
            Self::Documents => names("Documents", "documents", "Documents", &[meanings::DOCUMENTS]),
            Self::Changes => names("Changes", "changes", "Changes", &[meanings::CHANGES]),
            Self::Purchase44 => names("Purchase44", "purchase44", "Purchase44", &[meanings::FZ44, meanings::ATTACHMENT, meanings::ANY_CARD, meanings::WITH_LOTS, meanings::PURCHASE_CONTRACT]),
            Self::Purchase223 => names("Purchase223", "purchase223", "Purchase223", &[meanings::FZ223, meanings::ANY_CARD, meanings::WITH_LOTS, meanings::HASH]),
            Self::Purchase615 => names("Purchase615", "purchase615", "Purchase615", &[meanings::PP615, meanings::ANY_CARD, meanings::PURCHASE_CONTRACT, meanings::HASH]),
            Self::Error => names("Error", "error", "", &[meanings::ERROR]),
            Self::CheckOutput => names("Check", "check", "", &[outputs::CHECK_OUTPUT]),
            Self::KeyListOutput => names("KeyList", "keys-list", "", &[outputs::KEY_LIST_OUTPUT]),
            Self::KeyLogOutput => names("KeyLog", "keys-log", "", &[outputs::KEY_LOG_OUTPUT]),
            Self::ImportOutput => names("ImportSummary", "import-summary", "", &[outputs::IMPORT_OUTPUT]),
            Self::FetchOutput => names("FetchSummary", "fetch-summary", "", &[outputs::FETCH_OUTPUT]),
            Self::WatchEvent => names("WatchEvent", "watch-event", "Event", &[outputs::WATCH_EVENT]),
        }
    }
}

impl AnswerSchema {
    /// Describes an answer, given an example of it.
    pub(super) fn new(described: Answer, answer: &impl Tabular) -> Self {
        let write_table = |out: &mut dyn Cells| answer.write_table(out);
        Self::from_record(described, answer.root(), answer, write_table)
    }

    /// Describes a card, given an example of it.
    pub(super) fn of_card(answer: Answer, root: Root, card: &impl Record) -> Self {
        let write_table = |out: &mut dyn Cells| fields_table(out, root.rules(), card);
        Self::from_record(answer, root, card, write_table)
    }

    /// Describes the output of a command, given an example in which every field is set. Outputs
    /// have no table form.
    pub(super) fn of_output(answer: Answer, root: Root, output: &impl Record) -> Self {
        Self::from_record(answer, root, output, |_| {})
    }

    fn from_record(
        answer: Answer,
        root: Root,
        record: &impl Record,
        write_table: impl FnOnce(&mut dyn Cells),
    ) -> Self {
        let AnswerNames {
            name,
            file,
            prefix,
            table,
        } = answer.names();
        let rules = root.rules();
        Self {
            file,
            answer,
            name,
            prefix,
            root,
            #[cfg(test)]
            table,
            xml: fields_of(record, Sample::Xml, table),
            json: fields_of(record, Sample::Json, table),
            xml_example: written(|out| xml_document(out, root.name(), rules, record)),
            json_example: written(|out| json_document(out, root.name(), rules, record)),
            csv_example: written(|out| write_table(&mut CsvTable::begin(out))),
        }
    }

    /// Returns the name of the root element in XML.
    pub fn root(&self) -> &'static str {
        self.root.name().text()
    }

    /// Returns whether days are written `YYYY-MM-DD`.
    pub fn has_iso_days(&self) -> bool {
        self.root.rules() == Rules::Page
    }

    /// Returns a regular expression for the whole value, valid in both XSD and ECMAScript, or
    /// `None` if any text is allowed.
    pub(super) fn pattern(&self, kind: ValueKind) -> Option<&'static str> {
        match kind {
            ValueKind::Text(form) => form,
            ValueKind::Code(_) => None,
            ValueKind::Date if self.has_iso_days() => Some("[0-9]{4}-[0-9]{2}-[0-9]{2}"),
            ValueKind::Date => Some("[0-9]{2}\\.[0-9]{2}\\.[0-9]{4}"),
            ValueKind::Moment => Some("[0-9]{2}\\.[0-9]{2}\\.[0-9]{4}( [0-9]{2}:[0-9]{2})?"),
            ValueKind::Amount => Some(AMOUNT),
            ValueKind::Whole => Some("[0-9]+"),
            ValueKind::Flag => Some("true|false"),
        }
    }

    /// Returns whether XML and JSON have different fields, as on 44-FZ cards.
    pub fn has_two_lists(&self) -> bool {
        self.root == Root::Purchase44
    }

    /// Returns whether the JSON has a root as well.
    pub fn is_wrapped(&self) -> bool {
        self.root.rules() == Rules::TextCard
    }
}

/// Returns what `write` appends, as text.
pub(super) fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
