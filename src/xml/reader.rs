//! Parses XML into trees of elements. Namespace prefixes are dropped, because they differ between
//! exports of EIS.
//!
//! Methods of [`Element`] take a path: element names separated by slashes. `Info*` matches names
//! that begin with `Info`, and `*Info` names that end with it. `//` before the last name matches at
//! any depth.
//!
//! quick-xml does the parsing. If a file is malformed, xml-rs parses it again, because only errors
//! of xml-rs state the line and column.

use std::borrow::Cow;
use std::fmt;

use quick_xml::Reader;
use quick_xml::events::{BytesRef, BytesStart, Event};
use xml::common::Position;

/// Upper bound on the nesting of elements. Real documents stay below 20.
pub const MAX_DEPTH: usize = 64;

/// Upper bound on documents per file. Bulk exports have a few thousand.
pub const MAX_DOCUMENTS: usize = 100_000;

/// Upper bound on the bytes of an element's text. Real texts, including embedded attachments, stay
/// below a megabyte.
pub const MAX_TEXT: usize = 16 << 20;

/// Upper bound on elements per document. Real documents stay below 100,000.
pub const MAX_ELEMENTS: usize = 250_000;

/// Name of the child element that holds the root's attribute `schemeVersion`.
pub const SCHEME_VERSION: &str = "@schemeVersion";

/// An element without its namespace prefix and attributes. An element with children has no text of
/// its own. The attribute `schemeVersion` of a document is kept as a child element named
/// [`SCHEME_VERSION`].
#[derive(Debug, Default)]
pub struct Element<'d> {
    pub name: &'d str,
    text: Cow<'d, str>,
    children: Vec<Element<'d>>,
}

impl<'d> Element<'d> {
    /// Returns the text without surrounding white space.
    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// Returns the text including surrounding white space.
    pub fn verbatim(&self) -> &str {
        &self.text
    }

    /// Returns the element at `path`, taking the first match at each step.
    pub fn at(&self, path: &str) -> Option<&Element<'d>> {
        if path == "." {
            return Some(self);
        } else if let Some(name) = path.strip_prefix("//") {
            return self.anywhere(name);
        }
        let (name, rest) = match path.split_once('/') {
            Some((name, rest)) => (name, Some(rest)),
            None => (path, None),
        };
        let Some(rest) = rest else {
            return self.children.iter().find(|child| matches(child.name, name));
        };
        let found = self
            .children
            .iter()
            .find(|child| matches(child.name, name))?;
        match rest.strip_prefix('/') {
            Some(name) => found.anywhere(name),
            None => found.at(rest),
        }
    }

    /// Calls `each` with every element at `path`, in document order.
    pub fn each_at<'e>(&'e self, path: &str, each: &mut impl FnMut(&'e Element<'d>)) {
        let (name, rest) = match path.split_once('/') {
            Some((name, rest)) => (name, Some(rest)),
            None => (path, None),
        };
        for child in self
            .children
            .iter()
            .filter(|child| matches(child.name, name))
        {
            match rest {
                Some(rest) => child.each_at(rest, each),
                None => each(child),
            }
        }
    }

    /// Returns the first non-empty text at one of `paths`.
    pub fn first_text(&self, paths: &[&str]) -> &str {
        let found = paths
            .iter()
            .filter_map(|path| self.at(path))
            .map(Element::text);
        found
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or("")
    }

    /// Calls `read` for the descendants in document order, and returns the first result.
    pub fn find<'e, T>(&'e self, read: &impl Fn(&'e Element<'d>) -> Option<T>) -> Option<T> {
        let deeper = |child: &'e Element<'d>| read(child).or_else(|| child.find(read));
        self.children.iter().find_map(deeper)
    }

    fn anywhere(&self, name: &str) -> Option<&Element<'d>> {
        self.find(&|element| Some(element).filter(|element| element.name == name))
    }
}

fn matches(name: &str, step: &str) -> bool {
    name == step
        || step
            .strip_prefix('*')
            .is_some_and(|end| name.ends_with(end))
        || step
            .strip_suffix('*')
            .is_some_and(|beginning| name.starts_with(beginning))
}

/// Parses the documents of a file one at a time and passes each to `each`. If the root element is
/// `export`, every child of it is a document; otherwise the root element is the only document.
///
/// # Errors
/// Returns an error with the position and the reason if the file is malformed or exceeds a bound.
/// All documents before that position have been passed to `each` by then.
pub fn for_each_document<'d>(
    xml: &'d str,
    mut each: impl FnMut(Element<'d>),
) -> Result<(), FileError> {
    let xml = xml.strip_prefix('\u{feff}').unwrap_or(xml);
    let mut reader = Reader::from_str(xml);
    reader.config_mut().expand_empty_elements = true;
    let mut file = DocumentFile { xml, reader };
    let mut seen_root = false;
    let mut in_export = false;
    let mut documents = 0;
    loop {
        match file.next()? {
            Event::Start(start) => {
                let name = local_name(xml, &start);
                if seen_root && !in_export {
                    return Err(file.malformed("more than one root element"));
                } else if !seen_root && name == "export" {
                    in_export = true;
                } else if documents == MAX_DOCUMENTS {
                    let what = format!("more than {MAX_DOCUMENTS} documents in a file");
                    return Err(file.not_accepted(&what));
                } else {
                    documents += 1;
                    let version = scheme_version(&start);
                    let mut document = file.element(name)?;
                    document.children.extend(version);
                    each(document);
                }
                seen_root = true;
            }
            // `element` consumes the end tags within a document, so this one closes `export`.
            Event::End(_) => in_export = false,
            Event::Text(text) if text.trim().is_empty() => {}
            Event::Text(_) | Event::GeneralRef(_) | Event::CData(_) if !in_export => {
                return Err(file.malformed("text outside of the root element"));
            }
            Event::Eof if in_export => {
                return Err(file.malformed("the document ends before its elements do"));
            }
            Event::Eof if seen_root => return Ok(()),
            Event::Eof => {
                return Err(FileError::new(
                    "not an XML document: there is no element in it",
                ));
            }
            _ => {}
        }
    }
}

fn scheme_version<'d>(start: &BytesStart<'d>) -> Option<Element<'d>> {
    let attribute = start.try_get_attribute("schemeVersion").ok()??;
    Some(Element {
        name: SCHEME_VERSION,
        text: Cow::Owned(attribute.value.into_owned()),
        children: Vec::new(),
    })
}

struct DocumentFile<'d> {
    xml: &'d str,
    reader: Reader<&'d [u8]>,
}

impl<'d> DocumentFile<'d> {
    fn next(&mut self) -> Result<Event<'d>, FileError> {
        match self.reader.read_event() {
            Ok(Event::DocType(_)) => {
                Err(self.not_accepted("a document type declaration, which is not accepted"))
            }
            Ok(event) => Ok(event),
            Err(error) => Err(self.malformed(&error.to_string())),
        }
    }

    fn element(&mut self, name: &'d str) -> Result<Element<'d>, FileError> {
        let mut open = vec![Element {
            name,
            ..Element::default()
        }];
        let mut count = 1;
        loop {
            let event = self.next()?;
            let Some(innermost) = open.last_mut() else {
                return Err(self.malformed("an end tag without its start"));
            };
            match event {
                Event::Start(start) => {
                    count += 1;
                    let name = local_name(self.xml, &start);
                    open.push(Element {
                        name,
                        ..Element::default()
                    });
                }
                Event::End(_) => {
                    let done = std::mem::take(innermost);
                    open.pop();
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
                        let name = reference.into_inner();
                        return Err(self.not_accepted(&format!("the undefined entity &{name};")));
                    }
                },
                Event::Eof => {
                    return Err(self.malformed("the document ends before its elements do"));
                }
                _ => {}
            }
            self.check_bounds(&open, count)?;
        }
    }

    fn check_bounds(&self, open: &[Element<'d>], count: usize) -> Result<(), FileError> {
        let over = if open.len() > MAX_DEPTH {
            format!("elements nested deeper than {MAX_DEPTH}")
        } else if count > MAX_ELEMENTS {
            format!("more than {MAX_ELEMENTS} elements in a document")
        } else if open
            .last()
            .is_some_and(|element| element.text.len() > MAX_TEXT)
        {
            format!("a text longer than {} MiB", MAX_TEXT >> 20)
        } else {
            return Ok(());
        };
        Err(self.not_accepted(&over))
    }

    /// Makes the error for a malformed file, with the message and position of xml-rs. If xml-rs
    /// finds nothing wrong, `ours` becomes the message.
    fn malformed(&self, ours: &str) -> FileError {
        match xml::EventReader::from_str(self.xml)
            .into_iter()
            .find_map(Result::err)
        {
            None => self.at_position(ours),
            Some(error) => {
                let position = error.position();
                let place = (position.row + 1, position.column + 1);
                let text = error.to_string();
                let words = text.strip_prefix(&position.to_string()).unwrap_or(&text);
                FileError::at(
                    place,
                    format!("not well-formed XML: {}", words.trim_start()),
                )
            }
        }
    }

    fn not_accepted(&self, what: &str) -> FileError {
        FileError {
            is_well_formed: true,
            ..self.at_position(what)
        }
    }

    fn at_position(&self, what: &str) -> FileError {
        let position = usize::try_from(self.reader.buffer_position()).unwrap_or(usize::MAX);
        let before = &self.xml.as_bytes()[..position.min(self.xml.len())];
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        let start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        let column = String::from_utf8_lossy(&before[start..]).chars().count() + 1;
        FileError::at((line as u64, column as u64), what)
    }
}

/// Why a file was rejected, with the position if known. `Display` gives `:8:42: what` or `: what`,
/// to follow the file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    /// Line and column, from 1.
    place: Option<(u64, u64)>,
    what: String,
    /// Whether the XML is well-formed up to this position, but exceeds a bound or contains
    /// something that is not accepted, such as an undefined entity.
    pub is_well_formed: bool,
}

impl FileError {
    /// Makes an error about the file as a whole.
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            place: None,
            what: what.into(),
            is_well_formed: false,
        }
    }

    fn at(place: (u64, u64), what: impl Into<String>) -> Self {
        Self {
            place: Some(place),
            what: what.into(),
            is_well_formed: false,
        }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => write!(f, ":{line}:{column}: {}", self.what),
            None => write!(f, ": {}", self.what),
        }
    }
}

fn local_name<'d>(xml: &'d str, start: &BytesStart<'_>) -> &'d str {
    // The event lends its name only for its own lifetime, but the name is also a part of `xml`,
    // which lives longer.
    let name: &str = start.local_name().into_inner();
    let offset = (name.as_ptr() as usize).wrapping_sub(xml.as_ptr() as usize);
    xml.get(offset..offset.wrapping_add(name.len()))
        .unwrap_or_default()
}

/// Replaces CR LF and CR with LF (XML 1.0, section 2.11).
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
