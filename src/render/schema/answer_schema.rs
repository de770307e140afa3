//! Describes an answer, based on an example in which every field has a value.

use super::tree::{Field, fields_of};
use crate::render::answer::{Root, Tabular};
use crate::render::as_csv::CsvTable;
use crate::render::as_json::json_document;
use crate::render::as_xml::xml_document;
use crate::render::fields::{Record, Rules, Sample, ValueKind};
use crate::render::meanings::{self, Meaning, outputs};
use crate::render::table::{Cells, fields_table};

pub(super) const AMOUNT: &str = "-?[0-9]+(\\.[0-9]+)?";

/// Answers and command outputs that have a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    ContractPage,
    CustomerPage,
    ContractByNumber,
    ContractSearch,
    ContractSummary,
    ContentSummary,
    ContractPrices,
    PurchasesWon,
    PurchaseSearch,
    RnpCheck,
    RnpCheckSuppliers,
    RnpEntries,
    Find,
    FindNames,
    Documents,
    Changes,
    Purchase44,
    Purchase223,
    Purchase615,
    Error,
    CheckOutput,
    KeyListOutput,
    KeyLogOutput,
    ImportOutput,
    FetchOutput,
    WatchEvent,
}

#[derive(Debug)]
pub struct AnswerSchema {
    /// File name of the schemas, without the extension.
    pub file: &'static str,
    pub(super) answer: Answer,
    /// Name of the answer's JSON schema within a larger document such as OpenAPI.
    pub name: &'static str,
    /// Prefix that keeps the names of nested schemas unique in a larger document.
    pub(super) prefix: &'static str,
    pub(super) root: Root,
    #[cfg(test)]
    pub(super) table: &'static [&'static [Meaning]],
    pub xml: Vec<Field>,
    pub json: Vec<Field>,
    pub xml_example: String,
    pub json_example: String,
    pub csv_example: String,
}

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
    /// `answer` is an example in which every field has a value.
    pub(super) fn new(described: Answer, answer: &impl Tabular) -> Self {
        let write_table = |out: &mut dyn Cells| answer.write_table(out);
        Self::from_record(described, answer.root(), answer, write_table)
    }

    /// `card` is an example in which every field has a value.
    pub(super) fn of_card(answer: Answer, root: Root, card: &impl Record) -> Self {
        let write_table = |out: &mut dyn Cells| fields_table(out, root.rules(), card);
        Self::from_record(answer, root, card, write_table)
    }

    /// `output` is an example in which every field has a value. Command outputs have no table form.
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

    /// Returns whether days are written as `YYYY-MM-DD`. Otherwise they are `DD.MM.YYYY`.
    pub fn has_iso_days(&self) -> bool {
        self.root.rules() == Rules::Page
    }

    /// Returns a regular expression for the whole value, without anchors, that is valid in both XSD
    /// and ECMAScript. Returns `None` if the value is a code or an arbitrary text.
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

    /// Returns whether XML and JSON have different fields, which is the case for 44-FZ cards only.
    pub fn has_two_lists(&self) -> bool {
        self.root == Root::Purchase44
    }

    /// Returns whether the JSON has a root element, like the XML.
    pub fn is_wrapped(&self) -> bool {
        self.root.rules() == Rules::TextCard
    }
}

pub(super) fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
