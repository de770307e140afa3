//! The answers that have a verdict, each compared with the model.

use std::collections::BTreeSet;

use procurement_lookup::api::{Endpoint, Response};
use procurement_lookup::render::Format;

use super::imports::numbers;
use super::model::{Ground, LAWS, Model, in_rnp, is_inn};
use super::{Query, Settings, iso};
use crate::api::csv;
use crate::golden::read_back::{Element, read};
use crate::golden::workbooks::check_rows;
use crate::service::{Service, body, header};
use crate::workbook;

const ONE: &str = "/rnp/check-supplier";
const MANY: &str = "/rnp/check-suppliers";

/// A supplier as an answer has it.
#[derive(Debug, PartialEq, Eq)]
struct Supplier {
    inn: String,
    verdict: String,
    in_rnp: String,
    entries: Vec<String>,
    /// Numbers, each with the day of the registry that ended the entry.
    previous: Vec<String>,
}

/// The answer about several suppliers, whatever its format.
#[derive(Debug, PartialEq, Eq)]
struct Many {
    suppliers: Vec<Supplier>,
    /// The fields of each registry.
    registries: Vec<Vec<String>>,
}

const REGISTRY: [&str; 7] = [
    "federalLaw",
    "state",
    "basis",
    "completeSince",
    "completeAsOf",
    "covers",
    "entries",
];

/// The ground in each law, empty in those that were not asked.
fn grounds(model: &Model, settings: &Settings, query: &Query) -> Vec<Option<Ground>> {
    let (rules, day) = (query.rules(settings), query.day(settings));
    let ground = |law| {
        let is_asked = rules.laws.contains(law);
        is_asked.then(|| model.ground(law, day, rules.max_age))
    };
    LAWS.into_iter().map(ground).collect()
}

fn expected(model: &Model, settings: &Settings, query: &Query) -> Many {
    let (rules, day) = (query.rules(settings), query.day(settings));
    let supplier = |inn: &&str| {
        let checked = model.check(inn, day, &rules);
        let previous = checked.previous.into_iter().filter(|_| query.history);
        let previous = previous.map(|(number, ended)| {
            let ended = ended.map(iso).unwrap_or_default();
            format!("{number} {ended}")
        });
        Supplier {
            inn: (*inn).to_owned(),
            verdict: checked.verdict.to_owned(),
            in_rnp: in_rnp(checked.verdict).to_owned(),
            entries: checked.entries,
            previous: previous.collect(),
        }
    };
    let registry = |(law, ground): (&str, Option<Ground>)| {
        let Some(ground) = ground else {
            let mut fields = vec![String::new(); REGISTRY.len()];
            law.clone_into(&mut fields[0]);
            return fields;
        };
        let [since, as_of] =
            [ground.since, ground.as_of].map(|day| day.map(iso).unwrap_or_default());
        vec![
            law.to_owned(),
            ground.state.to_owned(),
            ground.basis.to_owned(),
            since,
            as_of,
            ground.covers.to_string(),
            ground.entries.to_string(),
        ]
    };
    let grounds = grounds(model, settings, query);
    Many {
        suppliers: query.inns.iter().map(supplier).collect(),
        registries: LAWS.into_iter().zip(grounds).map(registry).collect(),
    }
}

/// The state of each registry as `44=complete:2026-11-20, …`.
fn registries_header(grounds: &[Option<Ground>]) -> String {
    let text = |(law, ground): (&str, &Option<Ground>)| match ground {
        None => format!("{law}="),
        Some(ground) => format!("{law}={}", state(ground)),
    };
    let all: Vec<String> = LAWS.into_iter().zip(grounds).map(text).collect();
    all.join(", ")
}

fn state(ground: &Ground) -> String {
    let day = ground.as_of.map(|day| format!(":{}", iso(day)));
    ground.state.to_owned() + &day.unwrap_or_default()
}

/// The cell of a registry in a table.
fn cell(ground: &Option<Ground>) -> String {
    let Some(ground) = ground else {
        return String::new();
    };
    let end = match (ground.as_of, ground.covers) {
        (Some(_), false) if ground.is_later => " later",
        (Some(_), false) => " old",
        _ => "",
    };
    state(ground) + end
}

/// The parameters of the request that both endpoints have.
fn options(query: &Query) -> Vec<(&'static str, String)> {
    let laws = query.laws.as_ref().map(|laws: &BTreeSet<&str>| {
        let laws: Vec<&str> = laws.iter().copied().collect();
        laws.join(",")
    });
    let strict = query.strict.map(|strict| u8::from(strict).to_string());
    let options = [
        ("asOf", query.as_of.map(iso)),
        ("laws", laws),
        ("strict", strict),
    ];
    let given = options.into_iter();
    given
        .filter_map(|(name, value)| Some((name, value?)))
        .collect()
}

fn target(path: &str, parameters: &[(&str, String)]) -> String {
    let pairs: Vec<String> = parameters
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{path}?apikey=KEY&{}", pairs.join("&"))
}

/// The response over HTTP; of documents of elements, `lookup` prints the same.
fn ask(
    service: &mut Service,
    endpoint: &'static Endpoint,
    path: &str,
    parameters: &[(&str, String)],
) -> Response {
    let response = service.get(&target(path, parameters));
    let given = parameters.iter();
    let given: Vec<(&str, &str)> = given.map(|(name, value)| (*name, &**value)).collect();
    if given.contains(&("format", "xml")) {
        let printed = service.look_up(endpoint, &given);
        assert_eq!(printed.is_ok(), response.status == 200, "{path} {given:?}");
        let printed = printed.unwrap_or_else(|error| error);
        assert!(*printed == *response.body, "{path} {given:?}");
    }
    response
}

fn ask_many(service: &mut Service, query: &Query, format: &str) -> Response {
    let mut parameters = vec![
        ("supplierINN", query.inns.join(",")),
        ("format", format.to_owned()),
    ];
    parameters.extend(options(query));
    if query.history {
        parameters.push(("history", "1".to_owned()));
    }
    let response = ask(service, Endpoint::RNP_CHECK_MANY, MANY, &parameters);
    assert_eq!(response.status, 200, "{query:?}");
    response
}

pub fn check_all(model: &Model, settings: &Settings, query: &Query, service: &mut Service) {
    let expected = expected(model, settings, query);
    let shown = || format!("{settings:?} {query:?} {model:#?}");
    for format in [Format::Json, Format::Xml] {
        let response = ask_many(service, query, format.name());
        let found = of_document(format, body(&response));
        assert_eq!(found, expected, "{}: {}", format.name(), shown());
    }
    let grounds = grounds(model, settings, query);
    let mut end: Vec<String> = grounds.iter().map(cell).collect();
    end.push(iso(query.day(settings)));
    let table = csv::rows(body(&ask_many(service, query, "csv")));
    assert_eq!(
        table_of(&table, &end),
        expected.suppliers,
        "CSV: {}",
        shown()
    );
    let workbook = workbook::rows(&ask_many(service, query, "xlsx").body);
    check_rows("verdicts", &table, &workbook);
    if let Some(inn) = query.inns.iter().find(|inn| is_inn(inn)) {
        check_one(model, settings, query, inn, service);
    }
    check_find(model, settings, query, service);
}

/// The text of the element of this name in another.
fn text(element: &Element, name: &str) -> String {
    element.child(name).expect(name).text.clone()
}

/// What is in the element of this name in another, if there is one.
fn list<'a>(element: &'a Element, name: &str) -> &'a [Element] {
    let list = element.child(name);
    list.map_or(&[], |list| list.children.as_slice())
}

fn entry_numbers(element: &Element) -> Vec<String> {
    let entries = list(element, "entries").iter();
    let number = |entry| text(entry, "registrationNumber");
    entries.map(number).collect()
}

fn of_document(format: Format, body: &str) -> Many {
    let answer = read(format, body, "response");
    let previous = |entry: &Element| {
        let [number, ended] = ["registrationNumber", "removedBy"].map(|name| text(entry, name));
        format!("{number} {ended}")
    };
    let supplier = |supplier: &Element| Supplier {
        inn: text(supplier, "supplierINN"),
        verdict: text(supplier, "verdict"),
        in_rnp: text(supplier, "inRNP"),
        entries: entry_numbers(supplier),
        previous: list(supplier, "previousEntries")
            .iter()
            .map(previous)
            .collect(),
    };
    let registry = |registry: &Element| REGISTRY.map(|name| text(registry, name)).to_vec();
    Many {
        suppliers: list(&answer, "suppliers").iter().map(supplier).collect(),
        registries: list(&answer, "registries").iter().map(registry).collect(),
    }
}

/// The suppliers of a table, whose rows all have this ground and day.
fn table_of(table: &[Vec<String>], end: &[String]) -> Vec<Supplier> {
    let column = |name: &str| table[0].iter().position(|one| one == name);
    let mut suppliers: Vec<Supplier> = Vec::new();
    for row in &table[1..] {
        let value = |name: &str| column(name).map_or("", |at| &row[at]).to_owned();
        let ground = ["registry44", "registry223", "registry615", "asOf"].map(value);
        assert_eq!(ground, *end, "{row:?}");
        let entry = value("registrationNumber");
        let is_previous = value("previous") == "true";
        let supplier = Supplier {
            inn: value("supplierINN"),
            verdict: value("verdict"),
            in_rnp: value("inRNP"),
            entries: Some(entry.clone())
                .filter(|entry| !entry.is_empty() && !is_previous)
                .into_iter()
                .collect(),
            previous: is_previous
                .then(|| format!("{entry} {}", value("removedBy")))
                .into_iter()
                .collect(),
        };
        match suppliers.last_mut() {
            // Of another entry of the same supplier, unless the request names it twice.
            Some(last) if last.inn == supplier.inn && !entry.is_empty() && !last.has(&supplier) => {
                assert_eq!(
                    (&last.verdict, &last.in_rnp),
                    (&supplier.verdict, &supplier.in_rnp)
                );
                last.entries.extend(supplier.entries);
                last.previous.extend(supplier.previous);
            }
            _ => suppliers.push(supplier),
        }
    }
    suppliers
}

impl Supplier {
    /// Whether it has the entries of another.
    fn has(&self, other: &Self) -> bool {
        other.entries.iter().all(|one| self.entries.contains(one))
            && other.previous.iter().all(|one| self.previous.contains(one))
    }
}

/// The check of one supplier: status, headers and body.
fn check_one(model: &Model, settings: &Settings, query: &Query, inn: &str, service: &mut Service) {
    let (rules, day) = (query.rules(settings), query.day(settings));
    let checked = model.check(inn, day, &rules);
    let is_refused = checked.verdict == "undetermined" && query.is_strict(settings);
    let (status, error) = match (is_refused, checked.is_known) {
        (true, _) => (503, "Данных реестра недостаточно для ответа."),
        (false, false) => (404, "Поставщик не найден."),
        (false, true) => (200, ""),
    };
    let grounds = grounds(model, settings, query);
    let mut end: Vec<String> = grounds.iter().map(cell).collect();
    end.push(iso(day));
    for format in [Format::Json, Format::Xml, Format::Csv] {
        let name = format.name();
        let mut parameters = vec![("supplierINN", inn.to_owned()), ("format", name.to_owned())];
        parameters.extend(options(query));
        let response = ask(service, Endpoint::RNP_CHECK, ONE, &parameters);
        let body = body(&response);
        let shown = format!("{inn} {name}: {settings:?} {query:?} {model:#?} {body}");
        assert_eq!(response.status, status, "{shown}");
        let verdict = header(&response, "X-RNP-Verdict");
        assert_eq!(verdict, Some(checked.verdict), "{shown}");
        let registries = header(&response, "X-Registries");
        let expected = registries_header(&grounds);
        assert_eq!(registries, Some(&*expected), "{shown}");
        if status == 200 {
            let in_force = (!checked.entries.is_empty()).to_string();
            let expected = (in_force, checked.entries.clone());
            assert_eq!(of_one(format, body, &end), expected, "{shown}");
        } else if format != Format::Csv {
            assert_eq!(body, envelope(format, status, error), "{shown}");
        }
    }
}

/// The body of an error.
fn envelope(format: Format, code: u16, error: &str) -> String {
    match format {
        Format::Json => format!(r#"{{"code":{code},"error":"{error}"}}"#),
        _ => format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\
             <data><code>{code}</code><error>{error}</error></data>"
        ),
    }
}

/// The field `inRNP` and the numbers of the entries in the answer about one supplier; each row
/// of a table has this ground and day.
fn of_one(format: Format, body: &str, end: &[String]) -> (String, Vec<String>) {
    if format == Format::Csv {
        let mut suppliers = table_of(&csv::rows(body), end);
        let supplier = suppliers.pop().expect("a row");
        assert_eq!(suppliers, []);
        return (supplier.in_rnp, supplier.entries);
    }
    let answer = read(format, body, "response");
    (text(&answer, "inRNP"), entry_numbers(&answer))
}

/// The verdicts of the suppliers and the entries that are found, as of today.
fn check_find(model: &Model, settings: &Settings, query: &Query, service: &mut Service) {
    let rules = query.rules(settings);
    let mut parameters = options(query);
    parameters.retain(|(name, _)| *name == "laws");
    parameters.push(("format", "json".to_owned()));
    let sought = query.inns.iter().take(2).map(|inn| (*inn).to_owned());
    let sought = sought.chain(numbers().skip(query.inns.len() * 2).take(2));
    for text_sought in sought {
        let mut parameters = parameters.clone();
        parameters.push(("q", text_sought.clone()));
        let response = ask(service, Endpoint::FIND, "/find", &parameters);
        let answer = read(Format::Json, body(&response), "response");
        let shown = || format!("{text_sought}: {settings:?} {query:?} {model:#?} {answer:#?}");
        let mut is_supplier_found = false;
        for hit in list(&answer, "hits") {
            let [kind, inn, verdict, is_listed] =
                ["kind", "supplierINN", "verdict", "inRNP"].map(|name| text(hit, name));
            let expected = match &*kind {
                "supplier" | "rnpEntry" => model.check(&inn, settings.today, &rules).verdict,
                _ => "",
            };
            is_supplier_found |= kind == "supplier" && inn == text_sought;
            assert_eq!(
                (&*verdict, &*is_listed),
                (expected, in_rnp(expected)),
                "{}",
                shown()
            );
        }
        if is_inn(&text_sought) {
            let is_known = model.check(&text_sought, settings.today, &rules).is_known;
            assert_eq!(is_supplier_found, is_known, "{}", shown());
        }
    }
}
