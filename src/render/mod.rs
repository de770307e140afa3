//! Records to bytes: the answers in XML and in JSON, and the wire's spellings.
//!
//! `fields.rs` holds the rules in which the formats differ. Each resource has a
//! file that tells its fields in the specification's order; where the two
//! formats have different fields (44-FZ cards), both lists stand there side by
//! side.

mod contracts;
mod error;
mod fields;
mod purchase223;
mod purchase44;
mod purchase615;
mod rnp;

pub use contracts::ContractPage;
pub use error::ErrorBody;
pub use rnp::RnpCheck;

use md5::{Digest, Md5};

use crate::model::{Date, Purchase};
use fields::{Fields, Resource, Rules, json_document, xml_document};

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

fn document(format: Format, root: &str, rules: Rules, resource: &impl Resource) -> Vec<u8> {
    match format {
        Format::Xml => xml_document(root, rules, resource),
        Format::Json => json_document(root, rules, resource),
    }
}

/// The body of a contract page.
pub fn contract_page(page: &ContractPage<'_>, format: Format) -> Vec<u8> {
    document(format, "response", Rules::PAGE, page)
}

/// The body of an RNP check.
pub fn rnp_check(check: &RnpCheck<'_>, format: Format) -> Vec<u8> {
    document(format, "response", Rules::PAGE, check)
}

/// The body of an error, under the root of the place it is answered at.
pub fn error(error: &ErrorBody<'_>, format: Format) -> Vec<u8> {
    document(format, error.root, Rules::PAGE, error)
}

/// The body of a purchase's card, in the shape of its regime, as it stands on the
/// day `today`.
pub fn purchase(purchase: &Purchase, today: Date, format: Format) -> Vec<u8> {
    match (purchase, format) {
        (Purchase::Fz44(card), Format::Xml) => {
            let card = purchase44::XmlCard { card, today };
            xml_document("Purchase44", Rules::CARD44, &card)
        }
        (Purchase::Fz44(card), Format::Json) => {
            let card = purchase44::JsonCard { card, today };
            json_document("Purchase44", Rules::CARD44, &card)
        }
        (Purchase::Fz223(card), _) => {
            let card = purchase223::Card { card, today };
            hashed_card("Purchase223", &card, format)
        }
        (Purchase::Pp615(card), _) => hashed_card("Purchase615", &**card, format),
    }
}

/// A card that ends in `md5`: the MD5 of its XML answer without that element
/// (the contract, "Purchases").
fn hashed_card(root: &str, card: &impl Resource, format: Format) -> Vec<u8> {
    let hash = Md5::digest(xml_document(root, Rules::TEXT_CARD, card));
    let md5 = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    document(format, root, Rules::TEXT_CARD, &Hashed { card, md5 })
}

struct Hashed<'a, R> {
    card: &'a R,
    md5: String,
}

impl<R: Resource> Resource for Hashed<'_, R> {
    fn tell<F: Fields>(&self, fields: &mut F) {
        self.card.tell(fields);
        fields.text("md5", &self.md5);
    }
}
