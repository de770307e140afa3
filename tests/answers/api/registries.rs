//! Verdicts and their ground: "not listed" is said only where the registries bear it out.

use procurement_lookup::api::Defaults;
use procurement_lookup::model::{Laws, VerdictRules};

use super::{MANY, RNP};
use crate::service::{Service, body, header};

const CONTRACT: &str = r#"{"type":"contract","supplier":{"inn":"9600000002"},"contract":{"regNum":"1","signDate":"2025-01-01"}}
"#;

fn entry(law: &str) -> String {
    format!(
        r#"{{"type":"rnpEntry","supplier":{{"inn":"9600000021"}},"entry":{{"registrationNumber":"РНП.{law}","registrationDate":"2024-03-05","federalLaw":"{law}"}}}}"#
    ) + "\n"
}

fn complete(law: &str, day: &str) -> String {
    format!(r#"{{"type":"registry","federalLaw":"{law}","completeAsOf":"{day}"}}"#) + "\n"
}

fn told(service: &mut Service, query: &str) -> String {
    let response = service.get(&format!("{RNP}?supplierINN=9600000002&apikey=KEY{query}"));
    header(&response, "X-Registries")
        .expect("a header")
        .to_owned()
}

/// Of the supplier with a contract: its verdict and `inRNP`, and the registries.
fn checked(service: &mut Service, query: &str) -> (String, String) {
    let target = format!("{MANY}?supplierINN=9600000002&apikey=KEY&format=json{query}");
    let response = service.get(&target);
    let answer: serde_json::Value = serde_json::from_str(body(&response)).expect("JSON");
    let supplier = &answer["suppliers"][0];
    let verdict = supplier["verdict"].as_str().expect("a verdict");
    let registries = answer["registries"].as_array().expect("registries");
    let registry = |registry: &serde_json::Value| {
        let text = |name: &str| match &registry[name] {
            serde_json::Value::Null => "-".to_owned(),
            value => value.to_string().replace('"', ""),
        };
        let fields = [
            "federalLaw",
            "state",
            "basis",
            "completeSince",
            "completeAsOf",
            "covers",
            "entries",
        ];
        fields.map(text).join(" ")
    };
    let registries: Vec<String> = registries.iter().map(registry).collect();
    let verdict = format!("{verdict} {}", supplier["inRNP"]);
    (verdict, registries.join(", "))
}

/// The verdict in the header and the status of the check of one supplier.
fn of_one(service: &mut Service, inn: &str, query: &str) -> String {
    let target = format!("{RNP}?supplierINN={inn}&apikey=KEY&format=json{query}");
    let response = service.get(&target);
    let verdict = header(&response, "X-RNP-Verdict").unwrap_or("-");
    format!("{} {verdict}", response.status)
}

fn all_complete(day: &str) -> String {
    ["44", "223", "615"].map(|law| complete(law, day)).concat()
}

#[test]
fn a_304_says_the_verdict_and_its_ground_as_its_200_does() {
    let mut service = Service::over(CONTRACT);
    service.import(&all_complete("2025-06-01"));
    let target = format!("{RNP}?supplierINN=9600000002&apikey=KEY");
    let names = ["X-RNP-Verdict", "X-Registries", "X-Data-Updated", "ETag"];
    // First read, then from the cache.
    let mut not_modified = service.ask("GET", &target, &[("If-None-Match", "*")]);
    let found = service.get(&target);
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
        not_modified = service.ask("GET", &target, &[("If-None-Match", &etag)]);
    }
}

#[test]
fn one_complete_law_of_three_is_not_enough_and_the_laws_that_are_asked_are() {
    let lines = CONTRACT.to_owned() + &complete("44", "2025-06-01") + &entry("223");
    let mut service = Service::over(&lines);
    let registries = "44=complete:2025-06-01, 223=partial, 615=none";
    assert_eq!(told(&mut service, ""), registries);
    let expected = "44 complete declared 2025-06-01 2025-06-01 true 0, \
                    223 partial - - - false 1, 615 none - - - false 0";
    assert_eq!(
        checked(&mut service, ""),
        ("undetermined null".to_owned(), expected.to_owned())
    );
    assert_eq!(
        told(&mut service, "&laws=44"),
        "44=complete:2025-06-01, 223=, 615="
    );
    let expected = "44 complete declared 2025-06-01 2025-06-01 true 0, \
                    223 - - - - - -, 615 - - - - - -";
    assert_eq!(
        checked(&mut service, "&laws=44"),
        ("not-listed false".to_owned(), expected.to_owned())
    );
    for (laws, verdict) in [
        ("44", "not-listed"),
        ("+44+,44", "not-listed"),
        ("615,44", "undetermined"),
    ] {
        let told = of_one(&mut service, "9600000002", &format!("&laws={laws}"));
        assert_eq!(told, format!("200 {verdict}"), "{laws}");
    }
    // An entry of a law that is not asked counts for nothing; its supplier is known by it.
    assert_eq!(of_one(&mut service, "9600000021", ""), "200 listed");
    assert_eq!(
        of_one(&mut service, "9600000021", "&laws=44"),
        "200 not-listed"
    );
    let csv = service.get(&format!(
        "{RNP}?supplierINN=9600000021&apikey=KEY&format=csv&laws=44"
    ));
    let row = body(&csv).lines().nth(1).expect("a row");
    assert!(row.contains(",complete:2025-06-01,,,2025-06-15,"), "{row}");
    for laws in ["94", "44,", "44;223"] {
        let response = service.get(&format!(
            "{RNP}?supplierINN=9600000021&apikey=KEY&laws={laws}"
        ));
        assert!(
            body(&response).contains("Некорректный параметр laws."),
            "{laws}"
        );
    }
}

#[test]
fn a_registry_covers_the_days_from_its_first_to_the_largest_age_after_its_last() {
    let lines = CONTRACT.to_owned() + &all_complete("2025-03-01") + &complete("44", "2025-06-01");
    let mut service = Service::over(&lines);
    for (day, expected, cell) in [
        (
            "2025-02-28",
            "undetermined",
            "complete:2025-06-01 later,complete:2025-03-01 later,",
        ),
        (
            "2025-03-01",
            "not-listed",
            "complete:2025-06-01,complete:2025-03-01,",
        ),
        (
            "2025-03-31",
            "not-listed",
            "complete:2025-06-01,complete:2025-03-01,",
        ),
        (
            "2025-04-01",
            "undetermined",
            "complete:2025-06-01,complete:2025-03-01 old,",
        ),
        (
            "2040-01-01",
            "undetermined",
            "complete:2025-06-01 old,complete:2025-03-01 old,",
        ),
    ] {
        let query = format!("&asOf={day}");
        let verdict = of_one(&mut service, "9600000002", &query);
        assert_eq!(verdict, format!("200 {expected}"), "{day}");
        let target = format!("{MANY}?supplierINN=9600000002&apikey=KEY&format=csv{query}");
        let csv = service.get(&target);
        assert!(body(&csv).contains(cell), "{day}: {}", body(&csv));
        assert!(body(&csv).contains(expected), "{day}: {}", body(&csv));
    }
    let strict_age = VerdictRules {
        max_age: 31,
        ..VerdictRules::default()
    };
    let mut service = Service::over_with(&lines, |api| {
        api.defaults.rules = strict_age;
    });
    assert_eq!(
        of_one(&mut service, "9600000002", "&asOf=2025-04-01"),
        "200 not-listed"
    );
}

#[test]
fn of_whom_nothing_is_known_is_not_listed_where_all_laws_cover_the_day() {
    let mut service = Service::over(&(CONTRACT.to_owned() + &all_complete("2025-06-10")));
    assert_eq!(of_one(&mut service, "7736050003", ""), "404 not-listed");
    assert_eq!(of_one(&mut service, "7736050004", ""), "404 invalid");
    assert_eq!(
        of_one(&mut service, "7736050003", "&asOf=2024-01-01"),
        "404 undetermined"
    );
    let response = service.get(&format!("{RNP}?supplierINN=7736050003&apikey=KEY"));
    let expected = "44=complete:2025-06-10, 223=complete:2025-06-10, 615=complete:2025-06-10";
    assert_eq!(header(&response, "X-Registries"), Some(expected));
    let many = service.get(&format!(
        "{MANY}?supplierINN=7736050003,7736050004,1&apikey=KEY&format=csv"
    ));
    let verdicts: Vec<&str> = body(&many)
        .lines()
        .skip(1)
        .map(|row| row.split(',').nth(2).expect("a verdict"))
        .collect();
    assert_eq!(verdicts, ["not-listed", "invalid", "invalid"]);
}

#[test]
fn strict_makes_an_undetermined_check_an_error_and_an_unknown_parameter_one() {
    let mut service = Service::over(CONTRACT);
    for inn in ["9600000002", "7736050003"] {
        assert_eq!(of_one(&mut service, inn, "&strict=1"), "503 undetermined");
    }
    let target = format!("{RNP}?supplierINN=9600000002&apikey=KEY&format=json&strict=1");
    let response = service.get(&target);
    let expected = r#"{"code":503,"error":"Данных реестра недостаточно для ответа."}"#;
    assert_eq!(body(&response), expected);
    // Neither the cache nor a tag of an answer that was not strict makes it one.
    let open = service.get(&format!(
        "{RNP}?supplierINN=9600000002&apikey=KEY&format=json"
    ));
    let tag = header(&open, "ETag").expect("a tag").to_owned();
    let again = service.ask("GET", &target, &[("If-None-Match", &tag)]);
    assert_eq!(again.status, 503);
    let many = service.get(&format!(
        "{MANY}?supplierINN=9600000002&apikey=KEY&strict=1"
    ));
    assert_eq!(many.status, 200);
    let unknown =
        "/contract/monitor-supplier44?supplierINN=9600000002&apikey=KEY&format=json&suplier=1";
    assert_eq!(service.get(unknown).status, 200);
    let strict = service.get(&format!("{unknown}&strict=1"));
    assert!(
        body(&strict).contains("Некорректный параметр suplier."),
        "{strict:?}"
    );
    service.import(&all_complete("2025-06-10"));
    assert_eq!(
        of_one(&mut service, "9600000002", "&strict=1"),
        "200 not-listed"
    );
}

#[test]
fn a_servers_own_laws_and_strictness_are_those_of_requests_that_do_not_say() {
    let lines = CONTRACT.to_owned() + &complete("44", "2025-06-01");
    let laws = Laws::parse("44").expect("a law");
    let rules = VerdictRules {
        laws,
        ..VerdictRules::default()
    };
    let mut service = Service::over_with(&lines, |api| {
        api.defaults = Defaults {
            rules,
            strict: true,
        };
    });
    assert_eq!(of_one(&mut service, "9600000002", ""), "200 not-listed");
    assert_eq!(
        of_one(&mut service, "9600000002", "&laws=44,223"),
        "503 undetermined"
    );
    assert_eq!(
        of_one(&mut service, "9600000002", "&laws=44,223&strict=0"),
        "200 undetermined"
    );
    let tag = |service: &mut Service, query: &str| {
        let target = format!("{RNP}?supplierINN=9600000002&apikey=KEY{query}");
        header(&service.get(&target), "ETag").map(str::to_owned)
    };
    assert_eq!(
        tag(&mut service, ""),
        tag(&mut service, "&laws=44&strict=1")
    );
    assert_ne!(tag(&mut service, ""), tag(&mut service, "&strict=0"));
    let unknown = service.get(&format!("{RNP}?supplierINN=9600000002&apikey=KEY&lawz=44"));
    assert_eq!(unknown.status, 400);
}

#[test]
fn a_declaration_changes_the_tag_and_the_same_again_does_not() {
    let mut service = Service::over(CONTRACT);
    let tag = |service: &mut Service| {
        let response = service.get(&format!("{MANY}?supplierINN=9600000002&apikey=KEY"));
        header(&response, "ETag").expect("a tag").to_owned()
    };
    let none = tag(&mut service);
    service.import(&complete("44", "2025-06-01"));
    let first = tag(&mut service);
    assert_ne!(first, none);
    service.import(&complete("44", "2025-06-01"));
    assert_eq!(tag(&mut service), first);
    service.import(&complete("44", "2025-06-02"));
    assert_ne!(tag(&mut service), first);
}
