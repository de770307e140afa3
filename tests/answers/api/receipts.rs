//! Receipts of responses.

use procurement_lookup::api::response::receipt::{Claims, Receipt, sha256};
use procurement_lookup::api::response::signing_key::PublicKey;

use super::{BAD_NUMBER, CONTRACTS, MANY, P44, RNP, bad, check, every_endpoint, service};
use crate::service::{SIGNED_AT, Service, body, header};

/// A service that signs its responses, and the public key that verifies them.
struct Signing {
    service: Service,
    key: PublicKey,
}

impl Signing {
    fn new() -> Self {
        let mut service = service();
        let key = service.sign();
        Self { service, key }
    }

    fn line(&mut self, target: &str, headers: &[(&str, &str)]) -> String {
        let response = self.service.ask("GET", target, headers);
        let line = header(&response, "X-Receipt");
        line.unwrap_or_else(|| panic!("{target}: {response:?}"))
            .to_owned()
    }

    /// Calls `look` with the verified claims of a response's receipt.
    fn look<T>(&mut self, target: &str, look: impl FnOnce(Claims<'_>) -> T) -> T {
        let line = self.line(target, &[]);
        let receipts = Receipt::all(line.as_bytes()).expect("a receipt");
        let receipt = &receipts[0];
        look(receipt.verify(&self.key).expect("a signature that holds"))
    }
}

#[test]
fn a_receipt_signs_the_body_and_has_no_key() {
    let mut signing = Signing::new();
    for target in &every_endpoint() {
        for format in ["xml", "json", "csv"] {
            let target = format!("{target}&format={format}");
            let plain = signing.service.get(&target);
            assert_eq!(header(&plain, "X-Receipt"), None);
            let target = format!("{target}&receipt=1");
            assert_eq!(signing.service.get(&target).body, plain.body, "{target}");
            signing.look(&target, |claims| {
                assert_eq!(claims.sha256, sha256(&plain.body), "{target}");
                assert_eq!(claims.server, "lookup.example.org");
                assert_eq!(claims.time, SIGNED_AT);
                assert!(!claims.request.contains("key"), "{}", claims.request);
            });
        }
    }
}

#[test]
fn day_and_registries_are_in_receipts_that_depend_on_them() {
    let mut signing = Signing::new();
    let check = |signing: &mut Signing, target: &str, day: &str, registries: Option<&str>| {
        signing.look(&format!("{target}&apikey=KEY&receipt=1"), |claims| {
            assert_eq!(claims.day, day, "{target}");
            assert_eq!(
                claims.registries,
                registries.unwrap_or_default(),
                "{target}"
            );
        });
    };
    let rnp = format!("{RNP}?supplierINN=9600000021");
    let headers = signing.service.get(&format!("{rnp}&apikey=KEY"));
    let registries = header(&headers, "X-Registries").expect("registries");
    assert!(registries.starts_with("44="), "{registries}");
    let some = Some(registries);
    check(&mut signing, &rnp, "2025-06-15", some);
    let many = format!("{MANY}?supplierINN=9600000021&asOf=2024-06-01");
    check(&mut signing, &many, "2024-06-01", some);
    check(&mut signing, "/find?q=9600000021", "2025-06-15", some);
    let contracts = format!("{CONTRACTS}?supplierINN=9600000002");
    check(&mut signing, &contracts, "", None);
}

#[test]
fn receipts_cover_uncompressed_bytes_and_304s_have_none() {
    let mut signing = Signing::new();
    let target = format!("{CONTRACTS}?supplierINN=9600000002&apikey=KEY&receipt=1");
    let plain = signing.line(&target, &[]);
    for _ in 0..2 {
        assert_eq!(signing.line(&target, &[("Accept-Encoding", "gzip")]), plain);
    }
    let response = signing.service.get(&target);
    let etag = header(&response, "ETag").expect("a tag").to_owned();
    for known in [&*etag, "*"] {
        let headers = [("If-None-Match", known)];
        let response = signing.service.ask("GET", &target, &headers);
        assert_eq!(response.status, 200);
        assert!(header(&response, "X-Receipt").is_some());
    }
    let without = target.replace("&receipt=1", "");
    let headers = [("If-None-Match", &*etag)];
    let response = signing.service.ask("GET", &without, &headers);
    assert_eq!(response.status, 304);
}

#[test]
fn requests_cannot_inject_fields() {
    let many = format!("{MANY}?supplierINN=9600000021,%20x%22%0d%0a;%20sha256=%D0%B6&receipt=1");
    Signing::new().look(&format!("{many}&apikey=KEY"), |claims| {
        let request = "?supplierINN=9600000021%2Cx%22%0D%0A%3B%20sha256%3D%D0%B6";
        assert_eq!(claims.request, format!("{MANY}{request}"));
    });
}

#[test]
fn receipts_have_the_version_of_the_data() {
    let mut signing = Signing::new();
    let target = format!("{RNP}?supplierINN=9600000021&apikey=KEY&receipt=1");
    let owned = |claims: Claims<'_>| (claims.data.to_owned(), claims.sha256.to_owned());
    let (data, sha256) = signing.look(&target, owned);
    let line = r#"{"type":"supplier","supplier":{"inn":"9600000099","name":"Новый"}}"#;
    signing.service.import(line);
    let after = signing.look(&target, owned);
    assert_ne!(after.0, data);
    assert_eq!(after.1, sha256);
}

#[test]
fn errors_have_no_receipt_and_invalid_switches_are_reported() {
    let mut signing = Signing::new();
    let service = &mut signing.service;
    let error = format!("{P44}?purchaseNumber=1&apikey=KEY&receipt=1&format=json");
    check(service, &error, &format!("200 {BAD_NUMBER}"));
    assert_eq!(header(&service.get(&error), "X-Receipt"), None);
    for value in ["yes", "2", "on"] {
        let target = format!("{RNP}?supplierINN=9600000021&apikey=KEY&format=json&receipt={value}");
        check(service, &target, &format!("400 {}", bad("receipt")));
    }
    let off = format!("{RNP}?supplierINN=9600000021&apikey=KEY&receipt=0");
    assert_eq!(header(&service.get(&off), "X-Receipt"), None);
}

#[test]
fn without_a_signing_key_answers_have_no_receipt() {
    let mut service = service();
    for target in &every_endpoint() {
        let plain = service.get(target);
        let etag = header(&plain, "ETag").expect("a tag");
        let target = format!("{target}&receipt=1");
        let asked = service.get(&target);
        assert_eq!((asked.status.number(), &asked.body), (200, &plain.body));
        assert_eq!(header(&asked, "X-Receipt"), None);
        let known = service.ask("GET", &target, &[("If-None-Match", etag)]);
        assert_eq!(known.status, 304);
    }
    let json = [("Accept", "application/json")];
    let missing = service.ask("GET", "/signing-key.pem", &json);
    assert_eq!(missing.status, 404);
    assert_eq!(body(&missing), r#"{"code":404,"error":"Not found."}"#);
}

#[test]
fn the_public_key_needs_no_api_key() {
    let mut signing = Signing::new();
    let response = signing.service.get("/signing-key.pem");
    assert_eq!(response.status, 200);
    assert_eq!(
        header(&response, "Content-Type"),
        Some("application/x-pem-file")
    );
    assert_eq!(body(&response), signing.key.pem());
    let etag = header(&response, "ETag").expect("a tag");
    let headers = [("If-None-Match", etag)];
    let known = signing.service.ask("GET", "/signing-key.pem", &headers);
    assert_eq!(known.status, 304);
}
