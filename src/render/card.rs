//! The card of a purchase, in the shape of its regime.

use md5::{Digest, Md5};

use super::answer::{Format, Root};
use super::as_json::json_document;
use super::as_xml::{add_to_xml_document, xml_document};
use super::fields::{FieldWriter, Record, Rules, form, name};
use super::purchase_fields::{Card, Sample};
use super::table::{TableWriter, fields_table, write_rows};
use crate::model::{Date, Purchase};

/// Appends the body of a purchase's card, in the shape of its regime, as of the day
/// `today`.
pub fn purchase(out: &mut Vec<u8>, purchase: &Purchase, today: Date, format: Format) {
    let root = Root::Purchase44.name();
    match purchase {
        Purchase::Fz44(card) => match format {
            Format::Xml => {
                let card = Card::new(&**card, today, Sample::Xml);
                xml_document(out, root, Rules::CARD44, &card);
            }
            Format::Json => {
                let card = Card::new(&**card, today, Sample::Json);
                json_document(out, root, Rules::CARD44, &card);
            }
            Format::Csv | Format::Xlsx => {
                let out = &mut table_writer(out, format);
                let (rules, paths) = (Rules::CARD44, &mut fields_table(out));
                for sample in [Sample::Json, Sample::Xml] {
                    write_rows(out, rules, paths, &Card::new(&**card, today, sample));
                }
            }
        },
        Purchase::Fz223(card) => {
            let card = Card::new(&**card, today, Sample::Both);
            hashed_card(out, Root::Purchase223, &card, format);
        }
        Purchase::Pp615(card) => {
            let card = Card::new(&**card, today, Sample::Both);
            hashed_card(out, Root::Purchase615, &card, format);
        }
    }
}

/// A card that ends in `md5`: the MD5 of its XML answer without that element
/// (the manual, API, "JSON").
pub(super) fn hashed_card(out: &mut Vec<u8>, root: Root, card: &impl Record, format: Format) {
    let (root, rules) = (root.name(), Rules::TEXT_CARD);
    let start = out.len();
    xml_document(out, root, rules, card);
    let md5 = CardHash::from_xml(&out[start..]);
    if format == Format::Xml {
        add_to_xml_document(out, root, rules, &md5);
        return;
    }
    out.truncate(start);
    let hashed = HashedCard { card, md5 };
    match format {
        Format::Csv | Format::Xlsx => {
            let out = &mut table_writer(out, format);
            let paths = &mut fields_table(out);
            write_rows(out, rules, paths, &hashed);
        }
        _ => json_document(out, root, rules, &hashed),
    }
}

fn table_writer(out: &mut Vec<u8>, format: Format) -> TableWriter<'_> {
    match format {
        Format::Xlsx => TableWriter::cells(out),
        _ => TableWriter::csv(out),
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

/// A card with that element.
pub(super) struct HashedCard<'a, R> {
    card: &'a R,
    md5: CardHash,
}

impl<'a, R: Record> HashedCard<'a, R> {
    pub(super) fn new(root: Root, card: &'a R) -> Self {
        let mut document = Vec::new();
        xml_document(&mut document, root.name(), Rules::TEXT_CARD, card);
        let md5 = CardHash::from_xml(&document);
        Self { card, md5 }
    }
}

impl<R: Record> Record for HashedCard<'_, R> {
    fn write<F: FieldWriter>(&self, fields: &mut F) {
        self.card.write(fields);
        self.md5.write(fields);
    }
}
