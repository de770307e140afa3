//! Paging, for any contracts imported in any order: every contract once, newest
//! first, and a file that `check` accepts.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use procurement_lookup::store;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::service::{Service, body};

const SUPPLIERS: [&str; 3] = ["9600000001", "9600000002", "960000000003"];

/// A line about a contract: of which supplier, its number, its sign date.
#[derive(Clone, Debug)]
struct Line {
    supplier: usize,
    reg_num: u32,
    signed: Option<u8>,
    price: u8,
}

impl Line {
    fn sign_date(&self) -> String {
        self.signed
            .map_or(String::new(), |day| format!("2025-01-{:02}", day + 1))
    }

    fn reg_num(&self) -> String {
        format!("39600000000250{:05}", self.reg_num)
    }

    fn json(&self) -> String {
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"{}"}},"contract":{{"regNum":"{}","signDate":"{}","contractPrice":{}}}}}"#,
            SUPPLIERS[self.supplier],
            self.reg_num(),
            self.sign_date(),
            self.price
        )
    }
}

/// Few numbers and fewer days, so that contracts are replaced and days are shared.
fn line(numbers: u32) -> impl Strategy<Value = Line> {
    (
        0..SUPPLIERS.len(),
        0..numbers,
        proptest::option::weighted(0.8, 0_u8..12),
        0_u8..3,
    )
        .prop_map(|(supplier, reg_num, signed, price)| Line {
            supplier,
            reg_num,
            signed,
            price,
        })
}

fn batches() -> impl Strategy<Value = Vec<Vec<Line>>> {
    prop_oneof![
        vec(vec(line(8), 0..12), 1..6),
        vec(vec(line(150), 0..150), 1..4),
    ]
}

/// What the service is to answer: by supplier the contracts' sign dates (none
/// before any), numbers and prices, oldest first.
type Expected = [Vec<(String, String, u8)>; SUPPLIERS.len()];

fn expected(batches: &[Vec<Line>]) -> Expected {
    let mut last = BTreeMap::new();
    for line in batches.iter().flatten() {
        last.insert((line.supplier, line.reg_num()), line);
    }
    let mut expected = Expected::default();
    for ((supplier, reg_num), line) in last {
        expected[supplier].push((line.sign_date(), reg_num, line.price));
    }
    expected.iter_mut().for_each(|contracts| contracts.sort());
    expected
}

/// All contracts of a supplier, page by page, newest first.
fn pages(service: &mut Service, inn: &str, limit: usize) -> Vec<(String, String, u8)> {
    let mut contracts = Vec::new();
    loop {
        let skip = contracts.len();
        let target = format!(
            "/contract/monitor-supplier44?supplierINN={inn}&apikey=KEY&format=json&skip={skip}&limit={limit}"
        );
        let response = service.get(&target);
        let page: Value = serde_json::from_str(body(&response)).expect("JSON");
        let on_page = page["contracts"].as_array().expect("contracts");
        for contract in on_page {
            let text = |name: &str| contract[name].as_str().unwrap_or_default().to_owned();
            let price = contract["contractPrice"].as_u64().expect("a price");
            contracts.push((text("signDate"), text("regNum"), price as u8));
        }
        let total = page["totalcount"].as_u64().expect("a count");
        let left = total as usize - skip;
        assert_eq!(on_page.len(), left.min(limit), "{target}");
        if on_page.is_empty() {
            return contracts;
        }
    }
}

fn check(service: &mut Service, expected: &Expected, limit: usize) {
    let mut all = 0;
    for (inn, contracts) in SUPPLIERS.iter().zip(expected) {
        let mut oldest_first = pages(service, inn, limit);
        oldest_first.reverse();
        assert_eq!(oldest_first, *contracts, "{inn} by {limit}");
        all += contracts.len() as u64;
    }
    let contents = store::check(&service.database()).expect("the file is sound");
    assert_eq!(contents.contracts, all);
}

fn text(lines: &[Line]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{}", line.json());
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn paging_visits_every_contract_once_newest_first(
        batches in batches(),
        limits in vec(1_usize..=200, 6),
    ) {
        let mut service = Service::over("");
        for (index, batch) in batches.iter().enumerate() {
            service.import(&text(batch));
            // After each batch: the next one finds whatever this one left.
            check(&mut service, &expected(&batches[..=index]), limits[index]);
        }
    }
}
