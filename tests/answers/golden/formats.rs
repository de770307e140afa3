//! Responses in XML and JSON have the same content, except where the specification says otherwise.

use super::read_back::Element;
use super::requests::answers;
use super::{bodies, common_leaves, service};
use crate::service::body;

/// Replaces characters that XML 1.0 forbids with U+FFFD.
fn as_in_xml(element: &Element) -> Element {
    let allowed = |c: &char| matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..);
    let told = |c: char| if allowed(&c) { c } else { '\u{fffd}' };
    Element {
        name: element.name.clone(),
        text: element.text.chars().map(told).collect(),
        children: element.children.iter().map(as_in_xml).collect(),
    }
}

#[test]
fn both_formats_have_the_same_values() {
    let mut compared = 0;
    for (name, (xml, json)) in bodies() {
        let (Some(xml), Some(json)) = (xml, json) else {
            assert!(name.ends_with("/error-format"), "{name} is in one format");
            continue;
        };
        let json = as_in_xml(&json);
        let is_card44 = name.starts_with("purchase44/") && !name.contains("error");
        if is_card44 {
            let [in_xml, in_json] = common_leaves(&xml, &json);
            assert!(in_xml.len() > 10, "{name}");
            assert_eq!(in_xml, in_json, "{name}");
        } else {
            assert_eq!(xml.children, json.children, "{name}");
        }
        compared += 1;
    }
    assert!(compared > 90, "{compared} pairs");
}

#[test]
fn the_md5_is_computed_without_the_md5_element() {
    let mut service = service();
    let mut checked = 0;
    for [name, path, query] in answers() {
        if !name.starts_with("purchase223/") && !name.starts_with("purchase615/") {
            continue;
        }
        let mut ask = |format: &str| {
            let response = service.get(&format!("{path}?{query}&apikey=KEY&format={format}"));
            body(&response).to_owned()
        };
        let (xml, json) = (ask("xml"), ask("json"));
        let start = xml.rfind("<md5>").expect("md5");
        let end = xml.rfind("</md5>").expect("md5") + "</md5>".len();
        let hash = md5::compute(format!("{}{}", &xml[..start], &xml[end..]));
        let hex = format!("{hash:x}");
        assert_eq!(&xml[start..end], format!("<md5>{hex}</md5>"), "{name}");
        assert!(json.ends_with(&format!(",\"md5\":\"{hex}\"}}}}")), "{name}");
        checked += 1;
    }
    assert_eq!(checked, 11);
}
