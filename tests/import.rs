//! Importing JSON Lines: what a bad line is told, what replaces what, that again
//! changes nothing, what `--replace-rnp` removes, what a killed import leaves, and
//! that what comes out goes in again.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use procurement_lookup::api::{Answerer, Api, DataSource, Endpoint};
use procurement_lookup::import::{Event, MAX_LINE, Summary, import};
use procurement_lookup::model::Date;
use procurement_lookup::store::{self, DataVersion, Database, KeyRing, Tally, Writer};
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::value::RawValue;
use tempfile::TempDir;

const INN: &str = "9600000002";
const OTHER: &str = "9600000027";

/// A folder with files to import and a database.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a temporary folder"))
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn database(&self) -> PathBuf {
        self.file("data.sqlite")
    }

    fn write(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.file(name);
        let parent = path.parent().expect("a folder");
        fs::create_dir_all(parent).expect("the folder is made");
        fs::write(&path, content).expect("the file is written");
        path
    }

    /// Imports files of this folder; the summary, and the problems told, without
    /// the folder's path.
    fn import_files(&self, names: &[&str], replace_rnp: bool) -> (Summary, Vec<String>) {
        let paths: Vec<PathBuf> = names.iter().map(|name| self.file(name)).collect();
        let writer = Writer::open(&self.database()).expect("the database opens");
        let prefix = format!("{}/", self.0.path().display());
        let mut problems = Vec::new();
        let summary = import(&paths, writer, replace_rnp, &mut |event| {
            if let Event::Problem(what) = event {
                let what = what.strip_prefix(&prefix).unwrap_or(what);
                problems.push(what.to_owned());
            }
        });
        let summary = summary.expect("the import ends well");
        store::check(&self.database()).expect("the database is as it must be");
        (summary, problems)
    }

    fn import(&self, content: impl AsRef<[u8]>) -> (Summary, Vec<String>) {
        self.write("x.jsonl", content);
        self.import_files(&["x.jsonl"], false)
    }

    /// Imports lines in which nothing is wrong.
    fn take(&self, content: impl AsRef<[u8]>) -> Summary {
        let (summary, problems) = self.import(content);
        assert_eq!(problems, [""; 0]);
        assert_eq!(summary.skipped, 0);
        summary
    }

    fn answers(&self) -> Answers {
        Answers::of(DataSource::File(self.database()))
    }

    fn version(&self) -> DataVersion {
        let mut database = Database::open(&self.database()).expect("the database opens");
        let snapshot = database.snapshot().expect("its state");
        snapshot.version().expect("its version")
    }
}

/// What the service would answer.
struct Answers(Answerer);

impl Answers {
    fn of(source: DataSource) -> Self {
        let day = Date::parse_iso("2025-06-15").expect("a day");
        let api = Api::new(source, KeyRing::empty(), Box::new(move || day));
        Self(Arc::new(api).answerer().expect("the data opens"))
    }

    fn ask(&mut self, endpoint: Endpoint, parameters: &[(&str, &str)]) -> String {
        let body = self.0.look_up_offline(endpoint, parameters);
        let body = body.unwrap_or_else(|error| error);
        String::from_utf8(body).expect("UTF-8")
    }

    fn page(&mut self, inn: &str, skip: usize) -> String {
        let skip = skip.to_string();
        let parameters = [
            ("format", "json"),
            ("supplierINN", inn),
            ("limit", "200"),
            ("skip", &skip),
        ];
        self.ask(Endpoint::Contracts, &parameters)
    }

    /// The registry numbers of a supplier's contracts, newest first.
    fn contracts(&mut self, inn: &str) -> Vec<String> {
        members_of(&self.page(inn, 0), "regNum")
    }

    fn name(&mut self, inn: &str) -> String {
        let names = members_of(&self.page(inn, 0), "supplierIName");
        names.into_iter().next().unwrap_or_default()
    }

    fn rnp(&mut self, inn: &str) -> String {
        let parameters = [("format", "json"), ("supplierINN", inn)];
        self.ask(Endpoint::RnpCheck, &parameters)
    }

    /// The numbers of the entries listed.
    fn entries(&mut self, inn: &str) -> Vec<String> {
        members_of(&self.rnp(inn), "registrationNumber")
    }

    fn card(&mut self, number: &str, format: &str) -> String {
        let endpoint = if number.len() == 19 {
            Endpoint::Purchase44
        } else {
            Endpoint::Purchase223
        };
        let parameters = [("format", format), ("purchaseNumber", number)];
        self.ask(endpoint, &parameters)
    }
}

/// The texts under a name anywhere in JSON.
fn members_of(json: &str, name: &str) -> Vec<String> {
    fn collect(value: &serde_json::Value, name: &str, found: &mut Vec<String>) {
        match value {
            serde_json::Value::Object(members) => {
                for (key, value) in members {
                    match value {
                        serde_json::Value::String(text) if key == name => found.push(text.clone()),
                        value => collect(value, name, found),
                    }
                }
            }
            serde_json::Value::Array(items) => {
                for item in items {
                    collect(item, name, found);
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    let value = serde_json::from_str(json).expect("JSON");
    collect(&value, name, &mut found);
    found
}

fn contract(inn: &str, number: &str, fields: &str) -> String {
    format!(
        r#"{{"type":"contract","supplier":{{"inn":"{inn}"}},"contract":{{"regNum":"{number}"{fields}}}}}"#
    ) + "\n"
}

fn supplier(inn: &str, name: &str) -> String {
    format!(r#"{{"type":"supplier","supplier":{{"inn":"{inn}","name":"{name}"}}}}"#) + "\n"
}

fn entry(inn: &str, number: &str, law: &str) -> String {
    format!(
        r#"{{"type":"rnpEntry","supplier":{{"inn":"{inn}","name":"ООО А"}},"entry":{{"registrationNumber":"{number}","registrationDate":"2025-01-01","federalLaw":"{law}"}}}}"#
    ) + "\n"
}

fn purchase(kind: &str, number: &str, fields: &str) -> String {
    format!(r#"{{"type":"purchase{kind}","purchase":{{"purchaseNumber":"{number}"{fields}}}}}"#)
        + "\n"
}

// --- Bad lines ---------------------------------------------------------------

const N44: &str = "0960000000025000001";
const N223: &str = "39600000001";
const N615: &str = "096000000000000001";

/// A bad line between two good ones is told with its place; the good ones go in.
fn check_bad(line: impl AsRef<[u8]>, problem: &str) {
    let folder = Folder::new();
    let lines = [
        contract(INN, "1", "").as_bytes(),
        line.as_ref(),
        b"\n",
        contract(INN, "2", "").as_bytes(),
    ]
    .concat();
    let (summary, problems) = folder.import(lines);
    assert_eq!(problems, [format!("x.jsonl:2: {problem}")]);
    assert_eq!(summary.skipped, 1);
    assert_eq!(folder.answers().contracts(INN), ["2", "1"]);
}

fn check_bad_contract(fields: &str, problem: &str) {
    check_bad(
        contract(INN, "3", fields).trim_end(),
        &format!("contract.{problem}"),
    );
}

#[test]
fn a_line_that_is_no_record_is_told() {
    for (line, problem) in [
        ("nonsense", "not a JSON object"),
        ("[]", "not a JSON object"),
        ("null", "not a JSON object"),
        ("{", "not JSON: EOF while parsing an object at column 1"),
        (
            "{}",
            "type: is missing; it must be a text that is not empty",
        ),
        (
            r#"{"type":""}"#,
            "type: is missing; it must be a text that is not empty",
        ),
        (
            r#"{"type":"contracts"}"#,
            "type: must be contract, purchase44, purchase223, purchase615, rnpEntry or supplier",
        ),
        (r#"{"type":["supplier"]}"#, "type: must be a text"),
        (r#"{"type":"contract"}"#, "supplier: is missing"),
        (
            r#"{"type":"contract","supplier":{"inn":"9600000002"}}"#,
            "contract: is missing",
        ),
        (
            r#"{"type":"contract","supplier":{"inn":"9600000002"},"contract":[]}"#,
            "contract: must be an object",
        ),
        (r#"{"type":"purchase44"}"#, "purchase: is missing"),
        (
            r#"{"type":"rnpEntry","supplier":{"inn":"9600000002"},"entry":null}"#,
            "entry: is missing",
        ),
    ] {
        check_bad(line, problem);
    }
}

#[test]
fn a_line_that_is_not_json_is_told_with_its_column() {
    let good = contract(INN, "3", "");
    let good = good.trim_end();
    check_bad(
        format!("{good} {good}"),
        &format!("not JSON: trailing characters at column {}", good.len() + 2),
    );
    check_bad(
        &good[..good.len() - 1],
        &format!(
            "not JSON: EOF while parsing an object at column {}",
            good.len() - 1
        ),
    );
    check_bad(
        r#"{"type":"supplier","type":"supplier"}"#,
        "not JSON: the field \"type\" is given twice at column 37",
    );
    check_bad(
        b"{\"type\":\"supplier\",\"supplier\":{\"inn\":\"9600000002\",\"name\":\"\xff\"}}",
        "not UTF-8 from byte 59 on",
    );
}

#[test]
fn an_unknown_field_is_told_wherever_it_is() {
    let unknown = "an unknown field";
    check_bad(
        r#"{"type":"supplier","supplier":{"inn":"9600000002"},"extra":1}"#,
        &format!("extra: {unknown}"),
    );
    check_bad(
        r#"{"type":"supplier","supplier":{"inn":"9600000002","kpp":"1"}}"#,
        &format!("supplier.kpp: {unknown}"),
    );
    check_bad_contract(r#","regnum":"1""#, &format!("regnum: {unknown}"));
    check_bad_contract(
        r#","paid":{"total":1,"sum":2}"#,
        &format!("paid.sum: {unknown}"),
    );
    check_bad_contract(
        r#","products":[{"code":"1"},{"code":"2","name":"x"}]"#,
        &format!("products[1].name: {unknown}"),
    );
    check_bad(
        purchase("44", N44, r#","lots":{"lot":[{"lotNumber":1,"price":1}]}"#).trim_end(),
        &format!("purchase.lots.lot[0].price: {unknown}"),
    );
    check_bad(
        purchase("223", N223, r#","role":"CU""#).trim_end(),
        &format!("purchase.role: {unknown}"),
    );
    check_bad(
        purchase("615", N615, r#","lots":"""#).trim_end(),
        &format!("purchase.lots: {unknown}"),
    );
    check_bad(
        entry(INN, "1", "44")
            .trim_end()
            .replace("federalLaw", "law"),
        &format!("entry.law: {unknown}"),
    );
}

#[test]
fn a_line_without_what_it_is_found_by_is_told() {
    let text = "is missing; it must be a text that is not empty";
    let inn = "supplier.inn: is missing; it must be 10 or 12 digits";
    check_bad(r#"{"type":"supplier","supplier":{"name":"x"}}"#, inn);
    check_bad(r#"{"type":"supplier","supplier":{"inn":null}}"#, inn);
    check_bad(contract("", "3", "").trim_end(), inn);
    check_bad(entry("", "3", "44").trim_end(), inn);
    for number in [r#"{}"#, r#"{"regNum":""}"#, r#"{"regNum":null}"#] {
        check_bad(
            format!(r#"{{"type":"contract","supplier":{{"inn":"{INN}"}},"contract":{number}}}"#),
            &format!("contract.regNum: {text}"),
        );
    }
    check_bad(
        entry(INN, "", "44").trim_end(),
        &format!("entry.registrationNumber: {text}"),
    );
    for (kind, length) in [
        ("44", "19 digits"),
        ("223", "11 digits, the first a 3"),
        ("615", "18 digits"),
    ] {
        check_bad(
            purchase(kind, "", "").trim_end(),
            &format!("purchase.purchaseNumber: is missing; it must be {length}"),
        );
    }
}

#[test]
fn an_inn_or_a_number_of_another_form_is_told() {
    for inn in [
        "960000000",
        "96000000024",
        "9600000002000",
        "960000000x",
        " 9600000002",
    ] {
        check_bad(
            supplier(inn, "x").trim_end(),
            &format!("supplier.inn: must be 10 or 12 digits, not {inn:?}"),
        );
    }
    for (kind, number, must_be) in [
        ("44", N223, "19 digits"),
        ("44", N615, "19 digits"),
        ("44", "09600000000250000010", "19 digits"),
        ("44", "096000000002500000x", "19 digits"),
        ("223", N44, "11 digits, the first a 3"),
        ("223", "29600000001", "11 digits, the first a 3"),
        ("615", N44, "18 digits"),
        ("615", N223, "18 digits"),
    ] {
        check_bad(
            purchase(kind, number, "").trim_end(),
            &format!("purchase.purchaseNumber: must be {must_be}, not {number:?}"),
        );
    }
}

#[test]
fn an_impossible_date_is_told() {
    for date in [
        "2025-02-29",
        "2025-13-01",
        "2025-1-1",
        "01.02.2025",
        "0000-01-01",
        "today",
    ] {
        check_bad_contract(
            &format!(r#","signDate":"{date}""#),
            &format!("signDate: must be a date YYYY-MM-DD, not {date:?}"),
        );
    }
    check_bad_contract(
        r#","bankGuaranteePayments":[{"requirementsDate":"2025-04-31"}]"#,
        "bankGuaranteePayments[0].requirementsDate: must be a date YYYY-MM-DD, not \"2025-04-31\"",
    );
    check_bad(
        entry(INN, "3", "44")
            .trim_end()
            .replace("2025-01-01", "2025-01-32"),
        "entry.registrationDate: must be a date YYYY-MM-DD, not \"2025-01-32\"",
    );
    check_bad(
        purchase("223", N223, r#","docPublishDate":"31.11.2025""#).trim_end(),
        "purchase.docPublishDate: must be a date DD.MM.YYYY, not \"31.11.2025\"",
    );
    check_bad(
        purchase("44", N44, r#","procedureInfo":{"end":"01.11.2025 24:00"}"#).trim_end(),
        "purchase.procedureInfo.end: must be a date DD.MM.YYYY, or with a time DD.MM.YYYY HH:MM, not \"01.11.2025 24:00\"",
    );
}

#[test]
fn a_number_that_is_none_or_too_long_is_told() {
    let digits = |count: usize| "1234567890".repeat(3)[..count].to_owned();
    for (value, shown) in [
        (digits(29), digits(29)),
        (format!("\"{}\"", digits(29)), digits(29)),
        (format!("0.{}", digits(29)), format!("0.{}", digits(29))),
    ] {
        check_bad_contract(
            &format!(r#","contractPrice":{value}"#),
            &format!("contractPrice: more than 28 significant digits: {shown:?}"),
        );
    }
    for value in ["1,5", "a lot", "1.2.3", "0x10", "NaN", "--1"] {
        check_bad_contract(
            &format!(r#","contractPrice":"{value}""#),
            &format!("contractPrice: not a decimal number: {value:?}"),
        );
    }
    for value in ["-1", "1.5", "\"x\""] {
        let (_, problems) =
            Folder::new().import(contract(INN, "3", &format!(r#","ContractStages":{value}"#)));
        assert_eq!(problems.len(), 1, "{value}");
        assert!(
            problems[0].starts_with("x.jsonl:1: contract.ContractStages: "),
            "{problems:?}"
        );
    }
}

#[test]
fn a_value_of_the_wrong_type_is_told() {
    for (fields, problem) in [
        (r#","customerName":true"#, "customerName: must be a text"),
        (r#","customerName":{}"#, "customerName: must be a text"),
        (r#","contractPrice":[1]"#, "contractPrice: must be a text"),
        (
            r#","subContractors":1"#,
            "subContractors: must be true or false",
        ),
        (
            r#","subContractors":"yes""#,
            "subContractors: must be true or false",
        ),
        (r#","paid":5"#, "paid: must be an object"),
        (r#","products":["x"]"#, "products[0]: must be an object"),
        (r#","products":"x""#, "products: must be an object"),
        (
            r#","contractStage":"X""#,
            "contractStage: must be EC, ET, E or IN, not \"X\"",
        ),
    ] {
        check_bad_contract(fields, problem);
    }
}

#[test]
fn a_lone_surrogate_is_told_in_whatever_text() {
    for (line, place) in [
        (supplier(INN, r"a\ud800b"), "supplier.name: "),
        (supplier(INN, r"\udc00"), "supplier.name: "),
        (contract(INN, r"\ud83d", ""), "contract.regNum: "),
        (
            purchase("223", N223, r#","md5":"\ud800""#),
            "purchase.md5: ",
        ),
        (supplier(INN, "x").replace("name", r"\ud800"), "supplier: "),
    ] {
        let folder = Folder::new();
        let (summary, problems) = folder.import(&line);
        assert_eq!(summary.skipped, 1, "{line}");
        let expected = format!("x.jsonl:1: {place}");
        assert!(problems[0].starts_with(&expected), "{problems:?}");
    }
    let folder = Folder::new();
    folder.take(supplier(INN, r"\ud83d\ude00"));
    assert_eq!(folder.answers().name(INN), "\u{1f600}");
}

#[test]
fn a_line_over_the_bound_is_told_and_one_at_it_is_read() {
    let line = |length: usize| {
        let around = supplier(INN, "").len() - 1;
        supplier(INN, &"x".repeat(length - around))
    };
    let folder = Folder::new();
    let (summary, problems) = folder.import(line(MAX_LINE + 1) + &line(MAX_LINE));
    assert_eq!(problems, ["x.jsonl:1: a line longer than 16 MiB"]);
    assert_eq!(summary.skipped, 1);
    assert!(folder.answers().name(INN).len() > MAX_LINE - 100);
}

#[test]
fn every_bad_line_is_told_and_counted_and_every_good_one_goes_in() {
    let folder = Folder::new();
    let mut lines = String::new();
    for number in 1..=2000 {
        match number % 10 {
            3 => lines += "{\"type\":\n",
            6 => lines += "\n",
            _ => lines += &contract(INN, &format!("{number:04}"), ""),
        }
    }
    let (summary, problems) = folder.import(lines);
    assert_eq!(summary.skipped, 200);
    let places: Vec<u64> = problems
        .iter()
        .filter_map(|problem| problem.split(':').nth(1)?.parse().ok())
        .collect();
    assert_eq!(places, (0..200).map(|n| n * 10 + 3).collect::<Vec<_>>());
    assert_eq!(summary.kinds["JSON line"].1, 200);
    let (tally, skipped) = summary.kinds["contract (JSON line)"];
    assert_eq!((tally.new, tally.newer, tally.unchanged), (1600, 0, 0));
    assert_eq!(skipped, 0);
    let page = folder.answers().page(INN, 0);
    assert!(page.contains(r#""totalcount":1600"#), "{page:.200}");
}

#[test]
fn what_is_not_to_be_had_is_told_and_the_rest_goes_in() {
    let folder = Folder::new();
    folder.write("good.jsonl", contract(INN, "1", ""));
    folder.write("notes.txt", "x");
    let (summary, problems) =
        folder.import_files(&["none.jsonl", "notes.txt", "good.jsonl"], false);
    assert_eq!(summary.skipped, 2);
    assert!(
        problems[0].starts_with("none.jsonl: cannot be read: "),
        "{problems:?}"
    );
    assert_eq!(
        problems[1],
        "notes.txt: not a .xml, .zip or .jsonl file, nor a folder"
    );
    assert_eq!(folder.answers().contracts(INN), ["1"]);
}

#[test]
fn what_a_line_holds_cannot_pass_for_another_message() {
    let folder = Folder::new();
    let lines = "{\"type\":\"supplier\",\"a\\nb.jsonl:1: forged\\u001b[2J\":1}\n";
    folder.write("f.jsonl", lines);
    let (_, problems) = folder.import_files(&["f.jsonl"], false);
    assert_eq!(problems.len(), 1);
    assert!(!problems[0].contains(char::is_control), "{:?}", problems[0]);
}

// --- The form of a file ------------------------------------------------------

#[test]
fn a_byte_order_mark_blank_lines_and_line_ends_do_not_matter() {
    let (one, two) = (contract(INN, "1", ""), contract(INN, "2", ""));
    let (one, two) = (one.trim_end(), two.trim_end());
    for (form, content) in [
        ("plain", format!("{one}\n{two}\n")),
        ("no end of line at the end", format!("{one}\n{two}")),
        ("a mark", format!("\u{feff}{one}\n{two}\n")),
        ("other line ends", format!("{one}\r\n{two}\r\n")),
        ("blank lines", format!("\n \t\r\n{one}\n\n\n{two}\n\n \n")),
        ("white space", format!("  {one}\t\n\t {two}  ")),
        ("a mark and a blank line", format!("\u{feff}\n{one}\n{two}")),
    ] {
        let folder = Folder::new();
        let summary = folder.take(content);
        assert_eq!(summary.kinds.len(), 1, "{form}");
        assert_eq!(folder.answers().contracts(INN), ["2", "1"], "{form}");
    }
    // Blank lines count, and a mark is one only at the start of a file.
    let folder = Folder::new();
    let (_, problems) = folder.import(format!("\u{feff}\n\r\n{one}\n\u{feff}{two}\n"));
    assert_eq!(problems, ["x.jsonl:4: not a JSON object"]);
}

#[test]
fn nothing_at_all_is_well() {
    for content in ["", "\n", "\u{feff}", "\r\n\r\n"] {
        let folder = Folder::new();
        let summary = folder.take(content);
        assert_eq!(summary, Summary::default());
    }
}

#[test]
fn a_value_may_come_in_several_forms() {
    let folder = Folder::new();
    let forms = [
        r#","contractPrice":1500,"subContractors":true,"products":[{"code":"1","sum":0.5}],"penaltiesTotal":null"#,
        r#","contractPrice":"1.5e3","subContractors":"true","products":{"code":"1","sum":"5E-1"},"penaltiesTotal":"""#,
        r#","products":[{"sum":"0.50","code":1}],"contractPrice":1500.00,"subContractors":true,"customerName":null"#,
    ];
    let pages: Vec<String> = forms
        .iter()
        .map(|fields| {
            folder.take(contract(INN, "1", fields));
            folder.answers().page(INN, 0)
        })
        .collect();
    assert!(
        pages[0].contains(r#""contractPrice":1500,"#) && pages[0].contains(r#""sum":0.5}"#),
        "{}",
        pages[0]
    );
    assert_eq!(pages[0], pages[1]);
    assert_eq!(pages[0], pages[2]);
}

// --- What replaces what ------------------------------------------------------

#[test]
fn a_line_again_replaces_the_earlier_one() {
    let folder = Folder::new();
    let summary = folder.take(
        contract(
            INN,
            "1",
            r#","customerName":"before","signDate":"2025-01-01""#,
        ) + &contract(INN, "2", r#","signDate":"2025-02-01""#)
            + &contract(
                INN,
                "1",
                r#","customerName":"after","signDate":"2025-03-01""#,
            ),
    );
    let (tally, _) = summary.kinds["contract (JSON line)"];
    assert_eq!((tally.new, tally.newer, tally.unchanged), (2, 1, 0));
    let mut answers = folder.answers();
    assert_eq!(answers.contracts(INN), ["1", "2"]);
    assert_eq!(members_of(&answers.page(INN, 0), "customerName"), ["after"]);
    // And so does one of a later import, as a whole: what it leaves out is empty.
    let summary = folder.take(contract(INN, "1", ""));
    let (tally, _) = summary.kinds["contract (JSON line)"];
    assert_eq!((tally.new, tally.newer, tally.unchanged), (0, 1, 0));
    let mut answers = folder.answers();
    assert_eq!(answers.contracts(INN), ["2", "1"]);
    assert_eq!(members_of(&answers.page(INN, 0), "customerName"), [""; 0]);
}

#[test]
fn a_contract_is_one_a_supplier() {
    let folder = Folder::new();
    folder.take(contract(INN, "1", r#","customerName":"a""#));
    folder.take(contract(OTHER, "1", r#","customerName":"b""#));
    let mut answers = folder.answers();
    assert_eq!(members_of(&answers.page(INN, 0), "customerName"), ["a"]);
    assert_eq!(members_of(&answers.page(OTHER, 0), "customerName"), ["b"]);
}

#[test]
fn purchases_and_entries_are_replaced_by_their_number() {
    let folder = Folder::new();
    for (kind, number) in [("44", N44), ("223", N223), ("615", N615)] {
        let line =
            |info: &str| purchase(kind, number, &format!(r#","purchaseObjectInfo":"{info}""#));
        folder.take(line("before") + &line("between"));
        folder.take(line("after"));
        let card = folder.answers().card(number, "json");
        assert_eq!(members_of(&card, "purchaseObjectInfo"), ["after"], "{kind}");
    }
    // An entry that is now about another supplier is not about the first one.
    folder.take(entry(INN, "А-1", "44") + &entry(INN, "А-2", "44"));
    folder.take(entry(OTHER, "А-1", "44"));
    let mut answers = folder.answers();
    assert_eq!(answers.entries(INN), ["А-2"]);
    assert_eq!(answers.entries(OTHER), ["А-1"]);
}

#[test]
fn files_count_in_the_order_of_the_arguments_and_of_their_paths_in_folders() {
    let named = |name: &str| supplier(INN, name);
    let folder = Folder::new();
    for name in ["b", "a", "c"] {
        folder.write(&format!("{name}.jsonl"), named(name));
    }
    let last = |names: &[&str]| {
        let (summary, problems) = folder.import_files(names, false);
        assert_eq!((summary.skipped, problems.len()), (0, 0), "{names:?}");
        folder.answers().name(INN)
    };
    assert_eq!(last(&["a.jsonl", "b.jsonl"]), "b");
    assert_eq!(last(&["b.jsonl", "a.jsonl"]), "a");
    assert_eq!(last(&["c.jsonl", "b.jsonl", "a.jsonl", "b.jsonl"]), "b");
    for (order, file) in ["2", "10", "01/z", "1/1", "1/0", "3/a/b"]
        .iter()
        .enumerate()
    {
        folder.write(&format!("all/{file}.jsonl"), named(&order.to_string()));
    }
    folder.write("all/3/readme.txt", "not for us");
    let (summary, _) = folder.import_files(&["all"], false);
    assert_eq!(summary.other_files, 1);
    assert_eq!(folder.answers().name(INN), "5", "3/a/b is the last");
    folder.write("all/4.JSONL", named("capitals"));
    assert_eq!(last(&["all"]), "capitals");
}

#[test]
fn the_last_name_that_is_not_empty_is_the_suppliers() {
    let folder = Folder::new();
    let named = |line: String| {
        folder.take(line);
        folder.answers().name(INN)
    };
    assert_eq!(named(supplier(INN, "")), "");
    assert_eq!(named(supplier(INN, "one")), "one");
    assert_eq!(named(contract(INN, "1", "")), "one");
    assert_eq!(named(entry(INN, "1", "44")), "ООО А");
    assert_eq!(named(supplier(INN, "two") + &supplier(INN, "")), "two");
    assert_eq!(named(supplier(INN, "b") + &supplier(INN, "a")), "a");
}

#[test]
fn a_supplier_is_known_by_its_record_alone() {
    let folder = Folder::new();
    folder.take(supplier(INN, ""));
    let mut answers = folder.answers();
    let known = answers.rnp(INN);
    assert!(known.contains(r#""inRNP":false,"entries":[]"#), "{known}");
    assert!(answers.rnp(OTHER).contains(r#""code":404"#));
}

#[test]
fn the_same_again_changes_nothing() {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo");
    let folder = Folder::new();
    let take = || {
        let writer = Writer::open(&folder.database()).expect("the database opens");
        let paths = [demo.clone()];
        import(&paths, writer, false, &mut |_| {}).expect("the import ends well")
    };
    let first = take();
    let (version, bytes) = (folder.version(), fs::read(folder.database()));
    let second = take();
    assert_eq!(folder.version(), version, "and so each ETag");
    assert!(
        bytes.expect("the file") == fs::read(folder.database()).expect("the file"),
        "not a byte of the file"
    );
    for (kind, (tally, skipped)) in &second.kinds {
        let (before, _) = first.kinds[kind];
        let lines = before.new + before.newer + before.unchanged;
        let unchanged = Tally {
            unchanged: lines,
            ..Tally::default()
        };
        assert_eq!((tally, *skipped), (&unchanged, 0), "{kind}");
        assert_eq!(before.new, lines, "{kind}");
    }
}

#[test]
fn a_change_raises_the_version_whatever_it_is_of() {
    let folder = Folder::new();
    let mut last = -1;
    for line in [
        supplier(INN, ""),
        supplier(INN, "a"),
        supplier(INN, "b"),
        contract(INN, "1", ""),
        contract(INN, "1", r#","OKTMO":"1""#),
        entry(OTHER, "1", "44"),
        entry(OTHER, "1", "223"),
        purchase("44", N44, ""),
        purchase("44", N44, r#","stage":"x""#),
        purchase("223", N223, ""),
        purchase("615", N615, ""),
    ] {
        folder.take(&line);
        let revision = folder.version().revision;
        assert!(revision > last, "{line}");
        folder.take(&line);
        assert_eq!(folder.version().revision, revision, "{line}");
        last = revision;
    }
}

// --- --replace-rnp -----------------------------------------------------------

/// A folder with entries 1 and 2 of 44, 3 of 223, under suppliers of their own,
/// the second of which has a contract too.
fn registry() -> (Folder, [&'static str; 3]) {
    let folder = Folder::new();
    let inns = ["9600000010", "9600000027", "9600000034"];
    folder.take(
        entry(inns[0], "1", "44")
            + &entry(inns[1], "2", "44")
            + &entry(inns[2], "3", "223")
            + &contract(inns[1], "1", ""),
    );
    (folder, inns)
}

#[test]
fn what_is_not_in_the_registry_given_goes() {
    let (folder, inns) = registry();
    let before = folder.version();
    folder.write(
        "new.jsonl",
        entry(inns[0], "4", "44") + &entry(INN, "5", "44"),
    );
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(2));
    let mut answers = folder.answers();
    assert_eq!(answers.entries(inns[0]), ["4"]);
    assert_eq!(answers.entries(INN), ["5"]);
    assert_eq!(answers.entries(inns[1]), [""; 0]);
    assert!(
        answers.rnp(inns[1]).contains(r#""inRNP":false"#),
        "its contract is here"
    );
    assert_eq!(answers.entries(inns[2]), ["3"], "of another law");
    assert_ne!(folder.version(), before);
    let version = folder.version();
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(0));
    assert_eq!(folder.version(), version);
}

#[test]
fn a_supplier_known_by_an_entry_that_went_is_unknown_again() {
    let (folder, inns) = registry();
    folder.write("new.jsonl", entry(inns[1], "2", "44"));
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(1));
    let mut answers = folder.answers();
    assert!(answers.rnp(inns[0]).contains(r#""code":404"#));
    assert!(answers.page(inns[0], 0).contains(r#""totalcount":0"#));
    assert_eq!(answers.entries(inns[1]), ["2"]);
}

#[test]
fn nothing_goes_where_something_was_skipped_or_no_entry_came() {
    for bad in ["nonsense\n", &supplier("1", "x"), &entry(INN, "", "44")] {
        let (folder, inns) = registry();
        folder.write("new.jsonl", entry(INN, "5", "44") + bad);
        let (summary, problems) = folder.import_files(&["new.jsonl"], true);
        assert_eq!((summary.rnp_entries_gone, problems.len()), (None, 1));
        let mut answers = folder.answers();
        assert_eq!(answers.entries(inns[0]), ["1"]);
        assert_eq!(answers.entries(INN), ["5"], "what is new goes in");
    }
    let (folder, inns) = registry();
    folder.write("new.jsonl", contract(INN, "1", ""));
    let (summary, _) = folder.import_files(&["new.jsonl"], true);
    assert_eq!(summary.rnp_entries_gone, Some(0));
    assert_eq!(folder.answers().entries(inns[0]), ["1"]);
}

#[test]
fn without_the_option_nothing_goes() {
    let (folder, inns) = registry();
    let summary = folder.take(entry(INN, "5", "44"));
    assert_eq!(summary.rnp_entries_gone, None);
    assert_eq!(folder.answers().entries(inns[0]), ["1"]);
}

// --- The command -------------------------------------------------------------

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_procurement-lookup"));
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("PROCUREMENT_LOOKUP_") {
            command.env_remove(name);
        }
    }
    command
        .current_dir(folder.0.path())
        .args(["import", "--database", "data.sqlite"])
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// Runs the import of the program with this on its standard input.
fn run(folder: &Folder, arguments: &[&str], input: &str) -> Output {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its standard input");
    // It may have ended already, and without reading.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    child.wait_with_output().expect("its end")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// The rows of a summary, their columns.
fn rows(output: &Output) -> Vec<Vec<&str>> {
    text(&output.stdout)
        .lines()
        .map(|line| line.split_whitespace().collect())
        .collect()
}

#[test]
fn the_command_reads_standard_input_in_its_place_among_the_arguments() {
    let folder = Folder::new();
    folder.write("a.jsonl", supplier(INN, "a"));
    folder.write("b.jsonl", supplier(INN, "b"));
    let output = run(&folder, &["a.jsonl", "-"], &supplier(INN, "input"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(folder.answers().name(INN), "input");
    let output = run(
        &folder,
        &["a.jsonl", "-", "b.jsonl"],
        &("nonsense\n".to_owned() + &supplier(OTHER, "other")),
    );
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stderr), "-:1: not a JSON object\n");
    assert_eq!(folder.answers().name(INN), "b");
    assert_eq!(folder.answers().name(OTHER), "other");
}

#[test]
fn the_command_sums_up_what_came_of_it() {
    let folder = Folder::new();
    folder.write(
        "x.jsonl",
        contract(INN, "1", "")
            + &contract(INN, "2", "")
            + &entry(INN, "1", "44")
            + &purchase("44", N44, ""),
    );
    folder.write("bad.jsonl", "{}\n{}\n");
    let output = run(&folder, &["x.jsonl", "bad.jsonl"], "");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(
        text(&output.stderr).lines().collect::<Vec<_>>(),
        [1, 2].map(|line| format!(
            "bad.jsonl:{line}: type: is missing; it must be a text that is not empty"
        ))
    );
    assert_eq!(
        rows(&output),
        [
            &["kind", "read", "new", "newer", "unchanged", "skipped"][..],
            &["JSON", "line", "2", "0", "0", "0", "2"],
            &["contract", "(JSON", "line)", "2", "2", "0", "0", "0"],
            &["purchase44", "(JSON", "line)", "1", "1", "0", "0", "0"],
            &["rnpEntry", "(JSON", "line)", "1", "1", "0", "0", "0"],
            &[
                "skipped:", "2;", "standard", "error", "names", "each,", "and", "why"
            ],
        ]
    );
    folder.write(
        "x.jsonl",
        contract(INN, "1", "") + &contract(INN, "2", r#","OKTMO":"1""#),
    );
    let output = run(&folder, &["x.jsonl"], "");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        rows(&output)[1..],
        [["contract", "(JSON", "line)", "2", "0", "1", "1", "0"]]
    );
}

#[test]
fn the_command_says_whether_the_registry_was_replaced() {
    let (folder, inns) = registry();
    folder.write("new.jsonl", entry(inns[0], "1", "44") + "x\n");
    let output = run(&folder, &["--replace-rnp", "new.jsonl"], "");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        text(&output.stdout).contains("RNP not replaced, as something was skipped"),
        "{output:?}"
    );
    folder.write("new.jsonl", entry(inns[0], "1", "44"));
    let output = run(&folder, &["new.jsonl", "--replace-rnp"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        text(&output.stdout).contains("RNP replaced: 1 earlier entries are gone"),
        "{output:?}"
    );
}

// --- Killed ------------------------------------------------------------------

/// How many groups of lines the large file has: a small contract, and a card of
/// 4 MiB, so that it takes several transactions.
const GROUPS: usize = 36;

fn large_file() -> String {
    let filler = "x".repeat(4 << 20);
    let mut lines = contract(OTHER, "0", r#","customerName":"after""#);
    for group in 0..GROUPS {
        lines += &contract(INN, &format!("{group:04}"), "");
        lines += &purchase(
            "44",
            &format!("{group:019}"),
            &format!(r#","purchaseObjectInfo":"{filler}""#),
        );
    }
    lines
}

/// How many groups are there, each whole.
fn groups_of(folder: &Folder) -> usize {
    store::check(&folder.database()).expect("the database is as it must be");
    let mut answers = folder.answers();
    let numbers = answers.contracts(INN);
    let state = members_of(&answers.page(OTHER, 0), "customerName");
    let changed = if numbers.is_empty() {
        "before"
    } else {
        "after"
    };
    assert_eq!(state, [changed], "the first line counts with the others");
    for group in 0..GROUPS {
        let found = !answers
            .card(&format!("{group:019}"), "json")
            .contains("purchase not found");
        assert_eq!(found, !numbers.is_empty(), "card {group}");
    }
    numbers.len()
}

#[test]
fn a_killed_import_leaves_the_data_as_it_was_or_as_it_should_be() {
    const MIB: u64 = 1 << 20;
    let folder = Folder::new();
    let before = contract(OTHER, "0", r#","customerName":"before""#);
    folder.write("large.jsonl", large_file());
    let (wal, memory) = (
        folder.file("data.sqlite-wal"),
        folder.file("data.sqlite-shm"),
    );
    let size = |path: &Path| fs::metadata(path).map_or(0, |metadata| metadata.len());
    let mut states = Vec::new();
    // Killed when so much stands in the files: while it reads, while it writes its
    // batches, at the end.
    for mib in [0, 30, 70, 130, 170] {
        for file in [&folder.database(), &wal, &memory] {
            let _ = fs::remove_file(file);
        }
        folder.take(&before);
        let mut child = command(&folder, &["large.jsonl"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        let start = Instant::now();
        while size(&folder.database()) + size(&wal) < mib * MIB {
            if child.try_wait().expect("its state").is_some() {
                break;
            }
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "it does not end"
            );
            std::thread::yield_now();
        }
        child.kill().expect("it is killed");
        child.wait().expect("its end");
        states.push(groups_of(&folder));
    }
    // What was killed is taken up by importing again.
    let output = run(&folder, &["large.jsonl"], "");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(groups_of(&folder), GROUPS);
    assert!(
        states.iter().all(|state| [0, GROUPS].contains(state)),
        "all or nothing: {states:?}"
    );
    assert_eq!(states[..3], [0; 3], "killed before its end: {states:?}");
}

// --- What comes out goes in again --------------------------------------------

/// The parts of a contract page that make lines, as they stand in it.
#[derive(Deserialize)]
struct Page<'a> {
    #[serde(rename = "supplierINN")]
    inn: String,
    #[serde(rename = "supplierIName", borrow)]
    name: &'a RawValue,
    #[serde(borrow)]
    contracts: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Check<'a> {
    #[serde(rename = "supplierINN")]
    inn: String,
    #[serde(rename = "supplierName", borrow)]
    name: &'a RawValue,
    #[serde(borrow)]
    entries: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Wrapped<'a> {
    #[serde(rename = "Purchase223", alias = "Purchase615", borrow)]
    card: &'a RawValue,
}

/// The lines of a contract page.
fn lines_of_page(page: &str) -> String {
    let page: Page<'_> = serde_json::from_str(page).expect("a contract page");
    let (inn, name) = (&page.inn, page.name);
    let line = |contract: &&RawValue| {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"{inn}","name":{name}}},"contract":{contract}}}"#
        ) + "\n"
    };
    page.contracts.iter().map(line).collect()
}

/// The lines of an RNP check.
fn lines_of_check(check: &str) -> String {
    let check: Check<'_> = serde_json::from_str(check).expect("an RNP check");
    let (inn, name) = (&check.inn, check.name);
    let line = |entry: &&RawValue| {
        format!(
            r#"{{"type":"rnpEntry","supplier":{{"inn":"{inn}","name":{name}}},"entry":{entry}}}"#
        ) + "\n"
    };
    check.entries.iter().map(line).collect()
}

/// The line of a card.
fn line_of_card(number: &str, card: &str) -> String {
    let kind = match number.len() {
        19 => return format!(r#"{{"type":"purchase44","purchase":{card}}}"#) + "\n",
        18 => "615",
        _ => "223",
    };
    let wrapped: Wrapped<'_> = serde_json::from_str(card).expect("a card");
    format!(r#"{{"type":"purchase{kind}","purchase":{}}}"#, wrapped.card) + "\n"
}

/// The formats in which a card is the same when its JSON has gone in again: the
/// XML of one under 44-FZ has fields that its JSON has not.
fn formats(number: &str) -> &'static [&'static str] {
    if number.len() == 19 {
        &["json"]
    } else {
        &["json", "xml"]
    }
}

/// The suppliers and purchases of the demonstration data.
fn demo_questions() -> (Vec<String>, Vec<String>) {
    let demo = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/demo");
    let (mut inns, mut numbers) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(demo).expect("the demonstration data") {
        let path = entry.expect("a file").path();
        for line in fs::read_to_string(path).expect("its text").lines() {
            let record: serde_json::Value = serde_json::from_str(line).expect("JSON");
            if let Some(inn) = record["supplier"]["inn"].as_str() {
                inns.push(inn.to_owned());
            }
            if let Some(number) = record["purchase"]["purchaseNumber"].as_str() {
                numbers.push(number.to_owned());
            }
        }
    }
    inns.sort();
    inns.dedup();
    (inns, numbers)
}

#[test]
fn every_answer_of_the_demonstration_data_goes_in_again_as_it_came_out() {
    let (inns, numbers) = demo_questions();
    assert!(inns.len() > 10 && numbers.len() > 20);
    let all = |answers: &mut Answers| -> Vec<String> {
        let pages = inns
            .iter()
            .flat_map(|inn| [0, 200, 400, 600].map(|skip| (inn, skip)))
            .map(|(inn, skip)| answers.page(inn, skip))
            .collect::<Vec<_>>();
        let cards = numbers
            .iter()
            .flat_map(|number| formats(number).iter().map(move |format| (number, format)))
            .map(|(number, format)| answers.card(number, format))
            .collect();
        [pages, cards].concat()
    };
    let mut bundled = Answers::of(DataSource::Bundled);
    let before = all(&mut bundled);
    let mut lines = String::new();
    for inn in &inns {
        for skip in [0, 200, 400, 600] {
            lines += &lines_of_page(&bundled.page(inn, skip));
        }
        lines += &lines_of_check(&bundled.rnp(inn));
        let name = bundled.name(inn);
        let name = serde_json::to_string(&name).expect("a text");
        lines += &format!(r#"{{"type":"supplier","supplier":{{"inn":"{inn}","name":{name}}}}}"#);
        lines += "\n";
    }
    for number in &numbers {
        lines += &line_of_card(number, &bundled.card(number, "json"));
    }
    let folder = Folder::new();
    folder.take(lines);
    let mut again = folder.answers();
    for (before, after) in before.iter().zip(all(&mut again)) {
        assert_eq!(*before, after);
    }
    for inn in &inns {
        assert_eq!(again.rnp(inn), bundled.rnp(inn), "{inn}");
    }
}

/// Any text as JSON, or none.
fn any_text() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just("null".to_owned()),
        4 => any::<String>().prop_map(|text| serde_json::to_string(&text).expect("a text")),
        1 => "[ \t\r\n<>&\"'\\\\]{1,8}".prop_map(|text| serde_json::to_string(&text).expect("a text")),
    ]
}

/// Any amount as JSON: a number or a string, with or without an exponent.
fn any_amount() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just("null".to_owned()),
        2 => "-?(0|[1-9][0-9]{0,13})(\\.[0-9]{1,14})?([eE][+-]?[0-9]{1,2})?",
        2 => "\"-?[0-9]{1,17}(\\.[0-9]{0,11})?\"",
        1 => Just("12345678901234567.89".to_owned()),
        1 => Just("\"12894.50284174137\"".to_owned()),
    ]
}

fn any_date() -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just("null".to_owned()),
        3 => (1_u16..=9999, 1_u8..=12, 1_u8..=28)
            .prop_map(|(year, month, day)| format!("\"{year:04}-{month:02}-{day:02}\"")),
    ]
}

/// A contract with anything in it.
fn any_contract() -> impl Strategy<Value = String> {
    let texts = prop::collection::vec(any_text(), 10);
    let amounts = prop::collection::vec(any_amount(), 14);
    let dates = prop::collection::vec(any_date(), 5);
    let flags = prop::collection::vec(any::<bool>(), 8);
    let stage = prop::sample::select(vec!["null", "\"E\"", "\"EC\"", "\"ET\"", "\"IN\""]);
    (texts, amounts, dates, flags, stage, any::<u32>()).prop_map(
        |(text, amount, date, flag, stage, stages)| {
            [
                ("purchaseNumber", text[0].clone()),
                ("purchaseCode", text[1].clone()),
                ("purchaseObjectInfo", text[2].clone()),
                ("notificationPrice", amount[0].clone()),
                ("deliveryTerm", text[3].clone()),
                ("customerInn", text[4].clone()),
                ("customerName", text[5].clone()),
                ("contractPrice", amount[1].clone()),
                ("signDate", date[0].clone()),
                ("endDate", date[1].clone()),
                ("contractStage", stage.to_owned()),
                ("fulfilmentSum", amount[2].clone()),
                ("paid", format!("{{\"total\":{}}}", amount[3])),
                ("advanceInPercents", amount[4].clone()),
                ("penaltiesTotal", amount[5].clone()),
                ("penaltiesPayments", amount[6].clone()),
                ("ContractStages", stages.to_string()),
                ("updateDate", date[2].clone()),
                ("subContractors", flag[0].to_string()),
                ("subContractorsSum", amount[7].clone()),
                ("purchaseContractGuarantee", amount[8].clone()),
                ("contractGuarantee", amount[9].clone()),
                ("bankSupportContractRequired", flag[1].to_string()),
                ("treasurySupportContractRequired", flag[2].to_string()),
                ("budgetName", text[6].clone()),
                ("OKTMO", text[7].clone()),
                (
                    "products",
                    format!(
                        "[{{\"code\":{},\"sum\":{}}},{{\"sum\":{}}}]",
                        text[8], amount[10], amount[11]
                    ),
                ),
                ("terminationBoth", flag[3].to_string()),
                ("terminationSupplier", flag[4].to_string()),
                ("terminationCostomer", flag[5].to_string()),
                ("terminationJudge", flag[6].to_string()),
                ("terminationCourt", flag[7].to_string()),
                (
                    "bankGuaranteePayments",
                    format!(
                        "{{\"paymentAmountRUR\":{},\"publishDate\":{},\"requirementsDate\":{},\"improperExecInfo\":{}}}",
                        amount[12], date[3], date[4], text[9]
                    ),
                ),
            ]
            .iter()
            .map(|(name, value)| format!(",\"{name}\":{value}"))
            .collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn any_contract_goes_in_again_as_it_came_out(
        contracts in prop::collection::vec(any_contract(), 1..12)
    ) {
        let lines: String = contracts
            .iter()
            .enumerate()
            .map(|(number, fields)| contract(INN, &number.to_string(), fields))
            .collect();
        let (first, second) = (Folder::new(), Folder::new());
        first.take(&lines);
        let page = first.answers().page(INN, 0);
        second.take(lines_of_page(&page));
        let xml = |folder: &Folder| {
            folder.answers().ask(Endpoint::Contracts, &[("supplierINN", INN)])
        };
        prop_assert_eq!(second.answers().page(INN, 0), page);
        prop_assert_eq!(xml(&second), xml(&first));
        // And over itself it is the same.
        let version = second.version();
        second.take(lines_of_page(&second.answers().page(INN, 0)));
        prop_assert_eq!(second.version(), version);
    }
}
