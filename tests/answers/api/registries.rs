//! What is known of the registries: "not listed" is said only of one that is there.

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
        let text = |name: &str| registry[name].as_str().unwrap_or("-").to_owned();
        format!(
            "{} {} {} {}",
            text("federalLaw"),
            text("state"),
            text("completeAsOf"),
            registry["entries"].as_u64().expect("a whole number")
        )
    };
    let registries: Vec<String> = registries.iter().map(registry).collect();
    let verdict = format!("{verdict} {}", supplier["inRNP"]);
    (verdict, registries.join(", "))
}

#[test]
fn without_any_registry_nobody_is_said_not_to_be_listed() {
    let mut service = Service::over(CONTRACT);
    assert_eq!(told(&mut service, ""), "44=none, 223=none, 615=none");
    let none = "44 none - 0, 223 none - 0, 615 none - 0".to_owned();
    for day in ["", "&asOf=2020-01-01"] {
        let expected = ("no-registry null".to_owned(), none.clone());
        assert_eq!(checked(&mut service, day), expected, "{day}");
    }
    let xml = service.get(&format!("{MANY}?supplierINN=9600000002&apikey=KEY"));
    let expected = "<supplier><supplierINN>9600000002</supplierINN><supplierName/>\
                    <verdict>no-registry</verdict><inRNP/><entries/></supplier></suppliers>\
                    <registries><registry><federalLaw>44</federalLaw><state>none</state>\
                    <completeAsOf/><entries>0</entries></registry>";
    assert!(body(&xml).contains(expected), "{}", body(&xml));
    let csv = service.get(&format!(
        "{MANY}?supplierINN=9600000002&apikey=KEY&format=csv"
    ));
    assert!(body(&csv).contains("9600000002,,no-registry,,"), "{csv:?}");
}

#[test]
fn the_check_of_one_supplier_keeps_its_body_whatever_is_known() {
    let mut service = Service::over(CONTRACT);
    let target = format!("{RNP}?supplierINN=9600000002&apikey=KEY&format=json");
    let without = service.get(&target);
    assert!(
        body(&without).contains(r#""inRNP":false"#),
        "{}",
        body(&without)
    );
    service.import(&complete("44", "2025-06-01"));
    assert_eq!(body(&service.get(&target)), body(&without));
}

#[test]
fn entries_alone_are_a_part_of_their_registry() {
    let mut service = Service::over(&(CONTRACT.to_owned() + &entry("223")));
    assert_eq!(told(&mut service, ""), "44=none, 223=partial, 615=none");
    let expected = "44 none - 0, 223 partial - 1, 615 none - 0".to_owned();
    assert_eq!(
        checked(&mut service, ""),
        ("not-listed false".to_owned(), expected)
    );
}

#[test]
fn an_entry_of_no_known_law_is_listed_and_counts_for_no_registry() {
    let mut service = Service::over(&(CONTRACT.to_owned() + &entry("94") + &entry("")));
    assert_eq!(told(&mut service, ""), "44=none, 223=none, 615=none");
    assert_eq!(checked(&mut service, "").0, "no-registry null");
    let listed = service.get(&format!(
        "{RNP}?supplierINN=9600000021&apikey=KEY&format=json"
    ));
    assert!(body(&listed).contains(r#""inRNP":true"#), "{listed:?}");
}

#[test]
fn a_declared_registry_is_complete_also_without_entries_and_by_the_last_that_is_said() {
    let lines = CONTRACT.to_owned() + &complete("615", "2025-06-01") + &entry("44");
    let mut service = Service::over(&lines);
    assert_eq!(
        told(&mut service, ""),
        "44=partial, 223=none, 615=complete:2025-06-01"
    );
    service.import(&(complete("44", "2025-06-14") + &complete("44", "2025-06-10")));
    let expected = "44 complete 2025-06-10 1, 223 none - 0, 615 complete 2025-06-01 0".to_owned();
    assert_eq!(
        checked(&mut service, ""),
        ("not-listed false".to_owned(), expected)
    );
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

#[test]
fn a_304_and_an_answer_that_is_kept_say_so_too_and_errors_do_not() {
    let mut service = Service::over(&(CONTRACT.to_owned() + &complete("44", "2025-06-01")));
    let expected = "44=complete:2025-06-01, 223=none, 615=none";
    let target = format!("{RNP}?supplierINN=9600000002&apikey=KEY");
    let etag = header(&service.get(&target), "ETag")
        .expect("a tag")
        .to_owned();
    assert_eq!(told(&mut service, ""), expected, "from the kept answers");
    for known in [&*etag, "*"] {
        let response = service.ask("GET", &target, &[("If-None-Match", known)]);
        assert_eq!(response.status, 304);
        assert_eq!(header(&response, "X-Registries"), Some(expected), "{known}");
    }
    for error in ["supplierINN=7736050003", "supplierINN=x"] {
        let response = service.get(&format!("{RNP}?{error}&apikey=KEY"));
        assert_eq!(header(&response, "X-Registries"), None, "{error}");
    }
    let many = service.get(&format!("{MANY}?supplierINN=9600000002&apikey=KEY"));
    assert_eq!(header(&many, "X-Registries"), None, "its body has them");
}

#[test]
fn rows_end_in_the_day_they_are_of_and_when_the_data_changed() {
    let mut service = Service::over(&(CONTRACT.to_owned() + &entry("44")));
    for (query, day) in [("", "2025-06-15"), ("&asOf=2025-01-31", "2025-01-31")] {
        for (path, history) in [(RNP, ""), (MANY, ""), (MANY, "&history=1")] {
            for inn in ["9600000002", "9600000021"] {
                let target =
                    format!("{path}?supplierINN={inn}&apikey=KEY&format=csv{query}{history}");
                let response = service.get(&target);
                let mut rows = body(&response).lines();
                let names = rows.next().expect("names");
                assert!(names.ends_with(",asOf,dataUpdated"), "{names}");
                let updated = header(&response, "X-Data-Updated").expect("a time");
                let end = format!(",{day},{updated}");
                assert!(rows.all(|row| row.ends_with(&end)), "{target}");
            }
        }
    }
}
