//! Searches for contracts by content, summaries of the results, and unit prices, compared with a
//! scan of all contracts. The contracts are random and imported in random order.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use procurement_lookup::model::{
    ContentFilter, ContentQuery, ContractFilter, ContractOrder, Date, Sum, content_words,
};
use procurement_lookup::store::Database;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use crate::filters::{self, Asked, is_overdue, price, read, text};
use crate::properties::few_cases;
use crate::service::{Service, body};

const SUPPLIERS: [&str; 4] = ["9600000001", "9600000018", "960000000002", "7700000015"];
const CUSTOMERS: [&str; 6] = [
    "7701000101",
    "9701000202",
    "5001000303",
    "960000010",
    "",
    "ИНН 1",
];
/// Customers whose INN consists of digits only, so that a request can filter by them.
const DIGITS: [&str; 4] = [CUSTOMERS[0], CUSTOMERS[1], CUSTOMERS[2], CUSTOMERS[3]];

/// Words, each in several forms with the same stem.
const WORDS: [[&str; 3]; 5] = [
    ["белье", "БЕЛЬЁ", "бельем"],
    ["бумага", "Бумаги", "бумагой"],
    ["A4", "а4", "A4"],
    ["постельное", "постельного", "ПОСТЕЛЬНЫЕ"],
    ["OR", "or", "Or"],
];
const CODES: [&str; 6] = [
    "17.23.13.130",
    "17.23",
    "17.231",
    "13.92.12.110-00000003",
    "13.92.12",
    "7",
];
const UNITS: [(&str, &str); 5] = [
    ("796", "Штука"),
    ("778", "Упаковка"),
    ("778", ""),
    ("", ""),
    ("", "рулон"),
];
const UNIT_PRICES: [&str; 10] = [
    "", "0", "-5", "0.01", "1.5", "2.345", "2.345", "9.99", "100000", "33.333",
];
const ASKED_CODES: [&str; 7] = [
    "17",
    "17.23",
    "17.231",
    "17.23.13",
    "13.92.12.110",
    "13.92.12.110-00000003",
    "99",
];
const FACTS: [&str; 8] = [
    "signedWhileListed",
    "terminatedBySupplier",
    "terminatedByCustomer",
    "terminatedByCourt",
    "terminatedMutually",
    "penalties",
    "guaranteeClaims",
    "overdue",
];

/// RNP entries: supplier, first and last day, law.
const ENTRIES: [(&str, &str, &str, &str); 4] = [
    (SUPPLIERS[0], "2021-03-01", "2022-09-15", "44"),
    (SUPPLIERS[0], "2022-09-16", "2023-01-01", "223"),
    (SUPPLIERS[2], "2022-02-01", "", "615"),
    ("9600000999", "2020-01-01", "", "44"),
];

fn entries() -> String {
    let line = |(at, (inn, from, to, law)): (usize, &(&str, &str, &str, &str))| {
        let entry = json!({
            "registrationNumber": at.to_string(), "registrationDate": from, "excludeDate": to,
            "federalLaw": law,
        });
        json!({"type": "rnpEntry", "supplier": {"inn": inn}, "entry": entry}).to_string() + "\n"
    };
    ENTRIES.iter().enumerate().map(line).collect()
}

/// A contract to import, and the groups of words that it contains.
#[derive(Clone, Debug)]
struct Made {
    supplier: usize,
    contract: Value,
    words: BTreeSet<usize>,
    items: Vec<Item>,
}

/// An item of a contract, and the groups of words in its name.
#[derive(Clone, Debug)]
struct Item {
    item: Value,
    words: BTreeSet<usize>,
}

/// Draws groups of words, and a string that contains them.
fn words() -> impl Strategy<Value = (BTreeSet<usize>, String)> {
    let words = subsequence(Vec::from_iter(0..WORDS.len()), 0..3);
    (words, 0..3_usize).prop_map(|(words, form)| {
        let text: Vec<&str> = words.iter().map(|word| WORDS[*word][form]).collect();
        (words.into_iter().collect(), text.join(", "))
    })
}

fn item() -> impl Strategy<Value = Item> {
    let code = weighted(0.8, select(CODES.to_vec()));
    let amount = || select(UNIT_PRICES.to_vec());
    (words(), code, select(UNITS.to_vec()), amount(), amount()).prop_map(
        |((words, name), code, (okei, okei_name), price, quantity)| {
            let number = |text: &'static str| Some(text).filter(|text| !text.is_empty());
            let item = json!({
                "name": name, "code": code.unwrap_or_default(), "okei": okei, "okeiName": okei_name,
                "quantity": number(quantity), "price": number(price), "sum": number(quantity),
            });
            Item { item, words }
        },
    )
}

/// Returns whether all words of a query are in these groups.
fn has_words(q: &str, words: &BTreeSet<usize>) -> bool {
    q.split(' ').filter(|form| !form.is_empty()).all(|form| {
        let word = WORDS.iter().position(|forms| forms.contains(&form));
        word.is_some_and(|word| words.contains(&word))
    })
}

impl Item {
    fn has_code(&self, asked: &str) -> bool {
        let code = text(&self.item, "code");
        let goes_on = |asked: &str| {
            let rest = code.strip_prefix(asked);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
        };
        code.len() > 1 && asked.split(',').any(goes_on)
    }

    /// Unit price in thousandths, if above zero.
    fn price(&self) -> Option<u128> {
        let (whole, decimals) = text(&self.item, "price")
            .split_once('.')
            .unwrap_or((text(&self.item, "price"), ""));
        let price: i64 = format!("{whole}{decimals:0<3}").parse().ok()?;
        u128::try_from(price).ok().filter(|price| *price > 0)
    }

    fn is_found(&self, asked: &Asked) -> bool {
        has_words(asked.get("q"), &self.words)
            && (asked.get("code").is_empty() || self.has_code(asked.get("code")))
            && self.price().is_some()
    }
}

fn made(numbers: u32) -> impl Strategy<Value = Made> {
    let items = vec(item(), 0..4);
    (
        (0..SUPPLIERS.len(), 0..numbers, words(), items),
        [
            weighted(0.9, 0..300_u16),
            weighted(0.8, 0..300),
            weighted(0.8, 250..400),
        ],
        (
            0..5_usize,
            0..CUSTOMERS.len(),
            any::<bool>(),
            0..filters::PRICES.len(),
            any::<bool>(),
        ),
        (
            vec(weighted(0.2, Just(true)), 4),
            weighted(0.3, select(vec!["0", "0.01"])),
            any::<bool>(),
        ),
    )
        .prop_map(|(content, days, others, facts)| {
            let (supplier, number, (mut words, subject), items) = content;
            let [signed, updated, end] = days.map(filters::day);
            let (stage, customer, is_named, price, has_subcontractors) = others;
            let (flags, penalties, has_claims) = facts;
            let flag = |at: usize| flags[at].is_some();
            items.iter().for_each(|item| words.extend(&item.words));
            let name = format!("Заказчик {customer} контракта {number}");
            let claims = json!([{"paymentAmountRUR": 1}]);
            let contract = json!({
                "regNum": format!("3960{number:015}"),
                "purchaseObjectInfo": format!("Поставка: {subject}."),
                "signDate": signed, "updateDate": updated, "endDate": end,
                "contractStage": filters::STAGES[stage],
                "customerInn": CUSTOMERS[customer],
                "customerName": if is_named { name } else { String::new() },
                "contractPrice": Some(filters::PRICES[price]).filter(|price| !price.is_empty()),
                "subContractors": has_subcontractors,
                "products": items.iter().map(|item| item.item.clone()).collect::<Value>(),
                "terminationSupplier": flag(0), "terminationCostomer": flag(1),
                "terminationJudge": flag(2), "terminationBoth": flag(3),
                "penaltiesTotal": penalties,
                "bankGuaranteePayments": if has_claims { claims } else { Value::Null },
            });
            Made {
                supplier,
                contract,
                words,
                items,
            }
        })
}

impl Made {
    fn line(&self) -> String {
        let supplier = json!({"inn": SUPPLIERS[self.supplier], "name": format!("Поставщик {}", self.supplier)});
        json!({"type": "contract", "supplier": supplier, "contract": self.contract}).to_string()
            + "\n"
    }

    fn inn(&self) -> &'static str {
        SUPPLIERS[self.supplier]
    }

    fn is_annulled(&self) -> bool {
        text(&self.contract, "contractStage") == "IN"
    }

    fn facts(&self, laws: &str) -> BTreeSet<&'static str> {
        let signed = text(&self.contract, "signDate");
        let is_listed = ENTRIES.iter().any(|(inn, from, to, law)| {
            let is_asked = laws.is_empty() || laws.split(',').any(|one| one == *law);
            *inn == self.inn() && is_asked && *from <= signed && (to.is_empty() || signed <= *to)
        });
        let flag = |name: &str| self.contract[name] == true;
        let has = [
            is_listed,
            flag("terminationSupplier"),
            flag("terminationCostomer"),
            flag("terminationJudge"),
            flag("terminationBoth"),
            self.contract["penaltiesTotal"] == "0.01",
            self.contract["bankGuaranteePayments"].is_array(),
            is_overdue(&self.contract) == Some(true),
        ];
        let facts = FACTS.into_iter().zip(has);
        let facts = facts.filter(|(_, has)| *has && !self.is_annulled());
        facts.map(|(fact, _)| fact).collect()
    }

    fn matches(&self, asked: &Asked) -> bool {
        let contract = &self.contract;
        let customer = text(contract, "customerInn");
        asked.matches(contract)
            && asked.0.iter().all(|(name, value)| match *name {
                _ if value.is_empty() => true,
                "q" => has_words(value, &self.words),
                "code" => self.items.iter().any(|item| item.has_code(value)),
                "region" => {
                    let region = customer.get(..2).map(|two| two.replace("97", "77"));
                    let asked = value.replace("97", "77");
                    region.is_some_and(|region| asked.split(',').any(|one| one == region))
                }
                "supplierINN" => value == self.inn(),
                "fact" => {
                    let facts = self.facts(asked.get("laws"));
                    value.split(',').any(|fact| facts.contains(fact))
                }
                _ => true,
            })
    }
}

fn asked() -> impl Strategy<Value = Asked> {
    let one = |values: &'static [&'static str]| select(values.to_vec()).prop_map(str::to_owned);
    let some = |values: &'static [&'static str], most: usize| {
        subsequence(values.to_vec(), 1..=most).prop_map(|some| some.join(","))
    };
    let forms: Vec<&str> = WORDS.into_iter().flatten().collect();
    let words = vec(select(forms), 1..3).prop_map(|words| words.join(" "));
    let contents = (
        weighted(0.4, words),
        weighted(0.3, some(&ASKED_CODES, 3)),
        weighted(0.3, some(&["77", "97", "50", "96"], 2)),
        weighted(0.2, one(&DIGITS)),
        weighted(0.2, one(&SUPPLIERS)),
        weighted(0.4, some(&FACTS, 4)),
        weighted(0.3, some(&["44", "223", "615"], 2)),
    );
    let names = [
        "q",
        "code",
        "region",
        "customerInn",
        "supplierINN",
        "fact",
        "laws",
    ];
    (filters::asked(), contents).prop_map(move |(filters, contents)| {
        let (q, code, region, customer, supplier, fact, laws) = contents;
        let values = [q, code, region, customer, supplier, fact, laws];
        let is_enough = values[..6].iter().any(Option::is_some);
        let mut asked = filters.without("customerInn");
        for (name, value) in names.into_iter().zip(values) {
            asked.0.push((name, value.unwrap_or_default()));
        }
        if !is_enough {
            asked.0.push(("region", "77,50,96".to_owned()));
        }
        asked
    })
}

fn get(service: &mut Service, path: &str, asked: &Asked, query: &str) -> Value {
    let target = format!(
        "/contract/{path}?apikey=KEY&format=json{}{query}",
        asked.query()
    );
    let response = service.get(&target.replace(' ', "+"));
    let answer = read(body(&response));
    assert!(answer.get("error").is_none(), "{target}: {answer}");
    answer
}

/// Returns the supplier and number of each contract that a search finds, fetched page by page.
fn found(service: &mut Service, asked: &Asked, limit: usize) -> Vec<[String; 2]> {
    let mut contracts = Vec::new();
    loop {
        let skip = contracts.len();
        let page = get(
            service,
            "search",
            asked,
            &format!("&skip={skip}&limit={limit}"),
        );
        let on_page = page["contracts"].as_array().expect("contracts");
        let total: usize = text(&page, "totalcount").parse().expect("a count");
        assert_eq!(
            on_page.len(),
            (total - skip).min(limit),
            "{}",
            asked.query()
        );
        if on_page.is_empty() {
            return contracts;
        }
        let keys = on_page
            .iter()
            .map(|one| ["supplierINN", "regNum"].map(|name| text(one, name).to_owned()));
        contracts.extend(keys);
    }
}

fn total<'a>(contracts: impl IntoIterator<Item = &'a Made>) -> Sum {
    let mut sum = Sum::default();
    let prices = contracts.into_iter().filter_map(|one| price(&one.contract));
    prices.for_each(|price| sum.add(price));
    sum
}

fn figures(some: &[&Made]) -> (String, String) {
    (some.len().to_string(), total(some.iter().copied()).text())
}

fn grouped<'a, K: Ord>(
    contracts: &[&'a Made],
    key: impl Fn(&Made) -> Option<K>,
) -> BTreeMap<K, Vec<&'a Made>> {
    let mut groups: BTreeMap<K, Vec<&Made>> = BTreeMap::new();
    for one in contracts {
        if let Some(key) = key(one) {
            groups.entry(key).or_default().push(one);
        }
    }
    groups
}

/// The expected `top` parties with the largest sums.
fn largest(
    groups: BTreeMap<&str, Vec<&Made>>,
    name: impl Fn(&Made) -> Option<String>,
    whole: &Sum,
    top: usize,
) -> Value {
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_cached_key(|(inn, some)| {
        let sum = total(some.iter().copied());
        (Reverse((sum, some.len())), (*inn).to_owned())
    });
    let party = |(inn, some): &(&str, Vec<&Made>)| {
        let (count, sum) = figures(some);
        let share = total(some.iter().copied()).percent_of(whole);
        let name = some.iter().find_map(|one| name(one));
        json!({"inn": inn, "name": name, "count": count, "sum": sum, "share": share})
    };
    groups.iter().take(top).map(party).collect()
}

/// The expected summary of these contracts, newest first.
fn summary(newest: &[&Made], laws: &str, top: usize) -> Value {
    let mut seen = BTreeSet::new();
    let mut once = newest.to_vec();
    once.retain(|one| seen.insert(text(&one.contract, "regNum")));
    let (annulled, rest): (Vec<&Made>, Vec<&Made>) = once.iter().partition(|one| one.is_annulled());
    let whole = total(rest.iter().copied());
    let years = grouped(&rest, |one| {
        let year = text(&one.contract, "signDate").get(..4);
        Some(year.unwrap_or_default().to_owned())
    });
    let years = years.iter().rev().map(|(year, some)| {
        let (count, sum) = figures(some);
        json!({"year": Some(year).filter(|year| !year.is_empty()), "count": count, "sum": sum})
    });
    let by_stage = grouped(&once, |one| {
        Some(text(&one.contract, "contractStage").to_owned())
    });
    let stages = filters::STAGES.iter().filter_map(|stage| {
        let (count, sum) = figures(by_stage.get(*stage)?);
        let stage = Some(*stage).filter(|stage| !stage.is_empty());
        Some(json!({"contractStage": stage, "count": count, "sum": sum}))
    });
    let facts = FACTS.iter().filter_map(|fact| {
        let mut seen = BTreeSet::new();
        let mut some = newest.to_vec();
        some.retain(|one| {
            one.facts(laws).contains(fact) && seen.insert(text(&one.contract, "regNum"))
        });
        let (count, sum) = figures(&some);
        (!some.is_empty()).then(|| json!({"fact": fact, "count": count, "sum": sum}))
    });
    let not_annulled: Vec<&Made> = newest
        .iter()
        .copied()
        .filter(|one| !one.is_annulled())
        .collect();
    let customers = grouped(&rest, |one| {
        let inn = CUSTOMERS
            .iter()
            .find(|inn| **inn == text(&one.contract, "customerInn"));
        inn.copied().filter(|inn| !inn.is_empty())
    });
    let suppliers = grouped(&not_annulled, |one| Some(one.inn()));
    let customer_name = |one: &Made| {
        let name = text(&one.contract, "customerName");
        (!name.is_empty()).then(|| name.to_owned())
    };
    let supplier_name = |one: &Made| Some(format!("Поставщик {}", one.supplier));
    let priceless = rest.iter().filter(|one| price(&one.contract).is_none());
    let mut answer = json!({
        "totalcount": once.len().to_string(),
        "totalSum": whole.text(),
        "pricelessCount": priceless.count().to_string(),
        "annulledCount": annulled.len().to_string(),
        "annulledSum": total(annulled).text(),
        "years": years.collect::<Value>(),
        "stages": stages.collect::<Value>(),
        "customersCount": customers.len().to_string(),
        "suppliersCount": suppliers.len().to_string(),
        "facts": facts.collect::<Value>(),
    });
    answer["customers"] = largest(customers, customer_name, &whole, top);
    answer["suppliers"] = largest(suppliers, supplier_name, &whole, top);
    answer
}

/// Checks the answers to a search and to its summary against a scan of all contracts.
fn check(service: &mut Service, all: &[&Made], asked: &Asked, limit: usize, top: usize) {
    let newest: Vec<&Made> = all
        .iter()
        .copied()
        .filter(|one| one.matches(asked))
        .collect();
    let with_key = |one: &&Made| {
        let mut contract = one.contract.clone();
        contract["supplierINN"] = one.inn().into();
        contract
    };
    let expected = asked.order(newest.iter().map(with_key).collect());
    let key = |one: &Value| ["supplierINN", "regNum"].map(|name| text(one, name).to_owned());
    let expected: Vec<_> = expected.iter().map(key).collect();
    assert_eq!(found(service, asked, limit), expected, "{}", asked.query());
    let mut answer = get(service, "summary", asked, &format!("&top={top}"));
    let registries = answer
        .as_object_mut()
        .and_then(|answer| answer.remove("registries"));
    assert_eq!(
        registries.map(|all| all.as_array().map_or(0, Vec::len)),
        Some(3)
    );
    let expected = summary(&newest, asked.get("laws"), top);
    assert_eq!(answer, expected, "{}", asked.query());
}

/// The expected statistics of prices in thousandths.
fn statistics(mut prices: Vec<u128>) -> Value {
    let decimal = |hundredths: u128| {
        let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    prices.sort_unstable();
    let n = prices.len();
    let at = |place: usize| {
        let price = prices[place - 1];
        let text = format!("{}.{:03}", price / 1000, price % 1000);
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    let sum: u128 = prices.iter().sum();
    let pairs = prices.iter().enumerate();
    let squares: u128 = pairs
        .flat_map(|(place, one)| {
            prices[place..]
                .iter()
                .map(move |other| one.abs_diff(*other).pow(2))
        })
        .sum();
    let count = n as u128;
    // The sum of squares over all pairs is n² times the variance.
    let variation = (n > 1).then(|| {
        let square = 400_000_000 * count * squares / ((count - 1) * sum * sum);
        decimal(square.isqrt().div_ceil(2))
    });
    json!({
        "count": n.to_string(), "min": at(1), "quartile1": at(n.div_ceil(4)),
        "median": at(n.div_ceil(2)), "quartile3": at((3 * n).div_ceil(4)), "max": at(n),
        "mean": decimal((2 * sum + 10 * count) / (20 * count)), "variation": variation,
    })
}

/// Checks the unit prices found among all contracts, newest first.
fn check_prices(service: &mut Service, all: &[&Made], asked: &Asked, limit: usize) {
    let of_contract = asked.without("q").without("code");
    let mut seen = BTreeSet::new();
    let mut items: Vec<(&Made, &Item)> = Vec::new();
    for one in all
        .iter()
        .filter(|one| !one.is_annulled() && one.matches(&of_contract))
    {
        let found: Vec<&Item> = one
            .items
            .iter()
            .filter(|item| item.is_found(asked))
            .collect();
        if !found.is_empty() && seen.insert(text(&one.contract, "regNum")) {
            items.extend(found.into_iter().map(|item| (*one, item)));
        }
    }
    let rows = items.iter().map(|(one, item)| {
        let mut row = item.item.clone();
        for (name, of_contract) in [
            ("regNum", "regNum"),
            ("signDate", "signDate"),
            ("stage", "contractStage"),
            ("customerInn", "customerInn"),
            ("customerName", "customerName"),
        ] {
            row[name] = one.contract[of_contract].clone();
        }
        row["supplierINN"] = one.inn().into();
        row["supplierName"] = format!("Поставщик {}", one.supplier).into();
        for value in row.as_object_mut().expect("an item").values_mut() {
            if value == "" {
                *value = Value::Null;
            }
        }
        row
    });
    let rows: Vec<Value> = rows.collect();
    let mut found = Vec::new();
    let target = asked.without("sort");
    loop {
        let skip = found.len();
        let query = format!("&skip={skip}&limit={limit}");
        let answer = get(service, "prices", &target, &query);
        assert_eq!(
            text(&answer, "totalcount"),
            rows.len().to_string(),
            "{}",
            target.query()
        );
        let page = answer["items"].as_array().expect("items");
        if page.is_empty() {
            check_units(&answer["units"], &items);
            break;
        }
        found.extend(page.iter().cloned());
    }
    assert_eq!(found, rows, "{}", target.query());
}

fn check_units(found: &Value, items: &[(&Made, &Item)]) {
    let mut units: BTreeMap<&str, (&str, Vec<u128>)> = BTreeMap::new();
    for (_, item) in items {
        let (name, prices) = units.entry(text(&item.item, "okei")).or_default();
        if name.is_empty() {
            *name = text(&item.item, "okeiName");
        }
        prices.extend(item.price());
    }
    let mut units: Vec<_> = units.into_iter().collect();
    units.sort_by_key(|(_, (_, prices))| Reverse(prices.len()));
    let given = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let units = units.into_iter().map(|(okei, (name, prices))| {
        let mut unit = statistics(prices);
        unit["okei"] = given(okei).into();
        unit["okeiName"] = given(name).into();
        unit
    });
    assert_eq!(*found, units.collect::<Value>());
}

proptest! {
    #![proptest_config(few_cases(8))]

    #[test]
    fn searches_summaries_and_prices_equal_a_scan_of_all_contracts(
        batches in vec(prop_oneof![vec(made(8), 0..16), vec(made(300), 0..300)], 1..4),
        asked in vec(asked(), 18),
        limit in prop_oneof![1..4_usize, 40..=200_usize],
        top in prop_oneof![0..3_usize, Just(10), Just(10_000)],
    ) {
        let mut service = Service::over(&entries());
        let mut imported = BTreeMap::new();
        for (batch, asked) in batches.iter().zip(asked.chunks(6)) {
            let lines: String = batch.iter().map(Made::line).collect();
            service.import(&lines);
            for one in batch {
                let number = text(&one.contract, "regNum").to_owned();
                imported.insert((number, one.supplier), one);
            }
            let mut all: Vec<&Made> = imported.values().copied().collect();
            all.sort_by_key(|one| {
                let place = ["signDate", "regNum"].map(|name| text(&one.contract, name).to_owned());
                Reverse((place, one.inn()))
            });
            for asked in asked {
                let limit = if limit < 4 && all.len() > 20 { 50 * limit } else { limit };
                check(&mut service, &all, asked, limit, top);
                if !(asked.get("q").is_empty() && asked.get("code").is_empty()) {
                    check_prices(&mut service, &all, asked, limit);
                }
            }
        }
    }
}

/// Contracts that a search drops because of the day of signing still count against the limit on
/// reads. Otherwise, a search that has not queued could read any number of ids.
#[test]
fn contracts_of_other_days_count_as_read() {
    let line = |number: u32| {
        let contract = json!({
            "regNum": number.to_string(), "signDate": "2022-03-04",
            "purchaseObjectInfo": "Бумага",
        });
        let supplier = json!({"inn": SUPPLIERS[0]});
        json!({"type": "contract", "supplier": supplier, "contract": contract}).to_string() + "\n"
    };
    let service = Service::over(&(0..110).map(line).collect::<String>());
    let database = Database::open(&service.database()).expect("the file opens");
    let content = ContentQuery {
        words: content_words("бумага"),
        ..ContentQuery::default()
    };
    // Ten ids cost as much as the facets of one contract.
    for (day, at_most, is_allowed) in [
        ("2022-03-04", 11, true),
        ("2022-03-04", 10, false),
        ("2022-03-05", 11, true),
        ("2022-03-05", 10, false),
    ] {
        let filter = ContentFilter {
            content: content.clone(),
            contracts: ContractFilter {
                signed_from: Date::parse_iso(day),
                ..ContractFilter::default()
            },
            ..ContentFilter::default()
        };
        database.read_at_most(Some(at_most));
        let found = database.search(&filter, ContractOrder::default(), 0, 1);
        assert_eq!(found.is_ok(), is_allowed, "{day} {at_most} {found:?}");
        assert_eq!(database.has_more_to_read(), !is_allowed);
    }
}
