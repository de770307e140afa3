//! Records to bytes: the answers in XML and in JSON, and the wire's spellings.
//!
//! `fields.rs` holds the rules in which the formats differ, `as_xml.rs` and `as_json.rs`
//! what follows them; `schema` describes the answers, from what they are told. Each resource has a
//! file that tells its fields in the specification's order; where the two
//! formats have different fields (44-FZ cards), both lists stand there side by
//! side.

mod as_json;
mod as_xml;
mod contracts;
mod error;
mod fields;
mod purchase223;
mod purchase44;
mod purchase615;
mod rnp;
pub mod schema;

#[doc(hidden)]
pub use as_json::json_string;
pub use contracts::ContractPage;
pub use error::ErrorBody;
pub use rnp::RnpCheck;

use md5::{Digest, Md5};

use crate::model::{Date, Purchase};
use as_json::json_document;
use as_xml::{add_to_xml_document, xml_document};
use fields::{Fields, Name, Resource, Rules, form, name};

/// One of the two formats of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// `application/xml`
    Xml,
    /// `application/json`
    Json,
}

impl Format {
    /// The format that a `format` parameter names, in any case.
    pub fn parse(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("xml") {
            Some(Self::Xml)
        } else if text.eq_ignore_ascii_case("json") {
            Some(Self::Json)
        } else {
            None
        }
    }

    /// The value of `Content-Type`.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Xml => "application/xml; charset=utf-8",
            Self::Json => "application/json; charset=utf-8",
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

#[inline(always)]
fn document(out: &mut Vec<u8>, format: Format, root: Root, rules: Rules, resource: &impl Resource) {
    match format {
        Format::Xml => xml_document(out, root.name(), rules, resource),
        Format::Json => json_document(out, root.name(), rules, resource),
    }
}

/// Appends the body of a contract page.
pub fn contract_page(out: &mut Vec<u8>, page: &ContractPage<'_>, format: Format) {
    document(out, format, Root::Response, Rules::PAGE, page);
}

/// Appends the body of an RNP check.
pub fn rnp_check(out: &mut Vec<u8>, check: &RnpCheck<'_>, format: Format) {
    document(out, format, Root::Response, Rules::PAGE, check);
}

/// Appends the body of an error, under the root of the place it is answered at.
pub fn error(out: &mut Vec<u8>, error: &ErrorBody<'_>, format: Format) {
    document(out, format, error.root, Rules::PAGE, error);
}

/// Appends the body of a purchase's card, in the shape of its regime, as it stands on
/// the day `today`.
pub fn purchase(out: &mut Vec<u8>, purchase: &Purchase, today: Date, format: Format) {
    match (purchase, format) {
        (Purchase::Fz44(card), Format::Xml) => {
            let card = purchase44::XmlCard { card, today };
            document(out, format, Root::Purchase44, Rules::CARD44, &card);
        }
        (Purchase::Fz44(card), Format::Json) => {
            let card = purchase44::JsonCard { card, today };
            document(out, format, Root::Purchase44, Rules::CARD44, &card);
        }
        (Purchase::Fz223(card), _) => {
            let card = purchase223::Card { card, today };
            hashed_card(out, Root::Purchase223, &card, format);
        }
        (Purchase::Pp615(card), _) => hashed_card(out, Root::Purchase615, &**card, format),
    }
}

/// A card that ends in `md5`: the MD5 of its XML answer without that element
/// (the contract, "Purchases").
fn hashed_card(out: &mut Vec<u8>, root: Root, card: &impl Resource, format: Format) {
    let (root, rules) = (root.name(), Rules::TEXT_CARD);
    let start = out.len();
    xml_document(out, root, rules, card);
    let md5 = CardHash::of_xml(&out[start..]);
    match format {
        Format::Xml => add_to_xml_document(out, root, rules, &md5),
        Format::Json => {
            out.truncate(start);
            json_document(out, root, rules, &Hashed { card, md5 });
        }
    }
}

/// The element `md5`.
struct CardHash(String);

impl CardHash {
    fn of_xml(document: &[u8]) -> Self {
        let hash = Md5::digest(document);
        Self(hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    /// That of a card.
    fn of(root: Root, card: &impl Resource) -> Self {
        let mut document = Vec::new();
        xml_document(&mut document, root.name(), Rules::TEXT_CARD, card);
        Self::of_xml(&document)
    }
}

impl Resource for CardHash {
    fn tell<F: Fields>(&self, fields: &mut F) {
        fields.formed(name!("md5"), &self.0, form::MD5);
    }
}

struct Hashed<'a, R> {
    card: &'a R,
    md5: CardHash,
}

impl<R: Resource> Resource for Hashed<'_, R> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        self.card.tell(fields);
        self.md5.tell(fields);
    }
}
