//! Parses response bodies with independent parsers. XML and JSON become the same structure of named
//! elements in order.

use procurement_lookup::render::Format;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use xml::reader::{EventReader, XmlEvent};

/// An XML element, or its equivalent in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    pub name: String,
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// Returns the path (names joined by `/`) and the text of each leaf element.
    pub fn leaves(&self) -> Vec<(String, String)> {
        let mut leaves = Vec::new();
        for child in &self.children {
            child.add_leaves("", &mut leaves);
        }
        leaves
    }

    fn add_leaves(&self, above: &str, leaves: &mut Vec<(String, String)>) {
        let path = format!("{above}/{}", self.name);
        if self.children.is_empty() {
            leaves.push((path, self.text.clone()));
        } else {
            for child in &self.children {
                child.add_leaves(&path, leaves);
            }
        }
    }
}

/// Parses the root of a body. `bare_root` is the name to use for a JSON object that is not wrapped.
pub fn read(format: Format, body: &str, bare_root: &str) -> Element {
    match format {
        Format::Xml => read_xml(body),
        Format::Json => read_json(body, bare_root),
        Format::Csv | Format::Xlsx => panic!("rows have no root"),
    }
}

/// Parses the root element with xml-rs.
pub fn read_xml(document: &str) -> Element {
    let mut open = vec![Element::default()];
    for event in EventReader::from_str(document) {
        match event.unwrap_or_else(|error| panic!("{error} in {document}")) {
            XmlEvent::StartDocument {
                version, encoding, ..
            } => {
                assert_eq!(version.to_string(), "1.0");
                assert_eq!(encoding, "UTF-8");
            }
            XmlEvent::StartElement {
                name, attributes, ..
            } => {
                assert!(attributes.is_empty(), "attributes in {document}");
                open.push(Element {
                    name: name.local_name,
                    ..Element::default()
                });
            }
            XmlEvent::EndElement { .. } => {
                let element = open.pop().expect("an element is open");
                let parent = open.last_mut().expect("it has a parent");
                parent.children.push(element);
            }
            XmlEvent::Characters(text) | XmlEvent::Whitespace(text) => {
                open.last_mut()
                    .expect("text is in an element")
                    .text
                    .push_str(&text);
            }
            XmlEvent::EndDocument => {}
            other => panic!("{other:?} in {document}"),
        }
    }
    let [outside] = <[Element; 1]>::try_from(open).expect("all elements are closed");
    let [root] = <[Element; 1]>::try_from(outside.children).expect("one root");
    assert_mixed_nowhere(&root);
    root
}

fn assert_mixed_nowhere(element: &Element) {
    assert!(
        element.children.is_empty() || element.text.is_empty(),
        "text beside elements in {}",
        element.name
    );
    element.children.iter().for_each(assert_mixed_nowhere);
}

/// Parses a JSON object with serde_json into the corresponding XML element. The members of an
/// object wrapped in `Purchase…` become members of the root, arrays become their items, and `null`
/// becomes an empty string.
pub fn read_json(document: &str, bare_root: &str) -> Element {
    let raw: &RawValue = serde_json::from_str(document).expect("JSON");
    let [root] = <[Element; 1]>::try_from(elements(bare_root, raw)).expect("one object");
    match root.children.as_slice() {
        [only] if only.name.starts_with("Purchase") => only.clone(),
        _ => root,
    }
}

/// Returns the XML name of the items of an array in a page (specification, tables of the contract
/// page and of the RNP check), or `None` if the array has the name of its items.
fn item_of(array: &str) -> Option<&'static str> {
    match array {
        "contracts" => Some("contract"),
        "purchases" => Some("purchase"),
        "products" => Some("product"),
        "bankGuaranteePayments" => Some("bankGuaranteePayment"),
        "entries" | "previousEntries" => Some("entry"),
        "hits" => Some("hit"),
        "names" => Some("name"),
        "suppliers" => Some("supplier"),
        "registries" => Some("registry"),
        "changes" => Some("change"),
        "documents" => Some("document"),
        "years" => Some("year"),
        "stages" => Some("stage"),
        "customers" => Some("customer"),
        "facts" => Some("fact"),
        "units" => Some("unit"),
        "items" => Some("item"),
        _ => None,
    }
}

fn elements(name: &str, value: &RawValue) -> Vec<Element> {
    let json = value.get();
    let element = |text: String, children| {
        vec![Element {
            name: name.to_owned(),
            text,
            children,
        }]
    };
    match json.as_bytes().first() {
        Some(b'{') => {
            let members = members(json);
            let children = members.iter().flat_map(|(name, raw)| elements(name, raw));
            element(String::new(), children.collect())
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).expect("an array");
            let items = |name: &str| items.iter().flat_map(|raw| elements(name, raw)).collect();
            match item_of(name) {
                Some(item) => element(String::new(), items(item)),
                None => items(name),
            }
        }
        Some(b'"') => element(serde_json::from_str(json).expect("a string"), Vec::new()),
        _ if json == "null" => element(String::new(), Vec::new()),
        _ => element(json.to_owned(), Vec::new()),
    }
}

/// Returns the members of an object in order, with numbers as written.
fn members(json: &str) -> Vec<(String, &RawValue)> {
    struct Members;
    impl<'de> Visitor<'de> for Members {
        type Value = Vec<(String, &'de RawValue)>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some((name, value)) = map.next_entry::<String, _>()? {
                let twice = members.iter().any(|(given, _)| *given == name);
                assert!(!twice, "{name} is there twice");
                members.push((name, value));
            }
            Ok(members)
        }
    }
    serde_json::Deserializer::from_str(json)
        .deserialize_map(Members)
        .expect("an object")
}
