//! Pages of contracts: `skip` and `limit`.

use super::{PAGE, service};
use crate::service::{Service, body};

/// Requests a page of the supplier with the contracts 3, 2 and 1, and returns their numbers as
/// text.
pub fn page(service: &mut Service, query: &str) -> String {
    let target = format!("{PAGE}&format=json&{query}");
    let response = service.get(&target);
    let value: serde_json::Value = serde_json::from_str(body(&response)).expect("JSON");
    let numbers: Vec<&str> = value["contracts"]
        .as_array()
        .expect("contracts")
        .iter()
        .map(|contract| contract["regNum"].as_str().expect("regNum"))
        .collect();
    let (total, limit) = (&value["totalcount"], &value["limit"]);
    // The number may be larger than any integer type, so it is compared as text.
    let skip = body(&response)
        .split_once("\"skip\":")
        .and_then(|(_, rest)| rest.split_once(','))
        .expect("skip")
        .0;
    format!("{} of {total} skip {skip} limit {limit}", numbers.join(" "))
}

#[test]
fn pages_are_counted_from_the_newest() {
    let mut service = service();
    let mut check = |query: &str, expected: &str| {
        assert_eq!(page(&mut service, query), expected, "{query}");
    };
    check("", "3 2 1 of 3 skip 0 limit 100");
    check("limit=2", "3 2 of 3 skip 0 limit 2");
    check("skip=2&limit=2", "1 of 3 skip 2 limit 2");
    check("skip=1", "2 1 of 3 skip 1 limit 100");
    check("limit=0", " of 3 skip 0 limit 0");
    check("skip=3", " of 3 skip 3 limit 100");
    check("limit=200", "3 2 1 of 3 skip 0 limit 200");
    check("skip=007&limit=0200", " of 3 skip 7 limit 200");
    check("skip=000", "3 2 1 of 3 skip 0 limit 100");
    for skip in [
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "123456789012345678901234567890123456789012345678901234567890",
    ] {
        let expected = format!(" of 3 skip {skip} limit 100");
        check(&format!("skip={skip}"), &expected);
    }
}
