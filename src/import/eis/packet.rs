//! Packets: documents under 223-FZ with several items.

use super::kind::Kind;
use crate::xml::Element;

/// Returns the items of a document with their paths. In a packet, each `body/item/…Data` is an
/// item; otherwise, the root element is the only item.
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
