//! Golden replies: one file a case under `tests/golden/`, which holds the request,
//! the status, the headers that matter and the exact body. `data.jsonl` there is
//! the data; in a request `KEY` stands for a valid key.
//!
//! After a change that is meant, write the files anew and read the difference:
//!
//! ```text
//! GOLDEN=bless cargo test --test golden
//! ```

mod common;
#[path = "golden/read_back.rs"]
mod read_back;
#[path = "golden/spec_order.rs"]
mod spec_order;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use md5::{Digest, Md5};
use procurement_lookup::api::Reply;
use procurement_lookup::render::Format;
use serde_json::Value;

use common::{Service, body, header};
use read_back::{Element, read, read_json};

const DATA: &str = include_str!("golden/data.jsonl");

const CONTRACTS: &str = "/contract/monitor-supplier44";
const RNP: &str = "/rnp/check-supplier";
const P44: &str = "/purchase/demo44";
const P223: &str = "/purchase/demo223";
const P615: &str = "/purchase/demo615";

/// Answers with data, asked for in both formats: the case, path and query.
const ANSWERS: &[(&str, &str, &str)] = &[
    ("contracts/none", CONTRACTS, "supplierINN=9600000001"),
    ("contracts/all-filled", CONTRACTS, "supplierINN=9600000002"),
    ("contracts/all-empty", CONTRACTS, "supplierINN=9600000003"),
    ("contracts/several", CONTRACTS, "supplierINN=960000000400"),
    (
        "contracts/second-page",
        CONTRACTS,
        "supplierINN=960000000400&skip=1&limit=2",
    ),
    (
        "contracts/no-page",
        CONTRACTS,
        "supplierINN=960000000400&limit=0",
    ),
    (
        "contracts/past-the-end",
        CONTRACTS,
        "supplierINN=960000000400&skip=99999999999999999999999999&limit=200",
    ),
    ("contracts/amounts", CONTRACTS, "supplierINN=9600000005"),
    ("contracts/nasty-text", CONTRACTS, "supplierINN=9600000006"),
    ("contracts/flags", CONTRACTS, "supplierINN=9600000007"),
    (
        "contracts/unknown-supplier",
        CONTRACTS,
        "supplierINN=9600000999",
    ),
    ("rnp/none", RNP, "supplierINN=9600000001"),
    (
        "rnp/none-known-by-a-contract",
        RNP,
        "supplierINN=960000000400",
    ),
    ("rnp/all-filled", RNP, "supplierINN=9600000021"),
    ("rnp/several", RNP, "supplierINN=9600000022"),
    ("rnp/past", RNP, "supplierINN=9600000023"),
    ("rnp/future", RNP, "supplierINN=9600000024"),
    ("rnp/all-empty", RNP, "supplierINN=9600000025"),
    ("rnp/nasty-text", RNP, "supplierINN=9600000026"),
    (
        "purchase44/all-filled",
        P44,
        "purchaseNumber=0960000000025000001",
    ),
    (
        "purchase44/all-empty",
        P44,
        "purchaseNumber=0960000000025000002",
    ),
    (
        "purchase44/several-of-each",
        P44,
        "purchaseNumber=0960000000025000003",
    ),
    (
        "purchase44/none-in-a-lot",
        P44,
        "purchaseNumber=0960000000025000004",
    ),
    (
        "purchase44/omitted-fields-and-winner",
        P44,
        "purchaseNumber=0960000000025000005",
    ),
    (
        "purchase44/nasty-text",
        P44,
        "purchaseNumber=0960000000025000006",
    ),
    (
        "purchase44/flags",
        P44,
        "purchaseNumber=0960000000025000007",
    ),
    ("purchase223/all-filled", P223, "purchaseNumber=39600000001"),
    ("purchase223/all-empty", P223, "purchaseNumber=39600000002"),
    (
        "purchase223/several-of-each",
        P223,
        "purchaseNumber=39600000003",
    ),
    (
        "purchase223/none-in-a-lot",
        P223,
        "purchaseNumber=39600000004",
    ),
    ("purchase223/nasty-text", P223, "purchaseNumber=39600000005"),
    (
        "purchase615/all-filled",
        P223,
        "purchaseNumber=096000000000000001",
    ),
    (
        "purchase615/at-a-path-of-its-own",
        P615,
        "purchaseNumber=096000000000000001",
    ),
    (
        "purchase615/all-empty",
        P223,
        "purchaseNumber=096000000000000002",
    ),
    (
        "purchase615/winner-without-contract",
        P223,
        "purchaseNumber=096000000000000003",
    ),
    (
        "purchase615/contract-without-winner",
        P223,
        "purchaseNumber=096000000000000004",
    ),
    (
        "purchase615/nasty-text",
        P223,
        "purchaseNumber=096000000000000005",
    ),
];

/// The places that errors are answered at: their folder, path, a query that would
/// be answered, and the same where the record is damaged.
const PLACES: &[(&str, &str, &str, &str)] = &[
    (
        "contracts",
        CONTRACTS,
        "supplierINN=9600000002",
        "supplierINN=9600000091",
    ),
    (
        "rnp",
        RNP,
        "supplierINN=9600000021",
        "supplierINN=9600000092",
    ),
    (
        "purchase44",
        P44,
        "purchaseNumber=0960000000025000001",
        "purchaseNumber=0960000000025000091",
    ),
    (
        "purchase223",
        P223,
        "purchaseNumber=39600000001",
        "purchaseNumber=39600000091",
    ),
    (
        "purchase615",
        P223,
        "purchaseNumber=096000000000000001",
        "purchaseNumber=096000000000000091",
    ),
    (
        "path615",
        P615,
        "purchaseNumber=096000000000000001",
        "purchaseNumber=096000000000000091",
    ),
];

/// Errors of one endpoint, asked for in both formats: the case, path and query.
const ERRORS: &[(&str, &str, &str)] = &[
    ("contracts/error-inn-missing", CONTRACTS, ""),
    (
        "contracts/error-inn-malformed",
        CONTRACTS,
        "supplierINN=96000000021",
    ),
    (
        "contracts/error-inn-twice",
        CONTRACTS,
        "supplierINN=9600000002&supplierInn=9600000003",
    ),
    (
        "contracts/error-limit-over-200",
        CONTRACTS,
        "supplierINN=9600000002&limit=500",
    ),
    (
        "contracts/error-limit-no-number",
        CONTRACTS,
        "supplierINN=9600000002&limit=-1",
    ),
    (
        "contracts/error-skip-no-number",
        CONTRACTS,
        "supplierINN=9600000002&skip=1.0",
    ),
    ("rnp/error-inn-missing", RNP, ""),
    ("rnp/error-inn-malformed", RNP, "supplierINN=960000002x"),
    (
        "rnp/error-inn-twice",
        RNP,
        "supplierINN=9600000002&supplierInn=9600000003",
    ),
    ("rnp/error-supplier-unknown", RNP, "supplierINN=9600000999"),
    ("purchase44/error-number-missing", P44, ""),
    (
        "purchase44/error-number-of-223",
        P44,
        "purchaseNumber=39600000001",
    ),
    (
        "purchase44/error-number-twice",
        P44,
        "purchaseNumber=0960000000025000001&purchaseNumber=0960000000025000002",
    ),
    (
        "purchase44/error-not-found",
        P44,
        "purchaseNumber=0960000000025000999",
    ),
    ("purchase223/error-number-missing", P223, ""),
    (
        "purchase223/error-number-of-44",
        P223,
        "purchaseNumber=0960000000025000001",
    ),
    (
        "purchase223/error-number-malformed",
        P223,
        "purchaseNumber=29600000001",
    ),
    (
        "purchase223/error-number-twice",
        P223,
        "purchaseNumber=39600000001&purchaseNumber=096000000000000001",
    ),
    (
        "purchase223/error-not-found",
        P223,
        "purchaseNumber=39600000999",
    ),
    (
        "purchase615/error-not-found",
        P223,
        "purchaseNumber=096000000000000999",
    ),
    ("path615/error-number-missing", P615, ""),
    (
        "path615/error-number-of-223",
        P615,
        "purchaseNumber=39600000001",
    ),
    (
        "path615/error-number-twice",
        P615,
        "purchaseNumber=096000000000000001&purchaseNumber=096000000000000002",
    ),
    (
        "path615/error-not-found",
        P615,
        "purchaseNumber=096000000000000999",
    ),
];

/// The records that are overwritten after the import, so that reading fails.
const DAMAGE: &[&str] = &[
    "UPDATE contract SET record = x'ffffffffffffffffffffffffffffffff' WHERE id = \
     (SELECT id << 32 FROM supplier WHERE inn = '9600000091')",
    "UPDATE rnp_entry SET record = x'ffffffffffffffffffffffffffffffff' \
     WHERE number = 'РНП.960092-25'",
    "UPDATE purchase SET record = x'ffffffffffffffffffffffffffffffff' WHERE number = \
     '0960000000025000091'",
    "UPDATE purchase SET record = x'ffffffffffffffffffffffffffffffff' WHERE number = \
     '39600000091'",
    "UPDATE purchase SET record = x'ffffffffffffffffffffffffffffffff' WHERE number = \
     '096000000000000091'",
];

/// A request in one format, and the file that says what is answered.
struct Case {
    /// The file, without `.xml.http` or `.json.http`.
    name: String,
    /// The format of the answer.
    format: Format,
    method: &'static str,
    target: String,
    headers: &'static [(&'static str, &'static str)],
}

impl Case {
    fn file(&self) -> PathBuf {
        let format = match self.format {
            Format::Xml => "xml",
            Format::Json => "json",
        };
        folder().join(format!("{}.{format}.http", self.name))
    }

    fn ask(&self, service: &mut Service) -> Reply {
        service.ask(self.method, &self.target, self.headers)
    }
}

fn folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden"))
}

fn service() -> Service {
    let service = Service::over(DATA);
    for statement in DAMAGE {
        assert_eq!(service.sql(statement), 1, "{statement}");
    }
    service
}

/// What is there beside path and query: method, key, headers.
#[derive(Clone, Copy)]
struct Asking {
    method: &'static str,
    key: &'static str,
    headers: &'static [(&'static str, &'static str)],
}

const USUAL: Asking = Asking {
    method: "GET",
    key: "apikey=KEY",
    headers: &[],
};

fn target(parts: &[&str], path: &str) -> String {
    let given: Vec<&str> = parts
        .iter()
        .copied()
        .filter(|part| !part.is_empty())
        .collect();
    format!("{path}?{}", given.join("&"))
}

fn in_both_formats(name: &str, path: &str, query: &str, asking: Asking) -> [Case; 2] {
    let case = |format, parameter| Case {
        name: name.to_owned(),
        format,
        method: asking.method,
        target: target(&[query, asking.key, parameter], path),
        headers: asking.headers,
    };
    [
        case(Format::Xml, "format=xml"),
        case(Format::Json, "format=json"),
    ]
}

fn cases() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut both = |name: &str, path: &str, query: &str, asking: Asking| {
        cases.extend(in_both_formats(name, path, query, asking));
    };
    for (name, path, query) in ANSWERS.iter().chain(ERRORS) {
        both(name, path, query, USUAL);
    }
    for (place, path, query, damaged) in PLACES {
        let mut error = |name: &str, query: &str, asking: Asking| {
            both(&format!("{place}/{name}"), path, query, asking);
        };
        error("error-key-missing", query, Asking { key: "", ..USUAL });
        let unknown = Asking {
            key: "apikey=no-such-key",
            ..USUAL
        };
        error("error-key-unknown", query, unknown);
        let revoked = Asking {
            key: "api_key=REVOKEDKEY",
            ..USUAL
        };
        error("error-key-revoked", query, revoked);
        let post = Asking {
            method: "POST",
            ..USUAL
        };
        error("error-method", query, post);
        error("error-server", damaged, USUAL);
        let cached = Asking {
            key: "",
            headers: &[("X-API-Key", "KEY"), ("If-None-Match", "*")],
            ..USUAL
        };
        error("not-modified", query, cached);
    }
    both("unknown-path", "/nowhere", "", USUAL);
    both("root-path", "/", "", Asking { key: "", ..USUAL });
    for (place, path, query, _) in PLACES {
        cases.push(Case {
            name: format!("{place}/error-format"),
            format: Format::Xml,
            method: "GET",
            target: target(&[query, "apikey=KEY", "format=yaml"], path),
            headers: &[],
        });
    }
    cases
}

/// What stands in a file: the request, the status, the headers that matter, the
/// body.
fn golden_text(case: &Case, reply: &Reply) -> String {
    let mut text = format!("{} {}\n", case.method, case.target);
    for (name, value) in case.headers {
        let _ = writeln!(text, "{name}: {value}");
    }
    let _ = writeln!(text, "\n{}", reply.status);
    for name in ["Content-Type", "Allow", "Cache-Control"] {
        if let Some(value) = header(reply, name) {
            let _ = writeln!(text, "{name}: {value}");
        }
    }
    for name in ["ETag", "X-Data-Updated"] {
        if header(reply, name).is_some() {
            let _ = writeln!(text, "{name} is there");
        }
    }
    text.push('\n');
    text.push_str(body(reply));
    text
}

fn files_under(folder: &Path, extension: &str, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is read") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files_under(&path, extension, found);
        } else if path.extension().is_some_and(|given| given == extension) {
            found.insert(path);
        }
    }
}

#[test]
fn replies_are_as_blessed() {
    let bless = std::env::var("GOLDEN").is_ok_and(|value| value == "bless");
    let mut service = service();
    let (mut files, mut wrong) = (BTreeSet::new(), Vec::new());
    for case in cases() {
        let reply = case.ask(&mut service);
        let allowed = [
            "Content-Type",
            "Allow",
            "Cache-Control",
            "ETag",
            "X-Data-Updated",
        ];
        for (name, _) in &reply.headers {
            assert!(allowed.contains(name), "{}: {name}", case.target);
        }
        let (text, file) = (golden_text(&case, &reply), case.file());
        if bless {
            fs::create_dir_all(file.parent().expect("a folder")).expect("the folder is made");
            fs::write(&file, &text).expect("the file is written");
        } else if fs::read_to_string(&file).ok().as_ref() != Some(&text) {
            wrong.push(format!("{}\n{text}", file.display()));
        }
        assert!(files.insert(file), "two cases are called {}", case.name);
    }
    assert!(
        wrong.is_empty(),
        "{} replies are not as blessed; they are now\n\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
    let mut there = BTreeSet::new();
    files_under(folder(), "http", &mut there);
    let stray: Vec<&PathBuf> = there.difference(&files).collect();
    assert!(stray.is_empty(), "no case has these files: {stray:#?}");
}

/// The bodies of all cases that have one, read back, by name: XML, JSON.
fn bodies() -> BTreeMap<String, (Option<Element>, Option<Element>)> {
    let mut service = service();
    let mut bodies: BTreeMap<String, (Option<Element>, Option<Element>)> = BTreeMap::new();
    for case in cases() {
        let reply = case.ask(&mut service);
        if reply.status == 304 {
            assert_eq!(body(&reply), "");
            continue;
        }
        let root = read(case.format, body(&reply), "object");
        let pair = bodies.entry(case.name).or_default();
        match case.format {
            Format::Xml => pair.0 = Some(root),
            Format::Json => pair.1 = Some(root),
        }
    }
    bodies
}

/// An element as XML can tell it: what XML 1.0 forbids is U+FFFD there.
fn as_in_xml(element: &Element) -> Element {
    let allowed = |c: &char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    let told = |c: char| if allowed(&c) { c } else { '\u{fffd}' };
    Element {
        name: element.name.clone(),
        text: element.text.chars().map(told).collect(),
        children: element.children.iter().map(as_in_xml).collect(),
    }
}

/// The leaves whose paths are leaves of both.
fn common_leaves(a: &Element, b: &Element) -> [Vec<(String, String)>; 2] {
    let (a, b) = (a.leaves(), b.leaves());
    let paths = |leaves: &[(String, String)]| -> BTreeSet<String> {
        leaves.iter().map(|(path, _)| path.clone()).collect()
    };
    let (in_a, in_b) = (paths(&a), paths(&b));
    let common = |leaves: Vec<(String, String)>| {
        let both = |(path, _): &(String, String)| in_a.contains(path) && in_b.contains(path);
        let mut common: Vec<_> = leaves.into_iter().filter(both).collect();
        // The two 44 cards order a customer's fields differently.
        common.sort_by(|(a, _), (b, _)| a.cmp(b));
        common
    };
    [common(a), common(b)]
}

#[test]
fn both_formats_tell_the_same_values() {
    let mut compared = 0;
    for (name, (xml, json)) in bodies() {
        let (Some(xml), Some(json)) = (xml, json) else {
            assert!(name.ends_with("/error-format"), "{name} is in one format");
            continue;
        };
        let json = as_in_xml(&json);
        let is_card44 = name.starts_with("purchase44/") && !name.contains("error");
        if is_card44 {
            let [in_xml, in_json] = common_leaves(&xml, &json);
            assert!(in_xml.len() > 10, "{name}");
            assert_eq!(in_xml, in_json, "{name}");
        } else {
            assert_eq!(xml.children, json.children, "{name}");
        }
        compared += 1;
    }
    assert!(compared > 90, "{compared} pairs");
}

#[test]
fn the_root_is_that_of_the_place() {
    for (name, (xml, _)) in bodies() {
        let root = xml.expect("every case is asked for in XML").name;
        let expected = match name.split_once('/') {
            _ if name.ends_with("/error-method") => "data",
            Some(("contracts" | "rnp", case)) if case.starts_with("error") => "data",
            Some(("contracts" | "rnp", _)) => "response",
            Some(("purchase44", _)) => "Purchase44",
            Some(("purchase223", _)) => "Purchase223",
            Some(("purchase615" | "path615", _)) => "Purchase615",
            _ => "data",
        };
        assert_eq!(root, expected, "{name}");
    }
}

fn body_of(
    bodies: &mut BTreeMap<String, (Option<Element>, Option<Element>)>,
    name: &str,
) -> [Element; 2] {
    let (xml, json) = bodies.remove(name).expect(name);
    [xml.expect("in XML"), json.expect("in JSON")]
}

#[test]
fn fields_stand_in_the_order_of_the_specification() {
    let mut bodies = bodies();
    let mut check = |name: &str, in_xml: &str, in_json: &str| {
        let [xml, json] = body_of(&mut bodies, name);
        assert_eq!(xml.outline(), in_xml, "{name} in XML");
        assert_eq!(json.outline(), in_json, "{name} in JSON");
        for (path, text) in xml.leaves().into_iter().chain(json.leaves()) {
            assert_ne!(text, "", "{path} is to be filled in {name}");
        }
    };
    let same_in_both = [
        ("contracts/all-filled", spec_order::CONTRACT_PAGE),
        ("rnp/all-filled", spec_order::RNP_CHECK),
        ("purchase223/all-filled", spec_order::PURCHASE223),
        ("purchase615/all-filled", spec_order::PURCHASE615),
    ];
    for (name, order) in same_in_both {
        check(name, order, order);
    }
    check(
        "purchase44/all-filled",
        spec_order::PURCHASE44_XML,
        spec_order::PURCHASE44_JSON,
    );
}

#[test]
fn a_record_without_values_has_all_its_fields_empty() {
    let mut bodies = bodies();
    let mut check = |name: &str, left: &[&str]| {
        for root in body_of(&mut bodies, name) {
            let filled = root
                .leaves()
                .into_iter()
                .filter(|(_, text)| !text.is_empty());
            let paths: Vec<String> = filled
                .map(|(path, text)| format!("{path}={text}"))
                .collect();
            assert_eq!(paths, left, "{name}");
        }
    };
    check(
        "contracts/all-empty",
        &[
            "/supplierINN=9600000003",
            "/totalcount=1",
            "/skip=0",
            "/limit=100",
            "/contracts/contract/regNum=3960000000325000001",
            "/contracts/contract/ContractStages=0",
            "/contracts/contract/subContractors=false",
            "/contracts/contract/subContractorsSum=0",
            "/contracts/contract/bankSupportContractRequired=false",
            "/contracts/contract/treasurySupportContractRequired=false",
            "/contracts/contract/terminationBoth=false",
            "/contracts/contract/terminationSupplier=false",
            "/contracts/contract/terminationCostomer=false",
            "/contracts/contract/terminationJudge=false",
            "/contracts/contract/terminationCourt=false",
        ],
    );
    check(
        "rnp/all-empty",
        &[
            "/supplierINN=9600000025",
            "/inRNP=true",
            "/entries/entry/registrationNumber=РНП.960600-25",
        ],
    );
    check(
        "purchase44/all-empty",
        &["/purchaseNumber=0960000000025000002"],
    );
}

/// The record of the line whose number is `number`, as an element.
fn line_of(number: &str) -> Element {
    let named = |line: &&str| line.contains(&format!("Number\":\"{number}\""));
    let line = DATA.lines().rfind(named).expect(number);
    read_json(line, "line")
        .children
        .pop()
        .expect("the record ends the line")
}

fn without(leaves: Vec<(String, String)>, path: &str) -> Vec<(String, String)> {
    leaves
        .into_iter()
        .filter(|(given, _)| given != path)
        .collect()
}

#[test]
fn what_goes_in_comes_out() {
    let mut bodies = bodies();
    for (name, number) in [
        ("purchase223/all-filled", "39600000001"),
        ("purchase223/several-of-each", "39600000003"),
        ("purchase615/all-filled", "096000000000000001"),
        ("purchase615/contract-without-winner", "096000000000000004"),
    ] {
        let mut line = without(line_of(number).leaves(), "/md5");
        for root in body_of(&mut bodies, name) {
            let mut told = without(root.leaves(), "/md5");
            if name.contains("without") {
                // The line has no winner at all, the answer an empty one.
                told.retain(|(_, text)| !text.is_empty());
                line.retain(|(_, text)| !text.is_empty());
            }
            assert_eq!(told, line, "{name}");
        }
    }
    // The line with the only contract of its supplier, and with the only entry.
    for (name, inn) in [
        ("contracts/all-filled", "9600000002"),
        ("rnp/all-filled", "9600000021"),
    ] {
        let line = DATA
            .lines()
            .find(|line| line.contains(&format!("\"inn\":\"{inn}\"")))
            .expect(inn);
        let record = read_json(line, "line").children.pop().expect("the record");
        for root in body_of(&mut bodies, name) {
            let list = root.children.last().expect("the list ends the answer");
            assert_eq!(list.children.len(), 1, "{name}");
            assert_eq!(list.children[0].leaves(), record.leaves(), "{name}");
        }
    }
    let lines = DATA.lines().filter(|line| line.contains("\"9600000007\""));
    let records = lines.filter_map(|line| read_json(line, "line").children.pop());
    let oldest_first: Vec<Element> = records.collect();
    for root in body_of(&mut bodies, "contracts/flags") {
        let list = root.children.last().expect("the list ends the answer");
        assert_eq!(list.children.len(), 8);
        for (told, record) in list.children.iter().rev().zip(&oldest_first) {
            let [told, given] = common_leaves(told, record);
            assert!(given.len() > 8);
            assert_eq!(told, given);
        }
    }
}

#[test]
fn what_goes_in_comes_out_of_a_44_card_in_one_format_or_the_other() {
    let mut bodies = bodies();
    for (name, number) in [
        ("purchase44/all-filled", "0960000000025000001"),
        ("purchase44/several-of-each", "0960000000025000003"),
        ("purchase44/flags", "0960000000025000007"),
    ] {
        let line = line_of(number);
        let mut told = BTreeSet::new();
        for root in body_of(&mut bodies, name) {
            let [mut out, mut given] = common_leaves(&root, &line);
            // What a line leaves out is empty in the answer.
            out.retain(|(_, text)| !text.is_empty());
            given.retain(|(_, text)| !text.is_empty());
            assert_eq!(out, given, "{name}");
            told.extend(out);
        }
        let mut given: BTreeSet<_> = line.leaves().into_iter().collect();
        given.retain(|(_, text)| !text.is_empty());
        let lost: Vec<_> = given.difference(&told).collect();
        assert!(lost.is_empty(), "{name} loses {lost:?}");
    }
}

/// The paths of the numbers and of the flags in JSON; all else must be text.
fn numbers_and_flags(value: &Value, path: &str, found: &mut [BTreeSet<String>; 2]) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                numbers_and_flags(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => {
            for value in items {
                numbers_and_flags(value, path, found);
            }
        }
        Value::Number(_) => drop(found[0].insert(path.to_owned())),
        Value::Bool(_) => drop(found[1].insert(path.to_owned())),
        Value::String(_) => {}
        Value::Null => panic!("{path} is to be filled"),
    }
}

#[test]
fn json_has_numbers_and_flags_where_the_contract_says_so() {
    let mut service = service();
    let mut check = |name: &str, numbers: &str, flags: &str| {
        let (_, path, query) = ANSWERS
            .iter()
            .find(|(given, ..)| *given == name)
            .expect(name);
        let reply = service.get(&format!("{path}?{query}&apikey=KEY&format=json"));
        let value: Value = serde_json::from_str(body(&reply)).expect("JSON");
        let mut found = [BTreeSet::new(), BTreeSet::new()];
        numbers_and_flags(&value, "", &mut found);
        for (found, expected) in found.iter().zip([numbers, flags]) {
            let expected = expected.split_whitespace().map(str::to_owned).collect();
            assert_eq!(*found, expected, "{name}");
        }
    };
    check(
        "contracts/all-filled",
        "/totalcount /skip /limit /contracts/notificationPrice /contracts/contractPrice \
         /contracts/fulfilmentSum /contracts/paid/total /contracts/advanceInPercents \
         /contracts/penaltiesTotal /contracts/penaltiesPayments /contracts/ContractStages \
         /contracts/subContractorsSum /contracts/purchaseContractGuarantee \
         /contracts/contractGuarantee /contracts/products/sum \
         /contracts/bankGuaranteePayments/paymentAmountRUR",
        "/contracts/subContractors /contracts/bankSupportContractRequired \
         /contracts/treasurySupportContractRequired /contracts/terminationBoth \
         /contracts/terminationSupplier /contracts/terminationCostomer \
         /contracts/terminationJudge /contracts/terminationCourt",
    );
    check("rnp/all-filled", "", "/inRNP");
    check("purchase223/all-filled", "", "");
    check("purchase615/all-filled", "", "");
    check(
        "purchase44/all-filled",
        "/fullNMCK /lots/lot/lotNumber /lots/lot/maxPrice \
         /lots/lot/customers/customer/customerMaxPrice \
         /lots/lot/customers/customer/advanceSumPercents \
         /lots/lot/customers/customer/enforcement/applicationGuaranteeAmount \
         /lots/lot/customers/customer/enforcement/applicationGuaranteePart \
         /lots/lot/customers/customer/enforcement/contractGuaranteeAmount \
         /lots/lot/customers/customer/enforcement/contractGuaranteePart \
         /lots/lot/customers/customer/enforcement/contractProvisionWarrantyAmount \
         /lots/lot/customers/customer/enforcement/contractProvisionWarrantyPart \
         /lots/lot/purchaseObjects/purchaseObject/price \
         /lots/lot/purchaseObjects/purchaseObject/quantity \
         /lots/lot/purchaseObjects/purchaseObject/sum /lots/lot/purchaseObjects/totalSum \
         /lots/lot/preferenses/preferense/value",
        "/lots/lot/lotDrugPurchase /lots/lot/lotSmp /lots/lot/lotSubContractors \
         /lots/lot/contractLifeCycle /lots/lot/customers/customer/mustPublicDiscussion \
         /lots/lot/customers/customer/selfFunds \
         /lots/lot/customers/customer/bankSupportContractRequired \
         /lots/lot/customers/customer/treasurySupportContractRequired \
         /lots/lot/purchaseObjects/quantityUndefined \
         /lots/lot/purchaseObjects/purchaseObject/isMedicalProduct \
         /lots/lot/purchaseObjects/purchaseObject/preferenseRF \
         /lots/lot/purchaseObjects/purchaseObject/restrictForeign \
         /lots/lot/purchaseObjects/purchaseObject/prohibitionForeign \
         /lots/lot/purchaseObjects/purchaseObject/imposibilityProhibition \
         /lots/lot/restrictionsSt14/restrictionSt14/imposibilityBan",
    );
}

#[test]
fn the_contact_of_a_44_card_is_one_text_in_xml_alone() {
    let mut bodies = bodies();
    let mut check = |name: &str, expected: &str| {
        let [xml, json] = body_of(&mut bodies, name);
        let contact = |(path, _): &(String, String)| path == "/responsibleOrg/contactPerson";
        let in_xml = xml.leaves().into_iter().find(contact).expect("in XML");
        assert_eq!(in_xml.1, expected, "{name}");
        assert!(!json.leaves().iter().any(contact), "{name}");
    };
    check("purchase44/all-filled", "Фамилия-орг Имя-орг Отчество-орг");
    check("purchase44/omitted-fields-and-winner", "Фамилия Отчество");
    check("purchase44/all-empty", "");
}

#[test]
fn md5_is_that_of_the_xml_answer_without_it() {
    let mut service = service();
    let mut checked = 0;
    for (name, path, query) in ANSWERS {
        if !name.starts_with("purchase223/") && !name.starts_with("purchase615/") {
            continue;
        }
        let mut ask = |format: &str| {
            let reply = service.get(&format!("{path}?{query}&apikey=KEY&format={format}"));
            body(&reply).to_owned()
        };
        let (xml, json) = (ask("xml"), ask("json"));
        let start = xml.rfind("<md5>").expect("md5");
        let end = xml.rfind("</md5>").expect("md5") + "</md5>".len();
        let hash = Md5::digest(format!("{}{}", &xml[..start], &xml[end..]));
        let hex: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(&xml[start..end], format!("<md5>{hex}</md5>"), "{name}");
        assert!(json.ends_with(&format!(",\"md5\":\"{hex}\"}}}}")), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 11);
}
