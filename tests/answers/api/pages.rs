//! Pages of contracts: `skip` and `limit`.

use super::{GOOD, check, check_lines, service};
use crate::service::{Service, body};

/// The page of the supplier that has contracts 3, 2, 1.
pub fn page(service: &mut Service, query: &str) -> String {
    let target = format!("{}&format=json&{query}", GOOD[0]);
    let response = service.get(&target);
    let value: serde_json::Value = serde_json::from_str(body(&response)).expect("JSON");
    let numbers: Vec<&str> = value["contracts"]
        .as_array()
        .expect("contracts")
        .iter()
        .map(|contract| contract["regNum"].as_str().expect("regNum"))
        .collect();
    let (total, limit) = (&value["totalcount"], &value["limit"]);
    // The number may be larger than any type: as it is written.
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

#[test]
fn skip_and_limit_are_plain_digits() {
    let mut service = service();
    let start = format!("{}&format=json", GOOD[0]);
    for value in ["-1", "%2B1", "1.0", "1e2", "0x1", "one", "1%200", "%D9%A1"] {
        let lines = format!("&skip={value} -> 200 bad skip\n&limit={value} -> 200 bad limit");
        check_lines(&mut service, &start, &lines);
    }
    for limit in ["201", "0201", "99999999999999999999999999"] {
        let asked = limit.trim_start_matches('0');
        let error = format!("Превышен лимит контрактов {asked}. Разрешено 200 макс.");
        let expected = format!(r#"200 {{"code":400,"error":"{error}"}}"#);
        check(&mut service, &format!("{start}&limit={limit}"), &expected);
    }
}
