//! The card of a purchase, in the shape of its regime.

use md5::{Digest, Md5};

use super::answer::{Body, Format, Root};
use super::as_json::json_document;
use super::as_xml::{add_to_xml_document, xml_document};
use super::fields::{FieldWriter, Record, Rules, form, name};
use super::purchase_fields::{Card, Sample};
use super::table::{RenderError, fields_table};
use crate::model::{Date, Purchase};

/// Appends the body of a purchase's card, in the shape of its regime, as of the day
/// `today`.
///
/// # Errors
/// As [`super::answer()`].
pub fn purchase(body: &mut Body<'_>, purchase: &Purchase, today: Date) -> Result<(), RenderError> {
    match purchase {
        Purchase::Fz44(card) => {
            let card = |sample| Card::new(&**card, today, sample);
            let (root, rules) = (Root::Purchase44.name(), Rules::Card44);
            match body.format {
                Format::Xml => xml_document(body.out, root, rules, &card(Sample::Xml)),
                Format::Json => json_document(body.out, root, rules, &card(Sample::Json)),
                Format::Csv | Format::Xlsx => {
                    let samples = [Sample::Json, Sample::Xml].map(card);
                    body.table(None, |out| fields_table(out, rules, &samples))?;
                }
            }
            Ok(())
        }
        Purchase::Fz223(card) => {
            let card = Card::new(&**card, today, Sample::Json);
            hashed_card(body, Root::Purchase223, &card)
        }
        Purchase::Pp615(card) => {
            let card = Card::new(&**card, today, Sample::Json);
            hashed_card(body, Root::Purchase615, &card)
        }
    }
}

/// Writes a card that ends in `md5`: the MD5 of its XML answer without that element (the manual,
/// API, "JSON").
fn hashed_card(body: &mut Body<'_>, root: Root, card: &impl Record) -> Result<(), RenderError> {
    let (name, rules) = (root.name(), Rules::TextCard);
    let start = body.out.len();
    xml_document(body.out, name, rules, card);
    let md5 = CardHash::from_xml(&body.out[start..]);
    if body.format == Format::Xml {
        add_to_xml_document(body.out, name, rules, &md5);
        return Ok(());
    }
    body.out.truncate(start);
    let hashed = (card, md5);
    match body.format {
        Format::Csv | Format::Xlsx => body.table(None, |out| fields_table(out, rules, &[hashed])),
        _ => {
            json_document(body.out, name, rules, &hashed);
            Ok(())
        }
    }
}

/// The element `md5`.
struct CardHash(String);

impl CardHash {
    fn from_xml(document: &[u8]) -> Self {
        let hash = Md5::digest(document);
        Self(hash.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

impl Record for CardHash {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("md5"), &self.0, form::MD5);
    }
}

/// Returns a card with that element.
pub(super) fn with_hash(root: Root, card: &impl Record) -> impl Record {
    let mut document = Vec::new();
    xml_document(&mut document, root.name(), Rules::TextCard, card);
    (card, CardHash::from_xml(&document))
}
