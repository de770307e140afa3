//! Filters, sort orders and summaries of a supplier's contracts: how they depend on the current
//! day, and what happens if the stored data is damaged. `tests/answers/filters.rs` compares the
//! results with a scan of all contracts.

use super::{CONTRACTS, check};
use crate::service::{Service, body, calendar, header};

const SUMMARY: &str = "/contract/summary-supplier44";

/// Contracts 1 to 4, oldest first.
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

/// Returns the numbers of the contracts on a page, and the total count.
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
        // The stated end date takes precedence over the text.
        contract(5, "E", "2025-06-15", "по 14.06.2025"),
        // Neither filter value matches the next two: the date does not exist, or the stage is
        // missing.
        contract(6, "E", "", "по 31.06.2024"),
        contract(7, "", "2025-06-14", ""),
        // Completed contracts are never overdue.
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

    // The ETag depends on the day only if a filter or a summary does.
    let mut tag = |target: &str| header(&service.get(target), "ETag").map(str::to_owned);
    let (with_filter, all) = (target(CONTRACTS, overdue), target(CONTRACTS, ""));
    let of_the_day = [&summary, &with_filter, &all].map(|target| tag(target));
    service.on(calendar("2025-06-16"));
    assert_eq!(page(&mut service, overdue), "1 2 3 4 5 of 5");
    assert_eq!(page(&mut service, others), "8 9 of 2");
    let mut tag = |target: &str| header(&service.get(target), "ETag").map(str::to_owned);
    let of_the_next = [&summary, &with_filter, &all].map(|target| tag(target));
    assert_ne!(of_the_next[0], of_the_day[0]);
    assert_ne!(of_the_next[1], of_the_day[1]);
    assert_eq!(of_the_next[2], of_the_day[2]);
}

#[test]
fn damaged_facets_are_a_server_error_and_never_a_wrong_answer() {
    for damage in [
        "DELETE FROM contract_facet",
        "DELETE FROM contract_facet WHERE id = (SELECT min(id) FROM contract_facet)",
        "UPDATE contract_facet SET id = id + (1000 << 37)",
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
        // Requests that do not read the damaged facets still succeed. Here, the newest contracts
        // are found by their dates.
        check(&mut service, &target(CONTRACTS, "&limit=1"), "200 json");
        assert!(
            procurement_lookup::store::check(&service.database()).is_err(),
            "{damage}"
        );
    }
}
