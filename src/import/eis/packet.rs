//! Packets under 223-FZ: a document may hold several, each with its contents.

use super::kind::Kind;
use crate::xml::Element;

/// The items of a document, each with the path where its kind has it: of a packet
/// `body/item/…Data`, or `…Data` in the body or in the root, or the root itself.
pub fn items<'e, 'd>(
    kind: &Kind,
    document: &'e Element<'d>,
) -> Vec<(&'static str, &'e Element<'d>)> {
    let paths = ["body/item/*Data", "body/*Data", "*Data"];
    for path in paths.into_iter().filter(|_| kind.is_packet) {
        let mut found = Vec::new();
        document.each_at(path, &mut |item| found.push((path, item)));
        if !found.is_empty() {
            return found;
        }
    }
    vec![("", document)]
}
