//! Packets under 223-FZ: a document may hold several, each with its contents.

use super::kind::Kind;
use crate::xml::Element;

/// The items of a document, each with the path where its kind has it: `body/item/…Data` of a
/// packet; else the root itself.
pub fn items<'e, 'd>(
    kind: &Kind,
    document: &'e Element<'d>,
) -> Vec<(&'static str, &'e Element<'d>)> {
    const ITEMS: &str = "body/item/*Data";
    let mut found = Vec::new();
    if kind.is_packet {
        document.each_at(ITEMS, &mut |item| found.push((ITEMS, item)));
    }
    if found.is_empty() {
        found.push(("", document));
    }
    found
}
