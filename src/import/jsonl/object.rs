//! A JSON object read field by field, so that what is wrong is said with its
//! place (`contract.products[2].sum`), amounts are taken as they are written, and
//! a member that nobody asked for is an error.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::model::{Amount, Date, Moment};

/// What is wrong with a line, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The path of the field, outermost first; empty for the line as a whole.
    place: String,
    what: String,
}

impl Problem {
    /// A problem of the value at hand.
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            place: String::new(),
            what: what.into(),
        }
    }

    /// A problem of the member `name` of the object at hand.
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

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.place.is_empty() {
            f.write_str(&self.what)
        } else {
            write!(f, "{}: {}", self.place, self.what)
        }
    }
}

/// What reading a field returns.
pub type Result<T> = std::result::Result<T, Problem>;

/// The members of one JSON object.
pub struct Object<'a> {
    members: Vec<Member<'a>>,
    /// Where the next member is likely to stand: after the last one asked for.
    next: Cell<usize>,
}

struct Member<'a> {
    name: String,
    value: &'a RawValue,
    asked_for: Cell<bool>,
}

impl<'a> Object<'a> {
    /// Reads the object in `json` with `read`; members that `read` did not ask
    /// for are unknown fields.
    pub fn read<T>(json: &'a str, read: impl FnOnce(&Self) -> Result<T>) -> Result<T> {
        let mut deserializer = serde_json::Deserializer::from_str(json);
        let members = Members
            .deserialize(&mut deserializer)
            .map_err(|error| not_json(&error))?;
        deserializer.end().map_err(|error| not_json(&error))?;
        let object = Self {
            members,
            next: Cell::new(0),
        };
        let value = read(&object)?;
        match object.members.iter().find(|member| !member.asked_for.get()) {
            Some(member) => Err(Problem::at(&shown(&member.name), "an unknown field")),
            None => Ok(value),
        }
    }

    /// The JSON of a member; none for `null` and for one that is not there.
    fn raw(&self, name: &str) -> Option<&'a str> {
        let found = |index: usize| {
            self.members
                .get(index)
                .is_some_and(|member| member.name == name)
        };
        let next = self.next.get();
        let index = if found(next) {
            next
        } else {
            self.members.iter().position(|member| member.name == name)?
        };
        self.next.set(index + 1);
        let member = self.members.get(index)?;
        member.asked_for.set(true);
        Some(member.value.get()).filter(|json| *json != "null")
    }

    /// A text that is not kept.
    pub fn ignore(&self, name: &str) -> Result<()> {
        self.text(name).map(drop)
    }

    /// A text; a number counts as the text it is written as. Empty if it is not
    /// there.
    pub fn text(&self, name: &str) -> Result<String> {
        let Some(json) = self.raw(name) else {
            return Ok(String::new());
        };
        let text = match json.as_bytes().first() {
            Some(b'"') => string(json),
            Some(b'-' | b'0'..=b'9') => Ok(json.to_owned()),
            _ => Err(Problem::new("must be a text")),
        };
        text.map_err(|problem| problem.within(name))
    }

    /// What `parse` makes of a text; none if it is not there or empty.
    pub fn parsed<T>(
        &self,
        name: &str,
        must_be: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<Option<T>> {
        let text = self.text(name)?;
        if text.is_empty() {
            return Ok(None);
        }
        match parse(&text) {
            Some(value) => Ok(Some(value)),
            None => Err(Problem::at(
                name,
                format!("must be {must_be}, not {:?}", shown(&text)),
            )),
        }
    }

    /// What `parse` makes of a text that must be there.
    pub fn required<T>(
        &self,
        name: &str,
        must_be: &str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Result<T> {
        let value = self.parsed(name, must_be, parse)?;
        value.ok_or_else(|| Problem::at(name, format!("is missing; it must be {must_be}")))
    }

    /// A text that must be there.
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
        let text = self.text(name)?;
        if text.is_empty() {
            return Ok(None);
        }
        let amount = text
            .parse()
            .map_err(|error| Problem::at(name, format!("{error}: {:?}", shown(&text))))?;
        Ok(Some(amount))
    }

    /// A whole number from 0 on.
    pub fn count(&self, name: &str) -> Result<Option<u64>> {
        let must_be_count = || Problem::at(name, "must be a whole number from 0 on");
        self.amount(name)?
            .map(|amount| amount.as_count().ok_or_else(must_be_count))
            .transpose()
    }

    /// A flag: `true` or `false`, bare or as a string.
    pub fn flag(&self, name: &str) -> Result<Option<bool>> {
        match self.raw(name) {
            None | Some("\"\"") => Ok(None),
            Some("true" | "\"true\"") => Ok(Some(true)),
            Some("false" | "\"false\"") => Ok(Some(false)),
            Some(_) => Err(Problem::at(name, "must be true or false")),
        }
    }

    /// An object; a value's default if it is not there.
    pub fn object<T: Default>(
        &self,
        name: &str,
        read: impl FnOnce(&Object<'a>) -> Result<T>,
    ) -> Result<T> {
        Ok(self.object_if_any(name, read)?.unwrap_or_default())
    }

    /// An object that may not be there.
    pub fn object_if_any<T>(
        &self,
        name: &str,
        read: impl FnOnce(&Object<'a>) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(json) = self.raw(name).filter(|json| *json != "\"\"") else {
            return Ok(None);
        };
        nested(json, read)
            .map(Some)
            .map_err(|problem| problem.within(name))
    }

    /// The items of a member: an array of objects, or one object.
    pub fn items<T>(&self, name: &str, read: impl Fn(&Object<'a>) -> Result<T>) -> Result<Vec<T>> {
        let Some(json) = self.raw(name).filter(|json| *json != "\"\"") else {
            return Ok(Vec::new());
        };
        let items = if json.starts_with('[') {
            let elements: Vec<&'a RawValue> =
                serde_json::from_str(json).map_err(|error| not_json(&error))?;
            let item = |(index, element): (usize, &&'a RawValue)| {
                nested(element.get(), &read)
                    .map_err(|problem| problem.within(&format!("[{index}]")))
            };
            elements.iter().enumerate().map(item).collect()
        } else {
            nested(json, &read).map(|item| vec![item])
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

fn nested<'a, T>(json: &'a str, read: impl FnOnce(&Object<'a>) -> Result<T>) -> Result<T> {
    if json.starts_with('{') {
        Object::read(json, read)
    } else {
        Err(Problem::new("must be an object"))
    }
}

fn string(json: &str) -> Result<String> {
    serde_json::from_str(json).map_err(|error| Problem::new(without_position(&error)))
}

fn not_json(error: &serde_json::Error) -> Problem {
    Problem::new(format!(
        "not JSON: {} at column {}",
        without_position(error),
        error.column()
    ))
}

/// serde_json's words for an error, without its line and column: a line is all
/// that it saw.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rfind(" at line ")
        .map_or(text.as_str(), |end| &text[..end])
        .to_owned()
}

/// What is shown of a value from outside: enough to recognise it.
fn shown(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Reads the members of an object; one given twice is an error.
struct Members;

impl<'de> DeserializeSeed<'de> for Members {
    type Value = Vec<Member<'de>>;

    fn deserialize<D: Deserializer<'de>>(
        self,
        deserializer: D,
    ) -> std::result::Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Members {
    type Value = Vec<Member<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(
        self,
        mut map: A,
    ) -> std::result::Result<Self::Value, A::Error> {
        let mut members: Vec<Member<'de>> = Vec::with_capacity(32);
        while let Some((name, value)) = map.next_entry::<String, &'de RawValue>()? {
            if members.iter().any(|member| member.name == name) {
                let what = format!("the field {:?} is given twice", shown(&name));
                return Err(serde::de::Error::custom(what));
            }
            members.push(Member {
                name,
                value,
                asked_for: Cell::new(false),
            });
            if members.len() > MAX_MEMBERS {
                return Err(serde::de::Error::custom("an object with too many fields"));
            }
        }
        Ok(members)
    }
}

/// More than any record has: a bound on the search for one given twice.
const MAX_MEMBERS: usize = 256;
