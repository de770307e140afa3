//! Checks invariants of every response: it is well-formed in XML and in JSON, both formats have the
//! same content, and importing it as a line yields the same record.

use std::collections::{BTreeSet, HashMap};

use procurement_lookup::import::{Line, parse_line};
use procurement_lookup::model::{
    Coverage, Date, EncodedContract, Ground, Inn, Purchase, PurchaseStage, Regime, Registries,
    Registry, RnpEntry, Supplier, UnreadEntries, VerdictRules,
};
use procurement_lookup::render::{
    self, AnswerOrigin, Body, ContractPage, Format, PageCounts, PageHead, RenderError, RnpCheck,
    RowCount, Tabular,
};
use procurement_lookup::store::{decode_contract, encode_contract};
use serde_json::value::RawValue;

use super::read_back::{Element, read};

/// The current day in all fuzz targets.
pub fn today() -> Date {
    Date::parse_iso("2025-06-15").expect("a day")
}

/// Replaces characters that XML 1.0 forbids with U+FFFD.
fn as_in_xml(text: &str) -> String {
    let allowed = |c: &char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    text.chars()
        .map(|c| if allowed(&c) { c } else { '\u{fffd}' })
        .collect()
}

fn element_as_in_xml(element: &Element) -> Element {
    Element {
        name: element.name.clone(),
        text: as_in_xml(&element.text),
        children: element.children.iter().map(element_as_in_xml).collect(),
    }
}

/// Parses both bodies with the tests' parsers, not with the program's.
fn read_both(xml: &[u8], json: &[u8]) -> [Element; 2] {
    let root = |format, body| {
        let body = std::str::from_utf8(body).expect("UTF-8");
        read(format, body, "object")
    };
    [
        root(Format::Xml, xml),
        element_as_in_xml(&root(Format::Json, json)),
    ]
}

/// Returns the non-empty leaves whose paths exist in both trees, sorted by path. In the cards of
/// 44-FZ, XML and JSON have different fields in a different order.
fn common_leaves(a: &Element, b: &Element) -> [Vec<(String, String)>; 2] {
    let (a, b) = (a.leaves(), b.leaves());
    let paths = |leaves: &[(String, String)]| -> BTreeSet<String> {
        leaves.iter().map(|(path, _)| path.clone()).collect()
    };
    let (in_a, in_b) = (paths(&a), paths(&b));
    let common = |leaves: Vec<(String, String)>| {
        let counts = |(path, text): &(String, String)| {
            in_a.contains(path) && in_b.contains(path) && !text.is_empty()
        };
        let mut common: Vec<_> = leaves.into_iter().filter(counts).collect();
        common.sort_by(|(a, _), (b, _)| a.cmp(b));
        common
    };
    [common(a), common(b)]
}

/// Renders an answer as XML and as JSON.
fn both(write: impl Fn(&mut Body<'_>) -> Result<(), RenderError>) -> [Vec<u8>; 2] {
    [Format::Xml, Format::Json].map(|format| {
        let mut out = Vec::new();
        let body = &mut Body {
            out: &mut out,
            file: None,
            format,
            workbook: &|| unreachable!("neither format is a workbook"),
        };
        write(body).expect("room");
        out
    })
}

/// The head of a contract page that starts at the first contract.
pub fn page_head<'a>(supplier: &'a Inn, name: &'a str, total: u64, limit: u64) -> PageHead<'a> {
    PageHead {
        inn: supplier.as_str(),
        name,
        counts: PageCounts {
            rows: RowCount::new(total, 0, limit),
            skip: "0",
            limit,
        },
    }
}

/// Renders an answer, asserts that XML and JSON have the same content, and returns the JSON.
pub fn check_formats(answer: &impl Tabular) -> String {
    let [xml, json] = both(|body| render::answer(body, answer));
    let [in_xml, in_json] = read_both(&xml, &json);
    assert_eq!(in_xml.children, in_json.children);
    String::from_utf8(json).expect("UTF-8")
}

/// Renders a card, asserts that XML and JSON have the same content, and returns the JSON.
pub fn check_card_formats(card: &Purchase) -> String {
    let [xml, json] = both(|body| render::purchase(body, card, today()));
    let [in_xml, in_json] = read_both(&xml, &json);
    if matches!(card, Purchase::Fz44(_)) {
        let [in_xml, in_json] = common_leaves(&in_xml, &in_json);
        assert_eq!(in_xml, in_json);
    } else {
        assert_eq!(in_xml.children, in_json.children);
    }
    String::from_utf8(json).expect("UTF-8")
}

/// Returns a member of a JSON object as text.
fn member<'a>(json: &'a str, name: &str) -> &'a str {
    let members: HashMap<String, &RawValue> = serde_json::from_str(json).expect("an object");
    members[name].get()
}

/// Returns the first item of an array member as text.
fn first_item<'a>(json: &'a str, name: &str) -> &'a str {
    let items: Vec<&RawValue> = serde_json::from_str(member(json, name)).expect("an array");
    items.first().expect("one item").get()
}

/// Builds a line from a supplier and a record, and parses it.
fn parse_record(kind: &str, supplier: Option<&Supplier>, name: &str, record: &str) -> Line {
    let supplier = supplier.map_or_else(String::new, |supplier| {
        let name = serde_json::to_string(&supplier.name).expect("a string");
        let inn = supplier.inn.as_str();
        let without = match inn {
            "" => ",\"withoutINN\":true",
            _ => "",
        };
        format!("\"supplier\":{{\"inn\":\"{inn}\",\"name\":{name}{without}}},")
    });
    let line = format!("{{\"type\":\"{kind}\",{supplier}\"{name}\":{record}}}");
    parse_line(line.as_bytes())
        .unwrap_or_else(|problem| panic!("{problem} in {line}"))
        .expect("it is not blank")
}

/// Asserts that a rendered contract can be imported as a line and then renders the same.
pub fn contract_round_trip(supplier: &Supplier, contract: &EncodedContract<'_>) {
    let json = page_of(supplier, contract);
    let record = first_item(&json, "contracts");
    let line = parse_record("contract", Some(supplier), "contract", record);
    let Line::Contract(read_supplier, read) = &line else {
        panic!("{line:?}");
    };
    let record = encode_contract(&supplier.inn, read);
    let kept = decode_contract(&supplier.inn, &record).expect("a record");
    assert_eq!((read_supplier, page_of(supplier, &kept)), (supplier, json));
}

fn page_of(supplier: &Supplier, contract: &EncodedContract<'_>) -> String {
    check_formats(&ContractPage {
        head: page_head(&supplier.inn, &supplier.name, 1, 1),
        contracts: &|show| show(contract),
    })
}

/// Returns the day and the state of the data for responses that report them.
pub fn response_origin() -> AnswerOrigin {
    let registries = Registries {
        all: Regime::ALL.map(|law| Registry {
            law,
            complete: None,
            entries: 0,
        }),
        of_every_day: false,
    };
    let ground = Ground::new(
        &registries,
        &UnreadEntries::default(),
        today(),
        VerdictRules::default(),
    );
    AnswerOrigin {
        ground,
        updated: 1_765_854_012,
    }
}

/// Asserts that an exported run of days imports unchanged.
pub fn coverage_round_trip(run: &Coverage) {
    let mut line = Vec::new();
    render::coverage_line(&mut line, run);
    assert_eq!(parse_line(&line), Ok(Some(Line::Coverage(run.clone()))));
}

/// Asserts that a rendered entry can be imported as a line. Responses do not contain suspensions.
pub fn entry_round_trip(supplier: &Supplier, entry: &RnpEntry) {
    let json = check_formats(&RnpCheck {
        inn: supplier.inn.as_str(),
        name: &supplier.name,
        entries: std::slice::from_ref(entry),
        from: &response_origin(),
    });
    let record = first_item(&json, "entries");
    let expected = RnpEntry {
        suspensions: Vec::new(),
        ..entry.clone()
    };
    assert_eq!(
        parse_record("rnpEntry", Some(supplier), "entry", record),
        Line::RnpEntry(supplier.clone(), Box::new(expected))
    );
}

/// Asserts that the JSON of a card can be imported as a line. JSON lacks some fields of a 44-FZ card, so
/// the check for those is that the imported card renders the same.
pub fn purchase_round_trip(card: &Purchase) {
    let json = check_card_formats(card);
    let stated = |stage: &PurchaseStage| PurchaseStage::Stated(stage.on(today()).to_owned());
    match card {
        Purchase::Fz44(_) => {
            let Line::Purchase(imported) = parse_record("purchase44", None, "purchase", &json)
            else {
                panic!("another kind of line");
            };
            assert_eq!(check_card_formats(&imported), json);
        }
        Purchase::Fz223(card) => {
            let mut expected = card.clone();
            expected.stage = stated(&card.stage);
            assert_eq!(
                parse_record(
                    "purchase223",
                    None,
                    "purchase",
                    member(&json, "Purchase223")
                ),
                Line::Purchase(Purchase::Fz223(expected))
            );
        }
        Purchase::Pp615(card) => {
            assert_eq!(
                parse_record(
                    "purchase615",
                    None,
                    "purchase",
                    member(&json, "Purchase615")
                ),
                Line::Purchase(Purchase::Pp615(card.clone()))
            );
        }
    }
}
