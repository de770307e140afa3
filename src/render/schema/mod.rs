//! What describes the answers: XML schemas, JSON schemas, and the table of fields that the
//! documentation shows.
//!
//! Each answer is described by what its record writes ([`tree`]), of a completely filled
//! example (`samples.rs`), and by what its fields mean ([`meanings`]). So a field that is
//! written is in all of them, and one that is not is in none.

pub mod json_schema;
pub mod meanings;
mod samples;
mod samples44;
pub mod tree;
mod xsd;

use std::sync::LazyLock;

use super::fields::{Record, Rules};
use super::{CardHash, Format, Hashed, Root, Tabular, json_document, xml_document};
use super::{CheckedSupplier, ContractPage, ErrorBody, RnpCheck, RnpCheckMany, SummaryAnswer};
use super::{purchase44, purchase223};
use crate::model::{Date, EncodedContract, Purchase, Verdict};
use meanings::Meaning;
use tree::{Field, fields_of};

/// An answer as it is described.
#[derive(Debug)]
pub struct AnswerSchema {
    /// The name of its schemas' files.
    pub file: &'static str,
    /// The name of its JSON schema within others, and the start of its parts' names.
    pub name: &'static str,
    /// What the names of its parts' schemas begin with.
    prefix: &'static str,
    root: Root,
    rules: Rules,
    #[cfg(test)]
    table: &'static [&'static [Meaning]],
    /// Its fields in XML.
    pub xml: Vec<Field>,
    /// In JSON.
    pub json: Vec<Field>,
    /// The example in XML, as the service would write it.
    pub xml_example: String,
    /// In JSON.
    pub json_example: String,
    /// In CSV.
    pub csv_example: String,
}

/// All answers with data, and the error.
pub fn answers() -> &'static [AnswerSchema] {
    static ANSWERS: LazyLock<Vec<AnswerSchema>> = LazyLock::new(|| {
        let answers = [
            Some(contract_page()),
            Some(contract_summary()),
            rnp_check(),
            rnp_check_many(),
            purchase44(),
            purchase223(),
            purchase615(),
            Some(error()),
        ];
        answers.into_iter().flatten().collect()
    });
    &ANSWERS
}

/// The answer of that name.
pub fn answer(name: &str) -> Option<&'static AnswerSchema> {
    answers().iter().find(|answer| answer.name == name)
}

/// What an answer is called.
struct Called {
    file: &'static str,
    name: &'static str,
    prefix: &'static str,
    table: &'static [&'static [Meaning]],
}

impl AnswerSchema {
    /// The answer that `answer` is a filled example of.
    fn new(called: Called, answer: &impl Tabular) -> Self {
        let schema = Self::of_records(called, answer.root(), Rules::PAGE, answer, answer);
        schema.with_csv(|out| answer.write_table(out))
    }

    /// That of a card, by its records in XML and in JSON.
    fn of_records(
        called: Called,
        root: Root,
        rules: Rules,
        xml: &impl Record,
        json: &impl Record,
    ) -> Self {
        let table = called.table;
        Self {
            file: called.file,
            name: called.name,
            prefix: called.prefix,
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

    fn with_csv(self, write: impl FnOnce(&mut Vec<u8>)) -> Self {
        Self {
            csv_example: written(write),
            ..self
        }
    }

    /// The XML schema (XSD 1.0) of what is answered there: of a purchase also of the errors,
    /// which have its root.
    pub fn xsd(&self) -> String {
        xsd::document(self)
    }

    /// The name of the root in XML.
    pub fn root(&self) -> &'static str {
        self.root.name().text()
    }

    /// Are its days written `YYYY-MM-DD`?
    pub fn has_iso_days(&self) -> bool {
        self.rules.has_iso_days()
    }

    /// Have XML and JSON different fields?
    pub fn has_two_lists(&self) -> bool {
        self.root == Root::Purchase44
    }

    /// Has the JSON the root as well?
    pub fn is_wrapped(&self) -> bool {
        self.rules.root == super::fields::RootForm::Wrapped
    }
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
    let mut out = Vec::new();
    write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn contract_page() -> AnswerSchema {
    let record = samples::contract().encode();
    let page = ContractPage {
        inn: samples::SUPPLIER_INN,
        name: samples::SUPPLIER_NAME,
        total: 1,
        skip: "0",
        limit: 100,
        contracts: &|show| {
            if let Some(contract) = EncodedContract::decode(&record) {
                show(&contract);
            }
        },
    };
    let called = Called {
        file: "contract-page",
        name: "ContractPage",
        prefix: "",
        table: &[meanings::CONTRACT_PAGE],
    };
    AnswerSchema::new(called, &page)
}

fn contract_summary() -> AnswerSchema {
    let summary = SummaryAnswer {
        inn: samples::SUPPLIER_INN,
        name: samples::SUPPLIER_NAME,
        summary: &samples::contract_summary(),
    };
    let called = Called {
        file: "contract-summary",
        name: "ContractSummary",
        prefix: "Summary",
        table: &[meanings::SUMMARY],
    };
    AnswerSchema::new(called, &summary)
}

fn rnp_check() -> Option<AnswerSchema> {
    let check = RnpCheck {
        inn: samples::SUPPLIER_INN,
        name: samples::SUPPLIER_NAME,
        entries: &[samples::rnp_entry()],
        from: &samples::answered_from()?,
    };
    let called = Called {
        file: "rnp-check",
        name: "RnpCheck",
        prefix: "Rnp",
        table: &[meanings::CHECK],
    };
    Some(AnswerSchema::new(called, &check))
}

fn rnp_check_many() -> Option<AnswerSchema> {
    let supplier = CheckedSupplier {
        inn: samples::SUPPLIER_INN.to_owned(),
        name: samples::SUPPLIER_NAME.to_owned(),
        verdict: Verdict::Listed,
        entries: vec![samples::rnp_entry()],
        previous: vec![samples::past_rnp_entry()],
    };
    let check = RnpCheckMany {
        suppliers: &[supplier],
        registries: &samples::registries(),
        history: true,
        from: &samples::answered_from()?,
    };
    let called = Called {
        file: "rnp-check-suppliers",
        name: "RnpCheckSuppliers",
        prefix: "Rnp",
        table: &[meanings::CHECK_MANY, meanings::CHECK],
    };
    Some(AnswerSchema::new(called, &check))
}

/// The day of the examples; what they say does not depend on it.
fn today() -> Option<Date> {
    samples::day("2026-01-12")
}

fn purchase44() -> Option<AnswerSchema> {
    let (card, today) = (&samples44::purchase44()?, today()?);
    let called = Called {
        file: "purchase44",
        name: "Purchase44",
        prefix: "Purchase44",
        table: &[
            meanings::FZ44,
            meanings::ATTACHMENT,
            meanings::ANY_CARD,
            meanings::WITH_LOTS,
            meanings::PURCHASE_CONTRACT,
        ],
    };
    let xml = purchase44::XmlCard { card, today };
    let json = purchase44::JsonCard { card, today };
    let schema = AnswerSchema::of_records(called, Root::Purchase44, Rules::CARD44, &xml, &json);
    let purchase = Purchase::Fz44(Box::new(card.clone()));
    Some(schema.with_csv(|out| super::purchase(out, &purchase, today, Format::Csv)))
}

fn purchase223() -> Option<AnswerSchema> {
    let (card, today) = (&samples::purchase223()?, today()?);
    let called = Called {
        file: "purchase223",
        name: "Purchase223",
        prefix: "Purchase223",
        table: &[
            meanings::FZ223,
            meanings::ANY_CARD,
            meanings::WITH_LOTS,
            meanings::HASH,
        ],
    };
    let card = &purchase223::Card223 { card, today };
    Some(hashed_card(called, Root::Purchase223, card))
}

fn purchase615() -> Option<AnswerSchema> {
    let card = &samples::purchase615()?;
    let called = Called {
        file: "purchase615",
        name: "Purchase615",
        prefix: "Purchase615",
        table: &[
            meanings::PP615,
            meanings::ANY_CARD,
            meanings::PURCHASE_CONTRACT,
            meanings::HASH,
        ],
    };
    Some(hashed_card(called, Root::Purchase615, card))
}

fn hashed_card(called: Called, root: Root, card: &impl Record) -> AnswerSchema {
    let md5 = CardHash::new(root, card);
    let hashed = &Hashed { card, md5 };
    let schema = AnswerSchema::of_records(called, root, Rules::TEXT_CARD, hashed, hashed);
    schema.with_csv(|out| super::hashed_card(out, root, card, Format::Csv))
}

fn error() -> AnswerSchema {
    let error = ErrorBody {
        root: Root::Data,
        code: Some(401),
        text: "Некорректный API_KEY.",
    };
    let called = Called {
        file: "error",
        name: "Error",
        prefix: "",
        table: &[meanings::ERROR],
    };
    AnswerSchema::new(called, &error)
}

#[cfg(test)]
mod tests;
