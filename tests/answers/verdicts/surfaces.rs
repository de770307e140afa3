//! Compares all responses that contain a verdict with the model.

use std::collections::BTreeSet;

use procurement_lookup::api::Response;
use procurement_lookup::render::Format;

use super::imports::numbers;
use super::model::{Day, Ground, LAWS, Model, in_rnp, is_inn};
use super::{Query, Settings, iso};
use crate::golden::read_back::{Element, read};
use crate::service::{Service, body, header};

const ONE: &str = "/rnp/check-supplier";
const MANY: &str = "/rnp/check-suppliers";

const REGISTRY: [&str; 7] = [
    "federalLaw",
    "state",
    "basis",
    "completeSince",
    "completeAsOf",
    "covers",
    "entries",
];

/// Returns the basis of the verdict under each law, or `None` for laws that were not requested.
fn grounds(model: &Model, settings: &Settings, query: &Query) -> Vec<Option<Ground>> {
    let (rules, day) = (query.rules(settings), query.day(settings));
    let ground = |law| {
        let is_asked = rules.laws.contains(law);
        is_asked.then(|| model.ground(law, day, rules.max_age))
    };
    LAWS.into_iter().map(ground).collect()
}

/// Returns the expected response about several suppliers, with one line per supplier and registry.
fn expected(model: &Model, settings: &Settings, query: &Query) -> Vec<String> {
    let (rules, day) = (query.rules(settings), query.day(settings));
    let text = |day: Option<Day>| day.map(iso).unwrap_or_default();
    let supplier = |inn: &&str| {
        let checked = model.check(inn, day, &rules);
        let verdict = checked.verdict;
        let previous = checked.previous.into_iter().filter(|_| query.history);
        let previous: Vec<String> = previous
            .map(|(number, ended)| format!("{number} {}", text(ended)))
            .collect();
        let in_rnp = in_rnp(verdict);
        format!(
            "{inn} {verdict} {in_rnp} {:?} {previous:?}",
            checked.entries
        )
    };
    let registry = |(law, ground): (&str, Option<Ground>)| match ground {
        None => format!("{law}      "),
        Some(ground) => {
            let days = [ground.since, ground.as_of].map(text).join(" ");
            let [state, basis] = [ground.state, ground.basis];
            let (covers, entries) = (ground.covers, ground.entries);
            format!("{law} {state} {basis} {days} {covers} {entries}")
        }
    };
    let suppliers = query.inns.iter().map(supplier);
    let grounds = grounds(model, settings, query);
    suppliers
        .chain(LAWS.into_iter().zip(grounds).map(registry))
        .collect()
}

/// Returns the states of the registries, in the form `44=complete:2026-11-20, …`.
fn registries_header(grounds: &[Option<Ground>]) -> String {
    let text = |(law, ground): (&str, &Option<Ground>)| {
        let state = ground.as_ref().map(|ground| {
            let day = ground.as_of.map(|day| format!(":{}", iso(day)));
            ground.state.to_owned() + &day.unwrap_or_default()
        });
        format!("{law}={}", state.unwrap_or_default())
    };
    let all: Vec<String> = LAWS.into_iter().zip(grounds).map(text).collect();
    all.join(", ")
}

/// Returns the parameters that the endpoints for one and for several suppliers share.
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

/// Sends a request. Returns the response in JSON, and its body.
fn ask(
    service: &mut Service,
    path: &str,
    mut parameters: Vec<(&str, String)>,
) -> (Response, Element) {
    parameters.push(("format", "json".to_owned()));
    let response = service.get(&target(path, &parameters));
    let answer = read(Format::Json, body(&response), "response");
    (response, answer)
}

/// Checks the response about several suppliers, the one about the first of them, and a search for
/// its name. The tests in `golden` compare the formats.
pub fn check_all(model: &Model, settings: &Settings, query: &Query, service: &mut Service) {
    let expected = expected(model, settings, query);
    let mut parameters = options(query);
    parameters.push(("supplierINN", query.inns.join(",")));
    if query.history {
        parameters.push(("history", "1".to_owned()));
    }
    let (response, answer) = ask(service, MANY, parameters);
    let shown = || format!("{settings:?} {query:?} {model:#?}");
    assert_eq!(response.status, 200, "{}", shown());
    assert_eq!(of_many(&answer), expected, "{}", shown());
    if let Some(inn) = query.inns.iter().find(|inn| is_inn(inn)) {
        check_one(model, settings, query, inn, service);
    }
    check_find(model, settings, query, service);
}

fn text(element: &Element, name: &str) -> String {
    element.child(name).expect(name).text.clone()
}

/// Returns the children of a child element, or an empty slice if there is no such element.
fn list<'a>(element: &'a Element, name: &str) -> &'a [Element] {
    let list = element.child(name);
    list.map_or(&[], |list| list.children.as_slice())
}

fn entry_numbers(element: &Element) -> Vec<String> {
    let entries = list(element, "entries").iter();
    let number = |entry| text(entry, "registrationNumber");
    entries.map(number).collect()
}

fn of_many(answer: &Element) -> Vec<String> {
    let supplier = |supplier: &Element| {
        let [inn, verdict, in_rnp] =
            ["supplierINN", "verdict", "inRNP"].map(|name| text(supplier, name));
        let previous: Vec<String> = list(supplier, "previousEntries")
            .iter()
            .map(|entry| {
                ["registrationNumber", "removedBy"]
                    .map(|name| text(entry, name))
                    .join(" ")
            })
            .collect();
        let entries = entry_numbers(supplier);
        format!("{inn} {verdict} {in_rnp} {entries:?} {previous:?}")
    };
    let registry = |registry: &Element| REGISTRY.map(|name| text(registry, name)).join(" ");
    let suppliers = list(answer, "suppliers").iter().map(supplier);
    suppliers
        .chain(list(answer, "registries").iter().map(registry))
        .collect()
}

/// Checks status, headers and body for one supplier.
fn check_one(model: &Model, settings: &Settings, query: &Query, inn: &str, service: &mut Service) {
    let (rules, day) = (query.rules(settings), query.day(settings));
    let checked = model.check(inn, day, &rules);
    let is_refused = checked.verdict == "undetermined" && query.is_strict(settings);
    let (status, error) = match (is_refused, checked.is_known) {
        (true, _) => (503, "Данных реестра недостаточно для ответа."),
        (false, false) => (404, "Поставщик не найден."),
        (false, true) => (200, ""),
    };
    let mut parameters = options(query);
    parameters.push(("supplierINN", inn.to_owned()));
    let (response, answer) = ask(service, ONE, parameters);
    let shown = format!("{inn}: {settings:?} {query:?} {model:#?} {answer:#?}");
    assert_eq!(response.status, status, "{shown}");
    let verdict = header(&response, "X-RNP-Verdict");
    assert_eq!(verdict, Some(checked.verdict), "{shown}");
    let registries = registries_header(&grounds(model, settings, query));
    assert_eq!(
        header(&response, "X-Registries"),
        Some(&*registries),
        "{shown}"
    );
    if status == 200 {
        let in_force = (!checked.entries.is_empty()).to_string();
        assert_eq!(text(&answer, "inRNP"), in_force, "{shown}");
        assert_eq!(entry_numbers(&answer), checked.entries, "{shown}");
    } else {
        assert_eq!(text(&answer, "error"), error, "{shown}");
    }
}

/// Checks the verdicts in search results as of today.
fn check_find(model: &Model, settings: &Settings, query: &Query, service: &mut Service) {
    let rules = query.rules(settings);
    let mut parameters = options(query);
    parameters.retain(|(name, _)| *name == "laws");
    let sought = query.inns.iter().take(2).map(|inn| (*inn).to_owned());
    let sought = sought.chain(numbers().skip(query.inns.len() * 2).take(2));
    for text_sought in sought {
        let mut parameters = parameters.clone();
        parameters.push(("q", text_sought.clone()));
        let (_, answer) = ask(service, "/find", parameters);
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
