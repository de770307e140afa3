//! Pages, filters, sort orders and summaries of the contracts of suppliers and customers, compared
//! with a scan of all contracts. The contracts are random and imported in random order.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;
use std::fmt::Write as _;

use procurement_lookup::model::{Amount, Sum};
use procurement_lookup::store;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::Union;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::properties::few_cases;
use crate::service::{Service, TODAY, body};

pub const SUPPLIERS: [&str; 2] = ["9600000001", "960000000002"];
const CUSTOMERS: [&str; 5] = [
    "9600000101",
    "960000010",
    "",
    "ИНН 1",
    "96000001020000000000",
];
/// Customers whose INN consists of digits only, so that a request can filter by them.
pub const DIGITS: [&str; 3] = [CUSTOMERS[0], CUSTOMERS[1], CUSTOMERS[4]];

pub const STAGES: [&str; 5] = ["E", "EC", "ET", "IN", ""];
pub const PRICES: [&str; 19] = [
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

/// Values for the bounds of a price filter.
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

/// Returns a date. The days span a few years.
pub fn day(number: Option<u16>) -> String {
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

/// A contract to import: supplier, number, dates of signing, update and end, stage, customer,
/// whether the customer has a name, price, and whether there are subcontractors.
pub type Line = (
    usize,
    u32,
    [Option<u16>; 3],
    usize,
    usize,
    bool,
    usize,
    bool,
);

pub fn line(numbers: u32) -> impl Strategy<Value = Line> {
    let day = || weighted(0.8, 0..300_u16);
    (
        // Most contracts belong to the first supplier.
        prop_oneof![5 => Just(0), 1 => Just(1)],
        0..numbers,
        [
            day().boxed(),
            day().boxed(),
            weighted(0.8, 250..400_u16).boxed(),
        ],
        0..STAGES.len(),
        0..CUSTOMERS.len(),
        any::<bool>(),
        0..PRICES.len(),
        any::<bool>(),
    )
}

pub fn lines(lines: &[Line]) -> String {
    let mut text = String::new();
    for &(supplier, number, [signed, updated, end], stage, customer, is_named, price, has) in lines
    {
        let price = match PRICES[price] {
            "" => "null",
            price => price,
        };
        let name = if is_named {
            format!("Заказчик {customer} контракта {number}")
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            r#"{{"type":"contract","supplier":{{"inn":"{}"}},"contract":{{"regNum":"3960{number:015}","signDate":"{}","updateDate":"{}","contractStage":"{}","customerInn":"{}","customerName":"{name}","contractPrice":{price},"subContractors":{has},"endDate":"{}"}}}}"#,
            SUPPLIERS[supplier],
            day(signed),
            day(updated),
            STAGES[stage],
            CUSTOMERS[customer],
            day(end),
        );
    }
    text
}

/// Request parameters except the supplier. An empty value means no filter.
#[derive(Clone, Debug)]
pub struct Asked(pub Vec<(&'static str, String)>);

pub fn asked() -> impl Strategy<Value = Asked> {
    let day = || (0..300_u16).prop_map(|number| day(Some(number))).boxed();
    let flag = || any::<bool>().prop_map(|it| it.to_string()).boxed();
    let one = |values: Vec<&'static str>| select(values).prop_map(str::to_owned).boxed();
    let stages = vec(select(&STAGES[..4]), 1..3).prop_map(|stages| stages.join(","));
    let sorts = ["signDate", "contractPrice", "updateDate"];
    let sorts = sorts.map(|by| one(vec![by]).prop_union(Just(format!("-{by}")).boxed()));
    let parameters = [
        ("stage", stages.boxed()),
        ("signedFrom", day()),
        ("signedTo", day()),
        ("updatedFrom", day()),
        ("customerInn", one(DIGITS.to_vec())),
        ("priceFrom", one(BOUNDS.to_vec())),
        ("priceTo", one(BOUNDS.to_vec())),
        ("hasSubcontractors", flag()),
        ("overdue", flag()),
        ("sort", Union::new(sorts).boxed()),
    ];
    let parameters = parameters.map(|(name, value)| {
        let weight = if name == "sort" { 0.9 } else { 0.3 };
        weighted(weight, value).prop_map(move |value| (name, value.unwrap_or_default()))
    });
    Vec::from(parameters).prop_map(Asked)
}

impl Asked {
    pub fn without(&self, parameter: &str) -> Self {
        let others = self.0.iter().filter(|(name, _)| *name != parameter);
        Self(others.cloned().collect())
    }

    /// Returns the value of a parameter, or an empty string if it is missing.
    pub fn get(&self, parameter: &str) -> &str {
        let given = self.0.iter().find(|(name, _)| *name == parameter);
        given.map_or("", |(_, value)| value)
    }

    pub fn matching(&self, contracts: &[Value]) -> Vec<Value> {
        let matching = contracts.iter().filter(|one| self.matches(one));
        matching.cloned().collect()
    }

    pub fn query(&self) -> String {
        let pairs = self.0.iter();
        pairs.fold(String::new(), |query, (name, value)| {
            format!("{query}&{name}={value}")
        })
    }

    pub fn matches(&self, contract: &Value) -> bool {
        let signed = text(contract, "signDate");
        let price = |bound: &str| {
            let bound: Amount = bound.parse().expect("an amount");
            price(contract).map(|price| price.order(bound))
        };
        self.0.iter().all(|(name, value)| match *name {
            _ if value.is_empty() => true,
            "stage" => value
                .split(',')
                .any(|one| one == text(contract, "contractStage")),
            "signedFrom" => signed >= value.as_str(),
            "signedTo" => !signed.is_empty() && signed <= value.as_str(),
            "updatedFrom" => text(contract, "updateDate") >= value.as_str(),
            "customerInn" => text(contract, "customerInn") == value,
            "priceFrom" => price(value).is_some_and(Ordering::is_ge),
            "priceTo" => price(value).is_some_and(Ordering::is_le),
            "hasSubcontractors" => contract["subContractors"].as_bool() == value.parse().ok(),
            "overdue" => is_overdue(contract).is_some_and(|it| it.to_string() == *value),
            _ => true,
        })
    }

    /// Sorts contracts as requested. The contracts passed in must be sorted newest first.
    pub fn order(&self, mut found: Vec<Value>) -> Vec<Value> {
        let sort = self.0.iter().find(|(name, _)| *name == "sort");
        let sort = sort.map_or("", |(_, sort)| sort.as_str());
        let (name, ascending) = match sort.strip_prefix('-') {
            Some(name) => (name, false),
            None => (sort, !sort.is_empty()),
        };
        if ascending {
            found.reverse();
            // Contracts without a day stay last.
            found.sort_by_key(|one| text(one, "signDate").is_empty());
        }
        found.sort_by(|a, b| match name {
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
        });
        found
    }
}

/// Returns whether a contract is overdue, or `None` if that is unknown.
pub fn is_overdue(contract: &Value) -> Option<bool> {
    match (text(contract, "contractStage"), text(contract, "endDate")) {
        ("", _) | ("E", "") => None,
        ("E", end) => Some(end < TODAY),
        _ => Some(false),
    }
}

pub fn text<'a>(contract: &'a Value, name: &str) -> &'a str {
    contract[name].as_str().unwrap_or_default()
}

pub fn price(contract: &Value) -> Option<Amount> {
    let text = contract["contractPrice"].as_str()?;
    Some(text.parse().expect("an amount"))
}

/// Parses a response with numbers as text, because the JSON parser's numbers are not exact.
pub fn read(json: &str) -> Value {
    let part = |raw: &RawValue| read(raw.get());
    match json.as_bytes().first() {
        Some(b'{') => {
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(json).expect("JSON");
            let members = members.into_iter();
            members.map(|(name, raw)| (name, part(raw))).collect()
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).expect("JSON");
            items.into_iter().map(part).collect()
        }
        Some(b'-' | b'0'..=b'9') => json.into(),
        _ => serde_json::from_str(json).expect("JSON"),
    }
}

/// Sends a request about a supplier or customer: `of` is `supplierINN=…` or `customerINN=…`.
fn get(service: &mut Service, path: &str, of: &str, query: &str) -> Value {
    let target = format!("/contract/{path}?{of}&apikey=KEY&format=json{query}");
    let response = service.get(&target);
    let answer = read(body(&response));
    assert!(answer.get("error").is_none(), "{target}: {answer}");
    answer
}

/// Returns all contracts that match a query, fetched page by page.
pub fn pages(service: &mut Service, of: &str, query: &str, limit: usize) -> Vec<Value> {
    let path = match of.starts_with("supplier") {
        true => "monitor-supplier44",
        false => "monitor-customer44",
    };
    let mut contracts = Vec::new();
    loop {
        let skip = contracts.len();
        let query = format!("{query}&skip={skip}&limit={limit}");
        let page = get(service, path, of, &query);
        let on_page = page["contracts"].as_array().expect("contracts");
        let total: usize = text(&page, "totalcount").parse().expect("a count");
        assert_eq!(on_page.len(), (total - skip).min(limit), "{query}");
        if on_page.is_empty() {
            return contracts;
        }
        contracts.extend(on_page.iter().cloned());
    }
}

pub fn total_of(prices: impl IntoIterator<Item = Amount>) -> Sum {
    let mut sum = Sum::default();
    prices.into_iter().for_each(|price| sum.add(price));
    sum
}

pub fn total<'a>(contracts: impl IntoIterator<Item = &'a Value>) -> Sum {
    total_of(contracts.into_iter().filter_map(price))
}

/// The expected summary of the matching contracts, newest first.
fn summary(inn: &str, found: &[Value]) -> Value {
    let number = |sum: &Sum| Value::from(sum.text());
    let share = |contracts: &[&Value]| {
        let sum = number(&total(contracts.iter().copied()));
        (contracts.len().to_string(), sum)
    };
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
            serde_json::json!({"year": Some(year).filter(|year| !year.is_empty()), "count": count, "sum": sum})
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
        (Reverse((sum, contracts.len())), inn.clone())
    });
    let customers: Vec<Value> = customers.iter().take(10).map(|(inn, contracts)| {
        let (count, sum) = share(contracts);
        let mut names = contracts.iter().map(|one| &one["customerName"]);
        let name = names.find(|name| !name.is_null()).unwrap_or(&Value::Null);
        let share = total(contracts.iter().copied()).percent_of(&total(rest.iter().copied()));
        serde_json::json!({"customerInn": inn, "customerName": name, "count": count, "sum": sum, "share": share})
    }).collect();
    let overdue: Vec<&Value> = rest
        .iter()
        .copied()
        .filter(|one| is_overdue(one) == Some(true))
        .collect();
    let (count, sum) = share(&overdue);
    let mut facts = vec![serde_json::json!({"fact": "overdue", "count": count, "sum": sum})];
    facts.retain(|_| !overdue.is_empty());
    serde_json::json!({
        "supplierINN": inn,
        "supplierIName": null,
        "totalcount": found.len().to_string(),
        "totalSum": number(&total(rest.iter().copied())),
        "pricelessCount": rest.iter().filter(|one| price(one).is_none()).count().to_string(),
        "annulledCount": annulled.len().to_string(),
        "annulledSum": number(&total(annulled.iter().copied())),
        "years": years,
        "stages": stages,
        "customers": customers,
        "customersCount": customers_count.to_string(),
        "facts": facts,
    })
}

/// The last imported line of each contract, by supplier and number.
#[derive(Default)]
struct Imported(BTreeMap<(usize, u32), Line>);

impl Imported {
    fn import(&mut self, service: &Service, batch: &[Line]) {
        service.import(&lines(batch));
        self.0
            .extend(batch.iter().map(|one| ((one.0, one.1), *one)));
    }

    /// Checks that `found` contains all contracts of a supplier, newest first.
    fn check(&self, supplier: usize, found: &[Value]) {
        let of_supplier = self.0.values().filter(|one| one.0 == supplier);
        let sum = |price: Option<Amount>| price.map(|price| total_of([price]).text());
        let mut expected: Vec<_> = of_supplier
            .map(|one| {
                let price = sum(PRICES[one.6].parse().ok());
                (day(one.2[0]), format!("3960{:015}", one.1), price)
            })
            .collect();
        expected.sort_by(|a, b| b.cmp(a));
        let found = found.iter().map(|one| {
            let [signed, number] = ["signDate", "regNum"].map(|name| text(one, name).to_owned());
            (signed, number, sum(price(one)))
        });
        assert_eq!(found.collect::<Vec<_>>(), expected);
    }
}

/// Checks all answers about the suppliers and customers.
fn check(service: &mut Service, imported: &Imported, asked: &[Asked], limit: usize) {
    let mut all = Vec::new();
    for (number, inn) in SUPPLIERS.into_iter().enumerate() {
        let of = format!("supplierINN={inn}");
        let of_supplier = pages(service, &of, "", 200);
        imported.check(number, &of_supplier);
        for asked in asked {
            let query = asked.query();
            let matching = asked.matching(&of_supplier);
            let found = pages(service, &of, &query, limit);
            assert_eq!(found, asked.order(matching.clone()), "{query} by {limit}");
            // `matching` has the newest contracts first. The summary takes a customer's name from
            // the newest contract that has one.
            let mut answer = get(service, "summary-supplier44", &of, &query);
            answer
                .as_object_mut()
                .and_then(|answer| answer.remove("registries"));
            assert_eq!(answer, summary(inn, &matching), "{query}");
        }
        all.extend(of_supplier.into_iter().map(|mut contract| {
            contract["supplierINN"] = inn.into();
            contract
        }));
    }
    let place =
        |one: &Value| ["signDate", "regNum", "supplierINN"].map(|name| text(one, name).to_owned());
    all.sort_by_key(|one| Reverse(place(one)));
    for customer in DIGITS {
        check_customer(service, customer, &all, asked, limit);
    }
    let contents = store::check(&service.database()).expect("the file is sound");
    assert_eq!(contents.contracts as usize, imported.0.len());
}

/// Checks the pages of a customer who has some of these contracts.
fn check_customer(service: &mut Service, inn: &str, all: &[Value], asked: &[Asked], limit: usize) {
    let of = format!("customerINN={inn}");
    let mut of_customer = all.to_vec();
    of_customer.retain(|one| text(one, "customerInn") == inn);
    let named = of_customer
        .iter()
        .find(|one| !one["customerName"].is_null());
    let name = named.map_or(Value::Null, |one| one["customerName"].clone());
    let first = get(service, "monitor-customer44", &of, "&limit=1");
    assert_eq!(first["customerName"], name, "{inn}");
    for asked in asked {
        let asked = asked.without("customerInn");
        let expected = asked.order(asked.matching(&of_customer));
        let mut found = pages(service, &of, &asked.query(), limit);
        for one in &mut found {
            let supplier = one.as_object_mut().expect("a contract");
            assert_eq!(supplier.remove("supplierName"), Some(Value::Null));
        }
        assert_eq!(found, expected, "{of}{} by {limit}", asked.query());
    }
}

proptest! {
    #![proptest_config(few_cases(6))]

    #[test]
    fn answers_equal_a_scan_of_all_contracts(
        // The imports contain a few contracts, many contracts of one supplier, or contracts that
        // replace others.
        batches in prop_oneof![
            vec(vec(line(12), 0..12), 1..5),
            vec(vec(line(900), 0..500), 1..4),
        ],
        asked in vec(asked(), 12),
        limit in prop_oneof![1..4_usize, 40..=200_usize],
    ) {
        let mut service = Service::over("");
        let mut imported = Imported::default();
        for (index, batch) in batches.iter().enumerate() {
            imported.import(&service, batch);
            let limit = if limit < 4 && batch.len() > 20 { 50 * limit } else { limit };
            check(&mut service, &imported, &asked[index * 3..][..3], limit);
        }
    }
}
