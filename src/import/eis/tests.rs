//! Reads the documents in `data/documents`, one for each kind, and compares the facts with the
//! files next to them. Also checks messages and positions of errors in malformed documents.
//!
//! To accept changed facts, run `GOLDEN=bless cargo test --lib import::eis`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::testing::{problem_at, read_all};
use super::{Consulted, Fact, KINDS, Kind};
use crate::model::{Amount, Date, timestamp};
use crate::xml;

fn documents() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/documents");
    let files = fs::read_dir(&folder).expect("the folder");
    let files = files.map(|file| file.expect("a file").path());
    let mut documents: Vec<_> = files
        .filter(|path| path.extension().is_some_and(|end| end == "xml"))
        .collect();
    documents.sort();
    documents
}

#[test]
fn every_kind_has_a_document_named_for_it() {
    let mut missing: BTreeSet<_> = KINDS.iter().map(|kind| (kind.name, kind.having)).collect();
    for path in documents() {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let text = fs::read_to_string(&path).expect("text");
        xml::for_each_document(&text, |document| {
            let kind = Kind::of(&document, KINDS).unwrap_or_else(|| panic!("{name} is not read"));
            missing.remove(&(kind.name, kind.having));
            let said = name.split('-').next().unwrap_or_default();
            assert_eq!(said, document.name, "a file is named for its document");
        })
        .unwrap_or_else(|problem| panic!("{name}: {problem}"));
    }
    assert_eq!(missing, BTreeSet::new(), "kinds without a document");
}

#[test]
fn documents_have_the_facts_beside_them() {
    let bless = std::env::var("GOLDEN").is_ok_and(|value| value == "bless");
    for path in documents() {
        let facts = facts_of(&path);
        let beside = path.with_extension("json");
        if bless {
            fs::write(&beside, &facts).expect("the facts are written");
        }
        let expected = fs::read_to_string(&beside).unwrap_or_default();
        assert_eq!(facts, expected, "{}", beside.display());
    }
}

fn facts_of(path: &Path) -> String {
    let xml = fs::read_to_string(path).expect("text");
    let facts = read_all(&xml).unwrap_or_else(|what| panic!("{}:{what}", path.display()));
    indented(&facts.iter().map(readable).collect(), 0) + "\n"
}

/// The version must change with the facts of the invented documents, so that archives are read
/// again.
#[test]
fn the_version_of_the_readers_follows_from_what_they_read() {
    let mut sum = crc32fast::Hasher::new();
    for kind in KINDS {
        sum.update(format!("{} {:?}\n", kind.name, kind.having).as_bytes());
    }
    for path in documents() {
        sum.update(facts_of(&path).as_bytes());
    }
    let expected = format!("{:08x}\n", sum.finalize());
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/import/eis/readers.version");
    if std::env::var("GOLDEN").is_ok_and(|value| value == "bless") {
        fs::write(&file, &expected).expect("the version is written");
    }
    let version = fs::read_to_string(&file).unwrap_or_default();
    assert_eq!(version, expected, "GOLDEN=bless writes it");
}

/// A path is never consulted if the paths before it have a value in every document. Remove such a
/// path, or add a document that needs it.
#[test]
fn every_path_is_consulted_in_some_document() {
    let read = |path: PathBuf| fs::read_to_string(path).expect("text");
    let files: Vec<String> = documents().into_iter().map(read).collect();
    let consulted = Consulted::new(files.iter().map(String::as_str)).expect("documents");
    let mut seen: BTreeMap<_, bool> = BTreeMap::new();
    let of_kinds = consulted.of_kinds.iter().flat_map(|(_, all)| all);
    for reading in of_kinds.chain(&consulted.of_parties) {
        let path = format!("{} {}", reading.field, reading.named);
        *seen.entry(path).or_default() |= reading.is_consulted;
    }
    let never: Vec<_> = seen.iter().filter(|(_, consulted)| !**consulted).collect();
    assert!(never.is_empty(), "{never:#?}");
}

/// Writes JSON with indentation, keeping short values on one line.
fn indented(value: &Value, indent: usize) -> String {
    let whole = value.to_string();
    let (open, close, parts): (_, _, Vec<String>) = match value {
        _ if whole.chars().count() + indent < 100 => return whole,
        Value::Array(values) => {
            let parts = values.iter().map(|one| indented(one, indent + 1));
            ('[', ']', parts.collect())
        }
        Value::Object(members) => {
            let part = |(name, one)| format!("{name:?}: {}", indented(one, indent + 1));
            ('{', '}', members.iter().map(part).collect())
        }
        _ => return whole,
    };
    let line = format!("\n{:indent$}", "");
    let parts = parts.join(&format!(",{line} "));
    format!("{open}{line} {parts}{line}{close}")
}

/// Renders a fact for people: amounts, days and times as text, without empty values.
fn readable(fact: &Fact) -> Value {
    let seconds = timestamp(fact.published.div_euclid(1000));
    let thousandths = format!(".{:03}Z", fact.published.rem_euclid(1000));
    let facts = serde_json::to_value(&fact.facts).expect("JSON");
    json!({
        "number": fact.number,
        "key": fact.key,
        "version": fact.version,
        "published": seconds.replace('Z', &thousandths),
        "facts": as_text(facts),
    })
}

/// Replaces stored numbers with readable amounts, days and times, and leaves out empty values.
fn as_text(value: Value) -> Value {
    match value {
        Value::Number(number) => {
            let day = number.as_u64().and_then(|number| number.try_into().ok());
            let day = day
                .filter(|day| *day > 19_000_000)
                .and_then(Date::from_number);
            day.map_or(Value::Number(number), |day| day.to_string().into())
        }
        Value::Array(values) => values.into_iter().map(as_text).collect(),
        Value::Object(members) => {
            match ["digits", "exponent", "date", "time"].map(|name| members.get(name)) {
                [Some(digits), Some(exponent), None, None] => {
                    let amount: Amount = format!("{digits}e{exponent}").parse().expect("an amount");
                    amount.to_string().into()
                }
                [None, None, Some(date), Some(time)] => {
                    let part = |at| time.get(at).and_then(Value::as_u64).unwrap_or_default();
                    let time = match time {
                        Value::Null => String::new(),
                        _ => format!(" {:02}:{:02}", part(0), part(1)),
                    };
                    format!("{}{time}", as_text(date.clone()).as_str().expect("a day")).into()
                }
                _ => {
                    // A variant is kept even if it is empty.
                    let is_variant = |name: &str| name.starts_with(char::is_uppercase);
                    let members = members.into_iter().map(|(name, one)| (name, as_text(one)));
                    let there = members.filter(|(name, one)| is_variant(name) || !is_empty(one));
                    Value::Object(there.collect())
                }
            }
        }
        other => other,
    }
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(values) => values.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Documents with `^` before the name of the faulty element, each with the expected message.
const PROBLEMS: &[(&str, &str)] = &[
    // 44-FZ: contracts and their procedures.
    (
        "<^contractProcedure><id>1</id></contractProcedure>",
        "contractProcedure: regNum: is missing",
    ),
    (
        "<contractCancel><^regNum>12</regNum></contractCancel>",
        "contractCancel 12: regNum: not 19 digits: \"12\"",
    ),
    (
        "<contractProcedure><regNum>0378100003211000006</regNum><executions><execution/>\
         <execution><^paidRUR>x</paidRUR></execution></executions></contractProcedure>",
        "contractProcedure 0378100003211000006: paidRUR: not a decimal number of up to 28 digits: \"x\"",
    ),
    (
        "<contractProcedure><regNum>0378100003211000006</regNum>\n\
         <penalties><penaltyAccrual><^accrualAmount>-</accrualAmount></penaltyAccrual></penalties></contractProcedure>",
        "contractProcedure 0378100003211000006: accrualAmount: not a decimal number of up to 28 digits: \"-\"",
    ),
    (
        "<contractProcedure><regNum>0378100003211000006</regNum><^versionNumber>1.5</versionNumber></contractProcedure>",
        "contractProcedure 0378100003211000006: versionNumber: not a whole number: \"1.5\"",
    ),
    (
        "<^contractProcedureCancel><regNum>0378100003211000006</regNum></contractProcedureCancel>",
        "contractProcedureCancel 0378100003211000006: cancelledProcedureId: is missing",
    ),
    // 44-FZ: notices.
    (
        "<^fcsNotificationZK></fcsNotificationZK>",
        "fcsNotificationZK: purchaseNumber: is missing",
    ),
    (
        "<fcsNotificationZK><^purchaseNumber>31500000001</purchaseNumber></fcsNotificationZK>",
        "fcsNotificationZK 31500000001: purchaseNumber: not a number under 44-FZ, of 19 digits: \"31500000001\"",
    ),
    (
        "<fcsNotificationZK><purchaseNumber>0173200000116000001</purchaseNumber><^docPublishDate>вчера</docPublishDate></fcsNotificationZK>",
        "fcsNotificationZK 0173200000116000001: docPublishDate: not a date: \"вчера\"",
    ),
    (
        "<fcsNotificationZK><purchaseNumber>0173200000116000001</purchaseNumber>\n\
         <procedureInfo><opening><^date>13:00</date></opening></procedureInfo></fcsNotificationZK>",
        "fcsNotificationZK 0173200000116000001: date: not a date and time: \"13:00\"",
    ),
    (
        "<fcsNotificationZK><purchaseNumber>0173200000116000001</purchaseNumber><lot><^quantityUndefined>да</quantityUndefined></lot></fcsNotificationZK>",
        "fcsNotificationZK 0173200000116000001: quantityUndefined: not true or false: \"да\"",
    ),
    (
        "<fcsNotificationOK><purchaseNumber>0173200000116000001</purchaseNumber><lots><lot/><lot><^lotNumber>II</lotNumber></lot></lots></fcsNotificationOK>",
        "fcsNotificationOK 0173200000116000001: lotNumber: not a whole number from 0 on: \"II\"",
    ),
    (
        "<^fcsNotificationLotCancel><purchaseNumber>0173200000116000001</purchaseNumber></fcsNotificationLotCancel>",
        "fcsNotificationLotCancel 0173200000116000001: lot/lotNumber: is missing",
    ),
    // 44-FZ: protocols.
    (
        "<fcsProtocolEF3><purchaseNumber>0173200001425001720</purchaseNumber><protocolLot><applications>\n\
         <application/><application><^winnerPrice>x</winnerPrice></application></applications></protocolLot></fcsProtocolEF3>",
        "fcsProtocolEF3 0173200001425001720: winnerPrice: not a decimal number of up to 28 digits: \"x\"",
    ),
    (
        "<fcsProtocolEF3><purchaseNumber>0173200001425001720</purchaseNumber><protocolLot>\
         <applications><application><^appRating>first</appRating></application></applications></protocolLot></fcsProtocolEF3>",
        "fcsProtocolEF3 0173200001425001720: appRating: not a whole number: \"first\"",
    ),
    (
        "<^fcsProtocolCancel><purchaseNumber>0173200001425001720</purchaseNumber></fcsProtocolCancel>",
        "fcsProtocolCancel 0173200001425001720: protocolNumber: is missing",
    ),
    // 223-FZ.
    (
        "<purchaseNotice><body><item><^purchaseNoticeData/></item></body></purchaseNotice>",
        "purchaseNotice: registrationNumber: is missing",
    ),
    (
        "<purchaseNotice><^registrationNumber>0173200001425001720</registrationNumber></purchaseNotice>",
        "purchaseNotice 0173200001425001720: registrationNumber: not a number under 223-FZ, of 11 digits starting with 3: \"0173200001425001720\"",
    ),
    (
        "<purchaseNotice><registrationNumber>32100000001</registrationNumber><placingProcedure><^summingupDateTime>x</summingupDateTime></placingProcedure></purchaseNotice>",
        "purchaseNotice 32100000001: summingupDateTime: not a date: \"x\"",
    ),
    (
        "<purchaseNotice><registrationNumber>32100000001</registrationNumber><extendFields><noticeExtendField><extendField>\
         <integrCode>purchaseDateTime</integrCode><value><^date>x</date></value></extendField></noticeExtendField></extendFields></purchaseNotice>",
        "purchaseNotice 32100000001: date: not a date: \"x\"",
    ),
    (
        "<purchaseNotice><registrationNumber>32100000001</registrationNumber><lots><lot/><lot><lotData><^initialSum>x</initialSum></lotData></lot></lots></purchaseNotice>",
        "purchaseNotice 32100000001: initialSum: not a decimal number of up to 28 digits: \"x\"",
    ),
    (
        "<purchaseNotice><registrationNumber>32100000001</registrationNumber><lots><lot><^cancelled>x</cancelled></lot></lots></purchaseNotice>",
        "purchaseNotice 32100000001: cancelled: not true or false: \"x\"",
    ),
    // PP-615.
    (
        "<pprf615ProtocolEF2><commonInfo><^purchaseNumber>31400935277</purchaseNumber></commonInfo></pprf615ProtocolEF2>",
        "pprf615ProtocolEF2 31400935277: purchaseNumber: not a number under PP-615, of 18 digits: \"31400935277\"",
    ),
    (
        "<^pprf615ProtocolEF2><commonInfo><purchaseNumber>020000000012100001</purchaseNumber></commonInfo></pprf615ProtocolEF2>",
        "pprf615ProtocolEF2 020000000012100001: docNumberExternal: is missing",
    ),
    (
        "<^pprf615ProtocolCancel><commonInfo><purchaseNumber>020000000012100001</purchaseNumber></commonInfo></pprf615ProtocolCancel>",
        "pprf615ProtocolCancel 020000000012100001: canceledProtocolNumber: is missing",
    ),
    (
        "<^pprf615Contract><commonInfo/></pprf615Contract>",
        "pprf615Contract: regNum: is missing",
    ),
    // The registry of unfair suppliers.
    (
        "<^unfairSupplier/>",
        "unfairSupplier: registryNum: is missing",
    ),
    (
        "<^unfairSupplier><registryNum>1</registryNum></unfairSupplier>",
        "unfairSupplier 1: unfairSupplierInfo: is missing",
    ),
    (
        "<unfairSupplier2022><commonInfo><regNumber>1</regNumber></commonInfo>\
         <unfairSupplierInfo><^legalEntityRFInfo><INN>AB1</INN></legalEntityRFInfo></unfairSupplierInfo></unfairSupplier2022>",
        "unfairSupplier2022 1: INN: not 10 or 12 digits: \"AB1\"",
    ),
    // Founders and managers are other persons, so their INNs are not the supplier's.
    (
        "<unfairSupplier2022><commonInfo><regNumber>1</regNumber></commonInfo><^unfairSupplierInfo>\
         <founders><INN>770000000012</INN></founders></unfairSupplierInfo></unfairSupplier2022>",
        "unfairSupplier2022 1: INN: is missing",
    ),
    (
        "<dishonestSupplier><body><item><^dishonestSupplierData><registrationNumber>Р1</registrationNumber>\
         <commonApplicationInfo/></dishonestSupplierData></item></body></dishonestSupplier>",
        "dishonestSupplier Р1: supplier: is missing",
    ),
    (
        "<unfairSupplier><registryNum>1</registryNum><^approveDate>x</approveDate></unfairSupplier>",
        "unfairSupplier 1: approveDate: not a date: \"x\"",
    ),
];

#[test]
fn a_problem_names_element_place_and_expected_form() {
    for (document, expected) in PROBLEMS {
        assert_eq!(problem_at(document), *expected);
    }
}
