//! Synthetic data: the same for the same seed, as large as asked for, and like real data
//! in every field.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use generate::{CASES, Plan, generate};
use procurement_lookup::import::{Event, Options, import};
use procurement_lookup::model::{Date, Inn};
use procurement_lookup::store::{Writer, check};
use serde_json::Value;
use sha2::{Digest, Sha256};

fn plan(suppliers: u64, contracts: u64, purchases: u64, seed: u64) -> Plan {
    Plan {
        suppliers,
        contracts,
        purchases,
        seed,
    }
}

fn text(plan: Plan) -> String {
    let mut out = Vec::new();
    generate(plan, &mut out).expect("memory takes all");
    String::from_utf8(out).expect("UTF-8")
}

fn lines(text: &str) -> Vec<Value> {
    let line = |line| serde_json::from_str(line).expect("a line is JSON");
    text.lines().map(line).collect()
}

fn of_type<'a>(lines: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> + Clone {
    lines.iter().filter(move |line| line["type"] == kind)
}

fn string<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().unwrap_or_default()
}

#[test]
fn the_same_seed_gives_the_same_bytes_for_ever() {
    let hash = Sha256::digest(text(plan(300, 2_000, 200, 7)));
    let hash: String = hash.iter().map(|byte| format!("{byte:02x}")).collect();
    // A change of what is generated changes this, and every measurement made with it.
    assert_eq!(
        hash,
        "5b851ba139aa512e44c7272b39304a495657797ca8cf007678d053aeb3226bbe"
    );
}

#[test]
fn another_seed_gives_other_bytes() {
    assert_ne!(text(plan(30, 50, 5, 1)), text(plan(30, 50, 5, 2)));
}

#[test]
fn there_are_as_many_of_each_as_asked_for() {
    for (suppliers, contracts, purchases) in [
        (1, 0, 0),
        (1, 1, 0),
        (10, 0, 7),
        (500, 100, 10),
        (20, 300, 900),
        (250, 1_000, 100),
    ] {
        let lines = lines(&text(plan(suppliers, contracts, purchases, 3)));
        let count = |kind| of_type(&lines, kind).count() as u64;
        let cards = count("purchase44") + count("purchase223") + count("purchase615");
        assert_eq!((count("contract"), cards), (contracts, purchases));
        let inns: HashSet<&str> = lines
            .iter()
            .filter(|line| line["type"] != "rnpEntry")
            .filter_map(|line| line["supplier"]["inn"].as_str())
            .collect();
        assert_eq!(inns.len() as u64, suppliers, "{contracts} contracts");
        let complete: Vec<&str> = of_type(&lines, "registry")
            .map(|line| string(line, "federalLaw"))
            .collect();
        assert_eq!(complete, ["44", "223", "615"]);
        let listed: HashSet<&str> = of_type(&lines, "rnpEntry")
            .map(|line| string(&line["supplier"], "inn"))
            .collect();
        assert_eq!(listed.len() as u64, (suppliers / 100).max(1));
        assert!(listed.is_subset(&inns));
    }
}

#[test]
fn the_largest_supplier_has_a_tenth_of_all_contracts() {
    for contracts in [1, 2, 9, 10, 11, 100, 1_000] {
        for suppliers in [1, 3, 100, 2_000] {
            let mut of: BTreeMap<String, u64> = BTreeMap::new();
            for line in of_type(&lines(&text(plan(suppliers, contracts, 0, 11))), "contract") {
                *of.entry(string(&line["supplier"], "inn").to_owned())
                    .or_default() += 1;
            }
            let largest = of.values().max().copied().unwrap_or_default();
            assert!(largest * 10 >= contracts, "{largest} of {contracts}");
        }
    }
}

#[test]
fn sizes_fall_as_by_zipf() {
    let lines = lines(&text(plan(1_000, 20_000, 0, 5)));
    let mut of: BTreeMap<&str, u64> = BTreeMap::new();
    for line in of_type(&lines, "contract") {
        *of.entry(string(&line["supplier"], "inn")).or_default() += 1;
    }
    let mut sizes: Vec<u64> = of.into_values().collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    let ratio = sizes[9] * 10 / sizes[99].max(1);
    assert!(
        (70..140).contains(&ratio),
        "the 10th to the 100th: {ratio} tenths"
    );
    assert!(sizes[500] > 0);
}

/// Returns whether the control digits are right, as the program computes them.
fn holds(inn: &str) -> bool {
    Inn::parse(inn).is_some_and(|inn| inn.has_control_digits())
}

#[test]
fn numbers_are_distinct_and_have_their_length_and_control_digits() {
    let lines = lines(&text(plan(20_000, 6_000, 3_000, 13)));
    let mut suppliers = BTreeMap::new();
    let mut customers = BTreeMap::new();
    let (mut registered, mut bought) = (HashSet::new(), HashSet::new());
    let mut persons = 0;
    for line in &lines {
        if let Some(inn) = line["supplier"]["inn"].as_str() {
            let name = string(&line["supplier"], "name");
            assert!(holds(inn) && !name.is_empty(), "{inn}");
            if suppliers.insert(inn, name).is_none() {
                persons += u64::from(inn.len() == 12);
            }
            assert_eq!(suppliers[inn], name, "one name for one number");
        }
        let contract = &line["contract"];
        if !contract.is_null() {
            let number = string(contract, "regNum");
            assert!(number.len() == 19 && registered.insert(number), "{number}");
            let inn = string(contract, "customerInn");
            let of_2014 = string(contract, "signDate") < "2015";
            assert!(holds(inn) && (of_2014 || number[1..].starts_with(inn)));
            assert_eq!(number.starts_with('0'), of_2014, "{number}");
            let name = string(contract, "customerName");
            assert_eq!(*customers.entry(inn).or_insert(name), name);
            assert!(matches!(string(contract, "purchaseNumber").len(), 0 | 19));
            assert!(matches!(string(contract, "purchaseCode").len(), 0 | 36));
        }
        let card = &line["purchase"];
        if !card.is_null() {
            let number = string(card, "purchaseNumber");
            let length = match string(line, "type") {
                "purchase44" => 19,
                "purchase223" => 11,
                _ => 18,
            };
            assert!(number.len() == length && bought.insert(number), "{number}");
        }
    }
    assert!(
        (2_600..3_400).contains(&persons),
        "15 % of suppliers: {persons}"
    );
    assert!(suppliers.keys().all(|inn| !customers.contains_key(inn)));
}

#[test]
fn a_card_and_the_contract_it_ended_in_tell_one_story() {
    let lines = lines(&text(plan(500, 5_000, 500, 17)));
    let contracts: BTreeMap<&str, &Value> = of_type(&lines, "contract")
        .map(|line| (string(&line["contract"], "regNum"), line))
        .collect();
    let mut ended = 0;
    for card in of_type(&lines, "purchase44").map(|line| &line["purchase"]) {
        let lot = &card["lots"]["lot"][0];
        let customer = &lot["customers"]["customer"][0];
        let Some(number) = customer["contract"]["regNum"].as_str() else {
            continue;
        };
        let line = contracts[number];
        let contract = &line["contract"];
        assert_eq!(contract["purchaseNumber"], card["purchaseNumber"]);
        let price = &contract["contractPrice"];
        assert!(price.is_null() || *price == lot["winner"]["price"]);
        assert_eq!(contract["customerInn"], customer["inn"]);
        let term = &customer["executionTerms"]["executionPeriod"];
        assert_eq!(contract["deliveryTerm"], *term);
        assert_eq!(line["supplier"]["inn"], lot["winner"]["inn"]);
        ended += 1;
    }
    assert!(ended > 200, "{ended}");
    let cards: HashSet<&str> = of_type(&lines, "purchase44")
        .map(|line| string(&line["purchase"], "purchaseNumber"))
        .collect();
    let follow = contracts
        .values()
        .filter(|line| cards.contains(string(&line["contract"], "purchaseNumber")));
    assert!(follow.count() > 700);
}

#[test]
fn contracts_come_in_the_order_of_time_and_their_days_follow_each_other() {
    let lines = lines(&text(plan(200, 8_000, 0, 19)));
    let mut latest = String::new();
    let mut late = 0;
    for contract in of_type(&lines, "contract").map(|line| &line["contract"]) {
        let signed = string(contract, "signDate");
        let updated = string(contract, "updateDate");
        assert!(("2014-01-09"..="2026-06-30").contains(&signed), "{signed}");
        assert!(
            signed <= updated && updated <= "2026-06-30",
            "{signed} {updated}"
        );
        let ends = string(contract, "endDate");
        assert!(ends.is_empty() || signed < ends, "{signed} {ends}");
        if *signed < *latest {
            late += 1;
        } else {
            signed.clone_into(&mut latest);
        }
    }
    assert!(late > 0, "never out of order is not like a registry");
    let last = of_type(&lines, "contract").map(|line| string(&line["contract"], "signDate"));
    let in_2025 = last.clone().filter(|day| day.starts_with("2025")).count();
    let in_2014 = last.filter(|day| day.starts_with("2014")).count();
    assert!(in_2025 > 2 * in_2014 && in_2014 > 100);
}

#[test]
fn the_import_takes_every_line_and_the_check_finds_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, database) = (
        folder.path().join("a.jsonl"),
        folder.path().join("a.sqlite"),
    );
    std::fs::write(&path, text(plan(400, 3_000, 400, 23))).expect("written");
    let mut problems = Vec::new();
    let writer = Writer::open(&database).expect("a database");
    let summary = import(&[path], writer, &Options::default(), &mut |event| {
        if let Event::Problem(what) = event {
            problems.push(what.to_owned());
        }
    });
    assert!(summary.is_ok() && problems.is_empty(), "{problems:#?}");
    let contents = check(&database).expect("a sound database");
    assert_eq!(
        (contents.suppliers, contents.contracts, contents.purchases),
        (400, 3_000, 400)
    );
}

/// Every path of fields under `value` that has a value.
fn filled(value: &Value, path: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                filled(value, &format!("{path}/{name}"), found);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| filled(item, path, found)),
        Value::Null => {}
        Value::String(text) if text.is_empty() => {}
        _ => {
            found.insert(path.to_owned());
        }
    }
}

#[test]
fn every_field_that_the_demonstration_data_has_occurs_with_a_value() {
    let lines = lines(&text(plan(4_000, 20_000, 2_000, 29)));
    let (mut here, mut there) = (BTreeSet::new(), BTreeSet::new());
    for line in &lines {
        filled(line, string(line, "type"), &mut here);
    }
    for line in self::lines(CASES) {
        filled(&line, string(&line, "type"), &mut there);
    }
    let missing: Vec<_> = there.difference(&here).collect();
    assert!(missing.is_empty(), "{missing:#?}");
    assert!(there.len() > 200);
    for flag in [
        "terminationBoth",
        "terminationSupplier",
        "terminationCostomer",
        "terminationJudge",
        "terminationCourt",
    ] {
        assert!(
            of_type(&lines, "contract").any(|line| line["contract"][flag] == true),
            "{flag}"
        );
    }
    let values = |kind: &'static str, field: &'static str, name: &'static str| -> BTreeSet<&str> {
        of_type(&lines, kind)
            .map(|line| string(&line[field], name))
            .collect()
    };
    assert_eq!(values("contract", "contract", "contractStage").len(), 4);
    assert_eq!(values("rnpEntry", "entry", "federalLaw").len(), 3);
}

/// The shape of a value: a figure is `9`, a text with Russian letters is `words`, and no
/// value is nothing.
fn shape(value: &Value) -> String {
    let is_russian = |letter: char| ('А'..='я').contains(&letter);
    match value {
        Value::Null => String::new(),
        Value::Bool(_) => "flag".to_owned(),
        Value::Number(_) => "number".to_owned(),
        Value::String(text) if text.contains(is_russian) => "words".to_owned(),
        Value::String(text) => text.replace(|letter: char| letter.is_ascii_digit(), "9"),
        _ => panic!("no single value: {value}"),
    }
}

/// The values at a path of names, through all lists.
fn at<'a>(value: &'a Value, path: &str, found: &mut Vec<&'a Value>) {
    match (value, path.split_once('/')) {
        (Value::Array(items), _) => items.iter().for_each(|item| at(item, path, found)),
        (Value::Object(fields), next) => {
            let (name, rest) = next.unwrap_or((path, ""));
            if let Some(value) = fields.get(name) {
                at(value, rest, found);
            }
        }
        _ => found.push(value),
    }
}

const DAY: &str = "9999-99-99";
const DOTTED: &str = "99.99.9999";
const MINUTE: &str = "99.99.9999 99:99";
const CUSTOMER: &str = "purchase/lots/lot/customers/customer";
const OBJECT: &str = "purchase/lots/lot/purchaseObjects/purchaseObject";
const OBJECT_223: &str = "purchase/lots/lot/customers/customer/purchaseObjects/purchaseObject";

/// What the import of official documents makes of fields: all shapes of each;
/// `""` is none. A client that reads these reads documents.
#[rustfmt::skip]
const SHAPES: [(&str, &str, &str, &[&str]); 36] = [
    ("contract", "contract", "deliveryTerm", &["", "9999-99-99..9999-99-99", DAY, "9999-99-99+99:99", "words"]),
    ("contract", "contract", "endDate", &["", DAY]),
    ("contract", "contract", "notificationPrice", &["", "number"]),
    ("purchase44", "purchase/procedureInfo", "start", &["", MINUTE]),
    ("purchase44", "purchase/procedureInfo", "end", &["", MINUTE]),
    ("purchase44", "purchase/procedureInfo", "scoring", &["", DOTTED, MINUTE]),
    ("purchase44", "purchase/procedureInfo", "bidding", &["", DOTTED, MINUTE]),
    ("purchase44", "purchase/procedureInfo", "summarizingDate", &["", DOTTED]),
    ("purchase44", "purchase/procedureInfo", "firstPartsDate", &["", DOTTED]),
    ("purchase44", "purchase/procedureInfo", "submissionDate", &["", DOTTED]),
    ("purchase44", "purchase/procedureInfo", "secondPartsDate", &["", DOTTED]),
    ("purchase44", "purchase", "firstPublishDate", &["", DOTTED]),
    ("purchase44", "purchase", "region", &["", "words"]),
    ("purchase44", "purchase/attachments/attachment", "docDate", &["", DOTTED]),
    ("purchase44", "purchase/attachments/attachment", "docKindName", &["", "words"]),
    ("purchase44", "purchase/lots/lot", "contractLifeCycle", &["", "flag"]),
    ("purchase44", CUSTOMER, "ogrn", &["", "9999999999999"]),
    ("purchase44", CUSTOMER, "phone", &["", "9-999-9999999"]),
    ("purchase44", CUSTOMER, "selfFunds", &["", "flag"]),
    ("purchase44", CUSTOMER, "mustPublicDiscussion", &["", "flag"]),
    ("purchase44", CUSTOMER, "enforcement/contractGuaranteeAmount", &["", "number"]),
    ("purchase44", CUSTOMER, "executionTerms/executionPeriod", &["9999-99-99+99:99", "words"]),
    ("purchase44", CUSTOMER, "deliveryPlaces/deliveriPlace/countryCode", &["", "999"]),
    ("purchase44", CUSTOMER, "deliveryPlaces/deliveriPlace/GARAddress", &["", "words"]),
    ("purchase44", OBJECT, "OKPD2", &["", "99.99.99.999"]),
    ("purchase44", OBJECT, "KTRU", &["", "99.99.99.999-99999999", "99.99.99.999-99999"]),
    ("purchase44", OBJECT, "quantity", &["", "number"]),
    ("purchase44", OBJECT, "isMedicalProduct", &["", "flag"]),
    ("purchase44", OBJECT, "restrictForeign", &["", "flag"]),
    ("purchase223", OBJECT_223, "okpd", &["", "9999999"]),
    ("purchase223", OBJECT_223, "okpd2", &["", "99.99.99.999"]),
    ("purchase223", "purchase", "submissionCloseDateTime", &[DOTTED]),
    ("purchase223", "purchase", "examinationDateTime", &["", DOTTED]),
    ("rnpEntry", "entry", "registrationDate", &[DAY]),
    ("rnpEntry", "entry", "excludeDate", &["", DAY]),
    ("rnpEntry", "entry", "contractNumber", &["", "9999999999999999999", "99999999999999999999999", "999999999999999999"]),
];

#[test]
fn values_have_the_shapes_of_documents_and_no_others() {
    let lines = lines(&text(plan(8_000, 12_000, 3_000, 29)));
    for (kind, record, field, expected) in SHAPES {
        let path = format!("{record}/{field}");
        let mut values = Vec::new();
        of_type(&lines, kind).for_each(|line| at(line, &path, &mut values));
        let found: BTreeSet<String> = values.into_iter().map(shape).collect();
        let expected: BTreeSet<String> = expected.iter().map(|&shape| shape.to_owned()).collect();
        assert_eq!(found, expected, "{kind}: {path}");
    }
    // The words of the customer, and of the form of 2020.
    for words in [
        "не позднее ",
        "со дня подписания контракта по ",
        "Дата начала исполнения контракта: 1 календарный день с даты заключения контракта. Срок исполнения контракта: ",
        "Срок поставки товара: ",
    ] {
        let terms = of_type(&lines, "contract").map(|line| &line["contract"]);
        let mut terms = terms.map(|contract| string(contract, "deliveryTerm"));
        assert!(terms.any(|term| term.starts_with(words)), "{words}");
    }
}

/// The reasons that the schemas of the three laws list: of a supplier that avoided the
/// contract, and of one that broke it.
const REASONS: [(&str, &[&str], &[&str]); 3] = [
    (
        "44",
        &[
            "WINNER_DEVIATION",
            "ONE_WINNER_DEVIATION",
            "PARTICIPANT_DEVIATION_IF_WINNER_DEVIATION",
        ],
        &["CANCEL_CONTRACT"],
    ),
    ("223", &["WD", "AWD", "OPD"], &["CD"]),
    (
        "615",
        &[
            "WINNER_DEVIATION",
            "ONE_WINNER_DEVIATION",
            "PARTICIPANT_SECOND_APPLICATION_DEVIATION",
        ],
        &[
            "COURT_DECISION_CANCEL_CONTRACT",
            "RESPONSIBLE_DECISION_CANCEL_CONTRACT",
        ],
    ),
];

#[test]
fn entries_have_the_reasons_the_terms_and_the_numbers_of_their_law() {
    for text in [&text(plan(60_000, 10, 0, 31)), CASES] {
        let lines = lines(text);
        for entry in of_type(&lines, "rnpEntry").map(|line| &line["entry"]) {
            let of_law = |(law, ..): &&(&str, &[&str], &[&str])| *law == entry["federalLaw"];
            let (law, avoided, broken) = REASONS.iter().find(of_law).expect("a law");
            let reason = string(entry, "reason");
            let contract = string(entry, "contractNumber");
            assert!(
                avoided.contains(&reason) || broken.contains(&reason),
                "{entry}"
            );
            let length = match *law {
                _ if avoided.contains(&reason) => 0,
                "44" => 19,
                "223" => 23,
                _ => 18,
            };
            assert_eq!(contract.len(), length, "{entry}");
            let day = |name| Date::parse_iso(string(entry, name));
            let last = day("registrationDate").and_then(|day| day.plus_years(2));
            // Nothing says how long an entry under PP-615 stays.
            match day("excludeDate") {
                Some(until) => assert!(Some(until) <= last, "{entry}"),
                None => assert_eq!(*law, "615", "{entry}"),
            }
        }
        let entries = of_type(&lines, "rnpEntry").map(|line| &line["entry"]);
        let whole = entries.filter(|entry| {
            let day = |name| Date::parse_iso(string(entry, name));
            day("excludeDate") == day("registrationDate").and_then(|day| day.plus_years(2))
        });
        assert!(whole.count() > 5);
    }
}

/// A file of the vocabulary.
fn words(name: &str) -> Value {
    let path = format!(
        "{}/tests/generate/words/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    let text = std::fs::read_to_string(path).expect("a file");
    serde_json::from_str(&text).expect("JSON")
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

#[test]
fn what_the_vocabulary_names_is_in_it() {
    let (organisations, documents) = (words("organisations"), words("documents"));
    let keys: BTreeSet<&str> = array(&organisations["kinds"])
        .iter()
        .map(|kind| string(kind, "key"))
        .collect();
    for file in ["goods", "services"] {
        for trade in array(&words(file)) {
            assert!(matches!(
                string(trade, "kind"),
                "PRODUCT" | "WORK" | "SERVICE"
            ));
            let mut buyers = array(&trade["buyers"]).iter().filter_map(Value::as_str);
            assert!(buyers.all(|key| keys.contains(key)), "{}", trade["buyers"]);
            let (subjects, items) = (array(&trade["subjects"]), array(&trade["items"]));
            assert!(!subjects.is_empty() && !items.is_empty());
            for item in items {
                let unit = item[3].as_str().unwrap_or_default();
                assert!(documents["units"].get(unit).is_some(), "{item}");
            }
            for subject in subjects.iter().filter_map(Value::as_str) {
                let index = subject.strip_prefix('#').and_then(|rest| rest.get(..1));
                let index = index.map(|index| index.parse::<usize>().expect("a figure"));
                assert!(index.is_none_or(|index| index < items.len()), "{subject}");
            }
        }
    }
    let sum = |shares: Vec<u64>| shares.iter().sum::<u64>();
    let shares = array(&organisations["kinds"]).iter();
    let shares = shares.filter_map(|kind| kind["share"].as_u64()).collect();
    assert_eq!(sum(shares), 100, "kinds of customer");
    let shares = array(&documents["ways_44"]).iter();
    let shares = shares.filter_map(|way| way[2].as_u64()).collect();
    assert_eq!(sum(shares), 100, "ways to choose a supplier");
    assert!(array(&documents["ways_223"]).contains(&documents["single_supplier_223"]));
    assert!(array(&documents["requirements"]).len() >= 3);
    assert!(array(&documents["attachments"]).len() >= 2);
}

#[test]
fn every_list_of_the_vocabulary_has_a_word() {
    fn check(value: &Value, path: &str) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields.iter().filter(|(name, _)| *name != "buyers") {
                    check(value, &format!("{path}/{name}"));
                }
            }
            Value::Array(items) => {
                assert!(!items.is_empty(), "{path} is empty");
                items.iter().for_each(|item| check(item, path));
            }
            _ => {}
        }
    }
    for name in [
        "names",
        "places",
        "organisations",
        "goods",
        "services",
        "documents",
    ] {
        check(&words(name), name);
    }
}
