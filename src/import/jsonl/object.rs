//! A JSON object read field by field, so that errors name their place
//! (`contract.products[2].sum`), amounts are read as written, and an unknown member is an
//! error.
//!
//! serde_json finds the members and leaves their values as text ([`RawValue`]). So no number is
//! rounded, and each field decides which values it accepts.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;

use memchr::memchr;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Unexpected, Visitor};
use serde_json::value::RawValue;

use crate::import::text::{cut, shown};
use crate::model::{Amount, Date, Moment};

/// An error in a line, with its place there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The path of the field, outermost first; empty for the line as a whole.
    place: String,
    what: String,
}

impl FieldError {
    /// An error of the current value.
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            place: String::new(),
            what: what.into(),
        }
    }

    /// An error of the member `name` of the current object.
    pub fn at(name: &str, what: impl Into<String>) -> Self {
        Self::new(what).within(name)
    }

    fn within(mut self, name: &str) -> Self {
        let is_end = self.place.is_empty() || self.place.starts_with('[');
        let separator = if is_end { "" } else { "." };
        self.place = format!("{name}{separator}{}", self.place);
        self
    }
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.what)
        } else {
            write!(f, "{}: {}", self.place, self.what)
        }
    }
}

/// The result of reading a field.
pub type Result<T> = std::result::Result<T, FieldError>;

/// The members of one JSON object.
#[derive(Default)]
pub struct Object<'a> {
    members: Vec<Member<'a>>,
    /// The likely index of the next member: after the last one read.
    next: Cell<usize>,
}

struct Member<'a> {
    name: Cow<'a, str>,
    value: Value<'a>,
    is_read: Cell<bool>,
}

enum Value<'a> {
    /// Its JSON, which the field that reads it interprets.
    Json(&'a str),
    /// A record of a line, read at once rather than scanned before.
    Record(Option<Object<'a>>),
}

/// The members of a line that are records.
const RECORDS: [&str; 4] = ["supplier", "contract", "purchase", "entry"];

impl<'a> Object<'a> {
    /// Reads the object in `json`, a whole line, with `read`.
    pub fn read<T>(json: &'a str, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let line = deserializer
            .deserialize_map(Members { of_line: true })
            .and_then(|line| deserializer.end().map(|()| line));
        let line = line.map_err(|error| {
            let (what, column) = (without_position(&error), error.column());
            let about = if error.is_data() { "" } else { "not JSON: " };
            FieldError::new(format!("{about}{what} at column {column}"))
        })?;
        line.read_whole(read)
    }

    /// Reads the object with `read`; members that `read` does not read are errors.
    fn read_whole<T>(&self, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let value = read(self)?;
        match self.members.iter().find(|member| !member.is_read.get()) {
            None => Ok(value),
            Some(Member { name, .. }) => {
                let same = self.members.iter().filter(|member| member.name == *name);
                let what = match same.count() {
                    1 => "an unknown field",
                    _ => "is given twice",
                };
                Err(FieldError::at(&cut(name), what))
            }
        }
    }

    /// The value of a member, which is marked as read; none if it is missing.
    fn value(&self, name: &str) -> Option<&Value<'a>> {
        let is_it = |member: &Member<'_>| member.name == name;
        let next = self.next.get();
        let index = match self.members.get(next) {
            Some(member) if is_it(member) => next,
            _ => self.members.iter().position(is_it)?,
        };
        self.next.set(index + 1);
        let member = self.members.get(index)?;
        member.is_read.set(true);
        Some(&member.value)
    }

    /// The JSON of a member; none for `null` and for a missing one.
    fn json(&self, name: &str) -> Option<&'a str> {
        match self.value(name)? {
            Value::Json("null") | Value::Record(_) => None,
            Value::Json(json) => Some(json),
        }
    }

    /// The same of a member that is not a text; none for `""`, too.
    fn nested(&self, name: &str) -> Option<&'a str> {
        self.json(name).filter(|json| *json != EMPTY)
    }

    /// A text, borrowed or unescaped; empty if missing.
    fn borrowed(&self, name: &str) -> Result<Cow<'a, str>> {
        let Some(json) = self.json(name) else {
            return Ok(Cow::Borrowed(""));
        };
        match json.as_bytes() {
            [b'"', text @ .., b'"'] if memchr(b'\\', text).is_none() => {
                Ok(Cow::Borrowed(&json[1..json.len() - 1]))
            }
            [b'"', ..] => from_json(json).map(Cow::Owned),
            [b'-' | b'0'..=b'9', ..] => Ok(Cow::Borrowed(json)),
            _ => Err(FieldError::new("must be a text")),
        }
        .map_err(|problem| problem.within(name))
    }

    /// A text; a number counts as it is written. Empty if missing.
    pub fn text(&self, name: &str) -> Result<String> {
        self.borrowed(name).map(Cow::into_owned)
    }

    /// A text parsed by `parse`; none if missing or empty.
    pub fn parsed<T>(
        &self,
        name: &str,
        must_be: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        let text = self.borrowed(name)?;
        if text.is_empty() {
            return Ok(None);
        }
        let what = || format!("must be {must_be}, not {}", shown(&text));
        let value = parse(&text).ok_or_else(|| FieldError::at(name, what()))?;
        Ok(Some(value))
    }

    /// A required text, parsed by `parse`.
    pub fn required<T>(
        &self,
        name: &str,
        must_be: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        let value = self.parsed(name, must_be, parse)?;
        value.ok_or_else(|| FieldError::at(name, format!("is missing; it must be {must_be}")))
    }

    /// A required text.
    pub fn required_text(&self, name: &str) -> Result<String> {
        self.required(name, "a text that is not empty", |text| {
            Some(text.to_owned())
        })
    }

    /// A day written `YYYY-MM-DD`.
    pub fn iso_date(&self, name: &str) -> Result<Option<Date>> {
        self.parsed(name, "a date YYYY-MM-DD", Date::parse_iso)
    }

    /// A day written `DD.MM.YYYY`.
    pub fn dotted_date(&self, name: &str) -> Result<Option<Date>> {
        self.parsed(name, "a date DD.MM.YYYY", Date::parse_dotted)
    }

    /// A day written `DD.MM.YYYY`, or with a time, `DD.MM.YYYY HH:MM`.
    pub fn moment(&self, name: &str) -> Result<Option<Moment>> {
        self.parsed(
            name,
            "a date DD.MM.YYYY, or with a time DD.MM.YYYY HH:MM",
            Moment::parse_dotted,
        )
    }

    /// A decimal number, written as a JSON number or a string.
    pub fn amount(&self, name: &str) -> Result<Option<Amount>> {
        let text = self.borrowed(name)?;
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = |error| FieldError::at(name, format!("{error}: {}", shown(&text)));
        text.parse().map(Some).map_err(wrong)
    }

    /// A whole number from 0 on.
    pub fn count(&self, name: &str) -> Result<Option<u64>> {
        let must_be_count = || FieldError::at(name, "must be a whole number from 0 on");
        self.amount(name)?
            .map(|amount| amount.as_count().ok_or_else(must_be_count))
            .transpose()
    }

    /// A flag: `true` or `false`, bare or as a string.
    pub fn flag(&self, name: &str) -> Result<Option<bool>> {
        match self.nested(name) {
            None => Ok(None),
            Some("true" | "\"true\"") => Ok(Some(true)),
            Some("false" | "\"false\"") => Ok(Some(false)),
            Some(_) => Err(FieldError::at(name, "must be true or false")),
        }
    }

    /// An object; one without members if missing.
    pub fn object<T>(&self, name: &str, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        match self.nested(name) {
            Some(json) => object_in(json, read).map_err(|problem| problem.within(name)),
            None => read(&Self::default()).map_err(|problem| problem.within(name)),
        }
    }

    /// A record of a line, which is required.
    pub fn record<T>(&self, name: &str, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        match self.value(name) {
            Some(Value::Record(Some(object))) => object
                .read_whole(read)
                .map_err(|problem| problem.within(name)),
            _ => Err(FieldError::at(name, "is missing")),
        }
    }

    /// The items of a member: an array of objects, or one object.
    pub fn items<T>(&self, name: &str, read: impl Fn(&Self) -> Result<T>) -> Result<Vec<T>> {
        let Some(json) = self.nested(name) else {
            return Ok(Vec::new());
        };
        items_in(json, read).map_err(|problem| problem.within(name))
    }

    /// A collection: an object with the items under their name.
    pub fn list<T>(
        &self,
        name: &str,
        item: &str,
        read: impl Fn(&Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.object(name, |object| object.items(item, read))
    }
}

/// An empty text, which is no value.
const EMPTY: &str = "\"\"";

fn object_in<'a, T>(json: &'a str, read: impl FnOnce(&Object<'a>) -> Result<T>) -> Result<T> {
    from_json::<Object<'a>>(json)?.read_whole(read)
}

fn items_in<'a, T>(json: &'a str, read: impl Fn(&Object<'a>) -> Result<T>) -> Result<Vec<T>> {
    if !json.starts_with('[') {
        return Ok(vec![object_in(json, read)?]);
    }
    let items: Vec<Object<'a>> = from_json(json)?;
    let item = |(index, item): (usize, &Object<'a>)| {
        item.read_whole(&read)
            .map_err(|problem| problem.within(&format!("[{index}]")))
    };
    items.iter().enumerate().map(item).collect()
}

/// Reads a value in a line that is JSON.
fn from_json<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| FieldError::new(without_position(&error)))
}

/// serde_json's message without its line and column: it saw one line, or a part of one.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ")
        .map_or(text.as_str(), |end| &text[..end])
        .to_owned()
}

/// More than any record has: it bounds the search for a member.
const MAX_MEMBERS: usize = 256;

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_any(Members { of_line: false })
    }
}

/// Reads the members of an object.
struct Members {
    of_line: bool,
}

/// A member's name, borrowed if it has no escapes.
#[derive(Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for Members {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    /// Without the string, which may be as long as the line.
    fn visit_str<E: serde::de::Error>(self, _: &str) -> std::result::Result<Object<'de>, E> {
        Err(E::invalid_type(Unexpected::Other("string"), &self))
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Object<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(Name(name)) = map.next_key::<Name<'de>>()? {
            if members.len() == MAX_MEMBERS {
                return Err(serde::de::Error::custom("an object with too many fields"));
            }
            let value = if self.of_line && RECORDS.contains(&&*name) {
                Value::Record(map.next_value()?)
            } else {
                Value::Json(map.next_value::<&'de RawValue>()?.get())
            };
            members.push(Member {
                name,
                value,
                is_read: Cell::new(false),
            });
        }
        Ok(Object {
            members,
            next: Cell::new(0),
        })
    }
}
