//! The description of an answer, derived from a completely filled example.

use super::tree::{Field, FieldKind, fields_of};
use crate::render::answer::{Root, Tabular};
use crate::render::as_csv::CsvTable;
use crate::render::as_json::json_document;
use crate::render::as_xml::xml_document;
use crate::render::fields::{Record, RootForm, Rules};
use crate::render::meanings::Meaning;
use crate::render::table::Cells;

/// The pattern of an amount.
pub(super) const AMOUNT: &str = "-?[0-9]+(\\.[0-9]+)?";

/// A described answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A page of a supplier's contracts.
    ContractPage,
    /// A page of a customer's contracts.
    CustomerPage,
    /// The summary of a supplier's contracts.
    ContractSummary,
    /// The purchases that a supplier won.
    PurchasesWon,
    /// The RNP check of a supplier.
    RnpCheck,
    /// The RNP check of several suppliers.
    RnpCheckSuppliers,
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

impl Answer {
    /// Returns the name of its JSON schema within others.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::ContractPage => "ContractPage",
            Self::CustomerPage => "CustomerPage",
            Self::ContractSummary => "ContractSummary",
            Self::PurchasesWon => "PurchasesWon",
            Self::RnpCheck => "RnpCheck",
            Self::RnpCheckSuppliers => "RnpCheckSuppliers",
            Self::Find => "Find",
            Self::FindNames => "FindNames",
            Self::Documents => "Documents",
            Self::Changes => "Changes",
            Self::Purchase44 => "Purchase44",
            Self::Purchase223 => "Purchase223",
            Self::Purchase615 => "Purchase615",
            Self::Error => "Error",
        }
    }
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
    pub(super) rules: Rules,
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
pub(super) struct AnswerNames {
    pub file: &'static str,
    pub answer: Answer,
    pub prefix: &'static str,
    pub table: &'static [&'static [Meaning]],
}

impl AnswerSchema {
    /// Describes an answer by its filled example.
    pub(super) fn new(names: AnswerNames, answer: &impl Tabular) -> Self {
        let schema = Self::from_records(names, answer.root(), Rules::PAGE, answer, answer);
        schema.with_csv(|out| answer.write_table(out))
    }

    /// Describes a card by its records in XML and in JSON.
    pub(super) fn from_records(
        names: AnswerNames,
        root: Root,
        rules: Rules,
        xml: &impl Record,
        json: &impl Record,
    ) -> Self {
        let table = names.table;
        Self {
            file: names.file,
            answer: names.answer,
            name: names.answer.name(),
            prefix: names.prefix,
            root,
            rules,
            #[cfg(test)]
            table,
            xml: fields_of(xml, rules, table),
            json: fields_of(json, rules, table),
            xml_example: written(|out| xml_document(out, root.name(), rules, xml)),
            json_example: written(|out| json_document(out, root.name(), rules, json)),
            csv_example: String::new(),
        }
    }

    pub(super) fn with_csv(self, write: impl FnOnce(&mut dyn Cells)) -> Self {
        Self {
            csv_example: written(|out| write(&mut CsvTable::begin(out))),
            ..self
        }
    }

    /// Returns the name of the root in XML.
    pub fn root(&self) -> &'static str {
        self.root.name().text()
    }

    /// Returns whether days are written `YYYY-MM-DD`.
    pub fn has_iso_days(&self) -> bool {
        self.rules.has_iso_days()
    }

    /// Returns the regular expression that a value matches as a whole, if there is one, in the
    /// common syntax of XSD and ECMAScript.
    pub(super) fn pattern(&self, kind: &FieldKind) -> Option<&'static str> {
        match kind {
            FieldKind::Text(form) => *form,
            FieldKind::Date if self.has_iso_days() => Some("[0-9]{4}-[0-9]{2}-[0-9]{2}"),
            FieldKind::Date => Some("[0-9]{2}\\.[0-9]{2}\\.[0-9]{4}"),
            FieldKind::Moment => Some("[0-9]{2}\\.[0-9]{2}\\.[0-9]{4}( [0-9]{2}:[0-9]{2})?"),
            FieldKind::Amount => Some(AMOUNT),
            FieldKind::Whole => Some("[0-9]+"),
            FieldKind::Flag => Some("true|false"),
            _ => None,
        }
    }

    /// Returns whether XML and JSON have different fields.
    pub fn has_two_lists(&self) -> bool {
        self.root == Root::Purchase44
    }

    /// Returns whether the JSON has the root, too.
    pub fn is_wrapped(&self) -> bool {
        self.rules.root == RootForm::Wrapped
    }
}

/// Returns the output of `write` as text.
pub(super) fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
