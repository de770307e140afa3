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
    // They begin so: one contract, then none, by INN.
    "supplier 9600000104",
    "supplier 9600000101",
    "supplier 9600000102",
    // They do not, and have two contracts, and none.
    "supplier 9600000106",
    "supplier 9600000103",
];

#[test]
fn a_part_of_a_name_is_found_however_it_is_spelt_and_what_begins_so_comes_first() {
    let mut service = Service::over(LINES);
    for q in ["ёлочка", "ЕЛОЧКА", "  Ёлочка ", "«елочка»", "\"лочка"]
    {
        let (mut hits, total) = find(&mut service, q);
        let mut expected = SPRUCES.map(str::to_owned);
        if q == "\"лочка" {
            // Begins none of the names.
            hits.sort();
            expected.sort();
        }
        assert_eq!((hits.as_slice(), total), (&expected[..], 5), "{q}");
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
    check_hits(&mut service, "ао елочка", &["supplier 9600000104"]);
    check_hits(
        &mut service,
        "Закрытое акционерное общество",
        &["supplier 9600000103"],
    );
}

#[test]
fn less_than_three_characters_that_are_no_number_find_nothing() {
    let mut service = Service::over(LINES);
    for q in ["ел", "«ел»", "ИП", "нет такого"] {
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
            r#"{"kind":"supplier","key":"9600000106","name":"Белая ёлочка","supplierINN":"9600000106","contracts":2,"verdict":"undetermined","inRNP":null}"#,
        ),
        (
            "A/7",
            r#"{"kind":"contract","key":"A/7","name":"ИП Ель И.И.","supplierINN":"9600000105","contracts":null,"verdict":null,"inRNP":null}"#,
        ),
        (
            "0960000000025000001",
            r#"{"kind":"purchase44","key":"0960000000025000001","name":"Ремонт","supplierINN":null,"contracts":null,"verdict":null,"inRNP":null}"#,
        ),
        (
            "РНП.1",
            r#"{"kind":"rnpEntry","key":"РНП.1","name":"Пихта","supplierINN":"9600000108","contracts":null,"verdict":"undetermined","inRNP":null}"#,
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
         </hit></hits></response>"
    );
    let response = service.get("/find?q=A/7&apikey=KEY&format=csv");
    let text = body(&response);
    assert!(
        text.starts_with(
            "\u{feff}kind,key,name,supplierINN,contracts,verdict,inRNP,registry44,registry223,registry615,asOf,dataUpdated\r\n\
             contract,A/7,ИП Ель И.И.,9600000105,,,,"
        ),
        "{text}"
    );
}

#[test]
fn whether_one_is_listed_is_said_as_of_today_and_only_of_a_registry_that_is_there() {
    let mut service = Service::over(LINES);
    let listed = |service: &mut Service, q: &str| ask(service, q, "")["hits"][0]["inRNP"].clone();
    for (day, expected) in [
        ("2025-06-15", Value::Bool(true)),
        ("2025-06-16", Value::Null),
    ] {
        service.on(crate::service::calendar(day));
        assert_eq!(listed(&mut service, "сосна"), expected, "{day}");
        assert_eq!(listed(&mut service, "РНП.960418-25"), expected, "{day}");
    }
    for law in ["44", "223", "615"] {
        service.import(&format!(
            r#"{{"type":"registry","federalLaw":"{law}","completeAsOf":"2025-06-16"}}"#
        ));
    }
    assert_eq!(listed(&mut service, "сосна"), false);
    assert_eq!(listed(&mut service, "ель"), false);
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
    let (hits, _) = find(&mut service, "ёлочка");
    assert_eq!(hits[3], "supplier 9600000103");
    procurement_lookup::store::check(&service.database()).expect("a sound file");
}

#[test]
fn a_table_of_names_that_is_not_that_of_the_suppliers_is_damage() {
    for statement in [
        "UPDATE supplier_name SET names = CAST(replace(names, 'сосна', 'осина') AS BLOB)",
        "DELETE FROM supplier_name",
        "INSERT INTO supplier_name VALUES (7, x'0A610A', x'01000000')",
    ] {
        let service = Service::over(LINES);
        assert_eq!(service.sql(statement), 1);
        let checked = procurement_lookup::store::check(&service.database());
        let error = checked.expect_err(statement).to_string();
        assert!(error.contains("names that are searched"), "{error}");
    }
}
