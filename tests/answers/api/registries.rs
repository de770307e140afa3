//! Aspects of verdicts that `tests/answers/verdicts` does not cover: entity tags, and errors in
//! strict mode.

use procurement_lookup::api::Defaults;
use procurement_lookup::model::{Laws, VerdictRules};

use super::{CHECK, bad, check, etag, every_endpoint, service};
use crate::import::folder::{complete, contract};
use crate::service::{Service, body, calendar, header};

/// An RNP check of a supplier with a contract but without entries.
const CHECKED: &str = "/rnp/check-supplier?supplierINN=9600000002&apikey=KEY";

fn lines(complete_laws: &[&str]) -> String {
    let complete = complete_laws.iter().map(|law| complete(law, "2025-06-01"));
    contract("9600000002", "1", "") + &complete.collect::<String>()
}

#[test]
fn a_304_has_the_verdict_headers_of_the_200() {
    let mut service = Service::over(&lines(&["44", "223", "615"]));
    let names = ["X-RNP-Verdict", "X-Registries", "X-Data-Updated", "ETag"];
    // The first response is read from the file, the second comes from the cache.
    let mut not_modified = service.ask("GET", CHECKED, &[("If-None-Match", "*")]);
    let found = service.get(CHECKED);
    assert_eq!(header(&found, names[0]), Some("not-listed"));
    let etag = header(&found, "ETag").expect("a tag").to_owned();
    for _ in 0..2 {
        assert_eq!(
            (not_modified.status.number(), body(&not_modified)),
            (304, "")
        );
        for name in names {
            assert_eq!(header(&not_modified, name), header(&found, name), "{name}");
        }
        not_modified = service.ask("GET", CHECKED, &[("If-None-Match", &etag)]);
    }
}

#[test]
fn checks_have_a_new_tag_each_day() {
    let mut service = service();
    let mut tags = Vec::new();
    for day in ["2024-03-04", "2024-03-05", "2025-06-14", "2025-06-16"] {
        service.on(calendar(day));
        let tag = etag(&mut service, CHECK);
        assert!(!tags.contains(&tag), "{day} has the ETag of another day");
        tags.push(tag);
    }
}

#[test]
fn strict_turns_undetermined_checks_and_unknown_parameters_into_errors() {
    let mut service = Service::over(&lines(&[]));
    let strict = format!("{CHECKED}&strict=1");
    // A cached response and the tag of a non-strict request must not satisfy a strict one.
    let open = etag(&mut service, CHECKED);
    let again = service.ask("GET", &strict, &[("If-None-Match", &open)]);
    assert_eq!(again.status, 503);
    for target in &every_endpoint() {
        let unknown = format!("{target}&suplier=1");
        assert_ne!(service.get(&unknown).status, 400, "{target}");
        let refused = service.get(&format!("{unknown}&strict=1"));
        let says_so = body(&refused).contains("Некорректный параметр suplier.");
        assert!(says_so, "{target}: {refused:?}");
    }
}

#[test]
fn defaults_of_the_server_apply_to_laws_and_strict() {
    let rules = VerdictRules {
        laws: Laws::parse("44").expect("a law"),
        ..VerdictRules::default()
    };
    let mut service = Service::over_with(&lines(&["44"]), |api| {
        api.defaults = Defaults {
            rules,
            strict: true,
        };
    });
    let own = etag(&mut service, CHECKED);
    assert_eq!(
        own,
        etag(&mut service, &format!("{CHECKED}&laws=44&strict=1"))
    );
    assert_ne!(own, etag(&mut service, &format!("{CHECKED}&strict=0")));
    let unknown = format!("{CHECKED}&lawz=44&format=json");
    check(&mut service, &unknown, &format!("400 {}", bad("lawz")));
}
