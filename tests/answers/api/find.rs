//! `/find`: searches for names and numbers.

use serde_json::Value;

use super::*;

const LINES: &str = r#"
{"type":"supplier","supplier":{"inn":"9600000101","name":"ООО \"Ёлочка\""}}
{"type":"supplier","supplier":{"inn":"9600000102","name":"Общество с ограниченной ответственностью «ЁЛОЧКА и Ко»"}}
{"type":"supplier","supplier":{"inn":"9600000103","name":"ЗАО „Зелёная ёлочка“"}}
{"type":"contract","supplier":{"inn":"9600000104","name":"АКЦИОНЕРНОЕ ОБЩЕСТВО  \"ЕЛОЧКА\""},"contract":{"regNum":"3960000000000000001"}}
{"type":"contract","supplier":{"inn":"9600000105","name":"ИП Ель И.И."},"contract":{"regNum":"3960000000000000001"}}
{"type":"contract","supplier":{"inn":"9600000105"},"contract":{"regNum":"A/7"}}
{"type":"contract","supplier":{"inn":"9600000106","name":"Белая ёлочка"},"contract":{"regNum":"1"}}
{"type":"contract","supplier":{"inn":"9600000106"},"contract":{"regNum":"2"}}
{"type":"rnpEntry","supplier":{"inn":"9600000107","name":"Сосна 9600000101"},"entry":{"registrationNumber":"РНП.960418-25","registrationDate":"2024-03-05","excludeDate":"2025-06-15","federalLaw":"44"}}
{"type":"rnpEntry","supplier":{"inn":"9600000108","name":"Пихта"},"entry":{"registrationNumber":"РНП.1","registrationDate":"2020-03-05","excludeDate":"2021-06-15","federalLaw":"44"}}
{"type":"purchase44","purchase":{"purchaseNumber":"0960000000025000001","purchaseObjectInfo":"Ремонт"}}
{"type":"purchase223","purchase":{"purchaseNumber":"39600000001"}}
{"type":"purchase615","purchase":{"purchaseNumber":"096000000000000001"}}
"#;

/// Returns the hits as `kind key`, and the total count.
fn find(service: &mut Service, q: &str) -> (Vec<String>, u64) {
    let answer = ask(service, q, "");
    let hits = answer["hits"].as_array().expect("hits").iter();
    let text = |hit: &Value, name: &str| hit[name].as_str().expect("a text").to_owned();
    let hits = hits.map(|hit| format!("{} {}", text(hit, "kind"), text(hit, "key")));
    (
        hits.collect(),
        answer["totalcount"].as_u64().expect("a count"),
    )
}

fn ask(service: &mut Service, q: &str, more: &str) -> Value {
    let q: String = q.bytes().map(|byte| format!("%{byte:02X}")).collect();
    let target = format!("/find?q={q}&apikey=KEY&format=json{more}");
    let response = service.get(&target);
    assert_eq!(response.status, 200, "{target}");
    serde_json::from_str(body(&response)).expect("JSON")
}

#[track_caller]
fn check_hits(service: &mut Service, q: &str, expected: &[&str]) {
    let (hits, total) = find(service, q);
    assert_eq!(hits, expected, "{q}");
    assert_eq!(total, expected.len() as u64, "{q}");
}

const SPRUCES: [&str; 5] = [
    // Among equal names, suppliers with contracts come first.
    "supplier 9600000104",
    "supplier 9600000101",
    // The larger the matching share of the name, the higher the rank.
    "supplier 9600000102",
    "supplier 9600000106",
    "supplier 9600000103",
];

#[test]
fn names_are_found_in_many_spellings_most_similar_first() {
    let mut service = Service::over(LINES);
    for q in ["ёлочка", "  Ёлочка ", "«елочка»", "\"лочка", "Eлoчka"] {
        check_hits(&mut service, q, &SPRUCES);
    }
    for (q, expected) in [
        // Word order, punctuation, legal forms and abbreviations may differ.
        ("ёлочка (зелёная)", &["supplier 9600000103"][..]),
        ("З.А.О. «Ёлоч’ка Зелёная».", &["supplier 9600000103"]),
        ("Закрытое акционерное общество", &["supplier 9600000103"]),
        (
            "ООО Ёлочка",
            // Names with the requested legal form come first.
            &[
                "supplier 9600000101",
                "supplier 9600000104",
                "supplier 9600000102",
                "supplier 9600000106",
                "supplier 9600000103",
            ],
        ),
        ("ао елочка", &SPRUCES),
        // Names with other legal forms are found too.
        ("ИП Пихта", &["supplier 9600000108"]),
        ("АО Зеленая елочка", &["supplier 9600000103"]),
        // If nothing else matches, one mistake per word is tolerated: a replaced, missing or
        // additional letter, or two letters swapped.
        ("зелёная ёлачка", &["supplier 9600000103"]),
        ("зелная ёлочка", &["supplier 9600000103"]),
        ("зелёнаая елочка", &["supplier 9600000103"]),
        ("зелёная ёолчка", &["supplier 9600000103"]),
        (
            "Зкарытое акцонерное общество Зелёная ёлочка",
            &["supplier 9600000103"],
        ),
        ("сосан 9600000101", &["supplier 9600000107"]),
        // Two mistakes in a word, one in a word of three letters, or one in a number are too many.
        ("зилиная ёлочка", &[]),
        ("еоь", &[]),
        ("сосна 9600000102", &[]),
        // A query of fewer than three letters finds nothing.
        ("«ел»", &[]),
        ("е. л.", &[]),
        ("ель", &["supplier 9600000105"]),
    ] {
        check_hits(&mut service, q, expected);
    }
}

fn scores(service: &mut Service, q: &str) -> Vec<(String, u64)> {
    let answer = ask(service, q, "");
    let hits = answer["hits"].as_array().expect("hits").iter();
    let pair = |hit: &Value| {
        let key = hit["key"].as_str().expect("a key").to_owned();
        (key, hit["score"].as_u64().expect("a score"))
    };
    hits.map(pair).collect()
}

#[test]
fn people_with_the_same_surname_are_distinguished() {
    let mut service = Service::over(
        r#"{"type":"supplier","supplier":{"inn":"960200000101","name":"Протокин Антон Олегович"}}
{"type":"supplier","supplier":{"inn":"960200000102","name":"Протокин Иван Петрович"}}
{"type":"supplier","supplier":{"inn":"960200000103","name":"Мостовик Артём Глебович"}}
"#,
    );
    for (q, expected) in [
        ("ИП Протокин А.О.", Some(("960200000101", 58))),
        ("А. О. Протокин", Some(("960200000101", 58))),
        ("ИП Протокин И. П.", Some(("960200000102", 60))),
        ("Протокин О.А.", None),
        // Each word of the name can match only one word of the query.
        ("Мостовик Глеб Глебович", None),
        ("Мостовик Артём Глебович", Some(("960200000103", 100))),
        (
            "Мостовик Артём Глебович Заречинск",
            Some(("960200000103", 59)),
        ),
    ] {
        let expected: Vec<_> = expected
            .map(|(key, score)| (key.to_owned(), score))
            .into_iter()
            .collect();
        assert_eq!(scores(&mut service, q), expected, "{q}");
    }
}

#[test]
fn official_abbreviations_match_full_legal_forms() {
    let names = [
        (
            "ФГБОУ ВО",
            "ФЕДЕРАЛЬНОЕ ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ ОБРАЗОВАТЕЛЬНОЕ УЧРЕЖДЕНИЕ ВЫСШЕГО ОБРАЗОВАНИЯ",
        ),
        ("СНТ", "САДОВОДЧЕСКОЕ НЕКОММЕРЧЕСКОЕ ТОВАРИЩЕСТВО"),
        (
            "ТД",
            "ОБЩЕСТВО С ОГРАНИЧЕННОЙ ОТВЕТСТВЕННОСТЬЮ ТОРГОВЫЙ ДОМ",
        ),
        (
            "СПб ГБУ",
            "САНКТ-ПЕТЕРБУРГСКОЕ ГОСУДАРСТВЕННОЕ БЮДЖЕТНОЕ УЧРЕЖДЕНИЕ",
        ),
        ("РАЙПО", "РАЙОННОЕ ПОТРЕБИТЕЛЬСКОЕ ОБЩЕСТВО"),
        (
            "ИП глава КФХ",
            "Индивидуальный предприниматель - глава крестьянского (фермерского) хозяйства",
        ),
    ];
    let line = |(at, (_, full)): (usize, &(&str, &str))| {
        format!(
            r#"{{"type":"supplier","supplier":{{"inn":"{}","name":"{full} «Затон {at}»"}}}}"#,
            9_600_000_000 + at
        )
    };
    let lines: Vec<String> = names.iter().enumerate().map(line).collect();
    let mut service = Service::over(&(lines.join("\n") + "\n"));
    for (at, (short, _)) in names.iter().enumerate() {
        let q = format!("{short} Затон {at}");
        let expected = ((9_600_000_000 + at).to_string(), 100);
        assert_eq!(scores(&mut service, &q).first(), Some(&expected), "{q}");
    }
}

#[test]
fn customers_are_found_by_name_and_inn_after_each_import() {
    let contract = |number: &str, customer: &str, signed: &str| {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"9600000106"}},"contract":{{"regNum":"{number}","customerInn":"9601001012","customerName":"{customer}","signDate":"{signed}"}}}}"#
        )
    };
    let mut service = Service::over(LINES);
    service.import(&contract("11", "МБОУ «Школа № 5»", "2024-01-01"));
    service.import(&contract("12", "МБОУ Школа", "2023-01-01"));
    let hit = |service: &mut Service, q: &str| ask(service, q, "")["hits"][0].to_string();
    let expected = r#"{"kind":"customer","key":"9601001012","name":"МБОУ «Школа № 5»","supplierINN":null,"contracts":2,"verdict":null,"inRNP":null,"score":100}"#;
    assert_eq!(hit(&mut service, "школа 5"), expected);
    check_hits(&mut service, "школа 5", &["customer 9601001012"]);
    assert_eq!(hit(&mut service, "9601001012"), expected);
    service.import(&contract("11", "Лицей", "2024-01-01"));
    check_hits(&mut service, "школа 5", &[]);
    check_hits(&mut service, "лицей", &["customer 9601001012"]);
    service.import(&contract("11", "Лицей", "2022-01-01"));
    check_hits(&mut service, "лицей", &[]);
    check_hits(&mut service, "школа", &["customer 9601001012"]);
    procurement_lookup::store::check(&service.database()).expect("a sound file");
}

#[test]
fn numbers_are_found_before_names() {
    let mut service = Service::over(LINES);
    check_hits(
        &mut service,
        "9600000101",
        &["supplier 9600000101", "supplier 9600000107"],
    );
    let two = ["contract 3960000000000000001"; 2];
    check_hits(&mut service, "3960000000000000001", &two);
    let answer = ask(&mut service, "3960000000000000001", "");
    let inns = answer["hits"].as_array().expect("hits").iter();
    let inns: Vec<_> = inns.map(|hit| &hit["supplierINN"]).collect();
    assert_eq!(inns, ["9600000104", "9600000105"]);
    check_hits(&mut service, "A/7", &["contract A/7"]);
    check_hits(
        &mut service,
        "0960000000025000001",
        &["purchase44 0960000000025000001"],
    );
    check_hits(&mut service, "39600000001", &["purchase223 39600000001"]);
    check_hits(
        &mut service,
        "096000000000000001",
        &["purchase615 096000000000000001"],
    );
    check_hits(&mut service, "РНП.960418-25", &["rnpEntry РНП.960418-25"]);
    check_hits(&mut service, "9600009999", &[]);
}

#[test]
fn a_limit_bounds_the_hits_and_not_their_count() {
    let mut service = Service::over(LINES);
    let answer = ask(&mut service, "ёлочка", "&limit=3");
    assert_eq!(answer["hits"].as_array().map(Vec::len), Some(3));
    assert_eq!(answer["totalcount"], 5);
    // If a request contains several names, each gets at most three hits.
    let names = service.get("/find/names?q=%D1%91%D0%BB%D0%BE%D1%87%D0%BA%D0%B0%0Ax&apikey=KEY");
    assert_eq!(body(&names).matches("<hit>").count(), 3);
    let supplier = |number| {
        format!(r#"{{"type":"supplier","supplier":{{"inn":"96000002{number:02}","name":"Бор"}}}}"#)
            + "\n"
    };
    let mut service = Service::over(&(0..60).map(supplier).collect::<String>());
    let (hits, total) = find(&mut service, "бор");
    assert_eq!((hits.len(), total), (20, 60));
    assert_eq!(hits[19], "supplier 9600000219");
}

#[test]
fn names_are_compared_with_those_of_inns() {
    let mut service = Service::over(
        r#"{"type":"supplier","supplier":{"inn":"9600000301","name":"ООО \"Речной сад\""}}
{"type":"supplier","supplier":{"inn":"9600000302","name":""}}"#,
    );
    let encoded = |text: &str| -> String {
        let digits = text.bytes().map(|byte| format!("%{byte:02X}"));
        digits.collect()
    };
    let names = "ООО Рога и копыта\nРечной\nСад речной, филиал\nРечной сад\nРечной сад";
    let names = encoded(names);
    let inns = "9600000301,9600000301,9600000301,9600000302,9600000303";
    let path = format!("/find/names?q={names}&supplierINN={inns}&format=json&apikey=KEY");
    let answer: Value = serde_json::from_str(body(&service.get(&path))).expect("JSON");
    let names = answer["names"].as_array().expect("names");
    let scores: Vec<&Value> = names.iter().map(|name| &name["hits"][0]["score"]).collect();
    let known = [0, 66, 60].map(Value::from);
    let none = [Value::Null, Value::Null];
    assert_eq!(scores, known.iter().chain(&none).collect::<Vec<_>>());
    for inns in ["9600000301", "9600000301,x", "x"] {
        let names = encoded("Речной\nСад");
        let path = format!("/find/names?q={names}&supplierINN={inns}&apikey=KEY");
        assert_eq!(service.get(&path).status, 400, "{inns}");
    }
}

#[test]
fn names_change_with_imports() {
    let mut service = Service::over(LINES);
    check_hits(&mut service, "пихта", &["supplier 9600000108"]);
    service.import(r#"{"type":"supplier","supplier":{"inn":"9600000108","name":"Туя"}}"#);
    check_hits(&mut service, "пихта", &[]);
    check_hits(&mut service, "туя", &["supplier 9600000108"]);
    service.import(
        r#"{"type":"contract","supplier":{"inn":"9600000103"},"contract":{"regNum":"5"}}
{"type":"contract","supplier":{"inn":"9600000103"},"contract":{"regNum":"6"}}
{"type":"contract","supplier":{"inn":"9600000103"},"contract":{"regNum":"7"}}"#,
    );
    let answer = ask(&mut service, "зелёная", "");
    assert_eq!(answer["hits"][0]["contracts"], 3);
    procurement_lookup::store::check(&service.database()).expect("a sound file");
}
