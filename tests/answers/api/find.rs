//! `/find`: names and numbers.

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

/// The hits as `kind key`, and how many there are in all.
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
    // The same name: one contract, then none.
    "supplier 9600000104",
    "supplier 9600000101",
    // The shorter the name, the more of it the text is.
    "supplier 9600000102",
    "supplier 9600000106",
    "supplier 9600000103",
];

#[test]
fn a_part_of_a_name_is_found_however_it_is_spelt_the_most_similar_name_first() {
    let mut service = Service::over(LINES);
    for q in [
        "ёлочка",
        "ЕЛОЧКА",
        "  Ёлочка ",
        "«елочка»",
        "\"лочка",
        "Eлoчka",
    ] {
        check_hits(&mut service, q, &SPRUCES);
    }
}

#[test]
fn neither_the_order_of_words_nor_hyphens_nor_other_punctuation_matter() {
    let mut service = Service::over(LINES);
    for q in [
        "Зелёная-ёлочка, ЗАО",
        "ёлочка (зелёная)",
        "З.А.О. «Ёлоч’ка Зелёная».",
    ] {
        check_hits(&mut service, q, &["supplier 9600000103"]);
    }
    check_hits(&mut service, "и.и. ель", &["supplier 9600000105"]);
}

#[test]
fn a_name_with_one_mistake_a_word_is_found_where_none_is_without_a_mistake() {
    let mut service = Service::over(LINES);
    for q in [
        // A letter other, less, more, and two that were exchanged.
        "зелёная ёлачка",
        "зелная ёлочка",
        "зелёнаая елочка",
        "зелёная ёолчка",
        "ёлочко зеленая",
        "зеленяа елочкка",
        "ЗАО Зелёнай ёлочка",
        "Зкарытое акцонерное общество Зелёная ёлочка",
    ] {
        check_hits(&mut service, q, &["supplier 9600000103"]);
    }
    // Two mistakes in a word; one in a word of three letters; one that is a digit.
    for q in ["зилиная ёлочка", "еоь", "сосна 9600000102"] {
        check_hits(&mut service, q, &[]);
    }
    check_hits(&mut service, "сосан 9600000101", &["supplier 9600000107"]);
    // Found without a mistake, so others are not looked for.
    check_hits(&mut service, "пихт", &["supplier 9600000108"]);
}

#[test]
fn a_legal_form_matters_only_where_a_name_has_it() {
    let mut service = Service::over(LINES);
    check_hits(&mut service, "ИП Пихта", &["supplier 9600000108"]);
    check_hits(&mut service, "пихта ип", &["supplier 9600000108"]);
    check_hits(&mut service, "АО Зеленая елочка", &["supplier 9600000103"]);
    check_hits(&mut service, "ООО Белая елочка", &["supplier 9600000106"]);
}

#[test]
fn customers_are_found_by_name_and_inn_and_follow_what_is_imported() {
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
fn several_names_have_three_suppliers_each_in_their_order() {
    let mut service = Service::over(LINES);
    let response = service.get(
        "/find/names?q=%D1%91%D0%BB%D0%BE%D1%87%D0%BA%D0%B0%0A%D1%89%D1%89%D1%89%0D%0A%0A+\
         %D0%BF%D0%B8%D1%85%D1%82%D0%B0&apikey=KEY&format=csv",
    );
    let text = body(&response);
    let rows: Vec<&str> = text
        .lines()
        .map(|row| row.split(",9").next().unwrap_or(row))
        .collect();
    assert_eq!(response.status, 200);
    assert!(
        rows[0].starts_with(
            "\u{feff}query,kind,key,name,supplierINN,contracts,verdict,inRNP,score,registry44"
        ),
        "{text}"
    );
    let begin: Vec<&str> = text
        .lines()
        .skip(1)
        .map(|row| {
            row.split_at(row.match_indices(',').nth(2).expect("cells").0)
                .0
        })
        .collect();
    assert_eq!(
        begin,
        [
            "ёлочка,supplier,9600000104",
            "ёлочка,supplier,9600000101",
            "ёлочка,supplier,9600000102",
            "щщщ,,",
            "пихта,supplier,9600000108",
        ]
    );
    let response = service.get("/find/names?q=%D0%BF%D0%B8%D1%85%D1%82%D0%B0&apikey=KEY");
    assert_eq!(
        body(&response),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><response><names><name><query>пихта</query><hits>\
         <hit><kind>supplier</kind><key>9600000108</key><name>Пихта</name>\
         <supplierINN>9600000108</supplierINN><contracts>0</contracts><verdict>undetermined</verdict>\
         <inRNP/><score>100</score></hit></hits></name></names></response>"
    );
    let names = |count: usize| vec!["x"; count].join("%0A");
    for (target, expected) in [
        (
            format!("/find/names?q={}", names(20)),
            "200 json".to_owned(),
        ),
        (
            format!("/find/names?q={}", names(21)),
            format!("400 {}", bad("q")),
        ),
        (
            format!("/find/names?q={}", "x".repeat(201)),
            format!("400 {}", bad("q")),
        ),
        ("/find/names?q=%0A".to_owned(), format!("400 {}", bad("q"))),
        ("/find/names?".to_owned(), format!("400 {}", bad("q"))),
    ] {
        check(
            &mut service,
            &format!("{target}&apikey=KEY&format=json"),
            &expected,
        );
    }
}

#[test]
fn legal_forms_in_short_and_in_full_are_one() {
    let mut service = Service::over(LINES);
    for q in [
        "ООО Ёлочка",
        "ооо \"елочка\"",
        "общество с ограниченной ответственностью Ёлочка",
    ] {
        check_hits(
            &mut service,
            q,
            &["supplier 9600000101", "supplier 9600000102"],
        );
    }
    // A part of ЗАО as well.
    check_hits(
        &mut service,
        "ао елочка",
        &["supplier 9600000104", "supplier 9600000103"],
    );
    check_hits(
        &mut service,
        "Закрытое акционерное общество",
        &["supplier 9600000103"],
    );
}

#[test]
fn less_than_three_characters_that_are_no_number_find_nothing() {
    let mut service = Service::over(LINES);
    for q in ["ел", "«ел»", "ИП", "е. л.", "нет такого"] {
        check_hits(&mut service, q, &[]);
    }
    check_hits(&mut service, "1", &["contract 1"]);
    check_hits(&mut service, "ель", &["supplier 9600000105"]);
}

#[test]
fn whatever_has_a_number_is_found_by_it_before_names() {
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
fn what_a_kind_does_not_have_is_empty() {
    let mut service = Service::over(LINES);
    let mut hit = |q: &str| ask(&mut service, q, "")["hits"][0].to_string();
    for (q, expected) in [
        (
            "9600000106",
            r#"{"kind":"supplier","key":"9600000106","name":"Белая ёлочка","supplierINN":"9600000106","contracts":2,"verdict":"undetermined","inRNP":null,"score":100}"#,
        ),
        (
            "A/7",
            r#"{"kind":"contract","key":"A/7","name":"ИП Ель И.И.","supplierINN":"9600000105","contracts":null,"verdict":null,"inRNP":null,"score":100}"#,
        ),
        (
            "0960000000025000001",
            r#"{"kind":"purchase44","key":"0960000000025000001","name":"Ремонт","supplierINN":null,"contracts":null,"verdict":null,"inRNP":null,"score":100}"#,
        ),
        (
            "РНП.1",
            r#"{"kind":"rnpEntry","key":"РНП.1","name":"Пихта","supplierINN":"9600000108","contracts":null,"verdict":"undetermined","inRNP":null,"score":100}"#,
        ),
    ] {
        assert_eq!(hit(q), expected, "{q}");
    }
    let response = service.get("/find?q=A/7&apikey=KEY");
    assert_eq!(
        body(&response),
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><response><query>A/7</query>\
         <totalcount>1</totalcount><hits><hit><kind>contract</kind><key>A/7</key>\
         <name>ИП Ель И.И.</name><supplierINN>9600000105</supplierINN><contracts/><verdict/><inRNP/>\
         <score>100</score></hit></hits></response>"
    );
    let response = service.get("/find?q=A/7&apikey=KEY&format=csv");
    let text = body(&response);
    assert!(
        text.starts_with(
            "\u{feff}kind,key,name,supplierINN,contracts,verdict,inRNP,score,registry44,registry223,registry615,asOf,dataUpdated\r\n\
             contract,A/7,ИП Ель И.И.,9600000105,,,,100,"
        ),
        "{text}"
    );
}

#[test]
fn a_limit_bounds_the_hits_and_not_their_count() {
    let mut service = Service::over(LINES);
    for limit in [0, 1, 3, 5, 50] {
        let answer = ask(&mut service, "ёлочка", &format!("&limit={limit}"));
        let hits = answer["hits"].as_array().expect("hits");
        let keys: Vec<_> = hits
            .iter()
            .map(|hit| format!("supplier {}", hit["key"].as_str().expect("a key")))
            .collect();
        assert_eq!(keys, SPRUCES[..limit.min(5)], "{limit}");
        assert_eq!(answer["totalcount"], 5);
    }
    let lines: String = (0..60)
        .map(|number| {
            format!(
                "{{\"type\":\"supplier\",\"supplier\":{{\"inn\":\"96000002{number:02}\",\"name\":\"Бор\"}}}}\n"
            )
        })
        .collect();
    let mut service = Service::over(&lines);
    let (hits, total) = find(&mut service, "бор");
    assert_eq!((hits.len(), total), (20, 60));
    assert_eq!(hits[19], "supplier 9600000219");
}

#[test]
fn what_is_wrong_with_a_search_is_said_with_its_status() {
    let mut service = Service::over(LINES);
    let long = "x".repeat(201);
    for (target, expected) in [
        ("/find?apikey=KEY", format!("400 {}", bad("q"))),
        ("/find?q=+&apikey=KEY", format!("400 {}", bad("q"))),
        (
            &format!("/find?q={long}&apikey=KEY"),
            format!("400 {}", bad("q")),
        ),
        (
            "/find?q=a&limit=51&apikey=KEY",
            format!("400 {}", bad("limit")),
        ),
        (
            "/find?q=a&limit=-1&apikey=KEY",
            format!("400 {}", bad("limit")),
        ),
        ("/find?q=a", format!("401 {BAD_KEY}")),
    ] {
        check(&mut service, &format!("{target}&format=json"), &expected);
    }
    let target = format!("/find?q={}&apikey=KEY", &long[..200]);
    check(&mut service, &target, "200 xml");
}

#[test]
fn names_follow_what_is_imported() {
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

#[test]
fn names_or_an_index_that_are_not_those_of_the_suppliers_are_damage() {
    for (statement, rows) in [
        (
            "UPDATE searched_name SET name = replace(name, 'сосна', 'осина')",
            8,
        ),
        (
            "UPDATE searched_name SET contracts = 5 WHERE inn = 9600000101",
            1,
        ),
        ("DELETE FROM searched_name WHERE inn = 9600000101", 1),
        (
            "INSERT INTO searched_name VALUES (4294967296, 9600000101, 0, ' х ')",
            1,
        ),
        (
            "INSERT INTO name_index (rowid, name) VALUES (999, ' сосна ')",
            1,
        ),
        (
            "INSERT INTO name_index (name_index, rowid, name) SELECT 'delete', id, name FROM searched_name WHERE inn = 9600000107",
            1,
        ),
    ] {
        let service = Service::over(LINES);
        assert_eq!(service.sql(statement), rows, "{statement}");
        let checked = procurement_lookup::store::check(&service.database());
        let error = checked.expect_err(statement).to_string();
        assert!(error.contains("names that are searched"), "{error}");
    }
}
