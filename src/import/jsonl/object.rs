//! Reads a JSON object field by field. Errors name the field (`contract.products[2].sum`), amounts
//! keep all digits, and an unknown member is an error.
//!
//! serde_json only finds the members; values stay JSON text ([`RawValue`]). That way no number is
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

/// An error in a line, with the path of the field it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// Path of the field, outermost first; empty for the whole line.
    place: String,
    what: String,
}

impl FieldError {
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            place: String::new(),
            what: what.into(),
        }
    }

    /// Makes an error about the member `name` of the current object.
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

pub type Result<T> = std::result::Result<T, FieldError>;

#[derive(Default)]
pub struct Object<'a> {
    members: Vec<Member<'a>>,
    /// Index after the member that was read last. Members are usually read in order.
    next: Cell<usize>,
}

struct Member<'a> {
    name: Cow<'a, str>,
    value: MemberValue<'a>,
    is_read: Cell<bool>,
}

enum MemberValue<'a> {
    Json(&'a str),
    /// A record in the line. It is parsed in the same pass, because JSON text would have to be
    /// scanned again. `None` stands for `null`.
    Record(Option<Object<'a>>),
}

/// Members of a line whose values are records.
const RECORDS: [&str; 4] = ["supplier", "contract", "purchase", "entry"];

impl<'a> Object<'a> {
    /// Parses a line and passes the object to `read`.
    pub fn read<T>(json: &'a str, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let line = deserializer
            .deserialize_map(MembersVisitor { of_line: true })
            .and_then(|line| deserializer.end().map(|()| line));
        let line = line.map_err(|error| {
            let (what, column) = (without_position(&error), error.column());
            let about = if error.is_data() { "" } else { "not JSON: " };
            FieldError::new(format!("{about}{what} at column {column}"))
        })?;
        line.read_whole(read)
    }

    /// Passes the object to `read`. A member that `read` leaves unread is an error.
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

    /// Returns the value of a member, or `None` if there is no such member. Marks the member as
    /// read.
    fn value(&self, name: &str) -> Option<&MemberValue<'a>> {
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

    /// Returns the JSON of a member, or `None` if the member is missing, `null` or a record.
    fn json(&self, name: &str) -> Option<&'a str> {
        match self.value(name)? {
            MemberValue::Json("null") | MemberValue::Record(_) => None,
            MemberValue::Json(json) => Some(json),
        }
    }

    /// Returns the JSON of a member, or `None` if the member is missing, `null` or `""`.
    fn nested(&self, name: &str) -> Option<&'a str> {
        self.json(name).filter(|json| *json != EMPTY)
    }

    /// Returns a text, or a number as written. Empty if the member is missing. Borrows if there are
    /// no escapes.
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

    /// Returns a text, or a number as written. Empty if the member is missing.
    pub fn text(&self, name: &str) -> Result<String> {
        self.borrowed(name).map(Cow::into_owned)
    }

    /// Parses a text with `parse`. Returns `None` if the member is missing or empty.
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

    /// Parses a text with `parse`. A missing or empty member is an error.
    pub fn required<T>(
        &self,
        name: &str,
        must_be: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        let value = self.parsed(name, must_be, parse)?;
        value.ok_or_else(|| FieldError::at(name, format!("is missing; it must be {must_be}")))
    }

    pub fn required_text(&self, name: &str) -> Result<String> {
        self.required(name, "a text that is not empty", |text| {
            Some(text.to_owned())
        })
    }

    /// Returns a day written as `YYYY-MM-DD`.
    pub fn iso_date(&self, name: &str) -> Result<Option<Date>> {
        self.parsed(name, "a date YYYY-MM-DD", Date::parse_iso)
    }

    /// Returns a day written as `DD.MM.YYYY`.
    pub fn dotted_date(&self, name: &str) -> Result<Option<Date>> {
        self.parsed(name, "a date DD.MM.YYYY", Date::parse_dotted)
    }

    /// Returns a day written as `DD.MM.YYYY`, optionally with a time: `DD.MM.YYYY HH:MM`.
    pub fn moment(&self, name: &str) -> Result<Option<Moment>> {
        self.parsed(
            name,
            "a date DD.MM.YYYY, or with a time DD.MM.YYYY HH:MM",
            Moment::parse_dotted,
        )
    }

    /// Returns a decimal number, written as a JSON number or a string.
    pub fn amount(&self, name: &str) -> Result<Option<Amount>> {
        let text = self.borrowed(name)?;
        if text.is_empty() {
            return Ok(None);
        }
        let wrong = |error| FieldError::at(name, format!("{error}: {}", shown(&text)));
        text.parse().map(Some).map_err(wrong)
    }

    /// Returns a whole number that is not negative.
    pub fn count(&self, name: &str) -> Result<Option<u64>> {
        let must_be_count = || FieldError::at(name, "must be a whole number from 0 on");
        self.amount(name)?
            .map(|amount| amount.as_count().ok_or_else(must_be_count))
            .transpose()
    }

    /// Returns `true` or `false`, written as a JSON value or a string.
    pub fn flag(&self, name: &str) -> Result<Option<bool>> {
        match self.nested(name) {
            None => Ok(None),
            Some("true" | "\"true\"") => Ok(Some(true)),
            Some("false" | "\"false\"") => Ok(Some(false)),
            Some(_) => Err(FieldError::at(name, "must be true or false")),
        }
    }

    /// Passes a nested object to `read`, or an empty object if the member is missing.
    pub fn object<T>(&self, name: &str, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        match self.nested(name) {
            Some(json) => object_in(json, read).map_err(|problem| problem.within(name)),
            None => read(&Self::default()).map_err(|problem| problem.within(name)),
        }
    }

    /// Passes a record of the line to `read`. A missing record is an error.
    pub fn record<T>(&self, name: &str, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        match self.value(name) {
            Some(MemberValue::Record(Some(object))) => object
                .read_whole(read)
                .map_err(|problem| problem.within(name)),
            _ => Err(FieldError::at(name, "is missing")),
        }
    }

    /// Reads the items of a member that is an array of objects or a single object.
    pub fn items<T>(&self, name: &str, read: impl Fn(&Self) -> Result<T>) -> Result<Vec<T>> {
        let Some(json) = self.nested(name) else {
            return Ok(Vec::new());
        };
        items_in(json, read).map_err(|problem| problem.within(name))
    }

    /// Reads the items of a list that is wrapped in an object: member `item` has the items.
    pub fn list<T>(
        &self,
        name: &str,
        item: &str,
        read: impl Fn(&Self) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.object(name, |object| object.items(item, read))
    }
}

/// A member with this value counts as missing.
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

fn from_json<'a, T: Deserialize<'a>>(json: &'a str) -> Result<T> {
    serde_json::from_str(json).map_err(|error| FieldError::new(without_position(&error)))
}

/// Removes the position from a message of serde_json, because it is relative to a part of the line.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ")
        .map_or(text.as_str(), |end| &text[..end])
        .to_owned()
}

/// Upper bound on the members of an object. Members are searched for one by one. Real records have
/// fewer.
const MAX_MEMBERS: usize = 256;

impl<'de> Deserialize<'de> for Object<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Self, D::Error> {
        from.deserialize_any(MembersVisitor { of_line: false })
    }
}

struct MembersVisitor {
    of_line: bool,
}

/// Borrows if there are no escapes.
#[derive(Deserialize)]
struct MemberName<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for MembersVisitor {
    type Value = Object<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    /// Leaves the string out of the message, because it may be as long as the line.
    fn visit_str<E: serde::de::Error>(self, _: &str) -> std::result::Result<Object<'de>, E> {
        Err(E::invalid_type(Unexpected::Other("string"), &self))
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Object<'de>, A::Error> {
        let mut members = Vec::new();
        while let Some(MemberName(name)) = map.next_key::<MemberName<'de>>()? {
            if members.len() == MAX_MEMBERS {
                return Err(serde::de::Error::custom("an object with too many fields"));
            }
            let value = if self.of_line && RECORDS.contains(&&*name) {
                MemberValue::Record(map.next_value()?)
            } else {
                MemberValue::Json(map.next_value::<&'de RawValue>()?.get())
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
