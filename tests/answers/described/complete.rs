//! The OpenAPI document has all there is.

use std::collections::BTreeSet;

use procurement_lookup::api::described::Description;
use procurement_lookup::model::Language;
use procurement_lookup::render::schema::answers;
use serde_json::Value;

fn document() -> Value {
    let body = Description::Openapi.body(Language::English);
    serde_json::from_str(&body).expect("JSON")
}

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
fn every_reference_leads_somewhere_and_every_component_is_used() {
    let document = document();
    let mut used = BTreeSet::new();
    each_reference(&document, &mut |target| {
        assert!(document.pointer(&target[1..]).is_some(), "{target}");
        used.insert(target.to_owned());
    });
    for kind in ["schemas", "parameters", "headers"] {
        for name in document["components"][kind].as_object().expect(kind).keys() {
            let target = format!("#/components/{kind}/{name}");
            assert!(used.contains(&target), "{target} is not used");
        }
    }
}

/// All values of examples, as text.
fn each_example(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            if let Some(example) = members.get("value") {
                found.insert(example.as_str().map_or(example.to_string(), str::to_owned));
            }
            members
                .values()
                .for_each(|value| each_example(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| each_example(value, found)),
        _ => {}
    }
}

#[test]
fn every_answer_is_an_example_in_both_formats() {
    let document = document();
    let mut found = BTreeSet::new();
    each_example(&document, &mut found);
    for answer in answers() {
        assert!(
            found.contains(&answer.xml_example),
            "{} in XML",
            answer.name
        );
        assert!(
            found.contains(&answer.json_example),
            "{} in JSON",
            answer.name
        );
    }
}
