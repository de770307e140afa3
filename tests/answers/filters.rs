//! Filters, orders and summaries of a supplier's contracts, for any contracts imported in
//! any order: what is answered is what a look at all of the contracts comes to.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use procurement_lookup::model::{Amount, Sum};
use procurement_lookup::store;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::service::{Service, TODAY, body};

const SUPPLIERS: [&str; 2] = ["9600000001", "960000000002"];
const CUSTOMERS: [&str; 5] = [
    "9600000101",
    "960000010",
    "",
    "ИНН 1",
    "96000001020000000000",
];
const STAGES: [&str; 5] = ["E", "EC", "ET", "IN", ""];
const PRICES: [&str; 19] = [
    "",
    "0",
    "0.01",
    "0.005",
    "5",
    "5.001",
    "5.0011",
    "5.009",
    "-5",
    "-5.001",
    "-5.009",
    "-1e-5",
    "-1e22",
    "100000.5",
    "1e20",
    "1e-7",
    "99999999999999999999.99",
    "180143985094819.83",
    "180143985094819.84",
];

/// A contract as it is imported.
#[derive(Clone, Debug)]
struct Line {
    supplier: usize,
    reg_num: u32,
    signed: Option<u16>,
    updated: Option<u16>,
    stage: usize,
    customer: usize,
    is_named: bool,
    price: usize,
    subcontractors: bool,
    ends: Option<u16>,
}

/// What prices are bounded by.
const BOUNDS: [&str; 13] = [
    "0",
    "0.01",
    "0.005",
    "5",
    "5.00",
    "5.001",
    "5.0010",
    "5.01",
    "-5",
    "-5.001",
    "100000.5",
    "99999999999999999999.99",
    "180143985094819.84",
];

/// The days go over the ends of a few years.
fn day(number: Option<u16>) -> String {
    let text = |day: u16| {
        format!(
            "20{:02}-{:02}-{:02}",
            20 + day / 60,
            day % 12 + 1,
            day % 28 + 1
        )
    };
    number.map_or(String::new(), text)
}

impl Line {
    fn json(&self) -> String {
        let price = match PRICES[self.price] {
            "" => "null",
            price => price,
        };
        let name = if self.is_named {
            format!("Заказчик {} контракта {}", self.customer, self.reg_num)
        } else {
            String::new()
        };
        format!(
            r#"{{"type":"contract","supplier":{{"inn":"{}"}},"contract":{{"regNum":"3960{:015}","signDate":"{}","updateDate":"{}","contractStage":"{}","customerInn":"{}","customerName":"{name}","contractPrice":{price},"subContractors":{},"endDate":"{}"}}}}"#,
            SUPPLIERS[self.supplier],
            self.reg_num,
            day(self.signed),
            day(self.updated),
            STAGES[self.stage],
            CUSTOMERS[self.customer],
            self.subcontractors,
            day(self.ends),
        )
    }
}

fn line(numbers: u32) -> impl Strategy<Value = Line> {
    let day = || proptest::option::weighted(0.8, 0..300_u16);
    let parts = (
        // Most are of the first.
        prop_oneof![5 => Just(0), 1 => Just(1)],
        0..numbers,
        day(),
        day(),
        0..STAGES.len(),
        0..CUSTOMERS.len(),
        any::<bool>(),
        0..PRICES.len(),
        any::<bool>(),
        proptest::option::weighted(0.8, 250..400_u16),
    );
    parts.prop_map(
        |(
            supplier,
            reg_num,
            signed,
            updated,
            stage,
            customer,
            is_named,
            price,
            subcontractors,
            ends,
        )| {
            Line {
                supplier,
                reg_num,
                signed,
                updated,
                stage,
                customer,
                is_named,
                price,
                subcontractors,
                ends,
            }
        },
    )
}

/// What is asked beside the supplier.
#[derive(Clone, Debug)]
struct Asked {
    stages: Vec<usize>,
    signed_from: Option<u16>,
    signed_to: Option<u16>,
    updated_from: Option<u16>,
    customer: Option<usize>,
    price_from: Option<&'static str>,
    price_to: Option<&'static str>,
    subcontractors: Option<bool>,
    overdue: Option<bool>,
    sort: &'static str,
}

fn asked() -> impl Strategy<Value = Asked> {
    let day = || proptest::option::weighted(0.3, 0..300_u16);
    let bound = || proptest::option::weighted(0.3, proptest::sample::select(BOUNDS.to_vec()));
    let sorts = [
        "",
        "-signDate",
        "signDate",
        "-contractPrice",
        "contractPrice",
        "-updateDate",
        "updateDate",
    ];
    let parts = (
        prop_oneof![2 => Just(Vec::new()), 1 => vec(0..4_usize, 1..3)],
        day(),
        day(),
        day(),
        proptest::option::weighted(0.3, prop_oneof![Just(0), Just(1), Just(4)]),
        bound(),
        bound(),
        proptest::option::weighted(0.3, any::<bool>()),
        proptest::option::weighted(0.3, any::<bool>()),
        proptest::sample::select(sorts.to_vec()),
    );
    parts.prop_map(
        |(
            stages,
            signed_from,
            signed_to,
            updated_from,
            customer,
            price_from,
            price_to,
            subcontractors,
            overdue,
            sort,
        )| {
            Asked {
                stages,
                signed_from,
                signed_to,
                updated_from,
                customer,
                price_from,
                price_to,
                subcontractors,
                overdue,
                sort,
            }
        },
    )
}

impl Asked {
    fn query(&self) -> String {
        let mut query = String::new();
        let stages: Vec<_> = self.stages.iter().map(|stage| STAGES[*stage]).collect();
        for (name, value) in [
            ("stage", stages.join(",")),
            ("signedFrom", day(self.signed_from)),
            ("signedTo", day(self.signed_to)),
            ("updatedFrom", day(self.updated_from)),
            (
                "customerInn",
                self.customer.map_or("", |one| CUSTOMERS[one]).to_owned(),
            ),
            ("priceFrom", self.price_from.unwrap_or_default().to_owned()),
            ("priceTo", self.price_to.unwrap_or_default().to_owned()),
            (
                "hasSubcontractors",
                self.subcontractors
                    .map_or(String::new(), |it| it.to_string()),
            ),
            (
                "overdue",
                self.overdue.map_or(String::new(), |it| it.to_string()),
            ),
            ("sort", self.sort.to_owned()),
        ] {
            let _ = write!(query, "&{name}={value}");
        }
        query
    }

    fn matches(&self, contract: &Value) -> bool {
        let stages: Vec<_> = self.stages.iter().map(|stage| STAGES[*stage]).collect();
        let signed = text(contract, "signDate");
        let bounded = |bound: &Option<u16>, holds: &dyn Fn(&str) -> bool| {
            bound.is_none() || holds(&day(*bound))
        };
        let updated = text(contract, "updateDate");
        (stages.is_empty() || stages.contains(&text(contract, "contractStage")))
            && bounded(&self.signed_from, &|from| {
                !signed.is_empty() && signed >= from
            })
            && bounded(&self.signed_to, &|to| !signed.is_empty() && signed <= to)
            && bounded(&self.updated_from, &|from| {
                !updated.is_empty() && updated >= from
            })
            && self
                .customer
                .is_none_or(|one| text(contract, "customerInn") == CUSTOMERS[one])
            && Self::within_price(contract, self.price_from, Ordering::Less)
            && Self::within_price(contract, self.price_to, Ordering::Greater)
            && self
                .subcontractors
                .is_none_or(|has| contract["subContractors"] == has)
            && (self.overdue.is_none() || self.overdue == is_overdue(contract))
    }

    /// Is the contract's price on no wrong side of a bound, if there is one?
    fn within_price(contract: &Value, bound: Option<&str>, wrong: Ordering) -> bool {
        let Some(bound) = bound else { return true };
        let bound: Amount = bound.parse().expect("an amount");
        price(contract).is_some_and(|price| price.order(bound) != wrong)
    }

    /// The contracts that match, of all of them, the newest first, in their order.
    fn of(&self, all: &[Value]) -> Vec<Value> {
        let mut found: Vec<Value> = all
            .iter()
            .filter(|one| self.matches(one))
            .cloned()
            .collect();
        let (name, ascending) = match self.sort.strip_prefix('-') {
            Some(name) => (name, false),
            None => (self.sort, !self.sort.is_empty()),
        };
        if ascending {
            found.reverse();
            // Those without a day stay last.
            found.sort_by_key(|one| text(one, "signDate").is_empty());
        }
        let order = |a: &Value, b: &Value| match name {
            "contractPrice" => match (price(a), price(b)) {
                (Some(a), Some(b)) if ascending => a.order(b),
                (Some(a), Some(b)) => b.order(a),
                (a, b) => a.is_none().cmp(&b.is_none()),
            },
            "signDate" | "updateDate" => match (text(a, name), text(b, name)) {
                ("", "") => Ordering::Equal,
                ("", _) => Ordering::Greater,
                (_, "") => Ordering::Less,
                (a, b) if ascending => a.cmp(b),
                (a, b) => b.cmp(a),
            },
            _ => Ordering::Equal,
        };
        found.sort_by(order);
        found
    }
}

/// Whether a contract is overdue, if that is known.
fn is_overdue(contract: &Value) -> Option<bool> {
    match (text(contract, "contractStage"), text(contract, "endDate")) {
        ("", _) | ("E", "") => None,
        ("E", end) => Some(end < TODAY),
        _ => Some(false),
    }
}

fn text<'a>(contract: &'a Value, name: &str) -> &'a str {
    contract[name].as_str().unwrap_or_default()
}

fn price(contract: &Value) -> Option<Amount> {
    let text = contract["contractPrice"].as_str()?;
    Some(text.parse().expect("an amount"))
}

/// The answer with amounts as texts, as the reader's numbers are not exact.
fn read(body: &str) -> Value {
    let mut exact = String::with_capacity(body.len() * 2);
    let mut rest = body;
    let names = [
        "\"contractPrice\":",
        "\"totalSum\":",
        "\"annulledSum\":",
        "\"sum\":",
    ];
    let first = |text: &str| {
        let ends = names
            .iter()
            .filter_map(|name| Some(text.find(name)? + name.len()));
        ends.min()
    };
    while let Some(at) = first(rest) {
        let (before, value) = rest.split_at(at);
        let end = value.find([',', '}']).expect("an end");
        exact.push_str(before);
        match &value[..end] {
            "null" => exact.push_str("null"),
            number => write!(exact, "\"{number}\"").expect("memory"),
        }
        rest = &value[end..];
    }
    exact.push_str(rest);
    serde_json::from_str(&exact).expect("JSON")
}

fn get(service: &mut Service, path: &str, inn: &str, query: &str) -> Value {
    let target = format!("/contract/{path}?supplierINN={inn}&apikey=KEY&format=json{query}");
    let response = service.get(&target);
    let answer = read(body(&response));
    assert!(answer.get("error").is_none(), "{target}: {answer}");
    answer
}

/// All contracts that a query finds, page by page.
fn pages(service: &mut Service, inn: &str, query: &str, limit: usize) -> Vec<Value> {
    let mut contracts = Vec::new();
    loop {
        let skip = contracts.len();
        let query = format!("{query}&skip={skip}&limit={limit}");
        let page = get(service, "monitor-supplier44", inn, &query);
        let on_page = page["contracts"].as_array().expect("contracts");
        let total = page["totalcount"].as_u64().expect("a count") as usize;
        assert_eq!(on_page.len(), (total - skip).min(limit), "{query}");
        if on_page.is_empty() {
            return contracts;
        }
        contracts.extend(on_page.iter().cloned());
    }
}

fn total<'a>(contracts: impl IntoIterator<Item = &'a Value>) -> Sum {
    let mut sum = Sum::default();
    contracts
        .into_iter()
        .filter_map(price)
        .for_each(|price| sum.add(price));
    sum
}

/// The summary that the answer is to be, of what matches, the newest first.
fn summary(inn: &str, found: &[Value]) -> Value {
    let number = |sum: &Sum| Value::from(sum.text());
    let share = |contracts: &[&Value]| (contracts.len(), number(&total(contracts.iter().copied())));
    fn group<'a>(
        of: &[&'a Value],
        key: &dyn Fn(&Value) -> String,
    ) -> BTreeMap<String, Vec<&'a Value>> {
        let mut groups: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
        for one in of {
            groups.entry(key(one)).or_default().push(one);
        }
        groups
    }
    let (annulled, rest): (Vec<&Value>, Vec<&Value>) = found
        .iter()
        .partition(|one| text(one, "contractStage") == "IN");
    let years = group(rest.as_slice(), &|one| {
        text(one, "signDate")
            .get(..4)
            .unwrap_or_default()
            .to_owned()
    });
    let years: Vec<Value> = years
        .iter()
        .rev()
        .map(|(year, contracts)| {
            let (count, sum) = share(contracts);
            serde_json::json!({"year": year.parse::<u16>().ok(), "count": count, "sum": sum})
        })
        .collect();
    let all: Vec<&Value> = found.iter().collect();
    let by_stage = group(&all, &|one| text(one, "contractStage").to_owned());
    let stages = STAGES.iter().filter_map(|stage| {
        let (count, sum) = share(by_stage.get(*stage)?);
        let stage = Some(*stage).filter(|stage| !stage.is_empty());
        Some(serde_json::json!({"contractStage": stage, "count": count, "sum": sum}))
    });
    let stages: Vec<Value> = stages.collect();
    let mut customers: Vec<_> = group(&rest, &|one| text(one, "customerInn").to_owned())
        .into_iter()
        .filter(|(inn, _)| !inn.is_empty())
        .collect();
    let customers_count = customers.len();
    customers.sort_by_cached_key(|(inn, contracts)| {
        let sum = total(contracts.iter().copied());
        (std::cmp::Reverse((sum, contracts.len())), inn.clone())
    });
    let customers: Vec<Value> = customers.iter().take(10).map(|(inn, contracts)| {
        let (count, sum) = share(contracts);
        let mut names = contracts.iter().map(|one| &one["customerName"]);
        let name = names.find(|name| !name.is_null()).unwrap_or(&Value::Null);
        serde_json::json!({"customerInn": inn, "customerName": name, "count": count, "sum": sum})
    }).collect();
    serde_json::json!({
        "supplierINN": inn,
        "supplierIName": null,
        "totalcount": found.len(),
        "totalSum": number(&total(rest.iter().copied())),
        "pricelessCount": rest.iter().filter(|one| price(one).is_none()).count(),
        "annulledCount": annulled.len(),
        "annulledSum": number(&total(annulled.iter().copied())),
        "years": years,
        "stages": stages,
        "customers": customers,
        "customersCount": customers_count,
    })
}

fn check(service: &mut Service, asked: &[Asked], limit: usize) {
    for inn in SUPPLIERS {
        let all = pages(service, inn, "", 200);
        for asked in asked {
            let query = asked.query();
            let found = pages(service, inn, &query, limit);
            // The order of the summary's names is that of places.
            let in_places = Asked {
                sort: "",
                ..asked.clone()
            }
            .of(&all);
            assert_eq!(found, asked.of(&all), "{query} by {limit}");
            let answer = get(service, "summary-supplier44", inn, &query);
            assert_eq!(answer, summary(inn, &in_places), "{query}");
        }
    }
    store::check(&service.database()).expect("the file is sound");
}

fn lines(lines: &[Line]) -> String {
    lines.iter().fold(String::new(), |mut text, line| {
        let _ = writeln!(text, "{}", line.json());
        text
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_answered_is_what_a_look_at_all_contracts_comes_to(
        // Few, and many of a supplier, and replaced ones.
        batches in prop_oneof![
            vec(vec(line(12), 0..12), 1..5),
            vec(vec(line(900), 0..500), 1..4),
        ],
        asked in vec(asked(), 12),
        limit in prop_oneof![1..4_usize, 40..=200_usize],
    ) {
        let mut service = Service::over("");
        for (index, batch) in batches.iter().enumerate() {
            service.import(&lines(batch));
            let limit = if limit < 4 && batch.len() > 20 { 50 * limit } else { limit };
            check(&mut service, &asked[index * 3..][..3], limit);
        }
    }
}

#[test]
fn facets_follow_what_is_put_in_replaced_and_moved() {
    let line = |reg_num: u32, signed: u16, price: usize| Line {
        supplier: 0,
        reg_num,
        signed: Some(signed),
        updated: Some(signed),
        stage: reg_num as usize % STAGES.len(),
        customer: reg_num as usize % CUSTOMERS.len(),
        is_named: reg_num.is_multiple_of(3),
        price,
        subcontractors: false,
        ends: Some(signed),
    };
    let asked: Vec<Asked> = ["-contractPrice", "signDate"]
        .map(|sort| Asked {
            stages: vec![0, 2],
            signed_from: None,
            signed_to: None,
            updated_from: None,
            customer: None,
            price_from: None,
            price_to: None,
            subcontractors: None,
            overdue: None,
            sort,
        })
        .into();
    for count in [3, 4, 60] {
        let mut service = Service::over(&lines(
            &(0..count)
                .map(|number| line(number * 2, (number / 2) as u16, 4))
                .collect::<Vec<_>>(),
        ));
        check(&mut service, &asked, 200);
        for step in [
            // Replaced in its place.
            vec![line(0, 0, 5)],
            vec![line(count * 2 - 2, ((count - 1) / 2) as u16, 6)],
            // Put in: at the end, at the beginning, in the middle.
            vec![line(9001, 299, 5)],
            vec![line(9003, 0, 5), line(301, 75, 6)],
            // Moved from the beginning to the end, and from there to the beginning.
            vec![line(0, 298, 5)],
            vec![line(9001, 0, 7), line(2, 297, 3)],
        ] {
            service.import(&lines(&step));
            check(&mut service, &asked, 200);
        }
    }
}
