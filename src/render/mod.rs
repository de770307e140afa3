//! Records to bytes: the answers in XML and in JSON, and the wire's spellings.
//!
//! `fields.rs` holds the rules in which the formats differ, `as_xml.rs`, `as_json.rs` and
//! `as_csv.rs` what follows them; `schema` describes the answers by the same. Each record
//! has a
//! file that writes its fields in the specification's order; where the two
//! formats have different fields (44-FZ cards), both lists stand there side by
//! side.

mod as_csv;
mod as_json;
mod as_xml;
mod contracts;
mod error;
mod fields;
mod lines;
mod purchase223;
mod purchase44;
mod purchase615;
mod rnp;
pub mod schema;
mod summary;

#[doc(hidden)]
pub use as_json::json_string;
pub use contracts::{ContractPage, add_contract, begin_contracts};
pub use error::ErrorBody;
pub use lines::{contract_line, entry_line, purchase_line, registry_line, supplier_line};
pub use rnp::{
    AnsweredFrom, CheckedSupplier, RnpCheck, RnpCheckMany, add_entry, add_supplier, begin_entries,
    begin_suppliers,
};
pub use summary::SummaryAnswer;

use md5::{Digest, Md5};

use crate::model::{Date, Purchase};
use as_csv::{fields_table, write_rows};
use as_json::json_document;
use as_xml::{add_to_xml_document, xml_document};
use fields::{FieldWriter, Name, Record, Rules, form, name};

/// One of the formats of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `application/xml`
    Xml,
    /// `application/json`
    Json,
    /// `text/csv`: the rows of an answer alone, for spreadsheets.
    Csv,
}

impl Format {
    /// The format that a `format` parameter names, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("xml") {
            Some(Self::Xml)
        } else if text.eq_ignore_ascii_case("json") {
            Some(Self::Json)
        } else if text.eq_ignore_ascii_case("csv") {
            Some(Self::Csv)
        } else {
            None
        }
    }

    /// The value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Xml => "application/xml; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }

    /// The value of `format` that names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Xml => "xml",
            Self::Json => "json",
            Self::Csv => "csv",
        }
    }

    /// It as a number, to be told apart by.
    pub fn number(self) -> u8 {
        match self {
            Self::Xml => 0,
            Self::Json => 1,
            Self::Csv => 2,
        }
    }
}

/// The root element of an XML document; the JSON of 223 and 615 cards has it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// `response`
    Response,
    /// `data`
    Data,
    /// `Purchase44`
    Purchase44,
    /// `Purchase223`
    Purchase223,
    /// `Purchase615`
    Purchase615,
}

impl Root {
    fn name(self) -> &'static Name {
        match self {
            Self::Response => name!("response"),
            Self::Data => name!("data"),
            Self::Purchase44 => name!("Purchase44"),
            Self::Purchase223 => name!("Purchase223"),
            Self::Purchase615 => name!("Purchase615"),
        }
    }
}

/// An answer by the rules of the contract page, which is a table too.
pub trait Tabular: Record {
    /// The root element of its XML.
    fn root(&self) -> Root {
        Root::Response
    }

    /// Appends its rows as CSV, below the names of the columns.
    fn write_table(&self, out: &mut Vec<u8>);
}

/// Appends the body of an answer.
#[inline(always)]
pub fn answer(out: &mut Vec<u8>, answer: &impl Tabular, format: Format) {
    let root = answer.root().name();
    match format {
        Format::Xml => xml_document(out, root, Rules::PAGE, answer),
        Format::Json => json_document(out, root, Rules::PAGE, answer),
        Format::Csv => answer.write_table(out),
    }
}

/// Appends the body of a purchase's card, in the shape of its regime, as it stands on
/// the day `today`.
pub fn purchase(out: &mut Vec<u8>, purchase: &Purchase, today: Date, format: Format) {
    let root = Root::Purchase44.name();
    match purchase {
        Purchase::Fz44(card) => match format {
            Format::Xml => {
                let card = purchase44::XmlCard { card, today };
                xml_document(out, root, Rules::CARD44, &card);
            }
            Format::Json => {
                let card = purchase44::JsonCard { card, today };
                json_document(out, root, Rules::CARD44, &card);
            }
            Format::Csv => {
                let (rules, paths) = (Rules::CARD44, &mut fields_table(out));
                write_rows(out, rules, paths, &purchase44::JsonCard { card, today });
                write_rows(out, rules, paths, &purchase44::XmlCard { card, today });
            }
        },
        Purchase::Fz223(card) => {
            let card = purchase223::Card223 { card, today };
            hashed_card(out, Root::Purchase223, &card, format);
        }
        Purchase::Pp615(card) => hashed_card(out, Root::Purchase615, &**card, format),
    }
}

/// A card that ends in `md5`: the MD5 of its XML answer without that element
/// (the contract, "Purchases").
fn hashed_card(out: &mut Vec<u8>, root: Root, card: &impl Record, format: Format) {
    let (root, rules) = (root.name(), Rules::TEXT_CARD);
    let start = out.len();
    xml_document(out, root, rules, card);
    let md5 = CardHash::from_xml(&out[start..]);
    if format == Format::Xml {
        add_to_xml_document(out, root, rules, &md5);
        return;
    }
    out.truncate(start);
    let hashed = Hashed { card, md5 };
    match format {
        Format::Csv => {
            let paths = &mut fields_table(out);
            write_rows(out, rules, paths, &hashed);
        }
        _ => json_document(out, root, rules, &hashed),
    }
}

/// The element `md5`.
struct CardHash(String);

impl CardHash {
    fn from_xml(document: &[u8]) -> Self {
        let hash = Md5::digest(document);
        Self(hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// That of a card.
    fn new(root: Root, card: &impl Record) -> Self {
        let mut document = Vec::new();
        xml_document(&mut document, root.name(), Rules::TEXT_CARD, card);
        Self::from_xml(&document)
    }
}

impl Record for CardHash {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("md5"), &self.0, form::MD5);
    }
}

struct Hashed<'a, R> {
    card: &'a R,
    md5: CardHash,
}

impl<R: Record> Record for Hashed<'_, R> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.card.write(fields);
        self.md5.write(fields);
    }
}
