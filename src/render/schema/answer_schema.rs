//! The description of an answer, derived from a completely filled example.

use super::tree::{Field, fields_of};
use crate::render::answer::{Root, Tabular};
use crate::render::as_csv::CsvTable;
use crate::render::as_json::json_document;
use crate::render::as_xml::xml_document;
use crate::render::fields::{Record, Rules, Sample, ValueKind};
use crate::render::meanings::{self, Meaning};
use crate::render::table::{Cells, fields_table};

/// The pattern of an amount.
pub(super) const AMOUNT: &str = "-?[0-9]+(\\.[0-9]+)?";

/// A described answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A page of a supplier's contracts.
    ContractPage,
    /// A page of a customer's contracts.
    CustomerPage,
    /// A contract by its registry number.
    ContractByNumber,
    /// A page of the contracts that a search finds.
    ContractSearch,
    /// The summary of a supplier's contracts.
    ContractSummary,
    /// The summary of the contracts that a search finds.
    ContentSummary,
    /// Unit prices.
    ContractPrices,
    /// The purchases that a supplier won.
    PurchasesWon,
    /// The purchases that a search finds.
    PurchaseSearch,
    /// The RNP check of a supplier.
    RnpCheck,
    /// The RNP check of several suppliers.
    RnpCheckSuppliers,
    /// The registries of unfair suppliers as a list.
    RnpEntries,
    /// A search by a name or a number.
    Find,
    /// A search for suppliers by a list of names.
    FindNames,
    /// The documents behind an answer.
    Documents,
    /// The changes made by imports.
    Changes,
    /// A card under 44-FZ.
    Purchase44,
    /// A card under 223-FZ.
    Purchase223,
    /// A card under PP-615.
    Purchase615,
    /// An error.
    Error,
}

/// The description of an answer.
#[derive(Debug)]
pub struct AnswerSchema {
    /// The name of the schema files.
    pub file: &'static str,
    pub(super) answer: Answer,
    /// The name of the JSON schema within others.
    pub name: &'static str,
    /// The prefix for the names of the parts' schemas.
    pub(super) prefix: &'static str,
    pub(super) root: Root,
    #[cfg(test)]
    pub(super) table: &'static [&'static [Meaning]],
    /// The fields in XML.
    pub xml: Vec<Field>,
    /// The fields in JSON.
    pub json: Vec<Field>,
    /// The example in XML, as the service would write it.
    pub xml_example: String,
    /// The example in JSON.
    pub json_example: String,
    /// The example in CSV.
    pub csv_example: String,
}

/// The names of an answer.
struct AnswerNames {
    /// The name of its JSON schema within others.
    name: &'static str,
    /// The name of the schema files.
    file: &'static str,
    /// The prefix for the names of the parts' schemas.
    prefix: &'static str,
    /// The meanings of its fields.
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
        }
    }
}

impl AnswerSchema {
    /// Describes an answer by its filled example.
    pub(super) fn new(described: Answer, answer: &impl Tabular) -> Self {
        let write_table = |out: &mut dyn Cells| answer.write_table(out);
        Self::from_record(described, answer.root(), answer, write_table)
    }

    /// Describes a card by its filled example.
    pub(super) fn of_card(answer: Answer, root: Root, card: &impl Record) -> Self {
        let write_table = |out: &mut dyn Cells| fields_table(out, root.rules(), card);
        Self::from_record(answer, root, card, write_table)
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

    /// Returns the name of the root in XML.
    pub fn root(&self) -> &'static str {
        self.root.name().text()
    }

    /// Returns whether days are written `YYYY-MM-DD`.
    pub fn has_iso_days(&self) -> bool {
        self.root.rules() == Rules::Page
    }

    /// Returns the regular expression that a value matches as a whole, if there is one, in the
    /// common syntax of XSD and ECMAScript.
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

    /// Returns whether XML and JSON have different fields.
    pub fn has_two_lists(&self) -> bool {
        self.root == Root::Purchase44
    }

    /// Returns whether the JSON has the root, too.
    pub fn is_wrapped(&self) -> bool {
        self.root.rules() == Rules::TextCard
    }
}

/// Returns the output of `write` as text.
pub(super) fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
