//! A place in a document, as readers see it.
//!
//! A reader names each field that it fills and the paths where documents have it, once. A node
//! knows where it stands, so that errors have line and column. It may have a recorder, which
//! notes the consulted paths. The manual's table "where each field comes from" and the
//! comparison with the official schemas use the paths consulted while reading `data/documents`.
//!
//! A path is names separated by slashes, by local name. `Info*` and `*Info` are the names
//! that begin and end so, `//` is any depth. Of several paths the first that has a text
//! counts.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use super::value;
use crate::import::text::shown;
use crate::model::{Amount, Date, Moment, is_rouble};
use crate::xml::{Element, SCHEME_VERSION};

/// The result of reading.
pub type Result<T> = std::result::Result<T, ReadError>;

/// The name of the field of an answer that a value goes to or decides about, as it is on
/// the wire (see `Node::filling`), or one of the four below.
pub type Field = &'static str;

/// The number that a document is about.
pub const NUMBER: Field = "(number)";

/// The key of a document within its subject: the number of a protocol or of a lot, an id.
pub const KEY: Field = "(key)";

/// The version, which decides which document is the newest.
pub const VERSION: Field = "(version)";

/// The time of publication, which decides between equal versions.
pub const PUBLISHED: Field = "(published)";

/// Places where a value may stand.
pub type Paths<'p> = &'p [&'p str];

/// Stands in a path for the elements of a party.
pub const PARTY: &str = "…";

/// A field, and a path at which a reader looked for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// The field, with those that it is in.
    pub field: String,
    /// The path, from the document's element on; of a party, from the element that stands for
    /// it on.
    pub path: String,
    /// The end of the path that its reader names.
    pub named: String,
    /// Whether it was looked at, as no path before it had a value.
    pub is_consulted: bool,
}

/// The paths that readers looked at.
#[derive(Debug, Default)]
pub struct Recorder {
    /// In the document.
    pub readings: RefCell<Vec<Reading>>,
    /// In its parties.
    pub of_parties: Rc<RefCell<Vec<Reading>>>,
}

/// The place of a node that has a recorder.
#[derive(Clone, Debug)]
struct Recorded<'e> {
    recorder: &'e Recorder,
    /// The path that leads here, as in [`Reading::path`].
    here: Rc<str>,
    is_in_party: bool,
    /// The field that those of the node are in; empty for none.
    filling: Field,
}

impl Recorded<'_> {
    fn below(&self, path: &str) -> String {
        match &*self.here {
            "" => path.to_owned(),
            here if path.starts_with("//") => [here, path].concat(),
            here => [here, "/", path].concat(),
        }
    }

    /// Notes that the first `consulted` of `paths` were looked at.
    fn note(&self, field: Field, paths: Paths<'_>, consulted: usize) {
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

/// A place in a document.
#[derive(Clone, Debug)]
pub struct Node<'e> {
    element: &'e Element<'e>,
    recorded: Option<Recorded<'e>>,
}

impl<'e> Node<'e> {
    /// A document.
    pub fn new(element: &'e Element<'e>) -> Self {
        Self {
            element,
            recorded: None,
        }
    }

    /// A document at the path `here` of its file, whose reading is recorded.
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

    /// The same place, whose values go to fields in the field `filling`, or by an empty name to
    /// that field itself.
    pub fn filling(&self, filling: Field) -> Self {
        let recorded = self.recorded.clone();
        Self {
            element: self.element,
            recorded: recorded.map(|recorded| Recorded {
                filling,
                ..recorded
            }),
        }
    }

    /// The party at this place, which goes to these fields.
    pub fn party(&self, fields: &[Field]) -> Self {
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

    fn note(&self, field: Field, paths: Paths<'_>, consulted: usize) {
        if let Some(recorded) = &self.recorded {
            recorded.note(field, paths, consulted);
        }
    }

    /// The node of an element that is found at `path`.
    fn below(&self, path: &str, element: &'e Element<'e>) -> Self {
        let recorded = self.recorded.as_ref().map(|recorded| Recorded {
            here: recorded.below(path).into(),
            ..recorded.clone()
        });
        Self { element, recorded }
    }

    /// The first element at any of `paths` that `is_it` accepts.
    fn find_at(
        &self,
        field: Field,
        paths: Paths<'_>,
        is_it: impl Fn(&Element<'_>) -> bool,
    ) -> Option<&'e Element<'e>> {
        let mut elements = paths.iter().map(|path| self.element.at(path));
        let at = elements.position(|found| found.is_some_and(&is_it));
        self.note(field, paths, at.map_or(paths.len(), |at| at + 1));
        self.element.at(paths.get(at?)?)
    }

    /// The element.
    pub fn element(&self) -> &'e Element<'e> {
        self.element
    }

    /// The local name of its element.
    pub fn name(&self) -> &'e str {
        self.element.name
    }

    /// Returns the first text at `paths`, converted by `read`. The error of `read` is a phrase for
    /// the expected form.
    ///
    /// # Errors
    /// The text that `read` refuses, with its place.
    pub fn value<T>(
        &self,
        field: Field,
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

    /// The first text at any of `paths`, without the white space around it; empty if there
    /// is none.
    pub fn text(&self, field: Field, paths: Paths<'_>) -> &'e str {
        let found = self.find_at(field, paths, |found| !found.text().is_empty());
        found.map_or("", Element::text)
    }

    /// Returns [`Node::text`] as a value of its own.
    pub fn string(&self, field: Field, paths: Paths<'_>) -> String {
        self.text(field, paths).to_owned()
    }

    /// Returns the first text at `paths` that is more than white space, with its white space.
    pub fn verbatim(&self, field: Field, paths: Paths<'_>) -> String {
        let found = self.find_at(field, paths, |found| !found.text().is_empty());
        found.map_or("", Element::verbatim).to_owned()
    }

    /// The first element that there is at any of `paths`.
    pub fn first(&self, paths: Paths<'_>) -> Option<Self> {
        let mut found = paths.iter().map(|path| (*path, self.element.at(path)));
        found.find_map(|(path, found)| Some(self.below(path, found?)))
    }

    /// The elements at `paths`, those of the first path first.
    pub fn all(&self, paths: Paths<'_>) -> Vec<Self> {
        let mut found = Vec::new();
        for path in paths {
            self.element
                .each_at(path, &mut |element| found.push(self.below(path, element)));
        }
        found
    }

    /// Returns the first element at `paths`; else this one.
    pub fn first_or_self(&self, paths: Paths<'_>) -> Self {
        self.first(paths).unwrap_or_else(|| self.clone())
    }

    /// Returns whether the document states that its schema has this version or a later one.
    pub fn is_since(&self, field: Field, version: (u32, u32)) -> bool {
        let text = self.text(field, &[SCHEME_VERSION]);
        let mut parts = text.split('.').map(|part| part.parse().unwrap_or_default());
        let stated = (parts.next(), parts.next().unwrap_or_default());
        stated >= (Some(version.0), version.1)
    }

    /// Returns whether there is an element at `path`, with or without a text.
    pub fn has(&self, field: Field, path: &str) -> bool {
        self.find_at(field, &[path], |_| true).is_some()
    }

    /// The first result of `read` over the elements at any depth; `path` stands for these in the
    /// manual.
    pub fn find<T>(
        &self,
        field: Field,
        path: &str,
        read: impl Fn(&Element<'_>) -> Option<T>,
    ) -> Option<T> {
        self.note(field, &[path], 1);
        self.element.find(&read)
    }

    /// Returns the number of elements at `path`.
    pub fn number_of(&self, field: Field, path: &str) -> u64 {
        self.note(field, &[path], 1);
        self.all(&[path]).len() as u64
    }

    /// The value that a reader cannot go on without.
    ///
    /// # Errors
    /// It is missing.
    pub fn needed<T>(&self, value: Option<T>, path: &str) -> Result<T> {
        value.ok_or_else(|| self.error(format!("{path}: is missing")))
    }

    /// Returns an error about this element.
    pub fn error(&self, what: impl Into<String>) -> ReadError {
        ReadError::new(self.element.name, what)
    }

    /// The amount at the first of `paths` that has one. Real documents have numbers in
    /// exponent form.
    ///
    /// # Errors
    /// It is not a decimal number, or has too many digits.
    pub fn amount(&self, field: Field, paths: Paths<'_>) -> Result<Option<Amount>> {
        self.value(field, paths, value::amount)
    }

    /// The calendar day, as written, whatever time and zone follow it (the manual,
    /// Fields, "Dates and times as written").
    ///
    /// # Errors
    /// It is not a date.
    pub fn day(&self, field: Field, paths: Paths<'_>) -> Result<Option<Date>> {
        self.value(field, paths, value::day)
    }

    /// The day, with its hour and minute if it has them, all as written.
    ///
    /// # Errors
    /// It is not a date, or not one with a time.
    pub fn moment(&self, field: Field, paths: Paths<'_>) -> Result<Option<Moment>> {
        self.value(field, paths, value::moment)
    }

    /// The instant, an `xs:dateTime` or `xs:date`, in milliseconds since 1970; without a
    /// zone it is in Moscow time. 0 if there is none.
    ///
    /// # Errors
    /// It is neither.
    pub fn instant(&self, field: Field, paths: Paths<'_>) -> Result<i64> {
        self.value(field, paths, value::instant)
            .map(Option::unwrap_or_default)
    }

    /// The number, from 0 on.
    ///
    /// # Errors
    /// It is not one.
    pub fn count(&self, field: Field, paths: Paths<'_>) -> Result<Option<u64>> {
        self.value(field, paths, |text| {
            text.parse().map_err(|_| "a whole number from 0 on")
        })
    }

    /// The flag, if it is stated.
    ///
    /// # Errors
    /// It is neither true nor false.
    pub fn stated_flag(&self, field: Field, paths: Paths<'_>) -> Result<Option<bool>> {
        self.value(field, paths, value::flag)
    }

    /// The flag; false if it is not stated.
    ///
    /// # Errors
    /// It is neither true nor false.
    pub fn flag(&self, field: Field, paths: Paths<'_>) -> Result<bool> {
        self.stated_flag(field, paths)
            .map(Option::unwrap_or_default)
    }

    /// The text, which must be there.
    ///
    /// # Errors
    /// It is not.
    pub fn required(&self, field: Field, paths: Paths<'_>) -> Result<&'e str> {
        let text = self.text(field, paths);
        let there = Some(text).filter(|text| !text.is_empty());
        self.needed(there, element_of(paths))
    }

    /// The amount in roubles: at `converted`, else that at `original` where the currency at
    /// `currency` is the rouble or not stated.
    ///
    /// # Errors
    /// As [`Node::amount`].
    pub fn roubles(
        &self,
        field: Field,
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

    /// The results of `read` for the elements at `paths`.
    ///
    /// # Errors
    /// The first of them that cannot be read.
    pub fn read_all<T>(
        &self,
        paths: Paths<'_>,
        read: impl FnMut(Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.all(paths).into_iter().map(read).collect()
    }
}

/// The element that an error names, whose path differs between schemas: its place is told by
/// line and column.
pub fn element_of<'p>(paths: Paths<'p>) -> &'p str {
    let path = paths.first().copied().unwrap_or_default();
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// An error in a document, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The address of the element's name in memory, a part of the file's text.
    address: usize,
    what: String,
}

impl ReadError {
    /// An error at the element whose name, a part of the file's text, is `at`.
    pub fn new(at: &str, what: impl Into<String>) -> Self {
        Self {
            address: at.as_ptr() as usize,
            what: what.into(),
        }
    }

    /// The offset of the element in the file that it was read from.
    pub fn offset_in(&self, xml: &str) -> usize {
        self.address.wrapping_sub(xml.as_ptr() as usize)
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}
