//! Checks references within the OpenAPI document.

use std::collections::BTreeSet;

use procurement_lookup::api::described;
use procurement_lookup::model::Language;
use serde_json::Value;

fn each_reference(value: &Value, visit: &mut impl FnMut(&str)) {
    match value {
        Value::Object(members) => {
            if let Some(target) = members.get("$ref").and_then(Value::as_str) {
                visit(target);
            }
            members
                .values()
                .for_each(|value| each_reference(value, visit));
        }
        Value::Array(items) => items.iter().for_each(|value| each_reference(value, visit)),
        _ => {}
    }
}

#[test]
fn every_reference_resolves_and_every_component_is_used() {
    let body = described::openapi(Language::English);
    let document: Value = serde_json::from_str(&body).expect("JSON");
    let mut used = BTreeSet::new();
    each_reference(&document, &mut |target| {
        assert!(document.pointer(&target[1..]).is_some(), "{target}");
        used.insert(target.to_owned());
    });
    for kind in ["schemas", "parameters", "headers", "responses"] {
        for name in document["components"][kind].as_object().expect(kind).keys() {
            let target = format!("#/components/{kind}/{name}");
            assert!(used.contains(&target), "{target} is not used");
        }
    }
}

#[test]
fn every_operation_has_a_summary_and_a_description() {
    for language in Language::ALL {
        let body = described::openapi(language);
        let document: Value = serde_json::from_str(&body).expect("JSON");
        for (path, item) in document["paths"].as_object().expect("paths") {
            for method in ["get", "head"] {
                for words in ["summary", "description"] {
                    let words = item[method][words].as_str().unwrap_or_default();
                    assert!(!words.is_empty(), "{method} {path}");
                }
            }
        }
    }
}
