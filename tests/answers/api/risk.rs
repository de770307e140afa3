//! Risk facts of contracts in responses.

use serde_json::{Value, json};

use crate::service::{Service, body};

const ENTRIES: &str = r#"
{"type":"rnpEntry","supplier":{"inn":"9600000002"},"entry":{"registrationNumber":"1","registrationDate":"2025-01-10","excludeDate":"2025-01-20","federalLaw":"44"}}
{"type":"rnpEntry","supplier":{"inn":"9600000002"},"entry":{"registrationNumber":"2","registrationDate":"2025-03-01","federalLaw":"223"}}
"#;

fn contract(number: u32, fields: &str) -> String {
    format!(
        r#"{{"type":"contract","supplier":{{"inn":"9600000002"}},"contract":{{"regNum":"{number}","contractPrice":1,{fields}}}}}"#
    )
}

fn facts(service: &mut Service, query: &str) -> Value {
    let target = format!(
        "/contract/summary-supplier44?supplierINN=9600000002&apikey=KEY&format=json{query}"
    );
    let response = service.get(&target);
    let answer: Value = serde_json::from_str(body(&response)).expect("JSON");
    let facts = answer["facts"].as_array().expect("facts").iter();
    facts
        .map(|fact| json!([fact["fact"], fact["count"]]))
        .collect()
}

#[test]
fn a_contract_is_signed_while_listed_from_the_first_to_the_last_day_of_an_entry() {
    let days = [
        "2025-01-09",
        "2025-01-10",
        "2025-01-20",
        "2025-01-21",
        "2025-02-28",
        "2025-03-01",
        "2026-07-01",
    ];
    let signed = |(number, day): (u32, &&str)| contract(number, &format!(r#""signDate":"{day}""#));
    let mut lines: Vec<String> = (1..).zip(&days).map(signed).collect();
    lines.push(contract(
        8,
        r#""signDate":"2025-01-15","contractStage":"IN""#,
    ));
    lines.push(contract(9, r#""signDate":"""#));
    let mut service = Service::over(&[ENTRIES, &lines.join("\n")].concat());
    let mut check = |query: &str, expected: Value| {
        assert_eq!(facts(&mut service, query), expected, "{query}");
    };
    check("", json!([["signedWhileListed", 4]]));
    check("&laws=44", json!([["signedWhileListed", 2]]));
    check("&laws=223,615", json!([["signedWhileListed", 2]]));
    check("&laws=615", json!([]));
    check("&signedTo=2025-01-10", json!([["signedWhileListed", 1]]));
}

#[test]
fn facts_of_a_contract_are_counted_in_the_order_of_the_list() {
    let lines = [
        contract(1, r#""terminationSupplier":true,"penaltiesTotal":0.01"#),
        contract(
            2,
            r#""terminationCostomer":true,"terminationJudge":true,"penaltiesTotal":0"#,
        ),
        contract(
            3,
            r#""terminationBoth":true,"bankGuaranteePayments":[{"paymentAmountRUR":1}]"#,
        ),
        contract(4, r#""contractStage":"E","endDate":"2025-06-14""#),
        contract(
            5,
            r#""contractStage":"IN","terminationSupplier":true,"penaltiesTotal":1"#,
        ),
    ];
    let mut service = Service::over(&lines.join("\n"));
    let one = |fact: &str| json!([fact, 1]);
    let expected = [
        "terminatedBySupplier",
        "terminatedByCustomer",
        "terminatedByCourt",
        "terminatedMutually",
        "penalties",
        "guaranteeClaims",
        "overdue",
    ];
    assert_eq!(
        facts(&mut service, ""),
        Value::from(expected.map(one).to_vec())
    );
}
