//! Many suppliers at once, and as of a day.

use super::{BAD_INN, MANY, bad, check, service};
use crate::service::{Service, body};

const LINES: &str = r#"
{"type":"rnpEntry","supplier":{"inn":"9600000021","name":"Б"},"entry":{"registrationNumber":"1","registrationDate":"2024-03-05","excludeDate":"2025-06-15"}}
{"type":"rnpEntry","supplier":{"inn":"9600000021"},"entry":{"registrationNumber":"2","registrationDate":"2020-01-01","excludeDate":"2022-01-01"}}
{"type":"rnpEntry","supplier":{"inn":"9600000021"},"entry":{"registrationNumber":"3","registrationDate":"2030-01-01"}}
{"type":"supplier","supplier":{"inn":"7707083893","name":"В"}}
{"type":"registry","federalLaw":"44","completeAsOf":"2025-06-15"}
{"type":"registry","federalLaw":"223","completeAsOf":"2025-06-15"}
{"type":"registry","federalLaw":"615","completeAsOf":"2025-06-15"}
"#;

fn verdicts(service: &mut Service, query: &str) -> Vec<String> {
    let response = service.get(&format!("{MANY}?{query}&apikey=KEY&format=json"));
    let answer: serde_json::Value = serde_json::from_str(body(&response)).expect("JSON");
    let suppliers = answer["suppliers"].as_array().expect("suppliers");
    let told = |supplier: &serde_json::Value| {
        let numbers = |list: &str| -> Vec<String> {
            let entries = supplier[list].as_array().into_iter().flatten();
            let number =
                |entry: &serde_json::Value| entry["registrationNumber"].as_str().map(str::to_owned);
            entries.filter_map(number).collect()
        };
        let text = |name: &str| supplier[name].as_str().unwrap_or("-").to_owned();
        let (inn, verdict) = (text("supplierINN"), text("verdict"));
        let (listed, previous) = (
            numbers("entries").join("+"),
            numbers("previousEntries").join("+"),
        );
        let is_known = !matches!(&*verdict, "undetermined" | "invalid");
        let expected = is_known.then_some(!listed.is_empty());
        assert_eq!(supplier["inRNP"].as_bool(), expected, "{verdict}");
        assert_eq!(
            supplier.get("previousEntries").is_some(),
            query.contains("history=1")
        );
        format!("{inn} {verdict} {listed}/{previous}")
    };
    suppliers.iter().map(told).collect()
}

#[test]
fn the_verdict_is_that_of_the_day_and_the_history_up_to_it() {
    let mut service = Service::over(LINES);
    for (day, expected) in [
        ("2019-12-31", "undetermined /"),
        ("2020-01-01", "listed 2/"),
        ("2022-01-02", "undetermined /2"),
        ("2024-03-05", "listed 1/2"),
        ("2025-06-15", "listed 1/2"),
        ("2025-06-16", "previously-listed /1+2"),
        ("2030-01-01", "listed 3/1+2"),
        ("2025-07-16", "undetermined /1+2"),
    ] {
        let query = format!("supplierINN=9600000021&asOf={day}&history=1");
        assert_eq!(
            verdicts(&mut service, &query),
            [format!("9600000021 {expected}")],
            "{day}"
        );
    }
}

#[test]
fn two_hundred_are_answered_and_no_more() {
    let mut service = service();
    let many = |count: usize| vec!["9600000021"; count].join(",");
    let target = |list: &str| format!("{MANY}?supplierINN={list}&apikey=KEY&format=json");
    check(&mut service, &target(&(many(200) + ",,%20,")), "200 json");
    let too_many = format!("400 {}", bad("supplierINN"));
    check(&mut service, &target(&many(201)), &too_many);
    check(
        &mut service,
        &target(&format!("{},{}", many(100), many(101))),
        &too_many,
    );
    let none = format!("400 {BAD_INN}");
    for list in ["", ",", "%20,+,", ",,,,"] {
        check(&mut service, &target(list), &none);
    }
}
