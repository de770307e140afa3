//! The parameters are checked by the bounds that are described.

use super::{CUSTOMER_INN, Values, parameters};
use crate::api::contract_filter::MAX_INN;
use crate::api::endpoint::Endpoint;
use crate::api::error::Failure;
use crate::api::query::Query;
use crate::api::question::Question;
use crate::model::Date;

/// What is wrong with a value of a parameter, all others being in order.
fn asked(endpoint: Endpoint, name: &str, value: &str) -> Option<Failure> {
    let today: crate::api::Calendar = Box::new(|| Date::new(2026, 1, 12).expect("a day"));
    let all = parameters(endpoint);
    let required = all.iter().filter(|one| one.is_required && one.name != name);
    let mut pairs: Vec<_> = required.map(|one| (one.name, one.example)).collect();
    pairs.push((name, value));
    let query = Query::of_pairs(&pairs);
    let found = query.format().map(|_| ()).and_then(|()| {
        query.switch("receipt")?;
        Question::of(endpoint, &query, &today).map(|_| ())
    });
    found.err()
}

#[test]
fn every_parameter_of_an_endpoint_is_described() {
    for endpoint in Endpoint::ALL {
        let names: Vec<_> = parameters(endpoint).iter().map(|one| one.name).collect();
        assert_eq!(names, [endpoint.parameters(), &["receipt"]].concat());
    }
}

#[test]
fn what_is_described_is_taken_and_what_is_not_is_refused() {
    for endpoint in Endpoint::ALL {
        for one in parameters(endpoint) {
            let check = |value: &str, is_taken: bool| {
                let wrong = asked(endpoint, one.name, value);
                let what = format!("{}={value} of {}", one.name, endpoint.path());
                assert_eq!(wrong.is_none(), is_taken, "{what}: {wrong:?}");
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
                    let most = usize::try_from(most).expect("a length");
                    check(&list(most), true);
                    check(&list(most + 1), false);
                }
                Values::Whole(most, default) => {
                    check("0", true);
                    check(&default.to_string(), true);
                    check("x", false);
                    if let Some(most) = most {
                        check(&most.to_string(), true);
                        check(&(most + 1).to_string(), false);
                    }
                }
                Values::Day => check("2025-02-30", false),
                Values::Formed(_) => check("x", false),
            }
        }
    }
}

#[test]
fn a_customer_s_inn_is_as_long_as_is_described() {
    assert!(CUSTOMER_INN.contains(&format!(",{MAX_INN}}}")));
}
