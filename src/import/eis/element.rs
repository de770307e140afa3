//! An official document as a tree of elements, by local name: prefixes differ
//! between exports, and what is not asked for is passed over.
//!
//! quick-xml reads; where it finds a document malformed, xml-rs words the error,
//! with line and column.

use std::borrow::Cow;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};

/// How deep elements may nest. Real documents stay below 20.
pub const MAX_DEPTH: usize = 64;

/// How long the text of one element may be, in bytes. Real ones stay below a
/// megabyte (attachments within documents).
pub const MAX_TEXT: usize = 16 << 20;

/// An element without its prefix and attributes; its text only where it has no
/// elements in it.
#[derive(Debug, Default)]
pub struct Element<'d> {
    /// The local name.
    pub name: &'d str,
    text: Cow<'d, str>,
    children: Vec<Element<'d>>,
}

impl<'d> Element<'d> {
    /// The text, without the white space around it.
    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// The text at `path` as it stands, white space included; empty if there is
    /// no such element, or nothing but white space in it.
    pub fn words_at(&self, path: &str) -> &str {
        let words = self.at(path).map_or("", |element| &element.text);
        if words.trim().is_empty() { "" } else { words }
    }

    /// The first such text that is not empty at any of `paths`.
    pub fn first_words(&self, paths: &[&str]) -> &str {
        paths
            .iter()
            .map(|path| self.words_at(path))
            .find(|words| !words.is_empty())
            .unwrap_or("")
    }

    /// The elements in it with this name.
    pub fn all<'e>(&'e self, name: &'e str) -> impl Iterator<Item = &'e Element<'d>> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The elements in it.
    pub fn children(&self) -> &[Element<'d>] {
        &self.children
    }

    /// The first element at `path` (names with slashes between) whose parts are
    /// the first of their names.
    pub fn at(&self, path: &str) -> Option<&Element<'d>> {
        path.split('/').try_fold(self, |element, name| {
            element.children.iter().find(|child| child.name == name)
        })
    }

    /// The text at `path`; empty if there is no such element.
    pub fn text_at(&self, path: &str) -> &str {
        self.at(path).map_or("", Element::text)
    }

    /// The first text that is not empty at any of `paths`.
    pub fn first_text(&self, paths: &[&str]) -> &str {
        paths
            .iter()
            .map(|path| self.text_at(path))
            .find(|text| !text.is_empty())
            .unwrap_or("")
    }

    /// The first element of this name at any depth.
    pub fn anywhere(&self, name: &str) -> Option<&Element<'d>> {
        self.children.iter().find_map(|child| {
            if child.name == name {
                Some(child)
            } else {
                child.anywhere(name)
            }
        })
    }
}

/// Reads the documents of a file, one after the other: the elements in an
/// `export`, or the root itself where it is something else.
///
/// # Errors
/// Where and why the file is not well-formed, or over a bound; the documents
/// before that place have been given to `each`.
pub fn for_each_document<'d>(
    xml: &'d str,
    mut each: impl FnMut(Element<'d>),
) -> Result<(), String> {
    let xml = xml.strip_prefix('\u{feff}').unwrap_or(xml);
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut seen_root = false;
    let mut in_export = false;
    loop {
        match reader
            .read_event()
            .map_err(|error| malformed(xml, &reader, &error.to_string()))?
        {
            Event::Start(start) => {
                let name = local_name(xml, &start);
                if !seen_root && name == "export" {
                    in_export = true;
                } else if seen_root && !in_export {
                    return Err(malformed(xml, &reader, "more than one root element"));
                } else {
                    each(element(xml, &mut reader, name)?);
                }
                seen_root = true;
            }
            Event::DocType(_) => return Err(at_position(xml, &reader, NO_DOCTYPE)),
            Event::Text(text) if text.trim().is_empty() => {}
            Event::Text(_) | Event::GeneralRef(_) | Event::CData(_) if !in_export => {
                return Err(malformed(xml, &reader, "text outside of the root element"));
            }
            Event::Eof if seen_root => return Ok(()),
            Event::Eof => return Err("not an XML document: there is no element in it".to_owned()),
            _ => {}
        }
    }
}

const NO_DOCTYPE: &str = "a document type declaration, which is not accepted";

/// Reads an element whose start has been read.
fn element<'d>(
    xml: &'d str,
    reader: &mut Reader<&'d [u8]>,
    name: &'d str,
) -> Result<Element<'d>, String> {
    let mut open = vec![Element {
        name,
        ..Element::default()
    }];
    loop {
        let event = reader
            .read_event()
            .map_err(|error| malformed(xml, reader, &error.to_string()))?;
        let Some(innermost) = open.last_mut() else {
            return Err(malformed(xml, reader, "an end tag without its start"));
        };
        match event {
            Event::Start(start) => {
                if open.len() >= MAX_DEPTH {
                    return Err(at_position(
                        xml,
                        reader,
                        &format!("elements nested deeper than {MAX_DEPTH}"),
                    ));
                }
                open.push(Element {
                    name: local_name(xml, &start),
                    ..Element::default()
                });
            }
            Event::End(_) => {
                let Some(done) = open.pop() else { continue };
                match open.last_mut() {
                    None => return Ok(done),
                    Some(parent) => {
                        parent.text = Cow::Borrowed("");
                        parent.children.push(done);
                    }
                }
            }
            Event::Text(text) => push(innermost, with_line_feeds(text.into_inner())),
            Event::CData(text) => push(innermost, with_line_feeds(text.into_inner())),
            Event::GeneralRef(reference) => match resolved(&reference) {
                Some(text) => push(innermost, Cow::Owned(text)),
                None => {
                    let what = format!(
                        "the entity &{};, which is not defined",
                        reference.into_inner()
                    );
                    return Err(malformed(xml, reader, &what));
                }
            },
            Event::DocType(_) => return Err(at_position(xml, reader, NO_DOCTYPE)),
            Event::Eof => {
                return Err(malformed(
                    xml,
                    reader,
                    "the document ends before its elements do",
                ));
            }
            _ => {}
        }
        if open
            .last()
            .is_some_and(|element| element.text.len() > MAX_TEXT)
        {
            return Err(at_position(
                xml,
                reader,
                &format!("a text longer than {} MiB", MAX_TEXT >> 20),
            ));
        }
    }
}

/// The part of `xml` that is the local name of an element that starts in it.
fn local_name<'d>(xml: &'d str, start: &BytesStart<'_>) -> &'d str {
    // The event lends its name only for as long as it lives itself; the document
    // that the name is a part of lives longer.
    let name: &str = start.local_name().into_inner();
    let offset = (name.as_ptr() as usize).wrapping_sub(xml.as_ptr() as usize);
    xml.get(offset..offset.wrapping_add(name.len()))
        .unwrap_or_default()
}

/// Line ends as an XML reader gives them (XML 1.0, section 2.11).
fn with_line_feeds(text: Cow<'_, str>) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        text
    }
}

fn push<'d>(element: &mut Element<'d>, text: Cow<'d, str>) {
    if !element.children.is_empty() {
        return;
    }
    if element.text.is_empty() {
        element.text = text;
    } else {
        element.text.to_mut().push_str(&text);
    }
}

/// The text of a character reference or of one of the five predefined entities.
fn resolved(reference: &BytesRef<'_>) -> Option<String> {
    match reference.resolve_char_ref() {
        Ok(Some(character)) => Some(character.to_string()),
        Ok(None) => {
            let name = reference.xml10_content();
            quick_xml::escape::resolve_xml_entity(&name).map(str::to_owned)
        }
        Err(_) => None,
    }
}

/// Why a document is not well-formed: in the words of xml-rs, the strict second
/// reader, or in ours where it finds nothing.
fn malformed(xml: &str, reader: &Reader<&[u8]>, ours: &str) -> String {
    xml::EventReader::from_str(xml)
        .into_iter()
        .find_map(Result::err)
        .map_or_else(
            || at_position(xml, reader, ours),
            |error| format!("not well-formed XML at {error}"),
        )
}

fn at_position(xml: &str, reader: &Reader<&[u8]>, what: &str) -> String {
    let position = usize::try_from(reader.buffer_position())
        .unwrap_or(xml.len())
        .min(xml.len());
    let before = &xml.as_bytes()[..position];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let start = before
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
    format!("{line}:{column} {what}")
}
