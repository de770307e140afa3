//! Extracts what it can from an inclusion that the reader rejects: the law, the number, and whom
//! the inclusion may be about. Without this, the supplier would seem not to be listed.

use crate::import::eis::kind::{Kind, Rule, Subject};
use crate::import::eis::kinds::KINDS;
use crate::import::eis::node::Node;
use crate::import::eis::value;
use crate::model::{Inn, Regime, UnreadAbout, UnreadEntry};
use crate::xml::Element;

/// Upper bound on the INNs that a document may be about. A document with more INNs may be about
/// anybody.
const MAX_INNS: usize = 20;

/// Elements that contain the data of the supplier: `unfairSupplier` in documents under 44-FZ until
/// March 2022, `supplier` under 223-FZ, `unfairSupplierInfo` in all others.
const SUPPLIERS: [&str; 3] = ["unfairSupplier", "unfairSupplierInfo", "supplier"];

/// Prefixes of elements inside the supplier that are about other people or places.
const OTHERS: [&str; 2] = ["founder", "place"];

const NAMES: [&str; 4] = ["fullName", "shortName", "firmName", "name"];

/// A start tag: the local name of the element, and the text up to the next tag.
struct StartTag<'t> {
    name: &'t str,
    text: &'t str,
    is_of_supplier: bool,
}

impl StartTag<'_> {
    /// Returns whether the element says that nobody was included: a refusal (`PR` under 223-FZ) or
    /// a draft (`F`, `M`).
    fn is_of_no_entry(&self) -> bool {
        matches!(
            (self.name, self.text),
            ("state", "REVIEW_CANCELED") | ("approveStatus", "PR") | ("status", "F" | "M")
        )
    }
}

/// Returns what can be extracted from an item, or `None` if it is an exclusion, a refusal or a
/// draft.
pub fn unread(kind: &Kind, item: &Element<'_>) -> Option<UnreadEntry> {
    let mut tags = Vec::new();
    add_tags(item, &mut tags, false);
    let is_absence = !is_inclusion(kind) || tags.iter().any(StartTag::is_of_no_entry);
    (!is_absence).then(|| made_out(kind, &tags))
}

/// Returns what can be extracted from the inclusions in a text that is not well-formed. Skips the
/// first `read` inclusions, which the reader has already read.
pub fn unread_in(text: &str, read: usize) -> Vec<UnreadEntry> {
    let inclusions: Vec<&Kind> = KINDS.iter().filter(|kind| is_inclusion(kind)).collect();
    let mut found: Vec<(&Kind, Vec<StartTag<'_>>)> = Vec::new();
    // Whether the supplier's element is open, and whether the current document already had one.
    let (mut open, mut has_inner) = (false, false);
    for piece in text.split('<').skip(1) {
        let end = piece
            .find([' ', '\t', '\r', '\n', '>'])
            .unwrap_or(piece.len());
        let (name, rest) = piece.split_at(end);
        let is_end = name.starts_with('/');
        let name = name.trim_matches('/');
        let name = name.rsplit(':').next().unwrap_or_default();
        let text = rest.split_once('>').map_or("", |(_, text)| text.trim());
        // In an old document, the supplier's element has the same name as the document.
        let is_old = found.last().is_some_and(|(kind, _)| kind.name == name);
        let is_inner = is_old && SUPPLIERS.contains(&name) && !has_inner;
        match inclusions.iter().find(|kind| kind.name == name) {
            Some(kind) if !is_end && !is_inner => {
                found.push((kind, Vec::new()));
                (open, has_inner) = (false, false);
            }
            _ if is_end => open &= !SUPPLIERS.contains(&name),
            _ => {
                has_inner |= is_inner && !is_end;
                open |= SUPPLIERS.contains(&name);
                open &= !OTHERS.iter().any(|other| name.starts_with(other));
                let tag = StartTag {
                    name,
                    text,
                    is_of_supplier: open,
                };
                if let Some((_, tags)) = found.last_mut() {
                    tags.push(tag);
                }
            }
        }
    }
    let mut unread = found.iter().skip(read).collect::<Vec<_>>();
    unread.retain(|(_, tags)| !tags.iter().any(StartTag::is_of_no_entry));
    let unread = unread.into_iter();
    unread.map(|(kind, tags)| made_out(kind, tags)).collect()
}

/// Returns what the name of an unreadable file reveals. EIS names files after their documents.
/// Returns `None` if the name is not that of an inclusion.
pub fn unread_file(name: &str) -> Option<UnreadEntry> {
    let is_named = |kind: &&Kind| {
        let rest = name.strip_prefix(kind.name);
        is_inclusion(kind) && rest.is_some_and(|rest| rest.starts_with(['_', '.', '-']))
    };
    KINDS.iter().find(is_named).map(|kind| made_out(kind, &[]))
}

/// Returns whether there is an INN anywhere inside the supplier's element, except in elements about
/// other people or places.
pub fn has_inn_elsewhere(supplier: &Node<'_>) -> bool {
    let mut tags = Vec::new();
    add_tags(supplier.element(), &mut tags, true);
    tags.iter()
        .any(|tag| is_inn(tag.name) && tag.is_of_supplier)
}

/// Returns whether documents of this kind add suppliers to a registry.
pub fn is_inclusion(kind: &Kind) -> bool {
    kind.about == Subject::RnpEntry && kind.rule != Rule::NotIncluded
}

fn is_inn(name: &str) -> bool {
    name.eq_ignore_ascii_case("inn")
}

fn add_tags<'e>(element: &'e Element<'_>, tags: &mut Vec<StartTag<'e>>, is_of_supplier: bool) {
    element.each_at("*", &mut |inner| {
        let is_of_others = OTHERS.iter().any(|other| inner.name.starts_with(other));
        let is_of_supplier = !is_of_others && (is_of_supplier || SUPPLIERS.contains(&inner.name));
        tags.push(StartTag {
            name: inner.name,
            text: inner.text(),
            is_of_supplier,
        });
        add_tags(inner, tags, is_of_supplier);
    });
}

fn made_out(kind: &Kind, tags: &[StartTag<'_>]) -> UnreadEntry {
    let first = |paths: &[&str]| {
        let mut names = paths.iter().map(|path| path.rsplit('/').next());
        let text = |name: Option<&str>| {
            let mut of_name = tags.iter().filter(|tag| Some(tag.name) == name);
            of_name.find(|tag| !tag.text.is_empty())
        };
        names.find_map(text).map(|tag| tag.text)
    };
    let published = first(kind.published).and_then(|text| value::instant(text).ok());
    let is_of_615 = tags
        .iter()
        .any(|tag| tag.name == "unfairContractor615RegistryNum");
    UnreadEntry {
        law: match kind.subsystem {
            "RNP223" => Regime::Fz223,
            "PPRF615" => Regime::Pp615,
            _ if is_of_615 => Regime::Pp615,
            _ => Regime::Fz44,
        },
        number: first(kind.number).unwrap_or_default().to_owned(),
        version: first(kind.version).and_then(|text| text.parse().ok()),
        published,
        about: about(tags),
        archive: String::new(),
        entry: String::new(),
    }
}

/// Returns whom an inclusion may be about, judging by the INNs in the supplier's element, or if
/// there are none, by numbers in the supplier's names.
fn about(tags: &[StartTag<'_>]) -> UnreadAbout {
    let of_supplier = || tags.iter().filter(|tag| tag.is_of_supplier);
    let is_foreign = |tag: &StartTag<'_>| {
        tag.name.ends_with("ForeignStateInfo")
            || tag.name == "type" && matches!(tag.text, "UF" | "PF")
    };
    if of_supplier().any(is_foreign) {
        return UnreadAbout::NoInn;
    }
    let meant = |is_named: &dyn Fn(&str) -> bool| {
        let texts = of_supplier().filter(|tag| is_named(tag.name));
        let mut inns: Vec<Inn> = texts.flat_map(|tag| inns_in(tag.text)).collect();
        inns.sort_unstable();
        inns.dedup();
        inns
    };
    let mut inns = meant(&|name| is_inn(name) || name == "taxPayerCode");
    if inns.is_empty() {
        inns = meant(&|name| NAMES.contains(&name));
    }
    match inns.len() {
        1..=MAX_INNS => UnreadAbout::Inns(inns),
        _ => UnreadAbout::Anybody,
    }
}

/// Returns the INNs that a text may contain: runs of 10 or 12 digits, which may contain spaces and
/// hyphens. If there are none, takes runs of 9 or 11 digits and adds a leading zero.
fn inns_in(text: &str) -> Vec<Inn> {
    let is_digit = |c: char| c.is_ascii_digit();
    let divides = |c: char| c.is_whitespace() || matches!(c, '-' | '\u{2010}'..='\u{2014}');
    let runs = text.split(|c| !is_digit(c)).map(str::to_owned);
    let joined = text.split(|c| !is_digit(c) && !divides(c));
    let joined = joined.map(|run| run.chars().filter(|c| is_digit(*c)).collect());
    let all: Vec<String> = runs.chain(joined).collect();
    let exact: Vec<Inn> = all.iter().filter_map(|run| Inn::parse(run)).collect();
    if !exact.is_empty() {
        return exact;
    }
    let without_zero = all.iter().map(|run| ["0", run].concat());
    without_zero.filter_map(|run| Inn::parse(&run)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inns(text: &str) -> Vec<String> {
        let mut inns: Vec<_> = inns_in(text).iter().map(Inn::to_string).collect();
        inns.sort_unstable();
        inns.dedup();
        inns
    }

    #[test]
    fn inns_are_found_in_texts_even_without_leading_zeros() {
        assert_eq!(inns("9602003012"), ["9602003012"]);
        assert_eq!(inns("572002439"), ["0572002439"]);
        assert_eq!(inns("60200188867"), ["060200188867"]);
        assert_eq!(inns("ИНН: 9602003012;"), ["9602003012"]);
        assert_eq!(inns("96 0200\u{a0}3012"), ["9602003012"]);
        assert_eq!(inns("9602003012/9602008719"), ["9602003012", "9602008719"]);
        assert_eq!(inns("9602003012 960201001"), ["9602003012"]);
        assert_eq!(inns("нет"), [""; 0]);
        assert_eq!(inns("12345678"), [""; 0]);
    }

    #[test]
    fn a_truncated_document_is_recognized_by_its_beginning() {
        let text = "<export><a:unfairSupplier2022 schemeVersion=\"16.2\"><uuid>1</uuid><commonInfo>\
                    <regNumber>26000001</regNumber><versionNumber>2</versionNumber>\
                    <publishDT>2026-02-10T12:00:00+03:00</publishDT></commonInfo><unfairSupplierInfo>\
                    <legalEntityRFInfo><fullName>ООО</fullName><INN>9602003012</INN></legalEntityRFInfo>\
                    <founders><INN>9602008719</INN></founders>";
        let found = unread_in(text, 0);
        let [one] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!((one.law, one.number.as_str()), (Regime::Fz44, "26000001"));
        assert_eq!(
            (one.version, one.published),
            (Some(2), Some(1_770_714_000_000))
        );
        let inn = Inn::parse("9602003012").expect("an INN");
        assert_eq!(one.about, UnreadAbout::Inns(vec![inn]));
        assert!(unread_in(text, 1).is_empty());
        let cut = unread_in(&text[..40], 0);
        assert_eq!(cut[0].about, UnreadAbout::Anybody);
        assert_eq!((cut[0].number.as_str(), cut[0].published), ("", None));
        assert!(unread_in("<contract><suppliers><INN>9602003012</INN>", 0).is_empty());
    }

    #[test]
    fn truncated_inclusions_count_but_refusals_do_not() {
        let one = |number: &str, inn: &str| {
            format!(
                "<unfairSupplier><registryNum>{number}</registryNum><state>PUBLISHED</state>\
                 <unfairSupplier><inn>{inn}</inn></unfairSupplier></unfairSupplier>"
            )
        };
        let two = one("1", "9602003012") + &one("2", "9602008719");
        let found = unread_in(&two, 0);
        let numbers: Vec<&str> = found.iter().map(|one| one.number.as_str()).collect();
        assert_eq!(numbers, ["1", "2"]);
        let inn = Inn::parse("9602008719").expect("an INN");
        assert_eq!(unread_in(&two, 1)[0].about, UnreadAbout::Inns(vec![inn]));
        let refused = two.replace("PUBLISHED", "REVIEW_CANCELED");
        assert_eq!(unread_in(&refused, 0), []);
    }

    #[test]
    fn no_inn_is_found_for_a_foreign_supplier() {
        let text = "<pprf615UnfairContractor><commonInfo><registryNum>1</registryNum></commonInfo>\
                    <unfairSupplierInfo><type>UF</type><taxPayerCode>960200188867</taxPayerCode>";
        let found = unread_in(text, 0);
        assert_eq!(found[0].about, UnreadAbout::NoInn);
        assert_eq!(found[0].law, Regime::Pp615);
        let russian = unread_in(&text.replace("UF", "U"), 0);
        let inn = Inn::parse("960200188867").expect("an INN");
        assert_eq!(russian[0].about, UnreadAbout::Inns(vec![inn]));
    }

    #[test]
    fn an_unread_file_is_recognized_by_name() {
        let law = |name| unread_file(name).map(|one| one.law);
        assert_eq!(law("unfairSupplier2022_26000001_1.xml"), Some(Regime::Fz44));
        assert_eq!(law("dishonestSupplier-1.xml"), Some(Regime::Fz223));
        assert_eq!(law("unfairSupplier2022Exclude_1.xml"), None);
        assert_eq!(law("contract_1.xml"), None);
    }
}
