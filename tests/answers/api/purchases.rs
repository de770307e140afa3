//! Purchase searches by content, compared with a model over random purchases.

use std::cmp::Ordering;
use std::fmt::Write as _;

use procurement_lookup::model::Moment;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::{bad, check_lines, csv, etag, service};
use crate::import::folder;
use crate::properties::few_cases;
use crate::service::{Service, body};

/// Words that occur in subjects and queries, each in several forms.
const WORDS: [[&str; 3]; 4] = [
    ["Бумага", "бумаги", "БУМАГОЙ"],
    ["ремонт", "ремонта", "Ремонтом"],
    ["крыша", "крыши", "крышу"],
    ["А4", "a4", "A4"],
];

const CODES: [&str; 6] = [
    "17.23",
    "17.23.13",
    "17.23.13.130-0001",
    "17.231",
    "43.91",
    "нет",
];

const CUSTOMERS: [&str; 4] = ["7701000001", "9701000002", "5001000003", ""];

/// Days as cards write them, and as rows and requests write them.
const DAYS: [(&str, &str); 4] = [
    ("31.12.2024", "2024-12-31"),
    ("01.01.2025", "2025-01-01"),
    ("14.06.2025", "2025-06-14"),
    ("15.06.2025", "2025-06-15"),
];

/// Amounts as text, and in ten-thousandths.
const PRICES: [(&str, i128); 6] = [
    ("100", 1_000_000),
    ("100.5", 1_005_000),
    ("100.5051", 1_005_051),
    ("100.5052", 1_005_052),
    ("0.1", 1_000),
    ("12345678901234567.89", 123_456_789_012_345_678_900),
];

/// The time at which the requests are made.
const NOW: &str = "15.06.2025 12:00";

const ENDS: [&str; 5] = [
    "14.06.2025",
    "15.06.2025 11:59",
    "15.06.2025 12:00",
    "15.06.2025 12:01",
    "15.06.2025",
];

/// A form of a word: its indexes in [`WORDS`].
type Form = (usize, usize);

/// A lot: its name, its customers, an item (a word and a code), and the winner's price.
type Lot = (
    Option<Form>,
    Vec<&'static str>,
    Option<(Form, &'static str)>,
    Option<usize>,
);

#[derive(Clone, Debug)]
struct Bought {
    law: &'static str,
    subject: Vec<Form>,
    lots: Vec<Lot>,
    responsible: &'static str,
    main: &'static str,
    published: Option<usize>,
    price: Option<usize>,
    end: Option<&'static str>,
}

#[derive(Clone, Debug)]
struct Asked {
    words: Vec<Form>,
    codes: Vec<&'static str>,
    regions: Vec<&'static str>,
    customer: Option<&'static str>,
    laws: Vec<&'static str>,
    published: (Option<usize>, Option<usize>),
    price: (Option<usize>, Option<usize>),
    open: Option<bool>,
    sort: &'static str,
    skip: usize,
    limit: usize,
}

fn form() -> impl Strategy<Value = Form> {
    (0..WORDS.len(), 0..3_usize)
}

fn bought() -> impl Strategy<Value = Bought> {
    let customers = || vec(select(&CUSTOMERS[..]), 0..3);
    let item = option::of((form(), select(&CODES[..])));
    let lot = (
        option::of(form()),
        customers(),
        item,
        option::of(0..PRICES.len()),
    );
    let parts = (
        select(&["44", "223", "615"][..]),
        vec(form(), 0..3),
        vec(lot, 0..3),
        (select(&CUSTOMERS[..]), select(&CUSTOMERS[..])),
        option::weighted(0.8, 0..DAYS.len()),
        option::weighted(0.8, 0..PRICES.len()),
        option::weighted(0.8, select(&ENDS[..])),
    );
    parts.prop_map(
        |(law, subject, lots, (responsible, main), published, price, end)| Bought {
            law,
            subject,
            lots,
            responsible,
            main,
            published,
            price,
            end,
        },
    )
}

fn asked() -> impl Strategy<Value = Asked> {
    let some = |values: &'static [&'static str]| {
        let given = subsequence(values, 1..=values.len());
        option::weighted(0.3, given).prop_map(Option::unwrap_or_default)
    };
    let bounds = |count: usize| {
        (
            option::weighted(0.2, 0..count),
            option::weighted(0.2, 0..count),
        )
    };
    let parts = (
        vec(form(), 0..3),
        some(&["17.23", "17", "43.91", "17.23.13.130"]),
        some(&["77", "97", "50"]),
        option::weighted(0.2, select(&CUSTOMERS[..3])),
        some(&["44", "223", "615"]),
        (bounds(DAYS.len()), bounds(PRICES.len())),
        option::weighted(0.4, any::<bool>()),
        select(&["-published", "published", "-price", "price", "closes"][..]),
        (0..4_usize, 0..20_usize),
    );
    let asked = parts.prop_map(
        |(words, codes, regions, customer, laws, (published, price), open, sort, (skip, limit))| {
            Asked {
                words,
                codes,
                regions,
                customer,
                laws,
                published,
                price,
                open,
                sort,
                skip,
                limit,
            }
        },
    );
    asked.prop_filter("a condition that a search needs", |asked| {
        !(asked.words.is_empty() && asked.codes.is_empty() && asked.regions.is_empty())
            || asked.customer.is_some()
    })
}

fn text(forms: &[Form]) -> String {
    let words = forms.iter().map(|(word, form)| WORDS[*word][*form]);
    words.collect::<Vec<_>>().join(", ")
}

fn text_or_null(text: &str) -> Value {
    match text {
        "" => Value::Null,
        text => text.into(),
    }
}

/// The price after `serde_json` has parsed it, which rounds long numbers.
fn as_read(at: usize) -> String {
    let number: Value = serde_json::from_str(PRICES[at].0).expect("a number");
    number.to_string()
}

fn winner(at: usize) -> Value {
    json!({"name": format!("ООО {at}"), "inn": format!("960000020{at}"), "price": PRICES[at].0})
}

impl Bought {
    /// The purchase number. Later purchases under the same law have greater numbers.
    fn number(&self, at: usize) -> String {
        match self.law {
            "44" => format!("09600000000250{at:05}"),
            "223" => format!("396000{at:05}"),
            _ => format!("0960000000000{at:05}"),
        }
    }

    fn line(&self, at: usize) -> String {
        let organization = |inn: &str| json!({"inn": inn, "fullName": format!("Заказчик {inn}")});
        let mut card = json!({
            "purchaseNumber": self.number(at),
            "docPublishDate": self.published.map(|day| DAYS[day].0),
            "purchaseObjectInfo": text(&self.subject),
            "fullNMCK": self.price.map(|price| PRICES[price].0),
            "responsibleOrg": organization(self.responsible),
        });
        let lots = self.lots.iter().map(|(name, customers, item, price)| {
            let name = text(name.as_slice());
            let customers: Vec<_> = customers.iter().map(|inn| organization(inn)).collect();
            let item = item.iter();
            match self.law {
                "44" => json!({
                    "lotObjectInfo": name,
                    "customers": {"customer": customers},
                    "winner": price.map(winner),
                    "purchaseObjects": {"purchaseObject": item.map(|(word, code)| json!({
                        "name": text(&[*word]), "KTRU": code,
                    })).collect::<Vec<_>>()},
                }),
                _ => json!({
                    "lotName": name,
                    "customers": {"customer": [{"purchaseObjects": {
                        "purchaseObject": item.map(|(_, code)| json!({"okpd2": code})).collect::<Vec<_>>(),
                    }}]},
                }),
            }
        });
        let lots = json!({"lot": lots.collect::<Vec<_>>()});
        let winners: Vec<_> = self
            .lots
            .iter()
            .filter_map(|lot| lot.3)
            .map(winner)
            .collect();
        let day = self.end.and_then(|end| end.get(..10));
        match self.law {
            "44" => {
                card["lots"] = lots;
                card["procedureInfo"] = json!({"end": self.end});
            }
            "223" => {
                card["lots"] = lots;
                card["mainCustomer"] = organization(self.main);
                card["submissionCloseDateTime"] = json!(day);
                card["winners"] = json!({"winner": winners});
            }
            _ => {
                card["collectingEndDate"] = json!(day);
                card["winner"] = winners.first().cloned().unwrap_or_default();
            }
        }
        let line = json!({"type": format!("purchase{}", self.law), "purchase": card});
        format!("{line}\n")
    }

    fn customer(&self) -> &str {
        let mut others = self.lots.iter().flat_map(|lot| &lot.1);
        let first = match self.law {
            "44" => others.find(|inn| !inn.is_empty()).copied(),
            "223" => Some(self.main).filter(|inn| !inn.is_empty()),
            _ => None,
        };
        first.unwrap_or(self.responsible)
    }

    /// The deadline for submission, in a form that sorts as text.
    fn closes(&self) -> Option<String> {
        let end = self.end?;
        let (day, time) = end.split_at(10);
        let time = if time.is_empty() || self.law != "44" {
            " 24:00"
        } else {
            time
        };
        let (_, day) = DAYS.iter().find(|(dotted, _)| *dotted == day)?;
        Some(format!("{day}{time}"))
    }

    fn has_word(&self, word: usize) -> bool {
        let of_lots = self
            .lots
            .iter()
            .filter(|_| self.law != "615")
            .flat_map(|lot| {
                let item = lot.2.filter(|_| self.law == "44").map(|(form, _)| form);
                lot.0.into_iter().chain(item)
            });
        self.subject
            .iter()
            .copied()
            .chain(of_lots)
            .any(|(one, _)| one == word)
    }

    fn has_code(&self, asked: &str) -> bool {
        let codes = self
            .lots
            .iter()
            .filter(|_| self.law != "615")
            .filter_map(|lot| Some(lot.2?.1));
        codes.into_iter().any(|code| {
            let rest = code.strip_prefix(asked);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '-']))
        })
    }

    fn matches(&self, asked: &Asked) -> bool {
        let region = |region: &str| if region == "97" { "77" } else { region }.to_owned();
        let own = self.customer().get(..2).map(region);
        let (from, to) = asked.published;
        let published = from.is_none_or(|from| self.published >= Some(from))
            && to.is_none_or(|to| self.published.is_some_and(|day| day <= to));
        let price = |at: usize| PRICES[at].1;
        let own_price = self.price.map(price);
        let (least, most) = (asked.price.0.map(price), asked.price.1.map(price));
        asked.words.iter().all(|(word, _)| self.has_word(*word))
            && (asked.codes.is_empty() || asked.codes.iter().any(|code| self.has_code(code)))
            && (asked.regions.is_empty()
                || asked.regions.iter().any(|one| own == Some(region(one))))
            && asked.customer.is_none_or(|inn| inn == self.customer())
            && (asked.laws.is_empty() || asked.laws.contains(&self.law))
            && published
            && least.is_none_or(|least| own_price >= Some(least))
            && most.is_none_or(|most| own_price.is_some_and(|price| price <= most))
            && asked.open.is_none_or(|open| {
                self.closes()
                    .is_some_and(|end| (*end > *"2025-06-15 12:00") == open)
            })
    }

    /// The row of this purchase in a list. `at` is the index of the purchase.
    fn row(&self, at: usize) -> Value {
        let price = self.lots.iter().find_map(|lot| lot.3);
        let winner = price.map(winner).unwrap_or_default();
        let end = self
            .end
            .map(|end| if self.law == "44" { end } else { &end[..10] });
        json!([
            format!("purchase{}", self.law),
            self.number(at),
            self.published.map(|day| DAYS[day].1),
            text_or_null(&text(&self.subject)),
            self.price.map(as_read),
            end,
            text_or_null(self.customer()),
            winner["inn"],
            price.map(as_read),
        ])
    }
}

/// Compares two values; a missing value comes last in either direction.
fn by<T: Ord>(a: Option<T>, b: Option<T>, is_ascending: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) if is_ascending => a.cmp(&b),
        (Some(a), Some(b)) => b.cmp(&a),
        (a, b) => b.is_some().cmp(&a.is_some()),
    }
}

impl Asked {
    fn target(&self, format: &str) -> String {
        let mut target = format!(
            "/purchase/search?apikey=KEY&format={format}&skip={}&limit={}&sort={}",
            self.skip, self.limit, self.sort
        );
        let words: Vec<_> = self
            .words
            .iter()
            .map(|(word, form)| WORDS[*word][*form])
            .collect();
        let day = |day: Option<usize>| day.map_or("", |day| DAYS[day].1);
        let price = |price: Option<usize>| price.map_or("", |price| PRICES[price].0);
        for (name, value) in [
            ("q", words.join("+")),
            ("code", self.codes.join(",")),
            ("region", self.regions.join(",")),
            ("customerINN", self.customer.unwrap_or_default().to_owned()),
            ("law", self.laws.join(",")),
            ("publishedFrom", day(self.published.0).to_owned()),
            ("publishedTo", day(self.published.1).to_owned()),
            ("priceFrom", price(self.price.0).to_owned()),
            ("priceTo", price(self.price.1).to_owned()),
            (
                "open",
                self.open.map_or(String::new(), |open| open.to_string()),
            ),
        ] {
            let _ = write!(target, "&{name}={value}");
        }
        target
    }

    fn compare(&self, (at, a): &(usize, &Bought), (bt, b): &(usize, &Bought)) -> Ordering {
        let price = |one: &Bought| one.price.map(|price| PRICES[price].1);
        let order = match self.sort {
            "-published" => by(a.published, b.published, false),
            "published" => by(a.published, b.published, true),
            "-price" => by(price(a), price(b), false),
            "price" => by(price(a), price(b), true),
            _ => by(a.closes(), b.closes(), true),
        };
        order
            .then_with(|| by(a.published, b.published, false))
            .then_with(|| b.number(*bt).cmp(&a.number(*at)))
    }
}

const FIELDS: [&str; 9] = [
    "kind",
    "number",
    "published",
    "subject",
    "price",
    "closes",
    "customerINN",
    "winnerINN",
    "winnerPrice",
];

/// The fields of a purchase in a JSON response, with amounts as text.
fn row(purchase: &Value) -> Value {
    let value = |field: &&str| match &purchase[*field] {
        Value::Number(number) => number.to_string().into(),
        value => value.clone(),
    };
    FIELDS.iter().map(value).collect::<Vec<_>>().into()
}

proptest! {
    #![proptest_config(few_cases(10))]

    #[test]
    fn purchases_match_all_conditions_in_the_requested_order(
        bought in vec(bought(), 0..40), questions in vec(asked(), 40)
    ) {
        let lines = bought.iter().enumerate().map(|(at, one)| one.line(at));
        let mut service = Service::over(&lines.collect::<String>());
        service.on(Box::new(|| Moment::parse_dotted(NOW).expect("a time")));
        for asked in questions {
            let mut expected: Vec<_> = bought.iter().enumerate().filter(|(_, one)| one.matches(&asked)).collect();
            expected.sort_by(|a, b| asked.compare(a, b));
            let total = expected.len();
            let page = expected.into_iter().skip(asked.skip).take(asked.limit);
            let page: Vec<_> = page.map(|(at, one)| one.row(at)).collect();
            let found = service.get(&asked.target("json"));
            let found: Value = serde_json::from_str(body(&found)).expect("JSON");
            prop_assert_eq!(&found["totalcount"], total, "{:?}", asked);
            let rows = found["purchases"].as_array().expect("purchases").iter().map(row);
            prop_assert_eq!(rows.collect::<Vec<_>>(), page.clone(), "{:?}", asked);
            let table = csv::rows(body(&service.get(&asked.target("csv"))));
            prop_assert_eq!(table.len(), 1 + page.len());
        }
    }
}

#[test]
fn open_submission_is_decided_by_the_minute() {
    let line = r#"{"type":"purchase44","purchase":{"purchaseNumber":"0960000000025000001","purchaseObjectInfo":"Бумага","procedureInfo":{"end":"15.06.2025 12:00"}}}"#;
    let mut service = Service::over(line);
    let (open, any) = (
        "/purchase/search?q=бумага&open=true&format=json&apikey=KEY",
        "/purchase/search?q=бумага&format=json&apikey=KEY",
    );
    let mut at = |time: &'static str| {
        service.on(Box::new(move || {
            Moment::parse_dotted(time).expect("a time")
        }));
        let is_found = body(&service.get(open)).contains(r#""totalcount":1"#);
        (is_found, etag(&mut service, open), etag(&mut service, any))
    };
    let (before, tag_before, any_before) = at("15.06.2025 11:59");
    let (after, tag_after, any_after) = at("15.06.2025 12:00");
    assert_eq!((before, after), (true, false));
    assert_ne!(tag_before, tag_after);
    assert_eq!(any_before, any_after);
}

#[test]
fn invalid_values_are_reported() {
    let base = "/purchase/search?apikey=KEY&format=json";
    let many_words = ["бумага"; 11].join("+");
    let long = "я".repeat(201);
    let cases = [
        ("", "q"),
        (
            "&law=44&publishedFrom=2025-01-01&priceFrom=1&open=true",
            "q",
        ),
        ("&q=,.%20-", "q"),
        ("&q=я", "q"),
        (&format!("&q={many_words}"), "q"),
        (&format!("&q={long}"), "q"),
        ("&code=1", "code"),
        ("&code=17.2x", "code"),
        ("&code=17.23,", "code"),
        ("&code=17.23.", "code"),
        ("&region=077", "region"),
        ("&customerINN=x", "customerInn"),
        ("&q=бумага&law=94", "law"),
        ("&q=бумага&law=44,%20223", "law"),
        ("&q=бумага&publishedFrom=01.01.2025", "publishedFrom"),
        ("&q=бумага&publishedTo=2025-02-30", "publishedTo"),
        ("&q=бумага&priceFrom=1e3", "priceFrom"),
        ("&q=бумага&priceTo=x", "priceTo"),
        ("&q=бумага&open=1", "open"),
        ("&q=бумага&sort=-closes", "sort"),
        ("&q=бумага&skip=-1", "skip"),
    ];
    let lines = cases.map(|(query, name)| format!("{query} -> 400 {}", bad(name)));
    check_lines(&mut service(), base, &lines.join("\n"));
}

#[test]
fn a_table_may_have_more_purchases_than_are_read_at_once() {
    let purchase = |at| {
        let number = format!("0396000000125{at:06}");
        folder::purchase("44", &number, r#","purchaseObjectInfo":"Бумага""#)
    };
    let lines: String = (0..1_001).map(purchase).collect();
    let mut service = Service::over(&lines);
    let response = service.get("/purchase/search?apikey=KEY&q=бумага&format=csv&limit=2000");
    assert_eq!(csv::rows(body(&response)).len(), 1_002);
}
