//! The list of RNP entries, compared with a model over random entries.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use super::{bad, check_lines, csv, service};
use crate::import::folder::complete;
use crate::properties::few_cases;
use crate::service::{Service, TODAY, body, header};

const SUPPLIERS: [(&str, &str); 4] = [
    ("9600000002", "ООО \"Лесной двор\""),
    ("960000000003", "Двор «ТЁПЛЫЙ» стройсервис"),
    ("9600000021", "Стройсервис"),
    ("9600000001", "Лесоторг плюс"),
];

const CUSTOMERS: [&str; 6] = ["7701000001", "9701000001", "5001000001", "77", "7", ""];

const LAWS: [&str; 4] = ["44", "223", "615", "94"];

/// Days around [`TODAY`], for the first and the last day of an entry. Either may be missing.
const DAYS: [&str; 6] = [
    "2024-01-01",
    "2025-06-13",
    "2025-06-14",
    TODAY,
    "2025-06-16",
    "2027-01-01",
];

/// A random RNP entry. Its number is derived from its index.
#[derive(Clone, Debug)]
struct Entry {
    supplier: (&'static str, &'static str),
    law: &'static str,
    from: Option<&'static str>,
    to: Option<&'static str>,
    customer: &'static str,
}

#[derive(Clone, Debug)]
struct Asked {
    laws: Option<Vec<&'static str>>,
    in_force: Option<bool>,
    as_of: Option<&'static str>,
    from: Option<&'static str>,
    to: Option<&'static str>,
    regions: Option<Vec<&'static str>>,
    customer: Option<&'static str>,
    words: Option<Vec<&'static str>>,
    skip: usize,
    limit: usize,
}

fn entry() -> impl Strategy<Value = Entry> {
    let day = || option::weighted(0.8, select(&DAYS[..]));
    let parts = (
        select(&SUPPLIERS[..]),
        select(&LAWS[..]),
        day(),
        day(),
        select(&CUSTOMERS[..]),
    );
    parts.prop_map(|(supplier, law, from, to, customer)| Entry {
        supplier,
        law,
        from,
        to,
        customer,
    })
}

fn asked() -> impl Strategy<Value = Asked> {
    let day = || option::weighted(0.3, select(&DAYS[..]));
    let some = |values: &'static [&'static str]| {
        option::weighted(0.3, subsequence(values, 1..=values.len()))
    };
    let parts = (
        some(&LAWS[..3]),
        option::of(any::<bool>()),
        (day(), day(), day()),
        some(&["77", "97", "50", "11"]),
        option::weighted(0.2, select(&CUSTOMERS[..5])),
        some(&["двор", "лес", "стройсервис", "теплый"]),
        (0..6_usize, 0..6_usize),
    );
    parts.prop_map(
        |(laws, in_force, (as_of, from, to), regions, customer, words, (skip, limit))| Asked {
            laws,
            in_force,
            as_of,
            from,
            to,
            regions,
            customer,
            words,
            skip,
            limit,
        },
    )
}

impl Entry {
    fn line(&self, number: &str) -> String {
        let (inn, name) = self.supplier;
        let line = json!({
            "type": "rnpEntry",
            "supplier": {"inn": inn, "name": name},
            "entry": {
                "registrationNumber": number, "registrationDate": self.from,
                "excludeDate": self.to, "federalLaw": self.law, "customerINN": self.customer,
            },
        });
        format!("{line}\n")
    }

    fn is_in_force(&self, day: &str) -> bool {
        self.from.is_none_or(|from| from <= day) && self.to.is_none_or(|to| day <= to)
    }

    fn region(&self) -> Option<&str> {
        match self.customer.get(..2)? {
            "97" => Some("77"),
            region => Some(region),
        }
    }

    fn matches(&self, asked: &Asked) -> bool {
        let day = asked.as_of.unwrap_or(TODAY);
        let name = self.supplier.1.to_lowercase().replace('ё', "е");
        let region = |one: &&str| self.region() == Some(if *one == "97" { "77" } else { one });
        // Naming all three laws means any law, including unknown ones.
        let laws = asked.laws.as_ref().filter(|laws| laws.len() < 3);
        laws.is_none_or(|laws| laws.contains(&self.law))
            && asked.in_force.is_none_or(|is| self.is_in_force(day) == is)
            && asked.from.is_none_or(|from| self.from >= Some(from))
            && asked
                .to
                .is_none_or(|to| self.from.is_some_and(|from| from <= to))
            && asked
                .regions
                .as_ref()
                .is_none_or(|all| all.iter().any(region))
            && asked.customer.is_none_or(|inn| inn == self.customer)
            && asked
                .words
                .as_ref()
                .is_none_or(|words| words.iter().all(|word| name.contains(word)))
    }
}

impl Asked {
    fn target(&self, format: &str) -> String {
        let mut target = format!(
            "/rnp/entries?apikey=KEY&format={format}&skip={}&limit={}",
            self.skip, self.limit
        );
        let lists = [
            ("laws", self.laws.as_ref()),
            ("region", self.regions.as_ref()),
        ];
        for (name, values) in lists {
            let values = values.map(|values| values.join(","));
            let _ = values.map(|values| write!(target, "&{name}={values}"));
        }
        let in_force = self.in_force.map(|is| is.to_string());
        let words = self.words.as_ref().map(|words| words.join("%20"));
        for (name, value) in [
            ("inForce", in_force.as_deref()),
            ("asOf", self.as_of),
            ("registeredFrom", self.from),
            ("registeredTo", self.to),
            ("customerINN", self.customer),
            ("q", words.as_deref()),
        ] {
            let _ = value.map(|value| write!(target, "&{name}={value}"));
        }
        target
    }
}

/// The number, supplier, name and state of an entry as in the response.
fn row(number: &str, entry: &Entry, day: &str) -> Value {
    json!([
        number,
        entry.supplier.0,
        entry.supplier.1,
        entry.is_in_force(day)
    ])
}

proptest! {
    #![proptest_config(few_cases(10))]

    #[test]
    fn entries_match_all_conditions_newest_first(
        entries in vec(entry(), 0..40), questions in vec(asked(), 30)
    ) {
        // Sorted as text, "№ 10" comes before "№ 9".
        let entries: BTreeMap<String, Entry> = entries.into_iter().enumerate()
            .map(|(at, entry)| (format!("№ {at}"), entry)).collect();
        let lines = entries.iter().map(|(number, entry)| entry.line(number));
        let mut service = Service::over(&lines.collect::<String>());
        for asked in questions {
            let mut expected: Vec<_> = entries.iter().filter(|(_, entry)| entry.matches(&asked)).collect();
            expected.sort_by(|(a, x), (b, y)| (y.from, b).cmp(&(x.from, a)));
            let total = expected.len();
            let day = asked.as_of.unwrap_or(TODAY);
            let page = expected.into_iter().skip(asked.skip).take(asked.limit);
            let page: Vec<_> = page.map(|(number, entry)| row(number, entry, day)).collect();
            let response = service.get(&asked.target("json"));
            let found: Value = serde_json::from_str(body(&response)).expect("JSON");
            prop_assert_eq!(&found["totalcount"], total, "{:?}", asked);
            let rows = found["entries"].as_array().expect("entries").iter().map(|one| {
                let fields = ["registrationNumber", "supplierINN", "supplierName", "inForce"];
                Value::from(fields.map(|field| one[field].clone()).to_vec())
            });
            prop_assert_eq!(rows.collect::<Vec<_>>(), page.clone(), "{:?}", asked);
            let table = csv::rows(body(&service.get(&asked.target("csv"))));
            prop_assert_eq!(table.len(), 1 + page.len().max(1));
        }
    }
}

#[test]
fn a_table_without_entries_has_one_row_with_the_basis() {
    let mut service = Service::over(&complete("44", "2025-06-01"));
    let response = service.get("/rnp/entries?apikey=KEY&format=csv");
    let rows = csv::rows(body(&response));
    assert_eq!(rows.len(), 2);
    let columns = [
        "inForce",
        "registry44",
        "registry223",
        "registry615",
        "asOf",
    ];
    let cell = |name| {
        let at = rows[0].iter().position(|column| column == name);
        rows[1][at.expect(name)].as_str()
    };
    let expected = ["", "complete:2025-06-01", "none", "none", TODAY];
    assert_eq!(columns.map(cell), expected);
    assert_eq!(header(&response, "X-Total-Count"), Some("0"));
}

#[test]
fn invalid_values_are_reported() {
    let base = "/rnp/entries?apikey=KEY&format=json";
    let regions = ["77"; 11].join(",");
    let cases = [
        ("inForce=1", "inForce"),
        ("asOf=2025-02-30", "asOf"),
        ("laws=44,94", "laws"),
        ("registeredFrom=2025", "registeredFrom"),
        ("registeredTo=x", "registeredTo"),
        ("region=777", "region"),
        ("region=77,", "region"),
        ("region=77,%2050", "region"),
        ("region=7x", "region"),
        (&format!("region={regions}"), "region"),
        ("customerINN=x", "customerInn"),
        ("q=ab", "q"),
        ("q=%D0%B6.%D0%B6", "q"),
        ("skip=x", "skip"),
    ];
    let lines = cases.map(|(query, name)| format!("&{query} -> 400 {}", bad(name)));
    check_lines(&mut service(), base, &lines.join("\n"));
    let too_many = "&limit=201 -> 400 {\"code\":400,\"error\":\"Превышен лимит контрактов 201. Разрешено 200 макс.\"}";
    check_lines(&mut service(), base, too_many);
}
