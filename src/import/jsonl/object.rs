//! A JSON object read field by field, so that errors name their place
//! (`contract.products[2].sum`), amounts are read as written, and an unknown member is an
//! error.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::tape::{Tape, TapeValue, ValueKind};
use crate::model::{Amount, Date, Moment};

/// What is wrong with a line, and where in it.
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
        let separator = if self.place.is_empty() || self.place.starts_with('[') {
            ""
        } else {
            "."
        };
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

/// What reading a field returns.
pub type Result<T> = std::result::Result<T, FieldError>;

/// The members of one JSON object.
pub struct Object<'a> {
    tape: &'a Tape<'a>,
    /// The index of the object.
    place: usize,
    /// The likely index of the next member: after the last one read.
    next: Cell<usize>,
}

impl<'a> Object<'a> {
    /// Reads the object in `json` with `read`; members that `read` does not read are
    /// unknown fields.
    pub fn read<T>(json: &str, read: impl FnOnce(&Object<'_>) -> Result<T>) -> Result<T> {
        match Tape::scan(json) {
            Some(tape) => Object::at(&tape, 0, read),
            None => Err(not_json(json)),
        }
    }

    fn at<T>(tape: &'a Tape<'a>, place: usize, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let object = Self {
            tape,
            place,
            next: Cell::new(place + 1),
        };
        let outcome = read(&object).and_then(|value| {
            let mut members = tape.within(place).filter_map(|place| tape.value(place));
            match members.find(|member| !member.is_read.get()) {
                Some(member) => Err(FieldError::at(
                    &shown(&name_of(tape, member)),
                    "an unknown field",
                )),
                None => Ok(value),
            }
        });
        // Of two members of the same name, one is never read; the duplicate is reported
        // first.
        outcome.map_err(|problem| object.names_problem().unwrap_or(problem))
    }

    /// The error in the names of the members: a duplicate, one that is not text, or too
    /// many.
    fn names_problem(&self) -> Option<FieldError> {
        let mut names = BTreeSet::new();
        let is_wrong = |place| {
            let Some(member) = self.tape.value(place) else {
                return false;
            };
            let is_no_text = || string(self.tape.quoted_name(member)).is_err();
            names.len() >= MAX_MEMBERS
                || member.name_is_escaped && is_no_text()
                || !names.insert(name_of(self.tape, member))
        };
        let is_any_wrong = self.tape.within(self.place).any(is_wrong);
        let object = self.tape.value(self.place).filter(|_| is_any_wrong)?;
        Some(not_json(self.tape.text(object)))
    }

    /// The index of a member; none for `null` and for a missing one.
    fn member(&self, name: &str) -> Option<usize> {
        let is_it = |place: &usize| {
            let member = self.tape.value(*place);
            member.is_some_and(|member| is_name(self.tape, member, name))
        };
        let end = self.tape.end_of(self.place);
        let next = self.next.get();
        let place = if next < end && is_it(&next) {
            next
        } else {
            self.tape.within(self.place).find(is_it)?
        };
        self.next.set(self.tape.end_of(place));
        let member = self.tape.value(place)?;
        member.is_read.set(true);
        (member.kind != ValueKind::Null).then_some(place)
    }

    /// The kind and the JSON of a member; none for `null` and for a missing one.
    fn raw(&self, name: &str) -> Option<(ValueKind, &'a str)> {
        let member = self.tape.value(self.member(name)?)?;
        Some((member.kind, self.tape.text(member)))
    }

    /// A member that must be an object or an array; none for `null` and `""`.
    fn nested(&self, name: &str) -> Option<(usize, ValueKind)> {
        let place = self.member(name)?;
        let member = self.tape.value(place)?;
        let is_empty = member.kind == ValueKind::Plain && self.tape.text(member) == "\"\"";
        (!is_empty).then_some((place, member.kind))
    }

    /// A text, borrowed or unescaped; empty if missing.
    fn borrowed(&self, name: &str) -> Result<Cow<'a, str>> {
        let text = match self.raw(name) {
            None => Ok(Cow::Borrowed("")),
            Some((ValueKind::Plain, json)) => Ok(Cow::Borrowed(unquoted(json))),
            Some((ValueKind::Number, json)) => Ok(Cow::Borrowed(json)),
            Some((ValueKind::Escaped, json)) => string(json).map(Cow::Owned),
            Some(_) => Err(FieldError::new("must be a text")),
        };
        text.map_err(|problem| problem.within(name))
    }

    /// A text whose value is ignored.
    pub fn ignore(&self, name: &str) -> Result<()> {
        self.borrowed(name).map(drop)
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
        match parse(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(FieldError::at(
                name,
                format!("must be {must_be}, not {:?}", shown(&text)),
            )),
        }
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
        let amount = text
            .parse()
            .map_err(|error| FieldError::at(name, format!("{error}: {:?}", shown(&text))))?;
        Ok(Some(amount))
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
        match self.raw(name) {
            None | Some((_, "\"\"")) => Ok(None),
            Some((_, "true" | "\"true\"")) => Ok(Some(true)),
            Some((_, "false" | "\"false\"")) => Ok(Some(false)),
            Some(_) => Err(FieldError::at(name, "must be true or false")),
        }
    }

    /// An object; the default value if missing.
    pub fn object<T: Default>(
        &self,
        name: &str,
        read: impl FnOnce(&Object<'a>) -> Result<T>,
    ) -> Result<T> {
        Ok(self.object_if_any(name, read)?.unwrap_or_default())
    }

    /// An optional object.
    pub fn object_if_any<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Object<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some((place, kind)) = self.nested(name) else {
            return Ok(None);
        };
        object_at(self.tape, place, kind, read)
            .map(Some)
            .map_err(|problem| problem.within(name))
    }

    /// The items of a member: an array of objects, or one object.
    pub fn items<T>(&self, name: &str, read: impl Fn(&Object<'a>) -> Result<T>) -> Result<Vec<T>> {
        let Some((place, kind)) = self.nested(name) else {
            return Ok(Vec::new());
        };
        let items = if kind == ValueKind::Array {
            let item = |(index, place): (usize, usize)| {
                let kind = self
                    .tape
                    .value(place)
                    .map_or(ValueKind::Null, |item| item.kind);
                object_at(self.tape, place, kind, &read)
                    .map_err(|problem| problem.within(&format!("[{index}]")))
            };
            self.tape.within(place).enumerate().map(item).collect()
        } else {
            object_at(self.tape, place, kind, &read).map(|item| vec![item])
        };
        items.map_err(|problem| problem.within(name))
    }

    /// A collection: an object with the items under their name.
    pub fn list<T>(
        &self,
        name: &str,
        item: &str,
        read: impl Fn(&Object<'a>) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.object(name, |object| object.items(item, read))
    }
}

fn object_at<'a, T>(
    tape: &'a Tape<'a>,
    place: usize,
    kind: ValueKind,
    read: impl FnOnce(&Object<'a>) -> Result<T>,
) -> Result<T> {
    match kind {
        ValueKind::Object => Object::at(tape, place, read),
        _ => Err(FieldError::new("must be an object")),
    }
}

/// The name of a member; one with invalid escapes is shown as it is written.
fn name_of<'a>(tape: &Tape<'a>, member: &TapeValue) -> Cow<'a, str> {
    let quoted = tape.quoted_name(member);
    if member.name_is_escaped
        && let Ok(name) = string(quoted)
    {
        return Cow::Owned(name);
    }
    Cow::Borrowed(unquoted(quoted))
}

fn is_name(tape: &Tape<'_>, member: &TapeValue, name: &str) -> bool {
    let quoted = tape.quoted_name(member);
    match member.name_is_escaped {
        false => quoted.len() == name.len() + 2 && unquoted(quoted) == name,
        true => name_of(tape, member) == name,
    }
}

fn unquoted(json: &str) -> &str {
    json.get(1..json.len().saturating_sub(1))
        .unwrap_or_default()
}

fn string(json: &str) -> Result<String> {
    serde_json::from_str(json).map_err(|error| FieldError::new(without_position(&error)))
}

/// The error that serde_json finds in `json`.
fn not_json(json: &str) -> FieldError {
    let mut deserializer = serde_json::Deserializer::from_str(json);
    let outcome = Members
        .deserialize(&mut deserializer)
        .and_then(|()| deserializer.end());
    match outcome {
        Ok(()) => FieldError::new("not JSON"),
        Err(error) => FieldError::new(format!(
            "not JSON: {} at column {}",
            without_position(&error),
            error.column()
        )),
    }
}

/// serde_json's message without its line and column, as it saw only one line.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ")
        .map_or(text.as_str(), |end| &text[..end])
        .to_owned()
}

/// A value from outside for an error message: cut, but long enough to recognise it.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Checks the members of an object; a duplicate is an error.
struct Members;

impl<'de> DeserializeSeed<'de> for Members {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<(), A::Error> {
        let mut names: Vec<String> = Vec::new();
        while let Some((name, _)) = map.next_entry::<String, &'de RawValue>()? {
            if names.contains(&name) {
                let what = format!("the field {:?} is given twice", shown(&name));
                return Err(serde::de::Error::custom(what));
            }
            names.push(name);
            if names.len() > MAX_MEMBERS {
                return Err(serde::de::Error::custom("an object with too many fields"));
            }
        }
        Ok(())
    }
}

/// More than any record has: it bounds the search for duplicates.
const MAX_MEMBERS: usize = 256;
