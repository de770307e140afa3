//! An element of a document, as readers see it.
//!
//! For each field that it fills, a reader names the field and the paths at which documents state
//! it. A node may have a recorder that notes which paths were consulted. The manual's table "where
//! each field comes from" and the comparison with the official schemas are made by reading
//! `data/documents` with a recorder. Errors refer to the element, so they can be shown with line
//! and column.
//!
//! A path consists of local names separated by slashes. `Info*` matches names that begin with
//! `Info`, `*Info` names that end with it, and `//` stands for any depth. If several paths are
//! given, the first with a text wins.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use super::value;
use crate::import::text::shown;
use crate::model::{Amount, Date, Moment, is_rouble};
use crate::xml::{Element, SCHEME_VERSION};

pub type Result<T> = std::result::Result<T, ReadError>;

/// The wire name of the field that a value fills or helps to determine (see `Node::filling`), or
/// one of the pseudo-fields [`NUMBER`], [`KEY`], [`VERSION`] and [`PUBLISHED`].
pub type FieldName = &'static str;

/// The number of the contract, purchase or entry that a document is about.
pub const NUMBER: FieldName = "(number)";

/// Distinguishes documents about the same purchase or contract: the number of a protocol or lot, or
/// an id.
pub const KEY: FieldName = "(key)";

/// The version of a document. The highest version wins.
pub const VERSION: FieldName = "(version)";

/// The publication time of a document. Of equal versions, the latest wins.
pub const PUBLISHED: FieldName = "(published)";

/// Alternative paths of a value, in the order in which to try them.
pub type Paths<'p> = &'p [&'p str];

/// Placeholder in a path for the elements of a party.
pub const PARTY: &str = "…";

/// A field, and one of the paths at which a reader looks for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Name of the field, after the names of the fields that contain it.
    pub field: String,
    /// Path from the document's element or, within a party, from the party's element.
    pub path: String,
    /// The last part of the path, as the reader wrote it.
    pub named: String,
    /// Whether the reader got as far as this path because no path before it had a value.
    pub is_consulted: bool,
}

#[derive(Debug, Default)]
pub struct Recorder {
    pub readings: RefCell<Vec<Reading>>,
    /// Readings within parties, which documents share.
    pub of_parties: Rc<RefCell<Vec<Reading>>>,
}

/// Position of a node that has a recorder.
#[derive(Clone, Debug)]
struct Recorded<'e> {
    recorder: &'e Recorder,
    /// Path of this node, as in [`Reading::path`].
    here: Rc<str>,
    is_in_party: bool,
    /// The field that contains the fields of this node; empty if there is none.
    filling: FieldName,
}

impl Recorded<'_> {
    fn below(&self, path: &str) -> String {
        match &*self.here {
            "" => path.to_owned(),
            here if path.starts_with("//") => [here, path].concat(),
            here => [here, "/", path].concat(),
        }
    }

    /// Notes all `paths` of a field, of which the reader consulted the first `consulted`.
    fn note(&self, field: FieldName, paths: Paths<'_>, consulted: usize) {
        let mut readings = match self.is_in_party {
            true => self.recorder.of_parties.borrow_mut(),
            false => self.recorder.readings.borrow_mut(),
        };
        let field = match self.filling {
            "" => field.to_owned(),
            filling if field.is_empty() => filling.to_owned(),
            filling => [filling, ".", field].concat(),
        };
        for (index, path) in paths.iter().enumerate() {
            let (named, path) = (*path, self.below(path));
            let is_consulted = index < consulted;
            let same = |one: &&mut Reading| one.field == field && one.path == path;
            match readings.iter_mut().find(same) {
                Some(known) => known.is_consulted |= is_consulted,
                None => readings.push(Reading {
                    field: field.clone(),
                    path,
                    named: named.to_owned(),
                    is_consulted,
                }),
            }
        }
    }
}

#[derive(Clone, Debug)]
pub struct Node<'e> {
    element: &'e Element<'e>,
    recorded: Option<Recorded<'e>>,
}

impl<'e> Node<'e> {
    pub fn new(element: &'e Element<'e>) -> Self {
        Self {
            element,
            recorded: None,
        }
    }

    /// Makes the root node of a document at path `here` of its file, with a recorder.
    pub fn recorded(element: &'e Element<'e>, here: &str, recorder: &'e Recorder) -> Self {
        let recorded = Recorded {
            recorder,
            here: here.into(),
            is_in_party: false,
            filling: "",
        };
        Self {
            element,
            recorded: Some(recorded),
        }
    }

    /// Returns the same element, for reading the parts of the field `filling`. A value with an
    /// empty field name fills `filling` itself.
    pub fn filling(&self, filling: FieldName) -> Self {
        let recorded = self.recorded.clone();
        Self {
            element: self.element,
            recorded: recorded.map(|recorded| Recorded {
                filling,
                ..recorded
            }),
        }
    }

    /// Returns the same element, for reading a party whose values fill `fields`.
    pub fn party(&self, fields: &[FieldName]) -> Self {
        for field in fields {
            self.note(field, &[PARTY], 1);
        }
        let recorded = self.recorded.clone().map(|recorded| Recorded {
            here: "".into(),
            is_in_party: true,
            filling: "",
            ..recorded
        });
        Self {
            element: self.element,
            recorded,
        }
    }

    fn note(&self, field: FieldName, paths: Paths<'_>, consulted: usize) {
        if let Some(recorded) = &self.recorded {
            recorded.note(field, paths, consulted);
        }
    }

    fn below(&self, path: &str, element: &'e Element<'e>) -> Self {
        let recorded = self.recorded.as_ref().map(|recorded| Recorded {
            here: recorded.below(path).into(),
            ..recorded.clone()
        });
        Self { element, recorded }
    }

    fn find_at(
        &self,
        field: FieldName,
        paths: Paths<'_>,
        is_it: impl Fn(&Element<'_>) -> bool,
    ) -> Option<&'e Element<'e>> {
        let mut elements = paths.iter().map(|path| self.element.at(path));
        let at = elements.position(|found| found.is_some_and(&is_it));
        self.note(field, paths, at.map_or(paths.len(), |at| at + 1));
        self.element.at(paths.get(at?)?)
    }

    pub fn element(&self) -> &'e Element<'e> {
        self.element
    }

    pub fn name(&self) -> &'e str {
        self.element.name
    }

    /// Returns the first text at `paths`, converted by `read`. An error of `read` must describe the
    /// expected form.
    ///
    /// # Errors
    /// Returns an error if `read` rejects the text.
    pub fn value<T>(
        &self,
        field: FieldName,
        paths: Paths<'_>,
        read: impl FnOnce(&'e str) -> std::result::Result<T, &'static str>,
    ) -> Result<Option<T>> {
        let Some(found) = self.find_at(field, paths, |found| !found.text().is_empty()) else {
            return Ok(None);
        };
        let text = found.text();
        read(text).map(Some).map_err(|expected| {
            let what = format!("{}: not {expected}: {}", found.name, shown(text));
            ReadError::new(found.name, what)
        })
    }

    /// Returns the first text at `paths`, trimmed. Empty if there is none.
    pub fn text(&self, field: FieldName, paths: Paths<'_>) -> &'e str {
        let found = self.find_at(field, paths, |found| !found.text().is_empty());
        found.map_or("", Element::text)
    }

    pub fn string(&self, field: FieldName, paths: Paths<'_>) -> String {
        self.text(field, paths).to_owned()
    }

    /// Returns the first text at `paths` that is not blank, with its white space.
    pub fn verbatim(&self, field: FieldName, paths: Paths<'_>) -> String {
        let found = self.find_at(field, paths, |found| !found.text().is_empty());
        found.map_or("", Element::verbatim).to_owned()
    }

    /// Returns the first element that exists at one of `paths`.
    pub fn first(&self, paths: Paths<'_>) -> Option<Self> {
        let mut found = paths.iter().map(|path| (*path, self.element.at(path)));
        found.find_map(|(path, found)| Some(self.below(path, found?)))
    }

    /// Returns all elements at `paths`, in the order of the paths.
    pub fn all(&self, paths: Paths<'_>) -> Vec<Self> {
        let mut found = Vec::new();
        for path in paths {
            self.element
                .each_at(path, &mut |element| found.push(self.below(path, element)));
        }
        found
    }

    /// Returns the first element that exists at one of `paths`, or else this node.
    pub fn first_or_self(&self, paths: Paths<'_>) -> Self {
        self.first(paths).unwrap_or_else(|| self.clone())
    }

    /// Returns whether the document has this schema version or a later one.
    pub fn is_since(&self, field: FieldName, version: (u32, u32)) -> bool {
        let text = self.text(field, &[SCHEME_VERSION]);
        let mut parts = text.split('.').map(|part| part.parse().unwrap_or_default());
        let stated = (parts.next(), parts.next().unwrap_or_default());
        stated >= (Some(version.0), version.1)
    }

    /// Returns whether there is an element at `path`, even an empty one.
    pub fn has(&self, field: FieldName, path: &str) -> bool {
        self.find_at(field, &[path], |_| true).is_some()
    }

    /// Calls `read` for the descendants and returns the first result. `path` does not affect the
    /// search; it is what the manual shows.
    pub fn find<T>(
        &self,
        field: FieldName,
        path: &str,
        read: impl Fn(&Element<'_>) -> Option<T>,
    ) -> Option<T> {
        self.note(field, &[path], 1);
        self.element.find(&read)
    }

    pub fn number_of(&self, field: FieldName, path: &str) -> u64 {
        self.note(field, &[path], 1);
        self.all(&[path]).len() as u64
    }

    /// Unwraps a value without which the document cannot be read.
    ///
    /// # Errors
    /// Returns an error if the value is missing.
    pub fn needed<T>(&self, value: Option<T>, path: &str) -> Result<T> {
        value.ok_or_else(|| self.error(format!("{path}: is missing")))
    }

    pub fn error(&self, what: impl Into<String>) -> ReadError {
        ReadError::new(self.element.name, what)
    }

    /// Returns the amount at the first of `paths` that has a text. The amount may have an exponent,
    /// as in some real documents.
    ///
    /// # Errors
    /// Returns an error if the text is not a decimal number, or has too many digits.
    pub fn amount(&self, field: FieldName, paths: Paths<'_>) -> Result<Option<Amount>> {
        self.value(field, paths, value::amount)
    }

    /// Returns the calendar day as written, ignoring any time and time zone after it (manual,
    /// Fields, "Dates and times as written").
    ///
    /// # Errors
    /// Returns an error if the text is not a date.
    pub fn day(&self, field: FieldName, paths: Paths<'_>) -> Result<Option<Date>> {
        self.value(field, paths, value::day)
    }

    /// Returns the day as written, with hour and minute if stated.
    ///
    /// # Errors
    /// Returns an error if the text is neither a date nor a date with a time.
    pub fn moment(&self, field: FieldName, paths: Paths<'_>) -> Result<Option<Moment>> {
        self.value(field, paths, value::moment)
    }

    /// Returns an `xs:dateTime` or `xs:date` in milliseconds since 1970, or 0 if there is none.
    /// Without a time zone, Moscow time applies.
    ///
    /// # Errors
    /// Returns an error if the text is neither an `xs:dateTime` nor an `xs:date`.
    pub fn instant(&self, field: FieldName, paths: Paths<'_>) -> Result<i64> {
        self.value(field, paths, value::instant)
            .map(Option::unwrap_or_default)
    }

    /// Returns a whole number, if stated.
    ///
    /// # Errors
    /// Returns an error if the text is not a whole number of at least 0.
    pub fn count(&self, field: FieldName, paths: Paths<'_>) -> Result<Option<u64>> {
        self.value(field, paths, |text| {
            text.parse().map_err(|_| "a whole number from 0 on")
        })
    }

    /// Returns the flag, if stated.
    ///
    /// # Errors
    /// Returns an error if the text is neither true nor false.
    pub fn stated_flag(&self, field: FieldName, paths: Paths<'_>) -> Result<Option<bool>> {
        self.value(field, paths, value::flag)
    }

    /// Returns the flag, or `false` if it is not stated.
    ///
    /// # Errors
    /// See [`Node::stated_flag`].
    pub fn flag(&self, field: FieldName, paths: Paths<'_>) -> Result<bool> {
        self.stated_flag(field, paths)
            .map(Option::unwrap_or_default)
    }

    /// Returns the first text at `paths`.
    ///
    /// # Errors
    /// Returns an error if there is none.
    pub fn required(&self, field: FieldName, paths: Paths<'_>) -> Result<&'e str> {
        let text = self.text(field, paths);
        let there = Some(text).filter(|text| !text.is_empty());
        self.needed(there, element_of(paths))
    }

    /// Returns the amount in roubles: the amount at `converted`, or else the one at `original` if
    /// the currency at `currency` is the rouble or not stated.
    ///
    /// # Errors
    /// See [`Node::amount`].
    pub fn roubles(
        &self,
        field: FieldName,
        converted: &str,
        original: &str,
        currency: &str,
    ) -> Result<Option<Amount>> {
        if let Some(converted) = self.amount(field, &[converted])? {
            return Ok(Some(converted));
        }
        let in_roubles = is_rouble(self.text(field, &[currency]));
        Ok(self.amount(field, &[original])?.filter(|_| in_roubles))
    }

    /// Calls `read` for each element at `paths`.
    ///
    /// # Errors
    /// Returns the first error of `read`.
    pub fn read_all<T>(
        &self,
        paths: Paths<'_>,
        read: impl FnMut(Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.all(paths).into_iter().map(read).collect()
    }
}

/// Returns the name of the element to mention in an error. The rest of the path differs between
/// schemas, and the error has a line and column anyway.
pub fn element_of<'p>(paths: Paths<'p>) -> &'p str {
    let path = paths.first().copied().unwrap_or_default();
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// Address of the element's name in memory. The name is a slice of the file's text, so its
    /// address reveals the offset in the file.
    address: usize,
    what: String,
}

impl ReadError {
    /// Makes an error at the element whose name is `at`, a slice of the file's text.
    pub fn new(at: &str, what: impl Into<String>) -> Self {
        Self {
            address: at.as_ptr() as usize,
            what: what.into(),
        }
    }

    /// Returns the offset of the faulty element in `xml`, the text of the file.
    pub fn offset_in(&self, xml: &str) -> usize {
        self.address.wrapping_sub(xml.as_ptr() as usize)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}
