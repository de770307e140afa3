//! Bad lines.

use super::*;

/// Checks that a bad line between two good ones is reported with its place, and the good
/// ones are imported.
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
fn a_declaration_without_a_known_law_or_a_possible_day_is_told() {
    const LAW: &str = "federalLaw: must be 44, 223 or 615";
    const DAY: &str = "completeAsOf: must be a date YYYY-MM-DD";
    for (members, problem) in [
        (
            r#""completeAsOf":"2026-11-20""#,
            "federalLaw: is missing; it must be 44, 223 or 615".to_owned(),
        ),
        (
            r#""federalLaw":"94","completeAsOf":"2026-11-20""#,
            format!(r#"{LAW}, not "94""#),
        ),
        (
            r#""federalLaw":"44-ФЗ","completeAsOf":"2026-11-20""#,
            format!(r#"{LAW}, not "44-ФЗ""#),
        ),
        (
            r#""federalLaw":"44""#,
            "completeAsOf: is missing; it must be a date YYYY-MM-DD".to_owned(),
        ),
        (
            r#""federalLaw":"44","completeAsOf":null"#,
            "completeAsOf: is missing; it must be a date YYYY-MM-DD".to_owned(),
        ),
        (
            r#""federalLaw":"44","completeAsOf":"2026-02-29""#,
            format!(r#"{DAY}, not "2026-02-29""#),
        ),
        (
            r#""federalLaw":"44","completeAsOf":"20.11.2026""#,
            format!(r#"{DAY}, not "20.11.2026""#),
        ),
        (
            r#""federalLaw":"44","completeAsOf":"2026-11-20","entries":1"#,
            "entries: an unknown field".to_owned(),
        ),
    ] {
        check_bad(format!(r#"{{"type":"registry",{members}}}"#), &problem);
    }
}

#[test]
fn coverage_needs_all_five_fields_as_the_service_has_them() {
    const SUBSYSTEM: &str = "subsystem: must be 1 to 20 of A-Z and 0-9";
    const DOCUMENTS: &str = "documents: must be 1 to 50 of A-Z, a-z, 0-9 and _";
    const REGION: &str = "region: must be the code of a region, such as 77";
    const DAY: &str = "must be a date YYYY-MM-DD";
    const GOOD: [(&str, &str); 5] = [
        ("subsystem", "RGK"),
        ("documents", "contract"),
        ("region", "77"),
        ("from", "2026-11-01"),
        ("to", "2026-11-20"),
    ];
    let line = |name: &str, value: &str| {
        let member = |(one, good): &(&str, &str)| {
            let value = if *one == name { value } else { good };
            format!(r#","{one}":"{value}""#)
        };
        let members: String = GOOD.iter().map(member).collect();
        format!(r#"{{"type":"coverage"{members}}}"#)
    };
    let long = "A".repeat(51);
    for (name, value, problem) in [
        ("subsystem", "rgk", format!("{SUBSYSTEM}, not \"rgk\"")),
        ("subsystem", "РГК", format!("{SUBSYSTEM}, not \"РГК\"")),
        (
            "subsystem",
            &long[..21],
            format!("{SUBSYSTEM}, not {:?}", &long[..21]),
        ),
        ("documents", "a-b", format!("{DOCUMENTS}, not \"a-b\"")),
        ("documents", &long, format!("{DOCUMENTS}, not \"{long}\"")),
        ("region", "7", format!("{REGION}, not \"7\"")),
        ("region", "00", format!("{REGION}, not \"00\"")),
        (
            "from",
            "2026-02-29",
            format!("from: {DAY}, not \"2026-02-29\""),
        ),
        ("to", "20.11.2026", format!("to: {DAY}, not \"20.11.2026\"")),
        (
            "to",
            "2026-10-31",
            "to: is before the day in from".to_owned(),
        ),
    ] {
        check_bad(line(name, value), &problem);
    }
    for (name, _) in GOOD {
        let folder = Folder::new();
        let (summary, problems) = folder.import(line(name, ""));
        assert_eq!(summary.skipped, 1);
        let expected = format!("x.jsonl:1: {name}: is missing; it must be ");
        assert!(problems[0].starts_with(&expected), "{problems:?}");
    }
    let more = line("", "").replace('}', r#","archives":3}"#);
    check_bad(more, "archives: an unknown field");
    Folder::new().take(line("", ""));
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
            "type: must be contract, purchase44, purchase223, purchase615, rnpEntry, supplier, registry or coverage",
        ),
        (r#"{"type":["supplier"]}"#, "type: must be a text"),
        (r#"{"type":"contract"}"#, "supplier: is missing"),
        (
            r#"{"type":"contract","supplier":{"inn":"9600000002"}}"#,
            "contract: is missing",
        ),
        (
            r#"{"type":"contract","supplier":{"inn":"9600000002"},"contract":[]}"#,
            "invalid type: sequence, expected an object at column 64",
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
        r#"{"type":"supplier","supplier":{"inn":"9600000002"},"type":"supplier"}"#,
        "type: is given twice",
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
        (
            r#","paid":5"#,
            "paid: invalid type: integer `5`, expected an object",
        ),
        (
            r#","products":["x"]"#,
            "products: invalid type: string, expected an object",
        ),
        (
            r#","products":"x""#,
            "products: invalid type: string, expected an object",
        ),
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
        (supplier(INN, "x").replace("name", r"\ud800"), "not JSON: "),
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
