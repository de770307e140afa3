//! Cards of purchases, in a different shape for each law.

use super::answer::{Body, Format, Root};
use super::as_json::json_document;
use super::as_xml::{add_to_xml_document, xml_document};
use super::fields::{FieldWriter, Record, form, name};
use super::purchase_fields::Card;
use super::table::{RenderError, fields_table};
use crate::model::{Date, Purchase};

/// Writes a purchase's card as of `today`. Cards under 223-FZ and PP-615 end with `md5`: the MD5 of
/// the card's XML without that element (manual, "API", "JSON").
///
/// # Errors
/// See [`super::answer()`].
pub fn purchase(body: &mut Body<'_>, purchase: &Purchase, today: Date) -> Result<(), RenderError> {
    let card = &Card::new(purchase, today);
    let root = Root::of_card(purchase);
    if root == Root::Purchase44 {
        return write(body, root, card);
    }
    let start = body.out.len();
    xml_document(body.out, root.name(), root.rules(), card);
    let md5 = CardHash::from_xml(&body.out[start..]);
    if body.format == Format::Xml {
        add_to_xml_document(body.out, root.name(), root.rules(), &md5);
        return Ok(());
    }
    body.out.truncate(start);
    write(body, root, &(card, md5))
}

fn write(body: &mut Body<'_>, root: Root, card: &impl Record) -> Result<(), RenderError> {
    let rules = root.rules();
    match body.format {
        Format::Xml => xml_document(body.out, root.name(), rules, card),
        Format::Json => json_document(body.out, root.name(), rules, card),
        Format::Csv | Format::Xlsx => body.table(None, |out| fields_table(out, rules, card))?,
    }
    Ok(())
}

struct CardHash(String);

impl CardHash {
    fn from_xml(document: &[u8]) -> Self {
        Self(format!("{:x}", md5::compute(document)))
    }
}

impl Record for CardHash {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        fields.formed(name!("md5"), &self.0, form::MD5);
    }
}

pub(super) fn with_hash(root: Root, card: Card<'_>) -> impl Record {
    let mut document = Vec::new();
    xml_document(&mut document, root.name(), root.rules(), &card);
    (card, CardHash::from_xml(&document))
}
