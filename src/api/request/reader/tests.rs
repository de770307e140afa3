use std::collections::HashSet;

use super::super::super::endpoints::Endpoint;
use super::super::parameter::Values;
use super::super::parameter_table::{KEY, MAX_NAMES, SUPPLIER_INN};
use super::*;

fn now() -> Moment {
    Moment::parse_dotted("22.11.2026 12:30").expect("a time")
}

fn canonical(endpoint: &'static Endpoint, query: &str) -> Result<String, Failure> {
    let query = Query::parse(query);
    let asked = endpoint.read(&query, Defaults::default(), now())?;
    Ok(asked.shared.canonical().to_owned())
}

/// Returns the canonical text of a request with this value for one parameter, and with the examples
/// for all other required parameters.
fn with_value(endpoint: &'static Endpoint, name: &str, value: &str) -> Result<String, Failure> {
    let others = endpoint.parameters();
    let is_needed = |one: &ParameterRow| one.is_required || !one.instead.is_empty();
    let others = others.filter(|one| is_needed(one) && one.name != name);
    let mut pairs: Vec<_> = others.map(|one| (one.name, one.example)).collect();
    pairs.push((name, value));
    let query = Query::from_pairs(&pairs);
    let asked = endpoint.read(&query, Defaults::default(), now())?;
    Ok(asked.shared.canonical().to_owned())
}

#[test]
fn equivalent_requests_have_the_same_canonical_text() {
    let same = |endpoint, queries: &[&str], expected: &str| {
        for query in queries {
            let expected = [endpoint, expected].concat();
            let endpoint = Endpoint::at(endpoint).expect("an endpoint");
            assert_eq!(canonical(endpoint, query), Ok(expected), "{query}");
        }
    };
    same(
        "/contract/monitor-supplier44",
        &[
            "supplierINN=7707083893",
            "supplierInn=7707083893&apikey=K&x=y&receipt=1",
            "format=XML&limit=0100&skip=000&supplierINN=+7707083893&sort=-signDate&stage=",
        ],
        "?supplierINN=7707083893",
    );
    same(
        "/contract/monitor-supplier44",
        &[
            "supplierINN=7707083893&format=Json&stage=EC,E&skip=007&limit=5&sort=signDate",
            "sort=signDate&stage=E,EC,E&skip=7&limit=05&format=json&supplierINN=7707083893",
        ],
        "?format=json&supplierINN=7707083893&skip=7&limit=5&stage=EC%2CE&sort=signDate",
    );
    same(
        "/rnp/check-suppliers",
        &["supplierINN=1,+2,,ж,1&history=0", "supplierInn=1,2,ж,1,"],
        "?supplierINN=1%2C2%2C%D0%B6%2C1",
    );
    same(
        "/rnp/check-supplier",
        &["supplierINN=7707083893&asOf=2025-06-15"],
        "?supplierINN=7707083893&asOf=2025-06-15",
    );
}

#[test]
fn each_parameter_that_changes_a_response_changes_the_canonical_text() {
    for endpoint in Endpoint::ALL {
        let mut texts = HashSet::new();
        for one in endpoint.parameters() {
            if ["receipt", "errors", "lang"].contains(&one.name) {
                continue;
            }
            // Choose a value other than the default.
            let value = match one.values {
                Values::Whole(..) | Values::Rows => "3",
                Values::Pattern(..) if one.name == "supplierINN" => "7707083893",
                Values::Pattern(..) if one.name == "customerINN" => "7707083893",
                Values::Pattern("^[0-9]{19}$", _) => "0000000000000000000",
                Values::Pattern("^[0-9]{18}$", _) => "000000000000000000",
                Values::Pattern(..) if one.name == "purchaseNumber" => "30000000000",
                _ => one.example,
            };
            let text = with_value(endpoint, one.name, value).expect(one.name);
            assert!(texts.insert(text), "{} {}", endpoint.path, one.name);
        }
    }
}

#[test]
fn invalid_parameters_fail_in_the_order_of_the_row() {
    let all = "format=x&supplierINN=x&skip=x&limit=201&stage=x&signedFrom=x&signedTo=x\
               &updatedFrom=x&customerInn=x&priceFrom=x&priceTo=x&hasSubcontractors=x&overdue=x&sort=x&receipt=x";
    let mut pairs: Vec<&str> = all.split('&').collect();
    let bad = |name: &'static str| Failure::bad_parameter(name);
    for (expected, right) in [
        (bad("format"), "format=json"),
        (ParameterRow::wrong(&SUPPLIER_INN), "supplierINN=7707083893"),
        (bad("skip"), "skip=1"),
        (Failure::limit_too_large("201".to_owned(), 200), "limit=200"),
        (bad("stage"), "stage=E"),
        (bad("signedFrom"), "signedFrom=2025-01-01"),
        (bad("signedTo"), "signedTo=2025-01-01"),
        (bad("updatedFrom"), "updatedFrom=2025-01-01"),
        (bad("customerInn"), "customerInn=1"),
        (bad("priceFrom"), "priceFrom=1"),
        (bad("priceTo"), "priceTo=1.5"),
        (bad("hasSubcontractors"), "hasSubcontractors=true"),
        (bad("overdue"), "overdue=true"),
        (bad("sort"), "sort=signDate"),
        (bad("receipt"), "receipt=1"),
    ] {
        let found = canonical(Endpoint::CONTRACTS, &pairs.join("&"));
        assert_eq!(found, Err(expected), "{right}");
        let name = right.split_inclusive('=').next().expect("a name");
        let wrong = pairs.iter_mut().find(|pair| pair.starts_with(name));
        *wrong.expect(name) = right;
    }
    assert!(canonical(Endpoint::CONTRACTS, &pairs.join("&")).is_ok());
}

#[test]
fn described_bounds_are_enforced() {
    for endpoint in Endpoint::ALL {
        for one in endpoint.parameters() {
            let check = |value: &str, is_right: bool| {
                let found = with_value(endpoint, one.name, value);
                let what = format!("{}={value} of {}", one.name, endpoint.path);
                assert_eq!(found.is_ok(), is_right, "{what}: {found:?}");
            };
            check(one.example, true);
            match one.values {
                Values::OneOf(_, all) => {
                    all.iter().for_each(|value| check(value, true));
                    check("x", false);
                }
                Values::SomeOf(all) => {
                    all.iter().for_each(|value| check(value, true));
                    check(&all.join(","), true);
                    check("x", false);
                }
                Values::List(_, most) => {
                    let list = |count| vec!["9602000445"; count].join(",");
                    check(&list(most), true);
                    check(&list(most + 1), false);
                }
                Values::Whole(..) | Values::Rows => {
                    let limits = one.values.limits(Format::Xml);
                    let (most, default) = limits.expect("a number");
                    check("0", true);
                    check(&default.to_string(), true);
                    check("x", false);
                    if let Some(most) = most {
                        check(&most.to_string(), true);
                        check(&(most + 1).to_string(), false);
                    }
                }
                Values::Day => check("2025-02-30", false),
                Values::Switch => {
                    check("0", true);
                    check("x", false);
                }
                // The pattern accepts any text up to a maximum length.
                Values::Pattern(pattern, _) if pattern.starts_with("^.") => {
                    check(&"x".repeat(1000), false);
                }
                Values::Lines(..) => {
                    check(&["x"; MAX_NAMES].join("\n"), true);
                    check(&["x"; MAX_NAMES + 1].join("\n"), false);
                    check(&"x".repeat(1000), false);
                }
                Values::Pattern(..) | Values::Amount => check("x", false),
            }
        }
    }
}

#[test]
fn no_endpoint_has_the_key_as_a_parameter() {
    let names = Endpoint::ALL.into_iter().flat_map(Endpoint::parameters);
    assert!(names.into_iter().all(|one| one.name != KEY.0));
}
