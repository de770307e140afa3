//! A request's XML as a tree.

use quick_xml::NsReader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::name::{Namespace, ResolveResult};

/// An element with what is in it; text stands only where there are no elements.
#[derive(Debug, Default)]
pub struct Element {
    /// The name without its prefix.
    pub name: String,
    /// The namespace, also one that is the default; empty where there is none.
    pub namespace: String,
    /// The text, without white space around it.
    pub text: String,
    /// The elements in it, in their order.
    pub children: Vec<Element>,
}

impl Element {
    /// Reads the only root; `None` where the text is not well-formed, or has a DOCTYPE.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = NsReader::from_str(text);
        let mut open = vec![Self::default()];
        loop {
            let (namespace, event) = reader.read_resolved_event().ok()?;
            match event {
                Event::Start(start) => open.push(Self::begin(&start, &namespace)?),
                Event::Empty(start) => {
                    let element = Self::begin(&start, &namespace)?;
                    open.last_mut()?.children.push(element);
                }
                Event::End(_) => {
                    let mut element = open.pop()?;
                    element.text = element.text.trim().to_owned();
                    open.last_mut()?.children.push(element);
                }
                Event::Text(text) => open.last_mut()?.text.push_str(&text.xml10_content()),
                Event::CData(text) => open.last_mut()?.text.push_str(&text.xml10_content()),
                Event::GeneralRef(reference) => {
                    open.last_mut()?.text.push_str(&resolve(&reference)?);
                }
                Event::DocType(_) => return None,
                Event::Eof => break,
                Event::Decl(_) | Event::Comment(_) | Event::PI(_) => {}
            }
        }
        let document = open.pop()?;
        let is_one_root = open.is_empty() && document.children.len() == 1;
        let is_all = is_one_root && document.text.trim().is_empty();
        document.children.into_iter().next().filter(|_| is_all)
    }

    fn begin(start: &BytesStart, namespace: &ResolveResult) -> Option<Self> {
        let namespace = match namespace {
            ResolveResult::Bound(Namespace(name)) => (*name).to_owned(),
            ResolveResult::Unbound => String::new(),
            ResolveResult::Unknown(_) => return None,
        };
        Some(Self {
            name: start.local_name().as_ref().to_owned(),
            namespace,
            ..Self::default()
        })
    }

    /// Is it of that name and namespace?
    pub fn is(&self, namespace: &str, name: &str) -> bool {
        self.namespace == namespace && self.name == name
    }

    /// The first element in it of that name and namespace.
    pub fn child(&self, namespace: &str, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.is(namespace, name))
    }
}

fn resolve(reference: &BytesRef) -> Option<String> {
    match reference.resolve_char_ref().ok()? {
        Some(character) => Some(character.to_string()),
        None => {
            let name = reference.xml10_content();
            quick_xml::escape::resolve_xml_entity(&name).map(str::to_owned)
        }
    }
}
