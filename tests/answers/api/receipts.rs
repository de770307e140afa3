//! Receipts of answers.

use procurement_lookup::api::{Receipt, sha256};

use super::{BAD_NUMBER, CONTRACTS, GOOD, MANY, P44, RNP, bad, check, service};
use crate::service::{Service, header};

fn receipt(service: &mut Service, target: &str, headers: &[(&str, &str)]) -> Receipt {
    let response = service.ask("GET", target, headers);
    let text = header(&response, "X-Receipt").unwrap_or_else(|| panic!("{target}: {response:?}"));
    Receipt::parse(text).expect("a receipt")
}

#[test]
fn a_receipt_has_the_hash_of_the_body_as_it_is_without_it() {
    let mut service = service();
    for target in GOOD {
        for format in ["xml", "json", "csv"] {
            let target = format!("{target}&format={format}");
            let plain = service.get(&target);
            assert_eq!(header(&plain, "X-Receipt"), None);
            let with = service.get(&format!("{target}&receipt=1"));
            assert_eq!(with.body, plain.body, "{target}");
            let receipt = receipt(&mut service, &format!("{target}&receipt=1"), &[]);
            assert_eq!(receipt.sha256, sha256(&plain.body), "{target}");
            assert_eq!(Some(&*receipt.updated), header(&plain, "X-Data-Updated"));
            assert_eq!(receipt.day.to_string(), "2025-06-15");
            assert!(!receipt.ask.contains("key"), "{}", receipt.ask);
        }
    }
}

#[test]
fn it_is_of_the_bytes_before_they_are_packed_and_never_a_304() {
    let mut service = service();
    let target = format!("{CONTRACTS}?supplierINN=9600000002&apikey=KEY&receipt=1");
    let plain = receipt(&mut service, &target, &[]);
    for _ in 0..2 {
        let packed = receipt(&mut service, &target, &[("Accept-Encoding", "gzip")]);
        assert_eq!(packed, plain);
    }
    let etag = header(&service.get(&target), "ETag")
        .expect("a tag")
        .to_owned();
    for known in [&*etag, "*"] {
        let response = service.ask("GET", &target, &[("If-None-Match", known)]);
        assert_eq!(response.status, 200);
        assert!(header(&response, "X-Receipt").is_some());
    }
    let without = target.replace("&receipt=1", "");
    let response = service.ask("GET", &without, &[("If-None-Match", &etag)]);
    assert_eq!(response.status, 304);
}

#[test]
fn what_was_asked_is_told_in_one_spelling() {
    let mut service = service();
    for (query, ask) in [
        (
            "apikey=KEY&supplierInn=+9600000021+&asOf=2024-06-01&x=1",
            "?supplierINN=9600000021&asOf=2024-06-01",
        ),
        (
            "format=JSON&api_key=KEY&supplierINN=9600000021&apikey=KEY",
            "?format=json&supplierINN=9600000021",
        ),
    ] {
        let receipt = receipt(&mut service, &format!("{RNP}?{query}&receipt=1"), &[]);
        assert_eq!(receipt.ask, format!("{RNP}{ask}"));
    }
    let many = format!("{MANY}?supplierINN=9600000021,%20x%22%0d%0a%D0%B6&apikey=KEY&receipt=1");
    let receipt = receipt(&mut service, &many, &[]);
    assert_eq!(
        receipt.ask,
        format!("{MANY}?supplierINN=9600000021%2Cx%22%0D%0A%D0%B6")
    );
}

#[test]
fn the_version_of_the_data_is_in_it() {
    let mut service = service();
    let target = format!("{RNP}?supplierINN=9600000021&apikey=KEY&receipt=1");
    let before = receipt(&mut service, &target, &[]);
    service.import(r#"{"type":"supplier","supplier":{"inn":"9600000099","name":"Новый"}}"#);
    let after = receipt(&mut service, &target, &[]);
    assert_ne!(after.data, before.data);
    assert_eq!(after.sha256, before.sha256);
}

#[test]
fn an_error_has_none_and_a_switch_that_is_none_is_told() {
    let mut service = service();
    let error = format!("{P44}?purchaseNumber=1&apikey=KEY&receipt=1&format=json");
    check(&mut service, &error, &format!("200 {BAD_NUMBER}"));
    assert_eq!(header(&service.get(&error), "X-Receipt"), None);
    for value in ["yes", "2", "on"] {
        let target = format!("{RNP}?supplierINN=9600000021&apikey=KEY&format=json&receipt={value}");
        check(&mut service, &target, &format!("400 {}", bad("receipt")));
    }
    let off = format!("{RNP}?supplierINN=9600000021&apikey=KEY&receipt=0");
    assert_eq!(header(&service.get(&off), "X-Receipt"), None);
}
