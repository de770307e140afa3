//! The described fields equal those of the golden responses, in the same order.

use std::fs;
use std::path::Path;

use procurement_lookup::render::schema::tree::{Field, FieldKind};
use procurement_lookup::render::schema::{Answer, AnswerSchema, answers};
use serde_json::Value;

/// Golden responses in which every field occurs, and the answer that each belongs to.
const FILLED: [(&str, Answer); 6] = [
    ("contracts/all-filled", Answer::ContractPage),
    ("summary/all-filled", Answer::ContractSummary),
    ("rnp/all-filled", Answer::RnpCheck),
    ("purchase44/all-filled", Answer::Purchase44),
    ("purchase223/all-filled", Answer::Purchase223),
    ("purchase615/all-filled", Answer::Purchase615),
];

fn blessed_body(name: &str, format: &str) -> String {
    let file = format!("{name}.{format}.http");
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/answers/golden")
        .join(file);
    let text = fs::read_to_string(&path).expect(name);
    let (_, body) = text.split_once("\n\n").expect("a response");
    let (_, body) = body.split_once("\n\n").expect("a body");
    body.to_owned()
}

fn described(answer: Answer) -> &'static AnswerSchema {
    answer.schema().expect("its schema")
}

/// Adds the names of elements in document order.
fn xml_names(fields: &[Field], names: &mut Vec<String>) {
    for field in fields {
        names.push(field.name.to_owned());
        let (within, item) = field.within();
        names.extend(item.map(str::to_owned));
        xml_names(within, names);
    }
}

/// Removes repeated registries and risk facts, because an example has one fact, and one registry
/// per law.
fn without_repeated(mut names: Vec<String>) -> Vec<String> {
    let begins_registry = |pair: &[String]| pair[0] == "registry";
    // The item has the same name as its first field.
    let begins_fact = |pair: &[String]| pair[0] == "fact" && pair[1] == "fact";
    for begins in [&begins_registry as &dyn Fn(&[String]) -> bool, &begins_fact] {
        let mut pairs = names.windows(2);
        if let (Some(first), Some(last)) =
            (pairs.position(begins), names.windows(2).rposition(begins))
        {
            names.drain(first..last);
        }
    }
    names
}

fn check_xml(what: &str, body: &str, answer: &AnswerSchema) {
    let mut begun = body.split('<').filter_map(|tag| {
        let name = tag.split(['>', '/']).next()?;
        let begins = !name.is_empty() && !name.starts_with('?');
        begins.then(|| name.to_owned())
    });
    assert_eq!(begun.next().as_deref(), Some(answer.root()));
    let mut names = Vec::new();
    xml_names(&answer.xml, &mut names);
    assert_eq!(without_repeated(begun.collect()), names, "{what}");
}

#[test]
fn xml_has_the_described_elements_in_their_order() {
    for (case, name) in FILLED {
        check_xml(case, &blessed_body(case, "xml"), described(name));
    }
    for answer in answers() {
        check_xml(answer.name, &answer.xml_example, answer);
    }
}

/// Checks that a JSON object has exactly these members in this order.
fn check_members(path: &str, value: &Value, fields: &[Field]) {
    let members = value
        .as_object()
        .unwrap_or_else(|| panic!("{path} is no object"));
    let given: Vec<&str> = members.keys().map(String::as_str).collect();
    let told: Vec<&str> = fields.iter().map(|field| field.name).collect();
    assert_eq!(given, told, "{path}");
    for field in fields {
        let path = format!("{path}.{}", field.name);
        let value = &members[field.name];
        match &field.kind {
            FieldKind::Object(fields) => check_members(&path, value, fields),
            FieldKind::Items(fields) => check_items(&path, value, fields),
            FieldKind::List(list) => match value.get(list.item) {
                Some(items) => check_items(&path, items, &list.fields),
                None => check_items(&path, value, &list.fields),
            },
            _ => assert!(!value.is_object() && !value.is_array(), "{path}"),
        }
    }
}

fn check_items(path: &str, value: &Value, fields: &[Field]) {
    match value {
        Value::Array(items) => items
            .iter()
            .for_each(|item| check_members(path, item, fields)),
        one => check_members(path, one, fields),
    }
}

fn check_json(what: &str, body: &str, answer: &AnswerSchema) {
    let body: Value = serde_json::from_str(body).expect(what);
    let card = body.get(answer.root()).filter(|_| answer.is_wrapped());
    check_members(what, card.unwrap_or(&body), &answer.json);
}

#[test]
fn json_has_the_described_members_in_their_order() {
    for (case, name) in FILLED {
        check_json(case, &blessed_body(case, "json"), described(name));
    }
    for answer in answers() {
        check_json(answer.name, &answer.json_example, answer);
    }
}
