//! Filters and orders of the contract page, and the summary: what is taken, what is
//! refused, and what comes where something is damaged.

use super::{CONTRACTS, bad, check};
use crate::service::{Service, body, calendar, header};

const SUMMARY: &str = "/contract/summary-supplier44";

/// Contracts 1 to 4, the oldest first.
const LINES: &str = r#"
{"type":"contract","supplier":{"inn":"9600000002","name":"ООО \"А\""},"contract":{"regNum":"1","contractPrice":7,"contractStage":"E","updateDate":"2025-02-01","subContractors":true}}
{"type":"contract","supplier":{"inn":"9600000002"},"contract":{"regNum":"2","signDate":"2024-12-31","contractPrice":"0.30","contractStage":"EC","customerInn":"9600000101","customerName":"З1"}}
{"type":"contract","supplier":{"inn":"9600000002"},"contract":{"regNum":"3","signDate":"2025-01-01","contractStage":"E","customerInn":"9600000101","updateDate":"2025-03-01"}}
{"type":"contract","supplier":{"inn":"9600000002"},"contract":{"regNum":"4","signDate":"2025-01-01","contractPrice":7,"contractStage":"IN","customerInn":"96000001012","updateDate":"2025-02-01"}}
"#;

fn service() -> Service {
    Service::over(LINES)
}

fn target(path: &str, query: &str) -> String {
    format!("{path}?supplierINN=9600000002&apikey=KEY&format=json{query}")
}

/// The numbers on a page in their order, and the count.
fn page(service: &mut Service, query: &str) -> String {
    let response = service.get(&target(CONTRACTS, query));
    let page: serde_json::Value = serde_json::from_str(body(&response)).expect("JSON");
    let contracts = page["contracts"].as_array().expect("contracts").iter();
    let numbers: Vec<_> = contracts
        .map(|one| one["regNum"].as_str().expect("a number"))
        .collect();
    format!("{} of {}", numbers.join(" "), page["totalcount"])
        .trim()
        .to_owned()
}

#[test]
fn each_filter_narrows_the_page_and_its_count() {
    let mut service = service();
    for (query, expected) in [
        ("", "4 3 2 1 of 4"),
        ("&stage=E", "3 1 of 2"),
        ("&stage=E,IN", "4 3 1 of 3"),
        ("&stage=IN,E,E", "4 3 1 of 3"),
        ("&stage=ET", "of 0"),
        // One without a day was signed on none.
        ("&signedFrom=0001-01-01", "4 3 2 of 3"),
        ("&signedTo=9999-12-31", "4 3 2 of 3"),
        ("&signedFrom=2025-01-01", "4 3 of 2"),
        ("&signedTo=2024-12-31", "2 of 1"),
        ("&signedFrom=2025-01-01&signedTo=2024-12-31", "of 0"),
        ("&updatedFrom=2025-02-01", "4 3 1 of 3"),
        ("&updatedFrom=2025-02-02", "3 of 1"),
        ("&customerInn=9600000101", "3 2 of 2"),
        ("&customerInn=96000001012", "4 of 1"),
        ("&customerInn=960000010", "of 0"),
        ("&priceFrom=0.30", "4 2 1 of 3"),
        ("&priceFrom=0.300001", "4 1 of 2"),
        ("&priceTo=7", "4 2 1 of 3"),
        ("&priceTo=6.99999999", "2 of 1"),
        ("&priceFrom=7&priceTo=7.00", "4 1 of 2"),
        ("&priceFrom=7&priceTo=0.3", "of 0"),
        ("&hasSubcontractors=true", "1 of 1"),
        ("&hasSubcontractors=false", "4 3 2 of 3"),
        ("&hasSubcontractors=false&stage=E", "3 of 1"),
        // One without a price is within no bounds.
        ("&priceFrom=-99999999999999999999", "4 2 1 of 3"),
        (
            "&customerInn=9600000101&stage=E&signedFrom=2025-01-01",
            "3 of 1",
        ),
        // An empty value counts as missing.
        ("&stage=&signedFrom=&customerInn=&sort=", "4 3 2 1 of 4"),
        ("&stage=E&limit=0", "of 2"),
        ("&stage=E&skip=1", "1 of 2"),
        ("&stage=E&skip=1&limit=1", "1 of 2"),
        ("&stage=E&skip=2", "of 2"),
        ("&stage=E&skip=99999999999999999999999", "of 2"),
        ("&sort=contractPrice&skip=99999999999999999999999", "of 4"),
        ("&sort=contractPrice&limit=0", "of 4"),
        ("&signedFrom=2025-01-01&skip=1", "3 of 2"),
    ] {
        assert_eq!(page(&mut service, query), expected, "{query}");
    }
}

#[test]
fn a_contract_is_overdue_after_the_day_its_execution_ends() {
    let contract = |number: u32, stage: &str, end: &str, term: &str| {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"9600000002"}},"contract":{{"regNum":"{number}","contractStage":"{stage}","endDate":"{end}","deliveryTerm":"{term}","customerInn":"9600000101"}}}}"#
        )
    };
    let lines = [
        contract(1, "E", "2025-06-14", ""),
        contract(2, "E", "2025-06-15", ""),
        contract(3, "E", "", "с 01.01.2025 по 14.06.2025"),
        contract(4, "E", "", "2025-06-15+03:00"),
        // The end that is stated counts, whatever the text says.
        contract(5, "E", "2025-06-15", "по 14.06.2025"),
        // Of these it is not known.
        contract(6, "E", "", "по 31.06.2024"),
        contract(7, "", "2025-06-14", ""),
        // It is over.
        contract(8, "EC", "2025-06-14", ""),
        contract(9, "ET", "", ""),
    ];
    let mut service = Service::over(&lines.join("\n"));
    let overdue = "&overdue=true&sort=signDate";
    let others = "&overdue=false&sort=signDate";
    assert_eq!(page(&mut service, overdue), "1 3 of 2");
    assert_eq!(page(&mut service, others), "2 4 5 8 9 of 5");
    let of_customer =
        "/contract/monitor-customer44?customerINN=9600000101&apikey=KEY&format=csv&overdue=true";
    assert_eq!(body(&service.get(of_customer)).lines().count(), 3);
    let summary = target(SUMMARY, "&overdue=true");
    assert!(body(&service.get(&summary)).contains(r#""totalcount":2"#));

    // The answer is of its day, and so is its tag; of no other filter's.
    let (tag, all) = (
        header(&service.get(&summary), "ETag").map(str::to_owned),
        header(&service.get(&target(SUMMARY, "")), "ETag").map(str::to_owned),
    );
    service.on(calendar("2025-06-16"));
    assert_eq!(page(&mut service, overdue), "1 2 3 4 5 of 5");
    assert_eq!(page(&mut service, others), "8 9 of 2");
    assert_ne!(header(&service.get(&summary), "ETag"), tag.as_deref());
    assert_eq!(
        header(&service.get(&target(SUMMARY, "")), "ETag"),
        all.as_deref()
    );
}

#[test]
fn contracts_without_the_value_stand_last_and_ties_follow_the_direction() {
    let mut service = service();
    for (query, expected) in [
        ("&sort=-signDate", "4 3 2 1 of 4"),
        ("&sort=signDate", "2 3 4 1 of 4"),
        ("&sort=-contractPrice", "4 1 2 3 of 4"),
        ("&sort=contractPrice", "2 4 1 3 of 4"),
        ("&sort=-updateDate", "3 4 1 2 of 4"),
        ("&sort=updateDate", "4 1 3 2 of 4"),
        ("&sort=signDate&skip=1&limit=2", "3 4 of 4"),
        ("&sort=signDate&skip=2&limit=2", "4 1 of 4"),
        ("&sort=signDate&stage=E", "3 1 of 2"),
        ("&sort=contractPrice&skip=1&limit=2", "4 1 of 4"),
        ("&sort=-contractPrice&customerInn=9600000101", "2 3 of 2"),
    ] {
        assert_eq!(page(&mut service, query), expected, "{query}");
    }
}

#[test]
fn a_bad_value_is_refused_by_the_name_of_the_first() {
    let mut service = service();
    for (query, name) in [
        ("&stage=e", "stage"),
        ("&stage=E,", "stage"),
        ("&stage=E;EC", "stage"),
        ("&stage=E,+EC", "stage"),
        ("&stage=E&stage=EC", "stage"),
        ("&signedFrom=2025-02-30", "signedFrom"),
        ("&signedFrom=01.02.2025", "signedFrom"),
        ("&signedTo=2025-1-1", "signedTo"),
        ("&signedTo=%FF", "signedTo"),
        ("&updatedFrom=0000-01-01", "updatedFrom"),
        ("&customerInn=960000010x", "customerInn"),
        ("&customerInn=123456789012345678901", "customerInn"),
        ("&priceFrom=1e3", "priceFrom"),
        ("&priceFrom=1,5", "priceFrom"),
        ("&priceFrom=5&priceFrom=5.0", "priceFrom"),
        ("&priceTo=%2B5", "priceTo"),
        ("&hasSubcontractors=1", "hasSubcontractors"),
        ("&overdue=yes", "overdue"),
        ("&priceTo=100000000000000000000", "priceTo"),
    ] {
        let expected = format!("200 {}", bad(name));
        check(&mut service, &target(CONTRACTS, query), &expected);
        check(&mut service, &target(SUMMARY, query), &expected);
    }
    for query in [
        "&sort=x",
        "&sort=--signDate",
        "&sort=signdate",
        "&sort=-",
        "&sort=signDate&sort=-signDate",
    ] {
        check(
            &mut service,
            &target(CONTRACTS, query),
            &format!("200 {}", bad("sort")),
        );
        // A summary has no order, and no page.
        check(&mut service, &target(SUMMARY, query), "200 json");
    }
    let limit = r#"200 {"code":400,"error":"Превышен лимит контрактов 201. Разрешено 200 макс."}"#;
    check(
        &mut service,
        &target(CONTRACTS, "&stage=x&limit=201"),
        limit,
    );
    check(
        &mut service,
        &target(SUMMARY, "&limit=x&skip=x"),
        "200 json",
    );
}

#[test]
fn a_summary_tells_sums_by_year_stage_and_customer() {
    let mut service = service();
    let mut check = |query: &str, expected: &str| {
        assert_eq!(
            body(&service.get(&target(SUMMARY, query))),
            expected,
            "{query}"
        );
    };
    check(
        "",
        concat!(
            r#"{"supplierINN":"9600000002","supplierIName":"ООО \"А\"","totalcount":4,"totalSum":7.3,"pricelessCount":1,"annulledCount":1,"annulledSum":7,"#,
            r#""years":[{"year":2025,"count":1,"sum":0},{"year":2024,"count":1,"sum":0.3},{"year":null,"count":1,"sum":7}],"#,
            r#""stages":[{"contractStage":"E","count":2,"sum":7},{"contractStage":"EC","count":1,"sum":0.3},{"contractStage":"IN","count":1,"sum":7}],"#,
            r#""customers":[{"customerInn":"9600000101","customerName":"З1","count":2,"sum":0.3}],"customersCount":1}"#,
        ),
    );
    check(
        "&stage=EC,ET",
        concat!(
            r#"{"supplierINN":"9600000002","supplierIName":"ООО \"А\"","totalcount":1,"totalSum":0.3,"pricelessCount":0,"annulledCount":0,"annulledSum":0,"#,
            r#""years":[{"year":2024,"count":1,"sum":0.3}],"stages":[{"contractStage":"EC","count":1,"sum":0.3}],"#,
            r#""customers":[{"customerInn":"9600000101","customerName":"З1","count":1,"sum":0.3}],"customersCount":1}"#,
        ),
    );
    check(
        "&stage=ET",
        r#"{"supplierINN":"9600000002","supplierIName":"ООО \"А\"","totalcount":0,"totalSum":0,"pricelessCount":0,"annulledCount":0,"annulledSum":0,"years":[],"stages":[],"customers":[],"customersCount":0}"#,
    );
    let unknown =
        format!("{SUMMARY}?supplierINN=9600000999&apikey=KEY&stage=E&signedFrom=2025-01-01");
    let response = service.get(&unknown);
    assert_eq!(
        body(&response),
        concat!(
            r#"<?xml version="1.0" encoding="UTF-8"?><response><supplierINN>9600000999</supplierINN><supplierIName/>"#,
            "<totalcount>0</totalcount><totalSum>0</totalSum><pricelessCount>0</pricelessCount><annulledCount>0</annulledCount><annulledSum>0</annulledSum><years/><stages/><customers/>",
            "<customersCount>0</customersCount></response>",
        )
    );
    let filtered =
        format!("{CONTRACTS}?supplierINN=9600000999&apikey=KEY&stage=E&sort=contractPrice");
    assert!(body(&service.get(&filtered)).contains("<totalcount>0</totalcount>"));
}

#[test]
fn damaged_facets_are_a_server_error_and_never_a_wrong_answer() {
    for damage in [
        "DELETE FROM contract_facet",
        "DELETE FROM contract_facet WHERE id = (SELECT min(id) FROM contract_facet)",
        "UPDATE contract_facet SET id = id + 1000",
    ] {
        let mut service = service();
        service.import(
            r#"{"type":"contract","supplier":{"inn":"9600000003"},"contract":{"regNum":"9"}}"#,
        );
        check(&mut service, &target(CONTRACTS, "&stage=EC"), "200 json");
        service.sql(damage);
        for (path, query) in [
            (CONTRACTS, "&stage=E"),
            (CONTRACTS, "&customerInn=1"),
            (CONTRACTS, "&updatedFrom=2025-01-01"),
            (CONTRACTS, "&signedFrom=2025-01-01"),
            (CONTRACTS, "&priceFrom=1"),
            (CONTRACTS, "&sort=signDate"),
            (CONTRACTS, "&sort=contractPrice"),
            (CONTRACTS, "&sort=updateDate&limit=0"),
            (SUMMARY, ""),
        ] {
            check(
                &mut service,
                &target(path, query),
                r#"500 {"error":"server error"}"#,
            );
        }
        // What needs none of them is answered.
        check(&mut service, &target(CONTRACTS, ""), "200 json");
        assert!(
            procurement_lookup::store::check(&service.database()).is_err(),
            "{damage}"
        );
    }
}

#[test]
fn a_check_finds_facets_without_their_contracts() {
    let service = service();
    service.sql(
        "INSERT INTO contract_facet SELECT id + 100, sign_date, update_date, stage, \
         customer_inn, is_customer_named, price, price_text, has_subcontractors, not_overdue_to FROM contract_facet",
    );
    let error = procurement_lookup::store::check(&service.database()).expect_err("one too many");
    assert!(
        error.to_string().contains("facets without their contracts"),
        "{error}"
    );
}
