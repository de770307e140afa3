//! `/receipt/verify`: is a receipt of what the data answers?

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use procurement_lookup::api::{LONGEST_RECEIPT, Rate, Rates};

use super::{BAD_KEY, GOOD, RNP, bad, check, service};
use crate::service::{Service, body, header};

const LINE: &str = r#"{"type":"supplier","supplier":{"inn":"9600000099","name":"Новый"}}"#;

fn receipt_of(service: &mut Service, target: &str) -> String {
    let response = service.get(&format!("{target}&receipt=1"));
    let receipt = header(&response, "X-Receipt").unwrap_or_else(|| panic!("{target}"));
    receipt.to_owned()
}

fn target(receipt: &str) -> String {
    let receipt = utf8_percent_encode(receipt, NON_ALPHANUMERIC);
    format!("/receipt/verify?apikey=KEY&format=json&receipt={receipt}")
}

fn verified(service: &mut Service, receipt: &str) -> serde_json::Value {
    let response = service.get(&target(receipt));
    assert_eq!(response.status, 200, "{receipt}: {}", body(&response));
    serde_json::from_str(body(&response)).expect("JSON")
}

fn check_outcome(service: &mut Service, receipt: &str, expected: &str) {
    let answer = verified(service, receipt);
    assert_eq!(answer["outcome"], expected, "{receipt}: {answer}");
}

#[test]
fn a_receipt_of_any_answer_is_the_same_until_the_data_changes() {
    let mut service = service();
    let mut receipts = Vec::new();
    for good in GOOD {
        for format in ["xml", "json", "csv"] {
            let receipt = receipt_of(&mut service, &format!("{good}&format={format}"));
            check_outcome(&mut service, &receipt, "same");
            receipts.push(receipt);
        }
    }
    // What is new about others leaves the answers as they were.
    service.import(LINE);
    for receipt in receipts.iter().filter(|one| !one.contains("csv")) {
        // What has changed is another answer.
        let is_log = receipt.contains("ask=/changes");
        let expected = if is_log { "changed" } else { "same-answer" };
        check_outcome(&mut service, receipt, expected);
    }
}

#[test]
fn it_says_what_was_asked_and_which_data_there_was_and_is() {
    let mut service = service();
    let good = format!("{RNP}?apikey=KEY&supplierInn=9600000021&asOf=2024-06-01");
    let receipt = receipt_of(&mut service, &good);
    let before = verified(&mut service, &receipt);
    assert_eq!(
        before["ask"],
        format!("{RNP}?supplierINN=9600000021&asOf=2024-06-01")
    );
    assert_eq!(before["day"], "2024-06-01");
    assert!(receipt.contains(before["sha256"].as_str().expect("a hash")));
    for (then, now) in [("data", "dataNow"), ("dataUpdated", "dataUpdatedNow")] {
        assert_eq!(before[then], before[now]);
        assert!(
            receipt.contains(before[then].as_str().expect(then)),
            "{then}"
        );
    }
    service.import(LINE);
    let after = verified(&mut service, &receipt);
    assert_eq!(after["data"], before["data"]);
    assert_ne!(after["dataNow"], before["data"]);
}

#[test]
fn the_answer_is_as_of_the_day_of_the_receipt() {
    let mut service = service();
    let good = format!("{RNP}?apikey=KEY&supplierINN=9600000021");
    let receipt = receipt_of(&mut service, &good);
    let body = service.get(&good).body;
    service.on(crate::service::calendar("2025-06-16"));
    assert_ne!(service.get(&good).body, body, "the entry is over");
    check_outcome(&mut service, &receipt, "same");
}

#[test]
fn an_answer_that_is_another_now_is_told_from_one_that_never_was() {
    let mut service = service();
    let good = format!("{RNP}?apikey=KEY&supplierINN=9600000021");
    let receipt = receipt_of(&mut service, &good);
    let hash = receipt.split("sha256=").nth(1).expect("a hash");
    let hash = hash.split(';').next().expect("a hash");
    let forged = receipt.replace(hash, &"0".repeat(64));
    check_outcome(&mut service, &forged, "mismatch");
    let earlier = receipt.replace("updated=2", "updated=1");
    check_outcome(&mut service, &earlier, "mismatch");
    let unknown = receipt.replace("9600000021", "9600000098");
    check_outcome(&mut service, &unknown, "mismatch");
    service.import(
        r#"{"type":"rnpEntry","supplier":{"inn":"9600000021"},"entry":{"registrationNumber":"РНП.2","registrationDate":"2024-03-06"}}"#,
    );
    check_outcome(&mut service, &receipt, "changed");
    check_outcome(&mut service, &forged, "changed");
    check_outcome(&mut service, &unknown, "changed");
}

#[test]
fn what_is_no_receipt_of_an_answer_is_refused() {
    let mut service = service();
    let whole = receipt_of(
        &mut service,
        &format!("{RNP}?apikey=KEY&supplierINN=9600000021"),
    );
    let ask = whole.split("ask=").nth(1).expect("a request").to_owned();
    let with = |other: &str| whole.replace(&ask, other);
    let long = format!("{whole}&x={}", "x".repeat(LONGEST_RECEIPT));
    for wrong in [
        "1",
        &whole.replace("v1;", "v2;"),
        &whole.replace("day=2025-06-15", "day=2025-06-31"),
        &with("/"),
        &with("/about.json"),
        &with("/rnp/check-supplier"),
        &with("/rnp/check-supplier?supplierINN=42"),
        &with("/contract/monitor-supplier44?supplierINN=9600000002&limit=201"),
        // A day that is not the one answered for.
        &with(&format!("{ask}&asOf=2025-06-14")),
        &with(&target(&whole)),
        &long,
    ] {
        check(
            &mut service,
            &target(wrong),
            &format!("400 {}", bad("receipt")),
        );
    }
    let missing = "/receipt/verify?apikey=KEY&format=json";
    check(&mut service, missing, &format!("400 {}", bad("receipt")));
    let twice = format!("{}&receipt=1", target(&whole));
    check(&mut service, &twice, &format!("400 {}", bad("receipt")));
    let no_key = target(&whole).replace("KEY", "no-key");
    check(&mut service, &no_key, &format!("401 {BAD_KEY}"));
}

#[test]
fn a_key_in_a_receipt_is_not_in_the_answer() {
    let mut service = service();
    let receipt = receipt_of(
        &mut service,
        &format!("{RNP}?apikey=KEY&supplierINN=9600000021"),
    );
    let answer = verified(&mut service, &format!("{receipt}&apikey=secret&x=secret"));
    assert_eq!(answer["outcome"], "same");
    assert!(!answer.to_string().contains("secret"), "{answer}");
}

#[test]
fn it_counts_in_the_limits_of_the_request_in_the_receipt() {
    let mut service = service();
    let rnp = receipt_of(
        &mut service,
        &format!("{RNP}?apikey=KEY&supplierINN=9600000021"),
    );
    let contracts = receipt_of(&mut service, GOOD[0]);
    service.api.set_limits(Rates {
        rnp: Rate {
            per_second: 1,
            burst: 1,
        },
        ..Rates::OFF
    });
    for (receipt, statuses) in [(&contracts, [200, 200]), (&rnp, [200, 429])] {
        let given = statuses.map(|_| service.get(&target(receipt)).status);
        assert_eq!(given, statuses, "{receipt}");
    }
}

#[test]
fn damaged_data_is_a_server_error() {
    let mut service = service();
    let receipt = receipt_of(&mut service, GOOD[2]);
    service.alter(
        "UPDATE purchase SET record = x'ff'",
        "UPDATE purchase SET record = '\\xff'",
    );
    check(
        &mut service,
        &target(&receipt),
        r#"500 {"error":"server error"}"#,
    );
}
